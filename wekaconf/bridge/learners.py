"""Weka's learners that have a mirror: trees are grown inside Weka and copied out of it."""

from __future__ import annotations

import re
import shlex
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.parameters import parameter, parameters
from wekaconf.base.words import ANY_OTHER, Owner, UseLearner
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import ReadPart, header_to_java, to_java
from wekaconf.bridge._objects import create, join_options, option_list
from wekaconf.bridge._tree_queue import GrowingTree, TreeQueue
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray
from wekaconf.tree import EXPORTED, REQUIRED, Forest, Grown, Learner, TreeMirror, options_text
from wekaconf.tree.learner import available_learners, learner_named
from wekaconf.tree.threads import n_threads

NUMBERS = [name for name, declaration in EXPORTED.items() if np.float64 in declaration.dtypes]
INTEGERS = [name for name in EXPORTED if name not in NUMBERS]
_PARAMETER = re.compile(r"(?<!\S)(?P<name>[A-Za-z_]\w*)=\S*")
"""An option as our own learners write them."""
N_OPTIONAL = len(EXPORTED) - len(REQUIRED)
"""Number of arrays at the end of `NUMBERS` that only some trees have."""


@dataclass(frozen=True)
class WekaModel:
    """A classifier trained by Weka, still in Java; the mirror is tested against it.

    Parameters
    ----------
    classifier : object
        Opaque Java object.
    n_classes : int
    """

    classifier: Any
    n_classes: int

    def distributions(self, data: Dataset) -> FloatArray:
        """(n_instances, n_classes) float64: Weka's distributionForInstance for every instance."""
        flat: FloatArray = jvm.call("distributions", self.classifier, to_java(data.without_class_values()))
        return flat.reshape(len(data), self.n_classes)

    def classifications(self, data: Dataset) -> FloatArray:
        """(n_instances,) float64: Weka's classifyInstance for every instance, NaN if it leaves one unclassified."""
        return jvm.call("classifications", self.classifier, to_java(data.without_class_values()))


