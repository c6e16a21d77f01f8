"""Results as tables for people, and as records for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, NamedTuple

from wekaconf.base.errors import printable
from wekaconf.base.naming import quoted, some
from wekaconf.evaluation.summaries import is_telling, majority_sentence
from wekaconf.report._table_formats import latex_blocks, write_rows
from wekaconf.report._titles import with_options
from wekaconf.report.comparison._measures import WORDS, value_text
from wekaconf.report.printing import (
    GAP,
    IN_TITLES,
    UNDEFINED,
    Block,
    Column,
    Names,
    fold,
    print_blocks,
    print_json_text,
    print_legend,
    print_text,
    strict,
)

HEADINGS = {
    "percent_correct": "correct\n%",
    "auc_mean": "AUC",
    "auc_weighted": "AUC,\nweighted",
    "auc_hand_till": "AUC,\nHand-Till",
    "auc_wang2006": "AUC,\nwang2006",
    "auc_mean_no_ties": "AUC,\ntie = 0",
    "brier": "Brier",
    "log_loss": "log\nloss",
    "ece": "ECE",
    "auc_reliability": WORDS["auc_reliability"].replace(" ", "\n"),
    "percent_affected": "affected\n%",
}
"""Every metric with its heading in the printed table."""
MEANINGS = {
    "auc_mean": "area under the ROC curve, one class against the rest, mean of the classes",
    "auc_weighted": "the classes' areas weighted by size, as Weka prints it",
    "auc_hand_till": "mean area over pairs of classes, Hand and Till 2001",
    "auc_wang2006": "mean area over pairs of classes, as Wang and Zhang 2006",
    "auc_mean_no_ties": "AUC where a tie of two instances counts 0, not ½",
    "brier": "mean squared error of the class probabilities, 0 is best",
    "log_loss": "mean -ln of the actual class's probability, 0 is best",
    "ece": "mean gap between the answers' probability and accuracy, 0 is best",
    "auc_reliability": "certainty of right answers over wrong ones, 0.5 is chance",
    "percent_affected": "rows with a class probability 0.1 or more off the plain tree's",
}
"""The meaning of metrics in the legend."""
COLUMNS = ("percent_correct", "auc_mean", "brier", "percent_affected")
"""The metrics of the printed table unless others are chosen; the last only where a method affects some instance."""
FEW = 5
"""An area under the curve of a class with fewer test instances in each run says little."""
LEARNER_WIDTH = 20
"""Characters to which learners with their options are folded."""


class Table(NamedTuple):
    """A table of records, and what stands below it.

    Parameters
    ----------
    title : str
    names : Names
    blocks : sequence of Block
    meanings : mapping of str to str
        The legend: the meaning of headings.
    below : sequence of str
        Sentences; an empty one is an empty line.
    context : str
        The title of the table above that tells what this one is of; a caption in a paper repeats it.
    """

    title: str
    names: Names
    blocks: Sequence[Block]
    meanings: Mapping[str, str]
    below: Sequence[str] = ()
    context: str = ""


def print_tables(tables: Iterable[Table], *, legend: bool) -> None:
    """Print tables to standard output, with an empty line between them.

    Parameters
    ----------
    tables : iterable of Table
    legend : bool
        Whether the meaning of each column stands below its table. Who reads one table every day reads four lines of
        numbers, not eleven of words. Sentences stand there always.
    """
    for number, table in enumerate(tables):
        sys.stdout.write("\n" if number else "")
        print_text(table.title, marks=IN_TITLES)
        print_blocks(table.names, table.blocks)
        if legend:
            is_undefined = any(UNDEFINED in column.cells for block in table.blocks for column in block.columns)
            print_legend({**table.meanings, **({UNDEFINED: "not defined"} if is_undefined else {})})
        for text in table.below:
            print_text(text, hanging=GAP)


def print_latex(tables: Iterable[Table]) -> None:
    """Print tables to standard output in LaTeX, with titles as captions, sentences as comments and no legend."""
    for number, table in enumerate(tables):
        caption = f"{table.title}; {table.context}" if table.context else table.title
        sys.stdout.write("\n" if number else "")
        sys.stdout.write(f"{latex_blocks(caption, table.names, table.blocks)}\n")
        sys.stdout.writelines(f"% {printable(text)}\n" for text in table.below if text)


def metrics_table(records: Sequence[Mapping[str, Any]], title: str, *, metrics: Sequence[str] = ()) -> Table:
    """Metrics of records, one line per method below its data set, with notes on few instances and those of the records.

    Parameters
    ----------
    records : sequence of mappings
        Records as in a `wekaconf.Evaluation`.
    title : str
    metrics : sequence of str
        The columns: keys of `HEADINGS`. Left out: `shown_columns`.
    """
    metrics = metrics or shown_columns(records)
    kinds = list(dict.fromkeys(kind for record in records for kind in record["events"]))
    columns = learner_column(records)
    for name in metrics:
        columns.append(Column(HEADINGS[name], [value_text(name, record["pooled"][name]) for record in records]))
    columns += [Column(f"{kind}s", [str(record["events"].get(kind, "")) for record in records]) for kind in kinds]
    meanings = {HEADINGS[name]: MEANINGS[name] for name in metrics if name in MEANINGS}
    if kinds:
        meanings[", ".join(f"{kind}s" for kind in kinds)] = "how often the method did so, over all test instances"
    below = majority_lines(records) if "percent_correct" in metrics else []
    if any(name.startswith("auc") for name in metrics):
        below += filter(None, dict.fromkeys(map(_few_note, records)))
    return Table(title, names_of(records), [Block("", columns)], meanings, [*below, *_notes(records)])


def names_of(records: Sequence[Mapping[str, Any]]) -> Names:
    """The names of the lines: methods below their data sets."""
    return Names("data set\n  method", [(record["dataset"], record["label"]) for record in records])


def majority_lines(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """What always giving the most frequent class would score, for data sets where that should be known."""
    by_set: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        by_set.setdefault(record["dataset"], []).append(record)
    lines = []
    for name, of_set in by_set.items():
        majority = of_set[0]["majority"]
        correct = majority["percent_correct"]
        n_classes = sum(row["n"] > 0 and not row["is_foreign"] for row in of_set[0]["outcomes"])
        errors = [1 - record["pooled"]["percent_correct"] / 100 for record in of_set]
        if is_telling(1 - correct / 100, n_classes, errors):
            texts = (value_text("percent_correct", share) for share in (correct, 100 - correct))
            lines.append(f"{name}: {majority_sentence(majority, *texts)}")
    return lines


def shown_columns(records: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The metrics of the printed table unless others are chosen."""
    affects = any(record["pooled"]["percent_affected"] > 0 for record in records)
    return COLUMNS if affects else COLUMNS[:-1]


