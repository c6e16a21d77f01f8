"""The bases of the methods that answer from the training instances at the nodes."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.base.parameters import learned, parameter
from wekaconf.base.stored import PARTS, stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int32Array, TextArray, frozen
from wekaconf.data.wording import class_text, number
from wekaconf.methods.contract import (
    Answer,
    Ends,
    Explanation,
    Method,
    Reply,
    Rows,
    Step,
    describe_node,
    known_texts,
    likeliest,
    nodes_step,
)
from wekaconf.methods.smoothing import _interpolation as interpolation
from wekaconf.methods.smoothing._columns import ComparedColumns
from wekaconf.methods.smoothing._counts import Classes, Codes, NodeCounts, PresentClasses, TrainingSet
from wekaconf.methods.smoothing._estimates import LocalEstimate
from wekaconf.methods.smoothing._interpolation import Paths, path_step
from wekaconf.tree import (
    NodeInstances,
    TreeMirror,
    compiled_pays,
    in_order,
    keep_last_result,
    mixture,
    paths_of,
    sequential_sum,
    way_to,
)

COMPILED_FROM = 500_000
"""Number of cells of a data set from which loading the compiled form pays off.

The numpy form stays: to fit and to answer 768 rows of diabetes takes wpe, shrinkage and shrinkage_wpe 0.05 s of the
processor each, and the compiled form, already on disk, 0.56 to 0.60.
"""
EM_ITERATIONS = 100_000
CHUNK_ROWS = 1 << 15
"""Number of instances answered at a time; missing values may divide each into several parts."""


def pays(n_instances: int, columns: ComparedColumns) -> bool:
    """Whether loading the compiled form pays off."""
    return compiled_pays(n_instances * len(columns.column), COMPILED_FROM, "wekaconf.methods.smoothing._compiled")


@keep_last_result
def _codes_in_order(columns: ComparedColumns, tree: TreeMirror, train: Dataset) -> Codes:
    """The codes of the training instances in the order of the tree; read-only."""
    return frozen(columns.codes_at(NodeInstances.of(tree, train).order, train))


@keep_last_result
def _last_counts(columns: ComparedColumns, tree: TreeMirror, train: Dataset) -> list[NodeCounts]:
    """A list of the last counts of these columns, empty at first."""
    del columns, tree, train
    return []


class NodeMethod(Method, is_registered=False):
    """A method that learns counts at nodes; an instance that missing values divide gets the mean of its answers."""

    numeric: Literal["refuse", "bins"] = parameter(
        default="refuse",
        help="How to treat numeric and date attributes, whose values are not compared as they are: refuse them, or cut "
        "them into ten bins of equal width over the training set, as Weka's unsupervised Discretize -B 10 does.",
    )
    tree_: TreeMirror = learned()
    columns_: Annotated[ComparedColumns, PARTS] = learned()
    counts_: Annotated[NodeCounts, PARTS] = learned()

    @property
    def reads_numbers(self) -> bool:
        """See `Method`."""
        return self.numeric != "refuse"

    def _count(self, tree: TreeMirror, train: Dataset, present: PresentClasses) -> TrainingSet:
        """Learn ``counts_`` where classes are present, for the attributes in ``columns_``."""
        classes, weights = in_order(tree, train)
        codes = _codes_in_order(self.columns_, tree, train)
        ordered = TrainingSet(NodeInstances.of(tree, train), codes, classes, weights)
        if pays(len(train), self.columns_):
            from wekaconf.methods.smoothing import _compiled as compiled

            last_counts = _last_counts(self.columns_, tree, train) if codes.size else []
            self.counts_ = compiled.count(ordered, present, self.columns_.n_values, *last_counts)
            last_counts[:] = [self.counts_]
        else:
            self.counts_ = NodeCounts.of(ordered, present, self.columns_.n_values)
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

    def _answer(self, data: Dataset) -> Reply:
        return Reply(
            self._mixed(data)[0], reasons=partial(self._sentences, data), steps=lambda i: self._steps(data.take([i]))
        )

    def _steps(self, one: Dataset) -> Step:
        """The step of the answer for one instance."""
        codes = self.columns_.codes(one)
        return nodes_step(self.tree_, one.values[0], lambda node: self._step_at(node, codes))

    @abstractmethod
    def _step_at(self, node: int, codes: Codes) -> Step:
        """The step of an instance that stops at a node; ``codes`` is (1, n_columns)."""

    def _sentences(self, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The leaf of each instance, and the answer with training instances weighted by their similarity."""
        proba = answer.proba[rows]
        answers = likeliest(self.tree_, proba, "weighted by likeness: ")
        return Ends.of(self.tree_, data.values[rows], proba).sentences(answers)

    def _mixed(self, data: Dataset) -> tuple[FloatArray, FloatArray]:
        """(n_instances, n_classes) float64 each: means of raw values, and of raw values divided by their sums."""
        raw, normalised = np.empty((2, len(data), data.n_classes))
        is_compiled = pays(len(data), self.columns_)
        for begin in range(0, len(data), CHUNK_ROWS):
            rows = slice(begin, begin + CHUNK_ROWS)
            part = data if len(data) <= CHUNK_ROWS else data.take(rows)
            row, node, share = paths_of(self.tree_, part)
            codes = self.columns_.codes(part)[row]
            classes = part.class_values[row] if self.sees_class else None
            answers = self._answers(node, codes, is_compiled=is_compiled, classes=classes)
            raw[rows] = mixture(len(part), row, share, answers)
            normalised[rows] = mixture(len(part), row, share, answers / sequential_sum(answers)[:, None])
        return raw, normalised


