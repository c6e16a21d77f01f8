"""Protocol of an evaluation: splits into training and test rows, and the classes that are known."""

from wekaconf.evaluation.protocol._open_sets import draw_known
from wekaconf.evaluation.protocol._protocol import Prepared, Protocol
from wekaconf.evaluation.protocol._splits import splits

__all__ = ["Prepared", "Protocol", "draw_known", "splits"]