class WekaLearner(Learner[Grown], is_registered=False):
    """One of Weka's learners: ``J48("-C 0.1 -M 5")`` or ``J48(confidence_factor=0.1, min_num_obj=5)``.

    Parameters have the names of Weka's properties, in snake case. The attribute ``options`` of a learner holds all
    options as Weka writes them.

    Raises
    ------
    OptionError
        ``options`` is neither a text nor a list of texts.
    """

    class_name: ClassVar[str]
    """Full name of the class in Weka."""
    prefix: ClassVar[str] = ""
    """Options that are put before the user's."""
    grown_by = "weka"
    takes_all = True  # ensembles draw their bags before they leave instances out

    # Any form in the call, one text afterwards.
    options: str | Sequence[str] = parameter(  # type: ignore[assignment]
        default="", kw_only=False,
        help="Options as Weka writes them, or their parts, which are joined as Weka joins them; checked when a tree is "
        "grown, which starts Java.",
    )  # fmt: skip

    def _written_options(self) -> str:
        """All options as Weka writes them; those given by name come first, as ``-W`` and ``--`` end an ensemble's."""
        known = parameters(type(self))
        named = (
            known[name].letters if isinstance(value, bool) else f"{known[name].letters} {value!r}"
            for name, value in self._set_parameters().items()
        )
        return " ".join(filter(None, (*named, options_text(self.name, self.options, join_options))))

    def _set_parameters(self) -> dict[str, Any]:
        """The parameters given by name that are not at their defaults; the others are left to Weka."""
        known = parameters(type(self))
        values = ((name, declared.default, getattr(self, name)) for name, declared in known.items() if declared.letters)
        return {name: value for name, default, value in values if value != default}

    @classmethod
    def of_options(cls, options: str | Sequence[str] = "") -> Self:
        """The learner that a text of options describes."""
        return cls(options)

    @property
    def params(self) -> dict[str, Any]:
        """All options, in one text."""
        return {"options": self.options}

    def __repr__(self) -> str:
        """The constructor's call."""
        return f"{type(self).__name__}({repr(self.options) if self.options else ''})"

    @classmethod
    def option_list(cls) -> list[tuple[str, str]]:
        """Synopsis and description of each of Weka's options; starts Java. Headings have no description."""
        return option_list(cls.class_name)

    def train_in_weka(self, train: Dataset) -> tuple[WekaModel, Any]:
        """Build a classifier inside Weka.

        Returns
        -------
        model : WekaModel
        instances : object
            The training data, in Java.
        """
        instances, classifier = to_java(train), self._new_classifier()
        with self._refusals_as_errors():
            jvm.call("build", classifier, instances)
        return WekaModel(classifier, train.n_classes), instances

    def mirror(self, model: WekaModel, instances: Any, train: Dataset) -> Grown:
        """Copy the trees that Weka has built into arrays; only the header of the instances is read."""
        with self.refused_members():
            exported = jvm.call("mirror", model.classifier, instances)
        record = self._record()
        return self._of_trees(_trees(_reader(exported, train.n_classes), train.header, record), record)

    def of_arrays(self, read: ReadPart, header: Header, *, weka_version: str) -> Grown:
        """The tree or the forest from the arrays that Java exported."""
        record = {"learner": self.name, "options": str(self.options), "weka_version": weka_version}
        return self._of_trees(_trees(read, header, record), record)

    @contextmanager
    def refused_members(self) -> Iterator[None]:
        """Raise an OptionError if the members of an ensemble are trees without a mirror, or no trees."""
        try:
            yield
        except BridgeError as error:
            if before := str(error).partition("no mirror behind ")[2]:
                raise OptionError(
                    Owner(self.name),
                    f" has no mirror behind {before}, which makes new columns; filter the data first; {ANY_OTHER}",
                ) from error
            if member := str(error).partition("no mirror for ")[2]:
                raise OptionError(
                    Owner(self.name),
                    f" has no mirror with members of {member}; they must be J48, REPTree, RandomTree or DecisionStump, "
                    "perhaps behind a choice of columns",
                ) from error
            raise

    def _grow(self, train: Dataset) -> Grown:
        model, instances = self.train_in_weka(train)
        return self.mirror(model, instances, train)

    def ahead(self) -> Callable[[Dataset], Callable[[], Grown]] | None:
        """See `Learner.ahead`."""
        # With one thread the second core belongs to another worker of joblib's.
        return TreeQueue(self._start, is_ensemble=self.is_ensemble) if n_threads() > 1 else None

    def _start(self, train: Dataset, before: Any) -> GrowingTree[Grown]:
        train = self._trainable(train)
        model, header = WekaModel(self._new_classifier(), train.n_classes), header_to_java(train.header)
        building = jvm.call("beginToBuild", model.classifier, to_java(train), before)
        return GrowingTree(
            building, lambda: self._recorded(self.mirror(model, header, train)), lambda: self.grow_without_notes(train)
        )

    def _grow_labelled(self, train: Dataset, asked: Dataset, labels: Sequence[int]) -> list[tuple[Grown, ...]]:
        classifier = self._new_classifier()
        n_labels = len(labels)
        if not len(asked) or not n_labels:
            return [()] * len(asked)
        with self._refusals_as_errors():
            exported = jvm.call(
                "growLabelled", classifier, to_java(train), asked.values.ravel(), asked.sparse_rows,
                np.array(labels, dtype=np.int32), n_threads(),
            )  # fmt: skip
        record = self._record()
        trees = [
            self._of_trees((tree,), record) for tree in _trees(_reader(exported, train.n_classes), train.header, record)
        ]
        return [tuple(trees[first : first + n_labels]) for first in range(0, len(trees), n_labels)]

    @abstractmethod
    def _of_trees(self, trees: tuple[TreeMirror, ...], record: Mapping[str, str]) -> Grown:
        """The tree, or the forest of the trees, that were copied."""

    def _new_classifier(self) -> Any:
        try:
            return create(self.class_name, f"{self.prefix} {self.options}".strip(), value_of="options")
        except OptionError:
            if foreign := _PARAMETER.search(str(self.options)):
                raise self._foreign_option(foreign["name"], foreign[0]) from None
            raise

    def _foreign_option(self, name: str, text: str) -> OptionError:
        """The error for an option that is written as those of our own learners are."""
        if (known := parameters(type(self)).get(name)) is not None and known.letters:
            return OptionError(
                f"'{text}' is written in Python, as an argument of {type(self).__name__}; here it is {known.letters}",
                value_of="options",
            )
        owners = [
            learner.name
            for learner in available_learners().values()
            if name in parameters(learner) and not issubclass(learner, WekaLearner)
        ]
        of_others = f"an option of {' and '.join(owners)}, not" if owners else "no option"
        synopsis, _ = self.option_list()[0]
        return OptionError(
            f"'{text}' is {of_others} of {self.name}, which takes Weka's own, such as {synopsis}; leave it out",
            value_of="options",
        )

    def _record(self) -> dict[str, str]:
        return {"learner": self.name, "options": str(self.options), "weka_version": jvm.about()["weka"]}

    @contextmanager
    def _refusals_as_errors(self) -> Iterator[None]:
        """Raise an OptionError if Weka refuses to grow."""
        try:
            yield
        except BridgeError as error:
            if "Model selection method not implemented" in str(error):
                raise OptionError(
                    Owner("J48"),
                    f" -R (reduced-error pruning) does not work in Weka {jvm.about()['weka']} itself, which throws "
                    "'Model selection method not implemented'; leave -R out, or ",
                    UseLearner("REPTree"),
                ) from error
            if jvm.is_refusal(error):
                raise OptionError(Owner(self.name), f"{f' {self.options}'.rstrip()}: {jvm.reason(error)}") from error
            raise


