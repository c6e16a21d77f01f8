"""Pages for a browser: the report of a study, and the page of a model."""

from wekaconf.report._model_page import ModelPage
from wekaconf.report._model_page.gathering import MOST_ROWS, Rows
from wekaconf.report._page import ComparisonOptions, Report
from wekaconf.report._page.papers import TITLE, VERDICTS, Paper, read_papers, verdict_counts

__all__ = [
    "MOST_ROWS", "TITLE", "VERDICTS", "ComparisonOptions", "ModelPage", "Paper", "Report", "Rows", "read_papers",
    "verdict_counts",
]  # fmt: skip
