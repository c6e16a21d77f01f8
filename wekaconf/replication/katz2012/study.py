"""The replication of Katz et al. 2012: Tables I to III and Figure 6."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from wekaconf.errors import OptionError
from wekaconf.naming import nearest
from wekaconf.replication.katz2012.findings import findings
from wekaconf.replication.katz2012.measured import NOT_TO_BE_HAD, Measured, groups
from wekaconf.replication.katz2012.measuring import TIES, by_training_size, cross_validated
from wekaconf.replication.katz2012.tables import cells
from wekaconf.replication.runner import Record, Underway, find_sets, run_sets, some
from wekaconf.replication.study import Asked, Results, Study

SIZES = tuple(range(10, 100, 10))
DIVISIONS = 10
QUICK_SETS = ("diabetes", "ecoli3", "glass", "vehicle")
QUICK_SIZES, QUICK_DIVISIONS = (10, 50, 90), 2
FIGURE = "figure 6"


class Katz2012:
    """See `wekaconf.replication.study.Study`."""

    paper: str = "katz2012"
    title: str = "Katz, Shabtai, Rokach and Ofek 2012: gain in AUC of ConfDTree over J48"
    parts: tuple[str, ...] = ("table 1", "table 2", "table 3", FIGURE)
    readings: tuple[str, ...] = tuple(TIES)
    data_sets: tuple[str, ...] = tuple(groups())

    def run(self, asked: Asked) -> Results:
        """Measure what is asked for.

        By default one ten-fold cross-validation per data set with seed 1, as the paper has one, and for Figure 6 ten
        divisions per training size with the seeds 1 to 10. Both ways to count ties stand in the cells unless a reading
        is given.

        Raises
        ------
        OptionError
            There is no such folder or data set, or the folder holds none of the data sets.
        """
        names = self._names(asked)
        paths, missing = find_sets(asked.data, names)
        seed, runs = 1 if asked.seed is None else asked.seed, asked.runs or 1
        wanted = [part for part in self.parts if asked.wants(part)]
        sizes, divisions = (QUICK_SIZES, QUICK_DIVISIONS) if asked.quick else (SIZES, DIVISIONS)
        phases: dict[str, tuple[Callable[..., list[Record]], dict[str, Any]]] = {}
        if wanted != [FIGURE]:
            phases["folds"] = cross_validated, {"runs": runs, "seed": seed}
        if FIGURE in wanted:
            phases["sizes"] = by_training_size, {"sizes": list(sizes), "divisions": divisions, "seed": seed}
        records: list[Record] = []
        failed: dict[str, str] = {}
        for i, (phase, (measure, parameters)) in enumerate(phases.items()):
            its_records, its_failures = run_sets(
                f"{self.paper}-{phase}",
                partial(measure, **parameters),
                paths,
                parameters=parameters,
                jobs=asked.jobs,
                resume=asked.resume,
                on_progress=_part_of(asked.on_progress, i, len(phases)),
            )
            records += its_records
            failed |= its_failures
        measured = Measured(records)
        without_file = {*missing, *failed, *([] if asked.sets or asked.quick else [NOT_TO_BE_HAD])}
        readings = list(TIES) if asked.reading is None else [asked.reading]
        return Results(
            records,
            cells(measured, wanted, readings, without_file),
            [each for each in findings(measured) if each.part in wanted],
            {FIGURE: partial(_draw, measured)} if measured.sizes else {},
            missing,
            failed,
        )

    def _names(self, asked: Asked) -> list[str]:
        for name in asked.sets:
            if name not in self.data_sets:
                advice = nearest(name, self.data_sets) or f"; it has {some(self.data_sets)}"
                raise OptionError(f"no data set '{name}' in {self.paper}{advice}")
        chosen = asked.sets or (QUICK_SETS if asked.quick else self.data_sets)
        return [name for name in self.data_sets if name in chosen]


def _part_of(on_progress: Callable[[Underway], None], i: int, n: int) -> Callable[[Underway], None]:
    """Progress of the i-th of n equal parts of the work."""

    def tell(underway: Underway) -> None:
        n_sets = underway.n_sets
        on_progress(
            replace(underway, n_done=i * n_sets + underway.n_done, n_sets=n * n_sets, share=(i + underway.share) / n)
        )

    return tell


def _draw(measured: Measured, path: str) -> None:
    from wekaconf.replication.katz2012.figure import draw

    draw(path, measured)


STUDY: Study = Katz2012()
