"""The sentences and tables of docs/rejecting.md, from the rows of `records.read`."""

from __future__ import annotations

import re

import numpy as np
from _resampling import resampled
from _tables import table
from broken_promises.rivals import RULES
from scipy.stats import binom

from wekaconf.evaluation.statistics import holm

Row = dict[str, str]
Cells = dict[tuple[str, ...], Row]
GENERATED = ("generated", "costs")
"""The parts of generated data."""
ESTIMATE = "out of fold"
"""The rule without a promise."""
SELDOM, OFTEN = 0.1, 0.5
"""Shares of the draws in which a cell answers anything."""
FEWEST_ANSWERING = 20
"""Draws that answer anything with which a cell's share among them is told."""
NOTABLE = 0.01
"""The difference in coverage from which on a rival answers more."""


def verdict(found: list[Row]) -> str:
    """Whether a share of broken promises exceeds what is allowed, over all cells of generated data."""
    return _verdict([row for row in found if row["part"] in GENERATED])


def held(found: list[Row]) -> str:
    """The same over all cells of the real data."""
    return _verdict([row for row in found if row["part"] == "real" and row["rule"] != ESTIMATE])


def _verdict(found: list[Row]) -> str:
    delta = np.array([1 - float(row["confidence"]) for row in found])
    broken, draws = (np.array([int(row[name]) for row in found]) for name in ("broken", "draws"))
    p_values = holm(binom.sf(broken - 1, draws, delta))
    worst = int(np.argmax(broken / draws / delta))
    n_above = int((p_values < 0.001).sum())
    exceeds = "no share of broken promises is shown to exceed" if not n_above else f"{n_above} exceed"
    n_draws = " to ".join(dict.fromkeys((f"{draws.min():,}", f"{draws.max():,}")))
    return (
        f"In {len(found)} cells of {n_draws} draws, {exceeds} 1 − confidence (one-sided exact "
        f"tests, Holm over all cells, level .001; smallest p {p_values.min():.2g}). The largest share, compared with "
        f"what is allowed, is {100 * broken[worst] / draws[worst]:.2f} %, where {100 * delta[worst]:.0f} % are allowed."
    )


