"""What the judged half says of `second_opinion`: the sentences and tables of docs/second-opinion.md, and all tests."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from _records import FOLDER, Row, read_about, unpack
from _tables import table
from numpy.typing import NDArray

from opinions.comparing import LEVEL, RECORDED, Gain, by_set, corrected, gain, verdict_of
from opinions.judged import FOREST, LAPLACE, NO_TREE, OF_MEMBERS, OURS, OURS_FOREST, STACKING, VOTING
from wekaconf.base.files import atomic_write
from wekaconf.base.naming import enumeration

RECORDS, TESTS = FOLDER / "second-opinion.csv.gz", FOLDER / "second-opinion-tests.csv"
ABOUT = FOLDER / "second-opinion.json"
BEFORE, BOOSTED = "combined", "gradient boosting"
BEFORE_AND_BOOSTED = {BEFORE: "combined", BOOSTED: "gradient boosting, own answers"}
"""By their names in `RECORDED`, without what they say of single classes."""
FROZEN = "22e0bcac"
"""The last commit that changed what is pooled, and how."""
FIGURES = ("error", "aurc", "coverage", "brier")
BESIDE_TWO, BESIDE_FOREST = OF_MEMBERS
RIVALS = {
    OURS: (FOREST, BOOSTED, LAPLACE, BEFORE, NO_TREE, VOTING + BESIDE_TWO, STACKING + BESIDE_TWO),
    OURS_FOREST: (FOREST, BOOSTED, OURS, VOTING + BESIDE_FOREST, STACKING + BESIDE_FOREST),
}
"""With whom each set of sides is compared, all with the answers that they find likeliest."""
WORDS = {"error": "error", "aurc": "AURC", "coverage": "coverage at 5 %", "brier": "Brier", "auroc": "AUROC"}


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


def write_tests(rows: Sequence[Row]) -> None:
    """Write all tests as a table."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("scheme", "rival", "figure", "better_by", "low", "high", "n_better", "n_worse", "p", "p_holm"))
    for scheme, rival, figure, one, p in tests(rows):
        means = (f"{one.mean:.5f}", f"{one.low:.5f}", f"{one.high:.5f}")
        writer.writerow((scheme, rival, figure, *means, one.better, one.worse, f"{one.p_value:.3g}", f"{p:.3g}"))
    with atomic_write(TESTS, "w") as file:
        file.write(text.getvalue())


def about(rows: Sequence[Row]) -> str:
    """What was measured where."""
    facts, own = read_about(ABOUT), [row for row in rows if row["scheme"] == OURS and row["answers"] == "likeliest"]
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
        f"* {verdict_of(is_level)}: with two opinions, the pool is not significantly worse than the forest "
        f"({told(OURS, FOREST, 'aurc')}).",
        f"* {verdict_of(is_above)}: the pool is significantly better than `combined`, which it replaces "
        f"({told(OURS, BEFORE, 'aurc')}).",
        f"* {verdict_of(is_better)}: with the forest as a third opinion, the pool is better than the forest in error, "
        f"AURC and coverage, and significantly so in AURC ({all_three}).{_by_one_set(rows, beside[1])}",
    )
    return "\n".join(lines)


def _by_one_set(rows: Sequence[Row], test: Test) -> str:
    """What is to be said of a difference whose interval holds 0: the set that speaks most against it."""
    if test.gain.low >= 0:
        return ""
    ours, theirs = (values(rows, scheme, test.figure) for scheme in (test.scheme, test.rival))
    worst = max(ours, key=lambda name: ours[name] - theirs[name])
    return (
        f" The test compares ranks. The interval of the mean holds 0: the pool loses most on the set {worst}, where it "
        f"has an AURC of {ours[worst]:.3f} and the forest one of {theirs[worst]:.3f}."
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
    headings = ["answers and certainty", "error", "AURC", "coverage at 5 %", "Brier", "AUROC of the tree's answers"]
    return table([*headings], body)


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
