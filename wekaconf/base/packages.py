"""The error for an optional package that is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
