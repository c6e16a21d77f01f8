"""The readings of Wang and Zhang 2006 that reproduce the printed Tables 3 and 4.

**They use the class of the test instances.** The published figures of WPE and of the combination are reproduced only
if Equation 5 also compares the class of the test instance, which the paper's text rules out. That is inferred from the
match; the authors' program was not available. So these readings are for replication only. They are not methods:
`wekaconf.method` does not know them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.rounding import rounded
from wekaconf.base.words import Owner
from wekaconf.data import Dataset
from wekaconf.methods.contract import Method, Reply
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch
from wekaconf.methods.smoothing import WPE, Shrinkage, ShrinkageWPE
from wekaconf.tree import Forest, Routing


class TableShrinkage(Shrinkage, is_registered=False):
    """Columns C45-S and C44-S: Algorithm DIW does not remove x; instances are ranked after rounding to 12 decimals."""

    is_table_reading: ClassVar[bool] = True
    removes: ClassVar[bool] = False

    def _answer(self, data: Dataset) -> Reply:
        reply = super()._answer(data)
        return replace(reply, ranking=rounded(reply.proba))


class TableWPE(WPE, is_registered=False):
    """Columns C45-W and C44-W: the class of the test instance is compared; ranked by normalised scores.

    Normalising breaks some ties.
    """

    is_table_reading: ClassVar[bool] = True
    sees_class: ClassVar[bool] = True

    def _answer(self, data: Dataset) -> Reply:
        raw, normalised = self._mixed(data)
        return Reply(raw, ranking=normalised)


class TableShrinkageWPE(ShrinkageWPE, is_registered=False):
    """Columns C45-C and C44-C: the class of the test instance is compared; ranked by the raw scores."""

    is_table_reading: ClassVar[bool] = True
    sees_class: ClassVar[bool] = True

    def _answer(self, data: Dataset) -> Reply:
        raw, normalised = self._mixed(data)
        return Reply(normalised, ranking=raw, scores=raw)


class TableLeafFrequency(LeafFrequency, is_registered=False):
    """Column C44: the Laplace correction of the Weka of 2006. It does not use the class of test instances.

    (n_c + 1) / (n + k), where k is the number of classes present at the parent of the leaf, so 1 / k at an empty leaf;
    not normalised.
    """

    is_table_reading: ClassVar[bool] = True

    def _answer(self, data: Dataset) -> Reply:
        reply, tree = super()._answer(data), self.tree_
        if isinstance(tree, Forest) or tree.routing != Routing.J48_LAPLACE:
            return reply
        n_present = (tree.class_weight[np.maximum(tree.parent, 0)] > 0).sum(axis=1)
        answer = (tree.class_weight + 1) / (tree.total + n_present)[:, None]
        return replace(reply, ranking=replace(tree.router, answer=answer).distributions(data.values))


TABLE_READINGS: dict[type[Method], type[Method]] = {
    Shrinkage: TableShrinkage,
    WPE: TableWPE,
    LeafFrequency: TableLeafFrequency,
    ShrinkageWPE: TableShrinkageWPE,
}


def table_reading(method: Method) -> Method:
    """The reading of a method that reproduces its published column.

    Parameters
    ----------
    method : Method
        Not fitted. A method whose published column follows from the text is returned as it is.

    Returns
    -------
    Method
        With the parameters of ``method``. If its ``sees_class`` is set it uses the class of the instances it answers
        for.

    Raises
    ------
    OptionError
        The paper has no such column: it is for another method, or for parameters other than the defaults (``numeric``
        may differ; and ``iterations`` and ``tolerance`` of the combination, as in Figure 3).
    """
    known = TABLE_READINGS.get(type(method))
    if known is not None:
        usual = type(method)().params
        free = {"numeric", "iterations", "tolerance"} if isinstance(method, ShrinkageWPE) else {"numeric"}
        unusual = [
            f"{name}={value}" for name, value in method.params.items() if value != usual[name] and name not in free
        ]
        if unusual:
            raise OptionError(f"the tables of wang2006 have no column with {', '.join(unusual)}", of=method.name)
        return known(**method.params)
    if isinstance(method, MBranch | LingYan):
        return method
    kinds: tuple[type[Method], ...] = (*TABLE_READINGS, MBranch, LingYan)
    names = sorted(kind.name for kind in kinds)
    raise OptionError(
        Owner(method.name), f" has no column in the tables of wang2006; those that have one are {', '.join(names)}"
    )
