"""The growers that are not Weka's."""

from collections.abc import Callable

from wekaconf.dataset import Dataset
from wekaconf.learners.cart import grow_cart, note_missing_values
from wekaconf.learners.info_gain import grow_info_gain, grow_info_gain_bagging
from wekaconf.tree import Forest, TreeMirror

LEARNERS: dict[str, Callable[..., TreeMirror | Forest]] = {
    "CART": grow_cart,
    "info_gain": grow_info_gain,
    "info_gain_bagging": grow_info_gain_bagging,
}
"""Every learner by name: what grows its tree, called as ``(train, options="")``."""

NOTES: dict[str, Callable[[Dataset], None]] = {"CART": note_missing_values}
"""What a learner has to say of its training data, once for all folds."""
