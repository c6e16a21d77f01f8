"""One page for a browser that shows a fitted method and its tree, and answers in the page.

The page computes its answers itself, from the arrays of a model file, so that typed values are answered without Python;
each method is written once more in JavaScript, and tests hold both against each other at 1e-12 in a browser. Python
compiled to WebAssembly would be 20 MB and seconds of start. What follows from tree and arrays the page derives again,
unless that takes much code. Dates are written and typed by the clocks of the zone in which the training data were read,
which the page holds: a browser reads "2024-06-26 08:00" in the reader's time zone and makes 1 July of 31 June. A typed
comma is decimal, but "24,829" may be either number and is refused. The drawing has boxes only for what is in view,
since elements, not the layout, take long in a browser.
"""

from wekaconf.report._model_page.rendering import ModelPage

__all__ = ["ModelPage"]
