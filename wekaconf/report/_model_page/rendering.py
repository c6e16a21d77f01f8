"""The model page: one file that loads nothing else."""

from __future__ import annotations

import base64
import json
import math
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.data import Dataset
from wekaconf.evaluation.promises import Promise
from wekaconf.evaluation.thresholds import promise_lines
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import label_of
from wekaconf.report._html_page import ShownNames, content_policy, load_templates, palette_css, read_asset
from wekaconf.report._model_page.gathering import Rows, gather
from wekaconf.report._titles import model_title
from wekaconf.tree import Forest

PACKAGE = "wekaconf.report._model_page"


@dataclass(frozen=True, eq=False)
class ModelPage:
    """A page for a browser that shows a fitted method and its tree, and answers for instances.

    Parameters
    ----------
    model : Model
    rows : Rows, optional
        Instances that a reader may choose.
    train : Dataset, optional
        The training data, as the method reads them, from which the page draws class densities. Only counts go into the
        page.
    title : str
        The title; empty: the class or the relation, the learner and the method.
    facts : mapping of str to str
        Facts about the model, by their names in the page; left out: its method and its learner.
    """

    model: Model
    rows: Rows | None = None
    train: Dataset | None = None
    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)

    def html(self) -> str:
        """The page as HTML.

        Raises
        ------
        OptionError
            jinja2 is not installed.
        """
        environment = load_templates(PACKAGE, "a page")
        shown = ShownNames()
        method, tree = self.model.method, self.model.method.tree_
        label, learner = label_of(method), f"{tree.learner} {tree.options}".strip()
        choice = self.model.choice
        stands = self.rows is None or self.rows.promise_stands
        promise = next(iter(choice.promises), None) if choice and stands else None
        content = gather(self.model, self.rows, self.train, shown) | {"label": label}
        style = f"{palette_css()}\n" + read_asset("wekaconf.report", "page_base.css") + read_asset(PACKAGE, "page.css")
        script = read_asset(PACKAGE, "page.js")
        trees = tree.trees if isinstance(tree, Forest) else (tree,)
        n_nodes = sum(member.n_nodes for member in trees)
        size = (f"{len(trees)} trees, " if len(trees) > 1 else "") + f"{n_nodes:,} node{'s' * (n_nodes != 1)}"
        meaning = self.model.certainty_range.meaning
        certainty = {"certainty": meaning} if meaning else {}
        page: str = environment.get_template("page.html").render(
            title=self.title or model_title(self.model, shown),
            file_lines=() if self.rows is None else self.rows.file_lines,
            facts=(dict(self.facts) or {"method": label, "learner": f"{learner}, {size}"}) | certainty,
            n_filters=len(self.model.filters),
            promise_of_curve=promise if isinstance(promise, Promise) and not promise.class_name else None,
            promises=promise_lines(choice, tree.header.class_names) if choice and promise else (),
            policy=content_policy(style, script),
            style=style,
            script=script,
            content=pack(content),
        )
        return page


KINDS = ("u1", "i1", "u2", "i2", "u4", "i4")
"""Types of whole numbers, the smallest first; everything else is written as doubles."""
ALIGNMENT = 8


def pack(content: Any) -> str:
    """The content as base64, which page/src/unpack.js reads.

    Parameters
    ----------
    content : JSON types and arrays
        An array becomes ``{"$array": …}``, a number that JSON lacks ``{"$number": "Infinity"}``.

    Returns
    -------
    str
        The base64 of a zlib stream: two uint32, which are the place where the bytes of the arrays begin and the length
        of the JSON; the JSON; the arrays, little-endian, each in the smallest type that holds all its values.
    """
    arrays = _Arrays()
    text = json.dumps(
        arrays.with_references(content), ensure_ascii=True, allow_nan=False, separators=(",", ":")
    ).encode()
    start = -(-(8 + len(text)) // ALIGNMENT) * ALIGNMENT
    whole = struct.pack("<II", start, len(text)) + text.ljust(start - 8, b" ") + b"".join(arrays.parts)
    return base64.b64encode(zlib.compress(whole, 9)).decode()


class _Arrays:
    """The bytes of arrays one after the other; equal arrays are kept once."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._length = 0
        self._known: dict[tuple[str, bytes], int] = {}

    def with_references(self, part: Any) -> Any:
        """The content with references in place of arrays."""
        if isinstance(part, np.ndarray):
            return {"$array": self._reference(part)}
        if isinstance(part, np.generic):
            part = part.item()
        if isinstance(part, Mapping):
            return {name: self.with_references(value) for name, value in part.items()}
        if isinstance(part, list | tuple):
            return [self.with_references(value) for value in part]
        if isinstance(part, float) and not math.isfinite(part):
            return {"$number": {math.inf: "Infinity", -math.inf: "-Infinity"}.get(part, "NaN")}
        return part

    def _reference(self, array: NDArray[Any]) -> dict[str, Any]:
        kind = _smallest(array)
        data = np.ascontiguousarray(array, dtype=f"<{kind}").tobytes()
        if (kind, data) not in self._known:
            self._known[kind, data] = self._length
            padded = data.ljust(-(-len(data) // ALIGNMENT) * ALIGNMENT, b"\0")
            self.parts.append(padded)
            self._length += len(padded)
        return {"dtype": kind, "shape": array.shape, "offset": self._known[kind, data]}


def _smallest(array: NDArray[Any]) -> str:
    """The smallest type that holds every value exactly."""
    if array.dtype.kind == "b" or not array.size:
        return KINDS[0]
    is_whole = array.dtype.kind in "iu" or (np.isfinite(array).all() and (array == np.rint(array)).all())
    low, high = array.min(), array.max()
    if not is_whole or (array.dtype.kind == "f" and (np.signbit(array) & (array == 0)).any()):
        return "f8"
    return next((kind for kind in KINDS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max), "f8")
