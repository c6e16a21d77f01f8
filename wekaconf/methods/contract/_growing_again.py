"""The learner that grew a tree, for methods that grow it again without some of its training instances."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Owner
from wekaconf.data import Dataset
from wekaconf.tree import Forest, Learner, TreeMirror, is_grown_on

ROUNDING = 1e-9
"""The relative difference that numbers of the tree that is grown again may have."""


def learner_that_grows_again(name: str, tree: TreeMirror, train: Dataset) -> Learner[TreeMirror]:
    """The learner of a tree; OptionError, for the method ``name``, unless it grows the tree on its data again."""
    if not len(train):
        raise OptionError(
            Owner(name),
            f" grows trees on its training data, but no instance of '{train.relation}' has a class and a positive "
            "weight; give at least one",
        )
    remedy = "; give a tree that wekaconf.grow gives for the training data, or a method that grows none"
    known = Learner.registry.get(tree.learner)
    if known is None:
        raise OptionError(Owner(name), f" grows trees as this one, but '{tree.learner}' is no learner here", remedy)
    learner = known.of_options(tree.options)
    if not (is_grown_on(tree, train) or _is_same(tree, learner.grow_without_notes(train))):
        raise OptionError(
            Owner(name),
            f" grows trees as this one, but {tree.learner} grows another on these {len(train)} instances",
            remedy,
        )
    return learner


def _is_same(tree: TreeMirror, other: TreeMirror | Forest) -> bool:
    """Whether two trees have equal arrays, but for rounding."""
    if not isinstance(other, TreeMirror) or other.n_nodes != tree.n_nodes:
        return False
    pairs = ((getattr(tree, field.name), getattr(other, field.name)) for field in fields(tree))
    return all(
        np.allclose(a, b, rtol=ROUNDING, atol=0, equal_nan=True) if a.dtype.kind == "f" else np.array_equal(a, b)
        for a, b in pairs
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
    )
