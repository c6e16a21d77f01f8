"""Mirrors of other people's trees."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import Any

from wekaconf.base.errors import ModelFileError, NotFittedError, OptionError
from wekaconf.bridge import live_classifiers
from wekaconf.data.column_map import ColumnMap
from wekaconf.data.cost_matrix import CostMatrix
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.data.header import Header
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.thresholds import choose
from wekaconf.learners.foreign import COST_SENSITIVE, FILTERED, INPUT_MAPPED, sklearn_trees, weka_models
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.file import model_of_bytes
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import class_names
from wekaconf.tree import Forest, TreeMirror

WRAPPERS = (FILTERED, COST_SENSITIVE, INPUT_MAPPED)
"""Classifiers of Weka's whose live objects are saved and read: filters and costs are no part of a tree."""


def mirror(thing: Any, *, header: Header | None = None, train: Dataset | None = None) -> TreeMirror | Forest | Model:
    """The mirror of a tree, or a forest, that others have grown.

    Parameters
    ----------
    thing : object
        * A fitted DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier or
          BaggingClassifier of such trees, of scikit-learn. Of a Pipeline the last step is mirrored: its mirror answers
          for instances that have passed the earlier steps.
        * The path of a ``.model`` or ``.model.gz`` file of Weka 3.8 or newer with a J48, REPTree, RandomTree,
          DecisionStump, RandomForest, or Bagging, RandomCommittee or RandomSubSpace of such trees, or an
          AttributeSelectedClassifier of these, which asks only about the columns that it has chosen. It is read without
          Java, and nothing in it is executed.
        * The same classifiers as live objects: of python-weka-wrapper3, or of Java through its bridge.
        * A classifier of ours inside Weka, such as weka.classifiers.trees.ConfDTree, live or in a file.
        * A FilteredClassifier of one of these, if its filter is Discretize, ReplaceMissingValues, Remove or Reorder, or
          a MultiFilter of such.
        * A CostSensitiveClassifier or InputMappedClassifier of one of these. Columns are matched by their exact names,
          as for every model: one that is absent is an error, where InputMappedClassifier takes it for missing.
    header : Header, optional
        The header of the data that it was trained on. Left out, for scikit-learn it is made from the estimator: its
        attributes have the names of ``feature_names_in_``, or else x1, x2, …; the class declares ``classes_`` as texts,
        in their order. A label belongs to the declared class of its name; else whole numbers are indices of declared
        classes. Weka's classifiers keep their header, and one that is given must be the same. (A REPTree or RandomTree
        that is but a ZeroR keeps none.)
    train : Dataset, optional
        The training data, if these are easier to give than the header.

    Returns
    -------
    TreeMirror, Forest or Model
        It answers bit for bit as the original does, missing values included. scikit-learn's own forests do so only with
        ``n_jobs=1``: with more jobs they add up in changing order. Of a FilteredClassifier a `Model`: it filters the
        data first, and its method is ``leaf_frequency`` on the mirror of the tree, which is ``model.method.tree_``. Of
        a CostSensitiveClassifier -M a `Model` that predicts the class of least expected cost; its probabilities are
        those that the costs weigh, while Weka gives that class the probability 1. Of a classifier of ours the `Model`
        that it holds, behind the filters if there are any.

    Raises
    ------
    OptionError
        There is no mirror for such a thing; the message says why.
    NotFittedError
        It has not been trained.
    HeaderMismatchError
        The header is not that of its training data.
    ModelFileError
        The file is absent or damaged, or holds no tree that has a mirror.
    """
    if train is not None:
        if header is not None:
            raise OptionError("mirror: give either header or train", value_of="header")
        header = header_of(train)
    if isinstance(thing, TreeMirror | Forest):
        return thing
    if isinstance(thing, str | os.PathLike):
        return _mirror_file(thing, header)
    if sklearn_trees.is_estimator(thing):
        return sklearn_trees.mirror(thing, header)
    java = live_classifiers.java_object(thing)
    if java is None:
        kind = "a class" if isinstance(thing, type) else type(thing).__name__
        raise OptionError(
            f"mirror: expected a fitted tree or forest of scikit-learn ({sklearn_trees.READ}), the path of a model "
            f"that Weka saved, or a classifier of Weka, got {kind}",
            value_of="tree",
        )
    name = live_classifiers.class_name(java)
    if name not in WRAPPERS and name not in class_names():
        return live_classifiers.mirror(java, header)
    with live_classifiers.saved_model(java) as path:
        try:
            return _mirror_file(path, header)
        except ModelFileError as error:
            reason = str(error).partition(": ")[2]
            raise (NotFittedError if "not trained" in reason else OptionError)(f"mirror: it {reason}") from error


def _mirror_file(path: str | os.PathLike[str], header: Header | None) -> TreeMirror | Forest | Model:
    """The mirror of the classifier in a model file of Weka's."""
    content = weka_models.load(path, header)
    if not isinstance(content, weka_models.Inside):
        return _with_filters_and_costs(*content)
    model = model_of_bytes(content.model, os.fspath(path))
    if content.filters:
        model.header.check_same(content.filters[-1].output_header, "the output of the filters")
        model = replace(model, filters=content.filters, summary=None)  # which is of what the filters gave
    if header is not None:
        model.header.check_same(header, "the given header")
    return model if math.isnan(content.reject) else replace(model, choice=choose(Aim("below", content.reject), [], []))


def _with_filters_and_costs(
    tree: TreeMirror | Forest, filters: tuple[ColumnMap, ...], costs: CostMatrix | None
) -> TreeMirror | Forest | Model:
    if not filters and costs is None:
        return tree
    choice = None
    if costs is not None:
        never = RejectCosts(costs, max(map(max, costs.costs)))
        choice = choose(Aim("cost", never), [], [])
    return Model(LeafFrequency.restore({}, tree, {}), filters, choice)
