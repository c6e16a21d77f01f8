"""Whether the rows of a file are like those that a model was made from, by ranges and counts alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple, Protocol

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.base.naming import counted, enumeration, quoted, shown
from wekaconf.data import ABOVE, BELOW, NOT_SEEN, Outside, TrainingSummary, counted_as, is_number
from wekaconf.data.arrays import FloatArray, Int64Array
from wekaconf.data.wording import apart, cells, percent
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.checks._promise_check import Checked, CheckedCost, OutcomeCounts, excess
from wekaconf.evaluation.checks._two_samples import all_greatest, fisher, homogeneity
from wekaconf.evaluation.promises import AnswerShares
from wekaconf.evaluation.statistics import holm

LEVEL = 0.05
"""The probability with which a file like the training data is said to differ, at most, over all tests together."""
# Fixed before anything was measured: fewer than 5 % of the rows cannot move an error by more than five points, and
# outside of what training saw a tree knows nothing. With Holm over all tests of a file 2.1 % of 1,000 undamaged halves
# are told to differ.
LEAST_MOVED, LEAST_OUTSIDE = 0.05, 0.01
"""The smallest change that is told, since a large file proves trifles: the share of the rows that lie elsewhere, and
that of the rows outside."""
MOST_UNSEEN = 50_000
"""The largest number of undeclared values of an attribute that are counted one by one."""
ROWS_FOR_SCALE = 8192
"""The number of first rows of a file by which a change of unit is recognised."""
LARGEST_POWER = 6
"""The largest power of ten by which a unit is thought to have changed."""
MOST_OFF = 0.25
"""The largest share of the rows that may lie elsewhere when a change of unit is undone."""
LEAST_SAME = 0.9
"""The smallest share of the new values that are written otherwise, for this to be said."""
MOST_FAR = 3
"""The largest number of columns that are named for a few rows far outside."""
SMALLEST_P = 1e-6
"""Smaller p-values are only said to be smaller."""

RUNNING = "a number that goes on, such as an identifier or a date?"
"""What may lie behind a column of which all numbers are new."""
CONSTANT = "the same number in every row: a default value?"
"""What may lie behind a column of which all numbers are new, and equal, as those of training were not."""
OWN_TEXTS = "nearly every row has a text of its own, as identifiers have"
"""What lies behind a column of which many texts are new, where that was so in training."""
ON_DATES = "do they depend on {}, which goes on with every file?"
"""What may lie behind answers that changed, if no column did."""
COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
"""Small numbers in words."""

CERTAINTY = "certainty of the answers"

Kind = Literal["below", "above", "unseen", "missing", "mix", "certainty", "predicted"]
Of = Literal["rows", "known values"]
OUTSIDE: tuple[Kind, ...] = ("below", "above", "unseen")
"""The kinds of change that say that rows lie outside."""


class ComparedAnswers(Protocol):
    """The answers of any classifier for n rows, as far as they are compared."""

    @property
    def certainty(self) -> FloatArray:
        """(n,) float64."""

    @property
    def predicted(self) -> Int64Array:
        """(n,) int64: the index of the class."""


class FileCounts:
    """Counts of the rows of a file, collected from part after part; memory does not grow with the file.

    Parameters
    ----------
    summary : TrainingSummary
    answer_shares : AnswerShares, optional
        None: certainties and predicted classes are not counted.
    outcomes : OutcomeCounts, optional
        What answers for these rows are, counted by whoever answers; left out: it is not known.
    """

    def __init__(
        self, summary: TrainingSummary, answer_shares: AnswerShares | None, outcomes: OutcomeCounts | None = None
    ) -> None:
        n = len(summary.header.attributes)
        self.summary, self.answer_shares, self.n_rows, self.n_outside = summary, answer_shares, 0, 0
        self.outcomes = outcomes
        self.n_missing, self.n_below, self.n_above = (np.zeros(n, dtype=np.int64) for _ in range(3))
        self.counts = np.zeros_like(summary.counts)
        self.unseen: dict[str, Counter[str]] = {}
        self.n_more_unseen: Counter[str] = Counter()
        self.first_rows = np.zeros((0, n))
        self.n_far, self.n_later = (np.zeros(n, dtype=np.int64) for _ in range(2))
        self.first_far: dict[int, str] = {}
        if answer_shares is not None:
            self.answers = np.zeros_like(answer_shares.counts)

    def add(self, rows: Outside) -> None:
        """Count the rows of a part. Cost: O(n · n_attributes · n_bins)."""
        values = rows.values
        self.n_rows += len(values)
        self.n_outside += int(np.count_nonzero(rows.rows))
        self.n_missing += np.isnan(values).sum(axis=0)
        way = rows.way[rows.rows]
        self.n_below += np.count_nonzero(way == BELOW, axis=0)
        self.n_above += np.count_nonzero(way == ABOVE, axis=0)
        self.n_later += np.count_nonzero(values > self.summary.latest, axis=0)
        self._count_far(rows)
        self.counts += self.summary.count(values)
        for column, attribute in enumerate(self.summary.header.attributes):
            if attribute.name in rows.unseen:
                texts = rows.unseen[attribute.name].texts.tolist()
                self.n_missing[column] -= len(texts)
                self._count_unseen(attribute.name, Counter(texts))
        n_more = ROWS_FOR_SCALE - len(self.first_rows)
        if n_more:
            self.first_rows = np.concatenate([self.first_rows, values[:n_more]])

    def _count_far(self, rows: Outside) -> None:
        is_far = rows.is_far
        self.n_far += is_far.sum(axis=0)
        places = np.flatnonzero(rows.rows)
        for column in np.flatnonzero(is_far.any(axis=0)).tolist():
            if column not in self.first_far:
                self.first_far[column] = rows.text(int(places[is_far[:, column].argmax()]), column)

    def _count_unseen(self, name: str, texts: Counter[str]) -> None:
        counted = self.unseen.setdefault(name, Counter())
        for text, n in texts.items():
            if text in counted or len(counted) < MOST_UNSEEN:
                counted[text] += n
            else:
                self.n_more_unseen[name] += n

    def add_answers(self, certainty: FloatArray, predicted: Int64Array) -> None:
        """Count the answers for the rows of a part."""
        if self.answer_shares is not None:
            self.answers += self.answer_shares.count(certainty, predicted)


@dataclass(frozen=True)
class Change:
    """One comparison of a file with the training data.

    Parameters
    ----------
    attribute : str
        Empty for answers.
    kind : Kind
        What was compared: rows below the least or above the greatest number of training, or with values that training
        did not have; missing values; the mix of values; certainties or predicted classes.
    n, n_known : int
        The number of rows of the file concerned, and of those that might be.
    training_share : float
        The share of the training rows, or calibration rows, of the same sort.
    where : str
        The limit, value or range that the number of rows is about; of a mix the one that changed most.
    size : float
        The share of the rows that lie elsewhere than in training.
    p : float
        How probable a change at least as large is among rows like those of training, corrected for all tests by Holm.
    of : str
        What the shares are of: the rows, or, where file or training lack values, the known ones.
    """

    attribute: str
    kind: Kind
    n: int
    n_known: int
    training_share: float
    where: str
    size: float
    p: float
    of: Of = "rows"

    @property
    def is_told(self) -> bool:
        """Whether the change is neither chance nor a trifle."""
        return self.p <= LEVEL and self.size >= (LEAST_OUTSIDE if self.kind in OUTSIDE else LEAST_MOVED)

    @property
    def is_of_all(self) -> bool:
        """Whether it is about every row that it might be about."""
        return 0 < self.n == self.n_known

    @property
    def subject(self) -> str:
        """The attribute, or what of the answers changed."""
        return self.attribute or (CERTAINTY if self.kind == "certainty" else "predicted classes")

    def __str__(self) -> str:
        """The change without its subject, with its size and how probable it is by chance."""
        n = f"{self.n:,} of {self.n_known:,} {self.of}"
        others = "calibration" if self.kind in ("certainty", "predicted") else "training"
        before, p = f"{others}: {_share_text(self.training_share)}", _p_text(self.p)
        match self.kind:
            case "above":
                text = f"{n} above {self.where}, the greatest in training"
            case "below":
                text = f"{n} below {self.where}, the least in training"
            case "unseen":
                had = "with values " if self.of == "rows" else ""
                text = f"{n} {had}{NOT_SEEN}, such as {quoted(self.where)}"
            case "missing":
                return f"missing in {n} ({before}; {p})"
            case "mix" | "certainty":
                share = _share_text(self.n / self.n_known if self.n_known else 0.0)
                moved = f"{_share_text(self.size)} of the {self.of} would have to change to look like {others}"
                text = f"{self.where} in {share} of the {self.of} ({before}); {moved}"
            case "predicted":
                return f"{quoted(self.where)} in {n} ({before}; {p})"
        return f"{text} ({p})"


class FarOutside(NamedTuple):
    """Rows with numbers of an attribute that no training row comes near, see `TrainingSummary.far_limits`.

    Parameters
    ----------
    attribute : str
    n : int
        Their number, too small for a change of the file.
    first : str
        The first of these numbers, and the limit of training.
    """

    attribute: str
    n: int
    first: str

    def __str__(self) -> str:
        return f"{self.n:,} rows, such as {self.first}" if self.n > 1 else f"1 row, {self.first}"


class Drift(NamedTuple):
    """The comparison of a file with the training data, and what becomes of a promise.

    Parameters
    ----------
    changes : tuple of Change
        Of all tests that could be done, in the order of the attributes.
    hints : mapping of str to str
        What may lie behind the changes of an attribute, or of the answers: another unit, or other kind of values.
    running : tuple of str
        The attributes that may go on with every file, so that a model is better made without them.
    far : tuple of FarOutside
        Of attributes of which no change is told that says that rows lie outside.
    n_rows, n_training : int
    n_calibrated : int
        The number of calibration rows whose answers were compared; 0: those of no rows are known.
    promises : bool
        Whether the model promises something about rows like those of training.
    n_outside : int
        The number of rows with a value outside training.
    outcomes : tuple of Checked or CheckedCost
        The counts of right and wrong answers for each promise, where classes of the file are known.
    later : tuple of str
        A clause for each column of which all dates, two or more, lie after the last that was learned from. That is no
        change, since dates go on by themselves.
    """

    changes: tuple[Change, ...]
    hints: Mapping[str, str]
    running: tuple[str, ...]
    far: tuple[FarOutside, ...]
    n_rows: int
    n_training: int
    n_calibrated: int
    promises: bool
    n_outside: int = 0
    outcomes: tuple[Checked | CheckedCost, ...] = ()
    later: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[Change, ...]:
        """The changes that are neither chance nor trifles."""
        return tuple(change for change in self.changes if change.is_told)

    @property
    def is_like_training(self) -> bool:
        """Whether no change is told."""
        return not self.told

    @property
    def is_ordinary(self) -> bool:
        """Whether there is nothing to say: no change, no row outside or of later dates, and no promise exceeded."""
        return self.is_like_training and not self.n_outside and not self.later and not self.excess

    @property
    def excess(self) -> str:
        """A clause that the rows' own classes show more errors, or costs, than were promised; empty if they do not."""
        return excess(self.outcomes)

    @property
    def promise_stands(self) -> bool:
        """Whether nothing in the file speaks against a promise, so that it may be repeated for these rows."""
        return self.is_like_training and not self.excess

    @property
    def lines(self) -> list[str]:
        """The number of rows, a line for each column that is not as in training, and what that means."""
        outside = f"; {self.n_outside:,} with values outside training" if self.n_outside else ""
        far = [f"far outside training: {self._far_text}"] if self.far else []
        excess = [self.excess] if self.excess else []
        if self.is_like_training:
            return ["; ".join([f"{self._compared}{outside}", *far, *self.later]), *excess]
        names = dict.fromkeys(change.subject for change in self.told)
        lines = [f"{name}: {'; '.join(self._parts(name))}" for name in names]
        tests = counted(len(self.changes), "test")
        how = f" ({self.n_training:,} training rows; p after Holm's correction for {tests})"
        details = [f"  {text}" for text in (*lines, *far, *self.later)]
        return [f"{self._compared}{how}{outside}:", *details, self._verdict, *excess]

    @property
    def line(self) -> str:
        """Whether the rows are like those of training, in one line, without what differs."""
        told = [self._compared if self.is_like_training else f"{self._compared}: {self._remedy}"]
        return "; ".join([*told, *self.later, *filter(None, [self.excess])])

    def warning(self, what: str) -> str:
        """The lines, after what the data are called, where answers or dates need a warning; else empty."""
        if self.promise_stands and not self.later:
            return ""
        return "\n".join([f"{what}: {self.lines[0]}", *self.lines[1:]])

    @property
    def _compared(self) -> str:
        like = "like" if self.is_like_training else "not like"
        return f"{counted(self.n_rows, 'row')}, {like} those of training"

    def __str__(self) -> str:
        return "\n".join(map(printable, self.lines))

    @property
    def _far_text(self) -> str:
        told = [str(each) for each in self.far[:MOST_FAR]]
        n_more = len(self.far) - MOST_FAR
        more = [f"and in {counted(n_more, 'more column')}"] if n_more > 0 else []
        return "; ".join([*told, *more])

    @property
    def _verdict(self) -> str:
        """A sentence on what the promise, or the answers, assume, and on what says that the rows are not so."""
        assumed = f"the answers assume rows like the {self.n_training:,} training rows"
        if self.promises:
            n, what = (self.n_calibrated, "calibration") if self.n_calibrated else (self.n_training, "training")
            assumed = f"the promise assumes rows like the {n:,} {what} rows"
        verdict = f"{assumed}; {self._witnesses} that these rows differ: {self._remedy}"
        if self.n_calibrated:
            return verdict
        return f"{verdict} (certainties and predicted classes were not compared)"

    @property
    def _remedy(self) -> str:
        return f"the {'promise' if self.promises else 'answers'} cannot be relied on"

    @property
    def _witnesses(self) -> str:
        """The columns and answers that say that the file is not like training, with their verb."""
        n = len({change.attribute for change in self.told if change.attribute})
        answers = ["the answers"] if any(not change.attribute for change in self.told) else []
        columns = [f"{COUNTS.get(n, f'{n:,}')} column{'s' * (n > 1)}"] if n else []
        return f"{' and '.join([*columns, *answers])} {'says' if n == 1 and not answers else 'say'}"

    def _parts(self, name: str) -> list[str]:
        """The changes of a column in words, the hint at last.

        A mix that rows outside explain is no further change, and one of texts that nearly all differ says nothing.
        """
        changes = [change for change in self.told if change.subject == name]
        outside = sum(change.size for change in changes if change.kind in OUTSIDE)
        hint = self.hints.get(name, "")
        tells_mix = hint != OWN_TEXTS
        parts = [str(change) for change in changes if change.kind != "mix" or (tells_mix and change.size / 2 > outside)]
        return [*parts, hint] if hint else parts


