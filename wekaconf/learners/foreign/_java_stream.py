"""A reader of Java's serialised objects that returns plain values: no object is made, and no code runs.

The grammar is that of the Java Object Serialization Specification, section 6.4.2. A file may come from anybody: every
length is compared with the number of remaining bytes, nesting is kept on an explicit stack, and references only go
back. Time and memory are linear in the number of bytes; `Budget` bounds what is made of the values by the file's size.

Java itself is not asked: an allow-list of classes would still let it build a set of sets whose hash code takes 2^100
steps.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from types import GeneratorType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from wekaconf.data.arrays import FloatArray

MAGIC = b"\xac\xed\x00\x05"
NULL, REFERENCE, CLASS_DESC, OBJECT, STRING, ARRAY, CLASS, BLOCK, END, RESET, LONG_BLOCK, EXCEPTION, LONG_STRING = (
    range(0x70, 0x7D)
)
ENUM = 0x7E
FIRST_HANDLE = 0x7E0000
WRITES_ITSELF, IS_EXTERNALIZABLE, IN_BLOCKS = 1, 4, 8
FORMATS = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "?"}
"""The letters of Java's primitive types, and those of `struct` and numpy."""
DTYPES = {kind: np.dtype(form).newbyteorder(">") for kind, form in FORMATS.items()}
REFERENCE_TAG = bytes([REFERENCE])
MOST_BASES = 64
"""The largest number of classes of an object: its own, and those that it is derived from."""

LONGEST_NAME = 100
"""The largest number of characters of a class's name in a message."""
DEEPEST = 20_000
"""Largest depth of nested values; Java's stack ends at some thousands."""

Reading = Generator[Any, Any, Any]
"""A generator that reads a value: it yields readers of its parts, is sent these parts, and returns the value."""
T = TypeVar("T")
GZIP = b"\x1f\x8b"
SMALL = 2**22
"""Number of bytes that any file may unpack to, whatever its size."""
LARGEST_RATIO = 64
"""The largest ratio of a larger file's unpacked size to its size."""


def contents(data: bytes, most: int) -> list[Any]:
    """The first values of a stream.

    Parameters
    ----------
    data : bytes
    most : int
        Number of values after which the rest is not read.

    Returns
    -------
    list
        `JavaObject`, list (arrays of objects), numpy array (of primitives), str, bytes (loose data) or None each.

    Raises
    ------
    StreamError
    """
    stream = _Stream(data)
    values: list[Any] = []
    while len(values) < most and stream.place < len(data):
        values.append(stream.value())
    return values


