"""A page that loads nothing: it needs no other file and no network, and holds its script and style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from wekaconf.base.plot_style import COLOURS
from wekaconf.report._csv_files import write_rows
from wekaconf.report._html_page import content_policy, load_templates, palette_css, read_asset
from wekaconf.report._page.frame import HEIGHT, WIDTH
from wekaconf.report._page.gathering import ComparisonOptions, Part, gather, measure_heading
from wekaconf.report._page.matrix import all_sets_tested, differing_pairs, matrix_of, shared_notes
from wekaconf.report._page.names import ShownNames
from wekaconf.report._page.papers import VERDICTS, Paper
from wekaconf.report._page.ranks import rank_diagram
from wekaconf.report.comparison import _formats as formats
from wekaconf.report.comparison._measures import value_text
from wekaconf.report.evaluation import Result
from wekaconf.report.printing import UNDEFINED

PACKAGE = "wekaconf.report._page"
DASHES = ("none", "7 3", "2 2.5", "7 3 2 3", "11 3")
"""Line styles in pixels, as `plot_style.DASHES`; colours and dashes repeat after different numbers of schemes."""

NAMES = ("data_set", "scheme", "base")
"""Columns of a comparison that hold names."""


@dataclass(frozen=True)
class Report:
    """The content of a page, and facts about its origin.

    Parameters
    ----------
    title : str
    parts : sequence of Part
    papers : sequence of Paper
    shown : ShownNames
    unfinished, failed : sequence of str
        The results of a study that the store does not hold, and those that failed, with the reason.
    facts : mapping of str to str
        Further facts for the end of the page: the command, the study.
    """

    title: str
    parts: Sequence[Part] = ()
    papers: Sequence[Paper] = ()
    shown: ShownNames = field(default_factory=ShownNames)
    unfinished: Sequence[str] = ()
    failed: Sequence[str] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, title: str, results: Iterable[Result], options: ComparisonOptions, **further: Any) -> Report:
        """The report of results, which are read one at a time; see `gather`."""
        shown = ShownNames()
        return cls(title, gather(results, options, shown), shown=shown, **further)

    def html(self) -> str:
        """The page as HTML.

        Raises
        ------
        OptionError
            jinja2 is not installed.
        """
        environment = load_templates(PACKAGE, "a report")
        n_schemes = max((len(part.schemes) for part in self.parts), default=0)
        base = read_asset("wekaconf.report", "page_base.css")
        style = f"{palette_css()}\n{_dashes(n_schemes)}{base}{read_asset(PACKAGE, 'page.css')}"
        script = read_asset(PACKAGE, "page.js")
        environment.globals.update(
            measure_heading=measure_heading, value_text=value_text, matrix_of=matrix_of, shared_notes=shared_notes,
            differing_pairs=differing_pairs, all_sets_tested=all_sets_tested, rank_diagram=rank_diagram,
            grid_of=formats.grid_of, legend_of=formats.legend_of, verdict_marks=VERDICTS, undefined=UNDEFINED,
            frame_size=(WIDTH, HEIGHT),
        )  # fmt: skip
        page: str = environment.get_template("page.html").render(
            report=self, policy=content_policy(style, script), style=style, script=script
        )
        return page

    def latex(self) -> str:
        """Every comparison as a LaTeX table with its sentences, one after the other."""
        return "\n".join(comparison.latex() for part in self.parts for comparison in part.comparisons)

    def csv(self) -> str:
        """CSV with one row per protocol, measure, data set and scheme, as in `Comparison.to_frame`, and full names."""
        lines = [
            {"protocol": part.title, **row, **{name: self.shown.full(row[name]) for name in NAMES}}
            for part in self.parts
            for comparison in part.comparisons
            for row in formats.rows(comparison)
        ]
        text = StringIO()
        write_rows(text, [lines[0], *(line.values() for line in lines)] if lines else [])
        return text.getvalue()


def _dashes(n_schemes: int) -> str:
    """The style of each scheme's lines."""
    return "".join(
        f".s{i}{{color:var(--c{i % len(COLOURS)});stroke-dasharray:{DASHES[i % len(DASHES)]}}}\n"
        for i in range(n_schemes)
    )
