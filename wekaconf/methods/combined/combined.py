"""Certainty learned from the certainties of other methods on the same tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.parameters import learned, parameter
from wekaconf.base.rounding import most_probable
from wekaconf.base.stored import PARTS, check_stored, distributions, parts_of
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, joined_texts, texts_of
from wekaconf.data.dataset import Dataset
from wekaconf.data.text_columns import each_of, numbers
from wekaconf.data.wording import class_text, number
from wekaconf.methods.combined.held_out import HeldOut, sides_of
from wekaconf.methods.combined.learning import WeightedRanks, logistic
from wekaconf.methods.contract.answer import Answer, CertaintyRange, Reply
from wekaconf.methods.contract.explanation import Explanation, Step
from wekaconf.methods.contract.explanation.of_tree import node_words, nodes_step
from wekaconf.methods.contract.growing_again import learner_that_grows_again
from wekaconf.methods.contract.postprocessor import PostProcessor, ReadArrays, sizes_of
from wekaconf.methods.contract.reasons import Rows
from wekaconf.tree.forest import Forest, own_answers
from wekaconf.tree.instances import class_weight, mean_answers, nearest_filled
from wekaconf.tree.mirror import TreeMirror

SIDES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("shrinkage_wpe", {"numeric": "bins"}),
    ("boundary_distance", {"scaling": "minmax"}),
    ("id3_sd", {}),
    ("ling_yan", {}),
    ("confdtree", {"variant": "tdist"}),
)
"""The methods that are asked: the fewest that the design half of the study cannot tell from all."""
SILENT = 0.005
"""Parts of the log-odds that a sentence leaves out: with two decimals they are 0."""
MARKS = texts_of(("", "for it ", "against it ", "; against it ", ", "))
"""What stands before a side in a sentence: nothing before a silent one, the last before all that are not the first."""
LEAST_LEAD = 1e-9
"""The lead of the tree's class where Laplace's correction would prefer another."""


class Said(NamedTuple):
    """What the sides say of instances.

    Parameters
    ----------
    sides : (n_instances, n_sides) float64
    places : (n_instances, n_sides) int64
        See `WeightedRanks.places`.
    parts : (n_instances, n_sides) float64
        What each adds to the log-odds of a right answer.
    """

    sides: FloatArray
    places: Int64Array
    parts: FloatArray


Asked = Callable[[], Said]
"""Returns what the sides say of the instances; they are asked once."""


class Combined(PostProcessor, name="combined"):
    """The probability that the tree is right, learned from what five methods say of its answers.

    Each method is asked about every training instance on trees that grew without it. A logistic regression, with
    weights that are not below 0, learns from the ranks of what they say whether the tree is right. The methods are then
    asked on the tree itself. The answer stays the tree's.

    Notes
    -----
    The class distribution is Laplace's correction of the leaf, changed only so far that the tree's class stays the
    largest. With fewer than 30 training instances, or fewer than 5 right or 5 wrong answers out of fold, there is
    nothing to learn: the certainty is then Laplace's probability of the tree's class, and reasons and notes say so.

    An instance that the tree was grown on gets too high a certainty, since the sides know it.

    Cost: ``folds`` · ``repetitions`` + 1 trees, and each method is fitted on every one; answering costs what the five
    methods cost together.

    **Departures** from the papers, none of which has the method in this form: the models are methods on one tree and
    trees grown like it; what is learned is whether the tree's answer is right, not the class.

    References
    ----------
    Wolpert: Stacked generalization, Neural Networks 5, 1992 (learning from answers out of fold). Breiman: Stacked
    regressions, Machine Learning 24, 1996 (weights that are not below 0). Chen, Navrátil, Iyengar, Shanmugam:
    Confidence scoring using whitebox meta-models with linear classifier probes, AISTATS 2019 (learning whether an
    answer is right).
    """

    reference = "wolpert1992"
    grows_again = True
    certainty_range = CertaintyRange(meaning="the probability that the tree is right, learned out of fold")
    folds: int = parameter(default=10, low=2, high=1000, help="Number of folds whose trees grow without their rows.")
    repetitions: int = parameter(default=1, low=1, high=1000, help="How many times the folds are drawn.")
    penalty: float = parameter(
        default=1.0, low=1e-9, high=1e9, help="Half of it times the squares of the weights counts as loss."
    )
    seed: int = parameter(default=1, low=0, high=2**63 - 1, help="Seed of the folds.")
    tree_: TreeMirror = learned()
    laplace_: Annotated[FloatArray, distributions("n_nodes", "n_classes")] = learned()
    """(n_nodes, n_classes) float64: Laplace's correction at each node."""
    learned_: Annotated[WeightedRanks, PARTS] = learned()
    members_: tuple[PostProcessor, ...] = learned()
    """The sides, fitted on the tree; none where nothing was learned."""
    held_out: HeldOut | None = None
    """What the sides say out of fold; None where nothing was learned, and of a method from a file or a pickle."""

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        for side in sides():
            side._check_tree(tree)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        weight = class_weight(tree, train)
        filled = weight[nearest_filled(tree, np.asarray(~weight.any(axis=1)))]
        self.laplace_ = (filled + 1) / (filled.sum(axis=1, keepdims=True) + filled.shape[1])
        self.learned_ = self._learned_from(tree, train) if train.n_classes > 1 else WeightedRanks.nothing()
        self.members_ = tuple(side.fit(tree, train) for side in sides()) if self.learned_ else ()

    def _learned_from(self, tree: TreeMirror, train: Dataset) -> WeightedRanks:
        learner = learner_that_grows_again(self.name, tree, train)
        held_out = HeldOut.of(
            train, learner, sides(), n_folds=self.folds, repetitions=self.repetitions, seed=self.seed,
        )  # fmt: skip
        penalty = self.penalty * self.repetitions
        found = WeightedRanks.of(held_out.sides, held_out.right, held_out.weights, penalty)
        self.held_out = held_out if found else None
        return found

    def _answer(self, data: Dataset) -> Reply:
        tree_proba = own_answers(self.tree_, data)
        predicted = most_probable(tree_proba)
        laplace = mean_answers(self.tree_, data, self.laplace_)
        proba = with_largest(laplace, predicted)
        asked = cache(partial(self._said, data, predicted))
        return Reply(
            proba,
            certainty=lambda: (
                self.learned_.certainty_of(asked().parts) if self.learned_ else proba[np.arange(len(proba)), predicted]
            ),
            explain=lambda: self._explanation(asked, len(data)),
            reasons=lambda answer, rows: self._sentences(asked, answer, rows),
            steps=lambda i: self._proba_step(data, laplace, proba, i),
            certainty_steps=lambda answer, i: self._certainty_step(asked, answer, i),
        )

    def _said(self, data: Dataset, predicted: Int64Array) -> Said:
        sides = sides_of(self.members_, data, predicted)
        places = self.learned_.places(sides)
        return Said(sides, places, self.learned_.parts(places))

    def _explanation(self, asked: Asked, n: int) -> Explanation:
        """What each side says of each instance and adds to the log-odds, the loudest first; none of little learned."""
        nothing = np.zeros((n, 0))
        sides, parts = (asked().sides, asked().parts) if self.learned_ else (nothing, nothing)
        order = np.argsort(-np.abs(parts), axis=1, kind="stable")
        loudest = [np.take_along_axis(each, order, axis=1).ravel().tolist() for each in (sides, parts)]
        instance = np.repeat(np.arange(n, dtype=np.intp), parts.shape[1])
        node = np.zeros(len(instance), dtype=np.int32)
        return Explanation(
            self.tree_, n, tuple(name for name, _ in SIDES), instance, node, order.ravel().astype(np.uint8),
            np.full(len(instance), -1, dtype=np.int32), dict(zip(("side", "log_odds"), loudest, strict=True)),
        )  # fmt: skip

    def _proba_step(self, data: Dataset, laplace: FloatArray, proba: FloatArray, i: int) -> Step:
        if not np.array_equal(laplace[i], proba[i]):
            return Step.given("Laplace's correction, changed so that the tree's class is the largest", proba[i],
                              kind="answer")  # fmt: skip
        return nodes_step(self.tree_, data.values[i], self._leaf_step)

    def _leaf_step(self, node: int) -> Step:
        words = f"{node_words(self.tree_, node)}, with Laplace's correction"
        return Step.given(words, self.laplace_[node], kind="node", node=node)

    def _certainty_step(self, asked: Asked, answer: Answer, i: int) -> Step:
        """The log-odds as a sum that adds up, and the probability that they are."""
        if not self.learned_:
            words = "Laplace's probability of the tree's class, since too little could be learned"
            return _given(words, float(answer.certainty[i]))
        sides, _, parts_of_i = (each[i] for each in asked())
        start = float(self.learned_.intercept[0])
        parts = [_given("the log-odds of a right answer whose sides are at their means", start)]
        for member, value, part in zip(self.members_, sides, parts_of_i, strict=True):
            parts.append(_given(f"{member.name} {number(float(value))}", float(part)))
        total = Step.weighted("their sum, in log-odds", [1.0] * len(parts), parts, kind="sum")
        result = float(logistic(total.array))
        return Step("logistic", "the probability that the tree is right", result, "certainty", parts=(total,))

    def _sentences(self, asked: Asked, answer: Answer, rows: Rows) -> TextArray:
        names = texts_of(map(class_text, self.tree_.class_names))
        answers = names[answer.predicted[rows]], ", right with probability ", numbers(answer.certainty[rows])
        if not self.learned_:
            return joined_texts(*answers, ", Laplace's, since too little could be learned from the training data")
        _, places, parts = asked()
        phrases = np.column_stack([self._phrases(side, at) for side, at in enumerate(places[rows].T)])
        sides = _for_and_against(phrases, np.where(np.abs(parts[rows]) < SILENT, 0, parts[rows]))
        return joined_texts(*answers, ": ", sides)

    def _phrases(self, side: int, places: NDArray[np.integer[Any]]) -> TextArray:
        """(n,) object: a side, and what it adds to the log-odds at each of these places of its quantiles."""
        name, part = self.members_[side].name, self.learned_.part_of_place[:, side]
        return each_of(places, len(part), lambda place: f"{name} ({part[place]:+.2f})")

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """A note where nothing was learned."""
        del data
        return () if self.learned_ else ("too little to learn from: Laplace's correction is the certainty",)

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: nothing of single training instances."""
        return vars(self) | {"held_out": None}

    # -- for the model file --

    def _complete(self) -> None:
        n = len(self.learned_.weights)
        if n and (n != len(SIDES) or not len(self.learned_.quantiles)):
            raise ValueError(f"learned_.weights: expected {len(SIDES)} or none, with quantiles; got {n}")
        if (self.learned_.quantiles[1:] < self.learned_.quantiles[:-1]).any():
            raise ValueError("learned_.quantiles: expected them to ascend")

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; those of the first side are named ``0/…``, and so on."""
        own = super().learned()
        of_sides = {f"{i}/{name}": a for i, side in enumerate(self.members_) for name, a in side.learned().items()}
        return own | of_sides

    @classmethod
    def read_learned(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, read: ReadArrays
    ) -> dict[str, NDArray[Any]]:
        """See `PostProcessor.read_learned`."""
        arrays = super().read_learned(params, tree, read)
        if len(arrays["learned_.weights"]):
            for i, side in enumerate(sides()):
                of_side = type(side).read_learned(
                    side.params, tree, lambda prefix, *rest, i=i: read(f"{i}/{prefix}", *rest)
                )
                arrays |= {f"{i}/{name}": array for name, array in of_side.items()}
        return arrays

    @classmethod
    def restore(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, learned: Mapping[str, NDArray[Any]]
    ) -> PostProcessor:
        """See `PostProcessor.restore`."""
        own = {name: array for name, array in learned.items() if "/" not in name}
        members = []
        if len(own.get("learned_.weights", ())):
            for i, side in enumerate(sides()):
                prefix = f"{i}/"
                of_side = {name.removeprefix(prefix): a for name, a in learned.items() if name.startswith(prefix)}
                members.append(type(side).restore(side.params, tree, of_side))
        method = cls(**params)
        method._check_tree(tree)
        check_stored(cls, own, sizes_of(tree))
        for name, value in parts_of(cls, own).items():
            setattr(method, name, value)
        assert isinstance(tree, TreeMirror)
        method.tree_, method.members_ = tree, tuple(members)
        method._complete()
        method._freeze()
        return method


