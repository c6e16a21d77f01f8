"""Shell completion of methods, learners and data sets; click adds options and files."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def methods(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of methods."""
    del context, parameter
    from wekaconf.base.plugins import plugins
    from wekaconf.model.scheme import available_methods

    return _starting_with(incomplete, map(CompletionItem, sorted({*available_methods(), *plugins("method")})))


def learners(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of learners."""
    del context, parameter
    from wekaconf.base.plugins import plugins
    from wekaconf.learners import available_learners

    return _starting_with(incomplete, map(CompletionItem, [*available_learners(), *plugins("learner")]))


def data_sets(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
    """Names of data sets that can be fetched."""
    del context, parameter
    from wekaconf.data.catalogue import entries

    return _starting_with(incomplete, map(CompletionItem, entries()))


def _starting_with(incomplete: str, items: Iterable[CompletionItem[str]]) -> list[CompletionItem[str]]:
    return [item for item in items if item.value.startswith(incomplete)]
