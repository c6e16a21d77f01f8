"""Methods compared over data sets: means, marks of significance, ranks, and sentences that are computed from them."""

from wekaconf.report._titles import protocol_of, way_of, with_options
from wekaconf.report.comparison._comparing import TESTS, Comparison, by_protocol, compare, protocol_key
from wekaconf.report.comparison._measures import SMALLER_IS_BETTER, WORDS, value_text

__all__ = [
    "SMALLER_IS_BETTER",
    "TESTS",
    "WORDS",
    "Comparison",
    "by_protocol",
    "compare",
    "protocol_key",
    "protocol_of",
    "value_text",
    "way_of",
    "with_options",
]  # fmt: skip
