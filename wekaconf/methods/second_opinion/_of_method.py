"""Any registered method as a side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract import Method, ReadArrays
from wekaconf.methods.second_opinion._side import Side
from wekaconf.tree import TreeMirror


@dataclass(frozen=True, eq=False)
class OfMethod(Side):
    """A registered method with its parameters.

    Parameters
    ----------
    method : Method
        Fitted.
    """

    method: Method

    @property
    def words(self) -> str:
        """What sentences call it."""
        return self.method.display_name

    def fit_again(self, tree: TreeMirror, train: Dataset) -> Self:
        """See `Side.fit_again`."""
        return type(self)(tree, self.method.unfitted().fit(tree, train))

    def proba(self, data: Dataset) -> FloatArray:
        """See `Side.proba`."""
        return self.method.predict_proba(data)

    @property
    def n_kept(self) -> int:
        """See `Side.n_kept`."""
        return self.method.n_kept

    def learned(self) -> dict[str, NDArray[Any]]:
        """See `Side.learned`."""
        return self.method.learned()


@dataclass(frozen=True)
class MethodKind:
    """The kind of side that a method with its parameters is; see `Kind`.

    Parameters
    ----------
    method : Method
        Not fitted.
    """

    method: Method

    def fit(self, tree: TreeMirror, train: Dataset) -> OfMethod:
        """See `Kind.fit`."""
        return OfMethod(tree, self.method.unfitted().fit(tree, train))

    def read_learned(self, tree: TreeMirror, read: ReadArrays) -> dict[str, NDArray[Any]]:
        """See `Kind.read_learned`."""
        return self.method.read_learned(self.method.params, tree, read)

    def restore(self, tree: TreeMirror, learned: dict[str, NDArray[Any]]) -> OfMethod:
        """See `Kind.restore`."""
        return OfMethod(tree, self.method.restore(self.method.params, tree, learned))
