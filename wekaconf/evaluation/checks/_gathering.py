"""Groups of answers that are wrong more often than all other answers: places where errors gather."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from wekaconf.base.naming import counted
from wekaconf.data.arrays import BoolArray
from wekaconf.data.wording import percent
from wekaconf.evaluation.statistics import holm

LEVEL = 0.05
"""The probability with which errors that gather nowhere are said to gather somewhere, at most."""
MOST_TOLD = 3
"""The largest number of groups that are named."""


class ErrorGroup(NamedTuple):
    """A group of rows, and how many answers there are wrong.

    Parameters
    ----------
    name : str
    answered, wrong : int
    p_value : float
        How likely so many of all errors are in so large a group by chance, at most, corrected by Holm.
    """

    name: str
    answered: int
    wrong: int
    p_value: float


class Gathering(NamedTuple):
    """The groups that were tested; see `gathered`.

    Parameters
    ----------
    answered, wrong : int
        Number of all answers, and of wrong ones.
    groups : tuple of ErrorGroup
        By their p-values, the smallest first.
    """

    answered: int
    wrong: int
    groups: tuple[ErrorGroup, ...]

    @property
    def told(self) -> tuple[ErrorGroup, ...]:
        """The groups where errors gather."""
        return tuple(group for group in self.groups if group.p_value <= LEVEL)

    @property
    def lines(self) -> list[str]:
        """The worst three of these groups, or that there are none; no line where nothing could be tested."""
        if not self.groups:
            return []
        tests = f"Holm over {counted(len(self.groups), 'test')}"
        if not self.told:
            least = self.groups[0].p_value
            return [f"no leaf or column shows more errors than chance gives (smallest p = {least:.2g}, {tests})"]
        n_more = len(self.told) - MOST_TOLD
        more = [f"  and in {counted(n_more, 'more group')}"] if n_more > 0 else []
        return [f"errors gather, more than by chance ({tests}):", *map(self._line, self.told[:MOST_TOLD]), *more]

    def _line(self, group: ErrorGroup) -> str:
        elsewhere, wrong = self.answered - group.answered, self.wrong - group.wrong
        share, other_share = percent(group.wrong / group.answered), percent(wrong / elsewhere)
        return (
            f"  {group.name}: {group.wrong} of {counted(group.answered, 'answer')} wrong ({share}), elsewhere "
            f"{other_share} (p = {group.p_value:.2g})"
        )

    def as_record(self) -> dict[str, Any]:
        """The number of tests, and the groups where errors gather, as a mapping that JSON can hold."""
        return {"n_tests": len(self.groups), "groups": [group._asdict() for group in self.told]}

    @classmethod
    def of(cls, groups: Mapping[str, BoolArray], is_answered: BoolArray, is_wrong: BoolArray) -> Self:
        """Test which groups have more errors than chance gives them.

        Parameters
        ----------
        groups : mapping of str to (n_rows,) bool
            The rows of each group, which must not depend on which answers are wrong. Of several with the same answers
            the first counts.
        is_answered, is_wrong : (n_rows,) bool

        Notes
        -----
        Given the number of all answers, of all errors and of answers in a group, the errors in it have a
        hypergeometric distribution if they gather nowhere (Fisher's exact test, one-sided). These numbers also tell
        which groups are too small to be told, whatever their errors are; these are not tested (Tarone).

        References
        ----------
        R. E. Tarone (1990). A modified Bonferroni method for discrete data. Biometrics 46, 515-522.
        """
        from scipy.stats import hypergeom

        wrong = is_wrong[is_answered]
        n, n_wrong = len(wrong), int(wrong.sum())
        distinct = {rows[is_answered].tobytes(): name for name, rows in reversed([*groups.items()])}
        found = {name: np.frombuffer(rows, np.bool_) for rows, name in distinct.items()}
        names = [name for name in groups if name in found and 0 < found[name].sum() < n]
        sizes = np.array([found[name].sum() for name in names], dtype=np.int64)
        errors = np.array([(found[name] & wrong).sum() for name in names], dtype=np.int64)
        least = hypergeom.sf(np.minimum(sizes, n_wrong) - 1, n, n_wrong, sizes)
        tested = np.flatnonzero(least <= LEVEL / max(len(names), 1))
        p_values = holm(np.minimum(hypergeom.sf(errors[tested] - 1, n, n_wrong, sizes[tested]), 1.0))
        order = np.argsort(p_values, kind="stable")
        rows = zip(tested[order].tolist(), p_values[order].tolist(), strict=True)
        return cls(n, n_wrong, tuple(ErrorGroup(names[i], int(sizes[i]), int(errors[i]), p) for i, p in rows))
