"""Data sets fetched over the network, verified and converted; apart, since few commands need it.

A file stays in memory until it is verified: the largest listed set has 1.7 MB. If the connection fails, the user runs
the command again, which fetches what is missing.
"""

from __future__ import annotations

import datetime
import hashlib
import http.client
import json
import os
import re
import ssl
from collections.abc import Callable, Iterable, Mapping
from email.message import Message
from functools import cache
from importlib.metadata import version
from typing import IO, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from wekaconf.base.errors import FetchError, printable
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import name_list, quoted
from wekaconf.data.catalogue._conversion import convert_file
from wekaconf.data.catalogue._finding import Entry, Record, read_record, unchanged_file, write_record

LARGEST = 50_000_000
"""Largest size of a file in bytes. The largest set of the catalogue has 1.7 MB."""
LARGEST_DESCRIPTION = 1_000_000
PAGE = re.compile(rb"\s*(<!doctype html|<html|<\?xml)", re.IGNORECASE)
"""The beginning of a web page that a server sends in place of a file."""
CHUNK = 1 << 16
TIMEOUT = 30.0
"""Seconds without a byte after which a connection counts as cut."""
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)
"""HTTP status codes of refusals that may be over in a while."""
AGAIN, BY_HAND = "run fetch again later", "fetch it by hand and name the file"
OnBytes = Callable[[int, int | None], None]
"""Called with the number of bytes received, and their total if the server gives it."""


class UnreachableError(FetchError):
    """There is no connection to a server, so other sets can hardly be fetched now either."""


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


def fetch(entry: Entry, folder: str, on_bytes: OnBytes = lambda _done, _total: None) -> Fetched:
    """Bring a data set into a folder; if the folder holds it whole, no server is asked.

    Parameters
    ----------
    entry : Entry
    folder : str
        The folder of fetched sets.
    on_bytes
        See `download`.

    Raises
    ------
    FetchError
        See `download` and `convert_file`; or the file differs from the catalogue's or the server's checksum, or from an
        earlier download.
    OSError
        The folder cannot be written.
    """
    if path := unchanged_file(folder, entry.name):
        return Fetched(path, False, ())
    location = _look_up(entry)
    old = read_record(folder, entry.name)
    checksums = [*filter(None, (entry.checksum, *location.checksums))]
    content = download(location.address, LARGEST, on_bytes)
    if problem := _problem(entry, content, checksums, old, folder):
        raise FetchError(f"{entry.name}: {location.address} {problem}")
    target = os.path.join(folder, f"{entry.name}.arff")
    values = convert_file(entry, content, target, location.steps)
    record = {
        "source": entry.source,
        "address": location.address,
        "licence": location.licence or entry.licence,
        "fetched": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sent": _digest(content),
        "sha256": digest_of_file(target),
        "values": values,
    }
    write_record(folder, entry.name, record)
    notes = _notes(entry, values, is_remembered=not (checksums or old))
    return Fetched(target, True, (*location.notes, *notes))


def _look_up(entry: Entry) -> _Location:
    """The location of the file, which OpenML gives in a description.

    It is asked each time: addresses of files there have changed, numbers of sets have not.
    """
    if not entry.is_described:
        return _Location(entry.address, (), "")
    answer = download(entry.address, LARGEST_DESCRIPTION)
    try:
        description = json.loads(answer)["data_set_description"]
        address, md5 = str(description["url"]), str(description.get("md5_checksum") or "").lower()
        licence = str(description.get("licence") or "")
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FetchError(f"{entry.name}: {entry.address} sent no description of a data set; {AGAIN}") from None
    if entry.address.startswith("https:"):  # some descriptions are older than https
        address = re.sub("^http:", "https:", address)
    steps, notes = ((), ()) if entry.instances else _declared(entry, description)
    return _Location(address, (f"md5:{md5}",) if md5 else (), licence, steps, notes)


