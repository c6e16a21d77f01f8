"""Weka's decision trees mirrored exactly in Python, and the published methods that tell when they are wrong.

Importing this starts no Java virtual machine; the first call that needs Weka does.
"""

import concurrent.futures.thread  # noqa: F401 - a thread that outlives the main one could not import it any more
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wekaconf.public import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """A part of the package or a public name, imported when it is first asked for.

    So the command line hears Ctrl-C before it imports what takes long.
    """
    if find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    try:
        found = getattr(import_module(f"{__name__}.public"), name)
    except AttributeError:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name) from None
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """What tab completion offers."""
    return [*globals(), *__getattr__("__all__")]
