"""The script that counts broken promises: its populations, its rival, and the sentences of its page."""

import math

import numpy as np
import pytest
from broken_promises import page, records
from broken_promises.cells import Group
from broken_promises.costs import targets
from broken_promises.populations import CostedPopulation
from broken_promises.rivals import RULES, sgr
from scipy.stats import binom

from wekaconf.evaluation.accepting import Certainties
from wekaconf.evaluation.cost_promise import CostedRows
from wekaconf.evaluation.reject_costs import RejectCosts


def rows_of(correct):
    """Rows whose certainty falls from each to the next."""
    return Certainties(np.linspace(1, 0, len(correct)), np.array(correct), np.ones(len(correct)))


def test_sgr_of_answers_without_an_error():
    """A binary search of ⌈log₂ m⌉ steps from m rows that all pass ends one row above the least certain."""
    rows = rows_of([True] * 256)
    assert sgr(0.1, 0.1, rows) == np.sort(rows.certainty)[1]
    assert sgr(0.01, 0.1, rows) == math.inf


@pytest.mark.parametrize("seed", range(8))
def test_sgr_equals_the_paper_s_steps(seed):
    rng = np.random.default_rng(seed)
    m, target, delta = int(rng.integers(20, 400)), 0.2, 0.1
    rows = rows_of(rng.random(m) > np.linspace(0, 0.4, m))
    ascending = sorted(zip(rows.certainty.tolist(), rows.correct.tolist(), strict=True))
    steps = math.ceil(math.log2(m))
    z_min, z_max, chosen = 1, m, math.inf
    for _ in range(steps):
        z = math.ceil((z_min + z_max) / 2)
        answered = ascending[z - 1 :]
        wrong = sum(not correct for _, correct in answered)
        if binom.cdf(wrong, len(answered), target) < delta / steps:
            z_max, chosen = z, ascending[z - 1][0]
        else:
            z_min = z
    assert sgr(target, delta, rows) == chosen


def test_costs_of_a_population():
    rows = CostedRows(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]), np.array([0.0, 0, 5, 5]))
    population = CostedPopulation(RejectCosts(5, 1), rows, rows)
    cost, coverage = population.cost_at([math.inf, 0.9, 0.7, 0.5, 0.0])
    assert cost.tolist() == [1, 0.75, 0.75, 1.5, 2.5] and coverage.tolist() == [0, 0.25, 0.25, 0.75, 1]
    assert targets(population) == [0.8125, 2.475, 1.1]


def test_records_grow_and_are_the_same_bytes(tmp_path, monkeypatch):
    group = Group("costs", "corner", "J48", "m_branch", 4)
    cells = [group.cell("cost 5:1", target, 0.9, 400, [False, True, False], [0, 0.5, 1]) for target in (0.1, 0.2)]
    contents = []
    for name in ("a.csv.gz", "b.csv.gz"):
        monkeypatch.setattr(records, "RECORDS", tmp_path / name)
        assert records.read() == []
        for cell in cells:
            records.add([cell])
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert [(row["target"], row["draws"], row["broken"], row["any"], row["coverage"]) for row in records.read()] == [
        ("0.1", "3", "1", "2", "0.5"), ("0.2", "3", "1", "2", "0.5"),
    ]  # fmt: skip


def record(part, rule, broken=0, coverage=0.5, data="corner"):
    return {
        "part": part, "data": data, "learner": "J48", "method": "m_branch", "rule": rule, "target": "0.1",
        "confidence": "0.9", "n": "400", "draws": "1000", "broken": str(broken), "any": "1000",
        "coverage": str(coverage),
    }  # fmt: skip


def test_the_verdict_is_of_errors_and_costs():
    kept = [record("generated", "promise", 90), record("costs", "cost 5:1", 100), record("real", "promise", 500)]
    assert page.verdict(kept).startswith("In 2 cells of 1,000 draws, no share of broken promises is shown to exceed")
    broken = [*kept, record("costs", "cost bounds [0 10; 2 0]:1", 200)]
    assert "In 3 cells of 1,000 draws, 1 exceed" in page.verdict(broken)
    assert "is 20.00 %, where 10 % are allowed" in page.verdict(broken)