class _Stream:
    """A position in the bytes, and the values that references may name."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(MAGIC):
            raise StreamError("it does not begin as what Java serialises")
        self.data, self.place = data, len(MAGIC)
        self.handles: list[Any] = []

    def value(self) -> Any:
        """The next value; the values inside it are read in turn, however deep they are nested."""
        value = self._next()
        waiting: list[Reading] = [value] if type(value) is GeneratorType else []
        part = None
        while waiting:
            try:
                part = waiting[-1].send(part)
            except StopIteration as end:
                waiting.pop()
                part = value = end.value
            else:
                if len(waiting) >= DEEPEST:
                    raise StreamError(
                        f"its values are nested more than {DEEPEST:,} deep, which Java itself cannot read"
                    )
                waiting.append(part)
                part = None
        return value

    # -- bytes --

    def _take(self, length: int) -> bytes:
        place = self.place
        if not 0 <= length <= len(self.data) - place:
            raise StreamError(f"it is cut short at byte {len(self.data)}")
        self.place = place + length
        return self.data[place : self.place]

    def _numbers(self, form: struct.Struct) -> tuple[Any, ...]:
        place = self.place
        if form.size > len(self.data) - place:
            raise StreamError(f"it is cut short at byte {len(self.data)}")
        self.place = place + form.size
        return form.unpack_from(self.data, place)

    def _number(self, form: struct.Struct) -> int:
        return int(self._numbers(form)[0])

    def _text(self, form: struct.Struct) -> str:
        """A text in Java's modified UTF-8."""
        raw = self._take(self._number(form))
        if raw.isascii():
            return raw.decode("ascii")
        try:
            halves = raw.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
            return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeError as error:
            raise StreamError(f"a text before byte {self.place} is not in Java's UTF-8") from error

    # -- values --

    def _next(self) -> Any:
        """The next value if it is short, else a generator that reads it."""
        tag = self._take(1)[0]
        if tag == NULL:
            return None
        if tag == REFERENCE:
            handle = self._number(INT) - FIRST_HANDLE
            if not 0 <= handle < len(self.handles):
                raise StreamError(f"a reference before byte {self.place} leads nowhere")
            return self.handles[handle]
        if tag in (STRING, LONG_STRING):
            text = self._text(SHORT if tag == STRING else LONG)
            self.handles.append(text)
            return text
        if tag in (BLOCK, LONG_BLOCK):
            return self._take(self._number(BYTE if tag == BLOCK else INT))
        if tag == END:
            return END_OF_BLOCK
        if tag == ARRAY and (numbers := self._number_array_of_known_class()) is not None:
            return numbers
        if tag in READERS:
            return READERS[tag](self)
        raise StreamError(f"unexpected byte {tag:#x} at {self.place - 1}")

    def _class_description(self) -> Reading:
        java_class = JavaClass(self._text(SHORT))
        self._take(8)
        self.handles.append(java_class)
        java_class.flags = self._take(1)[0]
        fields: list[tuple[str, str]] = []
        for _ in range(self._number(SHORT)):
            kind, name = chr(self._take(1)[0]), self._text(SHORT)
            if kind in "L[":
                self._expect_text((yield from self._part()))
            elif kind not in FORMATS:
                raise StreamError(f"a field of unknown type before byte {self.place}")
            fields.append((kind, name))
        java_class.groups = list(_grouped(fields))
        while (yield from self._part()) is not END_OF_BLOCK:
            pass
        base = yield from self._part()
        if base is not None and (not isinstance(base, JavaClass) or not 0 < len(base.lineage) < MOST_BASES):
            raise StreamError(f"the class {java_class.shown_name} is derived from nothing that could be its base")
        java_class.lineage = (*(base.lineage if base else ()), java_class)
        return java_class

    def _number_array_of_known_class(self) -> NDArray[Any] | None:
        """An array of numbers whose class has been read before; None for any other array."""
        place = self.place
        if self.data[place : place + 1] == REFERENCE_TAG:
            java_class = self._next()
            if isinstance(java_class, JavaClass) and java_class.name[1:] in DTYPES:
                return self._number_array(java_class)
        self.place = place
        return None

    def _number_array(self, java_class: JavaClass) -> NDArray[Any]:
        length, dtype = self._number(INT), DTYPES[java_class.name[1:]]
        array: NDArray[Any] = np.frombuffer(self._take(length * dtype.itemsize), dtype)
        self.handles.append(array)
        return array

    def _class_of_object(self) -> Reading:
        """Read the class of the next object or array."""
        java_class = self._next()
        if type(java_class) is GeneratorType:
            java_class = yield java_class
        if not isinstance(java_class, JavaClass) or not java_class.lineage:
            raise StreamError(f"an object without a class before byte {self.place}")
        return java_class

    def _object(self) -> Reading:
        java_object = JavaObject((yield from self._class_of_object()))
        self.handles.append(java_object)
        fields = java_object.fields
        for base in java_object.java_class.lineage:
            if base.flags & IS_EXTERNALIZABLE and not base.flags & IN_BLOCKS:
                raise StreamError(f"{base.shown_name} writes itself in a form of its own")
            for form, names in base.groups:
                if form is not None:
                    fields.update(zip(names, self._numbers(form), strict=True))
                    continue
                value = self._next()
                if type(value) is GeneratorType:
                    value = yield value
                fields[names[0]] = self._plain(value)
            if base.flags & (WRITES_ITSELF | IS_EXTERNALIZABLE):
                while (value := (yield from self._part())) is not END_OF_BLOCK:
                    java_object.written.append(value)
        return java_object

    def _array(self) -> Reading:
        java_class = yield from self._class_of_object()
        if java_class.name[1:] in DTYPES:
            return self._number_array(java_class)
        length = self._number(INT)
        if not 0 <= length <= len(self.data) - self.place:
            raise StreamError(f"an array of {length:,} elements at byte {self.place} is longer than the file")
        values: list[Any] = []
        self.handles.append(values)
        for _ in range(length):
            value = self._next()
            if type(value) is GeneratorType:
                value = yield value
            values.append(self._plain(value))
        return values

    def _enum(self) -> Reading:
        constant = JavaObject((yield from self._class_of_object()))
        self.handles.append(constant)
        constant.fields["name"] = self._expect_text((yield from self._part()))
        return constant

    def _class_object(self) -> Reading:
        java_class = yield from self._class_of_object()
        self.handles.append(java_class)
        return java_class

    def _part(self) -> Reading:
        """Read a value that is part of another."""
        value = self._next()
        if type(value) is GeneratorType:
            value = yield value
        return value

    def _plain(self, value: Any) -> Any:
        if value is END_OF_BLOCK or isinstance(value, bytes):
            raise StreamError(f"loose bytes instead of a value before byte {self.place}")
        return value

    def _expect_text(self, value: Any) -> str:
        if not isinstance(value, str):
            raise StreamError(f"expected a text before byte {self.place}")
        return value