def compare_with_training(
    file: FileCounts, class_names: Sequence[str], *, promises: bool, promised: Aim | None = None
) -> Drift:  # fmt: skip
    """Compare the counts of a file with those of the training data.

    ``promises`` says whether the model promises something, see `Drift`, and ``promised`` what, if that is known.
    Every test holds if the rows of file and training are exchangeable: none assumes a distribution of the values.
    """
    summary, shares = file.summary, file.answer_shares
    changes: list[Change] = []
    for column, attribute in enumerate(summary.header.attributes):
        if column != summary.header.class_index and attribute.kind not in ("string", "relational"):
            changes.extend(_column_changes(file, column))
    if shares is not None:
        ranges = _range_texts(shares.cuts)
        answers: tuple[tuple[Kind, Int64Array, Int64Array, Sequence[str]], ...] = (
            ("certainty", shares.counts.sum(axis=0), file.answers.sum(axis=0), ranges),
            ("predicted", shares.counts.sum(axis=1), file.answers.sum(axis=1), class_names),
        )
        for kind, training, others, texts in answers:
            is_ordered = kind == "certainty"
            changes.append(_mix("", kind, training, others, texts, is_ordered=is_ordered))
    corrected = holm([change.p for change in changes]).tolist()
    tested = tuple(replace(change, p=p) for change, p in zip(changes, corrected, strict=True) if not np.isnan(p))
    n_calibrated = 0 if shares is None else shares.n_rows
    hints = _hints(file, [change for change in tested if change.is_told])
    running = [name for name, hint in hints.items() if hint in (RUNNING, OWN_TEXTS)]
    if CERTAINTY in hints:
        running = _dates(summary)
    beyond = {change.attribute for change in tested if change.is_told and change.kind in OUTSIDE}
    far = tuple(
        FarOutside(attribute.name, int(n), file.first_far[column])
        for column, (attribute, n) in enumerate(zip(summary.header.attributes, file.n_far, strict=True))
        if n and attribute.name not in beyond
    )
    n_known = file.n_rows - file.n_missing
    outcomes = () if file.outcomes is None else file.outcomes.checked(promised)
    later = tuple(
        f"{attribute.name}: all {n:,} dates lie after {cells(attribute, float(summary.latest[column]))[0]}, the last "
        "of training, so nothing is known of such dates"
        for column, (attribute, n) in enumerate(zip(summary.header.attributes, file.n_later, strict=True))
        if 1 < n == n_known[column]
    )
    return Drift(
        tested, hints, tuple(running), far, file.n_rows, int(summary.n_rows[0]), n_calibrated, promises,
        file.n_outside, outcomes, later,
    )  # fmt: skip


