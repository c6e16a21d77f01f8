"""A report as one page for a browser, with the same as LaTeX and CSV."""

from wekaconf.report.page.gathering import ComparisonOptions
from wekaconf.report.page.rendering import Report

__all__ = ["ComparisonOptions", "Report"]
