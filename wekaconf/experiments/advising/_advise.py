"""Cross-validates every method that fits a data set within a budget, and compares it with the plain tree."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.words import Argument
from wekaconf.data import Dataset, header_of
from wekaconf.evaluation.cross_validation import Answers, CrossValidation
from wekaconf.evaluation.protocol import Prepared, Protocol
from wekaconf.evaluation.statistics import check_level
from wekaconf.evaluation.summaries import fold_values
from wekaconf.experiments.advising._advice import Advice
from wekaconf.experiments.advising._candidates import Candidate, Purpose, candidates, purpose_of
from wekaconf.experiments.advising._standings import Measured, compute_standings, make_decisions
from wekaconf.model.export import can_export
from wekaconf.model.scheme import learner_of
from wekaconf.report.comparison import protocol_of
from wekaconf.tree import Forest, Learner, TreeMirror, note_missing_classes

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
    rivals: bool = False,
    exportable: bool = False,
    level: float = 0.05,
    name: str | None = None,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Advice:
    """Which method earns its keep on a data set, for a purpose.

    Every method that fits is cross-validated on the same folds and compared with the plain tree. The method with the
    largest mean gain is the choice; what that gains is measured on folds that did not choose it.

    Parameters
    ----------
    data : Dataset
    purpose : {"rejecting", "ranking", "probabilities", "foreign"}
        ``rejecting``: knowing which answers are wrong (area under the risk-coverage curve); in an open set knowing
        instances of unknown classes (AUROC known/unknown). ``ranking``: ordering instances by the probability
        of a class (weighted AUC, a tie counts ½). ``probabilities``: trustworthy probabilities (Brier score).
        ``foreign``: what ``rejecting`` means in an open set.
    budget : float
        Seconds after which no method goes on; in (0, ∞]. The plain tree is always measured, then `second_opinion`, then
        cheap methods.
    protocol : Protocol, optional
        Ten-fold cross-validation when left out. It must have at least two splits, and no threshold to choose.
    learner, options
        See `wekaconf.evaluate`. Left out: each method reads the trees that its paper uses, or those of J48; a random
        forest and C4.4 are then compared, too.
    rivals : bool
        Whether methods of other packages are measured, too, see `wekaconf.experiments.advising`: those whose
        packages are installed.
    exportable : bool
        Whether only methods on single trees are tried that `Model.export` can write.
    level : float
        In (0, 1): the level of the tests; in the table over all methods together (Holm's correction).
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
    if exportable and rivals:
        raise OptionError(Argument("exportable"), " excludes ", Argument("rivals"), ", which no format holds")
    if exportable and learner is not None and learner_of(learner, options).is_ensemble:
        raise OptionError(
            Argument("exportable"), ": a format holds one tree, and this learner grows several; give one such as J48"
        )
    chosen = purpose_of(purpose, is_open=protocol.is_open)
    if name is not None:
        data = data.renamed(name)
    note_missing_classes(data)
    prepared = protocol.prepare(data)
    began = time.monotonic()
    schemes = candidates(prepared.data, learner, options, rivals_for=chosen if rivals else None)
    if exportable:
        schemes = [each for each in schemes if _is_exportable(each)]
    measured, left_out = _measure(schemes, prepared, protocol, chosen, began + budget, on_progress)
    facts = protocol.facts(prepared.runs)
    standings = compute_standings(measured, chosen.measure, level)
    return Advice(
        data_set=data.relation,
        n_instances=len(data),
        purpose=chosen,
        protocol=protocol_of(facts)
        + (", open set" if protocol.is_open else "")
        + (", methods that can be exported" if exportable else ""),
        level=level,
        budget=float(budget),
        seconds=time.monotonic() - began,
        decisions=make_decisions(measured, standings, chosen.measure, level),
        standings=tuple(sorted(standings, key=lambda each: math.inf if math.isnan(each.gain) else -each.gain)),
        left_out=left_out,
    )


def _is_exportable(candidate: Candidate | str) -> bool:
    return isinstance(candidate, Candidate) and not candidate.is_ensemble and can_export(candidate.method)


def _measure(
    schemes: Sequence[Candidate | str],
    prepared: Prepared,
    protocol: Protocol,
    purpose: Purpose,
    end: float,
    on_progress: Callable[[int, int], None],
) -> tuple[list[Measured], dict[str, str]]:
    """Measure the schemes, the plain tree first, until the time is over; also why others were left out, by name."""
    measured: list[Measured] = []
    template: Answers | None = None
    left_out: dict[str, str] = {}
    growers: dict[str, _GrownOnce] = {}

    def check_time(*_: object) -> None:
        """Raise _OutOfTimeError at the end of the budget, once the plain tree is measured."""
        if measured and time.monotonic() > end:
            raise _OutOfTimeError

    for n_done, candidate in enumerate(schemes):
        on_progress(n_done, len(schemes))
        try:
            check_time()
            if isinstance(candidate, Candidate):
                method, trees, is_ensemble = candidate.label, candidate.trees, candidate.is_ensemble
                grow = growers.setdefault(trees, _GrownOnce(candidate.learner))
                validation = CrossValidation(
                    prepared.data, prepared.runs, {method: grow}, {method: candidate.method}, known=prepared.known,
                    prepare=prepared.prepare, weigh=protocol.weigh,
                )  # fmt: skip
                [answers] = validation.run(on_progress=check_time).values()
            else:
                from wekaconf.experiments.advising._rivals import RIVALS, cross_validated_rival  # need scikit-learn

                assert template is not None  # the plain tree comes first
                method, trees, is_ensemble = candidate, "", RIVALS[candidate].is_ensemble
                answers = cross_validated_rival(
                    candidate, prepared, template, weigh=protocol.weigh, on_split=check_time
                )
        except _OutOfTimeError:
            left_out[str(candidate)] = "the time was over"
        except (OptionError, BridgeError) as error:
            if template is None:
                raise
            left_out[str(candidate)] = str(error)
        else:
            template = answers if template is None else template
            folds = fold_values(answers, purpose.measures)
            measured.append(Measured(method, trees, is_ensemble, isinstance(candidate, str), folds))
    on_progress(len(schemes), len(schemes))
    return measured, left_out
