"""Names from files as a page can show them: on one line, without what is invisible, and never endlessly long."""

from __future__ import annotations

from wekaconf.base.errors import printable
from wekaconf.base.naming import shown


class ShownNames:
    r"""What a page calls things, one text for each name, so that different names stay different.

    Control characters, and marks that turn the direction of writing, are shown as \u202e; of a long name beginning and
    end are shown.
    """

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}
        self._taken: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """The text for a name."""
        if name not in self._shown:
            text = beginning = shown(printable(name))
            n = 1
            while text in self._taken:
                n += 1
                text = f"{beginning} ({n})"
            self._shown[name], self._taken[text] = text, name
        return self._shown[name]

    def full(self, text: str) -> str:
        """The name behind a text."""
        return self._taken.get(text, text)

    @property
    def shortened(self) -> dict[str, str]:
        """The names that are not shown as they are, by their texts."""
        return {text: name for text, name in self._taken.items() if text != name}
