"""Methods compared over data sets: means, marks of significance, ranks, and sentences that are computed from them."""

from wekaconf.report._titles import protocol_of, with_options
from wekaconf.report.comparison._comparing import TESTS, Comparison, compare
from wekaconf.report.comparison._measures import SMALLER_IS_BETTER, WORDS, value_text

__all__ = [
    "SMALLER_IS_BETTER",
    "TESTS",
    "WORDS",
    "Comparison",
    "compare",
    "protocol_of",
    "value_text",
    "with_options",
]  # fmt: skip
