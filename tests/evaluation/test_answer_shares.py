"""How many answers will be wrong, by counts of calibration rows."""

import numpy as np
import pytest
from scipy.stats import betabinom

import wekaconf as wc
from wekaconf.evaluation.measures import Certainties
from wekaconf.evaluation.promises import AnswerShares, promise


def leaves(rng, k, n_leaves=25):
    """A model's leaves: their share of the rows, certainty, class, and how often the answer there is wrong."""
    certainty = rng.uniform(0.5, 1, n_leaves).round(3)
    error = np.clip(1 - certainty + rng.normal(0, 0.1, n_leaves), 0.002, 0.95)
    return rng.dirichlet(np.full(n_leaves, 0.5)), certainty, rng.integers(0, k, n_leaves), error


def drawn(rng, share, certainty, predicted, error, n):
    leaf = rng.choice(len(share), n, p=share)
    return certainty[leaf], predicted[leaf], rng.random(n) < error[leaf]


@pytest.mark.parametrize("chosen", ["all", "certain", "promised", "class"])
@pytest.mark.parametrize(("k", "n", "m"), [(2, 60, 30), (2, 300, 1000), (10, 150, 97)])
def test_the_interval_holds_the_number_of_wrong_answers(k, n, m, chosen):
    """Whatever chooses the answers that are given, also where the same rows chose the threshold."""
    rng = np.random.default_rng([k, n, m])
    held, off = [], []
    for _ in range(400):
        population = leaves(rng, k)
        known, reference, asked = (drawn(rng, *population, size) for size in (n, 500, m))
        shares = AnswerShares.of(*known, k)
        is_given = np.ones(m, dtype=bool)
        if chosen == "certain":
            is_given = asked[0] >= np.quantile(asked[0], 0.3)
        elif chosen == "class":
            is_given = (asked[1] == 0) & (asked[0] > 0.6)
        elif chosen == "promised":
            rows = (Certainties(each[0], ~each[2], np.ones(len(each[0]))) for each in (known, reference))
            is_given = asked[0] >= promise(0.2, 0.1, *rows).threshold
        if not is_given.any():
            continue
        expected = shares.expected_errors(shares.count(asked[0][is_given], asked[1][is_given]))
        wrong = int(asked[2][is_given].sum())
        held.append(expected.low <= wrong <= expected.high)
        off.append((expected.wrong - wrong) / is_given.sum())
        assert expected.low <= expected.wrong <= expected.high
    assert len(held) > 80
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / len(held))
    assert abs(np.mean(off)) < (0.06 if chosen == "promised" else 0.015)  # an optimistic threshold


def test_answers_like_those_that_calibrated_err_as_these():
    rng = np.random.default_rng(3)
    known = drawn(rng, *leaves(rng, 3), 600)
    shares = AnswerShares.of(*known, 3)
    expected = shares.expected_errors(shares.counts)
    assert (expected.n, expected.n_calibrated) == (600, 600)
    assert expected.wrong == pytest.approx(known[2].sum(), rel=0.01)
    surest = shares.count(np.full(50, known[0].max()), np.full(50, known[1][known[0].argmax()]))
    assert shares.expected_errors(surest).wrong < 50 * known[2].mean()


@pytest.mark.parametrize(("right", "wrong", "answers"), [
    ([[8, 20], [5, 0]], [[4, 1], [3, 0]], [[5, 10], [0, 2]]),
    ([[0, 0], [1, 0]], [[9, 9], [9, 9]], [[400, 300], [200, 100]]),
    ([[1, 0], [0, 0]], [[0, 0], [0, 0]], [[50, 50], [0, 0]]),
], ids=["some like none that calibrated", "nearly all wrong", "at most as many rows as calibrated"])  # fmt: skip
def test_the_expected_number_and_its_interval_by_hand(right, wrong, answers):
    right, wrong, answers = map(np.array, (right, wrong, answers))
    n, n_calibrated, expected, squares = answers.sum(), (right + wrong).sum(), 0, 0
    for c, b in np.ndindex(2, 2):
        of_bin = (wrong[:, b].sum() + wrong.sum() / n_calibrated) / ((right + wrong)[:, b].sum() + 1)
        in_cell = right[c, b] + wrong[c, b]
        expected += answers[c, b] * (wrong[c, b] + of_bin) / (in_cell + 1)
        squares += answers[c, b] ** 2 / max(in_cell, 1)
    n_alike = min(n**2 / squares, n_calibrated)
    n_wrong = n_alike * expected / n
    ends = betabinom.ppf([0.025, 0.975], n, n_wrong + 0.5, n_alike - n_wrong + 0.5).tolist()
    found = AnswerShares(np.array([0.6]), right, wrong).expected_errors(answers)
    assert found == (n, pytest.approx(expected), *ends, n_calibrated)


def test_few_rows_and_none():
    shares = AnswerShares.of(np.array([0.9]), np.array([0]), np.array([False]), 2)
    one = shares.expected_errors(shares.count(np.array([0.9]), np.array([0])))
    assert (one.low, one.high) == (0, 1)
    assert str(one) == "about 0 of the 1 answer will be wrong (interval 0 to 1), as the 1 calibration row shows"
    assert shares.expected_errors(np.zeros((2, 1), np.int64))[:4] == (0, 0.0, 0, 0)
    unknown = AnswerShares.of(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, bool), 2)
    assert unknown.expected_errors(np.array([[4], [0]])) == (4, 2.0, 0, 4, 0)
    surely = AnswerShares.of(np.full(100, 0.9), np.zeros(100, np.int64), np.zeros(100, bool), 2)
    none = surely.expected_errors(np.array([[100], [0]]))
    assert (none.wrong, none.low, none.high) == (0, 0, betabinom.ppf(0.975, 100, 0.5, 100.5))


def test_a_model_tells_how_many_of_its_answers_will_be_wrong(wine):
    is_new = np.arange(len(wine)) % 3 == 0
    model = wc.fit(wine.take(~is_new), learner="CART", aim=wc.Aim("below", 0.5), class_sets=0.9)
    asked = wine.take(is_new)
    expected, answer = model.expected_errors(asked), model.answer(asked)
    assert expected.n == (~answer.is_rejected).sum()
    assert expected.n_calibrated == model.class_sets.n_rows
    moved = wc.Dataset(wine.header, asked.values * np.where(np.arange(asked.values.shape[1]) == 1, 5, 1))
    with pytest.raises(wc.OptionError, match="are not like those of training, see compare"):
        model.expected_errors(moved)
    with pytest.raises(wc.OptionError, match="no rows calibrated this model"):
        wc.fit(wine, learner="CART").expected_errors(asked)
