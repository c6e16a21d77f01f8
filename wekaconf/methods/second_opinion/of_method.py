"""Any registered method as a side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.methods.contract.postprocessor import PostProcessor, ReadArrays
from wekaconf.methods.second_opinion.side import Side
from wekaconf.tree.mirror import TreeMirror


@dataclass(frozen=True, eq=False)
class OfMethod(Side):
    """A registered method with its defaults; `of` makes the class of one.

    Parameters
    ----------
    method : PostProcessor
        Fitted.
    """

    method: PostProcessor

    @classmethod
    def of(cls, method: type[PostProcessor]) -> type[OfMethod]:
        """The class of the sides that are this method."""
        return type(f"Of{method.__name__}", (cls,), {"words": method.display_name, "kind": method})

    kind = PostProcessor

    @classmethod
    def fit(cls, tree: TreeMirror, train: Dataset) -> Self:
        """See `Side.fit`."""
        return cls(tree, cls.kind().fit(tree, train))  # type: ignore[abstract]

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        return self.method.predict_proba(data)

    def learned(self) -> dict[str, NDArray[Any]]:
        """See `Side.learned`."""
        return self.method.learned()

    @classmethod
    def read_learned(cls, tree: TreeMirror, read: ReadArrays) -> dict[str, NDArray[Any]]:
        """See `PostProcessor.read_learned`."""
        return cls.kind.read_learned({}, tree, read)

    @classmethod
    def restore(cls, tree: TreeMirror, learned: dict[str, NDArray[Any]]) -> Self:
        """See `Side.restore`."""
        return cls(tree, cls.kind.restore({}, tree, learned))
