"""Data, trees, splits and a comparison that tests of cross-validation share, without Java."""

import numpy as np

from support.random_trees import random_dataset, random_header, random_tree
from wekaconf.data import Dataset
from wekaconf.evaluation.cross_validation import ARRAYS, CrossValidation
from wekaconf.evaluation.summaries import summarise


def some_without_class(n, n_classes=3):
    """Random data of which three instances have no class, and all have weights."""
    rng = np.random.default_rng(0)
    data = random_dataset(rng, random_header(rng, n_classes=n_classes), n, 0.1, weights=True)
    values = data.values.copy()
    values[[3, 50, 70], data.class_index] = np.nan
    return Dataset(data.header, values, data.weights)


def grow(train):
    """A random tree on the instances that have a class."""
    train = train.take(train.class_values >= 0)
    return random_tree(np.random.default_rng(len(train)), train)


def halves(train):
    """Two folds."""
    place = np.arange(len(train))
    return [(place[::2], place[1::2]), (place[1::2], place[::2])]


def assert_same_answers(one, other):
    for name in (*ARRAYS, "actual", "is_foreign", "weights", "run", "fold", "instance", "known"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert (one.notes, one.events, one.choices) == (other.notes, other.events, other.choices)
    np.testing.assert_equal(summarise(one), summarise(other))


def cross_validate(
    data, runs, grow, methods, *, cache=None, on_progress=lambda _done, _total: None, begin=None, **more
):
    """The answers of methods, in their order."""
    named, ahead = dict(enumerate(methods)), {} if begin is None else {grow: begin}
    validation = CrossValidation(data, runs, dict.fromkeys(named, grow), named, ahead=ahead, **more)
    return [*validation.run(cache, on_progress).values()]
