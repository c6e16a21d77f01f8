"""Chooses between the numpy form and the compiled form of all code that has both."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import wekaconf.model.scheme  # noqa: F401 - loads every module that has two forms

WITH_TWO_FORMS = [
    module
    for name, module in [*sys.modules.items()]
    if name.startswith("wekaconf.") and "compiled_pays" in vars(module)
]
"""Modules that choose between a numpy and a compiled form."""


@contextmanager
def form(*, is_compiled: bool) -> Iterator[None]:
    """Use the same form in all modules that have a numpy form and a compiled form."""
    with ExitStack() as held:
        for module in WITH_TWO_FORMS:
            held.enter_context(patch.object(module, "compiled_pays", lambda *_: is_compiled))
        yield
