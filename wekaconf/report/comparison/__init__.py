"""Methods compared over data sets: means, marks of significance, ranks, and sentences that are computed from them."""

from wekaconf.report.comparison.comparing import Comparison, compare

__all__ = ["Comparison", "compare"]
