"""The annotations that methods add to the nodes of a printed tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Line = tuple[str | float, ...]
"""Words and numbers, to be printed one after the other; the printer decides how numbers are written.

Numbers stay numbers, so that text, graph and JSON write each in their own way, and know no method.
"""


@dataclass(frozen=True)
class Guard:
    """A test that an instance must pass to get the answer of a leaf; the method rejects it otherwise.

    Parameters
    ----------
    attribute : str
    accepts : Line
        The values of the attribute that are accepted, such as an interval.
    rejects : tuple of Line
        The conditions for rejecting, the attribute's name included; any one of them is enough.
    """

    attribute: str
    accepts: Line
    rejects: tuple[Line, ...]


@dataclass(frozen=True)
class Annotation:
    """The text and values that a method adds to one node.

    Parameters
    ----------
    lines : tuple of Line
        Printed after the node's own text.
    guards : tuple of Guard
        At leaves only, in the order in which they are tested.
    rejects_all : bool
        Whether the method rejects every instance that reaches the leaf.
    values : mapping of str to JSON types; numbers may be infinite or NaN
        The same content for machines, under the same names at every node.
    """

    lines: tuple[Line, ...] = ()
    guards: tuple[Guard, ...] = ()
    rejects_all: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)


Annotate = Callable[[int], Annotation]
"""A function from a node to its annotation: ``annotation`` of a fitted
`wekaconf.methods.contract._node_methods.AnnotatesNodes`."""


def vector(proba: Iterable[float]) -> Line:
    """A class distribution in curly braces, as Katz et al. write the classification vector of a leaf."""
    separated = [part for share in proba for part in (", ", share)]
    return ("{", *separated[1:], "}")


def written(line: Line, number: Callable[[float], str]) -> str:
    """A line of an annotation as text."""
    return "".join(number(float(part)) if isinstance(part, float) else part for part in line)