def _declared(entry: Entry, description: Mapping[str, object]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The steps that OpenML declares for a set, columns to leave out and the class; and notes on it."""
    form = str(description.get("format", ""))
    if form.lower() not in ("arff", "sparse_arff"):
        raise FetchError(f"{entry.name}: OpenML has it as {form or 'a file of unknown format'}, and only ARFF is read")
    ignored = (*_names(description.get("row_id_attribute")), *_names(description.get("ignore_attribute")))
    targets = _names(description.get("default_target_attribute"))
    left_out = [name for name in dict.fromkeys(ignored) if name not in targets]
    steps = [("drop", name) for name in left_out]
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


def _problem(entry: Entry, content: bytes, checksums: Iterable[str], old: Record, folder: str) -> str:
    """The problem with a download, whose set may have an old record in the folder; empty if there is none."""
    if PAGE.match(content):
        return "sent a web page in place of the file; nothing was kept"
    # The catalogue lists a checksum only where a published one is that of our own copy. Otherwise the MD5 of OpenML's
    # description is believed, and a file of UCI's compared with the first that came.
    for checksum in checksums:
        kind, _, expected = checksum.partition(":")
        if (digest := _digest(content, kind)) != expected:
            return f"sent another file than expected: {kind} {expected} is known, got {digest}; nothing was kept"
    if not entry.checksum and old and old["sent"] != (digest := _digest(content)):
        return (
            f"sends another file than on {old['fetched']}: SHA-256 {old['sent']} then, {digest} now; if that is "
            f"meant, remove {os.path.join(folder, entry.name)}.json and fetch it again"
        )
    return ""


def _digest(content: bytes, kind: str = "sha256") -> str:
    return hashlib.new(kind, content, usedforsecurity=False).hexdigest()


def _notes(entry: Entry, values: str, *, is_remembered: bool) -> list[str]:
    notes = [entry.remark] if entry.remark else []
    if is_remembered:
        notes.append("no checksum of it is known; what came now is remembered, and compared the next time")
    if entry.values and values != entry.values:
        notes.append("its values, or their order, are not those of the copy that the documentation's figures stand on")
    return notes


def download(address: str, largest: int, on_bytes: OnBytes = lambda _done, _total: None) -> bytes:
    """The content of a file on the web, asked for once.

    Parameters
    ----------
    address : str
        http or https; certificates are verified.
    largest : int
        Number of bytes above which a file is refused.
    on_bytes

    Raises
    ------
    UnreachableError
        There is no connection.
    FetchError
        The server refuses, cuts the connection, sends too much, or leads away from the web.
    """
    content = bytearray()
    with _answer(address) as answer:
        total = _length(answer.headers)
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise FetchError(f"{address}: the server sent the file packed, which was not asked for; {BY_HAND}")
        if total is not None and total > largest:
            raise FetchError(_too_large(address, f"{total:,}", largest))
        while chunk := _next_chunk(address, answer, len(content)):
            content += chunk
            if len(content) > largest:
                raise FetchError(_too_large(address, "more", largest))
            on_bytes(len(content), total)
    if total is not None and len(content) < total:
        raise FetchError(f"{address}: the connection was cut after {len(content):,} of {total:,} bytes; {AGAIN}")
    return bytes(content)


def _next_chunk(address: str, answer: http.client.HTTPResponse, n_bytes: int) -> bytes:
    """The bytes after the first ``n_bytes``; empty at the end."""
    try:
        return answer.read1(CHUNK)
    except TimeoutError:
        raise FetchError(f"{address}: nothing came for a while after {n_bytes:,} bytes; {AGAIN}") from None
    except (http.client.HTTPException, OSError) as error:
        cut = f"the connection was cut after {n_bytes:,} bytes ({_words(error)})"
        raise FetchError(f"{address}: {cut}; {AGAIN}") from None


def _answer(address: str) -> http.client.HTTPResponse:
    """The server's answer, which has the file; FetchError if it has none."""
    _check_scheme(address, address)
    try:
        answer: http.client.HTTPResponse = _opener().open(Request(address), timeout=TIMEOUT)
    except HTTPError as error:
        with error:
            text = f"the server answered {error.code} {printable(str(error.reason)).strip()[:80]}".strip()
        advice = AGAIN if error.code in TEMPORARY else BY_HAND
        raise FetchError(f"{address}: {text}; {advice}") from None
    except TimeoutError:
        raise FetchError(f"{address}: the server did not answer in time; {AGAIN}") from None
    except (URLError, http.client.HTTPException, OSError) as error:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise FetchError(
                f"{address}: the server's certificate is not trusted ({reason.verify_message}), so nothing was fetched"
            ) from None
        problem = f"no connection ({_words(reason)}); check the network and run fetch again"
        raise UnreachableError(f"{address}: {problem}") from None
    if answer.status != 200:
        with answer:
            raise FetchError(f"{address}: the server answered {answer.status}, which is not the whole file; {BY_HAND}")
    return answer


class _WebRedirects(HTTPRedirectHandler):
    """Handler of redirections that follows them on the web, but not from https to http."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        """The request for the other address."""
        _check_scheme(req.full_url, newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@cache
def _opener() -> OpenerDirector:
    opener = build_opener(_WebRedirects, HTTPSHandler(context=ssl.create_default_context()))
    agent = f"wekaconf/{version('wekaconf')} (data sets for research; one connection at a time)"
    opener.addheaders = [("User-Agent", agent), ("Accept-Encoding", "identity")]
    return opener


def _check_scheme(begin: str, address: str) -> None:
    allowed = ("https",) if urlsplit(begin).scheme == "https" else ("http", "https")
    if urlsplit(address).scheme not in allowed:
        raise FetchError(f"{begin}: leads to {printable(address)[:200]}, which is not {' or '.join(allowed)}: refused")


def _length(headers: Message) -> int | None:
    text = headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else None


def _words(error: object) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return printable(text)[:120]


def _too_large(address: str, size: str, largest: int) -> str:
    taken = f"at most {largest:,} are taken, so nothing was kept"
    return f"{address}: the file has {size} bytes, and {taken}; {BY_HAND}"
