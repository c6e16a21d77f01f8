"""The replication of Davidsson 1996: which measurements make which table and figure, and their findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from wekaconf.base.plot_style import COLUMN, line_styles, panels, save
from wekaconf.replication._data_files import choose_sets, load_set
from wekaconf.replication._runner import Record
from wekaconf.replication._study import PaperMeasurement, PaperStudy, Request, Results, compare_wanted
from wekaconf.replication.davidsson1996 import runs
from wekaconf.replication.davidsson1996.coins import coins
from wekaconf.replication.davidsson1996.findings import findings
from wekaconf.replication.davidsson1996.runs import PAPER, Reading, Setting, measure_setting, systems
from wekaconf.replication.davidsson1996.tables import lines, our_figures, tables_beside

if TYPE_CHECKING:
    from matplotlib.figure import Figure


IRIS, COINS = "iris", "coins"
READINGS: tuple[Reading, ...] = ("text", "table")
N_RUNS = {"table 1": 390, "table 2": 390, "section 4": 100, "figure 2": 100}
"""Number of runs per part. The paper has 10: the tables are 39 repetitions of its means."""
N_QUICK_RUNS = {"table 1": 40, "table 2": 20, "section 4": 3, "figure 2": 3}
TEXT_ON = {"table 1": "section 3.1", "table 2": "section 3.2"}
"""The section about each table, which needs the same measurements."""
PARTS_OF_IRIS, PARTS_OF_COINS = ("table 1", "section 4"), ("table 2", "figure 2")
AXES = {
    "figure 2": ("n_train", "training coins of each kind (synthetic)"),
    "section 4": ("n_irrelevant", "irrelevant attributes (iris)"),
}
"""The horizontal axis of each part: its key in the records, and its label."""


@dataclass(frozen=True)
class Plan:
    """The plan of the measurements: parts (keys of `N_RUNS`), readings of the tables, numbers of runs, first seed."""

    parts: tuple[str, ...]
    readings: tuple[Reading, ...]
    n_runs: Mapping[str, int]
    seed: int

    @classmethod
    def of(cls, request: Request) -> Plan:
        """The plan of what is asked for."""
        return cls(
            tuple(part for part in N_RUNS if request.wants(part) or request.wants(TEXT_ON.get(part, part))),
            tuple(name for name in READINGS if request.reading in (None, name)),
            {part: request.n_runs(n, N_QUICK_RUNS[part]) for part, n in N_RUNS.items()},
            request.seed,
        )

    def settings(self, part: str, dataset: str, leave_out: str, **facts: Any) -> Iterator[Setting]:
        """The settings of a part, for a table one per reading; none if the part is not asked for."""
        readings = self.readings if part.startswith("table") else self.readings[:1]
        for reading in readings if part in self.parts else ():
            yield Setting(part, dataset, reading, self.n_runs[part], self.seed, leave_out, **facts)


def measure(name: str, path: str, **parameters: Any) -> list[Record]:
    """All measurements on a data set that has a file, by the parameters of a `Plan`."""
    plan, data = Plan(**parameters), load_set(name, path)
    records: list[Record] = []
    facts = {"n_train": runs.N_TRAIN_OF_IRIS}
    for setting in plan.settings("table 1", name, "versicolor", by_class=True, **facts):
        draws = runs.splits_of_iris(data, setting)
        records += measure_setting(setting, draws, systems(setting.reading, runs.ALPHAS_OF_IRIS))
        records += measure_setting(replace(setting, part=runs.LIMITS_PART), draws, runs.by_closed_limits())
    for n in runs.N_IRRELEVANT:
        for setting in plan.settings("section 4", name, "versicolor", n_irrelevant=n, **facts):
            records += measure_setting(
                setting, runs.splits_with_irrelevant(data, setting), systems(setting.reading, runs.ALPHAS_OF_IRIS)
            )
    return records


def measure_coins(**parameters: Any) -> list[Record]:
    """All measurements on synthetic coins, which need no file, by the parameters of a `Plan`."""
    plan, data = Plan(**parameters), coins()
    settings = [*plan.settings("table 2", COINS, "Canada", n_train=runs.N_TRAIN_OF_COINS)]
    for n in runs.SIZES:
        settings += plan.settings("figure 2", COINS, "Canada", n_train=n)
    return [
        record
        for setting in settings
        for record in measure_setting(
            setting, runs.splits_of_coins(data, setting), systems(setting.reading, runs.ALPHAS_OF_COINS)
        )
    ]


class Davidsson1996(PaperStudy):
    """Tables 1 and 2, Figure 2 and the remark on irrelevant attributes.

    Cost: a minute for everything; 20 seconds with ``quick``.
    """

    paper = PAPER
    title = "Davidsson 1996: ID3-SD and ID3-Max, Tables 1 and 2, Figure 2, irrelevant attributes"
    parts = ("section 3.1", "table 1", "section 3.2", "table 2", "section 4", "figure 2")
    readings = READINGS
    data_sets = (IRIS,)

    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """Iris, and synthetic coins, which need no file.

        ``runs`` is the number of random splits; 390 for the tables and 100 for the rest when it is left out.
        """
        plan = Plan.of(request)
        sets = choose_sets(PAPER, (COINS, *self.data_sets), request.sets)
        found = [
            (IRIS, PaperMeasurement(PAPER, measure, (IRIS,), asdict(plan)), PARTS_OF_IRIS),
            (COINS, PaperMeasurement(COINS, measure_coins, (), asdict(plan)), PARTS_OF_COINS),
        ]
        return [measurement for name, measurement, parts in found if name in sets and {*parts} & {*plan.parts}]

    def results(self, request: Request, records: Mapping[str, list[Record]], _paths: Mapping[str, str]) -> Results:
        """Figures, tables, sentences and drawings."""
        all_records = [record for each in records.values() for record in each]
        reading = Plan.of(request).readings[0]
        return Results(
            all_records,
            compare_wanted(PAPER, request, our_figures(all_records, reading)),
            beside=list(tables_beside(all_records, reading)),
            findings=list(findings(all_records, reading)),
            figures=figures(all_records),
        )


STUDY = Davidsson1996()


def figures(records: Sequence[Record]) -> dict[str, Callable[[str], Any]]:
    """The functions that draw the figures, by part."""
    drawers: dict[str, Callable[[str], Any]] = {}
    for part, (key, label) in AXES.items():
        known = lines(records, part=part, group="known")
        if known:
            drawers[part] = partial(_draw, known, key, label)
    return drawers


def _draw(known: dict[str, list[Record]], key: str, label: str, path: str) -> None:
    save(path, lambda: _figure(known, key, label))


def _figure(known: dict[str, list[Record]], key: str, label: str) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    curves = {name: line for name, line in known.items() if name != "ID3"}
    styles = {
        name: {"marker": "o", "markersize": 3, **style} for name, style in zip(curves, line_styles(curves), strict=True)
    }
    figure, (axes,) = panels(1, {name: Line2D([], [], **style) for name, style in styles.items()}, width=COLUMN)
    for name, line in curves.items():
        axes.plot([record[key] for record in line], [record["correct"] for record in line], **styles[name])
    axes.set(xlabel=label, ylabel="known answered correctly (%)", ylim=(0, 100))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure
