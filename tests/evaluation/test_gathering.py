"""Where errors gather: against Fisher's test, under chance alone, and where they were planted."""

import numpy as np
import pytest
from scipy.stats import fisher_exact

from wekaconf.evaluation.checks import Gathering
from wekaconf.evaluation.statistics import holm


def random_groups(rng, n):
    values = rng.integers(0, 5, (n, 6))
    return {f"c{c} = {v}": values[:, c] == v for c in range(6) for v in range(5)}


def test_each_group_is_tested_exactly():
    rng = np.random.default_rng(1)
    groups, is_answered, is_wrong = random_groups(rng, 300), rng.random(300) < 0.8, rng.random(300) < 0.2
    found = Gathering.of(groups, is_answered, is_wrong)
    tables = {}
    for name, rows in groups.items():
        tables[name] = [
            [int((is_answered & of & error).sum()) for error in (is_wrong, ~is_wrong)] for of in (rows, ~rows)
        ]
    expected = holm([fisher_exact(table, alternative="greater").pvalue for table in tables.values()])
    assert len(found.groups) == len(groups)
    for group in found.groups:
        (wrong, right), _ = tables[group.name]
        assert (group.answered, group.wrong) == (wrong + right, wrong)
        assert group.p_value == pytest.approx(expected[list(groups).index(group.name)], rel=1e-6)
    assert [group.p_value for group in found.groups] == sorted(group.p_value for group in found.groups)


@pytest.mark.parametrize(("size", "p_values"), [(4, [6 / 190]), (5, [])])
def test_a_group_in_which_all_errors_could_be_chance_is_not_tested(size, p_values):
    """Both errors of 20 answers are among 4 with probability 6/190, among 5 with 10/190, more than 5 %."""
    is_first = np.arange(20) < size
    found = Gathering.of({"first": is_first}, np.ones(20, dtype=np.bool_), np.arange(20) < 2)
    assert [group.p_value for group in found.groups] == pytest.approx(p_values)


def test_errors_that_gather_nowhere_are_seldom_said_to():
    rng = np.random.default_rng(2)
    told = [
        bool(Gathering.of(random_groups(rng, 80), rng.random(80) < 0.9, rng.random(80) < 0.3).told) for _ in range(400)
    ]
    assert np.mean(told) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert any(told)


def test_the_worst_three_are_named():
    rng = np.random.default_rng(3)
    groups = {f"ward = {i}": np.arange(600) % 6 == i for i in range(6)}
    is_wrong = rng.random(600) < np.where(np.arange(600) % 6 < 4, [0.9, 0.8, 0.7, 0.6, 0, 0] * 100, 0.02)
    groups["again"] = groups["ward = 0"]
    found = Gathering.of(groups, np.ones(600, dtype=bool), is_wrong)
    assert [group.name for group in found.told] == ["ward = 0", "ward = 1", "ward = 2"]
    assert found.lines[0] == "errors gather, more than by chance (Holm over 6 tests):"
    n_wrong = int(is_wrong[::6].sum())
    assert found.lines[1].startswith(f"  ward = 0: {n_wrong} of 100 answers wrong ({n_wrong} %), elsewhere ")
    rows = np.arange(600)
    many = {f"part {i}": (rows // 60 == i) for i in range(10)}
    told = Gathering.of(many, np.ones(600, dtype=bool), rows < 300)
    assert told.lines[-1] == "  and in 2 more groups"
    assert len(told.lines) == 5


def test_nothing_to_tell():
    rows = np.arange(60)
    groups = {"even": rows % 2 == 0, "odd": rows % 2 == 1, "none": rows < 0, "all": rows >= 0}
    assert Gathering.of(groups, rows >= 0, rows < 0).lines == []
    assert Gathering.of(groups, rows < 0, rows < 0).lines == []
    assert Gathering.of({}, rows >= 0, rows > 5).lines == []
    assert Gathering.of(groups, rows >= 0, rows < 20).lines == [
        "no leaf or column shows more errors than chance gives (smallest p = 1, Holm over 2 tests)"
    ]
