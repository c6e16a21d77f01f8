"""Writing a file completely or not at all, and reading what can be read only once."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, Literal

from wekaconf.base.errors import OptionError

STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""Beginnings of the paths by which systems name what a process has open."""
_unfinished: set[str] = set()
"""Files that `remove_unfinished` removes if the process ends early."""


@contextmanager
def atomic_write(path: str | os.PathLike[str], mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Open a temporary file beside ``path`` that takes its place when the block ends without an exception.

    Parameters
    ----------
    path : str or PathLike
        The target. An existing file keeps its permissions, a link stays a link, and a target that is not a regular
        file (``/dev/stdout``, a pipe) is written directly.
    mode : {"w", "wb"}
        Text (UTF-8, line ends unchanged) or binary.

    Yields
    ------
    file object
        On any exception in the block, KeyboardInterrupt included, the temporary file is removed and an existing
        target stays as it was.

    Raises
    ------
    OSError
        The target cannot be written; the error names the target.
    """
    text = {} if mode == "wb" else {"encoding": "utf-8", "newline": ""}
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, mode, **text) as stream:  # type: ignore[call-overload]
            yield stream
        return
    target = os.path.realpath(path)
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.tmp")
    _unfinished.add(temporary)
    try:
        try:
            with open(temporary, mode.replace("w", "x"), **text) as stream:  # type: ignore[call-overload]
                yield stream
        except OSError as error:
            if error.errno is None:  # a library's own words
                raise
            name = os.fspath(path) if error.filename in (None, temporary) else error.filename
            raise OSError(error.errno, error.strerror, name) from None
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        _unfinished.discard(temporary)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write this text to a file by `atomic_write`."""
    with atomic_write(path) as file:
        file.write(text)


@contextmanager
def removed_afterwards(path: str) -> Iterator[None]:
    """Remove a file when the block ends."""
    _unfinished.add(path)
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(path)
        _unfinished.discard(path)


def remove_unfinished() -> None:
    """Remove the files of running `atomic_write` and `removed_afterwards` blocks, before an end without unwinding."""
    for temporary in [*_unfinished]:
        with suppress(OSError):
            os.unlink(temporary)


def is_stream(path: str) -> bool:
    """Whether a path is standard input (``-``), a pipe or a device, which can be read only once."""
    is_special = os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    return path == "-" or path.startswith(STREAMS) or is_special


def read_stream(path: str) -> bytes | None:
    """All that a stream gives, None for a file; OSError if it cannot be read, or is a device that might never end."""
    if not is_stream(path):
        return None
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as stream:
        kind = os.fstat(stream.fileno()).st_mode
        if stat.S_ISBLK(kind) or (stat.S_ISCHR(kind) and not stream.isatty()):
            raise OSError("it is a device; give a file or a pipe")
        return stream.read()


def digest_of_file(path: str | os.PathLike[str]) -> str:
    """The SHA-256 digest of a file's content, for recognising it again, in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make_folder(folder: str | os.PathLike[str]) -> str:
    """The folder for finished parts of a long run, made if it does not exist; OptionError if it is a file."""
    path = os.fspath(folder)
    if os.path.exists(path) and not os.path.isdir(path):
        raise OptionError(f"{path}: is a file; name a folder, which may be new, for what is finished", value_of="path")
    os.makedirs(path, exist_ok=True)
    return path
