"""Commands: their help pages, what they refuse before they run, and the set-up around each.

The ten options that a short help shows are named command by command, since what a newcomer needs is a judgement.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import click
import cloup
from cloup.formatting import HelpFormatter, HelpSection

from wekaconf.base.errors import WekaconfError, one_line, spelled_out
from wekaconf.cli.console import Session, discard_stdout, say
from wekaconf.cli.progress import ProgressBar
from wekaconf.cli.values import check_distinct
from wekaconf.cli.wording import (
    LONG_WEKA_OPTIONS,
    SETTINGS,
    TYPED_WORDS,
    advise_on_option,
    help_examples,
    in_command_words,
    option_as_typed,
    summary,
)
from wekaconf.tree import first_use

_SHOWS_ALL = "wekaconf.shows-all"
BY_LETTER = "_by_letter"
"""The ending of the names of options that give an argument by its letters."""
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")


class Command(cloup.Command):
    """A command whose error messages name options as the user typed them.

    Parameters
    ----------
    often : sequence of str
        The options that its help shows; empty: all. The others are shown by --help-all.
    """

    def __init__(self, *args: Any, params: Sequence[click.Parameter] = (), often: Sequence[str] = (),
                 **kwargs: Any) -> None:  # fmt: skip
        show_all = click.Option(
            ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, hidden=not often,
            help="Show all options, in groups.",
        )  # fmt: skip
        verbose_help = "Report more of what is done, and the traceback of an error."
        verbose = click.Option(["-v", "--verbose"], is_flag=True, help=verbose_help)
        quiet_help = "Print no progress bar, and no notes but warnings: that answers, or a promise, may not hold."
        quiet = click.Option(["-q", "--quiet"], is_flag=True, help=quiet_help)
        super().__init__(*args, params=[show_all, *params, verbose, quiet], **kwargs)
        self.often = often

    def format_params(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the arguments, and all options in groups, or the most used."""
        if not self.often or _SHOWS_ALL in ctx.meta:
            super().format_params(ctx, formatter)
            return
        assert isinstance(formatter, HelpFormatter)
        options = [each for each in self.params if isinstance(each, click.Option)]
        shown = [each for name in self.often for each in options if name in each.opts]
        records = [record for each in shown if (record := each.get_help_record(ctx)) is not None]
        records.append(("--help-all", f"Show all {len(options)} options, in groups."))
        sections = [self.get_arguments_help_section(ctx), HelpSection("Most used options", records)]
        formatter.write_many_sections([section for section in sections if section is not None])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; the error about an option of a learner says where the option belongs."""
        typed = ctx.meta[TYPED_WORDS] = tuple(args)
        try:
            if not ctx.resilient_parsing:
                self._refuse_weka_options(ctx)
                self._refuse_repeated(ctx)
            rest = super().parse_args(ctx, args)
            if not ctx.resilient_parsing:
                self._join_letters(ctx)
        except click.NoSuchOption as error:
            self._refuse_weka_options(ctx, error.option_name)
            advice = _learner_advice(error.option_name, typed)
            if advice and any(parameter.name == "learner" for parameter in self.params):
                raise click.UsageError(advice, ctx) from None
            raise
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # with a context click prints the usage
            raise
        for parameter in self.params:
            if parameter.name in ctx.params and parameter.type is click.STRING:
                ctx.params[parameter.name] = _spelled_out(ctx.params[parameter.name])
        return rest

    def _refuse_weka_options(self, ctx: click.Context, unknown: str | None = None) -> None:
        """Refuse an option of Weka's, with advice: the unknown one, else one that click would split into letters."""
        names, typed = {self.name, *(parameter.name for parameter in self.params)}, ctx.meta[TYPED_WORDS]
        for option in LONG_WEKA_OPTIONS if unknown is None else (unknown,):
            if (unknown or option in typed) and (advice := advise_on_option(option, names, typed)):
                raise click.UsageError(f"No such option '{option}'; {advice}", ctx) from None

    def _refuse_repeated(self, ctx: click.Context) -> None:
        """Refuse an option with a single value that is given twice, of which click would take the last."""
        _, _, order = self.make_parser(ctx).parse_args(list(ctx.meta[TYPED_WORDS]))
        single = [each for each in order if isinstance(each, click.Option) and not (each.is_flag or each.multiple)]
        if repeated := [each for each in single if single.count(each) > 1]:
            raise click.UsageError(f"{option_as_typed(repeated[0], ctx)} is given twice; leave one out", ctx)

    def _join_letters(self, ctx: click.Context) -> None:
        """Make one value of an argument and of the option with its letters, see `options.letters_of`."""
        for parameter in self.params:
            letters = f"{parameter.name}{BY_LETTER}"
            if letters not in ctx.params:
                continue
            placed, by_letter = ctx.params[parameter.name or ""], ctx.params.pop(letters)
            if isinstance(placed, tuple):
                joined = placed if by_letter is None else (by_letter, *placed)
            elif placed is not None and by_letter is not None:
                there = parameter.make_metavar(ctx)
                raise click.UsageError(f"'{by_letter}' is one name too many: {there} is there already")
            elif placed is None and by_letter is None:
                raise click.MissingParameter(ctx=ctx, param=parameter)
            else:
                joined = by_letter if placed is None else placed
            ctx.params[parameter.name or ""] = joined

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        Session.verbose, Session.quiet = ctx.params.pop("verbose"), ctx.params.pop("quiet")
        check_distinct(ctx)
        try:
            with _Compiling() as compiling, first_use.announce_to(compiling.tell):
                super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader, such as head, has enough
            discard_stdout()
        except WekaconfError as error:
            error.args = (one_line(in_command_words(error)),)
            raise

    def get_default_option_group(
        self, ctx: click.Context, is_the_only_visible_option_group: bool = False
    ) -> cloup.OptionGroup:
        """The options that every command has."""
        group = super().get_default_option_group(ctx, is_the_only_visible_option_group)
        group.title = "Options" if is_the_only_visible_option_group else "General"
        return group


