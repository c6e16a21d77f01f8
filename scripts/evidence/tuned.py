"""The section on tuned parameters of docs/which-method.md, and the records that it is computed from."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from _tables import table

from evidence.figures import LEAST_SHARE, LEVEL, Measured, Row, Verdict, measured
from evidence.page import is_without_cuts, name_of, p_of, with_rank
from evidence.records import FACTS, N_CORES, N_FOLDS, Scheme, number, numbers, text_of
from evidence.tuning.grids import GRIDS, J48
from evidence.tuning.nested import INNER_FOLDS, MEASURES, MOST_INSTANCES, MOST_SECONDS, N_SETS
from wekaconf.base.naming import counted, enumeration
from wekaconf.base.parameters import written as as_typed
from wekaconf.evaluation.statistics import PairedTest, holm, paired_t, signed_rank
from wekaconf.evaluation.summary import mean_of
from wekaconf.experiments.advising.purposes import PURPOSES
from wekaconf.experiments.advising.rivals import SEED
from wekaconf.report.comparison.measures import WORDS, written
from wekaconf.report.comparison.sentences import p_text

DEFAULTS, TUNED = "defaults", "tuned"
COLUMNS = (
    *FACTS,
    "n_seeds",
    "parameters",
    *MEASURES,
    *(f"{name}.{what}" for name in MEASURES for what in ("gain", "p", "chosen")),
    "seconds",
    "left_out",
)
"""Two rows per data set and scheme, of which ``parameters`` says "defaults" or "tuned"; both are over the same folds.

``gain`` is the mean difference of the tuned scheme from itself at its defaults, ``p`` the p-value of the corrected
resampled t-test; ``chosen`` holds how many folds chose which parameters, in JSON. ``seconds`` is the processor time of
both together.
"""


def compact(records: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The rows of the records of `evidence.tuning.nested.TunedPart`, with the `COLUMNS`; empty without a number."""
    return [row for record in records for row in _rows(record)]


