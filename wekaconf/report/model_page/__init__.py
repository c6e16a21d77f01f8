"""One page for a browser that shows a fitted method and its tree, and answers in the page."""

from wekaconf.report.model_page.rendering import ModelPage

__all__ = ["ModelPage"]
