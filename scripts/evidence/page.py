"""docs/which-method.md: a table, a diagram and sentences per purpose, all of them computed from the records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evidence.figures import LEVEL, TWINS, Measured, Row, is_shown, measured
from evidence.records import BASE, Scheme, number
from evidence.study import MOST_SECONDS, OPEN, PLAIN, RIVALS_PART, SMOOTHED
from wekaconf.base.naming import counted, enumeration
from wekaconf.evaluation.statistics import holm, signed_rank
from wekaconf.experiments.advising.purposes import PURPOSES
from wekaconf.report.comparison.measures import WORDS, written
from wekaconf.report.comparison.sentences import p_text

COMBINED = "combined"
TERMS = "What the words mean: [terms](terms.md)."
MOST_NAMED = 3
"""Methods of a part that are named where it is missing."""


def page(rows: Sequence[Row], about: Mapping[str, Any]) -> str:
    """The page in Markdown.

    Parameters
    ----------
    rows : sequence of mapping
        See `evidence.records`.
    about : mapping
        How they were made: ``command``, ``versions``, perhaps a ``remark``, and ``missing``: for each part of the study
        that is not measured on all data sets its ``learner``, its ``methods``, and on how many ``data_sets``.
    """
    lines = [*_introduction(rows, about)]
    for purpose in PURPOSES.values():
        lines += _section(measured(rows, purpose))
    lines += [*_cost(measured(rows, PURPOSES["ranking"])), *_left_out(rows)]
    return "\n".join(lines) + "\n"


def _introduction(rows: Sequence[Row], about: Mapping[str, Any]) -> Iterator[str]:
    sets = {row["data_set"]: row for row in rows}
    sizes = sorted(int(row["n_instances"]) for row in sets.values())
    yield "# Which method?\n"
    yield f"{TERMS}\n"
    if not any(row["method"].startswith(COMBINED) for row in rows):
        yield (
            f"**Try `{COMBINED}` first.** It learns from five methods on one tree how likely each answer is right. On "
            "data sets that had no part in its design it separates right from wrong answers better than each method "
            "alone: [how it was judged](combined.md). The study on this page is older and does not contain it.\n"
        )
    yield (
        f"The study puts every method on trees of several learners beside what a user would pick instead, on the same "
        f"folds of {len(sets)} UCI data sets of {sizes[0]} to {sizes[-1]} instances (median {sizes[len(sizes) // 2]}). "
        "A command writes this page from [records](records/which-method.csv) of every figure. "
        "For your own data, `wekaconf advise DATA` measures the methods and recommends one.\n"
    )
    if missing := about["missing"]:
        yield (
            f"**The study is not finished**: still to be measured are {'; '.join(map(_lacking, missing))}. "
            "What follows holds for what has been measured so far.\n"
        )
    yield (
        "One 10-fold cross-validation per data set, Weka's folds with seed 1; for unknown classes half of the classes, "
        "drawn with seed 1, are left out of training. Figures are means over the folds. *v / /\\** counts the data "
        "sets on which a method is significantly better than the plain J48 tree, neither, or significantly worse "
        f"(corrected resampled t-test, two-sided, level {LEVEL:g} for each test by itself). *p* is that of Wilcoxon's "
        "signed-rank test against the plain J48 tree over the data sets, Holm-corrected for the rows of the table. "
        "No method sees the class that it answers for.\n"
    )
    if twins := [name for name in sets if name in TWINS]:
        yield (
            "Tests over data sets take them as independent. Sets that share instances with another one, or are its "
            f"other half, are therefore in the records only: {', '.join(sorted(twins))}.\n"
        )
    yield (
        "Unless a row names a learner, the method reads trees of J48, Weka's C4.5. The last rows in the records are "
        "rivals from their own packages: scikit-learn's `CalibratedClassifierCV` (sigmoid, isotonic), `venn-abers` and "
        "`crepes` (conformal prediction: confidence and credibility as certainty) around the same J48; hierarchical "
        "shrinkage of `imodels`; scikit-learn's random forest and histogram gradient boosting. J48 reads nominal and "
        "missing values itself, and so does gradient boosting; for the other two, nominal attributes are one-hot and "
        "missing numbers the median of the training rows. Every seed is 1, and every parameter at its default.\n"
    )
    environment = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    yield f"Made with {environment} by\n"
    yield "<!-- not run: it takes hours on one core -->"
    yield f"```sh\n{about['command']}\n```\n"
    if remark := about.get("remark"):
        yield f"{remark}\n"


def _lacking(part: Mapping[str, Any]) -> str:
    methods = part["methods"]
    names = f"{len(methods)} methods" if len(methods) > MOST_NAMED else enumeration([f"`{name}`" for name in methods])
    return f"{names} on {part['learner']} for {counted(part['data_sets'], 'data set')}"


def _section(found: Measured) -> Iterator[str]:
    measure = found.purpose.measure
    yield f"## For {found.purpose.title}\n"
    if len(found.data_sets) < 2:
        yield "Too few data sets have been measured.\n"
        return
    direction = "smaller" if found.worth < 0 else "larger"
    yield f"The {WORDS[measure]}, {direction} is better; {len(found.data_sets)} data sets.\n"
    for sentence in _sentences(found):
        yield f"* {sentence}"
    yield ""
    yield f"![Mean ranks, with the critical difference](assets/which-method/{found.purpose.name}.svg)\n"
    yield from _table(found)
    yield ""


def _table(found: Measured) -> Iterator[str]:
    measures = found.purpose.measures
    ranked, family = found.ranked(), found.family()
    ranks = dict(zip(ranked, found.ranks().mean_ranks, strict=True))
    others = [each for each in family if each != BASE]
    p_values = found.against(BASE, others)
    yield f"| method | mean rank | {' | '.join(WORDS[name] for name in measures)} | sets | v / /* | p |"
    yield f"|---|{'---:|' * (len(measures) + 4)}"
    for each in sorted(family, key=lambda each: ranks.get(each, math.inf)):
        n = int(np.isfinite(found.means[each]).sum())
        figures = [written(name, found.over_sets(each, name)) for name in measures]
        rank = f"{ranks[each]:.2f}" if each in ranks else "–"
        marks, p_value = "", ""
        if each != BASE:
            marks = "/".join(map(str, found.wins(each)))
            p_value = p_text(p_values[each][1]).removeprefix("p = ").removeprefix("p ")
        yield f"| {_name(each)} | {rank} | {' | '.join(figures)} | {n} | {marks} | {p_value} |"


def _name(scheme: Scheme) -> str:
    if scheme == BASE:
        return "**the plain tree** (`leaf_frequency`)"
    if scheme.learner == RIVALS_PART:
        return f"*{scheme.method}*"
    return f"`{scheme.method}`" + ("" if scheme.learner == "J48" else f" on {scheme.learner}")


def _sentences(found: Measured) -> Iterator[str]:
    """What the tests over the data sets say."""
    family = found.family()
    own = [each for each in family if each.learner != RIVALS_PART and each != BASE and each.method != PLAIN]
    ranked, test = found.ranked(), found.ranks()
    order = np.argsort(test.mean_ranks, kind="stable")
    best = [f"{_name(ranked[i])} ({test.mean_ranks[i]:.2f})" for i in order[:3]]
    yield (
        f"Best mean ranks over the {test.n_sets} data sets on which all {len(ranked)} ranked methods have a value: "
        f"{', '.join(best)}. Friedman's test {'finds' if test.p_value <= LEVEL else 'does not find'} a difference "
        f"({p_text(test.p_value)}); the critical difference of Nemenyi's test is {test.critical_difference:.2f}."
    )
    rows = [each for each in family if each != BASE]
    if 2.0 ** (1 - len(found.data_sets)) * len(rows) > LEVEL:
        yield (
            f"{len(found.data_sets)} data sets are too few for Wilcoxon's test, corrected for {len(rows)} methods, to "
            "find any difference: *none* and *no difference found* say nothing here."
        )
    yield _split("the plain J48 tree", found.against(BASE, rows), f"Holm-corrected for {len(rows)} methods")
    smoothed = Scheme("J48", SMOOTHED)
    if smoothed in found.means and smoothed in family:
        others = [each for each in own if each != smoothed]
        yield (
            "Our methods beside Laplace's correction, which costs nothing. "
            + _split("the smoothed J48 tree", found.against(smoothed, others), f"corrected for {len(others)} methods")
        )
    rivals = [each for each in family if each.learner == RIVALS_PART]
    if own and rivals:
        places = {each: i for i, each in enumerate(ranked)}
        champion = min((each for each in own if each in places), key=lambda each: test.mean_ranks[places[each]])
        yield (
            f"Against {_name(champion)}, the best of our methods by mean rank (chosen after the fact, which flatters "
            f"it). {_split('it', found.against(champion, rivals), f'corrected for {len(rivals)} rivals')}"
        )
    yield _other_learners(found)


def _split(base: str, against: Mapping[Scheme, tuple[float, float]], how: str) -> str:
    """Which methods are better and worse than a base."""
    better = [_with_p(each, p) for each, (effect, p) in against.items() if p <= LEVEL and effect > 0]
    worse = [_with_p(each, p) for each, (effect, p) in against.items() if p <= LEVEL and effect < 0]
    n_neither = len(against) - len(better) - len(worse)
    parts = [f"Significantly better than {base}: {', '.join(better) or 'none'}", f"worse: {', '.join(worse) or 'none'}"]
    return f"{'; '.join(parts)}; no difference found for {n_neither or 'none'} (Wilcoxon over the data sets, {how})."


def _with_p(scheme: Scheme, p_value: float) -> str:
    return f"{_name(scheme)} ({p_text(p_value)})"


def _other_learners(found: Measured) -> str:
    """On which other learners the methods help."""
    pairs = [
        (each, Scheme(each.learner, PLAIN))
        for each in found.means
        if each.learner not in ("J48", RIVALS_PART) and each.method != PLAIN and not found.is_plain(each)
    ]
    pairs = [(each, plain) for each, plain in pairs if plain in found.means]
    tests = [signed_rank(found.worth * found.means[each], found.worth * found.means[plain]) for each, plain in pairs]
    corrected = holm([test.p_value for test in tests])
    better: dict[str, list[str]] = {plain.learner: [] for _, plain in pairs}
    n_worse: Counter[str] = Counter()
    for (each, plain), test, p_value in zip(pairs, tests, corrected, strict=True):
        if p_value <= LEVEL and test.effect > 0:
            better[plain.learner].append(f"`{each.method}`")
        elif p_value <= LEVEL:
            n_worse[plain.learner] += 1
    told = [
        f"{learner}: {', '.join(names) or 'none'}" + (f" ({n_worse[learner]} worse)" if n_worse[learner] else "")
        for learner, names in better.items()
    ]
    return (
        "Better than the plain tree of their own learner, on other learners (Wilcoxon, Holm-corrected for all "
        f"{len(pairs)} pairs): {'; '.join(told)}."
    )


def _cost(found: Measured) -> Iterator[str]:
    yield "## What it costs\n"
    yield (
        "Processor time on the first fold: to grow the tree and fit the method, and to answer; for a rival both "
        "together. Medians over the data sets, in milliseconds.\n"
    )
    yield "| method | grow and fit | answer |\n|---|---:|---:|"
    for each in filter(is_shown, found.means):
        columns = [
            [number(row, name) for (_, scheme), row in found.rows.items() if scheme == each]
            for name in ("fit_seconds", "answer_seconds")
        ]
        texts = [f"{1000 * np.nanmedian(column):.1f}" if np.isfinite(column).any() else "–" for column in columns]
        yield f"| {_name(each)} | {' | '.join(texts)} |"
    yield ""


def _left_out(rows: Sequence[Row]) -> Iterator[str]:
    yield "## What was left out\n"
    two = len({row["data_set"] for row in rows if "two classes" in row["left_out"]})
    yield (
        "ConfDTree's variants and the methods that take a single tree were not measured on RandomForest; TPCE and "
        f"Kukar and Kononenko's reliability read trees of info_gain alone. A group of methods on a data set was given "
        f"up after {MOST_SECONDS:g} s of processor time.\n"
    )
    if two:
        yield f"* {two} data sets have two classes, so none can be left out as unknown."
    counts = Counter(
        str(Scheme(row["learner"], row["method"])) + (" (unknown classes)" if row["protocol"] == OPEN else "")
        for row in rows
        if row["left_out"] and "two classes" not in row["left_out"]
    )
    for scheme, n in sorted(counts.items(), key=lambda item: -item[1]):
        yield f"* {scheme}: not measured on {n} data set{'s' if n > 1 else ''}; the records say why."
