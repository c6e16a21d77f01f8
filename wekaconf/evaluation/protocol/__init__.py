"""Protocol of an evaluation: splits, known classes and preprocessing."""

from wekaconf.evaluation.protocol.open_sets import draw_known
from wekaconf.evaluation.protocol.preprocessing import Filters, Preprocessing, fit_filters, fit_preprocessing
from wekaconf.evaluation.protocol.protocol import Prepared, Protocol
from wekaconf.evaluation.protocol.splits import splits

__all__ = [
    "Filters", "Prepared", "Preprocessing", "Protocol", "draw_known", "fit_filters", "fit_preprocessing", "splits",
]  # fmt: skip
