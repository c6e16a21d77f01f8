"""What the judged half says of `second_opinion`: the sentences and tables of docs/second-opinion.md, from its records.

The study is finished: docs/records/README.md says where the script is that measured it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from _records import FOLDER, Row, unpack
from _resampling import interval
from _tables import table
from numpy.typing import NDArray

from wekaconf.base.naming import enumeration
from wekaconf.evaluation.statistics import holm, signed_rank

RECORDS, ABOUT = FOLDER / "second-opinion.csv.gz", FOLDER / "second-opinion.json"
RECORDED = FOLDER / "second-opinion-rivals.csv.gz"
"""Rivals on J48's splits of the judged half, measured at 2d62a167c8: gradient boosting, and `combined`.

`combined`, a method that was here before, learned from five methods how probable it is that the tree is right, and
answered as the tree does.
"""
LEVEL = 0.05
SMALLER_IS_BETTER = frozenset({"error", "aurc", "brier"})
OURS, OURS_FOREST, NO_TREE = "second_opinion", "second_opinion, forest beside", "naive Bayes and regression, no tree"
FOREST, LAPLACE, VOTING, STACKING = "random_forest", "laplace", "voting", "stacking"
BESIDE_TWO, BESIDE_FOREST = OF_MEMBERS = ", two opinions", ", forest beside"
"""What is added to the names of voting and stacking, by their members."""
BEFORE, BOOSTED = "combined", "gradient boosting"
BEFORE_AND_BOOSTED = {BEFORE: "combined", BOOSTED: "gradient boosting, own answers"}
"""By their names in `RECORDED`, without what they say of single classes."""
FROZEN = "22e0bcac"
"""The last commit that changed what is pooled, and how."""
FIGURES = ("error", "aurc", "coverage", "brier")
RIVALS = {
    OURS: (FOREST, BOOSTED, LAPLACE, BEFORE, NO_TREE, VOTING + BESIDE_TWO, STACKING + BESIDE_TWO),
    OURS_FOREST: (FOREST, BOOSTED, OURS, VOTING + BESIDE_FOREST, STACKING + BESIDE_FOREST),
}
"""With whom each set of sides is compared, all with the answers that they find likeliest."""
WORDS = {"error": "error", "aurc": "AURC", "coverage": "coverage at 5 %", "brier": "Brier", "auroc": "AUROC"}


class Gain(NamedTuple):
    """How much better a figure is than another on the same sets, in the mean and with its bootstrap interval.

    Parameters
    ----------
    mean, low, high : float
        Positive where the first is better, whether the figure is to be large or small.
    better, worse : int
        On how many sets.
    p_value : float
        Of Wilcoxon's signed-rank test, not corrected.
    """

    mean: float
    low: float
    high: float
    better: int
    worse: int
    p_value: float

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ({self.low:+.3f} to {self.high:+.3f}; {self.better}, {self.worse})"


def by_set(rows: Sequence[Row], figure: str, **wanted: str) -> dict[str, float]:
    """A figure by data set, of the rows with these values; NaN where it is undefined.

    Parameters
    ----------
    rows : sequence of mapping
    figure : str
        A column.
    **wanted
        Values by column, such as ``scheme="combined"``.
    """
    chosen = (row for row in rows if all(row[name] == value for name, value in wanted.items()))
    return {row["data_set"]: float(row[figure] or "nan") for row in chosen}


def gain(ours: Mapping[str, float], theirs: Mapping[str, float], figure: str) -> Gain:
    """How much better a scheme is than another on the sets that both have.

    Parameters
    ----------
    ours, theirs : mapping of str to float
        See `by_set`.
    figure : str
        The column, which says whether it is to be large or small.
    """
    found: NDArray[np.float64] = np.array([ours[name] - theirs[name] for name in ours if name in theirs])
    found = -found if figure in SMALLER_IS_BETTER else found
    p_value = signed_rank(found, np.zeros(len(found))).p_value
    return Gain(float(found.mean()), *interval(found), int((found > 0).sum()), int((found < 0).sum()), p_value)


def corrected(gains: Sequence[Gain]) -> list[float]:
    """The p-values after Holm's correction for all of them."""
    return list(map(float, holm([each.p_value for each in gains])))


