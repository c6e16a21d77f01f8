"""Data sets fetched over the network, verified and converted; apart, since few commands need it.

pooch does not honour Retry-After; what would be left of it is a hash and a rename. A cut download begins anew: the
largest listed set has 1.7 MB, and a second try costs less than code that continues the first.
"""

from __future__ import annotations

import datetime
import http.client
import io
import json
import os
import random
import re
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from typing import IO, BinaryIO, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from wekaconf.base.errors import FetchError, printable
from wekaconf.base.files import digest_of_file
from wekaconf.base.naming import name_list, quoted
from wekaconf.data.catalogue._conversion import convert_file
from wekaconf.data.catalogue._finding import Entry, Record, claim_file, read_record, unchanged_file, write_record

LARGEST = 50_000_000
"""Largest size of a file in bytes. The largest set of the catalogue has 1.7 MB."""
LARGEST_DESCRIPTION = 1_000_000
PAGE = re.compile(rb"\s*(<!doctype html|<html|<\?xml)", re.IGNORECASE)
"""The beginning of a web page that a server sends in place of a file."""
CHUNK = 1 << 16
TEMPORARY = (408, 425, 429, 500, 502, 503, 504)
"""HTTP status codes of refusals that may be over in a while."""
OnBytes = Callable[[int, int | None], None]
"""Called with the number of bytes received, and their total if the server gives it."""
OnWait = Callable[[str], None]
"""Called with a text: the problem, and the wait until the next try."""


@dataclass(frozen=True)
class Patience:
    """The limits on waiting for a server.

    Parameters
    ----------
    timeout : float
        Seconds without a byte after which a connection counts as cut.
    attempts : int
        Number of tries after which the download fails.
    first_wait, longest_wait : float
        Seconds. The wait doubles with every try, and is drawn at random from its upper half. A server that asks for a
        longer wait than the longest is not waited for.
    """

    timeout: float = 30.0
    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait(self, failures: int) -> float:
        """Seconds to wait after this number of failures, which is at least 1."""
        return min(self.longest_wait, self.first_wait * 2 ** (failures - 1)) * random.uniform(0.5, 1.0)


PATIENCE = Patience()
"""That of every download, unless another is given."""


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


