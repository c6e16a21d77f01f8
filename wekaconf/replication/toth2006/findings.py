"""Sentences about the results of Tóth and Pataki 2006, written from the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.base.naming import alternatives, enumeration
from wekaconf.replication._runner import Record, pick
from wekaconf.replication._study import Finding
from wekaconf.replication.toth2006.measurement import EXPERIMENTS, FILLED, LEFT_OUT, PRUNE_BY, Experiment
from wekaconf.replication.toth2006.tables import (
    count_without_rejection,
    figures_of_counts,
    has_printed_errors,
    mean,
    pick_described,
)

WORDS = {"error": "the error", "gini": "Gini's index"}


def findings(records: Sequence[Record]) -> Iterator[Finding]:
    """Sentences on every section that was measured."""
    planes = pick(records, part="section 3.1")
    seeds = sorted({record["seed"] for record in planes})
    told = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}" if seeds else ""
    drawn = f" Section 3.1: means over synthetic sets, {told} of each shape." * bool(told)
    yield Finding(
        "",
        "Trees of CART; the figures beside the published ones are on the rows that the tree was grown on, as in the "
        f"paper.{drawn}",
    )
    if planes:
        yield from _planes(planes)
    if pick(records, part="section 3.2"):
        yield from _as_described(records)
        yield Finding(
            "section 3.2",
            "What one tree attains: that of the sequence whose errors are nearest to the paper's, and the threshold "
            "that keeps the paper's share, so these two figures are chosen. Nothing is drawn: a figure has no "
            "repetitions, and is met only if it rounds to the printed one.",
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


def _as_described(records: Sequence[Record]) -> Iterator[Finding]:
    """What becomes of the experiments by the paper's own rule for the size of the tree."""
    for experiment in EXPERIMENTS:
        for prune_by in PRUNE_BY:
            seeds = pick_described(records, prune_by, experiment, FILLED)
            same = [record for record in seeds if has_printed_errors(record, experiment)]
            complete = pick_described(records, prune_by, experiment, LEFT_OUT)
            keep = f"{100 * experiment.keep:.0f} %"
            yield Finding(
                "section 3.2",
                f"{experiment.name.capitalize()}, pruned by {WORDS[prune_by]}: {len(same)} of {len(seeds)} seeds "
                f"choose a tree with the paper's {experiment.printed[0]:.0f} errors{_of_the_same(same)}. The largest "
                f"threshold that keeps {keep} of the correct answers rejects nothing at "
                f"{count_without_rejection(seeds)} seeds; with the rows left out that lack a cell, at "
                f"{count_without_rejection(complete)}.",
            )
    trees = {by: pick(pick(records, part="section 3.2", rows="sequence"), prune_by=by) for by in PRUNE_BY}
    for prune_by, sequence in trees.items():
        sizes = {record["wrong"]: record["leaves"] for record in sequence}
        with_tree = [f"{wrong} ({sizes[wrong]} leaves)" for wrong in (23, 33, 34) if wrong in sizes]
        yield Finding(
            "section 3.2",
            f"Of 23, 33 and 34 errors the sequence pruned by {WORDS[prune_by]} has {enumeration(with_tree)}.",
        )


def _of_the_same(same: Sequence[Record]) -> str:
    """What the trees with the paper's errors reject, and how many wrong answers they leave."""
    effects = sorted({(record["rejected"], record["answered_wrong"], record["answered"]) for record in same})
    told = [f"rejects {rejected} rows and leaves {wrong} wrong among {n}" for rejected, wrong, n in effects]
    return f", which {alternatives(told)}" if told else ""


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
