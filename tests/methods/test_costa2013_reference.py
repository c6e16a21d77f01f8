"""The reference of TPCE against examples worked on paper, and against iris as measured before."""

import math
from fractions import Fraction

import pytest
from reference import costa2013_reference as paper

NEGATIVE, POSITIVE = 0, 1
BOTH = [NEGATIVE, POSITIVE]
ONE_NUMBER = paper.Rules((0,), 2)


def column(values, labels):
    """Instances of one attribute."""
    return [((value,), label, 1) for value, label in zip(values, labels, strict=True)]


def shape(node):
    """A leaf is its counts, an inner node its split and its children."""
    return (node.split, *map(shape, node.children)) if node.split else node.counts


# ---- six instances ----
#
#   value  1 2 3 4 5 6      H(3, 3) = 1 bit; H(1, 3) = .8113; H(1, 2) = .9183
#   class  0 0 1 0 1 1
#
#   <= 2: (2,0) (1,3)  1 - 4/6 * .8113 = .4591    classes change at 2, 3, 4; <= 1 and <= 5 leave one instance alone
#   <= 3: (2,1) (1,2)  1 - .9183       = .0817
#   <= 4: (3,1) (0,2)  1 - 4/6 * .8113 = .4591    tie: the highest, 4
#
#   Below 4, H(3, 1) = .8113: <= 2 gives (2,0) (1,1), .8113 - .5 = .3113; <= 1 and <= 3 leave one alone.
#   Its leaves both say class 0 (the tie goes to the lower), so safe prune makes it a leaf with (3, 1).
SIX = column([1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1])


def test_six_instances():
    assert shape(paper.grow(SIX, ONE_NUMBER._replace(safe_prune=False))) == ((0, 4), ((0, 2), [2, 0], [1, 1]), [0, 2])
    assert shape(paper.grow(SIX, ONE_NUMBER)) == ((0, 4), [3, 1], [0, 2])


@pytest.mark.parametrize(("exact", "unit"), [(True, 6 * 2**36), (False, 2**30)])
def test_six_instances_gains(exact, unit):
    members = [paper.Member(values, label, 1, False) for values, label, _ in SIX]
    scores = {v: score for score, v in paper.numeric_tests(members, 0, ONE_NUMBER, exact)}
    assert {v: round(score / unit, 4) for v, score in scores.items()} == {2: 0.4591, 3: 0.0817, 4: 0.4591}
    assert scores[2] == scores[4]
    every = {v: score for score, v in paper.numeric_tests(members, 0, ONE_NUMBER._replace(cuts="all"), exact)}
    assert every == scores | {1: None, 5: None, 6: None}


def test_entropies_are_whole_numbers():
    # 6 log 6 - 2 log 2 - 4 log 4
    assert paper.bits_times_n([2, 4]) == 6 * (2**36 + round(math.log2(3) * 2**36)) - (2 + 8) * 2**36
    assert paper.bits_times_n([0, 4]) == 0


def test_equal_gains_are_equal_numbers():
    # (1,6) | (2,1) and (3,4) | (0,3): both 7 log 7 + 3 log 3 less 6 log 6 + 2 log 2 = 3 log 3 + 4 log 4
    assert sum(map(paper.bits_times_n, [(1, 6), (2, 1)])) == sum(map(paper.bits_times_n, [(3, 4), (0, 3)]))


def test_minimal_weight_and_gain():
    # at 1 instance a branch, <= 4 still wins, then <= 2, and (1, 1) is split too
    single = ONE_NUMBER._replace(min_weight=1, safe_prune=False)
    assert shape(paper.grow(SIX, single)) == ((0, 4), ((0, 2), [2, 0], ((0, 3), [0, 1], [1, 0])), [0, 2])
    assert shape(paper.grow(SIX, ONE_NUMBER._replace(min_weight=3))) == ((0, 3), [2, 1], [1, 2])
    assert shape(paper.grow(SIX, ONE_NUMBER._replace(min_weight=4))) == [3, 3]
    assert shape(paper.grow(SIX, ONE_NUMBER._replace(min_gain=0.46))) == [3, 3]


