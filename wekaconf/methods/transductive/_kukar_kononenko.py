"""Kukar and Kononenko's reliability: how far the tree moves when it is told that it is right."""

from __future__ import annotations

from functools import cache, partial
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.parameters import learned, parameter
from wekaconf.base.rounding import most_probable, rounded
from wekaconf.base.stored import stored
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, texts_of
from wekaconf.data.wording import class_text, numbers_apart
from wekaconf.learners.info_gain import NOBODY, LearningSet, inputs
from wekaconf.methods.contract import CertaintyRange, LeftOut, Reply, Rows, Step
from wekaconf.methods.transductive._base import (
    Transductive,
    laplace,
    laplace_step,
    leaf_counts,
    normalise_counts,
    tree_rules,
    widen_to_classes,
)
from wekaconf.tree import TreeMirror, own_answers


class KukarKononenko(Transductive, name="kukar_kononenko"):
    """The plain tree's answer, with the reliability of Kukar and Kononenko as its certainty.

    The instance joins the training data with the class that the plain tree predicts, and a second tree is grown. The
    less the two trees' distributions differ, the more reliable the prediction.

    Notes
    -----
    The distribution is the plain tree's own. The reliability is 2 ** −J with J = Σ (p − q) · log2(p / q), the symmetric
    divergence of the two trees' distributions p and q, both with Laplace's correction; in (0, 1], 1 when they agree.
    Cost: one induction along the instance's path an instance, see `wekaconf.methods.transductive._tpce.TPCE`.

    References
    ----------
    M. Kukar and I. Kononenko (2002). Reliable classifications with machine learning. Proceedings of the 13th European
    Conference on Machine Learning, 219-231.
    E. P. Costa, S. Verwer and H. Blockeel (2013). Estimating prediction certainty in decision trees. Advances in
    Intelligent Data Analysis XII, 138-149. Sections 2.2 and 4.1, where it is the rival Clus-K&K.
    **Departures**: Costa et al. do not say how the distributions are estimated or compared; Laplace's correction keeps
    the divergence finite. In leave-one-out the supervised threshold is chosen once, on all instances.
    """

    display_name = "Kukar–Kononenko"
    reference = "kukar2002"
    certainty_range = CertaintyRange(
        is_low_open=True, meaning="the reliability of the prediction, 1 if the second tree gives the same distribution"
    )
    supervised: bool = parameter(
        default=False,
        help="Whether predictions are rejected, below the reliability that best tells the correct from the wrong ones, "
        "by information gain, among the training instances, each answered for by trees grown without it.",
    )
    threshold_: Annotated[FloatArray, stored(np.float64, "1", low=0, high=1, allows_nan=True)] = learned()
    """The reliability that best separates, if ``supervised``; else NaN."""

    def _fit(self, tree: TreeMirror, train: Dataset) -> None:
        self._keep(train)
        self.threshold_ = np.full(1, np.nan)
        if self.supervised:
            self.threshold_ = np.array([self._choose_threshold(tree, self._learning_set)])

    def _complete(self) -> None:
        super()._complete()
        if np.isnan(self.threshold_[0]) == self.supervised:
            raise ValueError("threshold_: expected a number if supervised, else NaN")

    def _choose_threshold(self, tree: TreeMirror, learning: LearningSet) -> float:
        """The `best_separation` of training instances, each left out in turn; 0 if there is only one."""
        if len(learning) < 2:
            return 0.0
        plain, reliability = self._leave_out_each(tree, learning, np.arange(len(learning)))
        is_correct = most_probable(normalise_counts(plain)) == learning.target
        return best_separation(reliability, is_correct, learning.weight)

    def _answer(self, data: Dataset) -> Reply:
        proba = own_answers(self.tree_, data)
        counts = cache(partial(self._counts, data, most_probable(proba)))
        return Reply(
            proba,
            certainty=lambda: reliability(*counts(), self._learning_set.present),
            reasons=lambda answer, rows: self._sentences(*counts(), answer.predicted, rows),
            certainty_steps=lambda answer, i: self._certainty_steps(*counts(), int(answer.predicted[i]), i),
        )

    def _certainty_steps(self, plain: FloatArray, joined: FloatArray, predicted: int, i: int) -> Step:
        """The distributions of the two trees, and their divergence."""
        labels = self._learning_set.present
        name = class_text(self.tree_.class_names[predicted])
        texts = ("the plain tree's leaf, with Laplace's correction",
                f"the leaf of the tree to which it is added as {name}, with Laplace's correction")  # fmt: skip
        p, q = (
            laplace_step(words, counts[i], labels, 1.0) for words, counts in zip(texts, (plain, joined), strict=True)
        )
        result = float(reliability(plain[[i]], joined[[i]], labels)[0])
        words = "2 to the power of minus the divergence of the two distributions"
        values = {"labels": [self.tree_.class_names[c] for c in labels.tolist()]}
        return Step("divergence", words, result, "divergence", values=values, parts=(p, q))

    def _counts(self, data: Dataset, predicted: Int64Array) -> tuple[FloatArray, FloatArray]:
        """(n_instances, n_classes) float64 each: class counts in the plain tree, and in the tree of the joined data."""
        # Nothing is withheld from the search for cuts: the paper ran it on the original Clus.
        joined = self._learning_set.outside_counts(
            tree_rules(self.tree_), inputs(data), np.arange(len(data)), predicted, withheld=False,
            on_progress=self.on_progress,
        )  # fmt: skip
        return leaf_counts(self.tree_, data), joined

    def _sentences(self, plain: FloatArray, joined: FloatArray, predicted: Int64Array, rows: Rows) -> TextArray:
        """The probability of the predicted class before and after the instance joins the training data."""
        labels, c = self._learning_set.present, predicted[rows]
        names = texts_of(map(class_text, self.tree_.class_names))
        before, after = (
            widen_to_classes(laplace(counts[rows], labels), labels, len(names))[np.arange(len(c)), c]
            for counts in (plain, joined)
        )
        return texts_of(
            f"added to the training data as {name}, it "
            + (f"leaves the share of {name} at {old}" if is_equal else f"moves the share of {name} from {old} to {new}")
            for name, old, new, is_equal in as_rows(names[c], *numbers_apart(before, after), before == after)
        )

    def _threshold(self) -> float | None:
        return float(self.threshold_[0]) if self.supervised else None

    def _leave_out_each(
        self, tree: TreeMirror, learning: LearningSet, rows: NDArray[np.intp]
    ) -> tuple[FloatArray, FloatArray]:
        """Class counts in the plain tree and reliabilities of training instances, each left out in turn."""
        rules = tree_rules(tree)
        plain = learning.left_out_counts(rules, rows, np.full(len(rows), NOBODY))
        predicted = most_probable(normalise_counts(plain))
        joined = learning.left_out_counts(rules, rows, predicted, withheld=False, on_progress=self.on_progress)
        return plain, reliability(plain, joined, learning.present)

    def _leave_one_out(self, rows: NDArray[np.intp]) -> LeftOut:
        self._check_remaining(self._learning_set)
        plain, certainty = self._leave_out_each(self.tree_, self._learning_set, rows)
        proba = self._plain_proba(plain)
        return LeftOut(proba, proba, certainty, proba)

    def notes(self, data: Dataset) -> tuple[str, ...]:
        """A note on the form of the induction."""
        return self._learning_set.form(tree_rules(self.tree_), inputs(data), withheld=False)


