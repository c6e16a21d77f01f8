"""Files that can be made again, kept in a cache folder that only the user can write to.

Compiled code is a pickle, which is executed when it is read. So folders that others may write to and files that others
own are refused.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from wekaconf.base.files import atomic_write

APP = "wekaconf"
STAMP = "used"
"""The file whose modification time says when its folder was last used, to the day."""
DAY = 86_400.0
"""Seconds."""
LARGEST_AGE = 30 * DAY
"""A folder that has not been used for longer is removed."""
FOLDER_NAME = re.compile(r"[0-9a-f]{32}(\.[0-9a-f]+)?")
"""Names of folders: a digest, followed by a dot and more digits while the folder is being removed."""


def private_folder(digest: str, cache: str = "") -> str:
    """Find or make a folder that only this user can write to.

    Parameters
    ----------
    digest : str
        32 hexadecimal digits: a digest of everything that the content of the folder depends on. A folder of another
        name is never removed.
    cache : str
        The cache folder to make it in. Left out: ``XDG_CACHE_HOME``, or if that is not safe the system's cache folder.

    Returns
    -------
    str
        ``<cache>/wekaconf/<digest>``, an absolute path without links; mode 0700.

    Raises
    ------
    OSError
        No cache folder is safe; the error describes the last one tried. A folder is not safe if it belongs to somebody
        else, if others may write to it, if it is a link, or if it lies below the current folder (unless the home folder
        does, too), since what is unpacked there may come from anybody.
    """
    refusal = _refusal("LOCALAPPDATA", "is not set")
    for each in [cache] if cache else _caches():
        try:
            return _make_private(each, digest)
        except OSError as error:
            refusal = error
    raise refusal


def existing_folder(name: str) -> str | None:
    """A folder that `private_folder` has made before; None if there is none. Nothing is made."""
    for cache in filter(os.path.isabs, _caches()):
        folder = os.path.join(os.path.realpath(cache), APP, name)
        with suppress(OSError):
            status = os.lstat(folder)
            _check_owner(folder, status)
            if stat.S_ISDIR(status.st_mode):
                return folder
    return None


def _caches() -> Iterator[str]:
    """The places for caches, in order of preference."""
    # platformdirs would be a dependency for these lines, and takes a relative XDG_CACHE_HOME.
    yield from filter(None, [os.environ.get("XDG_CACHE_HOME")])
    if sys.platform == "win32":
        yield from filter(None, [os.environ.get("LOCALAPPDATA")])
    elif sys.platform == "darwin":
        yield os.path.expanduser("~/Library/Caches")
    else:
        yield os.path.expanduser("~/.cache")


def _make_private(cache: str, digest: str) -> str:
    if not os.path.isabs(cache):
        raise _refusal(cache, "is not absolute")
    cache = os.path.realpath(cache)
    if _is_below_current_folder(cache):
        raise _refusal(cache, "lies below the current folder")
    if not os.path.exists(cache):
        parent = os.path.dirname(cache)
        if hasattr(os, "geteuid") and os.stat(parent).st_uid not in (0, os.geteuid()):
            raise _refusal(parent, "belongs to somebody else")
        _make_folder(cache)
    _check_owner(cache, os.stat(cache))
    folder = os.path.join(cache, APP, digest)
    for path in (os.path.dirname(folder), folder):
        _make_folder(path)
        status = os.lstat(path)
        if not stat.S_ISDIR(status.st_mode):
            raise _refusal(path, "is a link or a file")
        _check_owner(path, status)
        if os.name != "nt" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise _refusal(path, "may be written by others")
    return folder


def _make_folder(path: str) -> None:
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def _check_owner(path: str, status: os.stat_result) -> None:
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise _refusal(path, "belongs to somebody else")


def _refusal(path: str, why: str) -> OSError:
    return OSError(errno.EPERM, why, path)


def _is_below_current_folder(path: str) -> bool:
    try:
        here = os.getcwd()
    except OSError:  # it was removed
        return False
    # What is below the current folder may have been unpacked there. If the home is, too, nobody could work at home.
    here, home = os.path.realpath(here), os.path.expanduser("~")
    return _is_within(path, here) and not (os.path.isabs(home) and _is_within(os.path.realpath(home), here))


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def keep(folder: str, name: str, content: bytes) -> None:
    """Write a file in a private folder, completely or not at all.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    if not os.path.isdir(folder):  # removed while nobody used it
        _make_private(os.path.dirname(os.path.dirname(folder)), os.path.basename(folder))
    with atomic_write(os.path.join(folder, name), "wb") as file:
        # With a checksum, since compiled code that a crash left half zero would run.
        file.write(_checksum(name, content) + content)
    mark_used(folder)


def kept(folder: str, name: str) -> bytes | None:
    """The content that `keep` wrote under that name; None if the file is absent, incomplete or somebody else's."""
    no_link = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(os.path.join(folder, name), os.O_RDONLY | no_link), "rb") as file:
            _check_owner(name, os.fstat(file.fileno()))
            stored = file.read()
    except OSError:
        return None
    content = stored[hashlib.sha256().digest_size :]
    if stored != _checksum(name, content) + content:
        return None
    mark_used(folder)
    return content


def _checksum(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def mark_used(folder: str) -> None:
    """Record the use of a private folder; the first use on a day removes other folders that are no longer used."""
    stamp = os.path.join(folder, STAMP)
    with suppress(OSError):
        if _age(stamp) > DAY:
            with open(stamp, "ab"):
                os.utime(stamp)
            _remove_unused_folders(os.path.dirname(folder))


def _age(path: str) -> float:
    """Seconds since a file was written; ∞ if it does not exist."""
    try:
        return time.time() - os.lstat(path).st_mtime
    except FileNotFoundError:
        return float("inf")


def _remove_unused_folders(folders: str) -> None:
    """Remove the folders that have not been used for long; other entries and the targets of links stay."""
    with os.scandir(folders) as entries:
        names = [
            entry.name for entry in entries if FOLDER_NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
        ]
    for name in names:
        with suppress(OSError):
            _remove_if_unused(folders, name)


def _remove_if_unused(folders: str, name: str) -> None:
    folder, aside = os.path.join(folders, name), os.path.join(folders, f"{name[:32]}.{os.urandom(4).hex()}")
    if min(_age(folder), _age(os.path.join(folder, STAMP))) < LARGEST_AGE:
        return
    # Renamed first, so that nobody begins to use what is being emptied.
    os.rename(folder, aside)
    if _age(os.path.join(aside, STAMP)) < LARGEST_AGE:  # another process began to use it in the meantime
        os.rename(aside, folder)
        return
    for file in os.listdir(aside):
        os.unlink(os.path.join(aside, file))
    os.rmdir(aside)
