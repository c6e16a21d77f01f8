"""The values in a stream of Java's object serialisation: descriptions of classes and objects."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from wekaconf.data.arrays import FloatArray

T = TypeVar("T")


class StreamError(ValueError):
    """The bytes are not what Java writes, or are cut short."""


@dataclass(eq=False, slots=True)
class JavaClass:
    """A class as a stream describes it.

    Parameters
    ----------
    name : str
        Such as ``weka.core.Instances``, or ``[D`` for an array of doubles.
    flags : int
    groups : list of tuple
        The fields, in the order of the stream: primitive ones as a `struct.Struct` with their names, another as None
        with its name.
    lineage : tuple of JavaClass
        The class and those that it is derived from, the most general first; empty until all of it has been read.
    """

    name: str
    flags: int = 0
    groups: list[tuple[struct.Struct | None, tuple[str, ...]]] = field(default_factory=list)
    lineage: tuple[JavaClass, ...] = ()


@dataclass(eq=False, slots=True)
class JavaObject:
    """An object in a stream.

    Parameters
    ----------
    java_class : JavaClass
    fields : dict of str to object
        Its fields by name, those of its base classes included: numbers, texts, arrays, other objects, or None.
    written : list
        Bytes and values that its class has written beside the fields, such as the elements of a collection.
    """

    java_class: JavaClass
    fields: dict[str, Any] = field(default_factory=dict)
    written: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The full name of its class."""
        return self.java_class.name

    def is_a(self, name: str) -> bool:
        """Whether its class is the one of that full name, or derived from it."""
        return any(base.name == name for base in self.java_class.lineage)

    def get(self, name: str, kind: type[T]) -> T:
        """A field; `StreamError` if the object lacks it, or if it holds something of another kind."""
        value = self.fields.get(name, ...)
        if value is ...:
            raise StreamError(f"a {self.name[:100]} has no '{name}'; it may be of another version")
        if not isinstance(value, kind):
            raise StreamError(f"'{name}' of a {self.name[:100]} holds a {type(value).__name__}")
        return value

    def part(self, name: str, of: str) -> JavaObject:
        """A field that holds an object of the class ``of``; `StreamError` if it does not."""
        value = self.get(name, JavaObject)
        if not value.is_a(of):
            raise StreamError(f"'{name}' of a {self.name[:100]} holds a {value.name[:100]}")
        return value

    def doubles(self, name: str, length: int) -> FloatArray:
        """(length,) float64: a field that holds an array of doubles; `StreamError` if it does not."""
        return doubles(self.fields.get(name), length, name)


def doubles(value: object, length: int, what: str) -> FloatArray:
    """(length,) float64: an array of Java's doubles; `StreamError` for anything else."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or value.dtype.itemsize != 8:
        raise StreamError(f"{what} is no array of doubles")
    if len(value) != length:
        raise StreamError(f"{what} has {len(value)} numbers, expected {length}")
    return value
