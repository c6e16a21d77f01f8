"""The command line: each command parses, calls and prints."""

from __future__ import annotations

import csv
import functools
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import click
import numpy as np

from wekaconf import scheme
from wekaconf.arff import load_arff
from wekaconf.bridge import LEARNERS, about, configure, folds
from wekaconf.dataset import Dataset
from wekaconf.errors import Note, OptionError, WekaconfError
from wekaconf.files import atomic_write
from wekaconf.model_file import load_model, save_model
from wekaconf.postprocessor import PostProcessor, parameters

PROGRESS_AFTER_SECONDS = 2.0


class _Session:
    """How talkative this call is."""

    verbose = False
    quiet = False
    debug = False


def _say(text: str, *, only_verbose: bool = False) -> None:
    if not _Session.quiet and (_Session.verbose or not only_verbose):
        click.echo(text, err=True)


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command has."""

    @click.option("--max-heap", metavar="SIZE", help="Java's heap, such as 512m or 4g (also WEKACONF_MAX_HEAP).")
    @click.option("-v", "--verbose", is_flag=True, help="Tell what is being done.")
    @click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
    @click.option("--debug", is_flag=True, help="Show the traceback of an error.")
    @functools.wraps(command)
    def wrapped(*args: Any, max_heap: str | None, verbose: bool, quiet: bool, debug: bool, **kwargs: Any) -> Any:
        _Session.verbose, _Session.quiet, _Session.debug = verbose, quiet, debug
        configure(max_heap=max_heap)
        return command(*args, **kwargs)

    return wrapped


_class_option = click.option(
    "-c", "--class", "class_attribute", default="last", show_default=True, metavar="last|first|N|NAME",
    help="The class attribute.",
)  # fmt: skip
_learner_option = click.option(
    "--learner", default="J48", show_default=True, metavar="|".join(LEARNERS), help="What Weka grows."
)
_options_option = click.option(
    "--options", default="", metavar='"-C 0.25 -M 2"', help="The learner's options, in Weka's spelling."
)
_method_help = "A method, such as confdtree:variant=tdist; see 'wekaconf methods'."


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="wekaconf")
def main() -> None:
    """Decision trees that know when they are wrong: Weka's own trees, and published methods that read them."""


@main.command("about")
@_common
def about_command() -> None:
    """Versions of everything, where Java was found, and its real heap."""
    from importlib.metadata import version

    click.echo(f"wekaconf  {version('wekaconf')}")
    click.echo(f"Python    {sys.version.split()[0]} ({sys.executable})")
    click.echo(f"wrapper   python-weka-wrapper3 {version('python-weka-wrapper3')}")
    facts = about()
    click.echo(f"bridge    {facts['bridge']}")
    click.echo(f"Weka      {facts['weka']}")
    click.echo(f"Java      {facts['java']} ({facts['java_vendor']}), from {facts['java_source']}: {facts['java_home']}")
    click.echo(f"heap      {int(facts['max_heap_bytes']) // 2**20} MiB at most")


@main.command("methods")
@click.argument("name", required=False)
@_common
def methods_command(name: str | None) -> None:
    """The methods, or one with its parameters and its paper."""
    from wekaconf.report.references import cite

    known = scheme.methods()
    if name is None:
        for method in known.values():
            click.echo(f"{method.name:<18}{_first_line(method)}")
            shown = ", ".join(f"{p.name}={p.default}" for p in parameters(method).values())
            click.echo(f"{'':<18}parameters: {shown or 'none'}")
            click.echo(f"{'':<18}{cite(method.reference) if method.reference else 'Weka itself'}\n")
        return
    method = type(scheme.method(name))
    click.echo(f"{name}: {_text(method)}\n\ncertainty in {method.certainty_range}")
    if method.reference:
        click.echo(cite(method.reference))


def _text(method: type[PostProcessor]) -> str:
    import inspect

    return inspect.getdoc(method) or ""


def _first_line(method: type[PostProcessor]) -> str:
    return _text(method).partition("\n")[0]


@main.command("tree")
@click.argument("data", type=click.Path())
@_learner_option
@_options_option
@click.option("--format", "form", type=click.Choice(["text", "dot", "json"]), default="text", show_default=True)
@_class_option
@_common
def tree_command(data: str, learner: str, options: str, form: str, class_attribute: str) -> None:
    """Grow a tree on all of DATA and print it."""
    from wekaconf.report import trees

    tree = scheme.grow(load_arff(data, class_attribute=class_attribute), learner, options)
    render = {"text": trees.render_text, "dot": trees.render_dot, "json": trees.render_json}[form]
    click.echo(render(tree))


