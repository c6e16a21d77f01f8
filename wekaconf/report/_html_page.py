"""Common parts of pages: names as they are shown, templates that escape, colours, a policy against outside content."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from wekaconf.base.errors import needed, printable, visible
from wekaconf.base.naming import shown
from wekaconf.base.plot_style import COLOURS

if TYPE_CHECKING:
    from jinja2 import Environment


DARK_COLOURS = (
    "#56A8E0", "#FF8A4C", "#2CC79A", "#E59AC4", "#E69F00", "#8FD3FF", "#FFFFFF",
    "#E0708F", "#9D92FF", "#C98A54", "#DDCC77", "#C58CFF",
)  # fmt: skip
"""The colours of `COLOURS` for a dark page, some of them lighter."""


class ShownNames:
    r"""The texts for names in a page, one text per name, so that different names stay different.

    Control characters, and marks that turn the direction of writing, are shown as \u202e; a long name is shown by its
    beginning and its end.
    """

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        self._name_of: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """The text for a name."""
        if name not in self._shown:
            text = beginning = shown(printable(name))
            n = 1
            while text in self._name_of:
                n += 1
                text = f"{beginning} ({n})"
            self._shown[name], self._name_of[text] = text, name
        return self._shown[name]

    def full(self, text: str) -> str:
        """The name behind a text."""
        return self._name_of.get(text, text)

    @property
    def shortened(self) -> dict[str, str]:
        """The names that their texts change, by these texts."""
        return {text: name for text, name in self._name_of.items() if text != name}


def load_templates(package: str, what: str) -> Environment:
    """The templates of a package, which escape every text and know the filter ``visible``.

    Raises
    ------
    OptionError
        jinja2 is not installed; the message says that ``what`` needs it.
    """
    with needed(what, "report"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    environment = Environment(
        loader=PackageLoader(package, ""), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["visible"] = visible
    return environment


def read_asset(package: str, name: str) -> str:
    """The text of a style or a script in a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


# Should a name ever come in as markup, in spite of the templates, it would not run, and nothing is asked of a network.
def content_policy(style: str, script: str) -> str:
    """The Content-Security-Policy of a page that holds this style and script, and loads nothing else."""
    return (
        f"default-src 'none'; img-src data:; style-src {_source_hash(style)}; script-src {_source_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def palette_css() -> str:
    """Colours that the colour-blind can distinguish, ``--c0`` and so on, for light and dark pages."""

    def variables(colours: Sequence[str]) -> str:
        return f":root{{{''.join(f'--c{i}:{colour};' for i, colour in enumerate(colours))}}}"

    return f"{variables(COLOURS)}\n@media screen and (prefers-color-scheme: dark){{{variables(DARK_COLOURS)}}}"


def _source_hash(text: str) -> str:
    """The source of a style or script, as a Content-Security-Policy allows it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
