"""The steps by which an answer follows from numbers, each computed from the results of its parts.

A report in a method's own words would have to be trusted; steps of a few rules can be recomputed, and tests do so for
every step of every method, to the last bit where a rule only adds, multiplies and divides. They are made for one
instance at a time, beside the kernels and not inside them, so that predicting costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np

from wekaconf.data.arrays import FloatArray
from wekaconf.tree import sequential_sum

Rule = Literal[
    "frequency", "given", "follow", "weighted", "scaled", "clipped", "fine", "m_estimate", "votes", "largest",
    "expected", "distance", "tail", "divergence", "logistic", "pooled",
]  # fmt: skip
"""The rule by which the result of a step is computed; p is the result of the first part, c a class:

========== ============================================================================================================
given      ``numbers``
frequency  (weights_c + add) / total
follow     p
weighted   Σ_i weights_i · p_i, or Σ_i weights_i,c · p_i,c, over the parts in their order
scaled     (p_c + add) / total
clipped    max(p_c, 0)
fine       p_leading − share · p_leading for the leading class; p_c + share · p_leading / (number of others) for others
m_estimate (weights_c + m · p_c) / total
votes      the share of the parts of which c is the most probable class
largest    the largest p_c
expected   Σ_c weights_c · p_c
distance   the norm of ``offsets``
tail       1 − 2 (Φ(z) − ½), Φ being the normal distribution and z the largest of ``deviations``
logistic   share / (1 + e^−p); ``share`` is 1 where it is not given
pooled     Π_i max(p_i,c, least)^weights_i over the parts, divided by its sum over the classes
divergence 2 ^ −Σ (p − q) log2 (p / q), with q the result of the second part
========== ============================================================================================================
"""


@dataclass(frozen=True)
class Step:
    """One step of the computation of an answer.

    Parameters
    ----------
    rule : str
        How the result follows from ``values`` and from the results of the parts; see `Rule`.
    words : str
        What is done, without a period; it may hold any character that names hold.
    result : (n_classes,) tuple of float, or float
        A distribution, or values that become one; a certainty is one number.
    kind : str
        What sort of step it is: a test, a leaf, a route, a fine and so on.
    node : int
        The node of the tree; −1 for none.
    values : mapping
        The numbers that the rule names, and further ones: JSON types, infinities and NaN.
    parts : tuple of Step
    """

    rule: Rule
    words: str
    result: tuple[float, ...] | float
    kind: str
    node: int = -1
    values: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Step, ...] = ()

    def rewritten(self, write: Callable[[str], str]) -> Self:
        """The same step in other words, and so are its parts."""
        return replace(self, words=write(self.words), parts=tuple(part.rewritten(write) for part in self.parts))

    @classmethod
    def frequency(cls, words: str, weights: FloatArray, *, total: float, add: float = 0.0, **rest: Any) -> Self:
        """(weights_c + add) / total."""
        with np.errstate(invalid="ignore", divide="ignore"):
            result = (weights + add) / total
        values = {"weights": weights.tolist(), "add": add, "total": total, **rest.pop("values", {})}
        return cls("frequency", words, tuple(result.tolist()), values=values, **rest)

    @classmethod
    def given(cls, words: str, numbers: FloatArray, **rest: Any) -> Self:
        """Numbers that do not follow from other numbers that are kept."""
        return cls("given", words, tuple(numbers.tolist()), values={"numbers": numbers.tolist()}, **rest)

    @classmethod
    def follow(cls, words: str, part: Step, **rest: Any) -> Self:
        """The result of the part, unchanged."""
        return cls("follow", words, part.result, parts=(part,), **rest)

    @classmethod
    def weighted(cls, words: str, weights: Sequence[Any], parts: Sequence[Step], **rest: Any) -> Self:
        """A weighted sum; a weight is a number, or one number per class."""
        total = np.zeros(np.shape(parts[0].result))
        for weight, part in zip(weights, parts, strict=True):
            total += np.asarray(weight) * part.array
        values = {"weights": [np.asarray(weight).tolist() for weight in weights], **rest.pop("values", {})}
        result: tuple[float, ...] | float = tuple(map(float, total)) if total.ndim else float(total)
        return cls("weighted", words, result, values=values, parts=tuple(parts), **rest)

    @classmethod
    def scaled(cls, words: str, part: Step, *, total: float, add: float = 0.0, **rest: Any) -> Self:
        """(p_c + add) / total."""
        result = (part.array + add) / total
        return cls("scaled", words, tuple(result.tolist()), values={"add": add, "total": total}, parts=(part,), **rest)

    @classmethod
    def shares(cls, words: str, part: Step, add: float = 0.0, **rest: Any) -> Self:
        """The result of the part, divided by its sum."""
        total = float(sequential_sum(part.array[None])[0] + add * len(part.array))
        return cls.scaled(words, part, total=total, add=add, **rest)

    @property
    def array(self) -> FloatArray:
        """The result as an array."""
        return np.asarray(self.result, dtype=np.float64)

    @property
    def before(self) -> tuple[float, ...] | float | None:
        """The result of the first part, which a fine, a route or a test starts from; None where there is none."""
        return self.parts[0].result if self.parts else None

    @property
    def is_new(self) -> bool:
        """Whether the result differs from that of the first part, so that it is worth showing."""
        return self.result != self.before or self.kind == "leaf"

    def walk(self) -> Iterator[Step]:
        """The step and all steps below it, each before its parts."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def to_dict(self) -> dict[str, Any]:
        """The step and its parts as JSON types; numbers may be infinite or NaN."""
        return {
            "kind": self.kind,
            "words": self.words,
            "node": self.node if self.node >= 0 else None,
            "rule": self.rule,
            "values": dict(self.values),
            "result": list(self.result) if isinstance(self.result, tuple) else self.result,
            "parts": [part.to_dict() for part in self.parts],
        }
