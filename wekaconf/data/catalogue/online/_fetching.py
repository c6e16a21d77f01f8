"""Fetching a data set by name: it is looked up, downloaded, verified, converted and kept."""

from __future__ import annotations

import datetime
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from wekaconf.base.errors import FetchError, OptionError
from wekaconf.base.files import atomic_write, digest_of_file
from wekaconf.base.naming import name_list, quoted
from wekaconf.data.catalogue import _set_folder as set_folder
from wekaconf.data.catalogue._conversion import convert
from wekaconf.data.catalogue._index import Entry
from wekaconf.data.catalogue._set_folder import Record, claim_file
from wekaconf.data.catalogue.online._transfer import PATIENCE, OnBytes, Patience, download

LARGEST = 50_000_000
"""Largest size of a file in bytes. The largest set of the catalogue has 1.7 MB."""
LARGEST_DESCRIPTION = 1_000_000
PAGE = re.compile(rb"\s*(<!doctype html|<html|<\?xml)", re.IGNORECASE)
"""The beginning of a web page that a server sends in place of a file."""


class Fetched(NamedTuple):
    """A data set that is on this machine.

    Parameters
    ----------
    path : str
    is_new : bool
        Whether it was downloaded just now.
    notes : tuple of str
        Remarks for the user.
    """

    path: str
    is_new: bool
    notes: tuple[str, ...]


class _Location(NamedTuple):
    """The address of a file, with what its server says of it: checksums, licence, steps of the conversion, remarks."""

    address: str
    checksums: tuple[str, ...]
    licence: str
    steps: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def fetch(
    entry: Entry,
    folder: str,
    *,
    patience: Patience = PATIENCE,
    on_bytes: OnBytes = lambda _done, _total: None,
    on_wait: Callable[[str], None] = lambda _: None,
) -> Fetched:
    """Bring a data set into a folder; if the folder holds it whole, no server is asked.

    Parameters
    ----------
    entry : Entry
    folder : str
        The folder of fetched sets.
    patience, on_bytes, on_wait
        See `download`.

    Raises
    ------
    FetchError
        See `download` and `convert`; or the file differs from the catalogue's or the server's checksum, or from an
        earlier download.
    OSError
        The folder cannot be written.
    """
    if path := set_folder.unchanged_file(folder, entry.name):
        return Fetched(path, False, ())
    waiting = "another process is fetching it; waiting until it is done"
    with claim_file(os.path.join(folder, f"{entry.name}.part"), lambda: on_wait(waiting)) as part:
        try:
            if path := set_folder.unchanged_file(folder, entry.name):
                return Fetched(path, False, ())
            return _fetch(entry, folder, part, patience, on_bytes, on_wait)
        finally:  # while this process still holds it
            part.truncate(0)
            with suppress(OSError):
                os.unlink(part.name)


def deliver(path: str, folder: str) -> str:
    """Copy a fetched set into a folder, which is made if need be; OptionError if another file of that name is there."""
    target = os.path.join(folder, os.path.basename(path))
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise OptionError(f"{folder}: is a file; name a folder", value_of="folder")
    os.makedirs(folder, exist_ok=True)
    if os.path.exists(target):
        if os.path.isfile(target) and digest_of_file(target) == digest_of_file(path):
            return target
        raise OptionError(
            f"{target}: another file of that name is there; move it away, or name another folder", value_of="folder"
        )
    with open(path, "rb") as source, atomic_write(target, "wb") as file:
        file.write(source.read())
    return target


def _fetch(
    entry: Entry, folder: str, part: BinaryIO, patience: Patience, on_bytes: OnBytes,
    on_wait: Callable[[str], None],
) -> Fetched:  # fmt: skip
    location = _look_up(entry, patience, on_wait)
    path = os.path.join(folder, entry.name)
    old = set_folder.read_record(folder, entry.name)
    checksums = [*filter(None, (entry.checksum, *location.checksums))]
    download(location.address, part, largest=LARGEST, patience=patience, on_bytes=on_bytes, on_wait=on_wait)
    if problem := _problem(entry, part.name, checksums, old):
        raise FetchError(f"{entry.name}: {location.address} {problem}")
    values = convert(entry, part.name, f"{path}.arff", location.steps)
    record = {
        "source": entry.source,
        "address": location.address,
        "licence": location.licence or entry.licence,
        "fetched": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sent": digest_of_file(part.name),
        "sha256": digest_of_file(f"{path}.arff"),
        "values": values,
    }
    set_folder.write_record(folder, entry.name, record)
    notes = _notes(entry, values, is_remembered=not (checksums or old))
    return Fetched(f"{path}.arff", True, (*location.notes, *notes))


