"""What the methods have in common that answer from the training instances at the nodes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.dataset import Dataset, FloatArray, Int32Array
from wekaconf.errors import OptionError
from wekaconf.methods.smoothing import interpolation
from wekaconf.methods.smoothing.columns import ComparedColumns
from wekaconf.methods.smoothing.counts import Classes, Codes, NodeCounts, PresentClasses, TrainingSet
from wekaconf.methods.smoothing.estimates import LocalEstimate
from wekaconf.methods.smoothing.interpolation import Paths
from wekaconf.postprocessor import PostProcessor, check_choice, check_number
from wekaconf.stored import PARTS, stored
from wekaconf.tree.instances import NodeInstances
from wekaconf.tree.mirror import TreeMirror
from wekaconf.tree.router import compiled_pays, mixture, sequential_sum

COMPILED_FROM = 500_000
"""Cells of a data set from which loading the compiled form pays."""
EM_ITERATIONS = 100_000
CHUNK_ROWS = 1 << 15
"""Instances answered at a time; missing values make several parts of each."""


def pays(n_instances: int, columns: ComparedColumns) -> bool:
    """Whether the compiled form pays."""
    return compiled_pays(n_instances * len(columns.column), COMPILED_FROM)


class NodeMethod(PostProcessor):
    """A method that learns the counts of nodes; an instance split up by a missing value gets a mean of answers."""

    tree_: TreeMirror
    columns_: Annotated[ComparedColumns, PARTS]
    counts_: Annotated[NodeCounts, PARTS]

    def _count(
        self, tree: TreeMirror, train: Dataset, instances: NodeInstances, chosen: NDArray[np.bool_]
    ) -> TrainingSet:
        """Learn ``counts_`` at the chosen nodes, for the attributes in ``columns_``."""
        order = instances.order
        codes = self.columns_.codes(train.values)[order]
        ordered = TrainingSet(instances, codes, train.class_values[order], train.weights[order])
        count = NodeCounts.of
        if pays(len(train), self.columns_):
            from wekaconf.methods.smoothing import compiled

            count = compiled.count
        present = PresentClasses.of(tree, train, instances, chosen)
        self.counts_ = count(ordered, present, self.columns_.n_values)
        return ordered

    def _complete(self) -> None:
        self.columns_.check(self.tree_.header)
        self.counts_.check(self.columns_.n_values)

    def _local(self, n_classes: int, *, naive_bayes: bool = False) -> LocalEstimate:
        return LocalEstimate(self.counts_, n_classes, self.columns_.n_values, naive_bayes)

    @abstractmethod
    def _answers(
        self, nodes: Int32Array, codes: Codes, *, is_compiled: bool, classes: Classes | None = None
    ) -> FloatArray:
        """(n, n_classes) float64: raw values, all positive, of instances that stop at ``nodes``; see `_compared`."""

    def _compared(self, data: Dataset) -> Classes | None:
        """Classes of the instances, to be compared as one more attribute: none, but in `wekaconf.replication`."""
        del data
        return None

    def _predict_proba(self, data: Dataset) -> FloatArray:
        return self._mixed(data, normalised=False)

    def _mixed(self, data: Dataset, *, normalised: bool) -> FloatArray:
        mixed = np.empty((len(data), data.n_classes))
        is_compiled = pays(len(data), self.columns_)
        compared = self._compared(data)
        for begin in range(0, len(data), CHUNK_ROWS):
            values = data.values[begin : begin + CHUNK_ROWS]
            row, node, share = self.tree_.router.paths(values)
            codes = self.columns_.codes(values)[row]
            own = None if compared is None else compared[begin + row]
            answers = self._answers(node, codes, is_compiled=is_compiled, classes=own)
            if normalised:
                answers = answers / sequential_sum(answers)[:, None]
            mixed[begin : begin + CHUNK_ROWS] = mixture(len(values), row, share, answers)
        return mixed


class PathMethod(NodeMethod):
    """A method that interpolates the estimates of the nodes on the path of an instance."""

    removes: ClassVar[bool] = True
    """Whether Step 2 of Algorithm DIW takes the instance out."""
    paths_: Paths
    """What follows from the tree and the counts."""
    weight_: Annotated[FloatArray, stored(np.float64, "n_weights", "n_classes", low=0, high=1 + 1e-9)]
    """(n_weights, n_classes) float64: of the uniform node and of each node down every path, see ``paths_``."""

    def __init__(
        self,
        *,
        weights: str = "diw",
        iterations: int = 1,
        tolerance: float = 1e-6,
        numeric: str = "refuse",
        reading: str = "honest",
    ) -> None:
        check_choice(self.name, "weights", weights, ("diw", "em", "uniform"))
        if isinstance(iterations, bool) or not isinstance(iterations, int):
            raise OptionError(f"{self.name}: iterations must be a whole number, got '{iterations}'")
        check_number(self.name, "iterations", iterations, 1, np.inf)
        check_number(self.name, "tolerance", tolerance, 0, 1)
        check_choice(self.name, "numeric", numeric, ("refuse", "bins"))
        check_choice(self.name, "reading", reading, ("honest", "text"))
        self.weights = weights
        self.iterations = iterations
        self.tolerance = tolerance
        self.numeric = numeric
        self.reading = reading

    @property
    def _estimate(self) -> str:
        """The local estimate: laplace, wpe or naive_bayes."""
        return "wpe"

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        is_plain = self._estimate == "laplace"
        self.columns_ = ComparedColumns.none() if is_plain else ComparedColumns.of(train, self.numeric, self.name)
        instances = NodeInstances.of(tree, train)
        ordered = self._count(tree, train, instances, instances.begin < instances.end)
        self.paths_ = Paths.of(tree, self.counts_)
        local = self._local(tree.header.n_classes, naive_bayes=self._estimate == "naive_bayes")
        compares_class = self._estimate == "wpe"
        if self.weights == "uniform" or not len(train):
            self.weight_ = interpolation.uniform_weights(tree, self.paths_)
        elif self.weights == "em" or self.iterations > 1:
            is_em = self.weights == "em"
            self.weight_ = interpolation.iterated_weights(
                tree, self.paths_, ordered, local, iterations=EM_ITERATIONS if is_em else self.iterations,
                tolerance=self.tolerance, compares_class=compares_class and not is_em, own_class_only=is_em,
            )  # fmt: skip
        else:
            learn = interpolation.diw_weights
            if not local.naive_bayes and pays(len(train), self.columns_):
                from wekaconf.methods.smoothing import compiled

                learn = compiled.diw_weights
            self.weight_ = learn(tree, self.paths_, ordered, local, removes=self.removes, compares_class=compares_class)

    def _complete(self) -> None:
        super()._complete()
        self.paths_ = Paths.of(self.tree_, self.counts_)
        first = self.paths_.first
        if len(self.weight_) != first[-1]:
            raise ValueError(f"weight_: expected those of paths of {first[-1]} nodes, got {len(self.weight_)}")
        if (np.abs(np.add.reduceat(self.weight_, first[:-1]) - 1) > 1e-9).any():
            raise ValueError("weight_: expected weights that sum to 1 along each path")

    def _answers(
        self, nodes: Int32Array, codes: Codes, *, is_compiled: bool, classes: Classes | None = None
    ) -> FloatArray:
        local = self._local(self.weight_.shape[1], naive_bayes=self._estimate == "naive_bayes")
        answer = interpolation.interpolate
        if is_compiled and not local.naive_bayes:
            from wekaconf.methods.smoothing import compiled

            answer = compiled.interpolate
        return answer(self.tree_, self.paths_, self.weight_, local, nodes, codes, classes=classes)

    def _predict_proba(self, data: Dataset) -> FloatArray:
        return self._mixed(data, normalised=True)

    def _scores(self, data: Dataset) -> FloatArray:
        return self._mixed(data, normalised=False)

    def _ranking(self, data: Dataset) -> FloatArray:
        return self._scores(data) if self.reading == "text" else super()._ranking(data)
