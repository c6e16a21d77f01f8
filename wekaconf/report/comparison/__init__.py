"""Methods compared over data sets: means, marks of significance, ranks, and sentences that are computed from them."""

from wekaconf.report.comparison.comparing import TESTS, Comparison, by_protocol, compare, protocol_key
from wekaconf.report.comparison.measures import SMALLER_IS_BETTER, WORDS, written
from wekaconf.report.titles import protocol_of, way_of, with_options

__all__ = [
    "SMALLER_IS_BETTER",
    "TESTS",
    "WORDS",
    "Comparison",
    "by_protocol",
    "compare",
    "protocol_key",
    "protocol_of",
    "way_of",
    "with_options",
    "written",
]
