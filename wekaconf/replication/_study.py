"""The request for a replication of a paper, its results, and the one form of all studies.

A figure over all data sets of a paper gets no verdict where only some were measured: it is another figure, and stands
beside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wekaconf.replication._cells import Cell, Figure, Place, Repeated, published_cells
from wekaconf.replication._data_files import find_sets
from wekaconf.replication._runner import Measure, Record, run_sets


@dataclass(frozen=True)
class Request:
    """A request for a replication.

    Parameters
    ----------
    data : tuple of str
        Folders of data sets, as ARFF files; see `wekaconf.replication._data_files.find_sets`.
    parts : tuple of str
        Tables, figures and sections, as `PaperStudy.parts` names them; empty: all.
    sets : tuple of str
        Data sets; empty: those of the paper.
    reading : str or None
        One of `PaperStudy.readings`; None: the first.
    runs : int or None
        Number of cross-validations, or of random draws; None: the study's default.
    seed : int
        The first seed; the documented figures were made with 1.
    quick : bool
        Only a part of the data sets, or fewer runs, so that it takes half a minute; the figures then say so.
    jobs : int
    resume : path or None
        See `wekaconf.replication._runner.run_sets`.
    on_progress : callable
    """

    data: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    reading: str | None = None
    runs: int | None = None
    seed: int = 1
    quick: bool = False
    jobs: int = 1
    resume: str | None = None
    on_progress: Callable[[str, float], None] = field(default=lambda _text, _share: None, compare=False)

    def n_runs(self, usual: int, quick: int = 1) -> int:
        """The number of runs that is asked for; else the usual one, or that of a trial."""
        return self.runs or (quick if self.quick else usual)

    def wants(self, part: str) -> bool:
        """Whether a part is asked for."""
        return not self.parts or part in self.parts


@dataclass(frozen=True)
class Finding:
    """A sentence about the results, with the figures that it was written from.

    Parameters
    ----------
    part : str
        The table, figure or section that it is about; empty: the protocol of all parts.
    text : str
        One or two sentences; each number in it, and the word "significant", comes from the records.
    """

    part: str
    text: str


@dataclass(frozen=True)
class Beside:
    """A table of our figures that the paper does not print: other readings, controls, and the like.

    Parameters
    ----------
    part : str
        The table, figure or section that the table stands beside.
    title : str
        The title in a few words, such as "Table 3, honest reading, mean AUC".
    columns : sequence of str
    rows : mapping of str to sequence of (float, tuple of int, str or None)
        One figure per column, by the name of the line.
    digits : int
        Decimals of the numbers.
    """

    part: str
    title: str
    columns: Sequence[str]
    rows: Mapping[str, Sequence[Figure | None]]
    digits: int = 2


@dataclass(frozen=True)
class Results:
    """The results of a replication.

    Parameters
    ----------
    records : sequence of dict
        One record per measurement, flat enough for a CSV file, with dataset, seed and versions.
    cells : sequence of Cell
        The cells of the parts asked for, in the paper's order. A figure over all data sets of the paper has no cell if
        some of them were not measured, since it is another figure then; put it into ``beside``. A trial (``quick``)
        says in its first line that its figures are of a part of the data sets, and may have such cells.
    beside : sequence of Beside
    findings : sequence of Finding
    figures : mapping of str to callable
        Functions by part, perhaps with a word behind it ("figure 4 seeds"): each draws its figure into the named file
        (.png, .pdf or .svg), by `wekaconf.base.plot_style.save`.
    missing : sequence of str
        Data sets without a file.
    failed : mapping of str to str
        Reasons by the data sets that could not be measured.
    """

    records: Sequence[Record]
    cells: Sequence[Cell]
    beside: Sequence[Beside] = ()
    findings: Sequence[Finding] = ()
    figures: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    missing: Sequence[str] = ()
    failed: Mapping[str, str] = field(default_factory=dict)


def compare_wanted(paper: str, request: Request, ours: Mapping[Place, Figure | Repeated | None]) -> list[Cell]:
    """The published figures of the parts that are asked for, each with ours; ours of other parts are left out."""
    return [Cell(figure, ours.get(figure.place)) for figure in published_cells(paper) if request.wants(figure.part)]


@dataclass(frozen=True)
class PaperMeasurement:
    """One kind of measurement that a study makes on some data sets.

    Parameters
    ----------
    name : str
        The name of the records, also in a store.
    measure : callable or None
        See `run_sets`; called once with ``parameters`` alone where there are no ``sets``. None: the study needs the
        files, and no records.
    sets : sequence of str
        The data sets, which have files; empty: synthetic data, which ``measure`` makes itself.
    parameters : mapping
    versions : mapping of str to str, optional
        See `run_sets`.
    """

    name: str
    measure: Measure | None
    sets: Sequence[str]
    parameters: Mapping[str, Any]
    versions: Mapping[str, str] | None = None


class PaperStudy(ABC):
    """The replication of one paper: the object STUDY of its ``study.py``."""

    paper: str
    """The name of its folder, such as katz2012."""
    title: str
    """Authors and year, and what is recomputed, in one line."""
    parts: tuple[str, ...]
    """The parts that can be asked for: "table 1", "figure 6", "section 3.2", in the paper's order."""
    readings: tuple[str, ...] = ()
    """The readings for the column "ours", the default first; empty where there is no choice."""

    @property
    @abstractmethod
    def data_sets(self) -> tuple[str, ...]:
        """The names of the files that it needs, without ending."""

    @abstractmethod
    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """The measurements for the parts asked for."""

    @abstractmethod
    def results(self, request: Request, records: Mapping[str, list[Record]], paths: Mapping[str, str], /) -> Results:
        """The results that follow from the records of each measurement; ``paths`` are the files of the data sets."""

    def run(self, request: Request) -> Results:
        """Measure the parts asked for; a data set that fails in one measurement is left out of the next ones."""
        measurements = self.measurements(request)
        names = list(dict.fromkeys(name for each in measurements for name in each.sets))
        paths, missing = find_sets(request.data, names) if names else ({}, [])
        records: dict[str, list[Record]] = {}
        failed: dict[str, str] = {}
        for i, each in enumerate(measurements):
            if each.measure is None:
                continue
            if not each.sets:
                records[each.name] = each.measure(**each.parameters)
                continue
            records[each.name], failures = run_sets(
                each.name,
                each.measure,
                {name: paths[name] for name in each.sets if name in paths and name not in failed},
                parameters=each.parameters,
                versions=each.versions,
                jobs=request.jobs,
                resume=request.resume,
                on_progress=_phase(request.on_progress, i, len(measurements)),
            )
            failed |= failures
        return replace(self.results(request, records, paths), missing=missing, failed=failed)


def _phase(on_progress: Callable[[str, float], None], i: int, n: int) -> Callable[[str, float], None]:
    """A function that reports the progress of the i-th of n measurements as that of all."""
    return lambda text, share: on_progress(text, (i + share) / n)
