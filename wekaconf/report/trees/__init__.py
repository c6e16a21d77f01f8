"""Trees as text (Weka's own form), as Graphviz graphs and as JSON."""

from wekaconf.report._java_numbers import JAVA
from wekaconf.report.trees._graph import render_dot
from wekaconf.report.trees._json_text import render_json
from wekaconf.report.trees._picture import write_tree
from wekaconf.report.trees._text import render_text

__all__ = ["JAVA", "render_dot", "render_json", "render_text", "write_tree"]
