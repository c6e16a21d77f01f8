"""m-Branch: an example by hand, the literal reference, its limits."""

import numpy as np
import pytest
from support.rival_cases import answer, assert_equals_reference, random_case, worked_example
from support.small_data import small
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.methods.m_branch import MBranch, node_heights


def test_worked_example():
    tree, train = worked_example()
    method = MBranch().fit(tree, train)
    assert node_heights(tree).tolist() == [3, 1, 2, 1, 1, 1]
    # m is 44/3 at the root, 12 at the inner node and 4 at the leaves
    by_hand = [13 / 23, 59 / 69, 101 / 230, 432 / 805, 202 / 1035, 101 / 230]
    np.testing.assert_allclose(method.answer_, [[p, 1 - p] for p in by_hand], rtol=0, atol=1e-15)
    for x, y, node in [(3, "b", 1), (4, "a", 3), (4, "b", 4), (4, "c", 5)]:
        assert answer(method, x, y) == method.answer_[node].tolist()


def test_missing_values_of_the_worked_example():
    method = MBranch().fit(*worked_example())
    right = 3 / 8 * 432 / 805 + 5 / 8 * 202 / 1035
    assert answer(method, None, "c")[0] == pytest.approx(0.5 * 59 / 69 + 0.5 * 101 / 230)
    assert answer(method, 4, None) == pytest.approx([right, 1 - right])
    assert answer(method, None, None)[0] == pytest.approx(0.5 * 59 / 69 + 0.5 * right)


@pytest.mark.parametrize(("spec", "heights"), [
    ((0, LE, 3, (1, EACH, None, [2, 1], [0, 5], [0, 0]), [8, 0]), [3, 2, 1, 1, 1, 1]),
    ((0, LE, 3, (1, EACH, None, [2, 1], [0, 5], [0, 0]), (0, LE, 5, [1, 0], [0, 1])), [3, 2, 2, 1, 1, 1, 1, 1]),
    ([8, 0], [1]),
])  # fmt: skip
def test_the_height_counts_the_nodes_of_the_longest_way_down(spec, heights):
    assert node_heights(written_tree(worked_example()[1].header, spec)).tolist() == heights


def test_a_leaf_without_instances_tells_that_the_estimate_above_holds():
    tree, train = worked_example()
    asked = small(x=[4], y=("abc", ["c"]), **{"class": ("pq", [None])})
    told = str(MBranch(m=1).fit(tree, train).explain(asked).account(0)).splitlines()
    assert any("y = c: no training instances, so the estimate above holds" in line for line in told)
    assert told[-1].strip() == "every class alike = p (0.5), q (0.5)"


def test_a_leaf_with_less_than_an_instance_has_a_say():
    tree, train = worked_example()
    light = wc.Dataset(train.header, train.values, np.full(len(train), 0.1))
    told = str(MBranch(m=1).fit(tree, light).explain(light.take([0])).account(0))
    assert "0.8 training instances" in told and "no training instances" not in told


@pytest.mark.parametrize("m", [5e-324, 1e-300, 1e9])
def test_a_node_without_instances_answers_as_its_parent_whatever_m(m):
    tree, train = worked_example()
    method = MBranch(m=m).fit(tree, train)
    assert answer(method, 4, "c") == method.answer_[2].tolist()
    assert answer(method.fit(tree, train.take([])), 4, "b") == [0.5, 0.5]


@pytest.mark.parametrize("seed", range(60))
def test_equals_the_reference(seed):
    assert_equals_reference(MBranch(), *random_case(seed, complete=True), 1e-15)
    assert_equals_reference(MBranch(m=0.7 * (seed % 4)), *random_case(seed, complete=False), 1e-12)
