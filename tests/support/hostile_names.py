"""Names that are text to people and something else to a program, and data sets that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np

import wekaconf as wc

PARTS = (
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "</title>", "</style>", "<!--", "-->", "]]>",
    "<b", '" onload="x', "' onload='x", "&", "&amp;", "&lt;b&gt;", "&#60;", "javascript:alert(1)", "{{ 7*7 }}",
    "{% x %}", "${x}", "$x^2$", "%", "%s", "{0}", "\\", "\\\\", "\\n", "\\input{x}", "\\u0041", "\\x1b", "`x`", "*x*",
    "_x_", "|", "~", "#", "^", "'", '"', '""', "'''", ",", ";", "\t", "\n", "\r\n", "\r", "\x0b", "\x0c", "\x1b[31m",
    "\x1b]0;x\x07", "\x07", "\x08", "\x7f", "\x85", "\x9b31m", "\xa0", "\u202e", "\u2066", "\u200b", "\u2028", "\u2029",
    "\ufeff", "\ufffe", "\U000e0041", "\ue000", "=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "@x", "-R", "--help",
    "-W weka.classifiers.trees.J48", "--", "; rm -rf ~", "$(id)", "..", "../x", "/etc/passwd", "~", "CON", "a:b", "NA",
    "?", "nan", "null", "None", "true", "0x10", "1e5", "", " ", "  x  ", "é", "e\u0301", "a" + "\u0301" * 50, "名",
    "\U0001f333", "שלום", "مرحبا", "ß", "İ", "x" * 10_000, "é" * 3000, "<" * 500, "class", "instance", "@data", "}",
    "{", "digraph", "label=", "->", "\x00",
)  # fmt: skip


def name(rng: Random) -> str:
    """One hostile part, or a few of them together."""
    return "".join(rng.choice(PARTS) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def names(rng: Random, n: int) -> list[str]:
    """So many of them that differ."""
    found: dict[str, None] = {}
    while len(found) < n:
        found[name(rng)] = None
    return [*found]


def hostile_and_plain(rng: Random) -> tuple[wc.Dataset, wc.Dataset]:
    """Twice the same data, once with hostile names and once with plain ones."""
    numbers = np.random.default_rng(rng.randrange(2**31))
    n_rows, n_classes, n_values = 40, rng.choice((2, 3)), rng.choice((2, 4))
    n_numeric, n_nominal = rng.choice((1, 2)), rng.choice((1, 2))
    target = numbers.integers(n_classes, size=n_rows).astype(np.float64)
    columns = [target + numbers.normal(size=n_rows).round(1) for _ in range(n_numeric)]
    columns += [(target + numbers.integers(2, size=n_rows)) % n_values for _ in range(n_nominal)]
    values = np.column_stack([*columns, target])
    values[numbers.random(values.shape) < 0.03] = np.nan
    kinds = [0] * n_numeric + [n_values] * n_nominal + [n_classes]

    def named(relation: str, own: list[str], of_values: list[list[str]]) -> wc.Dataset:
        attributes = tuple(
            wc.Attribute(each, "nominal", tuple(texts[:n])) if n else wc.Attribute(each)
            for each, n, texts in zip(own, kinds, of_values, strict=True)
        )
        return wc.Dataset(wc.Header(relation, attributes, len(own) - 1), values)

    hostile = named(name(rng), names(rng, len(kinds)), [names(rng, n) for n in kinds])
    plain = named("r", [f"a{i}" for i in range(len(kinds))], [[f"v{i}" for i in range(n)] for n in kinds])
    return hostile, plain


def without_zero(data: wc.Dataset) -> wc.Dataset:
    """The data with another character in the place of the one that no XML, and no ARFF, has."""
    return renamed(data, lambda text: text.replace("\0", "\1"))


def renamed(data: wc.Dataset, new: Callable[[str], str]) -> wc.Dataset:
    """The data with other names of its relation, its attributes and their values."""
    attributes = tuple(replace(one, name=new(one.name), values=tuple(map(new, one.values))) for one in data.attributes)
    return wc.Dataset(wc.Header(new(data.relation), attributes, data.class_index), data.values, data.weights)
