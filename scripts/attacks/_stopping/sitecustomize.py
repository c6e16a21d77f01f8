"""Has a process stop at one of its steps, or count them; Python imports this at its start, see `attacks._running`.

A step is what changes a file, a folder or a database, or starts a process or a thread. ``ATTACK_STOP_AT`` is the number
of the step at which the process stops itself, by SIGSTOP; 0: it stops at none, and writes their number to the file that
``ATTACK_COUNT`` names. Its children do neither.

Steps, since a point in time hits imports nearly always, and another moment whenever the machine is busy. What then
strikes is the real signal, disk or limit, from another process; nothing in wekaconf knows of it.
"""

import atexit
import itertools
import os
import signal
import sqlite3
import sys

EVENTS = {
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.utime", "shutil.rmtree",
    "tempfile.mkdtemp", "tempfile.mkstemp", "sqlite3.connect", "subprocess.Popen", "os.fork", "os.posix_spawn",
    "_thread.start_new_thread", "os.kill", "socket.connect",
}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

stop_at = int(os.environ.pop("ATTACK_STOP_AT", 0))
count = os.environ.pop("ATTACK_COUNT", "")
steps = itertools.count(1)


def step(*_statement):
    """Count, and stop at the step that was asked for."""
    if next(steps) == stop_at:
        os.kill(os.getpid(), signal.SIGSTOP)


def hear(event, arguments):
    """Tell steps from the other events."""
    if event in EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING):
        step()


def connected(*arguments, **how):
    """A connection to a database each of whose statements is a step."""
    connection = connect(*arguments, **how)
    connection.set_trace_callback(step)
    return connection


def tell():
    n_steps = next(steps) - 1
    with open(count, "w") as file:
        file.write(str(n_steps))


connect = sqlite3.connect
if stop_at or count:
    sqlite3.connect = connected
    sys.addaudithook(hear)
if count:
    atexit.register(tell)
