"""Growing trees inside Weka and mirroring them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

import numpy as np

from wekaconf.bridge import jvm
from wekaconf.bridge.instances import to_java
from wekaconf.dataset import Dataset, FloatArray, check_trainable, name_list
from wekaconf.errors import BridgeError, OptionError
from wekaconf.tree import ARRAY_DTYPES, Forest, TreeMirror


@dataclass(frozen=True)
class Learner:
    """A learner of Weka's that has a mirror.

    Parameters
    ----------
    class_name : str
    options : str
        Put before the user's.
    """

    class_name: str
    options: str


LEARNERS = {
    "J48": Learner("weka.classifiers.trees.J48", ""),
    "C44": Learner("weka.classifiers.trees.J48", "-U -O -A"),
    "REPTree": Learner("weka.classifiers.trees.REPTree", ""),
    "RandomTree": Learner("weka.classifiers.trees.RandomTree", ""),
    "RandomForest": Learner("weka.classifiers.trees.RandomForest", ""),
    "Bagging": Learner("weka.classifiers.meta.Bagging", ""),
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
    known = learner(learner_name)
    classifier = create(known.class_name, f"{known.options} {options}".strip())
    instances = to_java(train)
    try:
        jvm.call("build", classifier, instances)
    except BridgeError as error:
        if "Model selection method not implemented" in str(error):
            raise OptionError(
                f"J48 -R (reduced-error pruning) does not work in Weka {jvm.about()['weka']} itself, which throws "
                "'Model selection method not implemented'; leave -R out, or use the learner REPTree"
            ) from error
        if jvm.is_refusal(error):
            raise OptionError(f"{f'{learner_name} {options}'.strip()}: {str(error).removeprefix('Weka: ')}") from error
        raise
    return WekaModel(classifier, train.n_classes), instances


def grow(train: Dataset, learner_name: str = "J48", options: str = "") -> TreeMirror | Forest:
    """Grow a tree inside Weka and mirror it; see `wekaconf.grow`."""
    model, instances = train_in_weka(train, learner_name, options)
    return mirror(model, instances, train, learner_name, options)


def mirror(model: WekaModel, instances: Any, train: Dataset, learner_name: str, options: str) -> TreeMirror | Forest:
    """Copy what Weka has built into arrays, in one crossing."""
    try:
        exported = jvm.call("mirror", model.classifier, instances)
    except BridgeError as error:
        if "no mirror for" in str(error):
            raise OptionError(f"{learner_name}: {error}; its members must be J48, REPTree or RandomTree") from error
        raise
    arrays = {}
    for name, dtype in ARRAY_DTYPES.items():
        kind = "doubles" if dtype is np.float64 else "ints"
        flat = jvm.call(kind, exported, name)
        arrays[name] = flat.reshape(-1, train.n_classes) if name.endswith("class_weight") else flat
    record = {"learner": learner_name, "options": options, "weka_version": jvm.about()["weka"]}
    ends = np.cumsum(jvm.call("ints", exported, "node_counts"))
    routing = jvm.call("strings", exported, "routing")
    trees = []
    for begin, end, rules in zip(ends - np.diff(ends, prepend=0), ends, routing, strict=True):
        own = {name: array[begin:end] for name, array in arrays.items()}
        trees.append(TreeMirror.from_arrays(train.header, {**record, "routing": rules}, own))
    if learner(learner_name).class_name.rsplit(".", 1)[1] in ("Bagging", "RandomForest"):
        return Forest(tuple(trees), **record)
    return trees[0]


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
