"""The gains and costs of rejecting: tables for people and curves for programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from wekaconf.base.naming import name_list, quoted
from wekaconf.data.wording import percent, percent_bound, percent_ends
from wekaconf.evaluation.measures import COVERAGES, RiskCoverage
from wekaconf.evaluation.promises import interval, upper_bound
from wekaconf.evaluation.thresholds import Choice, promise_lines
from wekaconf.report._answer_summary import MOST_CLASSES, most_missed
from wekaconf.report._result_tables import HEADINGS, MEANINGS, Table, learner_column, names_of
from wekaconf.report._table_formats import write_rows
from wekaconf.report.comparison._measures import REACHED, WORDS
from wekaconf.report.printing import UNDEFINED, Block, Column, Names

Record = Mapping[str, Any]
CURVE_COLUMNS = ("method", "threshold", "coverage", "risk", "accuracy", "kept_correct")
"""The columns that `write_curves` writes; shares are in [0, 1]."""
CHOSEN_ON = {"out-of-fold": "out of fold", "training": "on the training rows", "calibration": "on calibration rows"}
"""The instances on which a threshold was chosen, in words."""
KNOWN_HEADING, KNOWN_MEANING = (
    WORDS["auroc_known"].replace(" ", "\n"), "certainty of known classes over unknown ones, 0.5 is chance",
)  # fmt: skip
"""Heading and meaning of the measure of open sets."""


def reject_table(records: Sequence[Record], title: str, *, with_error_at: bool = False) -> Table:
    """The effects of thresholds, one line per method below its data set.

    Parameters
    ----------
    records : sequence of mappings
        Records with ``dataset``, ``label``, ``threshold_from`` and ``reject``, which is a `reject_summary` with a
        `choices_summary` as its ``chosen``. The columns are the threshold (mean over the folds, and range), the figures
        that it reached on the instances it was chosen on, and those on the test instances of known classes. The aim has
        a column if the records have several aims. Columns that are empty for all records are left out. If no threshold
        reaches the aim, a sentence gives the smallest error that is reachable.
    title : str
    with_error_at : bool
        Whether to add the expected error when only the most certain .95, .9, .8 and .5 of the instances are answered.
    """
    has_several_aims = len({_aim(record["reject"]) for record in records}) > 1
    is_open = any(_known_over_unknown(record["reject"]) for record in records)
    chosen_on = next((f", chosen {CHOSEN_ON[where]}" for record in records if (where := record["threshold_from"])), "")
    blocks = [Block("", learners)] if (learners := learner_column(records)) else []
    meanings: dict[str, str] = {}
    for heading, columns in (
        (f"Threshold{chosen_on}", (*([_AIM] if has_several_aims else []), *_CHOSEN)),
        (f"Test instances{' of known classes' if is_open else ''}", _TESTED),
        ("All of them, by certainty", (*_RANKED, *(_ERROR_AT if with_error_at else []))),
    ):
        shown = {column: [column.cell(record["reject"]) for record in records] for column in columns}
        shown = {column: cells for column, cells in shown.items() if any(cells)}
        meanings |= {column.label or column.heading: column.meaning for column in shown if column.meaning}
        if shown:
            blocks.append(Block(heading, [Column(column.heading, cells) for column, cells in shown.items()]))
    if any("∞" in cell for block in blocks for column in block.columns for cell in column.cells):
        meanings["∞"] = "everything is rejected"
    sentences = [_unreached_sentence(record) for record in records if _unreached(record["reject"])]
    return Table(title, names_of(records), blocks, meanings, _set_apart(sentences))


def predicted_table(records: Sequence[Record], title: str, context: str = "") -> Table:
    """What became of the answers for each predicted class, a line per class.

    Parameters
    ----------
    records : sequence of mappings
        Records with ``dataset``, ``label``, ``runs``, ``known``, ``outcomes`` and ``predicted``, a sequence of mappings
        with the fields of `accepting.Predicted`. Only the `MOST_CLASSES` that are predicted most often have a line.
        Sentences below say which classes are never answered, and for which actual class most of the wrong answers are.
    title, context : str
    """
    names: list[tuple[str, str]] = []
    rows: list[list[str]] = []
    for record in records:
        predicted = [row for row in record["predicted"] if row["answered"] or row["rejected"]]
        frequent = sorted(predicted, key=lambda row: -row["answered"] - row["rejected"])[:MOST_CLASSES]
        lines = [row for row in predicted if row in frequent]
        names += [(f"{record['dataset']}: {record['label']}", row["class_name"]) for row in lines]
        rows += [_predicted_cells(row, is_counted=_are_counts(record)) for row in lines]
    block = Block.of_rows("", ("rejected", "wrong/\nanswered", "error\n%", "interval\n%"), rows)
    block = Block("", [column for column in block.columns if any(column.cells)])
    meanings = {"error %": _ERROR}
    if len(block.columns) > 3:
        meanings["interval %"] = "of Clopper and Pearson for the error, confidence level 95 %"
    sentences = [
        f"{record['label']} on {record['dataset']}: {sentence}"
        for record in records
        for sentence in _class_sentences(record)
    ]
    return Table(title, Names("method\n  predicted class", names), [block], meanings, _set_apart(sentences), context)


def outcomes_table(records: Sequence[Record], title: str, context: str = "") -> Table:
    """The outcomes of each class, one line per class below its method.

    Parameters
    ----------
    records : sequence of mappings
        Records with ``dataset``, ``label`` and ``outcomes``, a sequence of mappings with the fields of
        `accepting.Outcome`. If several classes are known, or several unknown, another line has them all together.
    title, context : str
    """
    names: list[tuple[str, str]] = []
    rows: list[list[str]] = []
    for record in records:
        group = f"{record['dataset']}: {record['label']}"
        for is_foreign, kind in ((False, "known"), (True, "unknown")):
            outcomes = [outcome for outcome in record["outcomes"] if outcome["is_foreign"] == is_foreign]
            mark = " (unknown)" if is_foreign else ""
            names += [(group, outcome["class_name"] + mark) for outcome in outcomes]
            rows += map(_cells, outcomes)
            if len(outcomes) > 1:
                names.append((group, f"all {kind}"))
                rows.append(_cells(_total(outcomes)))
    meanings = {"missed %": "answered, and wrong"}
    if any(outcome["is_foreign"] for record in records for outcome in record["outcomes"]):
        meanings["unknown"] = "of a class that the training data did not have, so never correct"
    block = Block.of_rows("", ("instances", "correct\n%", "missed\n%", "rejected\n%"), rows)
    return Table(title, Names("method\n  class", names), [block], meanings, context=context)


def _set_apart(sentences: Sequence[str]) -> list[str]:
    """The sentences after an empty line, if there are any."""
    return ["", *sentences] if sentences else []


def write_curves(curves: Mapping[str, RiskCoverage], file: IO[str]) -> None:
    """Write risk-coverage curves as CSV, one line per method and threshold, with `CURVE_COLUMNS`.

    Undefined numbers are empty.
    """
    write_rows(file, [CURVE_COLUMNS])
    for method, curve in curves.items():
        columns = (curve.threshold, curve.coverage, curve.error, curve.accuracy, curve.kept_correct)
        write_rows(file, ([method, *point] for point in zip(*(column.tolist() for column in columns), strict=True)))


def _are_counts(record: Record) -> bool:
    """Whether the figures of predicted classes count instances, none of them twice."""
    numbers = [row[part] for row in record["predicted"] for part in ("answered", "wrong", "rejected")]
    return record["runs"] == 1 and all(float(number).is_integer() for number in numbers)


def _predicted_cells(row: Mapping[str, float], *, is_counted: bool) -> list[str]:
    """What became of the answers that predict a class; an interval only of counts of instances."""
    answered, wrong = row["answered"], row["wrong"]
    ends = "–".join(percent_ends(*interval(int(wrong), int(answered)))) if is_counted and answered else ""
    error = 100 * wrong / answered if answered else math.nan
    return [_count(row["rejected"]), f"{_count(wrong)}/{_count(answered)}", _decimals(error, 2), ends]


def _class_sentences(record: Record) -> list[str]:
    """Which predicted classes are never answered though others are, and for which actual class most errors are."""
    rows = record["predicted"]
    if not any(row["answered"] for row in rows):
        return []
    known = record["known"] and set().union(*record["known"])
    never = [row["class_name"] for row in rows if not row["answered"] and (known is None or row["class_name"] in known)]
    sentences = [f"never answers {name_list(never)}"] if never else []
    missed: Counter[str] = Counter()
    for outcome in record["outcomes"]:
        missed[outcome["class_name"]] += outcome["n"] * outcome["missed"] / 100
    errors = [round(missed[row["class_name"]], 6) for row in rows]
    if (worst := most_missed(errors)) is not None:
        which = "all" if errors[worst] == sum(errors) else f"{_count(errors[worst])} of the"
        name = quoted(rows[worst]["class_name"])
        sentences.append(f"{which} {_count(sum(errors))} wrong answers are for rows of class {name}")
    return sentences


def _total(outcomes: Sequence[Record]) -> dict[str, float]:
    n = sum(outcome["n"] for outcome in outcomes)
    parts = ("correct", "missed", "rejected")
    return {"n": n} | {part: sum(row["n"] * row[part] for row in outcomes) / n for part in parts}


def _cells(outcome: Mapping[str, float]) -> list[str]:
    return [_count(outcome["n"]), *(_decimals(outcome[part], 1) for part in ("correct", "missed", "rejected"))]


def _count(weight: float) -> str:
    return f"{round(weight, 2):.10g}"


def _decimals(number: float, digits: int) -> str:
    return UNDEFINED if math.isnan(number) else f"{number:.{digits}f}"


def _percent(*path: str) -> Callable[[Record], str]:
    return _at(lambda share: _decimals(100 * share, 2), *path)


def _area(name: str) -> Callable[[Record], str]:
    return _at(lambda area: _decimals(area, 4), name)


def _at(written: Callable[[float], str], *path: str) -> Callable[[Record], str]:
    """A function that writes the value at a path in a summary; empty if the summary has no such path."""

    def cell(summary: Record) -> str:
        value: Any = summary
        for name in path:
            if name not in value:
                return ""
            value = value[name]
        return written(value)

    return cell


def _threshold(summary: Record) -> str:
    """The mean threshold; empty if some of the thresholds are infinite, but not all."""
    chosen = summary.get("chosen")
    return "" if chosen is None or _is_mixed(chosen) else _certainty(chosen["threshold"])


def _range(summary: Record) -> str:
    chosen = summary.get("chosen")
    if chosen is None or chosen["threshold_min"] == chosen["threshold_max"]:
        return ""
    return f"{_certainty(chosen['threshold_min'])}–{_certainty(chosen['threshold_max'])}"


def _is_mixed(chosen: Record) -> bool:
    return chosen["threshold_max"] == math.inf != chosen["threshold_min"]


def _certainty(threshold: float) -> str:
    return "∞" if threshold == math.inf else f"{threshold:.4g}"


def _unreached_sentence(record: Record) -> str:
    """A sentence that no threshold reaches the aim, and what is reached at best."""
    chosen = record["reject"]["chosen"]
    where = "" if chosen["n_choices"] == 1 else f" in {chosen['n_unreached']} of {chosen['n_choices']} folds"
    text = f"{record['label']} on {record['dataset']}: no threshold reaches the aim ({chosen['aim']}){where}"
    if missed := chosen.get("unreached_classes"):
        named = (f"answers {quoted(name)}{f' in {n}' if where else ''}" for name, n in missed.items())
        return f"{text}: that of {', of '.join(named)}"
    if (best := chosen.get("reachable")) is None:
        return text
    text += f"; best {CHOSEN_ON[record['threshold_from']]}: {best_reachable(best['error'], best['coverage'])}"
    return text + (" (means of these folds)" if chosen["n_unreached"] > 1 else "")


def best_reachable(error: float, coverage: float) -> str:
    """The smallest error and its coverage, in words."""
    return f"{percent(error)} at coverage {percent(coverage)}"


def _aim(summary: Record) -> str:
    return summary["chosen"]["aim"] if "chosen" in summary else ""


def _unreached(summary: Record) -> str:
    chosen = summary.get("chosen", {"n_unreached": 0})
    return f"{chosen['n_unreached']}/{chosen['n_choices']}" if chosen["n_unreached"] else ""


def _wrong(summary: Record) -> str:
    return f"{_count(summary['wrong'])}/{_count(summary['accepted'])}" if "wrong" in summary else ""


def _known_over_unknown(summary: Record) -> str:
    area = summary["auroc_known"]
    return "" if math.isnan(area) else _decimals(area, 4)


@dataclass(frozen=True)
class _TableColumn:
    """A column: its heading, its cell for a summary, and its meaning in the legend; columns may share a label there."""

    heading: str
    cell: Callable[[Record], str]
    meaning: str = ""
    label: str = ""


_AIM = _TableColumn("wanted", _aim)
_ANSWERED, _ERROR, _COST = (meaning for _, meaning in REACHED.values())
_KEPT = "share of the correct answers that is not rejected"
_CHOSEN = (
    _TableColumn("threshold", _threshold, "below this certainty an answer is rejected; mean over the folds"),
    _TableColumn("range", _range, "the smallest and the largest threshold of a fold"),
    _TableColumn("not\nreached\nfolds", _unreached, "in which no threshold reaches the aim"),
    _TableColumn("coverage\n%", _percent("chosen", "coverage"), _ANSWERED),
    _TableColumn("error\n%", _percent("chosen", "error"), _ERROR),
    _TableColumn("correct\nkept\n%", _percent("chosen", "kept_correct"), _KEPT),
)
_TESTED = (
    _TableColumn("rejected", _at(_count, "rejected")),
    _TableColumn("wrong/\nanswered", _wrong),
    _TableColumn("coverage\n%", _percent("coverage"), _ANSWERED),
    _TableColumn("error\n%", _percent("error"), _ERROR),
    _TableColumn(
        "error of\nall %", _percent("error_without_rejecting"), "share of answers that is wrong without rejecting"
    ),
    _TableColumn("correct\nkept\n%", _percent("kept_correct"), _KEPT),
    _TableColumn("wrong\ncaught\n%", _percent("caught_wrong"), "share of the wrong answers that is rejected"),
    _TableColumn("mean\ncost", _at("{:.4g}".format, "mean_cost"), _COST),
)
_RANKED = (
    _TableColumn(HEADINGS["auc_reliability"], _area("auroc_correct"), MEANINGS["auc_reliability"]),
    _TableColumn("AURC", _area("aurc"), "area under the risk-coverage curve, 0 is best"),
    _TableColumn(KNOWN_HEADING, _known_over_unknown, KNOWN_MEANING),
)
_ERROR_AT = tuple(
    _TableColumn(
        f"error at\n{100 * coverage:g} %",
        _percent("error_at", f"{coverage:g}"),
        "when only the most certain N % are answered",
        "error at N %",
    )
    for coverage in COVERAGES
)


def choice_lines(chosen: Choice, where: str, class_names: Sequence[str]) -> list[str]:
    """A chosen threshold, and what it promises, or reaches beside the aim.

    Parameters
    ----------
    chosen : Choice
    where : str
        The rows that it was chosen on, in words such as "out of fold".
    class_names : sequence of str
    """
    if chosen.promises:
        return promise_lines(chosen, class_names)
    reached, best = chosen.figures, chosen.reachable
    if best is not None:
        return [
            f"no threshold reaches the aim ({chosen.aim}), so everything is rejected; best {where}: "
            f"{best_reachable(best.figures.error, best.figures.coverage)}, with --below {in_digits(best.threshold)}"
        ]
    if not chosen.is_reached:
        return [f"no threshold reaches the aim ({chosen.aim}) {where}, so everything is rejected"]
    if not reached.accepted:
        return [f"threshold inf, wanted: {chosen.aim}; {where} it rejects everything"]
    return [
        f"threshold {chosen.threshold:.6g}, wanted: {chosen.aim}; {where} it keeps "
        f"{percent(reached.kept_correct, decimals=1)} of the correct, answers "
        f"{percent(reached.coverage, decimals=1)} and errs in {percent(reached.error, decimals=2)} of its answers"
        f"{_in_counts(chosen)}"
    ]


def _in_counts(chosen: Choice) -> str:
    """The counts behind an error, and what they cannot exclude; empty for weighted rows."""
    wrong, answered = chosen.figures.wrong, chosen.figures.accepted
    if not (wrong.is_integer() and answered.is_integer()):
        return ""
    counts = f": {wrong:.0f} wrong of {answered:.0f}"
    if chosen.aim.kind != "error":
        return counts
    bound = float(upper_bound(int(wrong), int(answered), 0.05))
    return (
        f"{counts}. Even for a threshold fixed beforehand, an error of up to {percent_bound(bound)} could not be "
        "excluded at the 95 % level, and this threshold was chosen on these rows; --confidence makes a promise"
    )


def in_digits(threshold: float) -> str:
    """A threshold in six digits, rounded down so that it rejects no answer that the threshold itself accepts."""
    if not 0 < threshold < math.inf:
        return repr(threshold)
    scale = 10.0 ** (5 - math.floor(math.log10(threshold)))
    return f"{math.floor(threshold * scale) / scale:.6g}"


def choice_record(chosen: Choice) -> dict[str, Any]:
    """A chosen threshold, and what it promises or reaches, as a mapping that JSON can hold."""
    counts = ("class_name", "target", "threshold", "answered", "wrong", "n", "n_wrong", "is_reached")
    return {
        "aim": str(chosen.aim),
        "threshold": chosen.threshold,
        "is_reached": chosen.is_reached,
        "figures": chosen.figures.as_dict(),
        "promises": [{name: getattr(each, name) for name in counts} for each in chosen.promises],
    }
