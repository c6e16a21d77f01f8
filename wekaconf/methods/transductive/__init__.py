"""TPCE and Kukar and Kononenko's reliability: the instance joins the training data (Costa 2013)."""

from wekaconf.methods.transductive._base import normalise_counts
from wekaconf.methods.transductive._kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive._tpce import TPCE

__all__ = ["TPCE", "KukarKononenko", "normalise_counts"]
