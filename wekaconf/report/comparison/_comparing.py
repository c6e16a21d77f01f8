"""Comparison of schemes (methods on learners): with a base on every data set, and with one another over all sets."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from wekaconf.base.errors import OptionError, needed, tell
from wekaconf.base.naming import alternatives, guess, name_list
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.evaluation import statistics
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import mean_of
from wekaconf.evaluation.statistics import PairedTest
from wekaconf.evaluation.summaries import FoldValues, deviation_of, fold_values
from wekaconf.report._titles import protocol_of, title_of, with_options
from wekaconf.report.comparison import _diagram as diagram
from wekaconf.report.comparison import _formats as formats
from wekaconf.report.comparison._compared import ComparisonFigures
from wekaconf.report.comparison._measures import REACHED, WORDS, check_measure, pooled_value
from wekaconf.report.comparison._sentences import sentences_of

if TYPE_CHECKING:
    import pandas as pd

Record = Mapping[str, Any]
Test = Literal["corrected", "paired", "wilcoxon"]
TESTS = ("corrected", "paired", "wilcoxon")
SAME = ("protocol", "seed", "runs", "leave_out", "preprocess", "filters", "cost_matrix")
"""Keys whose values must be the same in the records of all results."""
TOGETHER = (*SAME, "aim", "threshold_from")
"""Keys whose values are the same in the records of one table."""


class Comparison(ComparisonFigures):
    """A comparison with its outputs: a table with sentences in several formats, and a data frame."""

    def sentences(self) -> list[str]:
        """The findings in sentences; each number in them is computed."""
        return sentences_of(self)

    def text(self, *, std: bool = False) -> str:
        """The table and the sentences as plain text, folded to the width of the screen.

        Parameters
        ----------
        std : bool
            Whether to show standard deviations over the folds, too.
        """
        return formats.as_text(self, std=std)

    def latex(self, *, std: bool = False) -> str:
        """The same as a table with the rules of the package booktabs; the sentences are comments below it.

        The caption says the measure, the protocol with its seeds, and what the marks mean.

        Methods have their display names, and the best of a line is bold, as in HTML.
        """
        return formats.as_latex(self, std=std)

    def html(self, *, std: bool = False) -> str:
        """The same as a piece of HTML; see `text`."""
        return formats.as_html(self, std=std)

    def csv(self) -> str:
        """The rows of `to_frame` as CSV."""
        return formats.as_csv(self)

    def to_frame(self) -> pd.DataFrame:
        """One row per data set and scheme.

        Columns: data_set, scheme, learner, measure, mean, std; base, test, level; effect with low and high (the mean
        difference from the base with its interval of 1 − level, or for Wilcoxon's test the rank-biserial correlation),
        statistic, p_value, n_folds (pairs that were tested), n_left_out, and mark: "v" significantly better than the
        base, "*" worse, "" neither, "?" not tested.

        Raises
        ------
        OptionError
            pandas is not installed.
        """
        with needed("to_frame", "tables"):
            import pandas as pd
        return pd.DataFrame(formats.rows(self))

    def draw_ranks(self, path: str | os.PathLike[str]) -> None:
        """Draw the critical difference diagram; see `wekaconf.report.comparison._diagram.draw_ranks`."""
        diagram.draw_ranks(path, self)

    def _repr_html_(self) -> str:
        return self.html()


def compare(
    results: Iterable[tuple[Record, Answers]],
    *,
    measure: str,
    base: str | None,
    test: Test,
    level: float,
    pooled: bool,
    rope: float | None,
) -> Comparison:
    """Compare schemes over data sets; see `wekaconf.report.evaluation.Evaluation.compare`.

    Parameters
    ----------
    results : iterable of (record, answers)
        Read once; only the values of the folds are kept.
    measure, base, test, level, pooled, rope
        See there.

    Raises
    ------
    OptionError
        An argument is not valid; there is no result, or two for a scheme on a data set; or results were not measured in
        the same way, on the same folds.
    """
    check_measure(measure)
    measured = (SchemeFolds.of(record, answers, (measure,)) for record, answers in results)
    return compare_measured(measured, measure=measure, base=base, test=test, level=level, pooled=pooled, rope=rope)


@dataclass(frozen=True, eq=False)
class SchemeFolds:
    """The values of a scheme's folds on one data set: what a comparison keeps of a result.

    Parameters
    ----------
    record : mapping
    folds : FoldValues
    instance : (n_answers,) int64
        The instances answered, in the order of the answers.
    """

    record: Record
    folds: FoldValues
    instance: Int64Array

    @classmethod
    def of(cls, record: Record, answers: Answers, measures: Collection[str]) -> Self:
        """Keep these measures on each fold."""
        return cls(record, fold_values(answers, measures), answers.instance)

    @property
    def scheme(self) -> tuple[str, str]:
        """The method's label, and its learner with options."""
        return self.record["label"], with_options(self.record)


def compare_measured(
    results: Iterable[SchemeFolds], *, measure: str, base: str | None, test: Test, level: float, pooled: bool,
    rope: float | None = None,
) -> Comparison:  # fmt: skip
    """Compare schemes whose folds are measured already; see `compare`."""
    statistics.check_level(level)
    if test not in TESTS:
        raise OptionError(
            parameter="test", expected=alternatives(TESTS), got=f"'{test}'", advice=guess(str(test), TESTS)
        )
    results = list(results)
    if not results:
        raise OptionError("nothing was measured, so there is nothing to compare", value_of="results")
    records = [result.record for result in results]
    _check_same_protocol(records)
    measured: dict[tuple[str, tuple[str, str]], SchemeFolds] = {}
    for result in results:
        name, label = result.record["dataset"], result.record["label"]
        if (earlier := measured.get((name, result.scheme))) is not None:
            tell(
                f"'{label}' was measured more than once on '{name}'{_difference(earlier.record, result.record)}; the "
                "last one counts"
            )
        measured[name, result.scheme] = result
    data_sets = list(dict.fromkeys(name for name, _ in measured))
    schemes = list(dict.fromkeys(scheme for _, scheme in measured))
    names = scheme_names(schemes)
    first = _index_of_base(base, names, [label for label, _ in schemes])
    order = [first, *(i for i in range(len(schemes)) if i != first)]
    table = [[measured.get((name, schemes[i])) for i in order] for name in data_sets]

    def std(result: SchemeFolds | None) -> float:
        return np.nan if result is None else deviation_of(result.folds.values[measure])

    return Comparison(
        measure=measure,
        test=test,
        level=level,
        title=f"{WORDS[measure]}; {title_of(records, part='pooled' if pooled else 'fold_mean', names_aim=True)}",
        data_sets=tuple(data_sets),
        schemes=tuple(names[i] for i in order),
        learners=tuple(schemes[i][1] for i in order),
        mean=np.array([[_mean(result, measure, pooled) for result in row] for row in table]),
        std=np.array([[std(result) for result in row] for row in table]),
        tests=tuple(tuple(_test(result, row[0], measure, test, level) for result in row) for row in table),
        rope=rope,
        reached=_reached(table),
    )


def _reached(table: Sequence[Sequence[SchemeFolds | None]]) -> dict[str, FloatArray]:
    """See `ComparisonFigures.reached`."""

    def value(name: str, result: SchemeFolds | None) -> float:
        return np.nan if result is None else result.record["reject"].get(name, np.nan)

    reached = {name: np.array([[value(name, result) for result in row] for row in table]) for name in REACHED}
    return {name: values for name, values in reached.items() if not np.isnan(values).all()}


def by_protocol(records: Iterable[Record]) -> list[list[Record]]:
    """The records grouped by table; groups and records stay in their order."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(protocol_key(record), []).append(record)
    return list(groups.values())


def protocol_key(record: Record) -> str:
    """A key that is equal for records that may stand in one table."""
    return repr([record[name] for name in TOGETHER])


def _check_same_protocol(records: Sequence[Record]) -> None:
    first = records[0]
    for record in records:
        if differing := [name for name in SAME if record[name] != first[name]]:
            protocols = [protocol_of(first), protocol_of(record)]
            if protocols[0] == protocols[1]:
                protocols = [
                    f"{protocol}, {differing[0]} {other[differing[0]]}"
                    for protocol, other in zip(protocols, (first, record), strict=True)
                ]
            raise OptionError(
                f"expected results of one protocol, got '{first['label']}' on '{first['dataset']}' by {protocols[0]} "
                f"and '{record['label']}' on '{record['dataset']}' by {protocols[1]}; compare them separately",
                value_of="results",
            )


def _difference(earlier: Record, later: Record) -> str:
    """The facts in which two measurements of one scheme differ, in brackets; empty if they differ in none."""
    first, last = (
        {"instances": record["n_instances"], "class": record["class"], **record["versions"]}
        for record in (earlier, later)
    )
    listed = ", ".join(f"{name} {first.get(name)}, then {last[name]}" for name in last if first.get(name) != last[name])
    return listed and f" ({listed})"


def scheme_names(schemes: Sequence[tuple[str, str]]) -> list[str]:
    """The label of each scheme, with its learner if the label stands for several."""
    labels = [label for label, _ in schemes]
    return [label if labels.count(label) == 1 else f"{label} on {learner}" for label, learner in schemes]


def _index_of_base(base: str | None, names: Sequence[str], labels: Sequence[str]) -> int:
    """The index of the base among the schemes; 0 when left out."""
    if base is None:
        return 0
    if base in names:
        return names.index(base)
    if labels.count(base) > 1:
        raise OptionError(f"there are several '{base}'; take one of {name_list(names, base)}", parameter="base")
    raise OptionError(
        parameter="base", expected=f"one of {name_list(names, base)}", got=f"'{base}'", advice=guess(base, names)
    )


def _mean(result: SchemeFolds | None, measure: str, pooled: bool) -> float:
    if result is None:
        return np.nan
    return pooled_value(result.record, measure) if pooled else mean_of(result.folds.values[measure])


def _test(
    result: SchemeFolds | None, base: SchemeFolds | None, measure: str, test: str, level: float
) -> PairedTest | None:
    """The test of a scheme's folds against the folds of the base."""
    if result is None or base is None or result is base:
        return None
    folds, base_folds = result.folds, base.folds
    same = (np.array_equal(getattr(folds, name), getattr(base_folds, name)) for name in ("run", "fold", "test_weight"))
    if not all(same) or not np.array_equal(result.instance, base.instance):
        raise OptionError(
            f"'{result.record['dataset']}': '{result.record['label']}' and '{base.record['label']}' did not answer for "
            "the same instances on the same folds; measure them again, together",
            value_of="results",
        )
    values, base_values = folds.values[measure], base_folds.values[measure]
    if test == "wilcoxon":
        return statistics.signed_rank(values, base_values, level=level)
    ratio = folds.test_train_ratio if test == "corrected" else 0.0
    return statistics.paired_t(values, base_values, test_train_ratio=ratio, level=level)
