"""Growing trees inside Weka and mirroring them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from wekaconf.bridge import jvm
from wekaconf.bridge.instances import to_java
from wekaconf.data.dataset import Dataset, FloatArray, Header, check_trainable, header_of, name_list
from wekaconf.errors import BridgeError, OptionError
from wekaconf.tree.arrays import ARRAY_DTYPES
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


@dataclass(frozen=True)
class Learner:
    """A learner of Weka's that has a mirror.

    Parameters
    ----------
    class_name : str
    options : str
        Put before the user's.
    is_ensemble : bool
        Whether it grows several trees.
    """

    class_name: str
    options: str
    is_ensemble: bool = False


LEARNERS = {
    "J48": Learner("weka.classifiers.trees.J48", ""),
    "C44": Learner("weka.classifiers.trees.J48", "-U -O -A"),
    "REPTree": Learner("weka.classifiers.trees.REPTree", ""),
    "RandomTree": Learner("weka.classifiers.trees.RandomTree", ""),
    "RandomForest": Learner("weka.classifiers.trees.RandomForest", "", is_ensemble=True),
    "Bagging": Learner("weka.classifiers.meta.Bagging", "", is_ensemble=True),
}


@dataclass(frozen=True)
class WekaModel:
    """A classifier that Weka has trained, still in Java; the oracle of the mirror.

    Parameters
    ----------
    classifier : object
        Opaque Java object.
    n_classes : int
    """

    classifier: Any
    n_classes: int

    def distributions(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: distributionForInstance of every instance, looped over in Java."""
        flat: FloatArray = jvm.call("distributions", self.classifier, to_java(data.without_class_values()))
        return flat.reshape(len(data), self.n_classes)

    def classifications(self, data: Dataset) -> FloatArray:
        """(n_instances,) float64: classifyInstance of every instance, NaN when it declines."""
        return jvm.call("classifications", self.classifier, to_java(data.without_class_values()))


def learner(name: str) -> Learner:
    """The learner of that short or full Weka name; OptionError names the valid ones."""
    for short, known in LEARNERS.items():
        if name in (short, known.class_name):
            return known
    raise OptionError(f"no learner '{name}'; the learners with a mirror are {', '.join(LEARNERS)}")


def train_in_weka(train: Dataset, learner_name: str = "J48", options: str = "") -> tuple[WekaModel, Any]:
    """Build a classifier inside Weka.

    Returns
    -------
    model : WekaModel
    instances : object
        The training data, in Java.
    """
    check_trainable(train)
    classifier = _untrained(learner(learner_name), options)
    instances = to_java(train)
    with _refusals_told(learner_name, options):
        jvm.call("build", classifier, instances)
    return WekaModel(classifier, train.n_classes), instances


def _untrained(known: Learner, options: str) -> Any:
    return create(known.class_name, f"{known.options} {options}".strip())


@contextmanager
def _refusals_told(learner_name: str, options: str) -> Iterator[None]:
    """What Weka declines while growing becomes an OptionError."""
    try:
        yield
    except BridgeError as error:
        if "Model selection method not implemented" in str(error):
            raise OptionError(
                f"J48 -R (reduced-error pruning) does not work in Weka {jvm.about()['weka']} itself, which throws "
                "'Model selection method not implemented'; leave -R out, or use the learner REPTree"
            ) from error
        if jvm.is_refusal(error):
            raise OptionError(f"{f'{learner_name} {options}'.strip()}: {str(error).removeprefix('Weka: ')}") from error
        raise


def grow(train: Dataset, learner_name: str = "J48", options: str = "") -> TreeMirror | Forest:
    """Grow a tree inside Weka and mirror it; see `wekaconf.grow`."""
    model, instances = train_in_weka(train, learner_name, options)
    return mirror(model, instances, train, learner_name, options)


