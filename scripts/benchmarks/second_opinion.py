"""What `second_opinion` costs: fitting beside growing the tree alone, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks._measuring import Row, uci

import wekaconf as wc
from wekaconf.methods.second_opinion._logistic import Logistic
from wekaconf.methods.second_opinion._naive_bayes import NaiveBayes

ALLOWED_FITTING = 8
CASES = ("credit-g", "spambase", "kr-vs-kp", "page-blocks")
REPEATS = 5


def second_opinion() -> Iterator[Row]:
    """Fitting in processor time, on trees of J48."""
    n_folds = wc.SecondOpinion().folds
    for name in CASES:
        data = uci(name)
        tree = wc.J48().grow(data)
        jobs: dict[str, Callable[[], object]] = {
            "grow": partial(wc.J48().grow_without_notes, data),
            "fit": partial(wc.SecondOpinion().fit, tree, data),
            "naive Bayes": partial(NaiveBayes.fit, tree, data),
            "regression": partial(Logistic.fit, tree, data),
        }
        jobs["fit"]()
        seconds = {job: min(processor(jobs[job]) for _ in range(REPEATS)) for job in jobs}
        parts = ", ".join(f"{1000 * seconds[job]:.0f} ms for {job}" for job in ("naive Bayes", "regression"))
        claim = f"{name}: fitting `second_opinion` ({n_folds} folds and all rows; all: {parts}), against growing J48"
        yield Row(f"{claim}, processor time", seconds["fit"], seconds["grow"], ALLOWED_FITTING, is_cost=True)


def processor(job: Callable[[], object]) -> float:
    """Seconds of the processor, of all threads."""
    began = time.process_time()
    job()
    return time.process_time() - began
