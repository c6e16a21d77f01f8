"""Outputs read back by the parsers of their formats, and what is in them that should not be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from support.parsed_html import ParsedHtml

DOT = re.compile(
    r"""\s*(?: digraph\ tree\ \{ | subgraph\ cluster_\d+\ \{ | \}
      | label=(?P<cluster>"(?:[^"\\]|\\["\\n])*"); | (?:graph|node|edge)\ \[fontname="Helvetica"\];
      | [nrt\d]+\ \[(?:(?:style=rounded,\ )?shape=box,\ )?label="(?:[^"\\\n]|\\["\\n])*"\];
      | [nrt\d]+\ ->\ [nrt\d]+\ \[label="(?:[^"\\\n]|\\["\\n])*"\]; )""",
    re.VERBOSE,
)
"""A line of a graph that `render_dot` has written."""
_COMMAND = re.compile(r"\\[a-zA-Z]+|\\.", re.DOTALL)
_NUMBER = re.compile(r"[\d.]+")
CODE = ("script", "style")
_RUNS = re.compile(r"on|style$", re.IGNORECASE)
"""Attributes of HTML whose values a browser runs, or draws by."""


class Page(ParsedHtml):
    """The elements of a page with the names of their attributes, and its scripts and styles."""

    def __init__(self, text: str) -> None:
        self.marks: set[tuple[str, str]] = set()
        self.code: list[str] = []
        super().__init__(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attributes)
        self.marks |= {(tag, ""), *((tag, key) for key, _ in attributes)}
        if tag in CODE:
            self.code.append("content" if ("id", "content") in attributes else "")
        for key, value in attributes:
            if key in ("href", "src") and not (value or "").startswith("#"):
                self.marks.add((tag, f"{key}={value}"))
            if _RUNS.match(key):
                self.marks.add((tag, f"{key}={_NUMBER.sub('0', value or '')}"))

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if self._open and self._open[-1] in CODE and self.code[-1] != "content":
            self.code[-1] += data

    def handle_comment(self, data: str) -> None:
        del data
        self.marks.add(("!--", ""))

    def handle_decl(self, decl: str) -> None:
        self.marks.add(("!", decl))

    def handle_pi(self, data: str) -> None:
        del data
        self.marks.add(("?", ""))


def html_faults(text: str, plain: str, more: str) -> Iterator[str]:
    """What a page with hostile names has that pages with plain names, short and long, have not."""
    pages = [Page(each) for each in (text, plain, more)]
    if (
        unexpected := pages[0].marks - pages[1].marks - pages[2].marks - {("bdi", ""), ("wbr", "")}
    ):  # keep names apart, and break them
        yield f"elements or attributes {sorted(unexpected)[:5]}"
    if sorted(pages[0].code) != sorted(pages[1].code):
        yield "other scripts or styles"
    yield from raw_faults(text, plain)


def raw_faults(text: str, plain: str = "") -> Iterator[str]:
    """Characters that no output for people may have: those that control a terminal, or turn the direction of text.

    What ``plain`` has is of the form, not of a name.
    """
    odd = sorted({c for c in text if not (c.isprintable() or c in "\n\xa0")} - {*plain})
    if odd:
        yield f"raw characters {odd[:5]!r}"


def dot_faults(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and not DOT.fullmatch(line):
            yield f"line {line[:200]!r}"
            return


def xml_faults(text: str, plain: str) -> Iterator[str]:
    """What a picture with hostile names has that the same with plain names has not."""
    ours, others = ([*ElementTree.fromstring(part).iter()] for part in (text, plain))
    known = {f"{{http://www.w3.org/2000/svg}}{name}" for name in ("text", "tspan", "title")}
    if unexpected := {each.tag for each in ours} - {each.tag for each in others} - known:
        yield f"elements {sorted(unexpected)[:5]}"
    more = {key for each in ours for key in each.attrib} - {key for each in others for key in each.attrib}
    if unexpected := {key for key in more if key.startswith("on") or key == "href"}:
        yield f"attributes {sorted(unexpected)[:5]}"
    yield from raw_faults(text)


def latex_faults(text: str, plain: str, known: set[str]) -> Iterator[str]:
    """Commands that the same table with plain names has not, but for those that stand for characters."""
    found = set(_COMMAND.findall(text)) - set(_COMMAND.findall(plain)) - known
    if found:
        yield f"commands {sorted(found)[:5]}"
    bare = re.sub(r"\\.", "", text)
    if bare.count("{") != bare.count("}"):
        yield "braces that are not closed"
    yield from raw_faults(text)


def json_faults(text: str, wanted: set[str]) -> Iterator[str]:
    """Texts that are not in the JSON as they were given."""
    found: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, list):
            [walk(each) for each in value]
        elif isinstance(value, dict):
            [(found.add(key), walk(each)) for key, each in value.items()]

    walk(json.loads(text, parse_constant=lambda word: found.add(f"constant {word}")))
    if any(word.startswith("constant ") for word in found) or not wanted <= found:
        yield f"lost {sorted(wanted - found)[:3]!r}"
