"""TPCE and Kukar and Kononenko's reliability: the instance joins the training data (Costa 2013)."""

from wekaconf.methods.transductive.base import over_sum
from wekaconf.methods.transductive.kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive.tpce import TPCE

__all__ = ["TPCE", "KukarKononenko", "over_sum"]
