"""The choice of the known classes of an open set.

Trees and methods see a header that declares the known classes only, so that every k in a formula is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from wekaconf import bridge
from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.data import Dataset, header_of


def draw_known(data: Dataset, leave_out: Literal["half", "one"], seed: int) -> tuple[str, ...]:
    """Draw which classes are known in an open set.

    Parameters
    ----------
    data : Dataset
    leave_out : {"half", "one"}
        How many of the classes that have instances are unknown; the smaller half if their number is odd.
    seed : int
        Seed of Weka's shuffle of those classes; the first of the shuffled classes are unknown.

    Returns
    -------
    tuple of str
        The known classes, in the order of their declaration.

    Raises
    ------
    OptionError
        Fewer than two classes would be known.
    """
    header_of(data)
    check_leave_out(leave_out)
    present = np.flatnonzero(np.bincount(data.class_values[data.class_values >= 0], minlength=data.n_classes))
    n_foreign = 1 if leave_out == "one" else len(present) // 2
    if len(present) - n_foreign < 2:
        raise OptionError(
            f"'{data.relation}' has instances of {len(present)} classes; without {leave_out} of them "
            f"{len(present) - n_foreign} would be known, and a tree needs 2",
            value_of="leave_out",
        )
    foreign = set(present[bridge.shuffle(len(present), seed)[:n_foreign]].tolist())
    return tuple(name for c, name in enumerate(data.class_names) if c not in foreign)


def check_leave_out(leave_out: object) -> None:
    """Raise OptionError unless the value is "half" or "one"."""
    if leave_out not in ("half", "one"):
        raise OptionError(parameter="leave_out", expected="'half' or 'one'", got=f"'{leave_out}'")


def indices_of_known(data: Dataset, known: Sequence[Sequence[str]], n_runs: int) -> list[np.ndarray[Any, Any]]:
    """The indices of the known classes of each run, ascending; OptionError if the set would not be open."""
    if len(known) != n_runs:
        raise OptionError(
            parameter="known", expected=f"one sequence of class names for each of the {n_runs} runs", got=repr(known)
        )
    index = data.header.class_attribute.value_index
    present = set(data.class_values.tolist())
    indices = []
    for names in known:
        for name in names:
            if name not in index:
                raise OptionError(
                    f"'{data.relation}' has no class '{name}'; its classes are {name_list(data.class_names, name)}",
                    parameter="known",
                )
        chosen = sorted({index[name] for name in names})
        if len(chosen) < 2:
            raise OptionError(f"a tree needs at least 2 classes, got {name_list(names) or 'none'}", parameter="known")
        if not present - {-1, *chosen}:
            raise OptionError(
                f"'{data.relation}' has no instance of another class, so the set is not open", parameter="known"
            )
        indices.append(np.array(chosen))
    return indices
