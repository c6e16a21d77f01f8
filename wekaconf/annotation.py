"""What a method adds to the nodes of a tree where the tree is printed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wekaconf.errors import OptionError
from wekaconf.postprocessor import PostProcessor
from wekaconf.tree.mirror import TreeMirror

Line = tuple[str | float, ...]
"""Words and numbers, to be written one after the other; who prints them decides how numbers are written."""


@dataclass(frozen=True)
class Guard:
    """A test that an instance must pass to get the answer of a leaf; the method rejects it otherwise.

    Parameters
    ----------
    attribute : str
    accepts : Line
        What is accepted of the attribute, such as an interval.
    rejects : tuple of Line
        The conditions that are refused, the attribute's name included; any of them is enough.
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
        What is written beside the node's own.
    guards : tuple of Guard
        Only at a leaf, in the order in which they are asked.
    rejects_all : bool
        Whether the method rejects whatever comes to the leaf.
    values : mapping of str to JSON types, numbers infinite or NaN among them
        The same for machines; the names at one node are those at every other.
    """

    lines: tuple[Line, ...] = ()
    guards: tuple[Guard, ...] = ()
    rejects_all: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)


class AnnotatesNodes(PostProcessor, is_registered=False):
    """A method that has learned something of each node of one tree, which a printed tree can show."""

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
            There is no such node.
        """
        self.check_fitted()
        assert isinstance(self.tree_, TreeMirror)
        if not 0 <= node < self.tree_.n_nodes:
            raise OptionError(
                f"{self.name}: node must be from 0 to {self.tree_.n_nodes - 1}, the nodes of its tree; got {node}"
            )
        return self._annotation(node)

    @abstractmethod
    def _annotation(self, node: int) -> Annotation:
        """The same for a fitted method and a node that is there."""
