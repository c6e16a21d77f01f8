"""Sentences on the figures of Wang and Zhang 2006, and our tables beside the printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from wekaconf.base.naming import counted, enumeration
from wekaconf.evaluation.statistics import PairedTest, holm, signed_rank
from wekaconf.replication._cells import Figure, Published, p_cell
from wekaconf.replication._runner import Record
from wekaconf.replication._study import Beside, Finding
from wekaconf.replication.wang2006.measurement import COLUMNS, KEYS, LEAKING, PRINTED_RUNS, TREES, Column, printed_name
from wekaconf.replication.wang2006.record_table import (
    FIRST,
    LEVEL,
    PARTS,
    Measured,
    Triple,
    column_of,
    contradictions,
    controls,
    entries,
    keys_of,
    printed_columns,
    printed_figures,
    repeated,
    wins,
)

READINGS = ("table", "text", "honest")
FIRST_COLUMN = COLUMNS[0].table, COLUMNS[0].name, COLUMNS[0].reading
ROUNDING = 0.005 + 1e-9
"""The largest difference of a figure of Tables 3 and 4 that rounding to the printed digits allows."""
USUAL = 39
"""The number of repetitions whose lowest and highest hold one more with a probability of 95 %."""
PARTS_OF_OTHERS = ("anneal.ORIG", "colic.ORIG", "heart-statlog", "sick")
"""Sets whose rows stand in another of the paper's sets, too."""
VERDICTS = {
    1: "is significantly better than", 0: "is not significantly different from", -1: "is significantly worse than",
}  # fmt: skip
TEST = (
    f"Weka's corrected resampled t-test over the folds of each data set (two-sided, p ≤ {LEVEL:g}, not corrected for "
    "the number of data sets)"
)


def protocol(measured: Measured) -> list[Finding]:
    """Sentences on the protocol of Tables 1 to 4, and on the repetitions."""
    first = measured.records[0]
    n_more = min(len(measured.further.get((name, *FIRST_COLUMN), ())) for name in measured.names)
    n = repeated(first["fold_values"]).n + n_more
    level = 100 * (n - 1) / (n + 1)
    met = "a figure is met only as printed" if n == 1 else "a figure is met between the lowest and the highest"
    more = f", and {counted(n_more, 'repetition')} of the seeds that follow stand beside it" * bool(n_more)
    more_runs = f" For {USUAL} repetitions, give --runs {USUAL * PRINTED_RUNS}." * (n < USUAL)
    last = first["seed"] + first["runs"] - 1
    seeds = f"seeds {first['seed']} to {last}" if first["runs"] > 1 else f"seed {last}"
    how = Finding(
        "",
        f"AUC in percent ({first['metric']}, mean over the folds) on {counted(len(measured.names), 'data set')}; "
        f"{first['folds']}-fold cross-validation, {seeds}; preprocessing wang2006, fitted on the whole set; trees of "
        f"Weka {first['versions']['weka']}. The table reading compares the class of the test instances in the columns "
        f"{enumeration(LEAKING)}: it is for replication only, and the published {enumeration(LEAKING)} are met only "
        "so.",
    )
    return [how, Finding(
        "",
        f"The paper prints means over {PRINTED_RUNS} cross-validations; {counted(first['runs'], 'run')} of ours "
        f"{'are' if first['runs'] > 1 else 'is'} {counted(n - n_more, 'repetition')} of that{more}, and the "
        f"level of an interval from the lowest to the highest repetition is {level:.0f} %: {met}.{more_runs} "
        "*between the runs*: on how many sets the published mean lies between the lowest and the highest single "
        "cross-validation.",
    )]  # fmt: skip


# -- Tables 3 and 4 ------------------------------------------------------------------------------------------------


def figures(measured: Measured, part: str, cells: Sequence[Published]) -> tuple[list[Beside], list[Finding]]:
    """Tables and sentences beside Table 3 or 4: means of all readings, and the honest combination against rivals."""
    against, finding = _rivals(measured, part)
    sentences = [_leak(measured, part, cells), finding, Finding(part, f"Wins, ties and losses are by {TEST}.")]
    return [_means(measured, part, cells), against], sentences


def _means(measured: Measured, part: str, cells: Sequence[Published]) -> Beside:
    """The table of means over the data sets, of every reading and of the controls."""
    table = int(part.split()[1])
    tree = TREES[table]
    printed = printed_figures(cells, part)
    rows: dict[str, list[Figure | None]] = {}
    for name, column in printed_columns(table, "table").items():
        gaps = [abs(value - printed[name][each]) for each, value in measured.of(column).items()]
        rows[name] = [fmean(printed[name][each] for each in measured.names)]
        rows[name] += [_mean(measured, table, column.key, reading) for reading in READINGS]
        within = [low <= printed[name][each] <= high for each, (low, high) in measured.between_runs(column).items()]
        rows[name] += [
            f"{fmean(gaps):.3f}",
            f"{max(gaps):.2f}",
            f"{sum(gap <= ROUNDING for gap in gaps)} of {len(gaps)}",
        ]
        rows[name].append(f"{sum(within)} of {len(within)}")
    for column in controls(table):
        rows[f"control: {column.name}"] = [None, None, None, measured.mean(column), None, None, None, None]
    title = f"{part.capitalize()} ({tree}), means"
    return Beside(
        part, title, ("published", *READINGS, "mean |difference|", "largest", "as printed", "between the runs"), rows
    )