def test_lowest_attribute_wins_a_tie():
    twice = [((values[0], values[0]), label, weight) for values, label, weight in SIX]
    assert paper.grow(twice, paper.Rules((0, 0), 2)).split == (0, 4)
    # the second attribute parts the classes perfectly
    better = [((i, label), label, 1) for i, (_, label, _) in enumerate(SIX)]
    assert paper.grow(better, paper.Rules((0, 0), 2)).split == (1, 0)


def test_whole_weights_stand_for_copies():
    weighted = [(values, label, 2) for values, label, _ in SIX]
    assert shape(paper.grow(weighted, ONE_NUMBER)) == shape(paper.grow(SIX + SIX, ONE_NUMBER))


def test_weights_in_parts():
    # 1.5 each: <= 1 and <= 5 leave 1.5 alone
    weighted = [(values, label, 1.5) for values, label, _ in SIX]
    assert shape(paper.grow(weighted, ONE_NUMBER)) == ((0, 4), [4.5, 1.5], [0, 3])


# ---- nominal subsets ----


def nominal(*counts_of_values):
    """Instances of one nominal attribute from the class counts of its values."""
    return [
        ((value,), label, 1)
        for value, counts in enumerate(counts_of_values)
        for label, n in enumerate(counts)
        for _ in range(n)
    ]


def test_nominal_subset_grows_while_it_helps():
    # a (2,0)  b (2,0)  c (1,2)  d (0,3): all (5,5), 1 bit
    # {a} = {b}: (2,0) (3,5)  1 - .8 * .9544 = .2365      {c}: (1,2) (4,3)  .0349
    # {d}: (0,3) (5,2)  1 - .7 * .8631 = .3958, the best; {c, d}: (1,5) (4,0)  1 - .6 * .6500 = .6100
    # {a, c, d} = {b, c, d}: (3,5) (2,0)  .2365: stop
    instances = nominal((2, 0), (2, 0), (1, 2), (0, 3))
    tree = paper.grow(instances, paper.Rules((4,), 2))
    assert shape(tree) == ((0, frozenset({2, 3})), [1, 5], [4, 0])
    members = [paper.Member(values, label, 1, False) for values, label, _ in instances]
    [(score, _)] = paper.nominal_tests(members, 0, paper.Rules((4,), 2), True)
    assert round(score / (10 * 2**36), 4) == 0.61
    assert paper.counts_at(tree, (2,)) == [1, 5]
    # at 3 instances a branch {a} and {b} cannot be first; {d} and {c, d} are as good as before
    assert paper.grow(instances, paper.Rules((4,), 2, min_weight=3)).split == (0, frozenset({2, 3}))


def test_nominal_subset_starts_with_one_value():
    # tie of {a} and {b}: the lowest value; a fifth, declared value that does not occur is in no subset
    assert paper.grow(nominal((2, 0), (0, 2)), paper.Rules((5,), 2)).split == (0, frozenset({0}))
    # {a, b} would be perfect, but no value alone weighs 2
    assert shape(paper.grow(nominal((1, 0), (1, 0), (0, 1), (0, 1)), paper.Rules((4,), 2))) == [2, 2]


# ---- a missing value ----


