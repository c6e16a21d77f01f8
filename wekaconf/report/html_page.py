"""What pages for a browser have in common: templates that escape, colours, a policy that forbids all from outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from wekaconf.base.errors import visible
from wekaconf.base.packages import needed
from wekaconf.base.palette import COLOURS

if TYPE_CHECKING:
    from jinja2 import Environment

DARK_COLOURS = (
    "#56A8E0", "#FF8A4C", "#2CC79A", "#E59AC4", "#E69F00", "#8FD3FF", "#FFFFFF",
    "#E0708F", "#9D92FF", "#C98A54", "#DDCC77", "#C58CFF",
)  # fmt: skip
"""Those of `COLOURS`, lighter where they would be hard to see on a dark page."""


def templates(package: str, what: str) -> Environment:
    """The templates of a package, which escape every text and know the filter ``visible``.

    Raises
    ------
    OptionError
        jinja2 is not installed; ``what`` says what needs it.
    """
    with needed(what, "report"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(
        loader=PackageLoader(package, ""), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["visible"] = visible
    return environment


def part(package: str, name: str) -> str:
    """A style or a script of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy of a page that holds this style and script, and asks for nothing."""
    return (
        f"default-src 'none'; img-src data:; style-src {_hashed(style)}; script-src {_hashed(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def palette() -> str:
    """Colours that the colour-blind can distinguish, ``--c0`` and so on, for light and dark pages."""

    def named(colours: Sequence[str]) -> str:
        return f":root{{{''.join(f'--c{i}:{colour};' for i, colour in enumerate(colours))}}}"

    return f"{named(COLOURS)}\n@media screen and (prefers-color-scheme: dark){{{named(DARK_COLOURS)}}}"


def _hashed(text: str) -> str:
    """The source of a style or script, as a Content-Security-Policy allows it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