def _mean(measured: Measured, table: int, key: str, reading: str) -> float | None:
    column = column_of(table, key, reading)
    return measured.mean(column) if column.reading == reading else None


def _leak(measured: Measured, part: str, cells: Sequence[Published]) -> Finding:
    """A sentence on the gain from the class of the test instances."""
    table, printed = int(part.split()[1]), printed_figures(cells, part)
    by_reading: dict[str, list[str]] = {"table": [], "honest": []}
    for key in LEAKING:
        name = printed_name(table, key)
        published = fmean(printed[name][each] for each in measured.names)
        for reading, gaps in by_reading.items():
            mean = _mean(measured, table, key, reading) or 0.0
            gaps.append(f"{mean - published:+z.2f} ({name})")
    return Finding(
        part,
        f"If the class of the test instances is compared, our means over {counted(len(measured.names), 'data set')} "
        f"differ from print by {enumeration(by_reading['table'])} percentage points. If it is not compared, they "
        f"differ by {enumeration(by_reading['honest'])}.",
    )


def _rivals(measured: Measured, part: str) -> tuple[Beside, Finding]:
    """The honest combination against all other honest columns, in the figures of Table 3 or 4."""
    table = int(part.split()[1])
    ours = column_of(table, "C", "honest")
    names = {printed_name(table, key): column_of(table, key, "honest") for key in KEYS if key != "C"}
    names |= {column.name: column for column in controls(table)}
    tests, corrected = _tests(measured, ours, names, measured.names)
    rows: dict[str, list[Figure | None]] = {
        name: [
            fmean(a - b for a, b in _paired(measured, ours, column, measured.names)),
            wins(measured.folds(ours), measured.folds(column)),
            p_cell(tests[name].p_value),
            p_cell(corrected[name]),
        ]
        for name, column in names.items()
    }
    columns = ("mean difference", "wins/ties/losses", "p, Wilcoxon", "p, Holm")
    beside = Beside(part, f"{printed_name(table, 'C')}, honest, against honest rivals", columns, rows)
    signs = _signs(tests, corrected)
    apart = _without_parts(measured, ours, names, signs)
    clauses = [
        f"{words} {enumeration(group)}"
        for sign, words in VERDICTS.items()
        if (group := [name for name in names if signs[name] == sign])
    ]
    return beside, Finding(
        part,
        f"In the honest reading, {printed_name(table, 'C')} {'; it '.join(clauses)} (Wilcoxon's signed-rank test "
        f"of the means of {counted(len(measured.names), 'data set')}, Holm's correction for {len(names)} rivals, p ≤ "
        f"{LEVEL:g}).{apart}",
    )


def _tests(
    measured: Measured, ours: Column, rivals: Mapping[str, Column], sets: Sequence[str]
) -> tuple[dict[str, PairedTest], dict[str, float]]:
    """Wilcoxon's signed-rank test of a column against each rival over these data sets, and its p after Holm."""
    tests = {
        name: signed_rank(*zip(*_paired(measured, ours, column, sets), strict=True)) for name, column in rivals.items()
    }
    return tests, dict(zip(rivals, holm([test.p_value for test in tests.values()]).tolist(), strict=True))


def _without_parts(measured: Measured, ours: Column, rivals: Mapping[str, Column], found: Mapping[str, int]) -> str:
    """A sentence on the verdicts that change without the sets whose rows stand in others; ``found`` are all signs."""
    sets = [name for name in measured.names if name not in PARTS_OF_OTHERS]
    left_out = [name for name in measured.names if name in PARTS_OF_OTHERS]
    if not (sets and left_out):
        return ""
    signs = _signs(*_tests(measured, ours, rivals, sets))
    changed = [f"it {VERDICTS[sign]} {name}" for name, sign in signs.items() if sign != found[name]]
    return (
        f" The rows of {enumeration(left_out)} stand in other sets, too. Without these sets "
        f"{enumeration(changed) if changed else 'no verdict changes'}."
    )


def _signs(tests: Mapping[str, PairedTest], corrected: Mapping[str, float]) -> dict[str, int]:
    """1 where the first is significantly better, −1 where it is worse, else 0."""
    return {name: int(test.sign(1) * (corrected[name] <= LEVEL)) for name, test in tests.items()}


def _paired(measured: Measured, first: Column, second: Column, sets: Sequence[str]) -> list[tuple[float, float]]:
    ours, theirs = measured.of(first), measured.of(second)
    return [(ours[name], theirs[name]) for name in sets]


