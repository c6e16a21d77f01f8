"""Weka's decision trees mirrored exactly in Python, and the published methods that say when not to trust them.

Importing this starts no Java virtual machine; the first call that needs Weka does.
"""

import concurrent.futures.thread  # noqa: F401 - a thread that outlives the main thread could no longer import it
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekaconf.public import *  # noqa: F403

__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    """A submodule or a public name, imported when it is first used.

    This lets the command line react to Ctrl-C before the slow imports.
    """
    if find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    try:
        value = getattr(import_module(f"{__name__}.public"), name)
    except AttributeError:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The names that tab completion offers: the public ones, not what this module imports."""
    return [*__getattr__("__all__"), "__version__"]
