"""Writes parameters as Weka writes options."""

from __future__ import annotations

from wekaconf.base.parameters import Parametrised, changed, written


def options_in_weka(owner: Parametrised) -> list[str]:
    """The parameters that are not at their defaults: names and values, alternating."""
    texts = {name: "+".join(value) if isinstance(value, tuple) else value for name, value in changed(owner).items()}
    return [part for name, text in texts.items() for part in (f"-{name}", written(text))]
