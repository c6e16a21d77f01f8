"""Growers that are not Weka's, `cart/` and `info_gain/`; `foreign/` imports trees that other programs grew."""

from importlib import import_module
from pkgutil import iter_modules

import wekaconf.bridge.learners  # noqa: F401 - Weka's, which register themselves as ours do below
from wekaconf.tree.learner import available_learners, learner_class, learner_named

__all__ = ["available_learners", "learner_class", "learner_named"]

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")
