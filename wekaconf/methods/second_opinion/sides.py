"""The sides by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest
from wekaconf.base.words import Argument
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.methods.second_opinion.logistic import Logistic
from wekaconf.methods.second_opinion.naive_bayes import NaiveBayes
from wekaconf.methods.second_opinion.neighbours import Neighbours
from wekaconf.methods.second_opinion.of_method import OfMethod
from wekaconf.methods.second_opinion.of_trees import OfTree, RandomForest
from wekaconf.methods.second_opinion.side import Side

OWN: Mapping[str, type[Side]] = {
    "laplace": OfTree,
    "naive_bayes": NaiveBayes,
    "logistic": Logistic,
    "random_forest": RandomForest,
    "neighbours": Neighbours,
}
"""The sides that are no methods."""


def sides_of(text: str | Sequence[str], owner: str) -> dict[str, type[Side]]:
    """The sides that a text such as ``laplace+naive_bayes`` names, or a list of names.

    Raises
    ------
    OptionError
        One is unknown, named twice or grows trees itself, or there is none.
    """
    names = [part.strip() for part in text.split("+")] if isinstance(text, str) else [*text]
    methods: dict[str, type[PostProcessor]] = {}
    if any(name not in OWN for name in names):
        methods = {
            name: known
            for name, known in PostProcessor.registry.items()
            if not known.grows_again and not known.is_table_reading
        }
    found: dict[str, type[Side]] = {}
    for name in names:
        if name not in OWN and name not in methods:
            hint = nearest(name, [*OWN, *methods]) or f"; the sides are {', '.join([*OWN, *methods])}"
            raise OptionError(Argument("sides", owner), f": there is no side '{name}'{hint}", of=owner)
        if name in found:
            raise OptionError(Argument("sides", owner), f": '{name}' is given twice; leave one out", of=owner)
        found[name] = OWN[name] if name in OWN else OfMethod.of(methods[name])
    return found
