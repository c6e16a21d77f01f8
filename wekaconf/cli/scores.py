"""Answers in a table, of any classifier, for `check`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import click

from wekaconf.base.errors import printable
from wekaconf.base.naming import counted
from wekaconf.base.shell import shell_word
from wekaconf.cli.console import folded, say
from wekaconf.cli.options import aim_of
from wekaconf.cli.values import split_names
from wekaconf.evaluation.aims import NAMES, PROMISED, Aim, by_class
from wekaconf.evaluation.thresholds import Choice
from wekaconf.model.scores import Scores
from wekaconf.report import tables
from wekaconf.report.tables import choice_lines, choice_record

SCORED = "class, answer or certainty"
"""What a row of scores has."""


class CheckAim(NamedTuple):
    """What a table of answers is to show.

    Parameters
    ----------
    aim : Aim or None
    below : float, mapping of str to float, or None
        The threshold, or one per class; None: it is to be chosen.
    """

    aim: Aim | None
    below: float | Mapping[str, float] | None

    @property
    def to_choose(self) -> Aim | None:
        """The aim by which a threshold is to be chosen; None if there is one already."""
        return self.aim if self.below is None else None


def read_check_aim(*, below: str | None, **texts: str | None) -> CheckAim:
    """The aim of the options, and the threshold, which may stand beside a target."""
    threshold: float | Mapping[str, float] | None = None
    if below is not None:
        is_by_class = "=" in below
        threshold = by_class(below, "below", "certainty") if is_by_class else Aim.parse("below", below).number
    aim = aim_of(**texts)
    if threshold is not None and aim is not None and aim.kind not in PROMISED:
        raise click.UsageError(f"--below excludes {_option(aim)}: one threshold at a time")
    return CheckAim(aim, threshold)


def split_columns(scores: str | None) -> tuple[str, ...] | None:
    """The columns that --scores names; None if it names none."""
    return split_names(scores) if scores else None


def tell_left_out(n_left_out: int, n: int, path: str, lacks: str) -> None:
    """Say how many rows lack something, such as a class."""
    if n_left_out:
        has = "has" if n_left_out == 1 else "have"
        say(f"note: {path}: {n_left_out} of {counted(n + n_left_out, 'row')} {has} no {lacks}, left out")


def choose(scores: Scores, aim: Aim, path: str, columns: str, *, as_json: bool) -> None:
    """Choose a threshold on scores in the columns that --scores names, and print what it promises or reaches."""
    choice = scores.choose(aim)
    tell_left_out(scores.n_left_out, len(scores), path, SCORED)
    if choice.promises:
        tell_apart(choice, len(scores), path)
    if as_json:
        tables.print_json([{"data": path, "n_without_class": scores.n_left_out, **choice_record(choice)}])
    else:
        for line in choice_lines(choice, "on these rows", scores.class_names):
            click.echo(folded(printable(line), further="  "))
    if choice.promises and choice.is_reached:
        named = f"--scores {shell_word(columns)}" if columns else "--scores"
        say(f"to check it on later rows: wekaconf check LATER {named} {_options(choice)}", is_folded=True)


def tell_apart(choice: Choice, n: int, path: str) -> None:
    """Say on which rows a promise rests."""
    others = n - choice.promises[0].n
    tried = f"{others} of {n} rows only decide which thresholds are tried; " * (not choice.promises[0].class_name)
    say(f"note: {path}: {tried}the promise holds if the classifier has learned from none of these rows",
        is_folded=True)  # fmt: skip


def _options(choice: Choice) -> str:
    """The options by which `check` checks what a choice promises."""
    aim, promises = choice.aim, choice.promises
    by_name = {each.class_name: each for each in promises}
    below = ",".join(f"{f'{name}=' * bool(name)}{each.threshold!r}" for name, each in by_name.items())
    target = ",".join(f"{f'{name}=' * bool(name)}{each.target:g}" for name, each in by_name.items())
    costs = "" if aim.reject_costs is None else f" --cost {shell_word(str(aim.reject_costs))}"
    options = f"--below {shell_word(below)} {_option(aim)} {shell_word(target)}"
    return f"{options} --confidence {aim.confidence:g}{costs}"


def _option(aim: Aim) -> str:
    return f"--{NAMES.get(aim.kind, aim.kind).replace('_', '-')}"
