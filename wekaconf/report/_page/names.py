"""Texts for names from files in a page: on one line, without invisible characters, and of limited length."""

from __future__ import annotations

from wekaconf.base.errors import printable
from wekaconf.base.naming import shown


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
