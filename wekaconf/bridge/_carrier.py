"""The interface to a Python-to-Java package, and its exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol


class Carrier(Protocol):
    """The calls that wekaconf needs of a Python-to-Java package.

    Lists of strings and numpy arrays (float64, int32) are passed by value in both directions, single strings and ints
    to Java only; everything else is an opaque Java object.
    """

    name: str

    def is_running(self) -> bool:
        """Whether this process already has a virtual machine."""

    def start(self, library: Path, class_path: list[str], arguments: list[str]) -> None:
        """Start a virtual machine, or attach to the running one."""

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of the facade; Java's exceptions are raised as `JavaError`."""

    def serve(self, answer: Callable[[bytes], bytes]) -> None:
        """Let our classifiers inside Weka call ``answer``, or a process of this Python if Java cannot call it."""


class JavaError(Exception):
    """A Java exception, translated: its class and message."""

    def __init__(self, class_name: str, message: str) -> None:
        self.class_name, self.message = class_name, message
        super().__init__(f"{class_name}: {message}")

    @property
    def is_refusal(self) -> bool:
        """Whether Weka refused on purpose, with a message for people, rather than failed."""
        return self.class_name in (
            "java.lang.Exception",
            "java.lang.IllegalArgumentException",
            "weka.core.WekaException",
        )