# -- Tables 1 and 2 ------------------------------------------------------------------------------------------------


def _triangle(part: str, title: str, triples: Mapping[tuple[str, str], Triple]) -> Beside:
    """A table of the form of Tables 1 and 2."""
    names = [printed_name(PARTS[part], key) for key in KEYS]
    rows: dict[str, list[Figure | None]] = {
        row: [triples.get((row, column), "") for column in names[:-1]] for row in names[1:]
    }
    return Beside(part, title, names[:-1], rows)


def entries_of(measured: Measured, part: str, reading: str, *, swapped: bool = False) -> dict[tuple[str, str], Triple]:
    """Our Table 1 or 2 in a reading, see `comparing.entries`."""
    table = PARTS[part]
    folds = {(table, key): measured.folds(column_of(table, key, reading)) for key in KEYS}
    return entries(part, folds, swapped=swapped)


def comparisons(
    measured: Measured,
    part: str,
    cells: Sequence[Published],
    as_printed: Mapping[tuple[str, str], Triple],
    *,
    reading: str,
    is_whole: bool,
) -> tuple[list[Beside], list[Finding]]:
    """Tables and sentences beside Table 1 or 2: ours unless ``is_whole``, and Table 2 with S and W exchanged."""
    table = PARTS[part]
    printed = {(cell.row, cell.column): cell.value for cell in cells if cell.part == part}
    beside, agreements = [], []
    over = counted(len(measured.names), "data set")
    if not is_whole:
        beside.append(_triangle(part, f"{part.capitalize()}, ours over {over}", as_printed))
    findings = [Finding(part, f"Wins, ties and losses are by {TEST}.")]
    if is_whole:
        agreements.append(_agreement(part, printed, as_printed))
    if part == "table 2":
        exchanged = entries_of(measured, part, reading, swapped=True)
        beside.append(_triangle(part, f"{part.capitalize()}, ours over {over}, S and W exchanged", exchanged))
        if is_whole:
            agreements.append(f"with the labels S and W exchanged for {_agreement(part, printed, exchanged)}")
    if agreements:
        findings.append(
            Finding(part, f"{part.capitalize()} compares {enumeration([printed_name(table, key) for key in FIRST])} in "
                          f"pairs. In the {reading} reading, our entries equal the printed ones for "
                          f"{'; '.join(agreements)}.")
        )  # fmt: skip
    if part == "table 2":
        findings.append(_against_itself(cells))
    return beside, findings


def _agreement(part: str, printed: Mapping[tuple[str, str], Figure], ours: Mapping[tuple[str, str], Triple]) -> str:
    """A clause on the equal entries of the columns that the paper describes completely, and the gaps of the others."""
    gaps = []
    for place, triple in ours.items():
        value = printed[place]
        if set(keys_of(part, place)) <= set(FIRST) and isinstance(value, tuple):
            gaps.append(max(abs(triple[i] - value[i]) for i in (0, 2)))
    unequal = [gap for gap in gaps if gap]
    rest = f" (in the others, wins or losses differ by up to {counted(max(unequal), 'data set')})" if unequal else ""
    return f"{len(gaps) - len(unequal)} of {len(gaps)} pairs{rest}"


def _against_itself(cells: Sequence[Published]) -> Finding:
    """A sentence on the contradictions of the paper's Tables 2 and 4, as printed and with S and W exchanged."""
    as_printed, exchanged = (contradictions(cells, "table 2", swapped=swapped) for swapped in (False, True))
    return Finding(
        "table 2",
        f"The paper's Table 2 contradicts its own Table 4 {_times(as_printed)}; with the labels S and W exchanged "
        f"{_times(exchanged)}.",
    )


def _times(clauses: Sequence[str]) -> str:
    times = {1: "once", 2: "twice"}.get(len(clauses), f"{len(clauses)} times")
    return f"{times} ({'; '.join(clauses)})" if clauses else "nowhere"


# -- Figure 3 ------------------------------------------------------------------------------------------------------


def iterations(records: Sequence[Record]) -> tuple[Beside, Finding]:
    """The curve of Figure 3, in both readings."""
    by_reading: dict[str, dict[int, float]] = {}
    for record in records:
        by_reading.setdefault(record["reading"], {})[record["iterations"]] = record["measured"]
    counts = list(by_reading["table"])
    rows = {str(n): [curve[n] for curve in by_reading.values()] for n in counts}
    first, last = counts[0], counts[-1]
    changes = "; ".join(
        f"{curve[first]:.2f} → {curve[last]:.2f} ({curve[last] - curve[first]:+.2f}) in the {reading} reading"
        for reading, curve in by_reading.items()
    )
    return Beside("figure 3", "Figure 3, vehicle: AUC by iterations of DIW", tuple(by_reading), rows), Finding(
        "figure 3", f"From {first} to {last} iterations of Algorithm DIW the AUC of C45-C on vehicle goes {changes}."
    )
