"""What `combined` costs: fitting beside growing the tree and asking its sides, answering beside its sides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from benchmarks._measuring import Row, side_by_side, uci

import wekaconf as wc
from wekaconf.methods.combined import SIDES

ALLOWED_FITTING, ALLOWED_ANSWERING = 15, 1.2
CASES = {"credit-g": "J48", "spambase": "J48", "kr-vs-kp": "J48", "page-blocks": "REPTree"}


def combined() -> Iterator[Row]:
    """Fitting in processor time, and answering, on trees of Weka."""
    for name, learner in CASES.items():
        data = uci(name)
        sides = [wc.method(side, **params) for side, params in SIDES]
        tree = wc.grow(data, learner)

        def ask_once(data: wc.Dataset = data, learner: str = learner, sides: list[wc.PostProcessor] = sides) -> None:
            grown = wc.grow(data, learner)
            for side in sides:
                side.unfitted().fit(grown, data).answer(data).certainty.sum()

        ask_once()
        fitted = wc.Combined().fit(tree, data)
        ours, other = processor(lambda tree=tree, data=data: wc.Combined().fit(tree, data)), processor(ask_once)  # type: ignore[misc]
        claim = f"{name}, {learner}: fitting `combined`, against growing the tree and asking its sides, processor time"
        yield Row(claim, ours, other, ALLOWED_FITTING, is_cost=True)

        def ask_sides(data: wc.Dataset = data, members: tuple[wc.PostProcessor, ...] = fitted.members_) -> None:
            for side in members:
                answer = side.answer(data)
                assert len(answer.proba) == len(answer.certainty)

        times = side_by_side(lambda fitted=fitted, data=data: fitted.certainty(data), ask_sides)  # type: ignore[misc]
        yield Row(
            f"{name}, {learner}: answering by `combined`, against its sides", *times, ALLOWED_ANSWERING, is_cost=True
        )


def processor(job: Callable[[], object]) -> float:
    """Seconds of the processor, of all threads."""
    began = time.process_time()
    job()
    return time.process_time() - began
