"""What a node asks, and whose rules turn the arrays of a tree into answers."""

from __future__ import annotations

from enum import IntEnum, StrEnum


class SplitKind(IntEnum):
    """What a node asks of an instance."""

    LEAF = 0
    NUMERIC_LE = 1
    """Branch 0 when value <= split_point; CART: when value rounded to single precision is."""
    NUMERIC_LT = 2
    """Branch 0 when value < split_point."""
    NOMINAL_EACH = 3
    """One branch a declared value."""
    NOMINAL_EQUALS = 4
    """Branch 0 when the value index is split_value."""
    NOMINAL_SUBSET = 5
    """Branch 0 when the value is one of a subset."""


class Routing(StrEnum):
    """Which learner's rules turn the arrays into answers."""

    J48 = "J48"
    """Leaf frequencies; shares of a missing value multiply going down."""
    J48_LAPLACE = "J48_LAPLACE"
    """The same with Laplace's correction at the leaf (``-A``)."""
    REPTREE = "REPTREE"
    """Stored distributions; shares of a missing value multiply going up."""
    RANDOMTREE = "RANDOMTREE"
    """Stored weights, normalised at the leaf; shares as REPTREE."""
    RANDOMTREE_UNCLASSIFIED = "RANDOMTREE_UNCLASSIFIED"
    """The same, an empty leaf answering zeros (``-U``)."""
    CART = "CART"
    """Leaf frequencies; shares of a missing value (here 1 and 0) as REPTree; numbers compared in single precision."""
    CART_LAPLACE = "CART_LAPLACE"
    """The same with Laplace's correction at the leaf."""
    COUNTS = "COUNTS"
    """Leaf frequencies; of an instance with missing values the class weights of its leaves are added, each times its
    share, and the sum is normalised once. Shares multiply as REPTree's."""
    COUNTS_LAPLACE = "COUNTS_LAPLACE"
    """The same, with Laplace's correction of the sum."""

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
        """Whether the parts of an instance that missing values split up add class weights, not distributions."""
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
        """The rules with Laplace's correction when these are without, and the reverse; only where counts are kept."""
        twins = {
            Routing.J48: Routing.J48_LAPLACE,
            Routing.CART: Routing.CART_LAPLACE,
            Routing.COUNTS: Routing.COUNTS_LAPLACE,
        }
        return (twins | {laplace: plain for plain, laplace in twins.items()})[self]