def _grouped(fields: list[tuple[str, str]]) -> Iterator[tuple[struct.Struct | None, tuple[str, ...]]]:
    """The fields of a class for `JavaClass.groups`."""
    for is_primitive, group in groupby(fields, lambda field: field[0] in FORMATS):
        kinds, names = zip(*group, strict=True)
        if is_primitive:
            yield struct.Struct(">" + "".join(FORMATS[kind] for kind in kinds)), names
        else:
            yield from ((None, (name,)) for name in names)


BYTE, SHORT, INT, LONG = struct.Struct(">B"), struct.Struct(">H"), struct.Struct(">i"), struct.Struct(">q")
END_OF_BLOCK = object()
"""Marks the end of the data that a class has written."""
READERS = {
    CLASS_DESC: _Stream._class_description,
    OBJECT: _Stream._object,
    ARRAY: _Stream._array,
    CLASS: _Stream._class_object,
    ENUM: _Stream._enum,
}


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

    @property
    def shown_name(self) -> str:
        """The name for a message; a stranger's file may hold one of any length."""
        return self.name[:LONGEST_NAME]


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

    @property
    def shown_name(self) -> str:
        """The name of its class for a message."""
        return self.java_class.shown_name

    def is_a(self, name: str) -> bool:
        """Whether its class is the one of that full name, or derived from it."""
        return any(base.name == name for base in self.java_class.lineage)

    def get(self, name: str, kind: type[T]) -> T:
        """A field; `StreamError` if the object lacks it, or if it holds something of another kind."""
        value = self.fields.get(name, ...)
        if value is ...:
            raise StreamError(f"a {self.shown_name} has no '{name}'; it may be of another version")
        if not isinstance(value, kind):
            raise StreamError(f"'{name}' of a {self.shown_name} holds a {type(value).__name__}")
        return value

    def part(self, name: str, of: str) -> JavaObject:
        """A field that holds an object of the class ``of``; `StreamError` if it does not."""
        value = self.get(name, JavaObject)
        if not value.is_a(of):
            raise StreamError(f"'{name}' of a {self.shown_name} holds a {value.shown_name}")
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


class RefusedError(ValueError):
    """The file holds something that is not read; the message says what."""


def largest(size: int) -> int:
    """The largest number of bytes that a file of that size may unpack to."""
    return max(SMALL, LARGEST_RATIO * size)


def unpacked(data: bytes) -> bytes:
    """The data, unpacked if they are gzipped; `StreamError` if they are damaged or become too large."""
    if not data.startswith(GZIP):
        return data
    most = largest(len(data))
    unpacker = zlib.decompressobj(wbits=31)
    try:
        whole = unpacker.decompress(data, most)
    except zlib.error as error:
        raise StreamError(f"its bytes are damaged: {error}") from error
    if unpacker.unconsumed_tail:
        raise StreamError(f"it would unpack to more than the {most / 1e6:,.0f} MB that a file of its size may")
    if not unpacker.eof:
        raise StreamError("it is cut short")
    return whole


@dataclass
class Budget:
    """Counts of the parts of a file, each with a bound, since references in it may name the same part many times."""

    file_size: int
    n_declared: int = 0
    n_unpacked: int = 0
    n_cells: int = 0

    def declare(self, n_values: int) -> None:
        """Count values that an attribute declares."""
        self.n_declared += n_values
        if self.n_declared > self.file_size:
            raise StreamError("its header declares more values than the file has bytes")

    def unpack(self, n_bytes: int) -> None:
        """Count the bytes of a text that was packed."""
        self.n_unpacked += n_bytes
        if self.n_unpacked > largest(self.file_size):
            raise StreamError("its texts unpack to more than a file of its size may")

    def fill(self, n_cells: int) -> None:
        """Count numbers in tables of class weights."""
        self.n_cells += n_cells
        if 8 * self.n_cells > largest(self.file_size):
            raise StreamError("it has more nodes and classes than a file of its size may")
