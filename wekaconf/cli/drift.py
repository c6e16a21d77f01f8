"""Says in what a file is not like the training data, for all commands that answer for one."""

from __future__ import annotations

from wekaconf.cli.console import say
from wekaconf.data import Dataset, Outside
from wekaconf.evaluation.checks import Drift
from wekaconf.methods.contract import LeavesOneOut
from wekaconf.model.fitted import Model
from wekaconf.report.answers import difference_lines


def compare_with_training(model: Model, data: Dataset, outside: Outside | None) -> Drift | None:
    """In what rows, of which it is known what lies ``outside``, are not like the training data.

    None: the model keeps no summary of these.

    Answers are compared, too, but for methods that grow trees for each row, which would take long.
    """
    if model.summary is None:
        return None
    return model.compare(data, answers=not isinstance(model.method, LeavesOneOut), outside=outside)


def drift_lines(drift: Drift | None, what: str) -> list[str]:
    """The lines on a file that is not ordinary; none on another, or if nothing is known."""
    return [] if drift is None or drift.is_ordinary else difference_lines(drift, what)


def say_drift(drift: Drift | None, what: str) -> None:
    """Print these lines, as a warning if the answers cannot be relied on."""
    for line in drift_lines(drift, what):
        say(line, is_folded=True, is_warning=drift is not None and (bool(drift.far) or not drift.promise_stands))
