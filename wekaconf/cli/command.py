"""Commands with examples at the end of their help, and with error messages that name options as the user typed them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import click
import cloup

from wekaconf.base.errors import OptionError, spelled_out
from wekaconf.cli import weka_words

SETTINGS = {"help_option_names": ["-h", "--help"], "formatter_settings": {"max_width": 100, "col1_max_width": 26}}
"""Settings of every help page."""
_TYPED_WORDS = "wekaconf.typed"
_PARAMETER_NAME = re.compile(r"([a-z][a-z_ ]*?)(?=: | '| must | expects | compares )")
"""The parameter's name with which the library begins an error message about it."""
_OPTION_NAMES = {"max heap": "max_heap", "error": "target_error", "coverage": "target_coverage", "method": "methods"}
"""The names in the command line of parameters that have another name in the library."""
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
"""Advice of the library, with its wording for the command line."""
_COLUMNS = re.compile(r"""\b(nominal|numeric|ignore|na)=\[((?:'[^']*'|"[^"]*"|, )+)\]( leaves it out)?""")
"""Columns in the library's advice."""
_METHOD_PARAMETER = re.compile(r"give (\w+) the parameter (\w+)='(\w+)'")
"""The library's advice to set a parameter of a method."""
_WEKA_PREFIXES = {"learner": ("weka.classifiers.",)}
"""The beginnings of Weka's error messages, by the option that they are about."""
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")


class Command(cloup.Command):
    """A command whose error messages name options as the user typed them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; the error about an option of a learner says where the option belongs."""
        typed = ctx.meta[_TYPED_WORDS] = tuple(args)
        try:
            if not ctx.resilient_parsing:
                self._refuse_weka_options(ctx)
                self._refuse_repeated(ctx)
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            self._refuse_weka_options(ctx, error.option_name)
            advice = _learner_advice(error.option_name, typed)
            if advice and any(parameter.name == "options" for parameter in self.params):
                raise click.UsageError(advice, ctx) from None
            raise
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # with a context click prints the usage
            raise
        for parameter in self.params:
            if parameter.name is not None and parameter.type is click.STRING:
                ctx.params[parameter.name] = _spelled_out(ctx.params[parameter.name])
        return rest

    def _refuse_weka_options(self, ctx: click.Context, unknown: str | None = None) -> None:
        """Refuse an option of Weka's, with advice: the unknown one, else one that click would split into letters."""
        names, typed = {self.name, *(parameter.name for parameter in self.params)}, ctx.meta[_TYPED_WORDS]
        for option in weka_words.LONG_OPTIONS if unknown is None else (unknown,):
            if (unknown or option in typed) and (advice := weka_words.advice(option, names, typed)):
                raise click.UsageError(f"No such option '{option}'; {advice}", ctx) from None

    def _refuse_repeated(self, ctx: click.Context) -> None:
        """Refuse an option with a single value that is given twice, of which click would take the last."""
        _, _, order = self.make_parser(ctx).parse_args(list(ctx.meta[_TYPED_WORDS]))
        single = [each for each in order if isinstance(each, click.Option) and not (each.is_flag or each.multiple)]
        if repeated := [each for each in single if single.count(each) > 1]:
            raise click.UsageError(f"{typed_as(repeated[0], ctx)} is given twice; leave one out", ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except OptionError as error:
            raise OptionError(with_option_names(str(error), ctx)) from error

    def get_default_option_group(
        self, ctx: click.Context, is_the_only_visible_option_group: bool = False
    ) -> cloup.OptionGroup:
        """The options that every command has."""
        group = super().get_default_option_group(ctx, is_the_only_visible_option_group)
        group.title = "Options" if is_the_only_visible_option_group else "General"
        return group


def _spelled_out(value: Any) -> Any:
    """The text of an option, or each of its texts, spelled out; not for names of files, which would no longer open."""
    if isinstance(value, tuple):
        return tuple(map(_spelled_out, value))
    return spelled_out(value) if isinstance(value, str) else value


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
    typed: Sequence[str] = context.meta.get(_TYPED_WORDS, ())
    typed_names = [name for name in parameter.opts if any(word.partition("=")[0] == name for word in typed)]
    return (typed_names or parameter.opts)[0]


def with_command_advice(text: str) -> str:
    """An error message or note of the library, with its advice reworded for the command line."""
    for phrase, command_phrase in _PHRASES.items():
        text = text.replace(phrase, command_phrase)
    return _COLUMNS.sub(_as_options, _METHOD_PARAMETER.sub(r"write \1:\2=\3", text))


def _as_options(advice: re.Match[str]) -> str:
    """``nominal=['a', 'b']`` as ``--nominal 'a' --nominal 'b'``."""
    name, listed, leaves_out = advice.groups()
    quoted = re.findall(r"'[^']*'|\"[^\"]*\"", listed)
    options = " ".join(f"--{name} {column}" for column in quoted)
    return f"{options} leaves it out, --id {quoted[0]} keeps it for the output" if leaves_out else options


def with_option_names(text: str, context: click.Context | None = None) -> str:
    """An error message of the library, reworded for the command line.

    If it begins with the name of a parameter, method or learner, the option that gave it takes the name's place.
    """
    context = context or click.get_current_context()
    text = with_command_advice(text)
    options = {parameter.name: parameter for parameter in context.command.params if isinstance(parameter, click.Option)}
    match = _PARAMETER_NAME.match(text)
    for name in (match[1], _OPTION_NAMES.get(match[1], "")) if match else ():
        if match and name in options:
            is_default = context.get_parameter_source(name) == click.core.ParameterSource.DEFAULT
            return typed_as(options[name], context) + text[match.end(1) :] + (", the default" if is_default else "")
    for name, beginning in (
        ("method", "no method "),
        ("methods", "no method "),
        ("learner", "no learner "),
        ("class_attribute", "no class attribute "),
        ("sets", "no data set '"),
        *((f"{kind}s", f"no {kind} ") for kind in ("table", "figure", "section")),
        ("reading", "no reading '"),
    ):
        is_about_value = text.startswith((*_message_prefixes(context.params.get(name)), *_WEKA_PREFIXES.get(name, ())))
        if name in options and (is_about_value or text.startswith(beginning)):
            option = "options" if name == "learner" and is_about_value and context.params["options"] else name
            return f"{typed_as(options[option], context)}: {text}"
    return text


def _message_prefixes(value: Any) -> list[str]:
    """The beginnings of the library's messages about the methods or learners in an option's value."""
    texts = value if isinstance(value, tuple) else (value or "",)
    names = [re.split(r"[:\s]", text.strip())[0] for text in texts]
    return [name + end for name in names if name for end in (": ", " has no parameter ")]


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
    return f"No such option '{word.split()[0]}'; for an option of the learner write --options \"{word}\""
