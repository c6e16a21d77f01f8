"""docs/records/which-method.md: tables, a diagram and sentences per purpose, all of them computed from the records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from _records import FOLDER, SUMMARIES, unpack
from _tables import table

from evidence.figures import (
    ASKING_OTHERS,
    BOOSTING,
    DEPENDENT,
    LARGE,
    LEVEL,
    Measured,
    Pair,
    Row,
    Verdict,
    all_measured,
    is_shown,
    measured,
    verdicts,
)
from evidence.measuring.study import CLOSED, MOST_CELLS, MOST_SECONDS, OPEN, RIVALS_PART, is_repeated
from evidence.records import BASE, N_CORES, N_FOLDS, Scheme, hours, number, without
from evidence.spread import Spread
from wekaconf.base.naming import counted, enumeration
from wekaconf.experiments.advising._candidates import PURPOSES
from wekaconf.experiments.advising._rivals import INNER_FOLDS, SEED
from wekaconf.model.scheme import parse_method, usual_learner
from wekaconf.report.comparison._measures import WORDS, value_text
from wekaconf.report.comparison._sentences import p_text

Verdicts = Mapping[Pair, Verdict]
CHANCE = 0.5
"""The AUC of equal probabilities."""
SECOND_OPINION = "second_opinion"
DESIGN = FOLDER / "second-opinion-design.csv.gz"
"""What `second_opinion` did on the data sets that it was designed on."""
MOST_NAMED = 3
"""Methods of a part that are named where it is missing."""


def page(rows: Sequence[Row], about: Mapping[str, Any], tuned: str = "") -> str:
    """The page in Markdown.

    Parameters
    ----------
    rows : sequence of mapping
        See `evidence.records`.
    about : mapping
        How they were made: ``command``, ``versions``, perhaps a ``remark``, and ``missing``: for each part of the study
        that is not measured on all data sets its ``learner``, its ``methods``, the ``seeds``, and on how many
        ``data_sets``; the ``spread``, see `evidence.spread`; and perhaps ``only``: the ``command`` and the ``versions``
        of each method that was measured by itself.
    tuned : str
        The section on tuned parameters.
    """
    found = all_measured(rows)
    tested = verdicts(found)
    only = about.get("only", {})
    lines = [*_summary(found, tested, only), *_introduction(rows, about, _how_tested(found, tested, bool(tuned)))]
    lines += _seeds(found, without(only, rows), [Spread(**each) for each in about["spread"]])
    for each in found:
        lines += _section(each, tested)
    lines += [tuned] if tuned else []
    lines += [*_cost(measured(rows, PURPOSES["ranking"])), *_left_out(rows, only)]
    return "\n".join(lines) + "\n"


def _summary(found: Sequence[Measured], tested: Verdicts, only: Collection[str]) -> Iterator[str]:
    """Who wins for which purpose."""
    yield "# The study of methods\n"
    if found:
        yield f"{winners(found, tested)}\n"
        yield f"{ensembles(found, tested)}{_uncounted(found)}\n"
    if SECOND_OPINION in only:
        yield f"{designed_here(found)}\n"


def winners(found: Sequence[Measured], tested: Verdicts) -> str:
    """The table of the best schemes per purpose, beside the ensembles."""
    forests = list(dict.fromkeys(forest for each in found for forest in each.forests))
    body = [_winners(each, forests, tested) for each in found]
    return table(
        ["for", "best mean rank", "best on one tree", *(f"{name_of(one)}: better, worse" for one in forests)], body
    )


def designed_here(found: Sequence[Measured]) -> str:
    """On how many of the data sets `second_opinion` was designed."""
    sets = {name for each in found for name in each.data_sets}
    n_design = len(sets & {row["data_set"] for row in unpack(DESIGN)})
    return (
        f"[`{SECOND_OPINION}`](../second-opinion.md) was measured with the first seed alone. It was designed on "
        f"{n_design} of the {len(sets)} data sets of the tests, which flatters its ranks; its page judges it on others."
    )


def _winners(found: Measured, forests: Sequence[Scheme], tested: Verdicts) -> list[str]:
    """A purpose, its best schemes, and than how many schemes on one tree each forest is better, and worse."""
    signs = [Counter(_signs(found, forest, tested)) for forest in forests]
    return [
        found.purpose.title,
        with_rank(found, next(iter(found.mean_ranks))),
        ", ".join(with_rank(found, each) + _caveat(found, each, tested) for each in found.best_on_one_tree),
        *(f"{each[1]}, {each[-1]} of {each.total()}" for each in signs),
    ]


def _caveat(found: Measured, scheme: Scheme, tested: Verdicts) -> str:
    """What a good mean rank does not show."""
    is_better = scheme == BASE or tested[Pair(found.purpose.name, scheme, BASE)].sign > 0
    return "" if is_better else ", not shown to be better than the plain tree"


def _signs(found: Measured, forest: Scheme, tested: Verdicts) -> list[int]:
    """Whether a forest is significantly better than each scheme on one tree; empty where it was not measured."""
    if forest not in found.forests:
        return []
    return [tested[Pair(found.purpose.name, forest, each)].sign for each in found.one_tree]


def ensembles(found: Sequence[Measured], tested: Verdicts) -> str:
    """Where forests and boosting stand beside schemes on one tree."""
    above = [
        f"{name_of(one, each)} than {name_of(forest)} for {each.purpose.title}"
        for each in found
        for forest in each.forests
        for one, sign in zip(each.one_tree, _signs(each, forest, tested), strict=True)
        if sign < 0
    ]
    none = "No method on one tree is significantly better than an ensemble"
    return (
        "The last columns count methods on one tree, plain trees included: how many an ensemble beats significantly, "
        f"how many beat it, and how many there are. {'Significantly better: ' + '; '.join(above) if above else none}. "
        f"Three of these methods, {enumeration([f'`{name}`' for name in ASKING_OTHERS])}, also ask other trees or "
        "models; if one of them is best, the best of the others stands beside it."
    )


def _uncounted(found: Sequence[Measured]) -> str:
    """On trees of which learners methods are tested only against the plain trees."""
    elsewhere = dict.fromkeys(
        scheme.learner for each in found for scheme, _ in each.on_other_learners() if not is_shown(scheme)
    )
    if not elsewhere:
        return ""
    return (
        f" Methods on trees of {enumeration(list(elsewhere))} are neither ranked nor counted here; below, they are "
        "tested against the plain trees of their own learners."
    )


def _introduction(rows: Sequence[Row], about: Mapping[str, Any], how_tested: str) -> Iterator[str]:
    sets = {row["data_set"]: row for row in rows}
    sizes = sorted(int(row["n_instances"]) for row in sets.values())
    yield "## The study\n"
    yield (
        f"The study puts every method on trees of several learners beside what a user would pick instead, on the same "
        f"folds of {len(sets)} UCI data sets of {sizes[0]} to {sizes[-1]} instances (median {sizes[len(sizes) // 2]}). "
        "A command writes this page from [records](which-method.csv.gz) of every figure. "
        "For your own data, `wekaconf advise DATA` measures the methods and recommends one.\n"
    )
    if missing := about["missing"]:
        yield (
            f"**The study is not finished**: still to be measured are {'; '.join(map(_lacking, missing))}. "
            "What follows holds for what has been measured so far.\n"
        )
    n_seeds = _most_seeds(rows)
    if n_seeds == 1:
        cross_validated = (
            "One 10-fold cross-validation per data set, Weka's folds with seed 1; for unknown classes half of the "
            "classes, drawn with seed 1, are left out of training. Figures are means over the folds."
        )
    else:
        cross_validated = (
            f"10-fold cross-validations with up to {n_seeds} seeds per data set ([how many where](#seeds)), on Weka's "
            "folds; for unknown classes half of the classes, drawn with the same seed, are left out of training. "
            "Figures are means over the folds of each seed, and then over the seeds."
        )
    yield (
        f"{cross_validated} *v / /\\** counts the data "
        "sets on which a method is significantly better than the plain J48 tree, neither, or significantly worse "
        f"(corrected resampled t-test{'' if n_seeds == 1 else ' over the folds of all seeds'}, two-sided, level "
        f"{LEVEL:g} for each test by itself). No method sees the class that it answers for.\n"
    )
    yield f"{how_tested}\n"
    if twins := [name for name in sets if name in DEPENDENT]:
        yield (
            "Tests over data sets take them as independent. Sets that share instances with another one, be it with "
            f"other classes, or are its other half, are therefore in the records only: {', '.join(sorted(twins))}.\n"
        )
    yield (
        "Unless a row names a learner, the method reads trees of J48, Weka's C4.5. C44 is C4.4, an unpruned J48 whose "
        "plain tree has Laplace's correction already. The last rows in the records are rivals from their own packages: "
        "scikit-learn's `CalibratedClassifierCV` (sigmoid, isotonic), `venn-abers` and `crepes` (conformal prediction: "
        "confidence and credibility as certainty) around J48; hierarchical shrinkage of `imodels`; scikit-learn's "
        "random forest and histogram gradient boosting. J48 reads nominal and missing values itself, and so does "
        "gradient boosting; for the other two, nominal attributes are one-hot and missing numbers the median of the "
        f"training rows. Every seed is {'1' if n_seeds == 1 else 'that of the folds'}, and every parameter at its "
        "default. "
        f"{_without_cuts(rows)}"
        f"Both calibrations and Venn-Abers put up to {INNER_FOLDS} trees together, each grown without a fold of the "
        "training rows, so what they gain is not calibration alone; they count as ensembles. Conformal prediction "
        "calibrates on a quarter of the training rows and leaves the probabilities as they are, so where only these "
        "count its row is a plain tree grown on three quarters.\n"
    )
    only = about.get("only", {})
    others = {name: _environment(each) for name, each in only.items() if each["versions"] != about["versions"]}
    also = "".join(f", `{name}` with {environment}," for name, environment in others.items())
    yield f"Made with {_environment(about)}{also} by\n"
    yield "<!-- not run: it takes hours on one core -->"
    yield "\n".join(["```sh", *(each["command"] for each in (about, *only.values())), "```\n"])
    if remark := about.get("remark"):
        yield f"{remark}\n"


def _environment(about: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {version}" for name, version in about["versions"].items())


def _without_cuts(rows: Sequence[Row]) -> str:
    """On how many small data sets gradient boosting makes no cut; where each fold has one class, no AUC tells."""
    sets = {
        row["data_set"]: int(row["n_instances"])
        for row in rows
        if row["protocol"] == CLOSED and row["data_set"] not in DEPENDENT and is_without_cuts(row)
    }
    if not sets:
        return ""
    return (
        "At its defaults gradient boosting leaves at least 20 training rows on either side of a cut: on "
        f"{counted(len(sets), 'data set')} of the tables, of up to {max(sets.values())} instances, it makes none, and "
        f"its AUC is {CHANCE} in every fold that defines one. "
    )


def is_without_cuts(row: Row) -> bool:
    """Whether a row is of gradient boosting that makes no cut: its AUC is 0.5, or no fold defines one."""
    return (row["method"], row["left_out"]) == (BOOSTING.method, "") and row["auc_weighted"] in ("", str(CHANCE))


def _lacking(part: Mapping[str, Any]) -> str:
    methods = part["methods"]
    names = f"{len(methods)} methods" if len(methods) > MOST_NAMED else enumeration([f"`{name}`" for name in methods])
    seeds = "" if part["seeds"] == [SEED] else f" (seeds {enumeration(list(map(str, part['seeds'])))})"
    return f"{names} on {part['learner']} for {counted(part['data_sets'], 'data set')}{seeds}"


def _most_seeds(rows: Sequence[Row]) -> int:
    return max(int(row["n_seeds"]) for row in rows)


def _seeds(found: Sequence[Measured], rows: Sequence[Row], spread: Sequence[Spread]) -> Iterator[str]:
    """How many seeds stand behind how many data sets, by what rule, and how far figures vary between seeds."""
    if (n_seeds := _most_seeds(rows)) == 1:
        return
    n_admitted = len({row["data_set"] for row in rows if is_repeated(row)})
    yield "## Seeds\n"
    yield (
        f"The seeds after the first are run on the data sets of at most {MOST_CELLS} instances times classes, which "
        f"admits {n_admitted}: a rule set before any second seed was run. By the processor time of the first folds, "
        f"the first seed takes {hours(rows, 1):.1f} hours on {N_CORES} cores, and all {n_seeds} take "
        f"{hours(rows, n_seeds):.1f}.\n"
    )
    for protocol, what in ((CLOSED, "all other purposes"), (OPEN, "unknown classes")):
        sets = {
            row["data_set"]: int(row["n_seeds"]) for row in rows if row["protocol"] == protocol and not row["left_out"]
        }
        tabled = Counter(n for name, n in sets.items() if name not in DEPENDENT)
        told = [
            f"{counted(n, 'seed')} behind {counted(m, 'data set')}, {tabled[n]} of them in the tests"
            for n, m in sorted(Counter(sets.values()).items(), reverse=True)
        ]
        yield f"* For {what}: {'; '.join(told) or 'none'}."
    yield (
        "\nA seed counts on a data set once everything is measured with it, and if the plain tree has values then.\n"
    )
    if not spread:
        return
    yield (
        "How far figures vary between seeds, for each method with several in the table at the top: per seed, the mean "
        "of the deciding measure over the data sets with the most seeds that have values of all methods of that "
        "purpose; below, the mean and the standard deviation of these means.\n"
    )
    of_purpose = {each.purpose.name: each for each in found}
    body, purposes = [], [each.purpose for each in spread]
    for i, each in enumerate(spread):
        purpose, means = of_purpose[each.purpose].purpose, np.array(each.means)
        name = name_of(Scheme(each.learner, each.method), of_purpose[each.purpose])
        written_mean = value_text(purpose.measure, means.mean())
        measure = WORDS[purpose.measure] if each.purpose not in purposes[:i] else ""
        body.append([measure, name, each.n_sets, written_mean, f"{means.std(ddof=1):.4f}"])
    yield table(["measure", "method", "data sets", "mean", "standard deviation between seeds"], body) + "\n"


def _how_tested(found: Sequence[Measured], tested: Verdicts, has_tuned: bool) -> str:
    """What p-values are."""
    if not tested:
        return "Too few data sets have been measured for a test."
    but_tuned = ", but for those of [tuned parameters](#tuned)" if has_tuned else ""
    text = (
        "All other tests of two methods are Wilcoxon's signed-rank tests over the data sets on which both have a "
        f"value, two-sided, **Holm-corrected for all {len(tested)} below together**{but_tuned}; *p* in a table "
        "is that against the plain J48 tree. Friedman's test and Nemenyi's critical difference are not corrected."
    )
    n_sets = max(len(each.data_sets) for each in found)
    if 2.0 ** (1 - n_sets) * len(tested) > LEVEL:
        return (
            f"{text} {n_sets} data sets are too few for any of them to find a difference: *none* and *no difference "
            "found* say nothing here."
        )
    return f"{text} Differences of 0 are left out first; up to 50 others of distinct sizes are tested exactly."


def _section(found: Measured, tested: Verdicts) -> Iterator[str]:
    measure, n_shared = found.purpose.measure, int(found.shared.sum())
    yield f"## For {found.purpose.title}\n"
    direction = "smaller" if found.worth < 0 else "larger"
    yield (
        f"The {WORDS[measure]}, {direction} is better. Means, ranks and *v / /\\** are over the {n_shared} of "
        f"{len(found.data_sets)} data sets on which all {len(found.ranked())} methods of the table have a value.\n"
    )
    for sentence in _sentences(found, tested):
        yield f"* {sentence}"
    if large := _on_large(found):
        yield f"* {large}"
    yield ""
    yield f"![Mean ranks, with the critical difference](../assets/which-method/{found.purpose.name}.svg)\n"
    yield from _table(found, tested)
    yield ""
    if "ece" in found.purpose.measures:
        yield f"{_of_calibration(found)}\n"
    yield from _pairwise(found, tested)


def _on_large(found: Measured) -> str:
    """What passes the leading methods on one tree where data sets with few instances are left out."""
    if not found.large_ranks:
        return ""
    clauses = [
        f"{name_of(each)} is passed by {enumeration([name_of(one) for one in passing])}"
        for each in found.best_on_one_tree
        if (passing := found.passed_by(each))
    ]
    return (
        f"Mean ranks on the {int(found.is_large.sum())} of these data sets with at least {LARGE} instances stand "
        f"beside: of the best on one tree {'; '.join(clauses) or 'none is passed by another'} there."
    )


def _of_calibration(found: Measured) -> str:
    """Why an expected calibration error over few instances is large."""
    sizes = [
        int(found.rows[name, BASE]["n_instances"])
        for name, is_shared in zip(found.data_sets, found.shared, strict=True)
        if is_shared
    ]
    return (
        "The expected calibration error is that of each fold, which on half of these data sets holds at most "
        f"{math.ceil(np.median(sizes) / N_FOLDS)} instances. Of so few, chance alone makes it large, even for "
        "probabilities that are exactly right, and larger the farther they are from 0 and 1. So it says neither "
        "how far a method is from being calibrated nor, by itself, which one is nearer."
    )


def _table(found: Measured, tested: Verdicts) -> Iterator[str]:
    measures = [(name, *found.over_shared(name)) for name in found.purpose.measures]
    n_shared = int(found.shared.sum())
    headings = [WORDS[name] if n == n_shared else f"{WORDS[name]} ({n} sets)" for name, _, n in measures]
    has_large = bool(found.large_ranks)
    large = f" at least {LARGE} instances |" if has_large else ""
    yield f"| method | mean rank |{large} {' | '.join(headings)} | v / /* | p |"
    yield f"|---|{'---:|' * (len(measures) + 3 + has_large)}"
    for each, rank in found.mean_ranks.items():
        figures = [value_text(name, means[each]) for name, means, _ in measures]
        marks, p_value = "", ""
        if each != BASE:
            marks, p_value = "/".join(map(str, found.wins(each))), p_of(tested[Pair(found.purpose.name, each, BASE)])
        large = f" {found.large_ranks[each]:.2f} |" if has_large else ""
        yield f"| {name_of(each, found)} | {rank:.2f} |{large} {' | '.join(figures)} | {marks} | {p_value} |"


def _pairwise(found: Measured, tested: Verdicts) -> Iterator[str]:
    """What was not measured on nearly all data sets, each beside others on its own."""
    base, measure = found.best_own, found.purpose.measure
    others = [BASE] if base is None else [BASE, base]
    if not (rest := [each for each in found.family() if each not in found.mean_ranks]):
        return
    beside = enumeration([name_of(one) for one in others])
    yield f"Measured on fewer data sets, so each beside {beside} on these alone:\n"
    body = []
    for each in rest:
        n, means = found.beside(each, others)
        p_values = [p_of(tested[Pair(found.purpose.name, each, one)]) for one in others]
        body.append([name_of(each), n, *(value_text(measure, mean) for mean in means), *p_values])
    names = ["plain tree", *map(name_of, others[1:])]
    yield table(["method", "sets", "its mean", *names, *(f"p against {name}" for name in names)], body) + "\n"


def p_of(verdict: Verdict) -> str:
    """A p-value in a table."""
    return p_text(verdict.p_value).removeprefix("p = ").removeprefix("p ")


def with_rank(found: Measured, scheme: Scheme) -> str:
    """A scheme on the page, with its mean rank."""
    return f"{name_of(scheme, found)} ({found.mean_ranks[scheme]:.1f})"


def name_of(scheme: Scheme, found: Measured | None = None) -> str:
    """A scheme in Markdown."""
    if scheme == BASE:
        return "**the plain tree** (`leaf_frequency`)"
    if scheme.learner == RIVALS_PART:
        return f"*{scheme.method if found is None else found.label(scheme)}*"
    return f"`{scheme.method}`" + ("" if scheme.learner == "J48" else f" on {scheme.learner}")


def _sentences(found: Measured, tested: Verdicts) -> Iterator[str]:
    """What the tests over the data sets say."""
    test, best = found.ranks(), [with_rank(found, each) for each in list(found.mean_ranks)[:3]]
    yield (
        f"Best mean ranks: {', '.join(best)}. Friedman's test {'finds' if test.p_value <= LEVEL else 'does not find'} "
        f"a difference ({p_text(test.p_value)}); the critical difference of Nemenyi's test is "
        f"{test.critical_difference:.2f}."
    )
    others = [each for each in found.family() if each != BASE]
    plain = [(each, BASE) for each in others]
    yield _split(found, tested, "Significantly better than the plain J48 tree", plain)
    if beside := found.beside_smoothed():
        better = "Of our methods significantly better than Laplace's correction of the same trees, which costs nothing"
        yield _split(found, tested, better, beside)
    if found.best_own is not None and found.rivals:
        rivals = [(each, found.best_own) for each in found.rivals]
        yield (
            f"{name_of(found.best_own)} is the best of our methods by mean rank (chosen after the fact, which flatters "
            f"it). {_split(found, tested, 'Of the rivals significantly better', rivals)}"
        )
    yield _other_learners(found, tested)
    if found.purpose.name == "foreign":
        told = (SUMMARIES / "open-sets" / "headline.txt").read_text(encoding="utf-8").strip()
        yield (
            f"A study with each class left out by itself and outlier detectors beside says: {told} "
            "([what notices unknown classes](../open-sets.md#what-notices-unknown-classes)). There, as without "
            f"`--learner`, `id3_sd` reads trees of `{' '.join(usual_learner(parse_method('id3_sd')))}`; here, of `J48`."
        )


def _split(found: Measured, tested: Verdicts, better_than: str, pairs: Sequence[tuple[Scheme, Scheme]]) -> str:
    """Which schemes are better and worse than their base."""
    of_sign: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for each, base in pairs:
        of_sign[tested[Pair(found.purpose.name, each, base)].sign].append(name_of(each, found))
    better, neither, worse = (of_sign[sign] for sign in (1, 0, -1))
    return (
        f"{better_than}: {', '.join(better) or 'none'}; worse: {', '.join(worse) or 'none'}; no "
        f"difference found for {len(neither) or 'none'} of {len(pairs)}."
    )


def _other_learners(found: Measured, tested: Verdicts) -> str:
    """On which other learners the methods help."""
    better: dict[str, list[str]] = {}
    n_worse: Counter[str] = Counter()
    for each, plain in found.on_other_learners():
        names, sign = better.setdefault(each.learner, []), tested[Pair(found.purpose.name, each, plain)].sign
        if sign > 0:
            names.append(f"`{each.method}`")
        n_worse[each.learner] += sign < 0
    told = [
        f"{learner}: {', '.join(names) or 'none'}" + (f" ({n_worse[learner]} worse)" if n_worse[learner] else "")
        for learner, names in better.items()
    ]
    return f"Better than the plain tree of their own learner, on other learners: {'; '.join(told) or 'none measured'}."


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
        yield f"| {name_of(each)} | {' | '.join(texts)} |"
    yield ""


def _left_out(rows: Sequence[Row], only: Collection[str]) -> Iterator[str]:
    yield "## What was left out\n"
    on_j48 = f", {enumeration([f'`{name}`' for name in only])} on those of J48" if only else ""
    two = len({row["data_set"] for row in rows if "two classes" in row["left_out"]})
    yield (
        "ConfDTree's variants and the methods that take a single tree were not measured on RandomForest; TPCE and "
        f"Kukar and Kononenko's reliability were measured on trees of info_gain alone{on_j48}. A group of methods on a "
        f"data set was given up after {MOST_SECONDS:g} s of processor time.\n"
    )
    if two:
        yield f"* {two} data sets have two classes, so none can be left out as unknown."
    counts = {
        protocol: Counter(
            name_of(Scheme(row["learner"], row["method"]))
            for row in rows
            if row["protocol"] == protocol and row["left_out"] and "two classes" not in row["left_out"]
        )
        for protocol in (CLOSED, OPEN)
    }
    for protocol, of_protocol in counts.items():
        if of_protocol:
            what = "Unknown classes" if protocol == OPEN else "All other purposes"
            told = ", ".join(f"{name} {n}" for name, n in of_protocol.most_common())
            yield f"* {what}, not measured on so many data sets (the records say why): {told}."
