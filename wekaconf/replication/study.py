"""What every replication of a paper is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from wekaconf.replication.cells import Cell
from wekaconf.replication.runner import Record, Underway


@dataclass(frozen=True)
class Asked:
    """What a replication is asked for.

    Parameters
    ----------
    data : str
        The folder of the data sets, as ARFF files.
    parts : tuple of str
        Tables, figures and sections, as `Study.parts` names them; empty: all.
    sets : tuple of str
        Data sets; empty: those of the paper.
    reading : str or None
        One of `Study.readings`; None: all of them where a table shows several, else the first.
    runs : int or None
        Number of cross-validations; None: as many as the paper has.
    seed : int or None
        The first seed; None: as documented by the study.
    quick : bool
        Only a part of the data sets, or fewer runs, so that it takes half a minute; the figures then say so.
    jobs : int
    resume : path or None
        See `wekaconf.replication.runner.run_sets`.
    on_progress : callable
    """

    data: str
    parts: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    reading: str | None = None
    runs: int | None = None
    seed: int | None = None
    quick: bool = False
    jobs: int = 1
    resume: str | None = None
    on_progress: Callable[[Underway], None] = field(default=lambda _: None, compare=False)

    def wants(self, part: str) -> bool:
        """Whether a part is asked for."""
        return not self.parts or part in self.parts


@dataclass(frozen=True)
class Finding:
    """A sentence about the results, with the figures that it was written from.

    Parameters
    ----------
    part : str
        The table, figure or section that it is about.
    text : str
        One or two sentences; each number in it, and the word "significant", comes from the records.
    """

    part: str
    text: str


@dataclass(frozen=True)
class Results:
    """What a replication gives.

    Parameters
    ----------
    records : sequence of dict
        One per thing measured, flat enough for a CSV file, with dataset, the seed and versions.
    cells : sequence of Cell
        Of the parts asked for, in the paper's order.
    findings : sequence of Finding
    figures : mapping of str to callable
        By part: draws it into the file of the given name (.png, .pdf or .svg).
    missing : sequence of str
        Data sets without a file.
    failed : mapping of str to str
        Data sets that could not be measured, and why.
    """

    records: Sequence[Record]
    cells: Sequence[Cell]
    findings: Sequence[Finding] = ()
    figures: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    missing: Sequence[str] = ()
    failed: Mapping[str, str] = field(default_factory=dict)


class Study(Protocol):
    """The replication of one paper: the object STUDY of its ``study.py``."""

    paper: str
    """The name of its folder, such as katz2012."""
    title: str
    """Authors and year, and what is recomputed, in one line."""
    parts: tuple[str, ...]
    """What can be asked for: "table 1", "figure 6", "section 3.2", in the paper's order."""
    readings: tuple[str, ...]
    """Empty where the paper leaves nothing open that its figures depend on."""
    data_sets: tuple[str, ...]
    """Files that it needs, without ending."""

    def run(self, asked: Asked) -> Results:
        """Measure what is asked for."""
        ...
