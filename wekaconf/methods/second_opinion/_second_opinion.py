"""The logarithmic opinion pool of a tree and of models of other kinds.

The certainty is a part of the distribution that is answered; a certainty learned beside it, from five methods on one
tree, knew less, and scorers judged it by another number than the one it rejected by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.naming import enumeration
from wekaconf.base.parameters import learned, parameter
from wekaconf.base.rounding import most_probable
from wekaconf.base.stored import check_stored, stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray
from wekaconf.data.wording import class_text, number
from wekaconf.methods.contract import (
    CertaintyRange,
    Explanation,
    Method,
    ReadArrays,
    Reply,
    Rows,
    Step,
    sizes_of,
)
from wekaconf.methods.second_opinion._of_trees import OfTree
from wekaconf.methods.second_opinion._out_of_fold import OutOfFold, learner_that_grows_again
from wekaconf.methods.second_opinion._pool import LEAST, logarithms, pooled
from wekaconf.methods.second_opinion._sentences import TREE_ALONE, Sentences, cell_words
from wekaconf.methods.second_opinion._side import Side, Sum, inputs
from wekaconf.methods.second_opinion._sides import sides_of
from wekaconf.tree import Forest, TreeMirror, own_answers

LARGEST_WEIGHT = 1e6
"""The largest weight of a side in a file."""


class OutOfFoldAnswers(NamedTuple):
    """The pooled answers for training rows, by sides that have not learned from them.

    Parameters
    ----------
    certainty : (n,) float64
        With the final weights.
    predicted, actual : (n,) int64
        The class that is answered, and that of the row.
    weights : (n,) float64
        Instance weights.
    """

    certainty: FloatArray
    predicted: Int64Array
    actual: Int64Array
    weights: FloatArray


class SecondOpinion(Method, name="second_opinion"):
    """The tree, naive Bayes and a logistic regression each give a distribution; the answer is their weighted pool.

    p(c) ∝ Π_s p_s(c)^w_s over the sides s. The weights are those under which the classes of the training instances are
    most likely, each instance told by sides that learned without it.

    Notes
    -----
    A side gives a class at least 0.001, so that none alone rules a class out. The tree speaks with Laplace's correction
    where it keeps class counts. With fewer than 30 training instances, or fewer than 5 wrong answers of the tree out of
    fold, the tree answers alone, and reasons and notes say so. ``neighbours`` keeps training instances, in the model
    file, too. ``random_forest`` is Weka's, which needs Java to fit, not to answer.

    Cost: ``folds`` + 1 trees, and each side learns as often; answering costs what the sides cost together, of the
    default ones O(depth + n_attributes · n_classes) per instance.

    **Departures** from the papers: Genest and Zidek leave the weights to whoever pools, here they are learned as in
    Wolpert's stacking, need not sum to 1, and a penalty draws them towards equal ones; probabilities are held at 0.001
    from below.

    References
    ----------
    Genest and Zidek: Combining probability distributions: a critique and an annotated bibliography, Statistical Science
    1, 1986 (the logarithmic opinion pool). Wolpert: Stacked generalization, Neural Networks 5, 1992 (learning from
    answers out of fold).
    """

    reference = "genest1986"
    grows_again = True
    certainty_range = CertaintyRange(is_probability=True, meaning="the pooled probability of the answer")
    sides: str | tuple[str, ...] = parameter(
        default="laplace+naive_bayes+logistic",
        help="Who is asked, joined by +: laplace (the tree), naive_bayes, logistic, random_forest, neighbours, or a "
        "method.",
    )
    answers: Literal["likeliest", "tree"] = parameter(
        default="likeliest", help="likeliest: answer the largest class of the pool; tree: answer the tree's class."
    )
    folds: int = parameter(default=3, low=2, high=1000, help="Number of folds whose trees grow without their rows.")
    penalty: float = parameter(
        default=1.0, low=1e-9, high=1e9, help="Half of it times the squared distance from equal weights counts as loss."
    )
    seed: int = parameter(default=1, low=0, high=2**63 - 1, help="Seed of the folds.")
    tree_: TreeMirror = learned()
    weights_: Annotated[FloatArray, stored(np.float64, "n_sides", low=0, high=LARGEST_WEIGHT)] = learned()
    """(n_sides,) float64: in the order of ``sides``; empty where the tree answers alone."""
    members_: dict[str, Side] = learned()
    """The sides by name, as they learned beside the tree; none where the tree answers alone."""
    held_out: OutOfFoldAnswers | None = None
    """The answers out of fold; None where the tree answers alone, and of a method from a file or a pickle."""

    def _check_parameters(self) -> None:
        sides_of(self.sides, self.name)

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self.weights_, self.held_out, self.members_ = np.zeros(0), None, {}
        if train.n_classes == 1:
            return
        # One more tree is the price of knowing: answers out of fold speak for the tree only if its learner and options
        # grow it again.
        learner = learner_that_grows_again(self.name, tree, train)
        members = {name: side.fit(tree, train) for name, side in sides_of(self.sides, self.name).items()}
        told = OutOfFold.of(train, learner, tuple(members.values()), n_folds=self.folds, seed=self.seed)
        if not told.is_poor:
            self._learn(told)
            self.members_ = members

    def _learn(self, told: OutOfFold) -> None:
        self.weights_ = told.fitted_weights(self.penalty)
        proba = pooled(told.logs, self.weights_)
        answered = told.of_tree if self.answers == "tree" else most_probable(proba)
        certainty = proba[np.arange(len(proba)), answered]
        self.held_out = OutOfFoldAnswers(certainty, answered, told.actual, told.weights)

    @property
    def _has_learned(self) -> bool:
        return bool(len(self.weights_))

    def _answer(self, data: Dataset) -> Reply:
        tree_proba = own_answers(self.tree_, data)
        of_tree = most_probable(tree_proba)
        if self._has_learned:
            said = np.stack([side.proba(data) for side in self.members_.values()])
            proba = pooled(logarithms(said), self.weights_)
        else:
            said, proba = np.zeros((0, *tree_proba.shape)), OfTree(self.tree_).proba(data)
        predicted = of_tree if self.answers == "tree" else most_probable(proba)
        told = partial(self._sentences, data, said, of_tree)
        return Reply(
            proba,
            certainty=lambda: proba[np.arange(len(proba)), predicted],
            predicted=predicted,
            explain=lambda: self._explanation(said, proba, predicted),
            reasons=lambda answer, rows: told(answer.predicted, rows),
            steps=lambda i: self._step(data.take([i]), said[:, i], proba[i]),
            certainty_steps=lambda answer, i: self._certainty_step(
                data.take([i]), said[:, i], proba[i], int(answer.predicted[i])
            ),
        )

    def _sentences(
        self, data: Dataset, said: FloatArray, of_tree: Int64Array, predicted: Int64Array, rows: Rows
    ) -> TextArray:
        one = data.take(rows)
        proba = OfTree(self.tree_).proba(one)  # as the pool and its steps have it
        says = of_tree[rows] if self.answers == "tree" else most_probable(proba)
        return Sentences(
            self.tree_, self.members_, self.weights_, one, said[:, rows], proba, says, predicted[rows]
        ).texts()

    def _explanation(self, said: FloatArray, proba: FloatArray, predicted: Int64Array) -> Explanation:
        """What each side predicts, gives the answer, and adds to its log-odds against the next class."""
        n, n_sides, rows = len(proba), len(said), np.arange(len(proba))
        logs, other = logarithms(said), next_classes(proba, predicted)
        log_odds = self.weights_[:, None] * (logs[:, rows, predicted] - logs[:, rows, other])
        of_answer = said[:, rows, predicted]
        says = [most_probable(side) for side in said]
        names = self.tree_.class_names
        instance, side = np.divmod(np.arange(n * n_sides), max(n_sides, 1))
        details: dict[str, Sequence[Any]] = {
            "predicts": [names[c] for c in np.stack(says, axis=1).ravel().tolist()] if n_sides else [],
            "probability": of_answer.T.ravel().tolist(),
            "log_odds": log_odds.T.ravel().tolist(),
        }
        return Explanation(
            self.tree_, n, tuple(self.members_), instance, np.zeros(len(instance), dtype=np.int32),
            side.astype(np.uint8), np.full(len(instance), -1, dtype=np.int32), details,
        )  # fmt: skip

    def _step(self, one: Dataset, said: FloatArray, proba: FloatArray) -> Step:
        """The distribution as the pool of those of the sides."""
        if not self._has_learned:
            return Step.follow(TREE_ALONE, OfTree(self.tree_).step(one, proba), kind="side")
        parts = tuple(side.step(one, own) for side, own in zip(self.members_.values(), said, strict=True))
        values = {"weights": self.weights_.tolist(), "least": LEAST}
        return Step(
            "pooled",
            "the opinions, each raised to its power, multiplied, in shares that sum to 1",
            tuple(proba.tolist()),
            "pool",
            values=values,
            parts=parts,
        )

    def _certainty_step(self, one: Dataset, said: FloatArray, proba: FloatArray, c: int) -> Step:
        """The probability of the answer, by its log-odds against the next class, which are a sum over the sides."""
        certainty, name = float(proba[c]), class_text(self.tree_.class_names[c])
        if not self._has_learned:
            return _given(f"the probability of {name}", certainty)
        other = int(next_classes(proba[None], np.array([c]))[0])
        against = f"{name} against {class_text(self.tree_.class_names[other])}"
        parts = [
            self._log_odds_step(side, one, own, c, other)
            for side, own in zip(self.members_.values(), said, strict=True)
        ]
        total = Step.weighted(f"the log-odds of {against}", self.weights_.tolist(), parts, kind="sum")
        values = {"share": float(proba[c] + proba[other])}
        return Step("logistic", f"the probability of {name}", certainty, "certainty", values=values, parts=(total,))

    def _log_odds_step(self, side: Side, one: Dataset, own: FloatArray, c: int, other: int) -> Step:
        """The log-odds of two classes by a side: what its values add, the loudest first, where it is a sum of them."""
        both = own[[c, other]]
        if not isinstance(side, Sum) or (both < LEAST).any():
            words = f"{side.words}: {number(float(both[0]))} against {number(float(both[1]))}"
            held = f", held at {LEAST} from below" if (both < LEAST).any() else ""
            logs = logarithms(both)
            return _given(words + held, float(logs[0] - logs[1]))
        adds = side.log_odds(one.values, np.array([c]), np.array([other]))[0]
        columns = inputs(one.header)
        parts = [
            _given(cell_words(one, 0, columns[j]), float(adds[j]))
            for j in np.argsort(-np.abs(adds), kind="stable").tolist()
        ]
        start = _given("before any value is known", float(side.start[c] - side.start[other]))
        return Step.weighted(side.words, [1.0] * (len(parts) + 1), [start, *parts], kind="sum")

    @property
    def in_words(self) -> str:
        """The weights of the sides, or that the tree answers alone."""
        self.check_fitted()
        if not self._has_learned:
            return TREE_ALONE
        weights = zip(self.members_.values(), self.weights_.tolist(), strict=True)
        return f"the weights of {enumeration([f'{side.words} {weight:.3g}' for side, weight in weights])}"

    @property
    def n_kept(self) -> int:
        """Number of training instances that a fitted method, and so its model file, keeps: those of ``neighbours``."""
        self.check_fitted()
        return max((side.n_kept for side in self.members_.values()), default=0)

    def __getstate__(self) -> dict[str, Any]:
        """What a pickle holds: nothing of single training instances out of fold."""
        return vars(self) | {"held_out": None}

    # -- for the model file --

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; those of the first side are named ``0/…``, and so on."""
        own = super().learned()
        members = enumerate(self.members_.values())
        return own | {f"{i}/{name}": array for i, side in members for name, array in side.learned().items()}

    @classmethod
    def read_learned(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, read: ReadArrays
    ) -> dict[str, NDArray[Any]]:
        """See `Method.read_learned`."""
        arrays = super().read_learned(params, tree, read)
        if len(arrays["weights_"]) and isinstance(tree, TreeMirror):
            for i, kind in enumerate(sides_of(cls(**params).sides, cls.name).values()):
                of_side = kind.read_learned(tree, lambda prefix, *rest, i=i: read(f"{i}/{prefix}", *rest))
                arrays |= {f"{i}/{name}": array for name, array in of_side.items()}
        return arrays

    @classmethod
    def restore(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, learned: Mapping[str, NDArray[Any]]
    ) -> Method:
        """See `Method.restore`."""
        method = cls(**params)
        method._check_tree(tree)
        assert isinstance(tree, TreeMirror)
        own = {name: array for name, array in learned.items() if "/" not in name}
        check_stored(cls, own, sizes_of(tree))
        method.tree_, method.weights_, method.members_ = tree, own["weights_"], {}
        kinds = sides_of(method.sides, cls.name)
        if method._has_learned:
            if len(method.weights_) != len(kinds):
                raise ValueError(f"weights_: expected {len(kinds)} or none, got {len(method.weights_)}")
            for i, (name, kind) in enumerate(kinds.items()):
                prefix = f"{i}/"
                of_side = {key.removeprefix(prefix): a for key, a in learned.items() if key.startswith(prefix)}
                method.members_[name] = kind.restore(tree, of_side)
        method._freeze()
        return method


def next_classes(proba: FloatArray, predicted: Int64Array) -> Int64Array:
    """(n,) int64: the most probable of the other classes; where there is none, the class itself."""
    others = proba.copy()
    others[np.arange(len(proba)), predicted] = -1.0
    return most_probable(others)


def _given(words: str, value: float) -> Step:
    return Step("given", words, value, "side", values={"numbers": value})
