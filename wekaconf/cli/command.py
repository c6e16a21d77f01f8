"""A command as its user meets it: examples at the end of its help, and complaints in the words of its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import click
import cloup

from wekaconf.base.errors import OptionError, spelled_out
from wekaconf.cli import weka_words

SETTINGS = {"help_option_names": ["-h", "--help"], "formatter_settings": {"max_width": 100, "col1_max_width": 26}}
"""How every help page is set."""
_TYPED = "wekaconf.typed"
_BEGINNING = re.compile(r"([a-z][a-z_ ]*?)(?=: | '| must | expects | compares )")
"""How the library begins a complaint of a parameter."""
_OPTIONS = {"max heap": "max_heap", "error": "target_error", "coverage": "target_coverage", "method": "methods"}
"""What the command line calls parameters that have another name in the library."""
_PHRASES = {
    "take cost instead": "take --cost instead",
    "treat unseen values as missing": "give --unseen missing",
    "with threshold_from='training'": "with --threshold-from training",
    "give one learner to use it for all": "--learner NAME sets one for all",
    "with with_class (-c)": "with -c",
    "with class_attribute (-c)": "with -c",
    "give the option nominal=one_hot": "give --options nominal=one_hot",
    "with the filter weka.filters.": "with --preprocess wang2006 or --filter weka.filters.",
    "name it as the method": "give it with --method",
    "name it as the learner": "give it with --learner",
    "max_depth sets another depth": "--max-depth sets another depth, and -o tree.dot writes all of it",
}
"""The library's advice, and the same for the command line."""
_COLUMNS = re.compile(r"""\b(nominal|numeric|ignore|na)=\[((?:'[^']*'|"[^"]*"|, )+)\]( leaves it out)?""")
"""How the library names columns in its advice."""
_PARAMETER = re.compile(r"give (\w+) the parameter (\w+)='(\w+)'")
"""How the library advises a parameter of a method."""
_WEKAS = {"learner": ("weka.classifiers.",)}
"""How Weka's complaints begin."""
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")