def compare_rows(
    rows: Outside,
    answer_shares: AnswerShares | None,
    answer: Callable[[], ComparedAnswers],
    class_names: Sequence[str],
    *,
    promises: bool,
) -> Drift:
    """`compare_with_training` rows in memory; their ``answer`` is asked for only if answers can be compared."""
    counts = FileCounts(rows.summary, answer_shares)
    counts.add(rows)
    if answer_shares is not None:
        answers = answer()
        counts.add_answers(answers.certainty, answers.predicted)
    return compare_with_training(counts, class_names, promises=promises)


def _column_changes(file: FileCounts, column: int) -> Iterator[Change]:
    summary = file.summary
    attribute, kind = summary.header.attributes[column], counted_as(summary.header, column)
    n_training, n_missing = int(summary.n_rows[0]), int(summary.n_missing[column])
    n_known = file.n_rows - int(file.n_missing[column])
    of: Of = "rows" if not n_missing and n_known == file.n_rows else "known values"
    if kind == "numeric" and n_training > n_missing:
        ends: tuple[tuple[Kind, Int64Array, FloatArray], ...] = (
            ("below", file.n_below, summary.least), ("above", file.n_above, summary.greatest),
        )  # fmt: skip
        for side, n, limit in ends:
            k, where = int(n[column]), cells(attribute, float(limit[column]))[0]
            p = all_greatest(k, n_known, n_training - n_missing)
            yield Change(attribute.name, side, k, n_known, 0.0, where, k / max(n_known, 1), p, of)
    start, end = summary.count_start[column : column + 2]
    training, counts = summary.counts[start:end], file.counts[start:end]
    texts: Sequence[str] = _range_texts(summary.cuts_of(column)) if kind == "numeric" else attribute.values
    if kind == "nominal":
        unseen, n_more = file.unseen.get(attribute.name, Counter()), file.n_more_unseen[attribute.name]
        unseen_change = _unseen(
            attribute.name, training, counts, summary.is_seen[start:end], texts, unseen, n_more, n_known
        )
        yield replace(unseen_change, of=of)
        if n_more:  # without all its values a mix cannot be compared
            kind = ""
        training = np.append(training, np.zeros(len(unseen), np.int64))
        counts, texts = np.append(counts, [*unseen.values()]), [*texts, *unseen]
    share, file_share = n_missing / max(n_training, 1), 1 - n_known / max(file.n_rows, 1)
    p = fisher(n_missing, n_training, file.n_rows - n_known, file.n_rows)
    yield Change(attribute.name, "missing", file.n_rows - n_known, file.n_rows, share, "", abs(share - file_share), p)
    if kind:
        mix = _mix(attribute.name, "mix", training, counts.astype(np.int64), texts, is_ordered=kind == "numeric")
        yield replace(mix, of=of)