def sides() -> tuple[PostProcessor, ...]:
    """The methods that are asked, not fitted."""
    return tuple(PostProcessor.registry[name](**params) for name, params in SIDES)


def with_largest(proba: FloatArray, predicted: Int64Array) -> FloatArray:
    """(n, n_classes) float64: distributions in which the predicted class is the largest.

    A row in which it is not changes least: the larger classes and it meet at one height, and it gets a bare lead.
    """
    proba = proba.copy()
    for row in np.flatnonzero(most_probable(proba) != predicted):
        c = predicted[row]
        others = np.delete(np.arange(proba.shape[1]), c)
        order = others[np.argsort(-proba[row, others], kind="stable")]
        heights = (proba[row, c] + np.cumsum(proba[row, order])) / np.arange(2, len(order) + 2)
        reached = np.flatnonzero(proba[row, order] >= heights)
        n = int(reached[-1]) + 1 if len(reached) else 1  # a tie but for rounding
        proba[row, order[:n]] = heights[n - 1] - LEAST_LEAD / n
        proba[row, c] = heights[n - 1] + LEAST_LEAD
    return proba


def _given(words: str, value: float) -> Step:
    return Step("given", words, value, "side", values={"numbers": value})


def _for_and_against(phrases: TextArray, parts: FloatArray) -> TextArray:
    """(n,) str: the sides that speak for the answer and those against it, the loudest first."""
    n_sides = phrases.shape[1]
    order = np.lexsort((-np.abs(parts), -np.sign(parts)), axis=1)
    phrases, parts = np.take_along_axis(phrases, order, axis=1), np.take_along_axis(parts, order, axis=1)
    n_for, n_silent = (parts > 0).sum(axis=1), (parts == 0).sum(axis=1)
    place, is_silent = np.arange(n_sides), parts == 0
    is_first_against = (place == (n_for + n_silent)[:, None]) & (parts < 0)
    before = np.select(
        [is_silent, (parts > 0) & (place == 0), is_first_against & (n_for == 0)[:, None], is_first_against],
        [0, 1, 2, 3],
        len(MARKS) - 1,
    )
    columns: list[TextArray] = [np.where(n_silent == n_sides, "no side speaks for or against it", "").astype(object)]
    for marks, texts in zip(before.T, np.where(is_silent, "", phrases).T, strict=True):
        columns += [MARKS[marks], texts]
    return joined_texts(*columns)