def _look_up(entry: Entry, patience: Patience, on_wait: Callable[[str], None]) -> _Location:
    """The location of the file, which OpenML gives in a description.

    It is asked each time: addresses of files there have changed, numbers of sets have not.
    """
    if not entry.is_described:
        return _Location(entry.address, (), "")
    answer = io.BytesIO()
    download(entry.address, answer, largest=LARGEST_DESCRIPTION, patience=patience, on_wait=on_wait)
    try:
        description = json.loads(answer.getvalue())["data_set_description"]
        address, md5 = str(description["url"]), str(description.get("md5_checksum") or "").lower()
        licence = str(description.get("licence") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FetchError(f"{entry.name}: {entry.address} sent no description of a data set; try again later") from None
    if entry.address.startswith("https:"):  # some descriptions are older than https
        address = address.replace("http:", "https:", 1) if address.startswith("http:") else address
    steps, notes = ((), ()) if entry.instances else _declared(entry, description)
    return _Location(address, (f"md5:{md5}",) if md5 else (), licence, steps, notes)


def _declared(entry: Entry, description: Mapping[str, object]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The steps that OpenML declares for a set, columns to leave out and the class; and notes on it."""
    form = str(description.get("format", ""))
    if form.lower() not in ("arff", "sparse_arff"):
        raise FetchError(f"{entry.name}: OpenML has it as {form or 'a file of unknown format'}, and only ARFF is read")
    left_out = [*_names(description.get("row_id_attribute")), *_names(description.get("ignore_attribute"))]
    targets = _names(description.get("default_target_attribute"))
    steps = [("drop", name) for name in dict.fromkeys(left_out) if name not in targets]
    steps += [("class", targets[0])] if targets else []
    title = f"{description.get('name', '')}, version {description.get('version', '')}"
    notes = [f"OpenML calls it {title}" + (f"; left out: {name_list(left_out)}" if left_out else "")]
    if description.get("status", "active") != "active":
        notes.append(f"OpenML has set it to '{description['status']}'")
    if len(targets) != 1:
        chosen = (
            f"several targets, of which {quoted(targets[0])} is" if targets else "no target, so the last attribute is"
        )
        notes.append(f"OpenML declares {chosen} the class; choose another if that is not meant")
    return tuple(steps), tuple(notes)


def _names(declared: object) -> list[str]:
    """The names of attributes that a description lists, as a list or as one text with commas."""
    texts = declared if isinstance(declared, list) else str(declared or "").split(",")
    return [name for text in texts if (name := str(text).strip())]


def _problem(entry: Entry, path: str, checksums: Iterable[str], old: Record) -> str:
    """The problem with a download, whose set may have an old record; empty if there is none."""
    with open(path, "rb") as file:
        if PAGE.match(file.read(256)):
            return "sent a web page in place of the file; nothing was kept"
    # The catalogue lists a checksum only where a published one is that of our own copy. Otherwise the MD5 of OpenML's
    # description is believed, and a file of UCI's compared with the first that came.
    for checksum in checksums:
        kind, _, expected = checksum.partition(":")
        if (digest := digest_of_file(path, kind)) != expected:
            return f"sent another file than expected: {kind} {expected} is known, got {digest}; nothing was kept"
    if not entry.checksum and old and old["sent"] != (digest := digest_of_file(path)):
        return (
            f"sends another file than on {old['fetched']}: SHA-256 {old['sent']} then, {digest} now; if that is "
            f"meant, remove {os.path.splitext(path)[0]}.json and fetch it again"
        )
    return ""


def _notes(entry: Entry, values: str, *, is_remembered: bool) -> list[str]:
    notes = [entry.remark] if entry.remark else []
    if is_remembered:
        notes.append("no checksum of it is known; what came now is remembered, and compared the next time")
    if entry.values and values != entry.values:
        notes.append("its values, or their order, are not those of the copy that the documentation's figures stand on")
    return notes