def _few_note(record: Mapping[str, Any]) -> str:
    """A note on known classes with so few test instances that an area under the curve misleads; empty without any."""
    counts = {row["class_name"]: row["n"] / record["runs"] for row in record["outcomes"] if not row["is_foreign"]}
    few = [f"{quoted(name)} has {n:.4g}" for name, n in counts.items() if 0 < n < FEW]
    return f"{record['dataset']}: AUC may mislead where a class has few test instances: {some(few)}" if few else ""


def learner_column(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """A column with the learner of each record, if the learners differ."""
    learners = list(map(with_options, records))
    folded = ["\n".join(fold(text, LEARNER_WIDTH, IN_TITLES)) for text in learners]
    return [Column("learner", folded, justify="left")] if len(set(learners)) > 1 else []


def _notes(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Each note of the records once, followed by its data sets unless it holds for all of them."""
    sets_of: dict[str, list[str]] = {}
    for record in records:
        for note in record["notes"]:
            sets_of.setdefault(f"{record['label']}: {note}", []).append(record["dataset"])
    n_data = len({record["dataset"] for record in records})
    return [text if len(sets) == n_data else f"{text} ({', '.join(sets)})" for text, sets in sets_of.items()]


def write_json(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as strict JSON; an undefined metric is null, an infinite number "Infinity" or "-Infinity"."""
    file.write(_json(records))


def write_csv(records: Sequence[Mapping[str, Any]], file: IO[str]) -> None:
    """Write records as CSV, one line per record, nested names joined by a dot; an undefined metric is empty."""
    rows = [flatten(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    write_rows(file, [names, *([row.get(name, "") for name in names] for row in rows)])


def flatten(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A record as one row, nested names joined by a dot."""
    row: dict[str, Any] = {}
    for key, value in record.items():
        if key == "params" or isinstance(value, list):
            row[prefix + key] = json.dumps(strict(value))
        elif isinstance(value, Mapping):
            row.update(flatten(value, f"{prefix}{key}."))
        else:
            row[prefix + key] = value
    return row


def print_json(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as strict JSON to standard output."""
    print_json_text(_json(records))


def _json(records: Sequence[Mapping[str, Any]]) -> str:
    return json.dumps(strict(list(records)), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
