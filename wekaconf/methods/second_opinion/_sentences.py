"""The reasons of pooled answers: what the tree says, who agrees, and what speaks most for those who do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wekaconf.base.naming import enumeration, shown
from wekaconf.base.rounding import most_probable
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray, Int64Array, TextArray, as_rows, joined_texts, texts_of
from wekaconf.data.wording import cells, class_text, counts_apart, each_distinct
from wekaconf.methods.second_opinion._of_trees import OfTree
from wekaconf.methods.second_opinion._side import Side, Sum, inputs
from wekaconf.tree import TreeMirror

TREE_ALONE = "too little to learn from: the tree answers alone"
MOST_VALUES = 3
"""The largest number of values that a sentence names."""
MOSTLY = 0.5
"""The share of all that speaks for an opinion with which the values that are named are enough."""
PERCENTS = texts_of(["under 1 %", *(f"{n} %" for n in range(1, 100)), "over 99 %"])


@dataclass(frozen=True, eq=False)
class Sentences:
    """What a sentence on each of some rows needs.

    Parameters
    ----------
    tree : TreeMirror
    sides : mapping of str to Side
        All that are in the pool.
    weights : (n_sides,) float64
    data : Dataset
        The rows.
    said : (n_sides, n, n_classes) float64
        What the sides say of them.
    tree_proba : (n, n_classes) float64
        The answers of the tree, as a side gives them.
    of_tree : (n,) int64
        The class that the tree says.
    predicted : (n,) int64
        What is answered.
    """

    tree: TreeMirror
    sides: Mapping[str, Side]
    weights: FloatArray
    data: Dataset
    said: FloatArray
    tree_proba: FloatArray
    of_tree: Int64Array
    predicted: Int64Array

    def texts(self) -> TextArray:
        """(n,) object: one sentence per row, without a period."""
        of_tree = self.of_tree
        begun = f"the tree{self._no_part} says "
        parts: list[TextArray | str] = [begun, self._names[of_tree], " (", self._leaves(of_tree), ")"]
        opinions = [
            (place, side)
            for place, side in enumerate(self.sides.values())
            if self.weights[place] > 0 and not isinstance(side, OfTree)  # else it has no part in the answer
        ]
        if not opinions:
            return joined_texts(*parts, "" if self.sides else f"; {TREE_ALONE}")
        says = np.stack([most_probable(self.said[place]) for place, _ in opinions])
        return joined_texts(*parts, texts_of(self._opinions(opinions, says, of_tree)))

    @property
    def _no_part(self) -> str:
        """Words where the tree is not among those that are asked."""
        is_asked = any(isinstance(side, OfTree) for side in self.sides.values())
        return "" if is_asked or not self.sides else ", which is not asked,"

    @cached_property
    def _names(self) -> TextArray:
        return texts_of(map(class_text, self.data.class_names))

    def _leaves(self, of_tree: Int64Array) -> TextArray:
        """(n,) object: the tree's probability of its class, and how many instances of the leaf are of it, if known."""
        rows, n_classes = np.arange(len(self.data)), np.int64(self.data.n_classes)
        texts = percent_texts(self.tree_proba[rows, of_tree])
        if not self.tree.routing.keeps_counts:
            return texts
        leaf = self.tree.apply(self.data)
        whole = np.flatnonzero((leaf >= 0) & ~self.tree.is_empty[leaf])
        leaves = each_distinct(leaf[whole] * n_classes + of_tree[whole], self._leaf)
        texts[whole] = joined_texts(texts[whole], ", ", leaves)
        return texts

    def _leaf(self, pair: int) -> str:
        node, c = divmod(pair, self.data.n_classes)
        of_class, total = counts_apart(
            float(self.tree.class_weight[node, c]), float(self.tree.class_weight[node].sum())
        )
        return f"{of_class} of {total} training {'instance' if total == '1' else 'instances'} in its leaf"

    def _opinions(self, opinions: Sequence[tuple[int, Side]], says: Int64Array, of_tree: Int64Array) -> Iterator[str]:
        """Who agrees with the tree and who does not, and which values weigh most with those who say the same."""
        rows, names = np.arange(len(self.data)), self._names.tolist()
        shares = [percent_texts(self.said[place, rows, says[i]]).tolist() for i, (place, _) in enumerate(opinions)]
        mostly = self._mostly(opinions, says, of_tree)
        for row, (tree_class, predicted, *classes) in enumerate(as_rows(of_tree, self.predicted, *says)):
            by_class: dict[int, list[str]] = {tree_class: []}
            for c, (_, side), share in zip(classes, opinions, shares, strict=True):
                # To agree is to agree with the answer, which may outvote the tree; verbs stand once per class.
                verb = "" if by_class.get(c) else "says "
                words = f"{verb}{names[c]}"
                if c == tree_class:
                    words = "agrees" if predicted == c else f"says {names[c]}, too"
                by_class.setdefault(c, []).append(f"{side.words} {words} ({share[row]})")
            yield "; " + "; ".join(", ".join(told) + mostly.get((row, c), "") for c, told in by_class.items() if told)

    def _mostly(
        self, opinions: Sequence[tuple[int, Side]], says: Int64Array, of_tree: Int64Array
    ) -> dict[tuple[int, int], str]:
        """By row and class: the values that weigh most, in the pool, with the sums that say this class."""
        columns = inputs(self.data.header)
        n_classes = self.data.n_classes
        keys, parts = [np.zeros(0, dtype=np.int64)], [np.zeros((0, len(columns)))]
        for i, (place, side) in enumerate(opinions):
            if isinstance(side, Sum):
                own = np.flatnonzero(says[i] != of_tree)
                keys.append(own * n_classes + says[i, own])
                odds = side.log_odds(self.data.values[own], says[i, own], of_tree[own])
                parts.append(self.weights[place] * odds)
        distinct, group = np.unique(np.concatenate(keys), return_inverse=True)
        if not len(distinct) or not columns:
            return {}
        total = np.zeros((len(distinct), len(columns)))
        np.add.at(total, group, np.concatenate(parts))
        for_it = np.maximum(total, 0.0)
        order = np.argsort(-for_it, axis=1, kind="stable")[:, :MOST_VALUES]
        largest = np.take_along_axis(for_it, order, axis=1)
        reached = np.cumsum(largest, axis=1) >= MOSTLY * for_it.sum(axis=1, keepdims=True)
        n_told = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, order.shape[1])
        n_told = np.minimum(n_told, (largest > 0).sum(axis=1))
        found = {}
        for key, places, n in zip(distinct.tolist(), order.tolist(), n_told.tolist(), strict=True):
            if n:
                row, c = divmod(key, n_classes)
                found[row, c] = ", mostly for " + enumeration(
                    [cell_words(self.data, row, columns[j]) for j in places[:n]]
                )
        return found


def cell_words(data: Dataset, row: int, column: int) -> str:
    """An attribute and its value, such as ``alter 66`` or ``alter missing``."""
    attribute, value = data.attributes[column], float(data.values[row, column])
    if np.isnan(value):
        return f"{shown(attribute.name)} missing"
    text = shown(attribute.values[int(value)]) if attribute.is_nominal else cells(attribute, value)[0]
    return f"{shown(attribute.name)} {text}"


def percent_texts(shares: FloatArray) -> TextArray:
    """(n,) object: shares in whole percent; what is not quite nothing or all says so."""
    place = np.clip(np.floor(100 * shares + 0.5), 0, 100).astype(np.int64)
    texts = PERCENTS[place]
    texts[shares >= 1] = "100 %"
    texts[shares <= 0] = "0 %"
    return texts
