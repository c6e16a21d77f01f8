"""Pictures for papers, one per file: each draws on axes that it is given, and into a file.

Commands, displays of estimators and replications share them. They have no title: a paper has captions, and they are
the author's.
"""

from wekaconf.report.pictures._answer_curves import (
    calibration_of,
    class_weights,
    n_instances,
    risk_coverage_of,
    roc_of,
)  # fmt: skip
from wekaconf.report.pictures._boundary import (
    CELLS,
    FEW_CELLS,
    Section,
    describe_held,
    draw_points,
    draw_scale,
    draw_section,
    entries_of,
    plane_of,
    plot_boundary,
    typical_values,
)  # fmt: skip
from wekaconf.report.pictures._intervals import first_with_intervals, plot_intervals
from wekaconf.report.pictures._of_evaluations import (
    check_roc,
    draw_calibration,
    draw_roc,
    write_answers,
    write_risk_coverage,
)  # fmt: skip
from wekaconf.report.pictures._risk_coverage import (
    BEFORE_THE_FIRST,
    CIRCLE,
    TOO_FEW,
    begins_late,
    draw_risk_curve,
    label_risk_coverage,
)  # fmt: skip
from wekaconf.report.pictures._routes import plot_routes, ways_of
from wekaconf.report.pictures._weights import path_weights, plot_weights

__all__ = [
    "BEFORE_THE_FIRST", "CELLS", "CIRCLE", "FEW_CELLS", "TOO_FEW", "Section", "begins_late", "calibration_of",
    "check_roc", "class_weights", "describe_held", "draw_calibration", "draw_points", "draw_risk_curve", "draw_roc",
    "draw_scale", "draw_section", "entries_of", "first_with_intervals", "label_risk_coverage", "n_instances",
    "path_weights", "plane_of", "plot_boundary", "plot_intervals", "plot_routes", "plot_weights", "risk_coverage_of",
    "roc_of", "typical_values", "ways_of", "write_answers", "write_risk_coverage",
]  # fmt: skip