class Test(NamedTuple):
    """A comparison of two schemes.

    Parameters
    ----------
    scheme, rival, figure : str
    gain : Gain
    p_holm : float
        After Holm's correction for all tests.
    """

    scheme: str
    rival: str
    figure: str
    gain: Gain
    p_holm: float


def values(rows: Sequence[Row], scheme: str, figure: str, answers: str = "likeliest") -> dict[str, float]:
    """A figure of a scheme by data set."""
    if scheme in BEFORE_AND_BOOSTED:
        return by_set(unpack(RECORDED), figure, scheme=BEFORE_AND_BOOSTED[scheme])
    return by_set(rows, figure, scheme=scheme, answers=answers)


def tests(rows: Sequence[Row]) -> list[Test]:
    """All tests: every figure that both have, of all pairs of `RIVALS`; and AUROC where answers are the tree's."""
    asked = [
        (scheme, rival, figure, "likeliest")
        for scheme, rivals in RIVALS.items()
        for rival in rivals
        for figure in FIGURES
        if not (rival in BEFORE_AND_BOOSTED and figure == "brier")
    ]
    asked += [(scheme, rival, "auroc", "tree") for scheme in RIVALS for rival in (LAPLACE, BEFORE, FOREST)]
    gains = [
        gain(values(rows, scheme, figure, answers), values(rows, rival, figure, answers), figure)
        for scheme, rival, figure, answers in asked
    ]
    return [Test(*each[:3], one, p) for each, one, p in zip(asked, gains, corrected(gains), strict=True)]


def about(rows: Sequence[Row]) -> str:
    """What was measured where."""
    facts = json.loads(ABOUT.read_text(encoding="utf-8"))
    own = [row for row in rows if row["scheme"] == OURS and row["answers"] == "likeliest"]
    n_splits = sum(int(row["n_splits"]) for row in own)
    return (
        f"{len(own)} sets with {n_splits} splits count. The design was frozen in commit {FROZEN}, and measured in "
        f"{facts['commit']} with Weka {facts['weka']} and scikit-learn {facts['scikit-learn']}."
    )


def wanted(rows: Sequence[Row]) -> str:
    """What was wanted, and whether it holds."""
    found = {(one.scheme, one.rival, one.figure): one for one in tests(rows)}

    def told(scheme: str, rival: str, figure: str) -> str:
        one = found[scheme, rival, figure]
        return f"{WORDS[figure]} {one.gain}, p = {one.p_holm:.2g}"

    behind, before = found[OURS, FOREST, "aurc"], found[OURS, BEFORE, "aurc"]
    is_level = behind.gain.mean >= 0 or behind.p_holm > LEVEL
    is_above = before.gain.mean > 0 and before.p_holm <= LEVEL
    beside = [found[OURS_FOREST, FOREST, figure] for figure in ("error", "aurc", "coverage")]
    is_better = all(one.gain.mean > 0 for one in beside) and beside[1].p_holm <= LEVEL
    all_three = "; ".join(told(OURS_FOREST, FOREST, one.figure) for one in beside)
    lines = (
        f"* {_verdict(is_level)}: with two opinions, the pool is not significantly worse than the forest "
        f"({told(OURS, FOREST, 'aurc')}).",
        f"* {_verdict(is_above)}: the pool is significantly better than `combined`, which it replaces "
        f"({told(OURS, BEFORE, 'aurc')}).",
        f"* {_verdict(is_better)}: with the forest as a third opinion, the pool is better than the forest in error, "
        f"AURC and coverage, and significantly so in AURC ({all_three}).{_by_one_set(rows, beside[1])}",
    )
    return "\n".join(lines)


def _verdict(is_met: bool) -> str:
    return "**It holds**" if is_met else "**It does not hold**"


def _by_one_set(rows: Sequence[Row], test: Test) -> str:
    """What is to be said of a difference whose interval includes 0: the set that speaks most against it."""
    if test.gain.low >= 0:
        return ""
    ours, theirs = (values(rows, scheme, test.figure) for scheme in (test.scheme, test.rival))
    worst = max(ours, key=lambda name: ours[name] - theirs[name])
    return (
        f" The test compares ranks. The interval of the mean includes 0: the pool loses most on the set {worst}, where "
        f"it has an AURC of {ours[worst]:.3f} and the forest one of {theirs[worst]:.3f}."
    )


