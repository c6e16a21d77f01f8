"""Firefox without a window, driven by its own protocol, Marionette: playwright drives only a Firefox of its own."""

import json
import socket
import subprocess
import tempfile
import time
from pathlib import Path

PREFERENCES = 'user_pref("marionette.port", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
PATIENCE = 60


class Firefox:
    """A running Firefox with one tab; use it in a with statement."""

    def __init__(self, program):
        self._program, self._n_sent = program, 0

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        folder = Path(self._profile.name)
        (folder / "user.js").write_text(PREFERENCES)
        words = [self._program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._link = socket.create_connection(("127.0.0.1", self._port(folder)), PATIENCE)
        self._file = self._link.makefile("rb")
        self._received()
        self._ask("WebDriver:NewSession", {})
        return self

    def __exit__(self, *_):
        try:
            self._ask("Marionette:Quit", {"flags": ["eForceQuit"]})
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._file.close()
            self._link.close()
            self._profile.cleanup()

    def open(self, uri, *, size):
        """Open an address in a window of this width and height."""
        width, height = size
        self._ask("WebDriver:SetWindowRect", {"width": width, "height": height})
        self._ask("WebDriver:Navigate", {"url": uri})

    def evaluate(self, script):
        """What the last argument of an asynchronous script is called with."""
        return self._ask("WebDriver:ExecuteAsyncScript", {"script": script, "args": []})["value"]

    def _port(self, folder):
        """The port that Firefox writes into its profile when it is ready."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and self._process.poll() is None:
            told = folder / "MarionetteActivePort"
            if told.exists() and (text := told.read_text()):
                return int(text)
            time.sleep(0.1)
        self._process.kill()
        raise RuntimeError(f"{self._program} does not start")

    def _ask(self, command, parameters):
        self._n_sent += 1
        text = json.dumps([0, self._n_sent, command, parameters]).encode()
        self._link.sendall(b"%d:%s" % (len(text), text))
        _, _, error, value = self._received()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return value

    def _received(self):
        length = b""
        while (digit := self._file.read(1)) != b":":
            if not digit:
                raise RuntimeError("Firefox has ended")
            length += digit
        return json.loads(self._file.read(int(length)))