class Command(cloup.Command):
    """A command whose complaints name its options as they were typed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; an option of Weka's learners gets the place where it belongs as advice."""
        typed = ctx.meta[_TYPED] = tuple(args)
        try:
            if not ctx.resilient_parsing:
                self._refuse_weka_s(ctx)
                self._refuse_repeated(ctx)
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            self._refuse_weka_s(ctx, error.option_name)
            advice = _for_the_learner(error.option_name, typed)
            if advice and any(parameter.name == "options" for parameter in self.params):
                raise click.UsageError(advice, ctx) from None
            raise
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # which prints the usage
            raise
        for parameter in self.params:
            if parameter.name is not None and parameter.type is click.STRING:
                ctx.params[parameter.name] = _spelled_out(ctx.params[parameter.name])
        return rest

    def _refuse_weka_s(self, ctx: click.Context, unknown: str | None = None) -> None:
        """Say what to write for an option of Weka's: the unknown one, else one that click would take to pieces."""
        names, typed = {self.name, *(parameter.name for parameter in self.params)}, ctx.meta[_TYPED]
        for option in weka_words.LONG if unknown is None else (unknown,):
            if (unknown or option in typed) and (advice := weka_words.advice(option, names, typed)):
                raise click.UsageError(f"No such option '{option}'; {advice}", ctx) from None

    def _refuse_repeated(self, ctx: click.Context) -> None:
        """Of an option with one value that is given twice, click takes the last."""
        _, _, order = self.make_parser(ctx).parse_args(list(ctx.meta[_TYPED]))
        single = [each for each in order if isinstance(each, click.Option) and not (each.is_flag or each.multiple)]
        if repeated := [each for each in single if single.count(each) > 1]:
            raise click.UsageError(f"{typed_as(repeated[0], ctx)} is given twice; leave one out", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except OptionError as error:
            raise OptionError(in_options(str(error), ctx)) from error

    def get_default_option_group(
        self, ctx: click.Context, is_the_only_visible_option_group: bool = False
    ) -> cloup.OptionGroup:
        """The options that every command has."""
        group = super().get_default_option_group(ctx, is_the_only_visible_option_group)
        group.title = "Options" if is_the_only_visible_option_group else "General"
        return group


def _spelled_out(typed: Any) -> Any:
    """What was typed for an option, or several times; a file can be opened only by its name as it came."""
    if isinstance(typed, tuple):
        return tuple(map(_spelled_out, typed))
    return spelled_out(typed) if isinstance(typed, str) else typed


def command(name: str, *examples: str) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command.

    Parameters
    ----------
    name : str
    examples : str
        Command lines for the end of its help, which a test runs.
    """
    return cloup.command(name, cls=Command, epilog=in_help(*examples), context_settings=SETTINGS)


def in_help(*examples: str) -> str:
    """Command lines as they stand at the end of a help page."""
    lines = "\n".join(f"  {line}" for example in examples for line in example.split("\n"))
    return f"\b\n{'Example' if len(examples) == 1 else 'Examples'}:\n{lines}"


def typed_as(parameter: click.Parameter, context: click.Context) -> str:
    """An option as the user typed it, else by its first name; an argument by its name in the usage."""
    if not isinstance(parameter, click.Option):
        return parameter.make_metavar(context).strip("[].")
    typed: Sequence[str] = context.meta.get(_TYPED, ())
    known = [name for name in parameter.opts if any(word.partition("=")[0] == name for word in typed)]
    return (known or parameter.opts)[0]


def with_our_advice(text: str) -> str:
    """A complaint or note of the library that advises what the command line can do."""
    for phrase, ours in _PHRASES.items():
        text = text.replace(phrase, ours)
    return _COLUMNS.sub(_as_options, _PARAMETER.sub(r"write \1:\2=\3", text))


def _as_options(advice: re.Match[str]) -> str:
    """``nominal=['a', 'b']`` as ``--nominal 'a' --nominal 'b'``."""
    name, listed, leaves_out = advice.groups()
    quoted = re.findall(r"'[^']*'|\"[^\"]*\"", listed)
    options = " ".join(f"--{name} {column}" for column in quoted)
    return f"{options} leaves it out, --id {quoted[0]} keeps it for the output" if leaves_out else options


def in_options(text: str, context: click.Context | None = None) -> str:
    """A complaint of the library in the words of the command line.

    What begins with the name of a parameter, of a method or of a learner begins with the option that gave it instead.
    """
    context = context or click.get_current_context()
    text = with_our_advice(text)
    options = {parameter.name: parameter for parameter in context.command.params if isinstance(parameter, click.Option)}
    said = _BEGINNING.match(text)
    for name in (said[1], _OPTIONS.get(said[1], "")) if said else ():
        if said and name in options:
            is_default = context.get_parameter_source(name) == click.core.ParameterSource.DEFAULT
            return typed_as(options[name], context) + text[said.end(1) :] + (", the default" if is_default else "")
    for name, beginning in (
        ("method", "no method "),
        ("methods", "no method "),
        ("learner", "no learner "),
        ("class_attribute", "no class attribute "),
        ("sets", "no data set '"),
        *((f"{kind}s", f"no {kind} ") for kind in ("table", "figure", "section")),
        ("reading", "no reading '"),
    ):
        is_of_it = text.startswith((*_complaints_of(context.params.get(name)), *_WEKAS.get(name, ())))
        if name in options and (is_of_it or text.startswith(beginning)):
            giver = "options" if name == "learner" and is_of_it and context.params["options"] else name
            return f"{typed_as(options[giver], context)}: {text}"
    return text


def _complaints_of(value: Any) -> list[str]:
    """How a complaint of the library begins about a method or learner, or one of several, that an option gave."""
    texts = value if isinstance(value, tuple) else (value or "",)
    names = [re.split(r"[:\s]", text.strip())[0] for text in texts]
    return [name + end for name in names if name for end in (": ", " has no parameter ")]


def _for_the_learner(option: str, typed: Sequence[str]) -> str:
    """Where an option of a learner goes that was given as one of ours; nothing for what is none."""
    places = [i for i, word in enumerate(typed) if word.startswith(option)]
    if option.startswith("--") or not places:
        return ""
    word, *rest = typed[places[0] :]
    if word != option and _NUMBER.fullmatch(word[len(option) :]):
        word = f"{option} {word[len(option) :]}"
    elif rest and _NUMBER.fullmatch(rest[0]):
        word = f"{word} {rest[0]}"
    return f"No such option '{word.split()[0]}'; for an option of the learner write --options \"{word}\""
