"""What the commands share: how talkative a call is, checks of its outputs, and options."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import click

from wekaconf.bridge import configure
from wekaconf.data.dataset import Dataset
from wekaconf.errors import OptionError
from wekaconf.evaluation.aim import Aim
from wekaconf.learner import available_learners
from wekaconf.protocol import preprocessing
from wekaconf.protocol.preprocessing import Filters
from wekaconf.report.progress import Progress
from wekaconf.tree import first_use


class Session:
    """How talkative this call is."""

    verbose = False
    quiet = False
    debug = False


def say(text: str, *, only_verbose: bool = False) -> None:
    """Words for the user, on standard error."""
    if not Session.quiet and (Session.verbose or not only_verbose):
        click.echo(printable(text), err=True)


def printable(text: str) -> str:
    """One line without control characters, which names out of a file may hold."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def progress_bar(label: str) -> Progress:
    """A bar on standard error, unless the user wants quiet."""
    return Progress(label, hidden=Session.quiet)


class _Compiling(ExitStack):
    """Says that something is compiled, once in a call, and shows how much of it is done."""

    _bar: Progress | None = None
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


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command has."""

    @click.option("--max-heap", metavar="SIZE", help="Java's heap, such as 512m or 4g (also WEKACONF_MAX_HEAP).")
    @click.option("-v", "--verbose", is_flag=True, help="Tell what is being done.")
    @click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
    @click.option("--debug", is_flag=True, help="Show the traceback of an error.")
    @functools.wraps(command)
    def wrapped(*args: Any, max_heap: str | None, verbose: bool, quiet: bool, debug: bool, **kwargs: Any) -> Any:
        Session.verbose, Session.quiet, Session.debug = verbose, quiet, debug
        _check_distinct(click.get_current_context())
        configure(max_heap=max_heap)
        try:
            with _Compiling() as compiling, first_use.telling(compiling.tell):
                command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads, such as head, has enough
            discard_stdout()

    return wrapped


def discard_stdout() -> None:
    """Send what is still printed nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class NamedFile(click.Path):
    """The name of an output whose format goes by its ending.

    Parameters
    ----------
    endings : str
        Those that are written, such as ``.csv``. A name without ending is taken too, and so is what is no file, such as
        /dev/stdout.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__()
        self.endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, unless it promises another format."""
        path = str(value)
        ending = os.path.splitext(path)[1].lower()
        is_special = os.path.exists(path) and not os.path.isfile(path)
        if not ending or is_special or path.lower().endswith(self.endings):
            return super().convert(value, param, ctx)
        others = [
            other.opts[-1]
            for other in (ctx.command.params if ctx is not None else ())
            if isinstance(other.type, NamedFile) and ending in other.type.endings
        ]
        hint = f"; {' and '.join(others)} {'write' if len(others) > 1 else 'writes'} that" if others else ""
        option = f"{param.opts[-1]} " if param is not None else ""
        *most, last = self.endings
        expected = f"{', '.join(most)} or {last}" if most else last
        raise OptionError(f"{option}{path}: expected a name that ends in {expected}, got '{ending}'{hint}")


def check_output(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Refuse at once a file that could not be written when the work is done."""
    if path is None:
        return None
    if path in ("", "-"):
        raise click.BadParameter("expected the name of a file", ctx=context, param=parameter)
    folder = os.path.dirname(os.path.realpath(path))
    problem = None
    if os.path.isdir(path):
        problem = "is a folder; name a file in it"
    elif not os.path.isdir(folder):
        problem = f"there is no folder '{folder}'; make it first"
    elif not os.access(folder if os.path.isfile(path) or not os.path.exists(path) else path, os.W_OK):
        problem = "may not be written; choose another place"
    if problem is not None:
        raise OptionError(f"{parameter.opts[-1]} {path}: {problem}")
    return path


def _check_distinct(context: click.Context) -> None:
    """Refuse an output that would overwrite an input or another output of the same call."""
    seen: dict[str, str] = {}
    for parameter in sorted(context.command.params, key=lambda parameter: parameter.callback is check_output):
        given = context.params.get(parameter.name or "")
        if not isinstance(parameter.type, click.Path) or not given:
            continue
        for path in given if isinstance(given, tuple) else (given,):
            name = parameter.opts[0] if isinstance(parameter, click.Option) else "the data"
            place = os.path.realpath(path)
            if parameter.callback is check_output and place in seen and not place.startswith(os.sep + "dev"):
                raise click.UsageError(f"{name} {path} would overwrite {seen[place]}; give it another name")
            seen[place] = name


def given_options(context: click.Context, *names: str) -> list[str]:
    """Those of the options that stand on the command line, as a user writes them."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) == click.core.ParameterSource.COMMANDLINE
    ]


