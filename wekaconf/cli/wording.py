"""The words of help pages and errors; an error names options as the user typed them.

The library knows no options, and no error carries a table of them: an error says as data what it is about, and is
worded here. So is the advice for options and classes that users know from Weka's command line.
"""

from __future__ import annotations

import errno
import re
import shlex
from collections.abc import Collection, Sequence
from typing import Any

import click
import cloup

from wekaconf.base.errors import Note, OptionError, WekaconfError
from wekaconf.base.shell import shell_word
from wekaconf.base.words import (
    Argument,
    IgnoreColumn,
    Phrase,
    RenameColumns,
    SetOption,
    SetParameter,
    Setting,
    Term,
    UseFilter,
    worded,
)
from wekaconf.cli.console import has_colours

SETTINGS = {
    "help_option_names": ["-h", "--help"],
    "formatter_settings": {
        "max_width": 100,
        "col1_max_width": 26,
        "theme": cloup.HelpTheme(heading=cloup.Style(bold=True), col1=cloup.Style(fg=cloup.Color.cyan)),
    },
    "color": None if has_colours() else False,
}
"""Settings of every help page."""
TYPED_WORDS = "wekaconf.typed"
"""The key in a context of the words that the user has typed."""
_OTHER_NAMES = {
    "method": "methods",
    "options": "learner",
    "reject_costs": "cost",
    "resume": "store",
}
"""The names in the command line of arguments that have another name in the library."""
TABLE_KEYS = ("decimal", "thousands", "date_format", "sheet", "no_header", "na")
"""The arguments of the library that ``--table`` sets, as KEY=VALUE."""
_NAMES = ("class_attribute", "learner", "method", "options", "reading", "sets", "tables", "figures", "sections")
"""The arguments whose values are names; an error about one of them begins with the option."""
_PHRASES = {
    Phrase.AS_LEARNER: "give it with --learner",
    Phrase.AS_METHOD: "give it with --method",
    Phrase.ONE_LEARNER: "--learner NAME sets one for all",
    Phrase.OTHER_DEPTH: "--max-depth sets another depth, and -o tree.dot writes all of it",
    Phrase.UNSEEN_AS_MISSING: "leave --strict values out",
}
WEKA_OPTIONS = {
    "-t": (("", "'wekaconf fit FILE' trains on a file"),),
    "-T": (("", "'wekaconf predict MODEL FILE' answers for the rows of another file"),),
    "-l": (("", "'wekaconf predict MODEL FILE' answers with a model, 'wekaconf tree MODEL' prints its tree"),),
    "-d": (("", "'wekaconf fit' saves a model"),),
    "-p": (
        ("predictions", "--predictions FILE.txt writes every answer as Weka's -p does"),
        ("with_columns", "the answers are what 'predict' writes, and --with all adds the columns of the file"),
        ("", "'wekaconf evaluate --predictions FILE.txt' writes every answer as Weka's -p does"),
    ),
    "-o": (("records", "--records FILE writes the figures into a file"), ("dump", "-d FILE names the model")),
    "-i": (("evaluate", "--format weka prints the figures of every class"),),
    "-g": (("tree", "--format dot prints the graph"), ("", "'wekaconf tree FILE --format dot' prints the graph")),
    "-m": (("cost_matrix", "--cost-matrix FILE weighs the training instances by a cost matrix"),),
    "-F": (("filters", '--filter "weka.filters.…" names a filter with its options'),),
    "-W": (("learner", '--learner "weka.classifiers.trees.J48 -C 0.1" names a learner with its options'),),
    "-split-percentage": (("split", "--split 0.66 trains on 66 % of the instances"),),
    "-no-cv": (("", "'wekaconf fit' and 'wekaconf tree' train on a whole file"),),
    "-classifications": (("predictions", "--predictions FILE writes every answer, as CSV or .txt"),),
}
"""For each of Weka's general options: pairs of a command or parameter ("" stands for all) and the advice for it."""
WEKA_LEARNERS = (
    "J48", "REPTree", "RandomTree", "DecisionStump", "RandomForest", "Bagging", "RandomCommittee", "RandomSubSpace",
    "AttributeSelectedClassifier",
)  # fmt: skip
"""The names of Weka's learners without their packages."""
LONG_WEKA_OPTIONS = tuple(name for name in WEKA_OPTIONS if len(name) > 2)
"""Options that click would read as a letter and its value."""


