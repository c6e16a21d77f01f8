"""What a Python-to-Java package must do for us."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Carrier(Protocol):
    """What a Python-to-Java package must do for us.

    String lists and numpy arrays (float64, int32) cross by value, and single strings and ints on their way to Java;
    everything else is an opaque Java object.
    """

    name: str

    def is_running(self) -> bool:
        """Whether this process has a virtual machine already."""

    def start(self, library: Path, class_path: list[str], arguments: list[str]) -> None:
        """Start one, or attach to the running one."""

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of the facade; Java's exceptions come as `JavaError`."""


class JavaError(Exception):
    """A Java exception, translated: its class and message."""

    def __init__(self, class_name: str, message: str) -> None:
        self.class_name, self.message = class_name, message
        super().__init__(f"{class_name}: {message}")

    @property
    def is_refusal(self) -> bool:
        """Whether Weka declined on purpose, with words for a person, rather than broke."""
        return self.class_name in (
            "java.lang.Exception",
            "java.lang.IllegalArgumentException",
            "weka.core.WekaException",
        )
