"""Nested cross-validation: in each training part of the study's folds, folds of its own choose among a grid.

The folds are those of the study's first seed. In each of the ten training parts a stratified cross-validation of
`INNER_FOLDS` folds asks all candidates of a scheme. For each deciding measure the one with the best mean, over those of
these folds that define it, answers for the part's test rows; of equal ones the first, so the defaults win ties. A rival
is asked in the same way on the same folds. Unknown classes have no part here: inside a training part none are to be
noticed.
"""

from __future__ import annotations

import hashlib
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence.figures import TWINS
from evidence.measuring import study
from evidence.measuring.study import CLOSED, PLAIN, PROTOCOLS, RIVALS_PART, OutOfTimeError, Part, as_json, left_out
from evidence.records import DECIDING, N_CORES, N_FOLDS, Scheme, number
from evidence.tuning.grids import GRIDS, candidates
from wekaconf.base.files import digest_of_file
from wekaconf.base.rounding import rounded
from wekaconf.data.arrays import FloatArray
from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.fold_answers import Split
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.evaluation.protocol.splits import splits
from wekaconf.evaluation.summary import fold_values, mean_of
from wekaconf.experiments.advising.rivals import SEED, cross_validated_rival
from wekaconf.experiments.session import evaluate
from wekaconf.model.scheme import parse_method
from wekaconf.replication.runner import Record
from wekaconf.report.comparison.measures import SMALLER_IS_BETTER

N_SETS, MOST_INSTANCES = 20, 1000
INNER_FOLDS = 3
MOST_SECONDS = 600.0
"""Processor time after which a scheme on a data set is given up."""
GIVEN_UP = f"more than {MOST_SECONDS:g} s of processor time"
MEASURES = tuple(DECIDING[CLOSED])
"""Each chooses by itself, and is what its choice is measured by."""

FEW = ("percent_correct",)
"""What `evaluate` measures of answers of which only those measures count."""


@dataclass(frozen=True)
class TunedPart(Part):
    """One scheme, with its parameters chosen by nested cross-validation."""

    @property
    def scheme(self) -> Scheme:
        """The only scheme of the part."""
        return Scheme(self.learner, *self.methods)

    def __str__(self) -> str:
        """A name for files."""
        return f"tuned {super().__str__()}"

    @property
    def title(self) -> str:
        """What is told while it is measured."""
        return f"tuned, {self.scheme}"

    def parameters(self) -> dict[str, Any]:
        """See `Part`."""
        of_tuning = {"most_seconds": MOST_SECONDS, "measures": list(MEASURES), "candidates": candidates(self.scheme)}
        of_tuning |= {"inner_folds": INNER_FOLDS, "tuning": digest_of_file(__file__)}
        return super().parameters() | of_tuning

    def measure(self, name: str, data: Dataset) -> list[Record]:
        """One record, with ``values`` and ``chosen`` of `tuned` and the processor ``seconds`` that it took."""
        facts, began = self.facts(name, data), time.process_time()

        def check(*_: int) -> None:
            if time.process_time() - began > MOST_SECONDS:
                raise OutOfTimeError

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                outer = splits(data, folds=PROTOCOLS[self.protocol].folds, seed=self.seed)
                found = tuned(self.scheme, data, outer, self.seed, check)
            except OutOfTimeError:
                return [left_out(facts, self.scheme.method, GIVEN_UP)]
            except Exception as error:  # a scheme that fails must not end the study
                return [left_out(facts, self.scheme.method, study.in_words(error))]
        seconds = as_json(time.process_time() - began)
        return [{**facts, "method": self.scheme.method, **found, "seconds": seconds, "left_out": None}]


def parts() -> list[TunedPart]:
    """Every scheme."""
    return [TunedPart(scheme.learner, (scheme.method,), CLOSED) for scheme in GRIDS]


