"""A reader of Java's serialised objects that returns plain values: no object is made, and no code runs.

The grammar is that of the Java Object Serialization Specification, section 6.4.2. A file may come from anybody: every
length is compared with the number of remaining bytes, nesting is kept on an explicit stack, and references only go
back. Time and memory are linear in the number of bytes.

Java itself is not asked: an allow-list of classes would still let it build a set of sets whose hash code takes 2^100
steps.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator
from itertools import groupby
from types import GeneratorType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.learners.foreign._java_values import JavaClass, JavaObject, StreamError

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

DEEPEST = 20_000
"""Largest depth of nested values; Java's stack ends at some thousands."""

Reading = Generator[Any, Any, Any]
"""A generator that reads a value: it yields readers of its parts, is sent these parts, and returns the value."""


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
            raise StreamError(f"the class {java_class.name[:100]} is derived from nothing that could be its base")
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
                raise StreamError(f"{base.name[:100]} writes itself in a form of its own")
            for form, names in () if base.flags & IS_EXTERNALIZABLE else base.groups:
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