def test_missing_value():
    # known: 1 2 of class 0, 3 4 5 of class 1; <= 2 gains all of H(2, 3) = .9710, branches 2/5 and 3/5 of the weight.
    # The instance without value, of class 0, goes .4 and .6: leaves (2.4, 0) and (.6, 3).
    # An x without value: .4 * (2.4, 0) + .6 * (.6, 3) = (1.32, 1.8)
    instances = column([1, 2, 3, 4, 5, None], [0, 0, 1, 1, 1, 0])
    tree = paper.grow(instances, ONE_NUMBER)
    assert tree.split == (0, 2)
    assert [leaf.counts for leaf in tree.children] == [pytest.approx([2.4, 0]), pytest.approx([0.6, 3])]
    assert paper.counts_at(tree, (None,)) == pytest.approx([1.32, 1.8])
    assert paper.raw([1.32, 1.8], BOTH) == pytest.approx([1.32 / 3.12, 1.8 / 3.12])
    members = [paper.Member(values, label, 1, False) for values, label, _ in instances[:5]]
    assert paper.numeric_tests(members, 0, ONE_NUMBER, False) == [(round(0.9709505944546686 * 2**30), 2)]


def test_gain_is_on_known_values():
    # the first attribute, known for four, gains 1 bit; the second, known for all, (4, 1) (0, 3), .5488
    first = [1, 2, 3, 4, None, None, None, None]
    second = [1, 1, 2, 2, 1, 1, 1, 2]
    labels = [0, 0, 1, 1, 0, 0, 1, 1]
    instances = [((a, b), label, 1) for a, b, label in zip(first, second, labels, strict=True)]
    assert paper.grow(instances, paper.Rules((0, 0), 2)).split == (0, 2)


# ---- Figure 3: x is the positive nearest to the negatives, and far from them ----

FIGURE_3 = column([1, 2, 3, 4, 12, 13, 14, 15], [NEGATIVE] * 4 + [POSITIVE] * 4)
X = (8,)


@pytest.mark.parametrize(
    ("cuts", "leaf_of_negative_x", "positive"),
    [
        # the only cut is <= 4, x is on its right whatever its label
        ("class-boundary", [1, 4], Fraction(6 + 5, 2 * 7)),
        # labelled negative, <= 8 parts the classes perfectly
        ("all", [5, 0], Fraction(6 + 1, 2 * 7)),
        # labelled negative, H = .9911: <= 4 (4,0) (1,4) gains .5900, <= 12 (5,1) (0,3) .5577;
        # of (1,4), <= 12 gains .7219 - .4 and leaves x with one positive
        ("others", [1, 1], (Fraction(6, 7) + Fraction(1, 2)) / 2),
    ],
)
def test_figure_3(cuts, leaf_of_negative_x, positive):
    rules = ONE_NUMBER._replace(cuts=cuts)
    leaf_of = {c: paper.counts_at(paper.grow([*FIGURE_3, (X, c, 1)], rules, x=8), X) for c in BOTH}
    assert leaf_of == {NEGATIVE: leaf_of_negative_x, POSITIVE: [0, 5]}
    assert paper.tpce(FIGURE_3, X, BOTH, rules) == pytest.approx([float(1 - positive), float(positive)])


def test_values_of_x_count_on_either_side():
    # cut between 4 and 12 stands at 4, so x = 4 counts left of it, x = 4.5 right
    for value, counts in [(4, [4, 1]), (4.5, [0, 5])]:
        tree = paper.grow([*FIGURE_3, ((value,), POSITIVE, 1)], ONE_NUMBER, x=8)
        assert tree.split == (0, 4)
        assert paper.counts_at(tree, (value,)) == counts


# ---- Equation 1 and around it ----


def test_equation_1():
    # two classes of three declared: (|L(c)| + 1) / (|L| + 2), averaged; (3+1)/5, (1+1)/4, (0+1)/4
    [of_first, of_third] = paper.combine([[3, 0, 0], [1, 0, 1], [0, 0, 2]], [0, 2])
    assert of_first == pytest.approx((4 / 5 + 2 / 4 + 1 / 4) / 3)
    assert of_third == pytest.approx((1 / 5 + 2 / 4 + 3 / 4) / 3)
    assert paper.combine([[3, 0]], BOTH, alpha=0) == [1, 0]


