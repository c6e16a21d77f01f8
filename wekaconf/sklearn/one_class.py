"""Trees for training data in which only one class occurs."""

from __future__ import annotations

from dataclasses import replace

from wekaconf.data.dataset import Dataset
from wekaconf.tree.learner import Learner
from wekaconf.tree.mirror import TreeMirror


def grow_any(learner: Learner[TreeMirror], train: Dataset) -> TreeMirror:
    """The tree that a learner grows, also for data that declare only one class, which Weka refuses.

    The learner then gets a second class without instances, which is taken out of the tree, so that the tree answers by
    the learner's own rules.
    """
    if train.n_classes > 1:
        return learner.grow(train)
    header, target = train.header, train.header.class_attribute
    two = replace(target, values=(*target.values, f"not {target.values[0]}"))
    attributes = (*header.attributes[: header.class_index], two, *header.attributes[header.class_index + 1 :])
    tree = learner.grow(Dataset(replace(header, attributes=attributes), train.values, train.weights))
    if not isinstance(tree, TreeMirror):
        return tree  # a forest, which every method refuses by name
    return replace(
        tree,
        header=header,
        class_weight=tree.class_weight[:, :1],
        branch_class_weight=tree.branch_class_weight[:, :1],
        grown_class_weight=tree.grown_class_weight[:, :1],
        held_out_class_weight=tree.held_out_class_weight[:, :1],
    )
