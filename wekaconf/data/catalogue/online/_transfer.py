"""Downloads: what fails for a while is tried again with patience, and too large a file is refused.

pooch does not honour Retry-After; what would be left of it is a hash and a rename. A cut download begins anew: the
largest listed set has 1.7 MB, and a second try costs less than code that continues the first.
"""

from __future__ import annotations

import http.client
import random
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from typing import IO, BinaryIO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from wekaconf.base.errors import FetchError, printable

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