class Group(cloup.Group):
    """Commands that belong together, listed in their order, each with the whole first sentence of its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order in which they were given."""
        del ctx
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        del ctx
        assert isinstance(formatter, HelpFormatter)
        formatter.write_section(
            HelpSection("Commands", [(name, summary(each)) for name, each in self.commands.items()])
        )


def _spelled_out(value: Any) -> Any:
    """The text of an option, or each of its texts, spelled out; not for names of files, which would no longer open.

    In the locale C a name of a file opens only with the bytes that Python could not decode. Starting Python again in
    its UTF-8 mode would do nothing for Latin-1 names in a UTF-8 locale.
    """
    if isinstance(value, tuple):
        return tuple(map(_spelled_out, value))
    return spelled_out(value) if isinstance(value, str) else value


def command(name: str, *examples: str, often: Sequence[str] = ()) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command.

    Parameters
    ----------
    name : str
    examples : str
        Command lines for the end of its help, which a test runs.
    often : sequence of str
        The options that its help shows, at most ten, in this order. Left out: all, which must fit into 60 lines.
    """
    return cloup.command(name, cls=Command, often=often, epilog=help_examples(*examples), context_settings=SETTINGS)


def progress_bar(label: str) -> ProgressBar:
    """A bar on standard error, unless the user wants quiet."""
    return ProgressBar(label, hidden=Session.quiet)


class _Compiling(ExitStack):
    """Announces a compilation, once per call, and shows its progress."""

    _bar: ProgressBar | None = None
    _has_told = False

    def tell(self, words: str, done: int, total: int) -> None:
        """See `first_use.Listener`."""
        if not self._has_told:
            self._has_told = True
            say(words)
        if self._bar is None:
            self._bar = self.enter_context(progress_bar("compiling"))
        self._bar.follow(done, total)
        if done == total:
            self.close()
            self._bar = None


def _show_all(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Print the help with all options, and end."""
    if is_wanted and not context.resilient_parsing:
        context.meta[_SHOWS_ALL] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


def group(name: str, *commands: click.Command, examples: Sequence[str]) -> Callable[[Callable[..., Any]], Group]:
    """Make a function a group of commands, with examples at the end of its help."""
    return cloup.group(name, cls=Group, commands=commands, epilog=help_examples(*examples), context_settings=SETTINGS)


def _learner_advice(option: str, typed: Sequence[str]) -> str:
    """The advice for a learner's option that was given as an option of the command; empty for other options."""
    places = [i for i, word in enumerate(typed) if word.startswith(option)]
    if option.startswith("--") or not places:
        return ""
    word, *rest = typed[places[0] :]
    if word != option and _NUMBER.fullmatch(word[len(option) :]):
        word = f"{option} {word[len(option) :]}"
    elif rest and _NUMBER.fullmatch(rest[0]):
        word = f"{word} {rest[0]}"
    learner = next((text for name, text in pairwise(typed) if name == "--learner"), "J48")
    return f"No such option '{word.split()[0]}'; for an option of the learner write --learner \"{learner} {word}\""
