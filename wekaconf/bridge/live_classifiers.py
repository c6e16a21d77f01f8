"""Mirrors of classifiers that others have built in Java, with python-weka-wrapper3 or by calling Java directly."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from wekaconf.base.errors import NotFittedError, OptionError
from wekaconf.base.naming import quoted
from wekaconf.base.words import ANY_OTHER
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import from_java, to_java
from wekaconf.bridge._java import check_paths
from wekaconf.bridge.learners import C44, WekaLearner, WekaModel
from wekaconf.data import Dataset, Header
from wekaconf.tree import Forest, TreeMirror
from wekaconf.tree.learner import available_learners, learner_class

MIRRORED = tuple(
    learner.class_name
    for learner in available_learners().values()
    if issubclass(learner, WekaLearner) and learner is not C44
)


def java_object(thing: Any) -> Any:
    """The Java object that ``thing`` is, or that python-weka-wrapper3 has wrapped in it; None for anything else."""
    thing = getattr(thing, "jobject", thing)
    names = [(sys.modules.get("jpype"), "JObject"), (sys.modules.get("javabridge"), "JB_Object")]
    java_types = tuple(getattr(module, name) for module, name in names if hasattr(module, name))
    return thing if isinstance(thing, java_types) and not isinstance(thing, type) else None


def class_name(java: Any) -> str:
    """The full name of the class of a Java object."""
    return str(jvm.call("classifier", java)[0])


@contextmanager
def saved_model(java: Any) -> Iterator[Path]:
    """Save a Java object in a model file of Weka's that lasts as long as the block.

    For FilteredClassifier, whose filters then have one reader. Trees are copied by the facade, which is ten times as
    fast for a large forest.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "live.model"
        check_paths(path)
        jvm.call("save", java, str(path))
        yield path


def mirror(java: Any, header: Header | None) -> TreeMirror | Forest:
    """The mirror of a classifier that has been built in Java; see `wekaconf.mirror`."""
    name, *rest = jvm.call("classifier", java)
    if name not in MIRRORED:
        known = ", ".join(mirrored.rpartition(".")[2] for mirrored in MIRRORED)
        raise OptionError(
            f"mirror: a {name} has no mirror; only {known}, and FilteredClassifier, CostSensitiveClassifier and "
            f"InputMappedClassifier of these have one; {ANY_OTHER}",
            value_of="tree",
        )
    learner = learner_class(name)(*rest)
    assert isinstance(learner, WekaLearner)
    with learner.refused_members():
        is_built = jvm.call("isBuilt", java)[0]
    if not is_built:
        raise NotFittedError(
            f"{learner.name} has not been built; call its build_classifier(data), in Java buildClassifier(data), first"
        )
    java_header = jvm.call("header", java)
    if java_header is None and header is None:
        raise OptionError(
            f"mirror: this {learner.name} keeps no header, since Weka could not grow a tree; give header= or train=",
            value_of="tree",
        )
    if java_header is not None:
        classifier_header = from_java(java_header).header
        if header is not None:
            classifier_header.check_same(header, "the given header")
        header = header or classifier_header
    assert header is not None
    target = header.class_attribute
    if not target.is_nominal:
        raise OptionError(
            f"mirror: this {learner.name} is one of the {target.kind} class {quoted(target.name)}; only trees that "
            "predict a nominal class have a mirror",
            value_of="tree",
        )
    empty = Dataset(header, np.zeros((0, len(header.attributes))))
    return learner.mirror(WekaModel(java, header.n_classes), to_java(empty), empty)