def generated(found: list[Row]) -> str:
    """Per learner, rule and confidence: the largest share of broken promises of a cell, and the mean coverage."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in sorted((row for row in found if row["part"] in GENERATED), key=lambda row: row["confidence"]):
        rule = re.sub(r" [\d\[].*", "", row["rule"])  # without the costs
        groups.setdefault((row["learner"], rule, row["confidence"]), []).append(row)
    learners = list(dict.fromkeys(row["learner"] for row in found))
    body: list[list[object]] = []
    for (learner, rule, confidence), cells in sorted(groups.items(), key=lambda item: learners.index(item[0][0])):
        shares = [100 * int(row["broken"]) / int(row["draws"]) for row in cells]
        coverage = "" if rule.endswith("bounds") else f"{100 * _mean_coverage(cells):.1f}"
        numbers = (f"{max(shares):.2f}", f"{np.mean(shares):.2f}", coverage)
        body.append([learner, rule, f"{100 * (1 - float(confidence)):.0f}", len(cells), *numbers])
    headings = ["learner", "rule", "allowed %", "cells", "broken %, worst cell", "broken %, mean", "coverage %, mean"]
    return table(headings, body)


def sets(found: list[Row]) -> str:
    """The real data sets."""
    names = sorted({row["data"] for row in found if row["part"] == "real"})
    return f"The {len(names)} sets are {', '.join(names[:-1])} and {names[-1]}."


def real(found: list[Row]) -> str:
    """Per rule, target and confidence: broken targets, and how much is answered, on the cells that all rules share."""
    found = [row for row in found if row["part"] == "real" and row["rule"] in ("promise", ESTIMATE)]
    rules: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    for row in found:
        rules.setdefault((row["target"], row["data"], row["method"]), set()).add((row["rule"], row["confidence"]))
    n_rules = max(map(len, rules.values()))
    found = [row for row in found if len(rules[row["target"], row["data"], row["method"]]) == n_rules]
    keys = sorted({(row["target"], row["rule"] != "promise", row["confidence"]) for row in found})
    body: list[list[object]] = []
    for target, is_estimate, confidence in keys:
        cells = [row for row in found if (row["target"], row["rule"] != "promise", row["confidence"])
                 == (target, is_estimate, confidence)]  # fmt: skip
        draws, broken, some = (sum(int(row[name]) for row in cells) for name in ("draws", "broken", "any"))
        rule = "out of fold, no promise" if is_estimate else f"promise, {100 * float(confidence):.0f} %"
        body.append([f"{100 * float(target):g} %", rule, len(cells), f"{100 * broken / max(some, 1):.1f}",
                     f"{100 * some / draws:.1f}", f"{100 * _mean_coverage(cells):.1f}"])  # fmt: skip
    return table(
        ["target", "rule", "cells", "missed, % of those that answer", "answer anything %", "coverage %, mean"], body
    )


def seldom(found: list[Row]) -> str:
    """What becomes of promises that answer seldom, and often, where they do answer."""
    surest = max(row["confidence"] for row in found)
    cells = [row for row in found if (row["part"], row["rule"], row["confidence"]) == ("real", "promise", surest)]
    draws, broken, some = (np.array([int(row[name]) for row in cells]) for name in ("draws", "broken", "any"))
    few, many = (some > 0) & (some < SELDOM * draws), some >= OFTEN * draws
    missed = [100 * broken[group].sum() / max(some[group].sum(), 1) for group in (few, many)]
    return (
        f"A promise is about all draws, and one that answers nothing keeps it. Of the cells with a confidence of "
        f"{100 * float(surest):.0f} %, {few.sum()} answer anything in fewer than {100 * SELDOM:.0f} % of their draws; "
        f"where they do, {missed[0]:.1f} % miss the target. Of the {many.sum()} that answer in at least half of their "
        f"draws, {missed[1]:.1f} % do."
    )


def given_answers(found: list[Row]) -> str:
    """By confidence: cells of the real data that miss more than allowed among the draws that answer anything."""
    body: list[list[object]] = []
    of_promises = {row["confidence"] for row in found if (row["part"], row["rule"]) == ("real", "promise")}
    for confidence in sorted(of_promises, reverse=True):
        cells = [
            (int(row["broken"]), int(row["any"]))
            for row in found
            if (row["part"], row["rule"], row["confidence"]) == ("real", "promise", confidence)
            and int(row["any"]) >= FEWEST_ANSWERING
        ]
        shares = [broken / some for broken, some in cells]
        allowed = 1 - float(confidence)
        above = sum(share > allowed + 1e-9 for share in shares)
        body.append([f"{100 * allowed:.0f} %", len(cells), above, f"{100 * np.mean(shares):.1f}",
                     f"{100 * max(shares):.1f}"])  # fmt: skip
    headings = ["allowed, of all draws", f"cells with at least {FEWEST_ANSWERING} draws that answer",
                "of these, more missed among the draws that answer", "missed among them, %, mean",
                "%, worst cell"]  # fmt: skip
    return table(headings, body)


def rivals(found: list[Row]) -> str:
    """Per confidence and rule over sets, methods and targets: missed targets, and how much is answered."""
    by_rule = _by_rule(found)
    body: list[list[object]] = []
    for confidence in sorted({row["confidence"] for row in by_rule["promise"].values()}):
        ours = 0.0
        for rule, all_cells in by_rule.items():
            cells = [row for row in all_cells.values() if row["confidence"] == confidence]
            missed, some = (
                np.array([int(row[name]) / int(row["draws"]) for row in cells]) for name in ("broken", "any")
            )
            coverage = _mean_coverage(cells)
            ours = coverage if rule == "promise" else ours
            allowed = f"{100 * (1 - float(confidence)):.0f}"
            body.append([allowed, rule, f"{100 * missed.mean():.2f}", f"{100 * missed.max():.1f}",
                         f"{100 * some.mean():.1f}", f"{100 * coverage:.1f}", _ratio(ours, coverage)])  # fmt: skip
    headings = ["allowed %", "rule", "missed %, mean", "missed %, worst cell", "answer anything %", "coverage %, mean",
                "ours ÷ theirs"]  # fmt: skip
    return table(headings, body)


def ratios(found: list[Row]) -> str:
    """Our mean coverage as a multiple of each rival's, and where a rival answers more."""
    by_rule = _by_rule(found)
    ours = by_rule.pop("promise")
    n_sets, draws = len({row["data"] for row in ours.values()}), next(iter(ours.values()))["draws"]
    lines = [
        f"Over {len(ours)} cells of {draws} draws, from {n_sets} sets, our mean coverage is "
        f"{100 * _mean_coverage(list(ours.values())):.1f} %.",
        "",
    ]
    for rule, theirs in by_rule.items():
        ratio = _ratio(_mean_coverage(list(ours.values())), _mean_coverage(list(theirs.values())))
        more = {key: float(theirs[key]["coverage"]) - float(row["coverage"]) for key, row in ours.items()}
        n_more, n_less = sum(one > NOTABLE for one in more.values()), sum(-one > NOTABLE for one in more.values())
        line = (
            f"* *{rule}*: ours is {ratio} times as much{_interval(ours, theirs)}; ours answers over a hundredth of the "
            f"population more in {n_less} cells, {rule} in {n_more}"
        )
        if n_more:
            data, method, target, confidence = most = max(more, key=lambda key: more[key])
            line += (
                f", most for {data}, `{method}`, a target of {100 * float(target):g} % and a confidence of "
                f"{100 * float(confidence):g} %: {100 * float(theirs[most]['coverage']):.1f} % where ours answers "
                f"{100 * float(ours[most]['coverage']):.1f} %"
            )
        lines.append(f"{line}.")
    return "\n".join(lines)


def _by_rule(found: list[Row]) -> dict[str, Cells]:
    """The cells of each rule of the part on rivals, by set, method, target and confidence."""
    by_rule: dict[str, Cells] = {rule: {} for rule in RULES}
    for row in found:
        if row["part"] == "rivals":
            by_rule[row["rule"]][row["data"], row["method"], row["target"], row["confidence"]] = row
    return by_rule


def _mean_coverage(cells: list[Row]) -> float:
    return float(np.mean([float(row["coverage"]) for row in cells]))


def _interval(ours: Cells, theirs: Cells) -> str:
    """The interval of the ratio of mean coverages over resampled data sets."""
    names = sorted({key[0] for key in ours})
    sums = np.array([
        [sum(float(row["coverage"]) for key, row in cells.items() if key[0] == name) for cells in (ours, theirs)]
        for name in names
    ])  # fmt: skip
    picks = resampled(len(names))
    own, other = np.moveaxis(sums[picks].sum(axis=1), -1, 0)
    if not (other > 0).all():
        return ""
    low, high = np.quantile(own / other, (0.025, 0.975))
    return f" (95 % interval over the sets {low:.2f} to {high:.2f})"


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.2f}" if theirs > 0 else "∞"
