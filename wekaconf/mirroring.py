"""Mirrors of other people's trees."""

from __future__ import annotations

import os
from typing import Any

from wekaconf.data.dataset import Dataset, Header, header_of
from wekaconf.errors import OptionError
from wekaconf.foreign import sklearn_trees, weka_models
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


def mirror(thing: Any, *, header: Header | None = None, train: Dataset | None = None) -> TreeMirror | Forest:
    """The mirror of a tree, or a forest, that others have grown.

    Parameters
    ----------
    thing : estimator or path
        A fitted DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier or
        BaggingClassifier of such trees. Of a Pipeline the last step is mirrored: its mirror answers for instances that
        have passed the earlier steps. Or the path of a ``.model`` or ``.model.gz`` file of Weka 3.8 or newer with a
        J48, REPTree, RandomTree, RandomForest, or Bagging of such trees; it is read without Java.
    header : Header, optional
        The header of the data that it was trained on. Left out, it is made from the estimator: its attributes have the
        names of ``feature_names_in_``, or else x1, x2, …; the class declares ``classes_`` as texts, in their order. A
        label belongs to the declared class of its name; else whole numbers are indices of declared classes. A
        ``.model`` file has a header, and needs none; one that is given must be the same.
    train : Dataset, optional
        The training data, if that is easier to give than the header.

    Returns
    -------
    TreeMirror or Forest
        It answers bit for bit as the original does, missing values included. scikit-learn's own forests do so only with
        ``n_jobs=1``: with more jobs they add up in changing order.

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
            raise OptionError("mirror: give either header or train")
        header = header_of(train)
    if isinstance(thing, TreeMirror | Forest):
        return thing
    if sklearn_trees.is_estimator(thing):
        return sklearn_trees.mirror(thing, header)
    if isinstance(thing, str | os.PathLike):
        return weka_models.load(thing, header)
    raise OptionError(
        f"mirror: expected a fitted tree or forest of scikit-learn ({sklearn_trees.READ}), or the path of a model that "
        f"Weka saved, got "
        f"{'a class' if isinstance(thing, type) else type(thing).__name__}"
    )
