"""Elements of a PMML document, and how they are written."""

from __future__ import annotations

from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

Element = tuple[str, dict[str, str], list["Element"]]
"""A tag, attributes, and the elements inside; the attribute without a name is text inside."""


def element(tag: str, **attributes: str) -> Element:
    """An element with nothing inside."""
    return tag, attributes, []


def start(writer: XMLGenerator, tag: str, attributes: dict[str, str]) -> None:
    """Begin an element, whose inside follows."""
    writer.startElement(tag, AttributesImpl(attributes))


def end(writer: XMLGenerator, tag: str) -> None:
    """End an element, and the line."""
    writer.endElement(tag)
    writer.ignorableWhitespace("\n")


def write(writer: XMLGenerator, whole: Element) -> None:
    """Write an element with all inside."""
    tag, attributes, inside = whole
    text = attributes.get("", "")
    start(writer, tag, {name: value for name, value in attributes.items() if name})
    writer.characters(text)
    for each in inside:
        write(writer, each)
    end(writer, tag)
