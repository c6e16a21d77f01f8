"""Shell completion of methods with parameters and values, of learners and data sets; click adds options and files.

A word such as ``confdtree:variant=`` is one word here and three in bash, which splits at colons and equals signs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

if TYPE_CHECKING:
    from wekaconf.base.parameters import Parametrised

VARIABLE = "_WEKACONF_COMPLETE"
"""The environment variable with which the shell requests completions."""

_SOURCE_BASH = """\
%(complete_func)s() {
    local IFS=$'\\n' response completion type value
    response=$(env COMP_LINE="${COMP_LINE:0:$COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
%(complete_var)s=bash_complete $1)
    for completion in $response; do
        IFS=',' read type value <<< "$completion"
        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=("$value")
            [[ $value == *[:=] ]] && compopt -o nospace
        fi
    done
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class WholeWords(BashComplete):
    """Completion for bash that does not split words at colons and equals signs."""

    source_template = _SOURCE_BASH
    _n_kept = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the incomplete one, and the incomplete word."""
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        incomplete = "" if line[-1:].isspace() or not words else words.pop()
        breaks = os.environ.get("COMP_WORDBREAKS", "")
        value = incomplete.partition("=")[2] if incomplete.startswith("-") else incomplete
        self._n_kept = max((value.rfind(mark) + 1 for mark in ":=" if mark in breaks), default=0)
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """A completion without the beginning that bash keeps, up to its last colon or equals sign."""
        return f"{item.type},{item.value[self._n_kept :] if item.type == 'plain' else item.value}"


def install() -> None:
    """Use `WholeWords` for bash."""
    add_completion_class(WholeWords)


def methods_with_parameters(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Names of methods; behind a colon their parameters, with each value if the values are listed."""
    del context, parameter
    from wekaconf.base.parameters import parameters, written
    from wekaconf.model.scheme import available_methods

    known = available_methods()
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return _starting_with(incomplete, chain.from_iterable(_with_colon(name, known[name]) for name in known))
    if name not in known:
        return []
    *before, _ = rest.split(",")
    start = f"{name}:{''.join(f'{part},' for part in before)}"
    taken = {part.partition("=")[0] for part in before}
    assignments = (
        CompletionItem(f"{start}{declared.name}={value}", help=declared.help)
        for declared in parameters(known[name]).values()
        if declared.name not in taken
        for value in (map(written, declared.values) if declared.values else ("",))
    )
    return _starting_with(incomplete, assignments)


def _with_colon(name: str, method: type[Parametrised]) -> Iterator[CompletionItem[str]]:
    """A method, also with a colon if it has parameters: with two completions the shell adds no blank."""
    from wekaconf.base.parameters import parameters

    yield CompletionItem(name)
    if parameters(method):
        yield CompletionItem(f"{name}:")


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