class WekaTree(WekaLearner[TreeMirror], is_registered=False):
    """One of Weka's learners that grow a single tree."""

    def _of_trees(self, trees: tuple[TreeMirror, ...], record: Mapping[str, str]) -> TreeMirror:
        del record
        return trees[0]


class WekaForest(WekaLearner[Forest], is_registered=False):
    """One of Weka's learners that grow several trees."""

    is_ensemble = True

    def _of_trees(self, trees: tuple[TreeMirror, ...], record: Mapping[str, str]) -> Forest:
        return Forest(trees, **record)


SLOTS = "Number of threads that grow trees; 0 for all processors."
TIES = "Whether chance decides between attributes that are equally good."
DRAWN = "Number of attributes drawn for each split; 0 for log2 of all, and 1."
BAG = "Size of each bag in percent of the training data."
"""Helps of parameters that several learners have."""


class J48(WekaTree, name="J48"):
    """Weka's C4.5.

    References
    ----------
    J. R. Quinlan (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.
    """

    reference = "quinlan1993"
    class_name = "weka.classifiers.trees.J48"
    aliases = (class_name,)
    # Not reduced_error_pruning, num_folds and seed: Weka itself throws where the first is set.
    confidence_factor: float = parameter(
        default=0.25,
        low=0,
        high=1,
        is_open=True,
        letters="-C",
        help="Confidence for pruning: the smaller, the more is pruned. Not used without pruning.",
    )
    min_num_obj: int = parameter(default=2, low=1, letters="-M", help="Smallest weight of instances in a leaf.")
    unpruned: bool = parameter(default=False, letters="-U", help="Whether to leave the tree unpruned.")
    collapse_tree: bool = parameter(
        default=True, letters="-O", help="Whether to remove splits that do not lower the error in training."
    )
    subtree_raising: bool = parameter(
        default=True,
        letters="-S",
        help="Whether pruning may put a branch in the place of its parent. Not used without pruning.",
    )
    binary_splits: bool = parameter(default=False, letters="-B", help="Whether nominal attributes split in two.")
    use_laplace: bool = parameter(
        default=False, letters="-A", help="Whether to smooth the distributions of the leaves by Laplace's correction."
    )
    use_mdl_correction: bool = parameter(
        default=True,
        letters="-J",
        help="Whether the gain of a numeric split is lowered by the cost of its choice among values.",
    )
    do_not_make_split_point_actual_value: bool = parameter(
        default=False,
        letters="-doNotMakeSplitPointActualValue",
        help="Whether a numeric split lies between two values instead of at one in the data.",
    )

    def _set_parameters(self) -> dict[str, Any]:
        """What Weka refuses beside ``-U`` is left out, so that a search may combine all values."""
        refused = {"confidence_factor", "subtree_raising"} if self.unpruned else set()
        return {name: value for name, value in super()._set_parameters().items() if name not in refused}


class C44(WekaTree, name="C44"):
    """C4.4, a tree for ranking: J48 with the options ``-U -O -A``, so neither pruned nor collapsed, and smoothed.

    References
    ----------
    F. Provost and P. Domingos (2003). Tree induction for probability-based ranking. Machine Learning 52, 199-215.
    """

    reference = "provost2003"
    class_name = "weka.classifiers.trees.J48"
    prefix = "-U -O -A"