def _unseen(name: str, training: Int64Array, counts: Int64Array, is_seen: np.ndarray, texts: Sequence[str],
            unseen: Counter[str], n_more: int, n_known: int) -> Change:  # fmt: skip
    """Values that training did not have: by the most frequent of them, corrected for the number of all values.

    Many values that occur once are no surprise, where training has such values too; one that occurs often is.
    """
    by_value = {text: int(n) for text, n, seen in zip(texts, counts, is_seen, strict=True) if not seen and n}
    by_value.update(unseen)
    n_outside, n_training = sum(by_value.values()) + n_more, int(training.sum())
    where, most = max(by_value.items(), key=lambda item: item[1], default=("", 0))
    n_values = int((training + counts > 0).sum()) + len(unseen) + n_more
    p = min(1.0, n_values * all_greatest(most, n_known, n_training)) if n_training and n_known else float("nan")
    return Change(name, "unseen", n_outside, n_known, 0.0, where, n_outside / max(n_known, 1), p)


def _mix(name: str, kind: Kind, training: Int64Array, counts: Int64Array, texts: Sequence[str], *,
         is_ordered: bool) -> Change:  # fmt: skip
    """The comparison of two samples by their counts in bins, or of values; where is the one that changed most.

    Values that are equally frequent in both samples together are pooled by their names, which do not depend on which
    sample has them: the test would fail if those that only the file has came last.
    """
    if not is_ordered:
        by_name = np.argsort(np.array(texts, dtype=np.str_), kind="stable")
        training, counts, texts = training[by_name], counts[by_name], [texts[place] for place in by_name]
    n, n_training = int(counts.sum()), int(training.sum())
    if not len(counts):
        return Change(name, kind, 0, 0, 0.0, "", 0.0, float("nan"))
    shares, training_shares = counts / max(n, 1), training / max(n_training, 1)
    most = int(np.abs(shares - training_shares).argmax())
    size = round(float(np.abs(shares - training_shares).sum() / 2), 12)
    p = homogeneity(training, counts, is_ordered=is_ordered)
    return Change(name, kind, int(counts[most]), n, float(training_shares[most]), texts[most], size, p)


