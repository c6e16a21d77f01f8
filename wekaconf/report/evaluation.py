"""The results of an evaluation: records and answers, as a table for people or a data frame."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from wekaconf.base.errors import OptionError, needed, printable
from wekaconf.base.naming import some
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.report import _reject_tables as reject_tables
from wekaconf.report import _result_tables as result_tables
from wekaconf.report._java_numbers import java_of
from wekaconf.report._titles import protocol_of, title_of
from wekaconf.report._weka_text import title_of_protocol, weka_report
from wekaconf.report.comparison import Comparison, compare
from wekaconf.report.comparison._comparing import Test, by_protocol

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Evaluation", "Result", "tables_of"]


class Result(NamedTuple):
    """The record of one method on one data set, and the method's answers."""

    record: dict[str, Any]
    answers: Answers


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Sequence[Result]):
    """The results of methods under a protocol: one record per data set and method, with the answers behind it.

    Parameters
    ----------
    results : tuple of (record, answers)
        See `wekaconf.evaluate` for what a record holds.
    """

    results: tuple[Result, ...]

    @property
    def records(self) -> tuple[dict[str, Any], ...]:
        """One mapping per data set and method."""
        return tuple(record for record, _ in self.results)

    @property
    def answers(self) -> tuple[Answers, ...]:
        """The answers behind each record."""
        return tuple(answers for _, answers in self.results)

    def __len__(self) -> int:
        """Number of records."""
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        """Pairs of record and answers."""
        return iter(self.results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Result, ...]: ...
    def __getitem__(self, index: int | slice) -> Result | tuple[Result, ...]:
        """A pair of record and answers, or several."""
        return self.results[index]

    def __repr__(self) -> str:
        """The methods, the data sets and the protocol."""
        if not self.results:
            return "Evaluation(nothing)"
        names = ", ".join(dict.fromkeys(record["label"] for record in self.records))
        sets = ", ".join(dict.fromkeys(record["dataset"] for record in self.records))
        protocols = "; ".join(dict.fromkeys(map(protocol_of, self.records)))
        return printable(f"Evaluation({names} on {sets}: {protocols})")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary() if self.results else repr(self))}</pre>"

    def __add__(self, other: Evaluation) -> Evaluation:
        """The results of both, for example of two data sets."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        return Evaluation(self.results + other.results)

    def one(self, *, method: str | None = None, dataset: str | None = None) -> Result:
        """The one result of a method on a data set.

        Parameters
        ----------
        method : str, optional
            The label of the method; left out: there is only one.
        dataset : str, optional
            The name of the data set; left out: there is only one.

        Raises
        ------
        OptionError
            There is no such result, or there are several.
        """
        results = [
            result
            for result in self.results
            if method in (None, result.record["label"]) and dataset in (None, result.record["dataset"])
        ]
        if len(results) == 1:
            return results[0]
        known = [f"method={record['label']!r}, dataset={record['dataset']!r}" for record in self.records]
        problem = f"{len(results)} results fit" if results else "no result fits"
        raise OptionError(
            f"{problem}; these are there: {some(known) or 'none'}; name the method and the data set of one",
            value_of="method",
        )

    def summary(
        self,
        *,
        metrics: Sequence[str] = (),
        rejecting: bool = False,
        legend: bool = False,
    ) -> str:
        """The tables that ``wekaconf evaluate`` prints.

        Parameters
        ----------
        metrics : sequence of str
            The columns: keys of `wekaconf.report.tables.HEADINGS`. Left out: those of `wekaconf.report.tables.COLUMNS`,
            "affected %" only where a method affects some instance.
        rejecting : bool
            Whether there is a table of how well the certainty tells right from wrong answers though nothing is
            rejected.
        legend : bool
            Whether the meaning of each column stands below its table.

        Returns
        -------
        str
            For each protocol the table of metrics; above it one of what was rejected, if there is a threshold, an open
            set, or a method with a rule of its own for rejecting; and in an open set one of how each class fared.

        Raises
        ------
        OptionError
            There is no result.
        """
        if not self.results:
            raise OptionError("nothing was measured, so there is nothing to show", value_of="results")
        with redirect_stdout(StringIO()) as printed:
            for number, records in enumerate(by_protocol(self.records)):
                sys.stdout.write("\n" if number else "")
                tables = tables_of(records, metrics=metrics, rejecting=rejecting)
                result_tables.print_tables(tables, legend=legend)
        return printed.getvalue()

    def compare(
        self,
        *,
        measure: str = "auc_weighted",
        base: str | None = None,
        test: Test = "corrected",
        level: float = 0.05,
        pooled: bool = False,
        rope: float | None = None,
    ) -> Comparison:
        """Compare the methods with one of them on every data set, and with one another over all of them.

        Parameters
        ----------
        measure : str
            A key of `wekaconf.report.comparison._measures.WORDS`.
        base : str, optional
            The label of the method that the others are compared with; the first when left out.
        test : {"corrected", "paired", "wilcoxon"}
            The test on the values of the folds of a data set: the corrected resampled t-test, which allows for training
            sets that overlap; Student's paired t-test; or Wilcoxon's signed-rank test. See
            `wekaconf.evaluation.statistics`.
        level : float
            In (0, 1): what is significant, two-sided.
        pooled : bool
            Whether the table shows the measure of all answers together instead of its mean over the folds. The tests on
            a data set are on the folds all the same; those over the data sets are on what the table shows.
        rope : float, optional
            Above 0: also say how probable it is that each method is better than the base, no different, or worse, where
            differences of at most ``rope`` are none; see `wekaconf.evaluation.statistics.bayesian_signed_rank`.

        Returns
        -------
        Comparison
            A table that shows itself in notebooks; ``text()``, ``latex()``, ``html()``, ``csv()``,
            ``to_frame()``, ``sentences()``, ``draw_ranks(path)``.

        Raises
        ------
        OptionError
            An argument is not valid, or the results were not measured in the same way.
        """
        return compare(self, measure=measure, base=base, test=test, level=level, pooled=pooled, rope=rope)

    def weka_summary(self) -> str:
        """The reports that ``wekaconf evaluate --format weka`` prints: Weka's own, one per record, below a heading.

        Raises
        ------
        OptionError
            It was an open set, which Weka does not know.
        """
        return "\n".join(
            f"{record['dataset']}, {record['label']}; {title_of([record])}\n"
            + "".join(f"{line}\n" for line in result_tables.majority_lines([record]))
            + "\n"
            + weka_report(answers, title=title_of_protocol(record["protocol"]), java=java_of(record))
            for record, answers in self.results
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per record, nested names joined by a dot as in the CSV files; undefined metrics are NaN.

        Raises
        ------
        OptionError
            pandas is not installed.
        """
        with needed("to_frame", "tables"):
            import pandas as pd
        return pd.DataFrame([result_tables.flatten(record) for record in self.records])


def tables_of(
    records: Sequence[Mapping[str, Any]], *, metrics: Sequence[str] = (), rejecting: bool = False
) -> list[result_tables.Table]:
    """The tables of records; see `Evaluation.summary`."""
    tables = []
    if rejecting or any("coverage" in record["reject"] or record["known"] is not None for record in records):
        title = title_of(records, names_aim=True)
        tables.append(reject_tables.reject_table(records, title, with_error_at=rejecting))
        if with_classes := [record for record in records if "predicted" in record]:
            tables.append(reject_tables.predicted_table(with_classes, "Of each predicted class", title))
        if any(record["known"] is not None for record in records):
            tables.append(reject_tables.outcomes_table(records, "Of each class, in percent", title))
    return [*tables, result_tables.metrics_table(records, title_of(records, part="pooled"), metrics=metrics)]
