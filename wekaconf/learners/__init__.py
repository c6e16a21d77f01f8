"""The growers that are not Weka's."""

from collections.abc import Callable

from wekaconf.data.dataset import Dataset
from wekaconf.learners.cart.grow import grow_cart, note_missing_values
from wekaconf.learners.info_gain.grow import grow_info_gain, grow_info_gain_bagging
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror

LEARNERS: dict[str, Callable[..., TreeMirror | Forest]] = {
    "CART": grow_cart,
    "info_gain": grow_info_gain,
    "info_gain_bagging": grow_info_gain_bagging,
}
"""Every learner by name: what grows its tree, called as ``(train, options="")``."""

NOTES: dict[str, Callable[[Dataset], None]] = {"CART": note_missing_values}
"""What a learner has to say of its training data, once for all folds."""