def grow_labelled(
    train: Dataset, asked: Dataset, labels: Sequence[int], learner_name: str = "J48", options: str = ""
) -> list[tuple[TreeMirror, ...]]:
    """The trees that grow when an instance joins the training data under one class after another.

    Parameters
    ----------
    train : Dataset
        Instances without a class are left out, as `grow` does.
    asked : Dataset
        With the header of ``train``. Class and weights are not looked at.
    labels : (n_labels,) sequence of int
        Indices of declared classes.
    learner_name : str
        One that grows a single tree: J48, C44, REPTree, RandomTree.
    options : str
        Weka's, for that learner.

    Returns
    -------
    (n_asked,) list of (n_labels,) tuple of TreeMirror
        Entry [i][j] is bit for bit what `grow` gives for ``train`` followed by instance i of ``asked`` with class
        ``labels[j]`` and weight 1. Cost: n_asked · n_labels times that of growing one tree, shared by all
        processors, in one call of Java; those trees twice in memory, in Java and again here. Nothing interrupts a
        call, so give large data in parts.

    Raises
    ------
    OptionError
        The learner is unknown or grows several trees, an option is wrong, a label is no class, or nothing can be
        learned from ``train`` alone.
    HeaderMismatchError
        ``asked`` has other attributes.
    BridgeError
        Weka failed on one of the trees; the others are given up.
    """
    known = learner(learner_name)
    if known.is_ensemble:
        single = ", ".join(name for name, other in LEARNERS.items() if not other.is_ensemble)
        raise OptionError(f"learner: expected one that grows a single tree ({single}), got {learner_name}")
    check_trainable(train)
    train.header.check_same(header_of(asked), "the asked instances")
    for label in labels:
        if not isinstance(label, int | np.integer) or not 0 <= label < train.n_classes:
            raise OptionError(f"labels: expected indices of classes, from 0 to {train.n_classes - 1}, got {label!r}")
    classifier = _untrained(known, options)
    n_labels = len(labels)
    if not len(asked) or not n_labels:
        return [()] * len(asked)
    with _refusals_told(learner_name, options):
        exported = jvm.call(
            "growLabelled", classifier, to_java(train), asked.values.ravel(), np.array(labels, dtype=np.int32)
        )
    trees = _unpack(exported, train.header, _record(learner_name, options))
    return [trees[first : first + n_labels] for first in range(0, len(trees), n_labels)]


def mirror(model: WekaModel, instances: Any, train: Dataset, learner_name: str, options: str) -> TreeMirror | Forest:
    """Copy what Weka has built into arrays, in one crossing."""
    try:
        exported = jvm.call("mirror", model.classifier, instances)
    except BridgeError as error:
        if "no mirror for" in str(error):
            raise OptionError(f"{learner_name}: {error}; its members must be J48, REPTree or RandomTree") from error
        raise
    record = _record(learner_name, options)
    trees = _unpack(exported, train.header, record)
    return Forest(trees, **record) if learner(learner_name).is_ensemble else trees[0]


def _record(learner_name: str, options: str) -> dict[str, str]:
    return {"learner": learner_name, "options": options, "weka_version": jvm.about()["weka"]}


def _unpack(exported: Any, header: Header, record: Mapping[str, str]) -> tuple[TreeMirror, ...]:
    """The mirrors of the facade's concatenated arrays."""
    arrays = {}
    for name, dtype in ARRAY_DTYPES.items():
        kind = "doubles" if dtype is np.float64 else "ints"
        flat = jvm.call(kind, exported, name)
        arrays[name] = flat.reshape(-1, header.n_classes) if name.endswith("class_weight") else flat
    ends = np.cumsum(jvm.call("ints", exported, "node_counts"))
    routing = jvm.call("strings", exported, "routing")
    trees = []
    for begin, end, rules in zip(ends - np.diff(ends, prepend=0), ends, routing, strict=True):
        own = {name: array[begin:end] for name, array in arrays.items()}
        trees.append(TreeMirror.from_arrays(header, {**record, "routing": rules}, own))
    return tuple(trees)


def create(class_name: str, options: str) -> Any:
    """A Weka object with its options set; OptionError names the valid options."""
    if not isinstance(options, str):
        raise OptionError(f"{class_name}: expected the options as one text, such as '-C 0.25 -M 2', got {options!r}")
    try:
        return jvm.call("create", class_name, options)
    except BridgeError as error:
        raise OptionError(
            f"{class_name} {options}: {str(error).removeprefix('Weka: ')}; valid options are {option_list(class_name)}"
        ) from error


def option_list(class_name: str) -> str:
    """Synopses of the options of a Weka class, for messages."""
    return ", ".join(text for text in jvm.call("options", class_name)[::2] if text)


def check_class_name(class_name: str, kind: str, package: str) -> None:
    """Raise OptionError unless Weka has a class of that full name and kind; the message names the nearest."""
    names = jvm.call("classes", kind, package)
    if class_name in names:
        return
    tail = class_name.rsplit(".", 1)[-1]
    near = [name for name in names if name.rsplit(".", 1)[1].lower() == tail.lower()]
    near = near or difflib.get_close_matches(class_name, names, n=3, cutoff=0.4) or names[:3]
    raise OptionError(
        f"no {kind.rsplit('.', 1)[1].lower()} '{class_name}' in Weka; below {package} there are {len(names)}, "
        f"such as {name_list(near)}"
    )