class PathMethod(NodeMethod, is_registered=False):
    """A method that interpolates the estimates of the nodes on the path of an instance."""

    removes: ClassVar[bool] = True
    """Whether Step 2 of Algorithm DIW removes the instance from the counts."""
    # EM is McCallum's. Repeated DIW is something else: in it every instance of the leaf, of whatever class, counts for
    # every class.
    weights: Literal["diw", "em", "uniform"] = parameter(
        default="diw",
        help="Algorithm DIW; expectation-maximisation, in which the weights of class j maximise the likelihood of the "
        "instances of class j at the end of the path, each left out in turn; or, as a control, 1 / (k + 1) for each of "
        "the k + 1 nodes.",
    )
    iterations: int = parameter(
        default=1, low=1,
        help="Largest number of passes of DIW, each from the weights of the one before (the paper's Figure 3).",
    )  # fmt: skip
    tolerance: float = parameter(
        default=1e-6, low=0, high=1,
        help="End EM, and DIW of several passes, when every weight of the path changes by less than this.",
    )  # fmt: skip
    # The paper's scores are no distribution: each class has weights of its own, and P^0 = 1/|D_1|. As `predict_proba`
    # always gives one, the readings can differ only in what areas under ROC curves are made of.
    reading: Literal["honest", "text"] = parameter(
        default="honest",
        help="What instances are ranked by: the distribution (honest), or the raw scores, which do not sum to 1, as in "
        "the text of the paper (text). The scores are raw in both cases.",
    )
    paths_: Paths = learned()
    """The paths, derived from the tree and the counts."""
    weight_: Annotated[FloatArray, stored(np.float64, "n_weights", "n_classes", low=0, high=1 + 1e-9)] = learned()
    """(n_weights, n_classes) float64: the weight of the uniform node and of each node of every path, see ``paths_``."""

    @property
    def _estimate(self) -> str:
        """The name of the local estimate: laplace, wpe or naive_bayes."""
        return "wpe"

    @property
    def reads_numbers(self) -> bool:
        """See `Method`."""
        return self._estimate == "laplace" or super().reads_numbers

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        is_plain = self._estimate == "laplace"
        self.columns_ = ComparedColumns.none() if is_plain else ComparedColumns.of(train, self.numeric, self.name)
        ordered = self._count(tree, train, PresentClasses.at_all_nodes(tree, train))
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
                from wekaconf.methods.smoothing import _compiled_diw as compiled_diw

                learn = compiled_diw.diw_weights
            self.weight_ = learn(tree, self.paths_, ordered, local, removes=self.removes, compares_class=compares_class)

    def _complete(self) -> None:
        super()._complete()
        self.paths_ = Paths.of(self.tree_, self.counts_)
        first = self.paths_.first
        if len(self.weight_) != first[-1]:
            raise ValueError(f"weight_: expected {first[-1]} rows, one per node of a path, got {len(self.weight_)}")
        if (np.abs(np.add.reduceat(self.weight_, first[:-1]) - 1) > 1e-9).any():
            raise ValueError("weight_: expected weights that sum to 1 along each path")

    def _answers(
        self, nodes: Int32Array, codes: Codes, *, is_compiled: bool, classes: Classes | None = None
    ) -> FloatArray:
        local = self._local(self.weight_.shape[1], naive_bayes=self._estimate == "naive_bayes")
        answer = interpolation.interpolate
        if is_compiled and not local.naive_bayes:
            from wekaconf.methods.smoothing import _compiled as compiled

            answer = compiled.interpolate
        return answer(self.tree_, self.paths_, self.weight_, local, nodes, codes, classes=classes)

    def _step_at(self, node: int, codes: Codes) -> Step:
        local = self._local(self.weight_.shape[1], naive_bayes=self._estimate == "naive_bayes")
        return path_step(self.tree_, self.paths_, self.weight_, local, node, codes)

    def _answer(self, data: Dataset) -> Reply:
        raw, normalised = self._mixed(data)
        ranking = raw if self.reading == "text" else None
        return Reply(
            normalised, ranking=ranking, scores=raw, explain=lambda: self._explanation(data),
            reasons=partial(self._sentences, data), steps=lambda i: self._steps(data.take([i])),
        )  # fmt: skip

    def _sentences(self, data: Dataset, answer: Answer, rows: Rows) -> TextArray:
        """The leaf of each instance, and the node of its path with the largest weight for the predicted class."""
        proba, tree = answer.proba[rows], self.tree_
        ends = Ends.of(tree, data.values[rows], proba)
        answers = likeliest(tree, proba, "interpolated along its path: ")
        known = known_texts(tree, self.weight_)
        return ends.sentences(answers, ends.each(lambda node, c: self._heaviest(tree, node, c), ends.predicted, known))

    def _heaviest(self, tree: TreeMirror, node: int, predicted: int) -> str:
        """The node with the largest weight for the predicted class on the path to ``node``, in words."""
        path = int(self.paths_.end[node])
        weights = self.weight_[self.paths_.first[path] : self.paths_.first[path + 1], predicted]
        above, largest = int(weights.argmax()) - 1, number(float(weights.max()))
        nodes = [0, *way_to(tree, int(self.paths_.node[path]))]
        if above < 0:
            heaviest = "the uniform node above the root"
        elif nodes[above] == node:
            heaviest = "the leaf"
        else:
            levels = int(tree.depth[node]) - above
            node_text = describe_node(tree, nodes[above], predicted)
            heaviest = f"the {node_text}, {counted(levels, 'level')} above the leaf,"
        return f"for {class_text(tree.class_names[predicted])} {heaviest} weighs most, {largest}"

    def _explanation(self, data: Dataset) -> Explanation:
        """The nodes of every path, from the uniform node above the root down, each with its weight for every class."""
        row, leaf, share = self.tree_.router.paths(data.values)
        number = self.paths_.end[leaf]
        above = interpolation.nodes_above(self.tree_, self.paths_.node[number])
        names, first = self.tree_.class_names, self.paths_.first
        instance: list[int] = []
        node: list[int] = []
        kind: list[int] = []
        details: dict[str, list[Any]] = {"weight": [], "share": []}
        for part, (i, path, part_of_i) in enumerate(zip(row.tolist(), number.tolist(), share.tolist(), strict=True)):
            weights = self.weight_[first[path] : first[path + 1]].tolist()
            nodes = [0, *above[: len(weights) - 1, part].tolist()]
            instance += [i] * len(nodes)
            node += nodes
            kind += [0, *[1] * (len(nodes) - 1)]
            details["weight"] += [dict(zip(names, of_classes, strict=True)) for of_classes in weights]
            details["share"] += [part_of_i if part_of_i < 1 else None] * len(nodes)
        at = np.array(node, dtype=np.int32)
        kinds = np.array(kind, dtype=np.uint8)
        attribute = np.where(kinds == 0, -1, self.tree_.split_attribute[at]).astype(np.int32)
        return Explanation(
            self.tree_, len(data), ("uniform", "node"), np.array(instance, dtype=np.intp), at, kinds, attribute, details
        )
