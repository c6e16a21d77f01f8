"""The purposes of methods, and the measures that say how well a method serves a purpose."""

from __future__ import annotations

from typing import NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives, guess


class Purpose(NamedTuple):
    """Something that a method is used for.

    Parameters
    ----------
    name : str
    title : str
        The purpose in a heading.
    measures : tuple of str
        Measures of `wekaconf.evaluation.summaries`; the first decides.
    """

    name: str
    title: str
    measures: tuple[str, ...]

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return self.measures[0]

    @property
    def is_about_certainty(self) -> bool:
        """Whether the answers are for rejecting those of low certainty."""
        return self.name in ("rejecting", "foreign")


PURPOSES = {
    purpose.name: purpose
    for purpose in (
        Purpose("ranking", "ranking instances", ("auc_weighted", "auc_hand_till")),
        Purpose("probabilities", "trustworthy probabilities", ("brier", "log_loss", "ece")),
        # AURC decides: the AUC of correct against wrong answers looks purer, but a method can win it by making errors
        # that are easy to spot, as `curtailment` does.
        Purpose("rejecting", "rejecting wrong answers", ("aurc", "auc_reliability", "error_at_0.8")),
        Purpose("foreign", "rejecting unknown classes", ("auroc_known",)),
    )
}
"""Every purpose by its name."""


def purpose_of(name: str, *, is_open: bool = False) -> Purpose:
    """The purpose of that name; in an open set, rejecting means rejecting instances of unknown classes.

    Raises
    ------
    OptionError
        There is no such purpose, or unknown classes are to be noticed where there are none.
    """
    if name not in PURPOSES:
        raise OptionError(
            parameter="purpose", expected=alternatives(PURPOSES), got=f"'{name}'", advice=guess(str(name), PURPOSES)
        )
    if name == "foreign" and not is_open:
        raise OptionError(
            "foreign needs an open set; say which classes are known, or leave some out", parameter="purpose"
        )
    return PURPOSES["foreign"] if is_open and name == "rejecting" else PURPOSES[name]
