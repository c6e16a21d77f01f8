"""Tables of results and of rejecting, as text, CSV, JSON and LaTeX, and the references below them."""

from wekaconf.report._references import cite
from wekaconf.report._reject_tables import CHOSEN_ON, KNOWN_HEADING, KNOWN_MEANING, choice_lines, choice_record
from wekaconf.report._result_tables import (
    COLUMNS,
    HEADINGS,
    MEANINGS,
    print_json,
    print_latex,
    print_tables,
    write_csv,
    write_json,
)
from wekaconf.report._table_formats import quote_cell, write_rows

__all__ = [
    "CHOSEN_ON", "COLUMNS", "HEADINGS", "KNOWN_HEADING", "KNOWN_MEANING", "MEANINGS",
    "choice_lines", "choice_record", "cite", "print_json", "print_latex", "print_tables",
    "quote_cell", "write_csv", "write_json", "write_rows",
]  # fmt: skip
