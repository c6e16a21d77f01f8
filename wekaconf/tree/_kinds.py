"""The kinds of split, and the learners whose rules turn the arrays of a tree into answers."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class SplitKind(IntEnum):
    """The kind of a node: a leaf, or one of the ways to divide instances."""

    LEAF = 0
    # Compared without a tolerance, as by Weka 3.9.7. Weka up to 3.6 lets a value win by up to 1e-6, which sends one
    # instance of wdbc another way and moves the areas under ROC curves there by up to .006.
    NUMERIC_LE = 1
    """Branch 0 if value <= split_point; CART rounds the value to single precision first."""
    NUMERIC_LT = 2
    """Branch 0 if value < split_point."""
    NOMINAL_EACH = 3
    """One branch per declared value."""
    NOMINAL_EQUALS = 4
    """Branch 0 if the value index is split_value."""
    NOMINAL_SUBSET = 5
    """Branch 0 if the value is in a subset."""


LEAF, NUMERIC_LE, NUMERIC_LT, NOMINAL_EACH, NOMINAL_EQUALS, NOMINAL_SUBSET = map(int, SplitKind)
"""The kinds as plain numbers, which numpy compares with arrays five times as fast."""


class Routing(StrEnum):
    """The learner whose rules turn the arrays into answers."""

    J48 = "J48"
    """Leaf frequencies; the shares of an instance with missing values multiply on the way down."""
    J48_LAPLACE = "J48_LAPLACE"
    """The same with Laplace's correction at the leaf (``-A``)."""
    REPTREE = "REPTREE"
    """Stored distributions; the shares of an instance with missing values multiply on the way up."""
    RANDOMTREE = "RANDOMTREE"
    """Stored weights, normalised at the leaf; shares as for REPTREE."""
    RANDOMTREE_UNCLASSIFIED = "RANDOMTREE_UNCLASSIFIED"
    """The same, but an empty leaf answers with zeros (``-U``)."""
    CART = "CART"
    """Leaf frequencies; shares (here 1 and 0) as for REPTREE; numbers are compared in single precision."""
    CART_LAPLACE = "CART_LAPLACE"
    """The same with Laplace's correction at the leaf."""
    COUNTS = "COUNTS"
    """Leaf frequencies. For an instance with missing values the class weights of its leaves, each times its share, are
    added up, and the sum is normalised. Shares multiply as for REPTREE."""
    COUNTS_LAPLACE = "COUNTS_LAPLACE"
    """The same with Laplace's correction of the sum."""

    @property
    def is_j48(self) -> bool:
        """Whether the tree is J48's, with class weights of every branch."""
        return self in (Routing.J48, Routing.J48_LAPLACE)

    @property
    def is_cart(self) -> bool:
        """Whether the tree is CART's, which compares numbers in single precision."""
        return self in (Routing.CART, Routing.CART_LAPLACE)

    @property
    def adds_counts(self) -> bool:
        """Whether the parts of an instance with missing values add up class weights rather than distributions."""
        return self in (Routing.COUNTS, Routing.COUNTS_LAPLACE)

    @property
    def is_laplace(self) -> bool:
        """Whether leaves answer with Laplace's correction."""
        return self in (Routing.J48_LAPLACE, Routing.CART_LAPLACE, Routing.COUNTS_LAPLACE)

    @property
    def keeps_counts(self) -> bool:
        """Whether ``class_weight`` and ``total`` are summed instance weights, which Laplace's correction needs."""
        return self.is_j48 or self.is_cart or self.adds_counts

    @property
    def laplace_twin(self) -> Routing:
        """The same rules with Laplace's correction added, or removed if they have it; only if counts are kept."""
        return Routing(self.removesuffix("_LAPLACE") if self.is_laplace else f"{self}_LAPLACE")
