"""A data set fetched by name: looked up, downloaded, verified, converted, and put on the shelf."""

from __future__ import annotations

import datetime
import io
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from wekaconf.base.errors import FetchError, OptionError
from wekaconf.base.files import atomic_write, write_text
from wekaconf.data.catalogue import set_folder as shelf
from wekaconf.data.catalogue.conversion import convert
from wekaconf.data.catalogue.entries import Entry
from wekaconf.data.catalogue.set_folder import Record, claimed, digest_of
from wekaconf.data.catalogue.transfer import OnBytes, Patience, download

LARGEST = 50_000_000
"""Bytes: a larger file is refused. The largest set of the catalogue has 1.7 MB."""
LARGEST_DESCRIPTION = 1_000_000
PAGE = re.compile(rb"\s*(<!doctype html|<html|<\?xml)", re.IGNORECASE)
"""How a page begins that a server sends in place of a file, whatever it calls it."""


class Fetched(NamedTuple):
    """A set that is at hand.

    Parameters
    ----------
    path : str
    is_new : bool
        Whether it was downloaded now.
    notes : tuple of str
        What a user should know about it.
    """

    path: str
    is_new: bool
    notes: tuple[str, ...]


class _Described(NamedTuple):
    """Where a file is, and what its server says of it."""

    address: str
    checksums: tuple[str, ...]
    licence: str


def fetch(
    entry: Entry,
    folder: str,
    *,
    patience: Patience | None = None,
    on_bytes: OnBytes = lambda _done, _total: None,
    on_wait: Callable[[str], None] = lambda _: None,
) -> Fetched:
    """Have a data set in a folder; if it is there whole, nothing is asked of any server.

    Parameters
    ----------
    entry : Entry
    folder : str
        The shelf. An interrupted download is kept there and continued by the next call.
    patience, on_bytes, on_wait
        See `download`.

    Raises
    ------
    FetchError
        See `download` and `convert`; or the file is not the one that the catalogue, its server or an earlier download
        tells of.
    OSError
        The folder cannot be written.
    """
    if there := shelf.whole(folder, entry.name):
        return Fetched(there, False, ())
    waiting = "another process is fetching it; waiting until it is done"
    with claimed(os.path.join(folder, f"{entry.name}.part"), lambda: on_wait(waiting)) as part:
        if there := shelf.whole(folder, entry.name):
            _discard(part)
            return Fetched(there, False, ())
        return _fetch(entry, folder, part, patience, on_bytes, on_wait)


def deliver(path: str, folder: str) -> str:
    """Copy a fetched set into a folder, made if need be; OptionError if another file of that name is there."""
    target = os.path.join(folder, os.path.basename(path))
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise OptionError(f"{folder}: is a file; name a folder")
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(target):
        if os.path.isfile(target) and digest_of(target) == digest_of(path):
            return target
        raise OptionError(f"{target}: another file of that name is there; move it away, or name another folder")
    with open(path, "rb") as source, atomic_write(target, "wb") as file:
        file.write(source.read())
    return target


def _fetch(
    entry: Entry, folder: str, part: BinaryIO, patience: Patience | None, on_bytes: OnBytes,
    on_wait: Callable[[str], None],
) -> Fetched:  # fmt: skip
    found = _look_up(entry, patience, on_wait)
    path = os.path.join(folder, entry.name)
    begun, kept = _begun(path), shelf.record_of(folder, entry.name)
    is_verified = bool(entry.checksum or found.checksums)
    if begun.get("address") != found.address or not (begun.get("validator") or is_verified):
        part.truncate(0)  # nothing tells whether what is here is of the same version
    was_begun = part.seek(0, 2) > 0

    def write_down(validator: str) -> None:
        write_text(f"{path}.begun", json.dumps({"address": found.address, "validator": validator}))

    def bring() -> str:
        download(
            found.address, part, largest=LARGEST, validator=begun.get("validator", ""),
            is_verified=is_verified, patience=patience, on_bytes=on_bytes, on_wait=on_wait, on_validator=write_down,
        )  # fmt: skip
        return _wrong(entry, part.name, (entry.checksum, *found.checksums), kept)

    problem = bring()
    if problem and was_begun:  # what was here before may be what is wrong
        part.truncate(0)
        problem = bring()
    if problem:
        part.truncate(0)
        raise FetchError(f"{entry.name}: {found.address} {problem}")
    try:
        values = convert(entry, part.name, f"{path}.arff")
    except FetchError:
        part.truncate(0)
        raise
    record = {
        "source": entry.source,
        "address": found.address,
        "licence": found.licence or entry.licence,
        "fetched": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sent": digest_of(part.name),
        "sha256": digest_of(f"{path}.arff"),
        "values": values,
    }
    shelf.put(folder, entry.name, record)
    _discard(part)
    return Fetched(f"{path}.arff", True, tuple(_notes(entry, values, is_remembered=not (is_verified or kept))))


def _look_up(entry: Entry, patience: Patience | None, on_wait: Callable[[str], None]) -> _Described:
    """Where the file is: at OpenML a description tells."""
    if not entry.is_described:
        return _Described(entry.address, (), "")
    answer = io.BytesIO()
    download(entry.address, answer, largest=LARGEST_DESCRIPTION, patience=patience, on_wait=on_wait)
    try:
        described = json.loads(answer.getvalue())["data_set_description"]
        address, md5 = str(described["url"]), str(described.get("md5_checksum") or "").lower()
        licence = str(described.get("licence") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FetchError(f"{entry.name}: {entry.address} sent no description of a data set; try again later") from None
    if entry.address.startswith("https:"):  # some descriptions are older than https
        address = address.replace("http:", "https:", 1) if address.startswith("http:") else address
    return _Described(address, (f"md5:{md5}",) if md5 else (), licence)


def _wrong(entry: Entry, path: str, checksums: tuple[str, ...], kept: Record) -> str:
    """What is wrong with a download; empty if nothing is."""
    with open(path, "rb") as file:
        if PAGE.match(file.read(256)):
            return "sent a web page in place of the file; nothing was kept"
    for checksum in filter(None, checksums):
        kind, _, expected = checksum.partition(":")
        if (digest := digest_of(path, kind)) != expected:
            return f"sent another file than expected: {kind} {expected} is known, got {digest}; nothing was kept"
    if not entry.checksum and kept and kept["sent"] != (digest := digest_of(path)):
        return (
            f"sends another file than on {kept['fetched']}: SHA-256 {kept['sent']} then, {digest} now; if that is "
            f"meant, remove {os.path.splitext(path)[0]}.json and fetch it again"
        )
    return ""


def _notes(entry: Entry, values: str, *, is_remembered: bool) -> list[str]:
    notes = [entry.remark] if entry.remark else []
    if is_remembered:
        notes.append("no checksum of it is known; what came now is remembered, and compared the next time")
    if values != entry.values:
        notes.append("its values, or their order, are not those of the copy that the documentation's figures stand on")
    return notes


def _begun(path: str) -> Record:
    try:
        with open(f"{path}.begun", encoding="utf-8") as file:
            return dict(json.load(file))
    except (OSError, ValueError, TypeError):
        return {}


def _discard(part: BinaryIO) -> None:
    """Remove a part that is no longer needed, while it is still ours."""
    part.truncate(0)
    for path in (part.name, f"{os.path.splitext(part.name)[0]}.begun"):
        with suppress(OSError):
            os.unlink(path)
