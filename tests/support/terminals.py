"""Commands whose standard error is a terminal."""

import os
import pty
import re
import select
import subprocess
from contextlib import suppress


def on_a_terminal(command, environment):
    """What a command writes on a terminal as standard error, and its exit code."""
    controller, terminal = pty.openpty()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=environment)
    os.close(terminal)
    shown = b""
    with suppress(OSError):  # the other side is closed
        while select.select([controller], [], [], 120)[0] and (part := os.read(controller, 4096)):
            shown += part
    os.close(controller)
    return shown.decode().replace("\r\n", "\n"), running.wait()


def without_escapes(shown):
    """The text without colours and movements."""
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown)
