"""Methods that learn something about each node of a tree, which a printed tree can show."""

from __future__ import annotations

from abc import abstractmethod

from wekaconf.base.errors import OptionError
from wekaconf.methods.contract._method import Method
from wekaconf.tree import Annotation, TreeMirror


class AnnotatesNodes(Method, is_registered=False):
    """A method that learns something about each node of a single tree, which a printed tree can show."""

    def annotation(self, node: int) -> Annotation:
        """The annotation that the fitted method adds to a node of its tree.

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
            raise OptionError("a forest is not annotated; fit the method on one of its trees", of=self.name)
        if not 0 <= node < self.tree_.n_nodes:
            raise OptionError(
                f"node must be from 0 to {self.tree_.n_nodes - 1}, the nodes of its tree; got {node}", of=self.name
            )
        return self._annotation(node)

    @abstractmethod
    def _annotation(self, node: int) -> Annotation:
        """The result of `annotation`, for a fitted method and a valid node."""
