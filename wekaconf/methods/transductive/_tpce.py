"""TPCE: ask what the tree would answer if the instance were known to be of each class in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import parameter
from wekaconf.base.words import Argument, Owner, Setting, Term
from wekaconf.data import Dataset, Header
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.wording import class_text
from wekaconf.learners import learner_class
from wekaconf.learners.info_gain import NOBODY, Cuts, LearningSet, Rules, inputs
from wekaconf.methods.contract import Explanation, LeftOut, Reply, Step
from wekaconf.methods.transductive._assumed_trees import (
    AssumedPredictions,
    AssumedTree,
    first_difference,
    join_assumed,
    path_conditions,
    trees_of_batch,
    trees_of_each,
)
from wekaconf.methods.transductive._base import (
    INDUCER,
    Transductive,
    batches,
    laplace,
    laplace_step,
    leaf_counts,
    tree_rules,
    widen_to_classes,
)
from wekaconf.tree import Forest, Learner, TreeMirror


class TPCE(Transductive, name="tpce"):
    """Transductive prediction certainty estimation.

    To answer for an instance, it joins the training data with each possible class in turn, and a tree is grown on each
    of these sets. The answer is the mean of what the trees say of the instance. Where the tree depends on the class
    that the instance is given, the answer is uncertain.

    Notes
    -----
    **Most of the advantage over the plain tree is Laplace's correction**: on UCI sets a plain tree with Laplace leaves
    (``leaf_frequency:laplace=true`` on the same trees, with the same cuts) alone has most of TPCE's advantage in AUC,
    AUROC right/wrong and Brier score. The page of the paper has the figures.

    The training data are kept, in the model file too. Cost: for numeric, complete and unweighted data all instances and
    classes are answered at once, which for leave-one-out takes about as long as growing a few trees; else
    O(n_training · n_attributes) per instance, class and node on the instance's path. Other learners: a whole tree per
    instance and class.

    References
    ----------
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Section 3.2, Figure 2 and Equation 1; the extension to batches: Section 5.
    **Departures**: the instance joins with weight 1. The classes assumed are those with training instances; the paper
    does not say. "Safe prune", which Clus does, is on unless the options of the tree say otherwise.
    """

    display_name = "TPCE"
    reference = "costa2013"
    cuts: Cuts | None = parameter(
        default=None,
        help="Where a numeric attribute may be cut: class-boundary: between neighbouring values of the other instances "
        "that are not both of one and the same class; all: at every value of the other instances; with-x: at the value "
        "of the instance itself too, which the paper warns of. none: as the plain tree.",
    )
    alpha: float = parameter(default=1.0, low=1e-9, high=1e9, help="α of Laplace's correction in Equation 1.")
    inner: str = parameter(
        default=INDUCER,
        help="The learner of the trees. Another one than info_gain, such as J48, grows every tree in full, with the "
        "options of the plain tree, and the values of the instance are cut points like others.",
    )
    batch: bool = parameter(
        default=False,
        help="The paper's extension to whole batches: as many trees as classes for all instances that are asked about "
        "together, each of which has another random class in every tree. An answer then depends on the batch; the "
        "explanation tells of the trees of each instance alone.",
    )
    seed: int = parameter(default=1, low=0, high=2**63 - 1, help="Seed of those random classes.")

    def _check_parameters(self) -> None:
        if self.inner != INDUCER and self.cuts is not None:
            has_own = f", {self.inner} has its own options"
            raise OptionError(
                "leave ", Argument("cuts", self.name), " out; that is for trees of ", Owner(INDUCER), has_own,
                of=self.name,
            )  # fmt: skip
        if self.inner != INDUCER and self.batch:
            batch, inner = Argument("batch", self.name), Argument("inner", self.name)
            raise OptionError(
                batch, " is defined on trees of ", Owner(INDUCER), "; leave it or ", inner, " out", of=self.name
            )
        if not self.inner:
            raise OptionError(Argument("inner", self.name), " must be the name of a learner, got ''", of=self.name)

    @property
    def _grows_whole_trees(self) -> bool:
        return self.inner != INDUCER or self.batch

    def _rules(self, tree: TreeMirror) -> Rules:
        rules = tree_rules(tree)
        return rules if self.cuts is None else replace(rules, cuts=self.cuts)

    @property
    def learner(self) -> tuple[str, str]:
        """Those of the inner trees, which the method grows."""
        return self.inner, ""

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        tree.with_laplace(True)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        del tree
        self._keep(train)

    def _answer(self, data: Dataset) -> Reply:
        proba, predictions = self._mean_of_trees(data) if self._grows_whole_trees else self._mean_of_counts(data)
        return Reply(
            proba,
            explain=lambda: self._explanation(data),
            reasons=lambda _, rows: predictions.sentences(self.tree_.class_names, rows),
            steps=lambda i: self._steps(data, i),
        )

    def _mean_of_counts(self, data: Dataset) -> tuple[FloatArray, AssumedPredictions]:
        learning = self._learning_set
        rules, labels, test_columns = self._rules(self.tree_), learning.present, inputs(data)
        proba = np.zeros((len(data), learning.header.n_classes))
        predictions = AssumedPredictions.empty(len(data), labels)
        for rows in batches(len(data), len(labels) * proba.shape[1]):
            which, label = np.repeat(np.arange(len(rows)), len(labels)), np.tile(labels, len(rows))
            counts = learning.outside_counts(
                rules, test_columns[:, rows], which, label, on_progress=self._instance_progress(rows, len(data))
            )
            answers = laplace(counts, labels, self.alpha)
            predictions.record(np.repeat(rows, len(labels)), label, widen_to_classes(answers, labels, proba.shape[1]))
            proba[rows] = self._mean(counts, labels)
        return proba, predictions

    def _steps(self, data: Dataset, i: int) -> Step:
        """The answers of the trees of all assumed classes, and their mean (Equation 1)."""
        labels = self._learning_set.present
        if self._grows_whole_trees:
            parts = [
                Step.scaled(f"one {len(labels)}th", part, total=float(len(labels)), kind="share")
                for part in self._steps_of_trees(data, i, labels)
            ]
            return Step.weighted("the mean over the assumed classes", [1.0] * len(parts), parts, kind="mean")
        which = np.zeros(len(labels), dtype=np.intp)
        columns = inputs(data.take([i]))
        counts = self._learning_set.outside_counts(self._rules(self.tree_), columns, which, labels)
        assumed = [self._assumption(label) for label in labels.tolist()]
        parts = [laplace_step(words, row, labels, self.alpha) for words, row in zip(assumed, counts, strict=True)]
        total = Step.weighted("the sum over the assumed classes", [1.0] * len(parts), parts, kind="sum")
        return Step.scaled("divided by their number", total, total=float(len(labels)), kind="mean")

    def _steps_of_trees(self, data: Dataset, i: int, labels: Int64Array) -> Iterator[Step]:
        """The step of each whole tree that answers for one instance."""
        for assumed in self._trees(data if self.batch else data.take([i])):
            place = int(np.flatnonzero(assumed.rows == (i if self.batch else 0))[0])
            words = self._assumption(int(assumed.label[place]))
            yield laplace_step(words, leaf_counts(assumed.tree, data.take([i]))[0], labels, self.alpha)

    def _assumption(self, label: int) -> str:
        return f"assumed {class_text(self.tree_.class_names[label])}, the leaf of the tree"

    def _remedy(self, learner: str) -> tuple[str | Term, ...]:
        if learner not in Learner.registry:
            return ()
        inner = Setting("inner", learner, self.name)
        return ", or give ", inner, ", with which ", Owner(self.name), f" grows trees of {learner}"

    def _mean(self, counts: FloatArray, labels: Int64Array) -> FloatArray:
        """Equation 1 for class counts; the rows of one instance follow one another."""
        answers = laplace(counts, labels, self.alpha).reshape(-1, len(labels), len(labels))
        return widen_to_classes(answers.mean(axis=1), labels, counts.shape[1])

    @property
    def can_leave_one_out(self) -> bool:
        """Whether the trees are the inducer's."""
        return self.inner == INDUCER

    def _leave_one_out(self, rows: NDArray[np.intp]) -> LeftOut:
        learning = self._learning_set
        self._check_remaining(learning)
        labels = learning.present
        plain = learning.left_out_counts(tree_rules(self.tree_), rows, np.full(len(rows), NOBODY))
        proba = np.zeros_like(plain)
        for part in batches(len(rows), len(labels) * proba.shape[1]):
            queries, label = np.repeat(rows[part], len(labels)), np.tile(labels, len(part))
            counts = learning.left_out_counts(
                self._rules(self.tree_), queries, label, on_progress=self._instance_progress(part, len(rows))
            )
            proba[part] = self._mean(counts, labels)
        return LeftOut(proba, proba, proba.max(axis=1, initial=0.0), self._plain_proba(plain))

    # -- whole trees --

    def _mean_of_trees(self, data: Dataset) -> tuple[FloatArray, AssumedPredictions]:
        labels = self._learning_set.present
        proba = np.zeros((len(data), self.tree_.header.n_classes))
        predictions = AssumedPredictions.empty(len(data), labels)
        for assumed in self._trees(data):
            counts = leaf_counts(assumed.tree, data.take(assumed.rows))
            answers = widen_to_classes(laplace(counts, labels, self.alpha), labels, proba.shape[1])
            predictions.record(assumed.rows, assumed.label, answers)
            proba[assumed.rows] += answers / len(labels)
        return proba, predictions

    def _trees(self, data: Dataset) -> Iterator[AssumedTree]:
        """Every tree, instance by instance and label by label; in a batch, tree by tree."""
        train, labels = self._training_data, self._learning_set.present
        if self.batch:
            return trees_of_batch(self.tree_, self._rules(self.tree_), train, labels, data, self.seed, self.on_progress)
        learner = learner_class(self.inner).of_options(self.tree_.options)
        return trees_of_each(learner, train, labels, data, self.on_progress)

    # -- in words --

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """A note on the form of the induction."""
        if self._grows_whole_trees:
            return ("one whole tree per class" if self.batch else "one whole tree per instance and class",)
        # All queries at once needs numbers, no missing value and weights of 1; else the tree grows path by path, only
        # the nodes that the instance comes to. Both give one answer, so the record says which it was.
        return self._learning_set.form(self._rules(self.tree_), inputs(data))

    def cost(self, n_instances: int, header: Header) -> str:
        """The number of trees, if they are grown in full."""
        if self.inner == INDUCER:
            return ""
        k = header.n_classes
        return (
            f"tpce grows a whole tree of {self.inner} for every instance and class: {n_instances} × {k} = "
            f"{n_instances * k} trees"
        )

    def _explanation(self, data: Dataset) -> Explanation:
        """One event per instance and assumed class: where that tree differs from the plain one, and its answer."""
        labels = self._learning_set.present
        names = self.tree_.class_names
        node, kind, attribute = [], [], []
        details: dict[str, list[Any]] = {"assumed": [], "predicts": [], "leaf": [], "path": []}
        instance = np.repeat(np.arange(len(data)), len(labels))
        for row, label, tree in self._paths(data, labels):
            one = data.take([row])
            last, other_node = first_difference(self.tree_, tree, one)
            is_different = other_node >= 0
            node.append(last)
            kind.append(int(is_different))
            attribute.append(tree.split_attribute[other_node] if is_different else -1)
            counts = leaf_counts(tree, one)
            details["assumed"].append(names[label])
            details["predicts"].append(names[int(laplace(counts, np.arange(len(names))).argmax())])
            details["leaf"].append(" ".join(f"{names[c]}={n:.6g}" for c, n in enumerate(counts[0]) if n > 0))
            details["path"].append(", ".join(path_conditions(tree, one)))
        return Explanation(
            self.tree_, len(data), ("same path", "parts"), instance, np.array(node, dtype=np.int32),
            np.array(kind, dtype=np.uint8), np.array(attribute, dtype=np.int32), details,
        )  # fmt: skip

    def _paths(self, data: Dataset, labels: Int64Array) -> Iterator[tuple[int, int, TreeMirror]]:
        if self.inner != INDUCER:
            for assumed in self._trees(data):
                yield int(assumed.rows[0]), int(assumed.label[0]), assumed.tree
            return
        rules = self._rules(self.tree_)
        for row in range(len(data)):
            for label in labels:
                learning = LearningSet.of(join_assumed(self._training_data, data.take([row]), label[None]))
                yield row, int(label), learning.path(rules, len(learning) - 1)
