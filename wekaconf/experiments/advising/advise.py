"""Cross-validates every method that fits a data set within a budget, and compares it with the plain tree."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.rounding import rounded
from wekaconf.data.dataset import Dataset, header_of
from wekaconf.evaluation.cross_validation import Answers, cross_validate
from wekaconf.evaluation.protocol.protocol import Prepared, Protocol
from wekaconf.evaluation.statistics import check_level, holm, paired_t
from wekaconf.evaluation.summary import FoldValues, fold_values, mean_of
from wekaconf.experiments.advising.advice import Advice, Standing
from wekaconf.experiments.advising.candidates import Candidate, candidates
from wekaconf.experiments.advising.purposes import Purpose, purpose_of
from wekaconf.report.comparison.measures import SMALLER_IS_BETTER
from wekaconf.report.titles import protocol_of
from wekaconf.tree.forest import Forest
from wekaconf.tree.learner import Learner, note_missing_classes
from wekaconf.tree.mirror import TreeMirror

PurposeName = Literal["ranking", "probabilities", "rejecting", "foreign"]
SECONDS = 60.0
"""Default budget, in seconds."""


class _OutOfTimeError(Exception):
    """The budget is used up."""


class _GrownOnce:
    """Grows each tree once, however many methods read it."""

    def __init__(self, learner: Learner[Any]) -> None:
        self._learner = learner
        self._grown: dict[bytes, TreeMirror | Forest] = {}

    def __call__(self, train: Dataset) -> TreeMirror | Forest:
        parts = (train.values, train.weights, train.sparse_rows)
        key = hashlib.sha256(b"".join(part.tobytes() for part in parts)).digest()
        if key not in self._grown:
            self._grown[key] = self._learner.grow_without_notes(train)
        return self._grown[key]


def advise(
    data: Dataset,
    purpose: PurposeName = "rejecting",
    *,
    budget: float = SECONDS,
    protocol: Protocol | None = None,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str = "",
    level: float = 0.05,
    name: str | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Advice:
    """Which method earns its keep on a data set, for a purpose.

    Every method that fits is cross-validated on the same folds and compared with the plain tree.

    Parameters
    ----------
    data : Dataset
    purpose : {"rejecting", "ranking", "probabilities", "foreign"}
        ``rejecting``: knowing which answers are wrong (area under the risk-coverage curve); in an open set knowing
        instances of unknown classes (AUROC known/unknown). ``ranking``: ordering instances by the probability
        of a class (weighted AUC, a tie counts ½). ``probabilities``: trustworthy probabilities (Brier score).
        ``foreign``: what ``rejecting`` means in an open set.
    budget : float
        Seconds after which no method goes on; in (0, ∞]. Cheap methods come first. The plain tree is always measured.
    protocol : Protocol, optional
        Ten-fold cross-validation when left out. It must have at least two splits, and no threshold to choose.
    learner, options
        See `wekaconf.evaluate`. Left out: each method reads the trees that its paper uses, or those of J48; a random
        forest and C4.4 are then compared, too.
    level : float
        In (0, 1): the level of the tests, over all methods together (Holm's correction).
    name : str, optional
        What to call the data set; its relation when left out.
    on_progress : callable
        Called with the number of methods measured so far, and of all methods.

    Returns
    -------
    Advice

    Raises
    ------
    OptionError
        An argument is out of range, the data cannot be split, or the plain tree cannot be grown on them.
    BridgeError
        There is no usable Java.

    Notes
    -----
    A split is not interrupted, so the last method may take longer than the budget. Cost: one tree per split and
    learner, kept in memory, and the methods' own cost.
    """
    header_of(data)
    check_level(level)
    if isinstance(budget, bool) or not isinstance(budget, int | float | np.number) or not budget > 0:
        raise OptionError(parameter="budget", expected="a number of seconds above 0", got=repr(budget))
    protocol = Protocol() if protocol is None else protocol
    if protocol.aim is not None:
        raise OptionError("advise compares certainties, not thresholds; leave the aim out", parameter="protocol")
    chosen = purpose_of(purpose, is_open=protocol.is_open)
    if name is not None:
        data = data.renamed(name)
    note_missing_classes(data)
    prepared = protocol.prepare(data)
    began = time.monotonic()
    schemes = candidates(prepared.data, learner, options)
    measured: list[tuple[Candidate, FoldValues]] = []
    left_out: dict[str, str] = {}
    growers: dict[str, _GrownOnce] = {}
    for n_done, candidate in enumerate(schemes):
        on_progress(n_done, len(schemes))
        scheme = f"{candidate.label} on {candidate.trees}"
        grow = growers.setdefault(candidate.trees, _GrownOnce(candidate.learner))
        deadline = math.inf if not measured else began + budget
        try:
            answers = _answers(candidate, prepared, protocol, grow, deadline)
        except _OutOfTimeError:
            left_out[scheme] = "the time was over"
        except (OptionError, BridgeError) as error:
            if not measured:
                raise
            left_out[scheme] = str(error)
        else:
            measured.append((candidate, fold_values(answers, chosen.measures)))
    on_progress(len(schemes), len(schemes))
    facts = protocol.facts(prepared.runs)
    return Advice(
        data_set=data.relation,
        n_instances=len(data),
        purpose=chosen,
        protocol=protocol_of(facts) + (", open set" if protocol.is_open else ""),
        level=level,
        budget=float(budget),
        seconds=time.monotonic() - began,
        standings=_standings(measured, chosen, level),
        left_out=left_out,
    )


def _answers(
    candidate: Candidate, prepared: Prepared, protocol: Protocol, grow: _GrownOnce, deadline: float
) -> Answers:
    def check_time(_done: int, _total: int) -> None:
        if time.monotonic() > deadline:
            raise _OutOfTimeError

    check_time(0, 0)
    [answers] = cross_validate(
        prepared.data,
        prepared.runs,
        grow,
        [candidate.method],
        known=prepared.known,
        prepare=prepared.prepare,
        weigh=None if protocol.cost_matrix is None else protocol.cost_matrix.weigh,
        on_progress=check_time,
    )
    return answers


def _standings(
    measured: Sequence[tuple[Candidate, FoldValues]], purpose: Purpose, level: float
) -> tuple[Standing, ...]:
    """The standings of the measured candidates, the best first; of equals the one that was measured first."""
    (_, plain), *_ = measured
    sign = -1.0 if purpose.measure in SMALLER_IS_BETTER else 1.0
    tests = [
        paired_t(
            sign * folds.values[purpose.measure], sign * plain.values[purpose.measure],
            test_train_ratio=plain.test_train_ratio, level=level,
        )
        for _, folds in measured
    ]  # fmt: skip
    corrected = [math.nan, *holm([math.nan if math.isinf(test.statistic) else test.p_value for test in tests[1:]])]
    standings = [
        Standing(
            method=candidate.label,
            learner=candidate.trees,
            is_ensemble=candidate.learner.is_ensemble,
            means={measure: mean_of(values) for measure, values in folds.values.items()},
            gain=test.effect,
            low=test.low,
            high=test.high,
            p_value=float(p_value),
            verdict=_verdict(place, test.effect, float(p_value), level, folds, plain, purpose.measure),
        )
        for place, ((candidate, folds), test, p_value) in enumerate(zip(measured, tests, corrected, strict=True))
    ]

    def loss(standing: Standing) -> float:
        mean = standing.means[purpose.measure]
        return math.inf if math.isnan(mean) else -sign * mean

    return tuple(sorted(standings, key=loss))


def _verdict(
    place: int, gain: float, p_value: float, level: float, folds: FoldValues, plain: FoldValues, measure: str
) -> str:
    if place == 0:
        return "plain tree"
    if np.array_equal(rounded(folds.values[measure]), rounded(plain.values[measure]), equal_nan=True):
        return "equal"
    if math.isnan(p_value):
        return "not tested"
    if p_value > level:
        return "no difference"
    return "better" if gain > 0 else "worse"