def _rows(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    facts = dict.fromkeys(COLUMNS, "") | {name: str(record[name]) for name in FACTS} | {"n_seeds": "1"}
    if record["left_out"] is not None:
        for parameters in (DEFAULTS, TUNED):
            yield facts | {"parameters": parameters, "left_out": record["left_out"]}
        return
    facts["seconds"] = text_of(record["seconds"], 3)
    of_measures = {
        name: {what: numbers(values) for what, values in record["values"][name].items()} for name in MEASURES
    }
    for parameters in (DEFAULTS, TUNED):
        means = {name: text_of(mean_of(values[parameters])) for name, values in of_measures.items()}
        yield facts | {"parameters": parameters} | means | (_choice(record, of_measures) if parameters == TUNED else {})


def _choice(record: Mapping[str, Any], of_measures: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    row: dict[str, str] = {}
    for name, values in of_measures.items():
        test = paired_t(values[TUNED], values[DEFAULTS], test_train_ratio=record["test_train_ratio"])
        chosen = Counter(map(_typed, record["chosen"][name]))
        row |= {f"{name}.gain": text_of(test.effect), f"{name}.p": text_of(test.p_value, 3)}
        row[f"{name}.chosen"] = json.dumps(dict(chosen.most_common()))
    return row


def _typed(parameters: Mapping[str, Any]) -> str:
    """Parameters as they are typed, the learner first."""
    learner = [parameters["learner"]] if "learner" in parameters else []
    return ", ".join([*learner, *(f"{k}={as_typed(v)}" for k, v in parameters.items() if k != "learner")])


class Both(NamedTuple):
    """The figures of one purpose with chosen parameters, and at the defaults."""

    tuned: Measured
    defaults: Measured

    def test(self, scheme: Scheme, base: Scheme | None) -> PairedTest:
        """Wilcoxon's test of a tuned scheme against another one, or against itself at its defaults."""
        if base is not None:
            return self.tuned.test(scheme, base)
        worth = self.tuned.worth
        return signed_rank(worth * self.tuned.means[scheme], worth * self.defaults.means[scheme])

    def pairs(self) -> list[tuple[Scheme, Scheme | None]]:
        """Each tuned scheme with itself at its defaults, and the forests and boosting with what reads one tree."""
        ours = [(each, None) for each in self.tuned.family()]
        return [*ours, *((forest, each) for forest in self.tuned.forests for each in self.tuned.one_tree)]


Verdicts = Mapping[tuple[str, Scheme, Scheme | None], Verdict]
Counts = Mapping[tuple[str, Scheme], Counter[int]]
"""By purpose and ensemble, how many tuned schemes on one tree it is significantly better than (1), neither, worse."""


def figures(rows: Sequence[Row]) -> list[Both]:
    """The figures of each purpose that has any on more than one data set."""
    of_parameters = {what: [row for row in rows if row["parameters"] == what] for what in (TUNED, DEFAULTS)}
    purposes = [purpose for purpose in PURPOSES.values() if purpose.measure in MEASURES]
    found = [Both(*(measured(some, purpose) for some in of_parameters.values())) for purpose in purposes]
    return [each for each in found if len(each.tuned.data_sets) > 1]


def verdicts(found: Iterable[Both]) -> Verdicts:
    """The tests of all pairs of all purposes, Holm-corrected together."""
    tests = {(each.tuned.purpose.name, *pair): each.test(*pair) for each in found for pair in each.pairs()}
    corrected = holm([test.p_value for test in tests.values()]).tolist()
    return {key: Verdict(test.effect, p) for (key, test), p in zip(tests.items(), corrected, strict=True)}


def section(rows: Sequence[Row], about: Mapping[str, Any]) -> str:
    """The section in Markdown; empty without rows.

    Parameters
    ----------
    rows : sequence of mapping
        With the `COLUMNS`.
    about : mapping
        How they were made: ``command``, ``versions`` and ``missing``, see `evidence.page.page`.
    """
    found = figures(rows)
    if not found:
        return ""
    tested = verdicts(found)
    uncut = _uncut(rows)
    cut = figures([row for row in rows if row["data_set"] not in uncut]) if uncut else []
    on_cut = _counts(cut, verdicts(cut))
    lines = ["## Tuned\n", *_summary(found, tested), *_introduction(rows, about, len(tested))]
    if on_cut:
        lines.append(_without(uncut))
    lines += _grids()
    for each in found:
        lines += _purpose(each, tested, on_cut)
    return "\n".join([*lines, *_left_out(rows)])


def _uncut(rows: Iterable[Row]) -> dict[str, int]:
    """The data sets on which tuned gradient boosting makes no cut, and their sizes."""
    return {
        row["data_set"]: int(row["n_instances"]) for row in rows if row["parameters"] == TUNED and is_without_cuts(row)
    }


def _counts(found: Iterable[Both], tested: Verdicts) -> Counts:
    return {
        (each.tuned.purpose.name, forest): Counter(
            _sign(each, tested, *pair) for pair in each.pairs() if pair[0] == forest and pair[1] is not None
        )
        for each in found
        for forest in each.tuned.forests
    }


def _without(uncut: Mapping[str, int]) -> str:
    sizes = sorted(uncut.values())
    return (
        f"On {counted(len(uncut), 'data set')} of {sizes[0]} to {sizes[-1]} instances gradient boosting makes no cut, "
        "tuned or not. How forests and boosting do without these sets, by the same tests, corrected together, was "
        "looked at after the fact.\n"
    )


def _summary(found: Sequence[Both], tested: Verdicts) -> Iterator[str]:
    for each in found:
        signs = Counter(_sign(each, tested, *pair) for pair in each.pairs() if pair[1] is None)
        best = with_rank(each.tuned, next(iter(each.tuned.mean_ranks)))
        on_one_tree = enumeration([with_rank(each.tuned, scheme) for scheme in each.tuned.best_on_one_tree])
        yield (
            f"* For {each.tuned.purpose.title}, tuning makes {signs[1]} of {signs.total()} schemes significantly "
            f"better and {signs[-1]} worse; best of the tuned by mean rank: {best}, on one tree {on_one_tree}."
        )
    yield ""


def _introduction(rows: Sequence[Row], about: Mapping[str, Any], n_tests: int) -> Iterator[str]:
    sets = {row["data_set"]: int(row["n_instances"]) for row in rows}
    if missing := about["missing"]:
        most = max(part["data_sets"] for part in missing)
        yield (
            f"**This part of the study is not finished**: still to be measured are {counted(len(missing), 'scheme')} "
            f"on up to {counted(most, 'data set')}.\n"
        )
    yield (
        f"Methods and rivals of the study, on {counted(len(sets), 'data set')} of {min(sets.values())} to "
        f"{max(sets.values())} instances, with their parameters chosen by nested cross-validation. Drawn were, of the "
        f"data sets of at most {MOST_INSTANCES} instances, sets that share instances counted once, the {N_SETS} whose "
        f"names have the largest SHA-256: a rule set before anything was tuned.\n"
    )
    yield (
        f"The outer folds are the {N_FOLDS} of the study with seed {SEED}. Inside each training part a stratified "
        f"{INNER_FOLDS}-fold cross-validation asks every candidate, and the one with the best mean of the measure that "
        "decides for the purpose answers for the test fold; of equal ones the first, so the defaults win ties. *Most "
        "chosen* is the candidate that most folds of all data sets chose, with its share of the folds. Methods and "
        "rivals are chosen on the same folds in the same way. Unknown classes have no part here: inside a training "
        "part none are to be noticed.\n"
    )
    yield (
        f"Tests are Wilcoxon's signed-rank tests over the data sets on which both have a value, two-sided, "
        f"**Holm-corrected for all {n_tests} of this section together**; *p* is that of a tuned scheme against itself "
        "at its defaults, on the same folds. Tuned schemes on one tree are tested neither against one "
        "another nor against the plain tree: that one of them has the best mean rank does not show that it is better. "
        "*v / /\\** counts the data sets on which tuning is significantly better, "
        f"neither, or worse (corrected resampled t-test, level {LEVEL:g} for each test by itself). So few data sets "
        "and so many tests find large differences alone: where none is found, there may be one."
    )
    n_sets = len(sets)
    if 2.0 ** (1 - n_sets) * n_tests > LEVEL:
        yield (
            f"{n_sets} data sets are too few for any test over them to find a difference: *none* and *no difference "
            "found* say nothing here."
        )
    seconds = {
        (row["data_set"], row["learner"], row["method"]): number(row, "seconds") for row in rows if row["seconds"]
    }
    environment = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    yield (
        f"\nWhat is measured took {sum(seconds.values()) / 3600 / N_CORES:.1f} hours on {N_CORES} cores, by processor "
        f"time. [Records](records/which-method-tuned.csv.gz) made by `{about['command']}` with {environment}.\n"
    )


def _grids() -> Iterator[str]:
    schemes: dict[str, list[str]] = defaultdict(list)
    for scheme, grid in GRIDS.items():
        schemes["; ".join(_values(*item) for item in grid.items())].append(name_of(scheme))
    yield (
        "What is chosen from, all combinations of a row; the first of each is the default. Grids are small: where "
        "*most chosen* names the smallest or the largest number of a row, one beyond it might do better."
    )
    yield f"*Trees of J48* are {enumeration([f'`{each}`' for each in J48])}.\n"
    yield table(["candidates", "schemes"], [[grid, ", ".join(names)] for grid, names in schemes.items()]) + "\n"


def _values(name: str, values: Sequence[Any]) -> str:
    if values == J48:
        return "trees of J48"
    return ("" if name == "learner" else f"{name} ") + ", ".join(f"`{as_typed(value)}`" for value in values)


def _purpose(found: Both, tested: Verdicts, on_cut: Counts) -> Iterator[str]:
    chosen, purpose = found.tuned, found.tuned.purpose
    direction = "smaller" if chosen.worth < 0 else "larger"
    yield f"### Tuned for {purpose.title}\n"
    yield (
        f"The {WORDS[purpose.measure]}, {direction} is better. Means and ranks are over the {int(chosen.shared.sum())} "
        f"of {len(chosen.data_sets)} data sets on which all {len(chosen.ranked())} schemes of the table have a value.\n"
    )
    yield from (f"* {sentence}" for sentence in _sentences(found, tested, on_cut))
    yield ""
    body = [_line(found, tested, each, rank) for each, rank in chosen.mean_ranks.items()]
    yield table(["scheme", "mean rank", "tuned", "at defaults", "v / /*", "p", "most chosen"], body) + "\n"
    rest = [each for each in chosen.family() if each not in chosen.mean_ranks]
    if rest:
        yield f"Measured on less than {100 * LEAST_SHARE:.0f} % of the data sets, so by themselves on these:\n"
        lines = [[line[0], _n_sets(found, each), *line[1:]] for each in rest for line in [_line(found, tested, each)]]
        headings = ["scheme", "sets", "tuned", "at defaults", "v / /*", "p", "most chosen"]
        yield table(headings, lines) + "\n"


def _sentences(found: Both, tested: Verdicts, on_cut: Counts) -> Iterator[str]:
    chosen = found.tuned
    of_sign: dict[int, list[str]] = defaultdict(list)
    pairs = found.pairs()
    for pair in pairs:
        if pair[1] is None:
            of_sign[_sign(found, tested, *pair)].append(name_of(pair[0], chosen))
    yield (
        f"Significantly better tuned than at the defaults: {', '.join(of_sign[1]) or 'none'}; worse: "
        f"{', '.join(of_sign[-1]) or 'none'}; no difference found for {len(of_sign[0]) or 'none'} of "
        f"{sum(map(len, of_sign.values()))}."
    )
    ranks = chosen.ranks()
    best = [with_rank(chosen, each) for each in list(chosen.mean_ranks)[:3]]
    finds = "finds" if ranks.p_value <= LEVEL else "does not find"
    test = "" if math.isnan(ranks.p_value) else f" Friedman's test {finds} a difference ({p_text(ranks.p_value)})."
    yield f"Best mean ranks, all tuned: {', '.join(best)}.{test}"
    for (purpose, forest), signs in _counts([found], tested).items():
        others = on_cut.get((purpose, forest))
        without = (
            f" Without the sets that boosting does not cut: {others[1]} and {others[-1]} of {others.total()}."
            if others
            else ""
        )
        yield (
            f"Tuned {name_of(forest)} is significantly better than {signs[1]} of {signs.total()} tuned schemes on one "
            f"tree, and worse than {signs[-1]}.{without}"
        )


def _sign(found: Both, tested: Verdicts, scheme: Scheme, base: Scheme | None) -> int:
    return tested[found.tuned.purpose.name, scheme, base].sign


def _line(found: Both, tested: Verdicts, scheme: Scheme, rank: float | None = None) -> list[str]:
    """A scheme and its rank, if it has one, its means, and how tuning did."""
    chosen, measure = found.tuned, found.tuned.purpose.measure
    has_value = np.isfinite(chosen.means[scheme]) & (chosen.shared if rank is not None else True)
    means = [written(measure, float(each.means[scheme][has_value].mean())) for each in found]
    signs = [test.sign(LEVEL) * chosen.worth for test in chosen.tests[scheme] if _is_defined(test)]
    wins = "/".join(str(signs.count(sign)) for sign in (1, 0, -1))
    p_value = p_of(tested[chosen.purpose.name, scheme, None])
    ranks = [] if rank is None else [f"{rank:.2f}"]
    return [name_of(scheme, chosen), *ranks, *means, wins, p_value, _choices(found, scheme)]


def _is_defined(test: PairedTest | None) -> TypeGuard[PairedTest]:
    return test is not None and not math.isnan(test.p_value)


def _n_sets(found: Both, scheme: Scheme) -> int:
    return int(np.isfinite(found.tuned.means[scheme]).sum())


def _choices(found: Both, scheme: Scheme) -> str:
    """The parameters that most folds chose, over all data sets, with the share of the folds; several where equal."""
    chosen: Counter[str] = Counter()
    for name in found.tuned.data_sets:
        if row := found.tuned.rows.get((name, scheme)):
            chosen.update(json.loads(row[f"{found.tuned.purpose.measure}.chosen"]))
    most = max(chosen.values())
    names = [f"`{parameters}`" for parameters, n in chosen.items() if n == most]
    return f"{100 * most / chosen.total():.0f} %{' each' if len(names) > 1 else ''}: {' and '.join(names)}"


def _left_out(rows: Sequence[Row]) -> Iterator[str]:
    why: dict[Scheme, list[str]] = defaultdict(list)
    for row in rows:
        if row["left_out"] and row["parameters"] == TUNED:
            why[Scheme(row["learner"], row["method"])].append(f"{row['data_set']} ({row['left_out']})")
    yield (
        f"A scheme on a data set was given up after {MOST_SECONDS:g} s of processor time. Not measured: "
        + ("; ".join(f"{name_of(each)} on {', '.join(sets)}" for each, sets in why.items()) or "none")
        + ".\n"
    )
