"""Protocol of an evaluation: splits into training and test rows, and the classes that are known."""

from wekaconf.evaluation.protocol._protocol import Prepared, Protocol
from wekaconf.evaluation.protocol._splits import draw_known, splits

__all__ = ["Prepared", "Protocol", "draw_known", "splits"]