def fetch(
    entry: Entry,
    folder: str,
    *,
    patience: Patience = PATIENCE,
    on_bytes: OnBytes = lambda _done, _total: None,
    on_wait: OnWait = lambda _: None,
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
    if path := unchanged_file(folder, entry.name):
        return Fetched(path, False, ())
    waiting = "another process is fetching it; waiting until it is done"
    with claim_file(os.path.join(folder, f"{entry.name}.part"), lambda: on_wait(waiting)) as part:
        try:
            if path := unchanged_file(folder, entry.name):
                return Fetched(path, False, ())
            return _fetch(entry, folder, part, patience, on_bytes, on_wait)
        finally:  # while this process still holds it
            part.truncate(0)
            with suppress(OSError):
                os.unlink(part.name)


def _fetch(
    entry: Entry, folder: str, part: BinaryIO, patience: Patience, on_bytes: OnBytes,
    on_wait: OnWait,
) -> Fetched:  # fmt: skip
    location = _look_up(entry, patience, on_wait)
    path = os.path.join(folder, entry.name)
    old = read_record(folder, entry.name)
    checksums = [*filter(None, (entry.checksum, *location.checksums))]
    download(location.address, part, largest=LARGEST, patience=patience, on_bytes=on_bytes, on_wait=on_wait)
    if problem := _problem(entry, part.name, checksums, old):
        raise FetchError(f"{entry.name}: {location.address} {problem}")
    values = convert_file(entry, part.name, f"{path}.arff", location.steps)
    record = {
        "source": entry.source,
        "address": location.address,
        "licence": location.licence or entry.licence,
        "fetched": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sent": digest_of_file(part.name),
        "sha256": digest_of_file(f"{path}.arff"),
        "values": values,
    }
    write_record(folder, entry.name, record)
    notes = _notes(entry, values, is_remembered=not (checksums or old))
    return Fetched(f"{path}.arff", True, (*location.notes, *notes))


def _look_up(entry: Entry, patience: Patience, on_wait: OnWait) -> _Location:
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


class _CutError(Exception):
    """A failure that may be over at the next try; ``after``: the seconds that the server asks us to wait."""

    def __init__(self, why: str, *, after: float | None = None, is_unreachable: bool = False) -> None:
        super().__init__(why)
        self.after, self.is_unreachable = after, is_unreachable


def download(
    address: str,
    file: BinaryIO,
    *,
    largest: int,
    patience: Patience = PATIENCE,
    on_bytes: OnBytes = lambda _done, _total: None,
    on_wait: OnWait = lambda _: None,
) -> None:
    """Download a file over one connection at a time; each try begins at its start.

    Parameters
    ----------
    address : str
        http or https; certificates are verified.
    file : binary file
        Open for writing; what it holds is replaced.
    largest : int
        Number of bytes above which a file is refused.
    patience : Patience
    on_bytes, on_wait

    Raises
    ------
    UnreachableError
        There is no connection.
    FetchError
        The server refuses, sends too much, or leads away from the web.
    OSError
        ``file`` cannot be written.
    """
    failures = 0
    while True:
        file.seek(0)
        file.truncate()
        try:
            _receive(address, file, largest, patience.timeout, on_bytes)
            return
        except _CutError as cut:
            failures += 1
            why, after, kind = str(cut), cut.after, UnreachableError if cut.is_unreachable else FetchError
        if failures >= patience.attempts:
            raise kind(f"{address}: {why}; the last of {failures} tries; try again later")
        if after is not None and after > patience.longest_wait:
            raise FetchError(f"{address}: {why}; the server asks to come back in {after:.0f} s; try again then")
        wait = max(patience.wait(failures), after or 0.0)
        on_wait(f"{why}; next try in {wait:.0f} s")
        time.sleep(wait)


def _receive(address: str, file: BinaryIO, largest: int, timeout: float, on_bytes: OnBytes) -> None:
    """Receive a file over one connection; `_CutError` unless it is whole then."""
    n_bytes = 0
    with _answer(address, timeout) as answer:
        total = _length(answer.headers)
        if answer.headers.get("Content-Encoding", "identity") != "identity":
            raise FetchError(f"{address}: the server sent the file packed, which was not asked for")
        if total is not None and total > largest:
            raise FetchError(_too_large(address, f"{total:,}", largest))
        while chunk := _next_chunk(answer, n_bytes):
            n_bytes += len(chunk)
            if n_bytes > largest:
                raise FetchError(_too_large(address, "more", largest))
            unwritten = memoryview(chunk)
            while unwritten:  # an unbuffered file may write only a part
                unwritten = unwritten[file.write(unwritten) :]
            on_bytes(n_bytes, total)
    if total is not None and n_bytes < total:
        raise _CutError(f"the connection was cut after {n_bytes:,} of {total:,} bytes")


def _next_chunk(answer: http.client.HTTPResponse, n_bytes: int) -> bytes:
    """The bytes after the first ``n_bytes``; empty at the end."""
    try:
        return answer.read1(CHUNK)
    except TimeoutError:
        raise _CutError(f"nothing came for a while after {n_bytes:,} bytes") from None
    except (http.client.HTTPException, OSError) as error:
        raise _CutError(f"the connection was cut after {n_bytes:,} bytes ({_words(error)})") from None


def _answer(address: str, timeout: float) -> http.client.HTTPResponse:
    """The server's answer, which has the file.

    Raises
    ------
    _CutError
        There is no answer, or a refusal that may be over at the next try.
    FetchError
        The server refuses for good.
    """
    _check_scheme(address, address)
    try:
        answer: http.client.HTTPResponse = _opener().open(Request(address), timeout=timeout)
    except HTTPError as error:
        with error:
            text = f"the server answered {error.code} {printable(str(error.reason)).strip()[:80]}".strip()
            if error.code in TEMPORARY:
                raise _CutError(text, after=_retry_after(error.headers)) from None
        raise FetchError(f"{address}: {text}") from None
    except TimeoutError:
        raise _CutError("the server did not answer in time") from None
    except (URLError, http.client.HTTPException, OSError) as error:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise FetchError(
                f"{address}: the server's certificate is not trusted ({reason.verify_message}), so nothing was fetched"
            ) from None
        raise _CutError(f"no connection ({_words(reason)})", is_unreachable=True) from None
    if answer.status != 200:
        with answer:
            raise FetchError(f"{address}: the server answered {answer.status}, which is not the whole file")
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


def _retry_after(headers: Message) -> float | None:
    """The seconds that a server asks us to wait; None if it does not ask."""
    text = headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _words(error: object) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return printable(text)[:120]


def _too_large(address: str, size: str, largest: int) -> str:
    taken = f"at most {largest:,} are taken, so nothing was kept"
    return f"{address}: the file has {size} bytes, and {taken}; fetch it by hand and name the file"
