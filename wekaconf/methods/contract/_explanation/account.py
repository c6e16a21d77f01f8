"""The explanation of one answer: the answer, its reason, and the steps that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wekaconf.data.wording import decimal_mark
from wekaconf.methods.contract._explanation import html, text
from wekaconf.methods.contract._explanation.step import Step


@dataclass(frozen=True)
class Account:
    """The explanation of an answer for one instance.

    Parameters
    ----------
    class_names : tuple of str
    predicted : int
        The most probable class.
    reason : str
        The answer, what to do, and why, in one sentence without a period.
    steps : Step
        How the distribution follows from numbers: its result is the row of ``Answer.proba``.
    certainty : Step
        How the certainty follows from numbers; its result is one number.
    decimal : str
        The mark before the decimals of numbers in texts.
    """

    class_names: tuple[str, ...]
    predicted: int
    reason: str
    steps: Step
    certainty: Step
    decimal: str = "."

    @property
    def proba(self) -> tuple[float, ...]:
        """(n_classes,) tuple of float: the distribution."""
        assert isinstance(self.steps.result, tuple)
        return self.steps.result

    def to_dict(self) -> dict[str, Any]:
        """The explanation as JSON types; numbers may be infinite or NaN."""
        return {
            "predicted": self.class_names[self.predicted],
            "proba": dict(zip(self.class_names, self.proba, strict=True)),
            "certainty": self.certainty.result,
            "reason": self.reason,
            "steps": self.steps.to_dict(),
            "certainty_steps": self.certainty.to_dict(),
        }

    def __str__(self) -> str:
        """The explanation as text, one line per step."""
        with decimal_mark(self.decimal):
            return text.account_text(self.class_names, self.reason, self.steps, self.certainty)

    @property
    def steps_html(self) -> str:
        """What notebooks show below the reason; every text is escaped."""
        with decimal_mark(self.decimal):
            return html.steps_html(self.class_names, self.steps, self.certainty)

    def _repr_html_(self) -> str:
        """The explanation as notebooks show it; every text is escaped."""
        with decimal_mark(self.decimal):
            return html.account_html(self.class_names, self.reason, self.steps, self.certainty)