def drawn(sizes: Mapping[str, int]) -> list[str]:
    """The data sets that are tuned on, of all by their numbers of instances.

    Of those of at most `MOST_INSTANCES` instances, without `TWINS`, the `N_SETS` whose names have the largest SHA-256.
    The rule was set before anything was tuned. The largest, since methods of ours are designed on those whose digest
    begins with 0 to 7.
    """
    admitted = [name for name, size in sizes.items() if size <= MOST_INSTANCES and name not in TWINS]
    return sorted(admitted, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[-N_SETS:]


def hours(rows: Sequence[Mapping[str, str]]) -> float:
    """Hours that the whole takes on `N_CORES` cores, reckoned from the times of the study's first folds.

    A scheme is measured on all data sets before the next begins, so it takes at least as long as its slowest data set.
    What the study gave up is given up here, too. What the study has no times of is not counted, nor is taking measures,
    which is much of the time on a small data set; a busy machine takes up to twice as long.
    """
    names = drawn({row["data_set"]: int(row["n_instances"]) for row in rows})
    seconds: dict[Scheme, list[float]] = defaultdict(list)
    for row in rows:
        scheme = Scheme(row["learner"], row["method"])
        if row["data_set"] not in names or row["protocol"] != CLOSED or scheme not in GRIDS:
            continue
        if study.GIVEN_UP in row["left_out"]:
            seconds[scheme].append(MOST_SECONDS)
        elif row["fit_seconds"]:
            once = float(np.nansum([number(row, "fit_seconds"), number(row, "answer_seconds")]))
            of_all = once * N_FOLDS * (INNER_FOLDS + 1) * len(candidates(scheme))
            seconds[scheme].append(min(of_all, MOST_SECONDS))
    return sum(max(sum(each) / N_CORES, *each) for each in seconds.values()) / 3600


def tuned(
    scheme: Scheme,
    data: Dataset,
    outer: Sequence[Split],
    seed: int = SEED,
    check: Callable[..., None] = lambda *_: None,
) -> Record:
    """The measures of a scheme at its defaults and with chosen parameters, on the same folds.

    Parameters
    ----------
    scheme : Scheme
        A key of `GRIDS`.
    data : Dataset
    outer : sequence of (train, test)
    seed : int
        Of the inner folds, and of a rival.
    check : callable
        Called now and then; may raise.

    Returns
    -------
    dict
        ``test_train_ratio``; ``values``, per measure a mapping of "defaults" and "tuned" to a list with a number per
        outer fold, None where it is undefined; and ``chosen``, per measure the candidate of each fold.
    """
    tried = candidates(scheme)
    inner = [_inner_splits(data, train, seed) for train, _ in outer]
    scores = {name: np.full((len(tried), len(outer)), np.nan) for name in MEASURES}
    values = {name: np.full((len(tried), len(outer)), np.nan) for name in MEASURES}
    ratio = np.nan
    ask = _asking(scheme, data, seed, check)
    for i, (inside, outside) in enumerate(zip(ask(inner, tried), ask([outer], tried), strict=True)):
        of_inside, of_outside = fold_values(inside, MEASURES), fold_values(outside, MEASURES)
        ratio = of_outside.test_train_ratio
        for name in MEASURES:
            for fold in range(len(outer)):
                scores[name][i, fold] = mean_of(of_inside.values[name][of_inside.run == fold])
            values[name][i, of_outside.fold] = of_outside.values[name]
    found: Record = {"test_train_ratio": ratio, "values": {}, "chosen": {}}
    for name in MEASURES:
        chosen = best(scores[name], larger_is_better=name not in SMALLER_IS_BETTER)
        of_each = {"defaults": values[name][0], "tuned": values[name][chosen, np.arange(len(outer))]}
        found["values"][name] = {what: [as_json(value) for value in of_folds] for what, of_folds in of_each.items()}
        found["chosen"][name] = [tried[i] for i in chosen]
    return found


def best(scores: FloatArray, *, larger_is_better: bool) -> NDArray[np.intp]:
    """(n_folds,) intp: per column of (n_candidates, n_folds) scores the best candidate; of equal ones the first.

    Undefined scores, NaN, are worse than all others.
    """
    worth = rounded(scores if larger_is_better else -scores)
    return np.asarray(np.where(np.isnan(worth), -np.inf, worth).argmax(axis=0))


def _inner_splits(data: Dataset, train: NDArray[Any], seed: int) -> list[Split]:
    """Folds of the training rows, as rows of the data set."""
    train = np.asarray(train)
    return [(train[one], train[other]) for one, other in splits(data.take(train), folds=INNER_FOLDS, seed=seed)]


def _asking(
    scheme: Scheme, data: Dataset, seed: int, check: Callable[..., None]
) -> Callable[[Sequence[Sequence[Split]], Sequence[Mapping[str, Any]]], Iterator[Answers]]:
    """What gives the answers of each candidate on given splits."""

    def rivals(runs: Sequence[Sequence[Split]], tried: Sequence[Mapping[str, Any]]) -> Iterator[Answers]:
        protocol = Protocol(given=runs)
        [template] = evaluate(data, [PLAIN], protocol=protocol, learner="J48", metrics=FEW).answers
        cross_validated = partial(cross_validated_rival, scheme.method, protocol.prepare(data), template, seed=seed)
        return (cross_validated(options=options, on_split=check) for options in tried)

    def methods(runs: Sequence[Sequence[Split]], tried: Sequence[Mapping[str, Any]]) -> Iterator[Answers]:
        for parameters in tried:
            [answers] = evaluate(
                data, [parse_method(scheme.method, **parameters)], protocol=Protocol(given=runs),
                learner=parameters["learner"], metrics=FEW, on_progress=check,
            ).answers  # fmt: skip
            yield answers

    return rivals if scheme.learner == RIVALS_PART else methods