def headline(rows: Sequence[Row]) -> str:
    """What README says: whether the forest is reached, and surpassed with the forest beside."""
    found = {(one.scheme, one.rival): one for one in tests(rows) if one.figure == "aurc"}
    with_two, with_forest = found[OURS, FOREST], found[OURS_FOREST, FOREST]
    level = "as well as" if with_two.p_holm > LEVEL else "better than" if with_two.gain.mean > 0 else "worse than"
    beside = (
        f"; with the forest as a further opinion, it was better on {with_forest.gain.better} of them"
        if with_forest.p_holm <= LEVEL and with_forest.gain.mean > 0
        else ""
    )
    return (
        f"Start with `second_opinion`: on {len(values(rows, OURS, 'aurc'))} data sets kept for judging, it answered "
        f"and declined {level} a random forest, by the area under the risk-coverage curve (better on "
        f"{with_two.gain.better}, worse on {with_two.gain.worse}){beside}."
    )


def schemes(rows: Sequence[Row]) -> str:
    """The means of the schemes."""
    body = []
    for name in (OURS, OURS_FOREST, FOREST, BOOSTED, NO_TREE, BEFORE, LAPLACE):
        means = [_mean(values(rows, name, figure)) for figure in ("error", "aurc", "coverage")]
        brier = "" if name in BEFORE_AND_BOOSTED else _mean(values(rows, name, "brier"))
        of_tree = "" if name == BOOSTED else _mean(values(rows, name, "auroc", "tree"))
        body.append([_words(name), *means, brier, of_tree])
    measures = ["error", "AURC", "coverage at 5 %", "Brier, summed over classes", "AUROC of the tree's answers"]
    return table(["answers and certainty", *measures], body)


def others(rows: Sequence[Row]) -> str:
    """The same members otherwise pooled, and how many answers are the tree's own."""
    by_members = [
        " and ".join(f"{_mean(values(rows, name + words, 'aurc'))} by {name}" for name in (VOTING, STACKING))
        for words in OF_MEMBERS
    ]
    own = [100 * _of(rows, name, "own").mean() for name in (OURS, OURS_FOREST)]
    return (
        f"If scikit-learn pools the same members, the AURC is {by_members[0]} with the two opinions, and "
        f"{by_members[1]} with the forest as a third. The class that the pool answers is the tree's own in "
        f"{own[0]:.0f} % of the rows with two opinions, and in {own[1]:.0f} % with the forest as a third."
    )


def promised(rows: Sequence[Row]) -> str:
    """What a promise of half of the tree's own error brings."""
    rows = [row for row in rows if row["promised"]]
    names = (OURS, OURS_FOREST, FOREST, LAPLACE)
    covered = {name: _of(rows, name, "promised") for name in names}
    first, *shares = [f"{100 * covered[name].mean():.0f} %" for name in names]
    rivals = [f"{_words(name)} {share}" for name, share in zip(names[1:], shares, strict=True)]
    broken = max(_of(rows, name, "broken").mean() for name in names)
    return (
        f"On the {len(covered[OURS])} sets of at least 500 rows, each model also promised at most half of the tree's "
        f"own error, with a confidence of 95 %. Under this promise {_words(OURS)} answered {first} of the test rows, "
        f"{enumeration(rivals)}. The share of wrong answers was larger than promised in at most {100 * broken:.1f} % "
        "of the splits."
    )


PARTS: dict[str, Callable[[Sequence[Row]], str]] = {
    part.__name__: part for part in (about, wanted, headline, schemes, others, promised)
}
"""What `scripts/docs_records.py` writes, by the name of the part."""


def _of(rows: Sequence[Row], name: str, figure: str) -> NDArray[np.float64]:
    return np.array(list(values(rows, name, figure).values()))


def _mean(of_sets: dict[str, float]) -> str:
    return f"{np.mean(list(of_sets.values())):.3f}"


def _words(name: str) -> str:
    words = {
        LAPLACE: "the tree with Laplace's correction",
        FOREST: "random forest",
        OURS: "`second_opinion`",
        OURS_FOREST: "`second_opinion` with the forest",
        BEFORE: "`combined`",
    }
    return words.get(name, name)
