"""The sides by name: those of this method's own, and any registered method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest
from wekaconf.base.parameters import read_parameters
from wekaconf.base.words import Argument
from wekaconf.data import Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.methods.contract import Method, ReadArrays
from wekaconf.methods.second_opinion._logistic import Logistic
from wekaconf.methods.second_opinion._naive_bayes import NaiveBayes
from wekaconf.methods.second_opinion._neighbours import Neighbours
from wekaconf.methods.second_opinion._of_trees import OfTree, RandomForest
from wekaconf.methods.second_opinion._side import Kind, Side
from wekaconf.tree import TreeMirror

OWN: Mapping[str, Kind] = {
    "laplace": OfTree,
    "naive_bayes": NaiveBayes,
    "logistic": Logistic,
    "random_forest": RandomForest,
    "neighbours": Neighbours,
}
"""The sides that are no methods."""


def sides_of(text: str | Sequence[str], owner: str) -> dict[str, Kind]:
    """The sides that a text such as ``laplace+shrinkage_wpe:numeric=bins`` names, or a list of such names.

    Raises
    ------
    OptionError
        One is unknown, named twice or grows trees itself, or there is none.
    """
    texts = [*filter(None, map(str.strip, text.split("+")))] if isinstance(text, str) else [*text]
    if not texts:
        raise OptionError(Argument("sides", owner), ": name at least one side", of=owner)
    found: dict[str, Kind] = {}
    for one in texts:
        if one in found:
            raise OptionError(Argument("sides", owner), f": '{one}' is given twice; leave one out", of=owner)
        found[one] = OWN[one] if one in OWN else _of_method(one, owner)
    return found


def _of_method(text: str, owner: str) -> Kind:
    """The side that is a method, named as on the command line."""
    name, _, rest = text.partition(":")
    methods = {
        name: known for name, known in Method.registry.items() if not known.grows_again and not known.is_table_reading
    }
    if name not in methods:
        hint = nearest(name, [*OWN, *methods]) or f"; the sides are {', '.join([*OWN, *methods])}"
        raise OptionError(Argument("sides", owner), f": there is no side '{name}'{hint}", of=owner)
    params = read_parameters(methods[name], filter(None, rest.split(",")), Argument("sides", owner), f" '{text}'")
    return MethodKind(methods[name](**params))


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