def _share_text(share: float) -> str:
    return percent(share) if share else "none"


def _p_text(p: float) -> str:
    return f"p < {SMALLEST_P:g}" if p < SMALLEST_P else f"p = {p:.2g}"


def _range_texts(cuts: FloatArray) -> list[str]:
    """The bins between cuts in words."""
    if not len(cuts):
        return ["all"]
    ends = apart(*cuts.tolist())
    return [f"at most {ends[0]}", *(f"{low} to {high}" for low, high in pairwise(ends)),
            f"above {ends[-1]}"]  # fmt: skip


def _hints(file: FileCounts, told: Sequence[Change]) -> dict[str, str]:
    """The likely causes of the changes that are told, by attribute, or of those of the answers."""
    beyond_all = {change.attribute for change in told if change.kind in ("below", "above") and change.is_of_all}
    names = dict.fromkeys(change.attribute for change in told)
    hints = {name: hint for name in names if name and (hint := _hint(file, name, is_beyond=name in beyond_all))}
    if list(names) == [""] and told[0].kind == "certainty" and (dates := _dates(file.summary)):
        hints[CERTAINTY] = ON_DATES.format(enumeration([*map(shown, dates)]))
    return hints


def _dates(summary: TrainingSummary) -> list[str]:
    return [attribute.name for attribute in summary.header.attributes if attribute.kind == "date"]