class REPTree(WekaTree, name="REPTree"):
    """Weka's fast tree: grown by information gain, pruned by its error on held-out instances."""

    class_name = "weka.classifiers.trees.REPTree"
    aliases = (class_name,)
    max_depth: int = parameter(default=-1, low=-1, letters="-L", help="Largest depth; -1 for no limit.")
    min_num: int = parameter(default=2, low=0, letters="-M", help="Smallest weight of instances in a leaf.")
    no_pruning: bool = parameter(default=False, letters="-P", help="Whether to leave the tree unpruned.")
    num_folds: int = parameter(default=3, low=2, letters="-N", help="Number of folds, one of which prunes the tree.")
    initial_count: float = parameter(
        default=0.0, low=0, letters="-I", help="Count that each class begins with in a leaf."
    )
    spread_initial_count: bool = parameter(
        default=False, letters="-R", help="Whether the classes share the initial count."
    )
    seed: int = parameter(default=1, letters="-S", help="Seed of the folds.")


class RandomTree(WekaTree, name="RandomTree"):
    """Weka's random tree: each split is the best on a few attributes drawn at random; not pruned."""

    class_name = "weka.classifiers.trees.RandomTree"
    aliases = (class_name,)
    k_value: int = parameter(default=0, low=0, letters="-K", help=DRAWN)
    max_depth: int = parameter(default=0, low=0, letters="-depth", help="Largest depth; 0 for no limit.")
    min_num: float = parameter(default=1.0, low=0, letters="-M", help="Smallest weight of instances in a leaf.")
    num_folds: int = parameter(
        default=0,
        low=0,
        letters="-N",
        help="Number of folds, one of which fills the leaves again; 0: all instances grow the tree.",
    )
    allow_unclassified_instances: bool = parameter(
        default=False, letters="-U", help="Whether instances that reach an empty leaf stay unclassified."
    )
    break_ties_randomly: bool = parameter(default=False, letters="-B", help=TIES)
    seed: int = parameter(default=1, letters="-S", help="Seed of the draws.")


class DecisionStump(WekaTree, name="DecisionStump"):
    """Weka's tree of one question, with a third branch for missing values.

    In the mirror the second branch asks the question once more: known values go on to its second branch again, and
    missing ones to its first, which no known value reaches.
    """

    class_name = "weka.classifiers.trees.DecisionStump"
    aliases = (class_name,)


class AttributeSelectedClassifier(WekaLearner[TreeMirror | Forest], name="AttributeSelectedClassifier"):
    """A tree or forest of Weka's, ``-W``, on the columns that an evaluator, ``-E``, and a search, ``-S``, choose.

    The mirror has all columns of the training data and asks only about the chosen ones.
    """

    class_name = "weka.classifiers.meta.AttributeSelectedClassifier"
    aliases = (class_name,)

    def __init__(self, *positional: Any, **values: Any) -> None:
        super().__init__(*positional, **values)
        vars(self)["is_ensemble"] = _names_forest(str(self.options))  # of this one; the class alone grows a tree

    def _of_trees(self, trees: tuple[TreeMirror, ...], record: Mapping[str, str]) -> TreeMirror | Forest:
        return Forest(trees, **record) if self.is_ensemble else trees[0]


class RandomForest(WekaForest, name="RandomForest"):
    """Weka's random forest: random trees on bootstrap samples.

    References
    ----------
    L. Breiman (2001). Random forests. Machine Learning 45, 5-32.
    """

    reference = "breiman2001"
    class_name = "weka.classifiers.trees.RandomForest"
    aliases = (class_name,)
    num_iterations: int = parameter(default=100, low=1, letters="-I", help="Number of trees.")
    bag_size_percent: int = parameter(default=100, low=1, letters="-P", help=BAG)
    num_features: int = parameter(default=0, low=0, letters="-K", help=DRAWN)
    max_depth: int = parameter(default=0, low=0, letters="-depth", help="Largest depth; 0 for no limit.")
    break_ties_randomly: bool = parameter(default=False, letters="-B", help=TIES)
    seed: int = parameter(default=1, letters="-S", help="Seed of bags and draws.")
    num_execution_slots: int = parameter(default=1, low=0, letters="-num-slots", help=SLOTS)


