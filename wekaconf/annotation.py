"""What a method adds to the nodes of a tree where the tree is printed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wekaconf.errors import OptionError
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree.mirror import TreeMirror

Line = tuple[str | float, ...]
"""Words and numbers, to be printed one after the other; the printer decides how numbers are written."""


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
    """What a method adds to one node.

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


class AnnotatesNodes(PostProcessor, is_registered=False):
    """A method that learns something about each node of a single tree, which a printed tree can show."""

    def annotation(self, node: int) -> Annotation:
        """What the fitted method adds to a node of its tree.

        Parameters
        ----------
        node : int
            In [0, n_nodes).

        Raises
        ------
        NotFittedError
        OptionError
            There is no such node, or the method is fitted on a forest.
        """
        self.check_fitted()
        if not isinstance(self.tree_, TreeMirror):
            raise OptionError(f"{self.name}: a forest is not annotated; fit the method on one of its trees")
        if not 0 <= node < self.tree_.n_nodes:
            raise OptionError(
                f"{self.name}: node must be from 0 to {self.tree_.n_nodes - 1}, the nodes of its tree; got {node}"
            )
        return self._annotation(node)

    @abstractmethod
    def _annotation(self, node: int) -> Annotation:
        """What `annotation` returns, for a fitted method and a valid node."""


def vector(proba: Iterable[float]) -> Line:
    """A class distribution in curly braces, as Katz et al. write the classification vector of a leaf."""
    separated = [part for share in proba for part in (", ", share)]
    return ("{", *separated[1:], "}")
