"""The answers of a file: as a file, as a summary, and what the file has that training had not."""

from wekaconf.report._answer_files import ENDINGS, Write, answer_file, holds_kinds, is_read_by_people
from wekaconf.report._answer_summary import (
    Summary,
    difference_line,
    difference_lines,
    difference_record,
)
from wekaconf.report._predictions import LeastCertain, Predictions

__all__ = [
    "ENDINGS", "LeastCertain", "Predictions", "Summary", "Write", "answer_file", "difference_line",
    "difference_lines", "difference_record", "holds_kinds", "is_read_by_people",
]  # fmt: skip