class Bagging(WekaForest, name="Bagging"):
    """Weka's bagging of J48, REPTree or RandomTree, named by the option ``-W``, on bootstrap samples.

    References
    ----------
    L. Breiman (1996). Bagging predictors. Machine Learning 24, 123-140.
    """

    reference = "breiman1996"
    class_name = "weka.classifiers.meta.Bagging"
    aliases = (class_name,)
    num_iterations: int = parameter(default=10, low=1, letters="-I", help="Number of trees.")
    bag_size_percent: int = parameter(default=100, low=1, letters="-P", help=BAG)
    represent_copies_using_weights: bool = parameter(
        default=False,
        letters="-represent-copies-using-weights",
        help="Whether an instance drawn twice is one of weight 2.",
    )
    seed: int = parameter(default=1, letters="-S", help="Seed of the bags.")
    num_execution_slots: int = parameter(default=1, low=0, letters="-num-slots", help=SLOTS)


class RandomCommittee(WekaForest, name="RandomCommittee"):
    """Weka's committee of REPTree or RandomTree, named by the option ``-W``, each grown with another seed."""

    class_name = "weka.classifiers.meta.RandomCommittee"
    aliases = (class_name,)
    num_iterations: int = parameter(default=10, low=1, letters="-I", help="Number of trees.")
    seed: int = parameter(default=1, letters="-S", help="Seed of the trees' seeds.")
    num_execution_slots: int = parameter(default=1, low=0, letters="-num-slots", help=SLOTS)


class RandomSubSpace(WekaForest, name="RandomSubSpace"):
    """Weka's ensemble of J48, REPTree or RandomTree, named by the option ``-W``, each on some columns, ``-P``.

    References
    ----------
    T. K. Ho (1998). The random subspace method for constructing decision forests. IEEE Transactions on Pattern Analysis
    and Machine Intelligence 20, 832-844.
    """

    reference = "ho1998"
    class_name = "weka.classifiers.meta.RandomSubSpace"
    aliases = (class_name,)
    num_iterations: int = parameter(default=10, low=1, letters="-I", help="Number of trees.")
    sub_space_size: float = parameter(
        default=0.5, low=0, letters="-P", help="Share of the columns that each tree reads, or from 1 on their number."
    )
    seed: int = parameter(default=1, letters="-S", help="Seed of the columns.")
    num_execution_slots: int = parameter(default=1, low=0, letters="-num-slots", help=SLOTS)


def _names_forest(options: str) -> bool:
    """Whether the learner inside another, or inside that one, named by ``-W`` in options of Weka's, grows a forest."""
    try:
        parts = shlex.split(options)
    except ValueError:  # a quotation mark that is not closed, which Weka refuses
        return False
    while parts:
        end = parts.index("--") if "--" in parts else len(parts)
        own, parts = parts[:end], parts[end + 1 :]
        inner = learner_named(own[own.index("-W") + 1]) if "-W" in own[:-1] else None
        if inner is not None and inner.is_ensemble:
            return True
    return False


def _reader(exported: Any, n_classes: int) -> ReadPart:
    """A reader of the arrays of exported trees; a single tree needs one call for integers and one for other numbers."""
    routing = jvm.call("strings", exported, "routing")
    if len(routing) > 1:
        return lambda kind, name: jvm.call(kind, exported, name)
    table = jvm.call("ints", exported, " ".join(INTEGERS)).reshape(len(INTEGERS), -1)
    flat, n_nodes = jvm.call("doubles", exported, " ".join(NUMBERS)), table.shape[1]
    sizes = [n_nodes * (n_classes if "n_classes" in EXPORTED[name].shape else 1) for name in NUMBERS]
    if sum(sizes) > len(flat):
        sizes[-N_OPTIONAL:] = [0] * N_OPTIONAL
    parts = {"routing": routing, "node_counts": np.array([n_nodes])}
    parts |= zip(INTEGERS, table, strict=True)
    parts |= zip(NUMBERS, np.split(flat, np.cumsum(sizes[:-1])), strict=True)
    return lambda _, name: parts[name]


def _trees(read: ReadPart, header: Header, record: Mapping[str, str]) -> tuple[TreeMirror, ...]:
    """The mirrors of trees whose arrays Java has concatenated."""
    arrays = {}
    for name, declaration in EXPORTED.items():
        flat = read("doubles" if name in NUMBERS else "ints", name)
        arrays[name] = flat.reshape(-1, header.n_classes) if "n_classes" in declaration.shape else flat
    ends = np.cumsum(read("ints", "node_counts"))
    routing = read("strings", "routing")
    trees = []
    for begin, end, rules in zip(ends - np.diff(ends, prepend=0), ends, routing, strict=True):
        tree_arrays = {name: array[begin:end] for name, array in arrays.items()}
        trees.append(TreeMirror.from_arrays(header, {**record, "routing": rules}, tree_arrays))
    return tuple(trees)
