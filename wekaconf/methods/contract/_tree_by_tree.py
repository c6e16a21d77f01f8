"""Methods that answer for a forest tree by tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.parameters import learned
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract._answer import Answer, Reply
from wekaconf.methods.contract._explanation import Explanation, Step, forest_members
from wekaconf.methods.contract._explanation.of_tree import forest_step
from wekaconf.methods.contract._leaf_reasons import member_sentences
from wekaconf.methods.contract._method import Method, ReadArrays
from wekaconf.tree import COMBINATIONS, Forest, TreeMirror


class TreeByTree(Method, is_registered=False):
    """A method of a single tree that is defined on a forest as well, tree by tree.

    On a forest the method is fitted on every tree with the whole training set, answers for every tree, and the answers
    are combined as the forest combines those of its trees (`Forest.votes`): their mean, or their votes. Ranking and
    scores, where the method has its own, are means over the trees; of a forest that votes they are the votes. The
    certainty is the largest probability of the combined distribution. An event names its tree; the explanation of a
    method without events is what every tree predicts.

    **Departures**: the papers define these methods on one tree. The bootstrap sample that a tree was grown on is not
    kept, so its statistics are those of the whole training set, which contains instances that the tree has not seen.

    A method lists this base first: ``class MBranch(TreeByTree, name="m_branch")``.
    """

    takes_forest = True
    # In a file the arrays of each member are parts of their own: no third way to store arrays, at the price of a limit
    # on the number of parts, which the error names.
    members_: tuple[TreeByTree, ...] = learned()
    """The method on each tree of a forest."""

    def _check_tree(self, tree: TreeMirror | Forest) -> None:
        super()._check_tree(tree)
        if isinstance(tree, Forest):
            for member in tree.trees:
                self._check_tree(member)

    def _fit_whole(self, tree: TreeMirror | Forest, train: Dataset) -> None:
        if not isinstance(tree, Forest):
            super()._fit_whole(tree, train)
            return
        self.members_ = tuple(self.unfitted().fit(member, train) for member in tree.trees)

    def _reply_whole(self, data: Dataset) -> Reply:
        if not isinstance(self.tree_, Forest):
            return super()._reply_whole(data)
        combine, is_vote = COMBINATIONS[self.tree_.votes], self.tree_.votes == "hard"
        totals: dict[str, FloatArray] = {}

        def distributions() -> Iterator[FloatArray]:
            for answer in self._member_answers(data):
                for name, part in (("ranking", answer.ranking), ("scores", answer.scores)):
                    if part is not answer.proba and not is_vote:
                        totals[name] = totals[name] + part if name in totals else part
                yield answer.proba

        proba = combine(distributions())
        means = {name: total / len(self.members_) for name, total in totals.items()}
        return Reply(
            proba,
            ranking=means.get("ranking"),
            scores=means.get("scores"),
            explain=lambda: self._member_explanation(data),
            reasons=lambda answer, rows: self._describe_agreement(data.take(rows), answer.predicted[rows]),
            steps=lambda i: self._member_steps(data.take([i])),
        )

    def _member_steps(self, one: Dataset) -> Step:
        """The step that combines the answers of the trees for one instance."""
        assert isinstance(self.tree_, Forest)
        accounts = [answer.explanation.account(0) for answer in self._member_answers(one)]
        return forest_step(self.tree_, [account.steps for account in accounts])

    def _describe_agreement(self, data: Dataset, predicted: NDArray[np.int64]) -> list[str]:
        """A sentence per answer on the trees that agree with it; see `member_sentences`."""
        members = (answer.predicted for answer in self._member_answers(data))
        return member_sentences(data.class_names, members, predicted)

    def _member_answers(self, data: Dataset) -> Iterator[Answer]:
        return (member.answer(data) for member in self.members_)

    def _member_explanation(self, data: Dataset) -> Explanation:
        """The events of every tree, or what every tree predicts."""
        n, forest = len(data), self.tree_
        assert isinstance(forest, Forest)
        if not self.counts_events:
            return forest_members(forest, [answer.predicted for answer in self._member_answers(data)])
        parts = [answer.explanation for answer in self._member_answers(data)]
        instance = np.concatenate([part.instance for part in parts])
        order = np.argsort(instance, kind="stable")
        tree_number = np.repeat(np.arange(1, len(parts) + 1), [len(part.instance) for part in parts])
        details = {"tree": tree_number[order].tolist()}
        for name in parts[0].details:
            values = [value for part in parts for value in part.details[name]]
            details[name] = [values[place] for place in order.tolist()]
        node, kind = (np.concatenate([getattr(part, name) for part in parts])[order] for name in ("node", "kind"))
        attribute = np.concatenate([part.columns for part in parts])[order]
        return Explanation(forest, n, parts[0].kinds, instance[order], node, kind, attribute, details)

    # -- for the model file --

    def learned(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``_fit`` has learned; on a forest those of the first tree are named ``0/…``, and so on."""
        self.check_fitted()
        if not isinstance(self.tree_, Forest):
            return super().learned()
        members = enumerate(self.members_)
        return {f"{i}/{name}": array for i, member in members for name, array in member.learned().items()}

    @classmethod
    def read_learned(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, read: ReadArrays
    ) -> dict[str, NDArray[Any]]:
        """See `Method.read_learned`."""
        if not isinstance(tree, Forest):
            return super().read_learned(params, tree, read)
        arrays = {}
        for i, member in enumerate(tree.trees):
            member_arrays = super().read_learned(
                params, member, lambda prefix, *rest, i=i: read(f"{i}/{prefix}", *rest)
            )
            arrays.update({f"{i}/{name}": array for name, array in member_arrays.items()})
        return arrays

    @classmethod
    def restore(
        cls, params: Mapping[str, Any], tree: TreeMirror | Forest, learned: Mapping[str, NDArray[Any]]
    ) -> Method:
        """See `Method.restore`."""
        if not isinstance(tree, Forest):
            return super().restore(params, tree, learned)
        member_arrays: list[dict[str, NDArray[Any]]] = [{} for _ in tree.trees]
        for name, array in learned.items():
            number, _, rest = name.partition("/")
            member_arrays[int(number)][rest] = array
        method = cls(**params)
        method._check_tree(tree)
        method.members_ = tuple(
            super(TreeByTree, cls).restore(params, member, arrays)  # type: ignore[misc] # restores an object of this class
            for member, arrays in zip(tree.trees, member_arrays, strict=True)
        )
        method.tree_ = tree
        return method
