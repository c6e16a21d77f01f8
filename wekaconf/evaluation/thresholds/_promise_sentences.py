"""Sentences on what the thresholds of a choice promise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from wekaconf.base.errors import NotReached, tell_again
from wekaconf.base.naming import counted, name_list, quoted
from wekaconf.data.wording import bound_text, percent, percent_bound
from wekaconf.evaluation.promises import CostPromise, Level, Promise, least_answers, tail
from wekaconf.evaluation.thresholds._choice import Choice

WORSE_THAN_A_COIN = 0.5
"""An error from which on nobody wants a promise."""
MOST_TIMES = 20
"""How many times as many calibration rows as there are may be advised."""
MOST_NEEDED = 1_000_000
"""The largest number of calibration rows that are advised."""


def promise_lines(choice: Choice, class_names: Sequence[str]) -> list[str]:
    """A sentence for each promise of a choice, and one on the classes of which nothing is promised."""
    assert choice.aim.confidence is not None
    lines = [promise_sentence(promise, choice.aim.confidence) for promise in choice.promises]
    if others := classes_without_promise(choice, class_names):
        lines.append(f"every answer {name_list(others)} is given, without a promise")
    return lines


def classes_without_promise(choice: Choice, class_names: Sequence[str]) -> list[str]:
    """The classes whose answers are given without a promise, where there are promises for the answers of others."""
    named = {promise.class_name for promise in choice.promises}
    return [] if not named or "" in named else [name for name in class_names if name not in named]


def promise_sentence(promise: Promise | CostPromise, confidence: float) -> str:
    """A sentence on what is promised, and the counts that show it; or why it cannot be, and what can."""
    if not promise.is_reached:
        sure = _with_confidence(confidence)
        words = _cost_refusal(promise, sure) if isinstance(promise, CostPromise) else _refusal(promise, sure)
        return "".join(words)
    rows = f"{counted(promise.n, 'calibration row')}{' with such an answer' if promise.class_name else ''}"
    cost = f", at a mean cost of {promise.cost / promise.n:.4g}" if isinstance(promise, CostPromise) else ""
    return (
        f"threshold {promise.threshold:.6g}: {promised(promise, confidence)}; of {rows} it answers {promise.answered}, "
        f"{promise.wrong} of them wrong{cost}"
    )


def promised(promise: Promise | CostPromise, confidence: float) -> str:
    """A clause on what is promised, where it can be."""
    sure = _with_confidence(confidence)
    if isinstance(promise, CostPromise):
        return f"{sure}, the mean cost per row is at most {promise.target:g}"
    return f"{sure}, at most {percent(promise.target)} of the {_answers(promise)} given are wrong"


def _with_confidence(confidence: float) -> str:
    return f"with confidence {percent(confidence, 6)}"


def _answers(promise: Promise) -> str:
    return f"answers {quoted(promise.class_name)}" if promise.class_name else "answers"


def _cost_refusal(promise: CostPromise, sure: str) -> Iterator[str]:
    rejection = promise.costs.rejection
    yield (
        f"{counted(promise.n, 'calibration row')} cannot show {sure} that the mean cost per row is at most "
        f"{promise.target:g}, so all are rejected, at a cost of {rejection:g} per row"
    )
    if promise.best is None:
        yield "; these rows can promise nothing"
    elif promise.best[0] >= rejection:
        yield "; no mean cost below that can be promised by these rows"
    else:
        bound, coverage = promise.best
        yield f"{_can_promise(bound, promise.target)} at most {bound_text(bound)} per row"
        yield f", at coverage {percent(coverage)}"


def _refusal(promise: Promise, sure: str) -> Iterator[str]:
    target = percent(promise.target)
    yield f"it cannot be shown {sure} that at most {target} of the {_answers(promise)} are wrong, so all are rejected"
    yield from _reason(promise)
    if promise.best is None or promise.best[0] >= WORSE_THAN_A_COIN:
        yield "; leave these answers to a human" if promise.class_name else "; these rows can promise nothing"
        return
    bound, coverage = promise.best
    yield f"{_can_promise(bound, promise.target)} at most {percent_bound(bound)} wrong, at coverage {percent(coverage)}"


def _reason(promise: Promise) -> Iterator[str]:
    """Why a target cannot be shown, and what may help: more rows, or a better certainty."""
    least = least_answers(promise.target, promise.delta)
    rows = f"{counted(promise.n, 'calibration row')} {'has' if promise.n == 1 else 'have'} such an answer"
    if not promise.class_name:
        rows = f"there {'is' if promise.n == 1 else 'are'} {counted(promise.n, 'calibration row')}"
    if promise.n < least:
        yield (
            f": it takes at least {counted(least, 'answer')} without an error, and {rows}, {least - promise.n} too few"
        )
    elif not promise.levels:
        yield f": {rows}, and no certainty is known that could be tested"
    else:
        level = promise.levels[int(promise.bounds.argmin())]
        if not level.answered:
            yield f": {rows}, and none is certain enough to be answered"
            return
        error, share = level.wrong / level.answered, percent(level.answered / promise.n)
        verb, such = "is" if level.wrong == 1 else "are", " with such an answer" if promise.class_name else ""
        found = (
            f"of the {level.answered} most certain calibration rows{such} ({share}) {level.wrong} {verb} answered "
            "wrongly"
        )
        better = "better columns may help, and of the methods 'second_opinion' tells wrong answers best"
        if error < promise.target:
            n = _rows_needed(promise, level)
            if n <= promise.n:
                why = "which the tests, whose order is fixed beforehand, did not come to"
            elif n <= MOST_TIMES * promise.n:
                why = f"too few answers to show it; about {n:,} calibration rows{such or ' like these'} would"
            else:
                why = f"too close to the target to be shown by any number of rows within reach; {better}"
            yield f": {found} ({percent(error)}), {why}"
        else:
            yield f": {found} ({percent(error)}), too many for any number of rows; {better}"


def _rows_needed(promise: Promise, level: Level) -> float:
    """How many calibration rows, answered and wrong as these are, would show the target; ∞: more than a million."""
    share, error = level.answered / promise.n, level.wrong / level.answered
    n = np.unique(np.geomspace(promise.n, MOST_NEEDED, 400).astype(np.int64))
    answered = np.round(n * share)
    is_shown = tail(np.ceil(error * answered), answered, promise.target) <= promise.delta
    lasting = np.flatnonzero(np.logical_and.accumulate(is_shown[::-1])[::-1])
    if not len(lasting):
        return math.inf
    needed = int(n[lasting[0]])
    digits = 10 ** max(len(str(needed)) - 2, 0)
    return math.ceil(needed / digits) * digits


def tell_not_reached(choice: Choice, what: str = "") -> None:
    """Give a `NotReached` note if no threshold reaches the aim of a choice, with the best that can be reached."""
    if choice.is_reached:
        return
    if choice.aim.confidence is not None:
        unkept = (promise for promise in choice.promises if not promise.is_reached)
        text = "; ".join(promise_sentence(promise, choice.aim.confidence) for promise in unkept)
    else:
        text = f"no threshold reaches the aim ({choice.aim}), so every answer is rejected"
        if choice.reachable is not None:
            best = choice.reachable.figures
            text += f"; the smallest error is {percent(best.error)}, at coverage {percent(best.coverage)}"
    tell_again(NotReached(what + text))


def nearest_target(choice: Choice) -> str:
    """The options for the best target that a model can promise, where it cannot promise its own; else empty."""
    targets = []
    for promise in choice.promises:
        if not promise.is_reached and not _is_offer(promise):
            return ""
        target = f"{promise.target:g}" if promise.is_reached or promise.best is None else bound_text(promise.best[0])
        targets.append(f"{promise.class_name}={target}" if promise.class_name else target)
    if choice.is_reached or not targets:
        return ""
    option = "--target-error" if choice.aim.reject_costs is None else "--target-cost"
    return f"{option} {','.join(targets)}"


def _is_offer(promise: Promise | CostPromise) -> bool:
    """Whether there is another target that these rows can promise, and that a person may want."""
    if promise.best is None or float(bound_text(promise.best[0])) <= promise.target:
        return False
    most = promise.costs.rejection if isinstance(promise, CostPromise) else WORSE_THAN_A_COIN
    return promise.best[0] < most


def _can_promise(bound: float, target: float) -> str:
    """The words before the best bound, which a test of its own shows; it may lie below the target that was refused."""
    if bound > target:
        return "; what these rows can promise:"
    return "; the test of all other targets at once, which is another one, shows"
