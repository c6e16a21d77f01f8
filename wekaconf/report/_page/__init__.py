"""A report as one page for a browser, with the same as LaTeX and CSV."""

from wekaconf.report._page.rendering import ComparisonOptions, Report

__all__ = ["ComparisonOptions", "Report"]
