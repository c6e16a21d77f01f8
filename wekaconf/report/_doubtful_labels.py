"""Rows whose label is most surely contradicted by trees that grew without them: labels to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.base.rounding import rounded
from wekaconf.data.arrays import FloatArray
from wekaconf.data.table_files import Texts
from wekaconf.data.wording import class_text, number
from wekaconf.evaluation.cross_validation import Answers

MOST_TOLD = 5
"""The largest number of rows that are named."""


@dataclass(frozen=True)
class DoubtfulLabel:
    """A row that is answered wrongly in every run.

    Parameters
    ----------
    index : int
        The number of the row, from 0.
    label, answer : str
        Its own class, and the one that is answered, of several in different runs the most frequent.
    certainty : float
        Of the answer, the mean over the runs.
    """

    index: int
    label: str
    answer: str
    certainty: float


class DoubtfulLabels(NamedTuple):
    """The rows with a doubtful label, the most certain first, and the certainties of all rows, as means over the runs.

    Parameters
    ----------
    rows : tuple of DoubtfulLabel
    certainty : (n_rows,) float64
        Of each row whose class is known, right or wrong.
    """

    rows: tuple[DoubtfulLabel, ...]
    certainty: FloatArray

    @classmethod
    def of(cls, answers: Answers) -> Self:
        """The doubtful labels among the rows whose class was known to the trees."""
        is_scored = (answers.actual >= 0) & ~answers.is_foreign
        rows, place = np.unique(answers.instance[is_scored], return_inverse=True)
        n_answers = np.bincount(place, minlength=len(rows))
        with np.errstate(invalid="ignore"):  # of infinite certainties
            certainty = rounded(np.bincount(place, answers.certainty[is_scored], len(rows)) / np.maximum(n_answers, 1))
        n_right = np.bincount(place, answers.is_correct[is_scored], len(rows))
        votes = np.zeros((len(rows), len(answers.class_names)), dtype=np.int64)
        np.add.at(votes, (place, answers.predicted[is_scored]), 1)
        label = np.zeros(len(rows), dtype=np.int64)
        label[place] = answers.actual[is_scored]
        wrong = np.flatnonzero(n_right == 0)
        order = wrong[np.argsort(-certainty[wrong], kind="stable")]
        names = answers.class_names
        columns = rows[order], label[order], votes[order].argmax(axis=1), certainty[order]
        found = zip(*(column.tolist() for column in columns), strict=True)
        return cls(
            tuple(DoubtfulLabel(row, names[own], names[other], sure) for row, own, other, sure in found), certainty
        )

    def lines(self, ids: Texts | None = None) -> list[str]:
        """The rows that are contradicted most certainly, and how often such answers are wrong; none without a row.

        Parameters
        ----------
        ids : mapping of str to (n_rows,) sequence of str or None, optional
            Columns that name the rows.
        """
        if not self.rows:
            return []
        told = self.rows[:MOST_TOLD]
        last = told[-1].certainty
        n_more = sum(row.certainty == last for row in self.rows[MOST_TOLD:])
        n_alike, n_wrong = int((self.certainty >= last).sum()), len(told) + n_more
        heading = "labels to look at, which trees that grew without the row contradict most certainly:"
        if 2 * n_wrong >= n_alike:
            heading = (
                "labels that trees that grew without the row contradict most certainly; at least half of such answers "
                "are wrong, so it is more likely the trees that err than these labels:"
            )
        return [
            heading,
            *(f"  row {row.index + 1}{_named(ids or {}, row.index)}: {class_text(row.label)}, answered "
              f"{class_text(row.answer)}, certainty {number(row.certainty)}" for row in told),
            *([f"  and {n_more} more of certainty {number(last)}"] if n_more else []),
            f"of the {counted(n_alike, 'answer')} at least as certain {n_wrong} {'is' if n_wrong == 1 else 'are'} "
            "wrong",
        ]  # fmt: skip


def _named(ids: Texts, row: int) -> str:
    names: Sequence[str] = [f"{name} {texts[row]}" for name, texts in ids.items() if texts[row]]
    return f" ({', '.join(names)})" if names else ""
