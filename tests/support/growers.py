"""Learners called as functions of data and options, and what Weka itself has trained."""

from wekaconf.model.scheme import learner_of


def grow(train, learner="J48", options=""):
    """What a learner grows; nothing is told of the data."""
    return learner_of(learner, options).grow_without_notes(train)


def grow_cart(train, options=""):
    """A tree of CART."""
    return grow(train, "CART", options)


def grow_info_gain(train, options=""):
    """A tree by information gain."""
    return grow(train, "info_gain", options)


def grow_info_gain_bagging(train, options=""):
    """Several of them."""
    return grow(train, "info_gain_bagging", options)


def grow_labelled(train, asked, labels, learner="J48", options=""):
    """The trees that grow when an instance joins under one class after another."""
    return learner_of(learner, options).grow_labelled(train, asked, labels)


def train_in_weka(train, learner="J48", options=""):
    """Weka's classifier and the training data, both in Java."""
    return learner_of(learner, options).train_in_weka(train)


def mirror(model, instances, train, learner="J48", options=""):
    """The mirror of such a classifier."""
    return learner_of(learner, options).mirror(model, instances, train)
