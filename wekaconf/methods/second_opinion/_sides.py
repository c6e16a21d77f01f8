"""The sides by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest
from wekaconf.base.parameters import read_parameters
from wekaconf.base.words import Argument
from wekaconf.methods.contract import Method
from wekaconf.methods.second_opinion._logistic import Logistic
from wekaconf.methods.second_opinion._naive_bayes import NaiveBayes
from wekaconf.methods.second_opinion._neighbours import Neighbours
from wekaconf.methods.second_opinion._of_method import MethodKind
from wekaconf.methods.second_opinion._of_trees import OfTree, RandomForest
from wekaconf.methods.second_opinion._side import Kind

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
