"""A summary of all answers in words: their number, their quality, and the least certain of them."""

from __future__ import annotations

import math

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.base.rounding import rounded
from wekaconf.report.csv_files import texts
from wekaconf.report.predictions import FLAG, INDEX, LeastCertain, Predictions

LEAST = 10
"""The largest number of least certain answers that are listed."""


class Summary:
    """Counts of answers, collected from part after part of a file.

    Parameters
    ----------
    output : str
        The name of the file with the answers.
    names_rows : str
        The column whose texts name the rows; empty: none.
    """

    def __init__(self, output: str, names_rows: str = "") -> None:
        self._output, self._names_rows = output, names_rows
        self._n = self._n_rejected = self._n_known = self._n_wrong = 0
        self._may_reject = False
        self._largest = -math.inf
        self._least_certain = LeastCertain(LEAST)
        self._lowest, self._n_answers = (
            np.zeros(0),
            np.zeros(0),
        )  # the lowest certainties, and the number of answers with each

    def add(self, part: Predictions) -> None:
        """Add the answers of a part."""
        rejected = np.zeros(len(part), dtype=np.bool_) if part.rejected is None else part.rejected
        error = part.error[~rejected & ~np.isnan(part.error)]
        self._n += len(part)
        self._n_rejected += int(rejected.sum())
        self._n_known += len(error)
        self._n_wrong += int(error.sum())
        self._may_reject = part.rejected is not None
        certainty = rounded(part.certainty)
        self._largest = max(self._largest, float(certainty.max(initial=-math.inf)))
        self._least_certain.add(part)
        values, place = np.unique(np.concatenate([self._lowest, certainty]), return_inverse=True)
        counts = np.bincount(place, np.concatenate([self._n_answers, np.ones(len(part))]))
        self._lowest, self._n_answers = values[:LEAST], counts[:LEAST].astype(np.float64)

    def lines(self) -> list[str]:
        """The lines of the summary: the numbers of answered instances and wrong answers, then one per instance."""
        n_answered = self._n - self._n_rejected
        heading = f"{self._output}: {counted(self._n, 'instance')} answered"
        if self._may_reject:
            heading = (
                f"{self._output}: {n_answered} of {counted(self._n, 'instance')} answered, {self._n_rejected} rejected"
            )
        if self._n_known:
            whole = "" if self._n_known == n_answered else f"of the {self._n_known} answers whose class is known "
            heading += f"; {whole}{self._n_wrong} wrong ({100 * self._n_wrong / self._n_known:.2f} %)"
        return [heading, *self._least_certain_lines()]

    def _least_certain_lines(self) -> list[str]:
        if self._n < 2:
            return []
        table = self._least_certain.table()
        column = {attribute.name: place for place, attribute in enumerate(table.attributes)}
        rows = table.values[rounded(table.values[:, column["certainty"]]) < self._largest]
        if not len(rows):
            return [f"all of the same certainty, {self._largest:.4g}"]
        lines = [f"the {len(rows)} least certain:" if len(rows) > 1 else "the least certain:"]
        for row in rows:

            def text(name: str, row: np.ndarray = row) -> str:
                return str(texts(table.attributes[column[name]], row[[column[name]]])[0])

            name = text(self._names_rows) if self._names_rows in column else ""
            is_rejected = "rejected" in column and text("rejected") == FLAG[1]
            lines.append(
                f"row {row[column[INDEX]]:.0f}{f' ({self._names_rows} {name})' if name else ''}: "
                f"{text('predicted')}, certainty {row[column['certainty']]:.4g}"
                f"{', rejected' if is_rejected else ''}; {text('reason')}"
            )
        last = float(rounded(rows[-1, column["certainty"]]))
        if more := int(self._n_answers[self._lowest <= last].sum()) - len(rows):
            lines.append(f"and {more} more of certainty {last:.4g}")
        return lines
