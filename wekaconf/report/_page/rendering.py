"""A page of results that needs no other file and no network.

The results are read once; only fold values and curves are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from typing import Any

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import guess, name_list
from wekaconf.base.plot_style import COLOURS
from wekaconf.methods.contract import display_of
from wekaconf.report._html_page import ShownNames, content_policy, load_templates, palette_css, read_asset
from wekaconf.report._page.curves import Curves, Picture, curves_of, pictures_of
from wekaconf.report._page.frame import HEIGHT, WIDTH
from wekaconf.report._page.matrix import all_sets_tested, differing_pairs, matrix_of, rank_diagram, shared_notes
from wekaconf.report._table_formats import write_rows
from wekaconf.report._titles import title_of
from wekaconf.report.comparison import Comparison
from wekaconf.report.comparison import _formats as formats
from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.comparison._comparing import SchemeFolds, Test, compare_measured, protocol_key, scheme_names
from wekaconf.report.comparison._formats import with_display_names
from wekaconf.report.comparison._measures import WORDS, check_measure, value_text
from wekaconf.report.evaluation import Result
from wekaconf.report.printing import UNDEFINED

PACKAGE = "wekaconf.report._page"
DASHES = ("none", "7 3", "2 2.5", "7 3 2 3", "11 3")
"""Line styles in pixels, as `plot_style.DASHES`; colours and dashes repeat after different numbers of schemes."""
NAMES = ("data_set", "scheme", "base")
"""Columns of a comparison that hold names."""
MEASURES = (
    "percent_correct", "auc_weighted", "brier", "log_loss", "ece", "auc_reliability", "aurc", "error_at_0.8",
    "auroc_known", "coverage", "error",
)  # fmt: skip
"""The default measures of a page: ranking, probabilities, rejecting wrong answers, unknown classes, thresholds."""
PLAIN = "leaf_frequency"
"""The default base: the plain tree."""


@dataclass(frozen=True)
class ComparisonOptions:
    """How methods are compared; see `wekaconf.Evaluation.compare`.

    Parameters
    ----------
    measures : tuple of str
        The measures; empty: those of `MEASURES` that are defined somewhere.
    base : str, optional
        The base; left out: the plain tree if it was measured, else the first scheme.
    test, level
    """

    measures: tuple[str, ...] = ()
    base: str | None = None
    test: Test = "corrected"
    level: float = 0.05

    def __post_init__(self) -> None:
        """Check the measures."""
        for measure in self.measures:
            check_measure(measure)


@dataclass(frozen=True)
class Report:
    """The content of a page, and facts about its origin.

    Parameters
    ----------
    title : str
    parts : sequence of Part
    shown : ShownNames
    unfinished, failed : sequence of str
        The results of a study that the store does not hold, and those that failed, with the reason.
    facts : mapping of str to str
        Further facts for the end of the page: the command, the study.
    """

    title: str
    parts: Sequence[Part]
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
            grid_of=formats.grid_of, legend_of=formats.legend_of, reached_lines=formats.reached_lines,
            reached_legend=formats.reached_legend, undefined=UNDEFINED,
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


@dataclass(eq=False)
class Part:
    """Results of one protocol.

    Parameters
    ----------
    options : ComparisonOptions
    measured : dict
        Results by data set and scheme.
    curves : dict
        Curves by data set, and by scheme.
    repeated : list of str
        The results that were measured more than once; the last counts.
    """

    options: ComparisonOptions
    measured: dict[tuple[str, tuple[str, str]], SchemeFolds] = field(default_factory=dict)
    curves: dict[str, dict[tuple[str, str], Curves]] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    def add(self, measured: SchemeFolds, curves: Curves) -> None:
        """Add a result."""
        name = measured.record["dataset"]
        if (name, measured.scheme) in self.measured:
            self.repeated.append(f"{measured.record['label']} on {name}")
        self.measured[name, measured.scheme] = measured
        self.curves.setdefault(name, {})[measured.scheme] = curves

    @cached_property
    def title(self) -> str:
        """Learner and protocol in words."""
        return title_of([result.record for result in self.measured.values()], names_aim=True)

    @property
    def comparisons(self) -> list[Comparison]:
        """One comparison per measure; none if the results cannot be compared."""
        return self._comparisons[0]

    @property
    def ranked(self) -> list[ComparisonFigures]:
        """The comparisons of several schemes over several data sets."""
        return [comparison for comparison in self.displayed if comparison.has_ranks]

    @property
    def tested(self) -> list[ComparisonFigures]:
        """The comparisons that have tests over several data sets: of ranks, or of pairs of schemes."""
        return [each for each in self.displayed if each.has_ranks or each.is_tested_over_sets]

    @cached_property
    def displayed(self) -> list[ComparisonFigures]:
        """The comparisons with the display names of methods."""
        return [with_display_names(comparison) for comparison in self.comparisons]

    @property
    def display(self) -> list[str]:
        """The names of the schemes in tables and figures, the base first."""
        return [display_of(name) for name in self.schemes]

    @property
    def problem(self) -> str:
        """The reason why the results cannot be compared; empty if they can."""
        return self._comparisons[1]

    @cached_property
    def _comparisons(self) -> tuple[list[Comparison], str]:
        try:
            comparisons = [self._compared(measure) for measure in self.options.measures or MEASURES]
        except OptionError as error:
            return [], str(error)
        if self.options.measures:
            return comparisons, ""
        return [comparison for comparison in comparisons if not np.isnan(comparison.mean).all()], ""

    def _compared(self, measure: str) -> Comparison:
        """The comparison by the means over the folds, or by the pooled answers if no fold has a value."""
        for pooled in (False, True):
            comparison = compare_measured(
                self.measured.values(), measure=measure, base=self._base, test=self.options.test,
                level=self.options.level, pooled=pooled,
            )  # fmt: skip
            if not np.isnan(comparison.mean).all():
                break
        return comparison

    @cached_property
    def schemes(self) -> list[str]:
        """The names of the schemes, the base first."""
        names = self._names
        return list(self.comparisons[0].schemes) if self.comparisons else list(names.values())

    @property
    def _base(self) -> str | None:
        if self.has(self.options.base):
            return self.options.base
        return next((name for (label, _), name in self._names.items() if label == PLAIN), None)

    def has(self, base: str | None) -> bool:
        """Whether a scheme, or a method, has this name."""
        return base in self._names.values() or base in [label for label, _ in self._names]

    @cached_property
    def _names(self) -> dict[tuple[str, str], str]:
        schemes = list(dict.fromkeys(scheme for _, scheme in self.measured))
        return dict(zip(schemes, scheme_names(schemes), strict=True))

    def pictures(self) -> list[tuple[str, list[Picture]]]:
        """The pictures of each data set."""
        place = {scheme: self.schemes.index(name) for scheme, name in self._names.items()}
        return [
            (name, pictures_of(name, self.display, {place[scheme]: each for scheme, each in sorted(
                set_curves.items(), key=lambda item: place[item[0]])}))
            for name, set_curves in self.curves.items()
        ]  # fmt: skip

    def areas(self, data_set: str) -> list[tuple[str, Curves]]:
        """The names of the schemes measured on a data set, with their curves."""
        by_name = {self._names[scheme]: curves for scheme, curves in self.curves[data_set].items()}
        return [(display_of(name), by_name[name]) for name in self.schemes if name in by_name]

    @cached_property
    def versions(self) -> list[dict[str, str]]:
        """The versions used, each combination once."""
        used = [dict(result.record["versions"]) for result in self.measured.values()]
        return [versions for i, versions in enumerate(used) if versions not in used[:i]]


def gather(results: Iterable[Result], options: ComparisonOptions, shown: ShownNames) -> list[Part]:
    """The results by protocol, with names that can be shown.

    Parameters
    ----------
    results : iterable of Result
        Read once, one at a time.
    options : ComparisonOptions
    shown : ShownNames

    Raises
    ------
    OptionError
        No scheme or method has the name of the base.
    """
    measures = options.measures or MEASURES
    parts: dict[str, Part] = {}
    for record, answers in results:
        measured = SchemeFolds.of(_with_shown(record, shown), answers, measures)
        parts.setdefault(protocol_key(record), Part(options)).add(measured, curves_of(answers, shown))
    if options.base is not None and parts and not any(part.has(options.base) for part in parts.values()):
        names, base = list(dict.fromkeys(name for part in parts.values() for name in part.schemes)), options.base
        raise OptionError(
            parameter="base", expected=f"one of {name_list(names, base)}", got=f"'{base}'", advice=guess(base, names)
        )
    return list(parts.values())


def _with_shown(record: Mapping[str, Any], shown: ShownNames) -> dict[str, Any]:
    """The record under names that can be shown."""
    texts: dict[str, Any] = {name: shown(record[name]) for name in ("dataset", "label", "options")}
    known = record["known"]
    if known is not None:
        texts["known"] = [[shown(name) for name in names] for names in known]
    return {**record, **texts}


def measure_heading(measure: str) -> str:
    """The measure as a heading."""
    text = WORDS[measure]
    return text[0].upper() + text[1:]


def _dashes(n_schemes: int) -> str:
    """The style of each scheme's lines."""
    return "".join(
        f".s{i}{{color:var(--c{i % len(COLOURS)});stroke-dasharray:{DASHES[i % len(DASHES)]}}}\n"
        for i in range(n_schemes)
    )
