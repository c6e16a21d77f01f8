"""Mirrors written by scripts/make_golden.py give the answers that Weka gave, bit for bit and without Java."""

import json
from pathlib import Path

import numpy as np
import pytest
from reference import weka_recursion

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.tree._kinds import Routing, SplitKind
from wekaconf.tree._mirror import TreeMirror

FILES = sorted((Path(__file__).parents[1] / "golden").glob("*.json"))


def read(path):
    told = json.loads(path.read_text(encoding="utf-8"))
    parts = told["header"]
    attributes = tuple(
        Attribute(**{name: tuple(part) if isinstance(part, list) else part for name, part in attribute.items()})
        for attribute in parts["attributes"]
    )
    header = Header(parts["relation"], attributes, parts["class_index"])
    tree = TreeMirror.from_arrays(header, told["record"], told["arrays"])
    return tree, Dataset(header, told["values"]), np.array(told["distributions"]), np.array(told["classifications"])


def test_files_cover_the_rules():
    trees = [read(path)[0] for path in FILES]
    not_golden = {Routing.RANDOMTREE, Routing.CART, Routing.CART_LAPLACE, Routing.COUNTS, Routing.COUNTS_LAPLACE}
    assert {tree.routing for tree in trees} == set(Routing) - not_golden
    kinds = {SplitKind(int(kind)) for tree in trees for kind in tree.split_kind}
    assert kinds == set(SplitKind) - {SplitKind.NOMINAL_SUBSET}
    assert any(tree.is_empty[tree.split_kind == SplitKind.LEAF].any() for tree in trees)
    assert all(tree.weka_version.startswith("3.9.") for tree in trees)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answers(path):
    tree, test, distributions, classifications = read(path)
    np.testing.assert_array_equal(tree.predict_proba(test), distributions)
    start = np.zeros(len(test), dtype=np.int32)
    np.testing.assert_array_equal(tree.router.distributions_compiled(test.values, start), distributions)
    literal = [weka_recursion.distribution(tree, cells) for cells in test.values]
    np.testing.assert_array_equal(literal, distributions)
    np.testing.assert_array_equal(tree.classify(test), np.where(np.isnan(classifications), -1, classifications))
    ends = tree.apply(test)
    assert (ends >= 0).any() and (ends < 0).any()
