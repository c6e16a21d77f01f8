"""Sentences about the results of Tóth and Pataki 2006, written from the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.replication.records import pick
from wekaconf.replication.runner import Record
from wekaconf.replication.study import Finding
from wekaconf.replication.toth2006.measurement import EXPERIMENTS, Experiment
from wekaconf.replication.toth2006.tables import figures_of_counts, mean


def findings(records: Sequence[Record]) -> Iterator[Finding]:
    """Sentences on every section that was measured."""
    if planes := pick(records, part="section 3.1"):
        yield from _planes(planes)
    if pick(records, part="section 3.2"):
        yield Finding(
            "section 3.2",
            "Nothing is drawn on the training rows: a figure has no repetitions, and is met only if it rounds to the "
            "printed one. The tree is the one of the pruning sequence whose errors are nearest to the paper's, and the "
            "threshold is the one that keeps the paper's share, so these two figures are chosen. What could fail are "
            "the rejections and the error of the answered.",
        )
        for experiment in EXPERIMENTS:
            yield from _breast_w(pick(records, part="section 3.2", experiment=experiment.name), experiment)


def _planes(planes: Sequence[Record]) -> Iterator[Finding]:
    training, new = (pick(planes, rows=rows) for rows in ("training", "new"))
    keep = 100 * training[0]["keep"]
    yield Finding(
        "section 3.1",
        f"On {len(training)} synthetic sets the trees err on {mean(training, 'error'):.1f} % of the points they were "
        f"grown on and on {mean(new, 'error'):.1f} % of new points. The threshold that keeps {keep:.0f} % of the "
        f"correct answers leaves {mean(training, 'error_answered'):.2f} % wrong on the former and "
        f"{mean(new, 'error_answered'):.2f} % on the latter, and catches {mean(training, 'caught_wrong'):.0f} % and "
        f"{mean(new, 'caught_wrong'):.0f} % of the wrong answers.",
    )
    printed = {row: figure for (part, row, _), figure in figures_of_counts() if part == "section 3.1"}
    yield Finding(
        "section 3.1",
        f"By the paper's own counts its threshold leaves {printed['error of the answered (%)']:.2f} % wrong, not the "
        "0.1 % that it prints.",
    )


def _breast_w(records: Sequence[Record], experiment: Experiment) -> Iterator[Finding]:
    ((rule,), (nearest,)) = (pick(records, rows="training", choice=choice) for choice in ("rule", "nearest"))
    keep = f"{100 * experiment.keep:.0f} %"
    effect = f"keeps {rule['kept_correct']:.1f} % and rejects {rule['rejected']}"
    if rule["rejected"] != nearest["rejected"]:
        effect += (
            f"; the threshold whose share is nearest to {keep} keeps {nearest['kept_correct']:.1f} % and rejects "
            f"{nearest['rejected']}"
        )
    yield Finding(
        "section 3.2",
        f"{experiment.name.capitalize()}: the tree of {rule['leaves']} leaves errs {rule['wrong']} times. The largest "
        f"threshold that keeps at least {keep} of the correct answers {effect}. It leaves {rule['answered_wrong']} "
        f"wrong among {rule['answered']}.",
    )
    training, inside = (
        pick(records, rows="out-of-fold", choice=f"rule, {choice}") for choice in ("training", "out-of-fold")
    )
    yield Finding(
        "section 3.2",
        f"{experiment.name.capitalize()}, out of fold ({len(training)} × ten-fold): such trees err on "
        f"{mean(training, 'error'):.1f} % instead of {rule['error']:.1f} %. The threshold chosen on the training rows "
        f"keeps {mean(training, 'kept_correct'):.1f} % of the correct answers and leaves "
        f"{mean(training, 'error_answered'):.1f} % wrong; chosen out of fold within them it keeps "
        f"{mean(inside, 'kept_correct'):.1f} % and leaves {mean(inside, 'error_answered'):.1f} %.",
    )