class_option = click.option(
    "-c", "--class", "class_attribute", default="last", show_default=True, metavar="last|first|N|NAME",
    help="The class attribute; N counts from 1.",
)  # fmt: skip
learner_option = click.option(
    "--learner", metavar="NAME", show_default="the one that the methods name, else J48",
    help=f"Tree learner: {', '.join(available_learners())}; 'J48 -C 0.1' with its options. See 'wekaconf learners'.",
)  # fmt: skip
options_option = click.option(
    "--options", default="", metavar='"-C 0.25 -M 2"',
    help="Options of the learner: Weka's own, or parameter=value; see 'wekaconf learners NAME'.",
)  # fmt: skip
unseen_option = click.option(
    "--unseen", type=click.Choice(["missing", "error"]), default="missing", show_default=True,
    help="What a nominal value is that the training data do not declare.",
)  # fmt: skip
preprocess_option = click.option(
    "--preprocess", type=click.Choice(list(preprocessing.PREPROCESSINGS)),
    help="What the data go through first; median: missing values become the attribute's median or most frequent "
    "value; wang2006: missing values replaced, ten bins, near-unique attributes removed. evaluate and reject fit it "
    "as --preprocess-per-fold says, predict on the training file.",
)  # fmt: skip
_AIMS = {
    "below": ("C", "Reject answers less certain than this."),
    "keep": ("SHARE", "Reject as many as leave this share, in [0, 1], of the correct answers."),
    "target_error": ("SHARE", "Reject as few as leave at most this share of errors among the answers."),
    "target_coverage": ("SHARE", "Reject as many as leave this share of the instances answered."),
    "cost": ("E:R", "Reject where it costs least, when an error costs E and a rejection R."),
    "chow": ("E:R", "Chow's rule for the same costs: reject below the certainty 1 - R/E."),
}


def aim_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What a threshold on the certainty is to reach."""
    command = click.option(
        "--threshold-from", type=click.Choice(["out-of-fold", "training"]), default="out-of-fold", show_default=True,
        help="Choose the threshold on a cross-validation inside the training set, or on the training rows themselves.",
    )(command)  # fmt: skip
    for name, (metavar, text) in reversed(_AIMS.items()):
        command = click.option(f"--{name.replace('_', '-')}", metavar=metavar, help=text)(command)
    return command


def aim_of(values: dict[str, Any]) -> Aim | None:
    """The aim among the values of a command's options, which are taken out."""
    given = {name: text for name in _AIMS if (text := values.pop(name)) is not None}
    if len(given) > 1:
        first, second, *_ = (f"--{name.replace('_', '-')}" for name in given)
        raise click.UsageError(f"{first} excludes {second}: one threshold at a time")
    for name, text in given.items():
        return Aim.parse(name.removeprefix("target_"), text)
    return None


METHOD_HELP = "Such as confdtree:variant=tdist,fine=0.2; see 'wekaconf methods'."


def name_of(path: str) -> str:
    """What a data set is called: its file's name without folder and endings."""
    name = os.path.basename(path)
    return name.removesuffix(".gz").removesuffix(".arff")


def preprocessed(data: Dataset, name: str | None) -> tuple[Dataset, Filters]:
    """What a preprocessing fitted on the data makes of them, and its filters."""
    if name is None:
        return data, ()
    fitted = preprocessing.fit_preprocessing(data, name)
    return fitted.output, fitted.filters
