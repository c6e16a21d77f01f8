"""A report as one page for a browser, with the same as LaTeX and CSV."""

from wekaconf.report._page.gathering import ComparisonOptions
from wekaconf.report._page.rendering import Report

__all__ = ["ComparisonOptions", "Report"]
