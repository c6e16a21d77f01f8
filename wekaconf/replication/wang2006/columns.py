"""The columns of Tables 3 and 4 of Wang and Zhang 2006, and the controls that are measured on the same trees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

Reading = Literal["table", "text", "honest"]
KEYS = ("C", "S", "W", "own", "M", "L", "B")
"""The columns in their printed order; "own" is the tree's own answer, C45 or C44."""
LEAKING = ("W", "C")
"""The columns whose table reading is shown the class of the test instances."""
TREES = {3: "C45", 4: "C44"}
"""The start of the column names of each table."""


@dataclass(frozen=True)
class Column:
    """A figure that is measured on every data set.

    Parameters
    ----------
    table : int
        3 or 4.
    key : str
        The printed column to compare it with, one of `KEYS`; empty for a control, which has none.
    reading : {"table", "text", "honest"}
        See `wekaconf.replication.wang2006.study`.
    method : str
        The method as it is written on the command line.
    learner, options : str
        See `wekaconf.grow`.
    """

    table: int
    key: str
    reading: Reading
    method: str
    learner: str
    options: str = ""

    @property
    def name(self) -> str:
        """The printed name, such as C45-W or C45; the method for a control."""
        return printed_name(self.table, self.key) if self.key else self.method

    @property
    def sees_test_class(self) -> bool:
        """Whether it is shown the class of the test instances."""
        return self.reading == "table" and self.key in LEAKING


def printed_name(table: int, key: str) -> str:
    """A column's name as it is printed."""
    return TREES[table] if key == "own" else f"{TREES[table]}-{key}"


def _columns(table: int, learner: str, uncut: str, bagging: str) -> list[Column]:
    """The columns measured on the trees of a table; ``uncut`` are the options of Ling and Yan's J48."""
    column = partial(Column, table, learner=learner)
    return [
        column("C", "table", "shrinkage_wpe"),
        column("S", "table", "shrinkage"),
        column("W", "table", "wpe"),
        column("own", "table", "leaf_frequency"),
        column("M", "table", "m_branch"),
        Column(table, "L", "table", "ling_yan", "J48", uncut),
        Column(table, "B", "table", "leaf_frequency", "Bagging", bagging),
        column("C", "text", "shrinkage_wpe:reading=text"),
        column("S", "text", "shrinkage:reading=text"),
        column("W", "text", "wpe"),
        column("C", "honest", "shrinkage_wpe"),
        column("S", "honest", "shrinkage"),
        column("W", "honest", "wpe"),
        column("own", "honest", "leaf_frequency"),
        column("", "honest", "wpe:node=root"),
        column("", "honest", "shrinkage_wpe:weights=uniform"),
        column("", "honest", "curtailment"),
    ]


TEN_BAGS = "-I 10 -W weka.classifiers.trees.J48"
COLUMNS = (*_columns(3, "J48", "-U", TEN_BAGS), *_columns(4, "C44", "-U -O", f"{TEN_BAGS} -- -U -O -A"))
