"""Processes that a test starts: their group, and waiting for what they do."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager, suppress

import psutil


def started(command, folder, **environment):
    """A process in a folder, the first of a group of its own."""
    return subprocess.Popen(
        [*map(str, command)], cwd=folder, env=os.environ | environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def wait_until(what, seconds=120):
    """Wait until something is so; a busy machine needs some time."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def group(running):
    """The living processes of the group that a process leads."""
    return [
        process
        for process in psutil.process_iter(["status"])
        if process.info["status"] != psutil.STATUS_ZOMBIE and _group_of(process.pid) == running.pid
    ]


def _group_of(pid):
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


@contextmanager
def gone(running):
    """At the end of the block the whole group must end by itself; whatever happens, it is killed then."""
    try:
        yield
        wait_until(lambda: not group(running))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