@main.command("evaluate")
@click.argument("data", type=click.Path(), nargs=-1, required=True)
@click.option("--method", "methods", multiple=True, default=("leaf_frequency",), show_default=True, help=_method_help)
@click.option("-x", "--folds", "k", default="10", show_default=True, metavar="N|loo", help="Cross-validation.")
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's folds and splits.")
@click.option("--runs", default=1, show_default=True, type=click.IntRange(1), help="Repeat with seeds s, s + 1, …")
@click.option("--split", metavar="0.5|20:50", help="Instead of folds: share, or counts, to train on and to test on.")
@click.option("--stratified", is_flag=True, help="The split holds for each class.")
@click.option("-T", "--test", "test", type=click.Path(), help="Instead of folds: test on this file.")
@click.option(
    "--unseen",
    type=click.Choice(["missing", "error"]),
    default="missing",
    show_default=True,
    help="Nominal values of the test file that the training file does not declare.",
)
@_learner_option
@_options_option
@_class_option
@click.option("--csv", "csv_path", type=click.Path(), help="Also write the records as CSV.")
@click.option("--json-file", type=click.Path(), help="Also write the records as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table.")
@_common
def evaluate_command(data: tuple[str, ...], methods: tuple[str, ...], csv_path: str | None, json_file: str | None,
                     as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure methods on data sets, by Weka's own folds unless told otherwise."""
    from wekaconf.report import tables

    for text in methods:
        scheme.parse_method(text)
    _check_protocol(protocol)
    records: list[dict[str, Any]] = []
    failures: list[tuple[str, WekaconfError]] = []
    for path in data:
        try:
            records += _evaluate_one(path, methods, **protocol)
        except WekaconfError as error:
            if len(data) == 1:
                raise
            failures.append((path, error))
            _say(f"{path}: left out: {error}")
    for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
        if target is not None and records:
            with atomic_write(target, "w") as file:
                write(records, file)
    if as_json:
        tables.print_json(records)
    elif records:
        tables.print_table(records, _title(records[0]))
    if failures:
        names = ", ".join(path for path, _ in failures)
        raise OptionError(f"{len(failures)} of {len(data)} data sets could not be evaluated: {names}")


def _check_protocol(protocol: dict[str, Any]) -> None:
    k = protocol["k"]
    if k != "loo" and not (k.isdigit() and int(k) >= 2):
        raise click.BadParameter(f"expected a number of at least 2, or loo, got '{k}'", param_hint="-x")
    if protocol["split"] and protocol["test"]:
        raise click.UsageError("--split and -T exclude each other")
    if protocol["stratified"] and not protocol["split"]:
        raise click.UsageError("--stratified belongs to --split (folds are stratified anyway)")


def _evaluate_one(path: str, methods: Sequence[str], *, k: str, seed: int, runs: int, split: str | None,
                  stratified: bool, test: str | None, unseen: Any, learner: str, options: str,
                  class_attribute: str) -> list[dict[str, Any]]:  # fmt: skip
    began = time.perf_counter()
    chosen = [scheme.parse_method(text) for text in methods]
    data = load_arff(path, class_attribute=class_attribute)
    n_folds = None if split or test else len(data) if k == "loo" else int(k)
    if test is not None:
        further = load_arff(test, class_attribute=class_attribute).conform(data.header, unseen=unseen, what=test)
        all_splits = [[(np.arange(len(data)), np.arange(len(data), len(data) + len(further)))]]
        data = data.join(further)
        protocol = f"tested on {_name(test)}"
    else:
        all_splits = [
            scheme.splits(
                data, folds="loo" if k == "loo" else int(k), split=split, stratified=stratified, seed=seed + run
            )
            for run in range(runs)
        ]
        protocol = (
            f"{'stratified ' if stratified else ''}split {split}" if split else f"{n_folds}-fold cross-validation"
        )
    with _progress(sum(map(len, all_splits)), _name(path)) as advance:
        evaluated = scheme.evaluate(data, chosen, all_splits, learner=learner, options=options, on_split=advance)
    _say(f"{_name(path)}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    facts = {
        "dataset": _name(path),
        "n_instances": len(data),
        "class": data.header.class_attribute.name,
        "protocol": protocol,
        "folds": n_folds,
        "seed": seed,
        "runs": 1 if test is not None else runs,
    }
    return [facts | {"label": label} | record for label, (record, _) in zip(methods, evaluated, strict=True)]


def _title(record: dict[str, Any]) -> str:
    learner = f"{record['learner']} {record['options']}".strip()
    runs = f", {record['runs']} runs" if record["runs"] > 1 else ""
    weka = record["versions"]["weka"]
    return f"{learner} of Weka {weka}; {record['protocol']}, seed {record['seed']}{runs}; pooled answers"


def _name(path: str) -> str:
    name = os.path.basename(path)
    return name.removesuffix(".gz").removesuffix(".arff")


@main.command("predict")
@click.option("-t", "--train", "train", type=click.Path(), help="Grow and fit on this file.")
@click.option("-l", "--load", "model", type=click.Path(), help="Or take this model; no Java is started.")
@click.option("-T", "--test", "test", type=click.Path(), required=True, help="The instances to answer for.")
@click.option("--method", default=None, metavar="METHOD", help=f"{_method_help}  [default: leaf_frequency]")
@click.option("-o", "--output", type=click.Path(), help="OUT.csv or OUT.arff; CSV on standard output when left out.")
@click.option("-d", "--dump", type=click.Path(), help="Save the fitted model.")
@click.option(
    "--unseen",
    type=click.Choice(["missing", "error"]),
    default="missing",
    show_default=True,
    help="Nominal values that the training data do not declare.",
)
@_learner_option
@_options_option
@_class_option
@_common
@click.pass_context
def predict_command(context: click.Context, train: str | None, model: str | None, test: str, method: str | None,
                    output: str | None, dump: str | None, unseen: Any, learner: str, options: str,
                    class_attribute: str) -> None:  # fmt: skip
    """Answer for the instances of a file: class, distribution, certainty, and whether the method changed it."""
    from wekaconf.report.predictions import predictions, save_predictions, write_predictions

    if (train is None) == (model is None):
        raise click.UsageError("give either -t TRAIN or -l MODEL")
    if model is not None:
        given = [name for name in ("method", "learner", "options", "class_attribute")
                 if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE]  # fmt: skip
        if given:
            raise click.UsageError(f"a model is already fitted: -l excludes --{given[0].partition('_')[0]}")
        fitted = load_model(model)
    else:
        assert train is not None
        instances = load_arff(train, class_attribute=class_attribute)
        unfitted = scheme.parse_method(method or "leaf_frequency")
        with _progress(None, f"growing {learner} on {_name(train)}"):
            fitted = unfitted.fit(scheme.grow(instances, learner, options), instances)
    header = fitted.tree_.header
    data = load_arff(test, class_attribute=None).conform(header, unseen=unseen, what=test)
    table = predictions(fitted, data, data.class_values)
    if output is None:
        write_predictions(sys.stdout, table)
    else:
        save_predictions(output, table)
    if dump is not None:
        save_model(dump, fitted)
    if output is not None:
        _summary(data, table, output)


def _summary(data: Dataset, table: Dataset, output: str) -> None:
    error = table.values[:, 3]
    known = error[~np.isnan(error)]
    score = f", {int((known == 0).sum())} of {len(known)} with a known class correct" if len(known) else ""
    _say(f"{output}: {len(data)} instances{score}")


@main.command("folds")
@click.argument("data", type=click.Path())
@click.option("-x", "--folds", "k", default=10, show_default=True, type=click.IntRange(2), help="Number of folds.")
@click.option("-s", "--seed", default=1, show_default=True)
@click.option("-o", "--output", type=click.Path(), help="A CSV file; standard output when left out.")
@_class_option
@_common
def folds_command(data: str, k: int, seed: int, output: str | None, class_attribute: str) -> None:
    """Weka's own cross-validation folds, in Weka's order: fold, set, position and instance, counted from 1."""
    found = folds(load_arff(data, class_attribute=class_attribute), k, seed)
    with atomic_write(output, "w") if output else nullcontext(sys.stdout) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["fold", "set", "position", "instance"])
        for fold, parts in enumerate(found, 1):
            for name, rows in zip(("train", "test"), parts, strict=True):
                writer.writerows((fold, name, position, row + 1) for position, row in enumerate(rows.tolist(), 1))


@contextmanager
def _progress(total: int | None, label: str) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error that appears when the work takes longer than two seconds."""
    began, bar, done = time.monotonic(), None, 0

    def advance() -> None:
        nonlocal bar, done
        done += 1
        if bar is None and time.monotonic() - began > PROGRESS_AFTER_SECONDS and not _Session.quiet:
            from rich.console import Console
            from rich.progress import Progress

            console = Console(stderr=True)
            if console.is_terminal:
                bar = Progress(console=console, transient=True)
                bar.start()
                bar.add_task(label, total=total, completed=done - 1)
        if bar is not None:
            bar.advance(bar.task_ids[0])

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def run() -> None:
    """Entry point: turns our errors into one line and an exit code."""
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        if issubclass(category, Note):
            if str(message) not in shown:
                shown.add(str(message))
                _say(f"note: {message}")
        else:
            usual(message, category, *rest, **more)

    usual, warnings.showwarning = warnings.showwarning, show
    warnings.simplefilter("always", Note)
    try:
        code = main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted; nothing half-written is left", err=True)
        code = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except (WekaconfError, OSError) as error:
        if _Session.debug:
            raise
        click.echo(f"error: {error}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    run()
