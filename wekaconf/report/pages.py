"""Pages for a browser: the report of a study, and the page of a model."""

from wekaconf.report._model_page import ModelPage
from wekaconf.report._model_page.gathering import MOST_ROWS, Rows
from wekaconf.report._page import ComparisonOptions, Report

__all__ = ["MOST_ROWS", "ComparisonOptions", "ModelPage", "Report", "Rows"]