def test_leave_one_out():
    # without 15 Figure 3 has three positives, right of <= 4: (0, 4) or (1, 3) with x
    answers = paper.tpce_leave_one_out(FIGURE_3, BOTH, ONE_NUMBER)
    assert answers[-1] == pytest.approx([(1 / 6 + 2 / 6) / 2, (5 / 6 + 4 / 6) / 2])
    assert answers[0] == pytest.approx(answers[-1][::-1])


def test_batch():
    # 8 and 9 take opposite labels; <= 4 is the only cut of the others, so both are in (1, 5), in both trees
    answers = paper.batch(FIGURE_3, [(8,), (9,)], [(0, 1), (1, 0)], BOTH, ONE_NUMBER)
    assert answers == [[pytest.approx(2 / 8), pytest.approx(6 / 8)]] * 2
    alone = paper.batch(FIGURE_3, [X], [(1, 0)], BOTH, ONE_NUMBER)
    assert alone == [pytest.approx(paper.tpce(FIGURE_3, X, BOTH, ONE_NUMBER))]


def test_kukar_kononenko():
    # plain tree: <= 4, x in (0, 4), P = (1/6, 5/6); with (x, positive) (0, 5), Q = (1/7, 6/7)
    # J = 1/42 * log2(7/6) - 1/42 * log2(35/36) = 1/42 * log2(6/5)
    predicted, reliability = paper.kukar_kononenko(FIGURE_3, X, BOTH, ONE_NUMBER._replace(cuts="all"))
    assert predicted == POSITIVE
    assert reliability == pytest.approx((5 / 6) ** (1 / 42))
    assert paper.reliability([0.25, 0.75], [0.25, 0.75]) == 1
    assert paper.reliability([1 / 3, 2 / 3], [2 / 3, 1 / 3]) == pytest.approx(2 ** (-2 / 3))


def test_plain_tree():
    assert paper.plain(FIGURE_3, X, BOTH, ONE_NUMBER) == [0, 1]
    assert paper.plain(FIGURE_3, X, BOTH, ONE_NUMBER, smooth=True) == pytest.approx([1 / 6, 5 / 6])
    assert paper.predict([0.5, 0.5 + 1e-13], [0, 2]) == 0
    assert paper.predict([0.4, 0.6], [0, 2]) == 2


# ---- measures ----


def test_measures():
    P, actual = [[0.9, 0.1], [0.6, 0.4], [0.6, 0.4], [0.2, 0.8]], [0, 0, 1, 0]
    assert paper.brier(P, actual, BOTH) == pytest.approx(2 * (0.01 + 0.16 + 0.36 + 0.64) / 8)
    # class 0: .9, .6, .2 against .6: 1 + 1/2 + 0 of 3; class 1: .4 against .1, .4, .8, the same
    assert paper.auc(P, actual, BOTH) == pytest.approx(0.5)
    # right: .9, .6; wrong: .6, .8: (2 + 1/2 + 0) of 4
    assert paper.auc_reliability_of(P, actual, BOTH) == pytest.approx(2.5 / 4)
    assert paper.auc_reliability_of(P[:2], actual[:2], BOTH) is None
    assert paper.auc_reliability_of(P[3:], actual[3:], BOTH) is None
    # (.8, .9]: right; (.5, .6]: one of two right; (.7, .8]: wrong
    assert paper.expected_calibration_error(P, actual, BOTH) == pytest.approx((0.1 + 2 * 0.1 + 0.8) / 4)
    # .6 and .65 are in two bins
    assert paper.expected_calibration_error([[0.6, 0.4], [0.35, 0.65]], [0, 0], BOTH) == pytest.approx(1.05 / 2)


def test_area_rounds():
    assert paper.area([0.1 + 0.2], [0.3]) == 0.5
    assert paper.area([], [0.3]) is None
    assert paper.auc([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], [0, 2], [0, 1, 2]) == 1  # no instance of class 1: two areas
