"""One page that needs nothing else: no file, no network, and no script or style that is not in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from io import StringIO
from typing import Any

from wekaconf.errors import printable
from wekaconf.packages import needed
from wekaconf.report.comparison import formats
from wekaconf.report.comparison.measures import written
from wekaconf.report.csv_files import write_rows
from wekaconf.report.evaluation import Result
from wekaconf.report.page.frame import HEIGHT, WIDTH
from wekaconf.report.page.gathering import Asked, Part, gather, words
from wekaconf.report.page.names import ShownNames
from wekaconf.report.page.papers import VERDICTS, Paper
from wekaconf.report.page.ranks import rank_diagram
from wekaconf.report.plot_style import COLOURS
from wekaconf.report.printing import UNDEFINED

DARK_COLOURS = (
    "#56A8E0", "#FF8A4C", "#2CC79A", "#E59AC4", "#E69F00", "#8FD3FF", "#FFFFFF",
    "#E0708F", "#9D92FF", "#C98A54", "#DDCC77", "#C58CFF",
)  # fmt: skip
"""Those of `COLOURS`, lighter where they would be hard to see on a dark page."""
DASHES = ("none", "7 3", "2 2.5", "7 3 2 3", "11 3")
"""As `plot_style.DASHES`, in pixels; colours and dashes repeat after different numbers of schemes."""

NAMES = ("data_set", "scheme", "base")
"""Columns of a comparison that hold names."""


@dataclass(frozen=True)
class Report:
    """What a page shows, and how it was made.

    Parameters
    ----------
    title : str
    parts : sequence of Part
    papers : sequence of Paper
    shown : ShownNames
    unfinished, failed : sequence of str
        What a study asks for and the store does not hold; and what failed, with the reason.
    facts : mapping of str to str
        What else the end of the page tells: the command, the study.
    """

    title: str
    parts: Sequence[Part] = ()
    papers: Sequence[Paper] = ()
    shown: ShownNames = field(default_factory=ShownNames)
    unfinished: Sequence[str] = ()
    failed: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, title: str, results: Iterable[Result], asked: Asked, **further: Any) -> Report:
        """The report of results, which are read one at a time; see `gather`."""
        shown = ShownNames()
        return cls(title, gather(results, asked, shown), shown=shown, **further)

    def html(self) -> str:
        """The page.

        Raises
        ------
        OptionError
            jinja2 is not installed.
        """
        with needed("a report", "report"):
            from jinja2 import Environment, PackageLoader, StrictUndefined
        n_schemes = max((len(part.schemes) for part in self.parts), default=0)
        style = _colours(n_schemes) + _own("page.css")
        script = _own("page.js")
        environment = Environment(
            loader=PackageLoader("wekaconf.report.page", ""), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True,
        )  # fmt: skip
        environment.globals.update(
            words=words, written=written, rank_diagram=rank_diagram, grid_of=formats.grid_of,
            legend_of=formats.legend_of, verdict_marks=VERDICTS, undefined=UNDEFINED, frame_size=(WIDTH, HEIGHT),
        )  # fmt: skip
        environment.filters["visible"] = _visible
        page: str = environment.get_template("page.html").render(
            report=self,
            policy=f"default-src 'none'; img-src data:; style-src {_hashed(style)}; script-src {_hashed(script)}; "
            "base-uri 'none'; form-action 'none'",
            style=style,
            script=script,
        )
        return page

    def latex(self) -> str:
        """Every comparison as a LaTeX table with its sentences, one after the other."""
        return "\n".join(found.latex() for part in self.parts for found in part.comparisons)

    def csv(self) -> str:
        """One row per protocol, measure, data set and scheme, as in `Comparison.to_frame`; names as they were given."""
        lines = [
            {"protocol": part.title, **row, **{name: self.shown.full(row[name]) for name in NAMES}}
            for part in self.parts
            for found in part.comparisons
            for row in formats.rows(found)
        ]
        text = StringIO()
        write_rows(text, [lines[0], *(line.values() for line in lines)] if lines else [])
        return text.getvalue()


def _visible(text: str) -> str:
    """The text with its lines, but without other control characters."""
    return "\n".join(map(printable, text.split("\n")))


def _own(name: str) -> str:
    return files("wekaconf.report.page").joinpath(name).read_text(encoding="utf-8")


def _hashed(text: str) -> str:
    """The source of a style or script, as a Content-Security-Policy allows it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _colours(n_schemes: int) -> str:
    """The style of each scheme's lines."""

    def named(colours: Sequence[str]) -> str:
        return f":root{{{''.join(f'--c{i}:{colour};' for i, colour in enumerate(colours))}}}"

    dark = f"@media screen and (prefers-color-scheme: dark){{{named(DARK_COLOURS)}}}"
    lines = (
        f".s{i}{{color:var(--c{i % len(COLOURS)});stroke-dasharray:{DASHES[i % len(DASHES)]}}}"
        for i in range(n_schemes)
    )
    return "\n".join((named(COLOURS), dark, *lines, ""))
