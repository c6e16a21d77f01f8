"""The folder of the fetched sets, with a record of each and a lock for the process that fetches one.

Beside each set NAME.arff lies NAME.json, its record: where the set came from and the digest of its bytes. The record
stays when the set is removed, so that a file fetched again can be compared with the first one.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from wekaconf.base.files import digest_of_file, write_text
from wekaconf.base.user_cache import existing_folder, private_folder

FOLDER = "data"
"""The folder's name below the user's cache folder for wekaconf."""
Record = dict[str, str]
"""A fetched set's source, address, licence, fetched (a date), sent (SHA-256 of the file as it came), sha256 (of the
set) and values."""
POLLING = 0.2
"""Seconds between two attempts to lock a file that another process holds."""


def make_set_folder() -> str:
    """The folder of the fetched sets, made if there is none; OSError if no folder is safe."""
    return private_folder(FOLDER)


def existing_set_folder() -> str | None:
    """The folder of the fetched sets; None if nothing was ever fetched."""
    return existing_folder(FOLDER)


def read_record(folder: str, name: str) -> Record:
    """The record of a set; empty if it was never fetched."""
    try:
        with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) and all(isinstance(text, str) for text in record.values()) else {}


def write_record(folder: str, name: str, record: Record) -> None:
    """Write the record of a set."""
    write_text(os.path.join(folder, f"{name}.json"), json.dumps(record, indent=1) + "\n")


def unchanged_file(folder: str | None, name: str) -> str | None:
    """The file of a set if it is still as it was fetched; None if it is absent or was changed."""
    if folder is None or not (record := read_record(folder, name)):
        return None
    path = os.path.join(folder, f"{name}.arff")
    return path if os.path.isfile(path) and digest_of_file(path) == record.get("sha256") else None


@contextmanager
def claim_file(path: str, on_wait: Callable[[], None]) -> Iterator[BinaryIO]:
    """A file that only this process writes, made if need be; others wait until it is released, or the process ends."""
    has_waited = False
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    while True:
        with open(path, "r+b", buffering=0, opener=lambda name, _: os.open(name, flags, 0o600)) as file:
            is_ours = _lock(file)
            if is_ours and _is_at(file, path):
                yield file
                return
        if is_ours:  # the file was removed meanwhile
            continue
        if not has_waited:
            has_waited = True
            on_wait()
        time.sleep(POLLING)


def _is_at(file: BinaryIO, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


def _lock(file: BinaryIO) -> bool:
    """Lock the file until it is closed; False if another process holds it."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(0x7FFFFFFF)  # a byte that nobody reads or writes
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            # Released by the system, too, when the process is killed.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
