"""The finished parts of an evaluation, kept in a folder, so that an interrupted evaluation can be resumed."""

from __future__ import annotations

import json
import os
import re
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import escape, glob
from typing import IO, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from wekaconf.data.dataset import FloatArray
from wekaconf.errors import Note
from wekaconf.evaluation.thresholds import Choice
from wekaconf.files import atomic_write, made_folder

DISTRIBUTIONS = ("proba", "ranking", "baseline")
ARRAYS = (*DISTRIBUTIONS, "certainty", "threshold")
What = Literal["split", "left out", "others"]
RECORD = "record.json"
SECONDS = 2.0
"""Least time between two files."""
SHARE = 0.01
"""Least time between two files as a share of the time since the start, so that long runs leave few files."""


class Key(NamedTuple):
    """What a piece belongs to: its run, its method, and its part of the run.

    The part is a split, ``place`` being its number in the run; or instances left out one by one, ``place`` being the
    number of the first; or the other instances of such a run.
    """

    run: int
    method: int
    what: What
    place: int


@dataclass(frozen=True, eq=False)
class Piece:
    """What one method answered on one split, or for some of the instances that are left out one by one.

    Parameters
    ----------
    proba, ranking, baseline : (n, n_classes) float64
    certainty, threshold : (n,) float64
    choice : Choice or None
        How the threshold was chosen; None if it was not.
    events : mapping of str to int
    notes : tuple of str
    """

    proba: FloatArray
    ranking: FloatArray
    baseline: FloatArray
    certainty: FloatArray
    threshold: FloatArray
    choice: Choice | None = None
    events: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Number of answers."""
        return len(self.proba)


class Finished:
    """The finished pieces of one evaluation in a folder. Use it in a ``with`` block, whose end writes the last pieces.

    Parameters
    ----------
    folder : path
        Made if need be.
    name : str
        Start of the files' names, for people.
    fingerprint : str
        A digest of the evaluation in hexadecimal digits, part of the files' names, so that no other evaluation reads
        them.

    Raises
    ------
    OptionError
        ``folder`` is no folder.

    Notes
    -----
    The files are numpy's, with a JSON record inside, and no pickle. A file is written when a piece is finished and the
    last file is older than two seconds, or than a hundredth of the time since the start of the block if that is more.
    No more than that is lost if the process dies before it reaches the end of the block.
    """

    def __init__(self, folder: str | os.PathLike[str], name: str, fingerprint: str) -> None:
        path = made_folder(folder)
        readable = re.sub(r"\W+", "-", name)[:40].strip("-")
        self._begin = os.path.join(path, f"{readable}-{fingerprint[:20]}-")
        self._pieces: dict[Key, Piece] = {}
        self._waiting: dict[Key, Piece] = {}
        self._began = self._written = time.monotonic()

    def __enter__(self) -> Self:
        """Read the files that are there; a `Note` names damaged ones."""
        for path in sorted(glob(f"{escape(self._begin)}*.npz")):
            try:
                file = open(path, "rb")
            except OSError as error:
                raise OSError(error.errno, error.strerror, path) from None
            try:
                with file:
                    self._pieces.update(_read(file))
            except Exception:  # zipfile, zlib, numpy and json raise many kinds on damaged bytes
                warnings.warn(Note(f"{path}: damaged, so what it held is computed again; delete it"), stacklevel=3)
        self._began = self._written = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        """Write the pieces that are not written yet, however the block ended."""
        self._write()

    @property
    def n_answers(self) -> int:
        """Number of answers that are finished, summed over the methods."""
        return sum(map(len, self._pieces.values()))

    def get(self, key: Key, n_answers: int) -> Piece | None:
        """The piece; None if it is not finished, or has another number of answers."""
        piece = self._pieces.get(key)
        return piece if piece is not None and len(piece) == n_answers else None

    def put(self, pieces: Mapping[Key, Piece]) -> None:
        """Keep pieces that belong in one file."""
        self._waiting.update(pieces)
        now = time.monotonic()
        if now - self._written >= max(SECONDS, SHARE * (now - self._began)):
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            return
        with atomic_write(f"{self._begin}{os.urandom(4).hex()}.npz", "wb") as file:
            np.savez_compressed(file, **_packed(self._waiting))
        self._pieces |= self._waiting
        self._waiting = {}
        self._written = time.monotonic()


def _packed(pieces: Mapping[Key, Piece]) -> dict[str, Any]:
    """One array of each kind for all pieces together, since many small arrays are slow to read."""
    record = [
        {
            "key": list(key),
            "n": len(piece),
            "choice": None if piece.choice is None else piece.choice.as_record(),
            "events": dict(piece.events),
            "notes": list(piece.notes),
        }
        for key, piece in pieces.items()
    ]
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(piece, name) for piece in pieces.values()]) for name in ARRAYS
    }
    return arrays | {RECORD: np.frombuffer(json.dumps(record).encode(), dtype=np.uint8)}


def _read(file: IO[bytes]) -> dict[Key, Piece]:
    with NpzFile(file, allow_pickle=False) as parts:
        arrays: dict[str, NDArray[Any]] = {name: parts[name] for name in ARRAYS}
        record = json.loads(parts[RECORD].tobytes())
    return dict(_unpacked(record, arrays))


def _unpacked(record: Sequence[Mapping[str, Any]], arrays: Mapping[str, NDArray[Any]]) -> Iterator[tuple[Key, Piece]]:
    """The pieces; raises a ValueError, KeyError or TypeError if the parts contradict one another."""
    ends = np.cumsum([piece["n"] for piece in record])
    if any(len(array) != ends[-1] for array in arrays.values()):
        raise ValueError("the arrays differ in length")
    for piece, end in zip(record, ends.tolist(), strict=True):
        of_piece = {name: array[end - piece["n"] : end] for name, array in arrays.items()}
        choice = None if piece["choice"] is None else Choice.of_record(piece["choice"])
        notes = tuple(piece["notes"])
        yield Key(*piece["key"]), Piece(**of_piece, choice=choice, events=piece["events"], notes=notes)