def _hint(file: FileCounts, name: str, *, is_beyond: bool) -> str:
    """The likely cause of an attribute's changes; ``is_beyond``: all its numbers lie on one side of training's."""
    attributes = file.summary.header.attributes
    column = next(i for i, attribute in enumerate(attributes) if attribute.name == name)
    training = file.summary.counts_of(column)
    if not training.sum():
        return ""
    if counted_as(file.summary.header, column) == "nominal":
        if np.count_nonzero(training) > training.sum() / 2:
            return OWN_TEXTS
        return _hint_of_texts(attributes[column].values, file.unseen.get(name, Counter()))

    def off(power: int) -> float:
        """The share of the first rows that lie elsewhere if their numbers are divided by a power of ten."""
        with np.errstate(over="ignore"):
            divided = file.first_rows[:, column] / 10.0**power
        counts = file.summary.count_column(column, divided)
        return float(np.abs(counts / max(counts.sum(), 1) - training / training.sum()).sum() / 2)

    powers = [power for power in range(-LARGEST_POWER, LARGEST_POWER + 1) if power]
    best = min(powers, key=off)
    if off(best) <= min(MOST_OFF, off(0) / 2) and off(best) < off(0):
        return f"as if {'multiplied' if best > 0 else 'divided'} by {10 ** abs(best):,}: another unit?"
    if not is_beyond:
        return ""
    numbers = file.first_rows[:, column]
    if np.nanmin(numbers) == np.nanmax(numbers) and file.summary.least[column] < file.summary.greatest[column]:
        return CONSTANT
    return RUNNING if _runs_on(numbers) else ""


def _hint_of_texts(values: Sequence[str], unseen: Counter[str]) -> str:
    """The likely cause of values that training did not declare."""
    if not unseen:
        return ""
    if all(map(is_number, unseen)) and not any(map(is_number, values)):
        return "numbers, in training texts"
    folded = {"".join(value.split()).casefold() for value in values}
    n_same = sum(n for text, n in unseen.items() if "".join(text.split()).casefold() in folded)
    if n_same >= LEAST_SAME * unseen.total():
        return "the values of training but for case and spaces"
    return ""


def _runs_on(cells: FloatArray) -> bool:
    """Whether numbers only rise, or only fall, or are whole and all different, as identifiers and times do."""
    numbers = cells[~np.isnan(cells)]
    steps = np.diff(numbers)
    is_whole = bool((numbers == np.floor(numbers)).all())
    return bool((steps >= 0).all() or (steps <= 0).all()) or (is_whole and len(np.unique(numbers)) == len(numbers))
