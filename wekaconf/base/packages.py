"""Packages: the error for an optional one that is not installed, and all modules of one of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from wekaconf.base.errors import OptionError


@contextmanager
def needed(what: str, extra: str) -> Iterator[None]:
    """Raise OptionError, with the remedy, if an import in the block fails.

    Parameters
    ----------
    what : str
        What needs the packages.
    extra : str
        The extra of wekaconf that installs them.
    """
    try:
        yield
    except ImportError as error:
        package = (error.name or "a package").partition(".")[0]
        raise OptionError(f"{what} needs {package}, which is not installed; pip install 'wekaconf[{extra}]'") from error


@cache
def import_modules(package: str) -> None:
    """Import every module and package directly inside a package, once, which registers what they define."""
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
