"""The headers in Weka's model files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wekaconf.data import Attribute, Header
from wekaconf.learners.foreign._java_stream import contents
from wekaconf.learners.foreign._java_values import JavaObject, StreamError
from wekaconf.learners.foreign._unpacking import Budget, RefusedError, unpacked

NUMERIC, NOMINAL, STRING, DATE = range(4)
"""Weka's numbers for the types of attributes."""


@dataclass
class HeaderReader:
    """A reader of headers from Weka's Instances, which declare no more values in all than the file has bytes."""

    budget: Budget
    value_lists: dict[int, tuple[str, ...]] = field(default_factory=dict)
    headers: dict[tuple[int, int, str], Header] = field(default_factory=dict)

    def header(self, instances: JavaObject, *, needs_class: bool = True) -> Header:
        """The header; `StreamError` or ValueError if there is none. The filters of a file mostly share one."""
        array_list = instances.get("m_Attributes", JavaObject)
        index, relation = instances.get("m_ClassIndex", int), instances.get("m_RelationName", str)
        key = id(array_list), index, relation
        if key not in self.headers:
            attributes = tuple(map(self._attribute, _elements(array_list)))
            self.budget.declare(len(attributes))
            self.headers[key] = Header(relation, attributes, index if index < len(attributes) else -1)
        header = self.headers[key]
        if needs_class and header.class_index < 0:
            raise RefusedError("its header has no class; save it with one, or in Python give header= or train=")
        return header

    def names(self, instances: JavaObject) -> list[str]:
        """The names of the attributes."""
        elements = _elements(instances.get("m_Attributes", JavaObject))
        if not all(isinstance(element, JavaObject) for element in elements):
            raise StreamError("its header holds something that is no attribute")
        return [element.get("m_Name", str) for element in elements]

    def _attribute(self, attribute: object) -> Attribute:
        if not isinstance(attribute, JavaObject) or not attribute.is_a("weka.core.Attribute"):
            raise StreamError("its header holds something that is no attribute")
        name, kind = attribute.get("m_Name", str), attribute.get("m_Type", int)
        if kind == NUMERIC:
            return Attribute(name)
        if kind not in (NOMINAL, STRING, DATE):
            raise RefusedError(f"its attribute '{name[:100]}' is of a type (number {kind}) on which no tree splits")
        info = attribute.get("m_AttributeInfo", JavaObject)
        if kind == DATE:
            return Attribute(name, "date", date_format=info.get("m_DateFormat", JavaObject).get("pattern", str))
        values = self._values(info.get("m_Values", JavaObject))
        self.budget.declare(len(values))
        return Attribute(name, "nominal" if kind == NOMINAL else "string", values)

    def _values(self, array_list: JavaObject) -> tuple[str, ...]:
        if id(array_list) not in self.value_lists:
            self.value_lists[id(array_list)] = tuple(map(self._text, _elements(array_list)))
        return self.value_lists[id(array_list)]

    def _text(self, value: object) -> str:
        """A declared value; Weka keeps one of more than 200 characters as a gzipped stream of its own."""
        if isinstance(value, JavaObject) and value.name == "weka.core.SerializedObject":
            gzipped = value.fields.get("m_storedObjectArray")
            if isinstance(gzipped, np.ndarray) and gzipped.dtype.itemsize == 1:
                stream = unpacked(gzipped.tobytes())
                self.budget.unpack(len(stream))
                value = contents(stream, 1)[0]
        if not isinstance(value, str):
            raise StreamError("its header declares a value that is no text")
        return value


def _elements(array_list: JavaObject) -> list[Any]:
    """The elements of a java.util.ArrayList."""
    if array_list.name == "weka.core.FastVector":
        raise RefusedError("was saved by Weka 3.6 or older; build the classifier again with Weka 3.8 or newer")
    if array_list.name != "java.util.ArrayList":
        raise StreamError(f"expected a java.util.ArrayList, got a {array_list.name[:100]}")
    return [value for value in array_list.written if not isinstance(value, bytes)]