def help_examples(*examples: str) -> str:
    """Command lines as they stand at the end of a help page."""
    lines = "\n".join(f"  {line}" for example in examples for line in example.split("\n"))
    return f"\b\n{'Example' if len(examples) == 1 else 'Examples'}:\n{lines}"


def summary(described: click.Command) -> str:
    """The first sentence of a command's help."""
    sentence = " ".join((described.help or "").partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    return f"{sentence}." if sentence else ""


def usage_line(context: click.Context) -> str:
    """How a command is called, in one line, and where it says more."""
    pieces = " ".join(context.command.collect_usage_pieces(context))
    return f"Usage: {context.command_path} {pieces}; '{context.command_path} --help' says more"


def error_text(error: BaseException) -> str:
    """What is told of an error that ends a command, other than one of usage."""
    if isinstance(error, MemoryError):
        return f"there is not enough memory{f': {error}' if str(error) else ''}; give less data at a time"
    if not isinstance(error, OSError):
        return str(error)
    if error.errno == errno.EBADF and error.filename is None:
        return "standard output is closed, so the result is lost; send it to a file or a pipe"
    return f"{error.filename or 'the output'}: {error.strerror or error}"


def usage_error_text(error: click.UsageError) -> str:
    """An error of click's in the style of ours: the option as the user typed it, then what is wrong."""
    if isinstance(error, click.BadParameter) and error.param is not None and error.ctx is not None:
        name = option_as_typed(error.param, error.ctx)
        if not isinstance(error, click.MissingParameter):
            return f"{name}: {error.message}"
        return f"{name} is missing: {_uncapitalised((getattr(error.param, 'help', None) or '').partition('. ')[0])}"
    text = re.sub(r"\. \(?Did you mean (?:one of: )?(.*\?)\)?$", r"; did you mean \1", error.format_message())
    return _uncapitalised(text)


def _uncapitalised(sentence: str) -> str:
    """A sentence as a part of another; an abbreviation keeps its capitals."""
    text = sentence.rstrip(".")
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def option_as_typed(parameter: click.Parameter, context: click.Context) -> str:
    """An option as the user typed it, else by its first name; an argument by its name in the usage."""
    if not isinstance(parameter, click.Option):
        return parameter.make_metavar(context).strip("[].")
    typed: Sequence[str] = context.meta.get(TYPED_WORDS, ())
    typed_names = [name for name in parameter.opts if any(word.partition("=")[0] == name for word in typed)]
    return (typed_names or parameter.opts)[0]


def in_command_words(message: WekaconfError | Note) -> str:
    """An error or note of the library in the words of the command line; an error names the option that it is about."""
    text = worded(message.parts, _in_options)
    if not isinstance(message, OptionError):
        return text
    if message.of or message.value_of in _NAMES:
        giver = _giver(message)
        return text if giver is None else f"{_typed(giver)}: {text}"
    option = None if message.value_of else _option(message.parameter)
    return text if option is None or not _is_default(option) else f"{text}, the default"


def _in_options(term: Term) -> str:
    """A term of a message in the words of the command line."""
    context = click.get_current_context(silent=True)  # None in other threads
    if context is not None and "study" in context.params:
        return _in_keys_of_study(term)
    match term:
        case Argument("no_header", of=""):
            return "--table header=no"
        case Argument("nominal" | "numeric", of=""):
            return "--type"
        case Argument(name, of="") if name in TABLE_KEYS:
            return f"--table {name}"
        case Argument(name, of="") if (option := _option(name)) is not None:
            return _typed(option)
        case Setting("nominal" | "numeric" as kind, tuple(columns), of=""):
            return " ".join(f"--type {f'{column}={kind}'!r}" for column in columns)
        case Setting(name, value, of="") if name in TABLE_KEYS:
            words = (shell_word(value),) if isinstance(value, str) else map(repr, value)
            return " ".join(f"--table {name}={word}" for word in words)
        case Setting(name, value, of=""):
            option = _option(name)
            word = f"--{name.replace('_', '-')}" if option is None else _typed(option)
            return (
                f"{word} {shell_word(value)}"
                if isinstance(value, str)
                else " ".join(f"{word} {text!r}" for text in value)
            )
        case SetParameter(method, name, value):
            return f"write {method}:{name}={value}"
        case SetOption(learner, name, value):
            return f'give --learner "{_learner_text(learner, name)} {name}={value}"'
        case UseFilter(name, preprocessing):
            return f"with {f'--preprocess {preprocessing} or ' if preprocessing else ''}--filter {name}"
        case IgnoreColumn(name):
            return f"--ignore {name!r} leaves it out, --id {name!r} keeps it for the output"
        case RenameColumns(pairs):
            return "give " + " ".join(f"--rename {shlex.quote(f'{old}={new}')}" for old, new in pairs)
        case Phrase() if term in _PHRASES:
            return _PHRASES[term]
    return str(term)


def _in_keys_of_study(term: Term) -> str:
    """A term in the keys of a study's file, which are the arguments of the library, or an option of the command."""
    match term:
        case Argument("class_attribute", of=""):
            return "class"
        case Argument(name, of="") if (option := _option(name)) is not None:
            return _typed(option)
    return str(term)


def _learner_text(name: str, option: str) -> str:
    """The value of ``--learner`` in this call without that option; the bare name if it was not given."""
    context = click.get_current_context(silent=True)  # None in other threads
    words = "" if context is None else (context.params.get("learner") or "")
    if words.split()[:1] != [name]:
        return name
    return " ".join(word for word in words.split() if not word.startswith(f"{option}="))


def _option(argument: str) -> click.Option | None:
    """The option of the command for an argument of the library."""
    context = click.get_current_context(silent=True)  # None in other threads
    parameters = [] if context is None else context.command.params
    options = {option.name: option for option in parameters if isinstance(option, click.Option)}
    return options.get(argument) or options.get(_OTHER_NAMES.get(argument, ""))


def _typed(option: click.Option) -> str:
    return option_as_typed(option, click.get_current_context())


def _is_default(option: click.Option) -> bool:
    """Whether the option has a default value, and this call takes it."""
    context, name = click.get_current_context(), option.name or ""
    has_value = context.params.get(name) not in (None, ())
    return has_value and context.get_parameter_source(name) == click.core.ParameterSource.DEFAULT


def _giver(error: OptionError) -> click.Option | None:
    """The option whose value, or the method or learner in whose value, the error is about."""
    values = click.get_current_context().params
    owners = (name for name in ("method", "methods", "learner") if error.of in _names(values.get(name)))
    return _option(error.value_of or next(owners, ""))


def _names(value: Any) -> list[str]:
    """The names of the methods or learners in an option's value."""
    texts = value if isinstance(value, tuple) else (value or "",)
    return [re.split(r"[:\s]", text.strip())[0] for text in texts]


def advise_on_option(option: str, names: Collection[str | None], typed: Sequence[str]) -> str:
    """The advice for one of Weka's general options; empty for other options.

    Parameters
    ----------
    option : str
    names : collection of str
        The names of the command and of its parameters.
    typed : sequence of str
        The words after the command.
    """
    if option == "-W" and any(word.partition("=")[0] == "--learner" for word in typed):
        return ""  # -W may be an option of the learner
    return next((text for name, text in WEKA_OPTIONS.get(option, ()) if not name or name in names), "")


def advise_on_scheme(name: str) -> str:
    """The advice for a class of Weka's, or a learner's name, in place of the command; empty for other names."""
    if not name.startswith(("weka.classifiers.", "weka.Run")) and name not in WEKA_LEARNERS:
        return ""
    learner = "weka.classifiers.trees.J48" if name == "weka.Run" else name
    return f"write 'wekaconf evaluate FILE --learner \"{learner} …\"', or --method NAME for a method"