def test_the_records_break_no_promise_too_often():
    found = records.read()
    assert {row["part"] for row in found} == {"generated", "costs", "real", "rivals"}
    for told in (page.verdict(found), page.held(found)):
        assert "no share of broken promises is shown to exceed" in told


def test_the_verdict_on_real_data_leaves_out_estimates():
    found = [record("real", rule, broken) for rule, broken in (("promise", 50), ("bounds", 104), ("out of fold", 900))]
    assert page.held(found).startswith("In 2 cells of 1,000 draws, no share of broken promises is shown to exceed")
    assert "is 10.40 %, where 10 % are allowed" in page.held(found)
    assert "1 exceed" in page.held([*found, record("real", "promise", 200)])


def test_the_lines_of_a_target_are_about_the_same_cells():
    """The set "b" is too small for the stricter confidence, and answers nothing: no line counts it."""
    lines = [("promise", "0.9"), ("promise", "0.95"), ("out of fold", "0.0")]
    found = [record("real", rule) | {"confidence": confidence} for rule, confidence in lines]
    found += [record("real", rule, data="b", coverage=0) | {"confidence": confidence, "any": "0"}
              for rule, confidence in lines if confidence != "0.95"]  # fmt: skip
    body = page.real(found).splitlines()[2:]
    assert [line.split(" | ")[2:] for line in body] == [["1", "0.0", "100.0", "50.0 |"]] * 3


def test_promises_that_seldom_answer_are_counted_where_they_do():
    """By hand: 20 of 40 draws in which a cell answers anything, 9 of 900; one answers nothing, one without 95 %."""
    found = [
        record("real", "promise", broken) | {"any": str(some), "confidence": confidence}
        for broken, some, confidence in ((20, 40, "0.95"), (9, 900, "0.95"), (0, 0, "0.95"), (30, 50, "0.9"))
    ]
    told = page.seldom(found)
    assert "1 answer anything in fewer than 10 % of their draws; where they do, 50.0 % miss the target" in told
    assert "Of the 1 that answer in at least half of their draws, 1.0 % do." in told


def test_promises_given_an_answer_are_counted_where_enough_draws_answer():
    """By hand: 20 of 40 draws that answer are more than 5 %, 9 of 900 are not; 19 draws are too few."""
    found = [
        record("real", "promise", broken) | {"any": str(some), "confidence": confidence}
        for broken, some, confidence in ((20, 40, "0.95"), (9, 900, "0.95"), (19, 19, "0.95"), (5, 50, "0.9"))
    ]
    found.append(record("real", "out of fold", 900) | {"any": "900", "confidence": "0.0"})
    assert page.given_answers(found).splitlines()[2:] == [
        "| 5 % | 2 | 1 | 25.5 | 50.0 |", "| 10 % | 1 | 0 | 10.0 | 10.0 |",
    ]  # fmt: skip


def test_rules_are_without_their_costs_and_bounds_without_coverage():
    costs = ("5:1", "[0 10; 2 0]:1")
    lines = page.generated([record("costs", f"{rule} {of}", 50) for rule in ("cost", "cost bounds") for of in costs])
    assert lines.splitlines()[2:] == [
        "| J48 | cost | 10 | 2 | 5.00 | 5.00 | 50.0 |", "| J48 | cost bounds | 10 | 2 | 5.00 | 5.00 |  |",
    ]  # fmt: skip


def test_where_a_rival_answers_more_is_said():
    coverages = {"sick": 0.4, "magic": 0.2}
    rows = [record("rivals", rule, coverage=0.5, data=data) for rule in RULES for data in coverages]
    rows = [row | {"coverage": str(coverages[row["data"]])} if row["rule"] == "promise" else row for row in rows]
    assert "Over 2 cells of 1000 draws, from 2 sets, our mean coverage is 30.0 %." in page.ratios(rows)
    assert (
        "* *SGR*: ours is 0.60 times as much (95 % interval over the sets 0.40 to 0.80); ours answers over a hundredth "
        "of the population more in 0 cells, SGR in 2, most for magic, `m_branch`, a target of 10 % and a confidence of "
        "90 %: 50.0 % where ours answers 20.0 %."
    ) in page.ratios(rows)