def reliability(plain: FloatArray, joined: FloatArray, labels: Int64Array) -> FloatArray:
    """(n,) float64: 2 ** −J for two tables of class counts, one row per instance."""
    p, q = laplace(plain, labels), laplace(joined, labels)
    return np.asarray(2.0 ** -((p - q) * np.log2(p / q)).sum(axis=1))


def best_separation(reliability: FloatArray, is_correct: NDArray[np.bool_], weight: FloatArray) -> float:
    """The reliability below which an answer is unreliable: the split of largest information gain, the lowest if tied.

    Only splits with a larger share of correct answers above count. The result is half way between two neighbouring
    values, or 0, so that nothing is rejected, if no split gains anything.
    """
    order = np.argsort(reliability, kind="stable")
    values = rounded(reliability[order])
    correct = np.cumsum(np.where(is_correct[order], weight[order], 0.0))
    total = np.cumsum(weight[order])
    ends = np.flatnonzero(values[1:] > values[:-1])
    if not len(ends):
        return 0.0
    below = total[ends], correct[ends]
    above = total[-1] - below[0], correct[-1] - below[1]
    gain = total[-1] * _entropy(correct[-1:] / total[-1:])[0] - sum(n * _entropy(r / n) for n, r in (below, above))
    gain[above[1] * below[0] <= below[1] * above[0]] = 0.0
    best = int(gain.argmax())
    return float(values[ends[best]] + values[ends[best] + 1]) / 2 if gain[best] > 1e-9 else 0.0


def _entropy(share: FloatArray) -> FloatArray:
    """(n,) float64: the binary entropy of each share, in bits."""
    from scipy.special import entr

    share = share.clip(0, 1)
    return np.asarray((entr(share) + entr(1 - share)) / np.log(2))
