"""The growers that are not Weka's."""

from collections.abc import Callable

from wekaconf.dataset import Dataset
from wekaconf.learners.cart import grow_cart, note_missing_values
from wekaconf.tree import TreeMirror

LEARNERS: dict[str, Callable[..., TreeMirror]] = {"CART": grow_cart}
"""Every learner by name: what grows its tree, called as ``(train, options="")``."""

NOTES: dict[str, Callable[[Dataset], None]] = {"CART": note_missing_values}
"""What a learner has to say of its training data, once for all folds."""
