"""The command line: each command parses, calls and prints."""

from __future__ import annotations

import csv
import functools
import os
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Literal

import click
import numpy as np

from wekaconf import preprocessing, scheme
from wekaconf.arff import load_arff
from wekaconf.bridge import LEARNERS, FittedFilter, about, configure, folds
from wekaconf.column_map import ColumnMap
from wekaconf.dataset import Dataset, Unseen
from wekaconf.errors import Note, OptionError, WekaconfError
from wekaconf.evaluation.cross_validation import Answering
from wekaconf.files import atomic_write
from wekaconf.model_file import read_model, save_model
from wekaconf.postprocessor import PostProcessor, parameters
from wekaconf.report import tables
from wekaconf.report.progress import Progress


class _Session:
    """How talkative this call is."""

    verbose = False
    quiet = False
    debug = False


def _say(text: str, *, only_verbose: bool = False) -> None:
    if not _Session.quiet and (_Session.verbose or not only_verbose):
        click.echo(text, err=True)


def _progress(label: str) -> Progress:
    return Progress(label, hidden=_Session.quiet)


def _common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command has."""

    @click.option("--max-heap", metavar="SIZE", help="Java's heap, such as 512m or 4g (also WEKACONF_MAX_HEAP).")
    @click.option("-v", "--verbose", is_flag=True, help="Tell what is being done.")
    @click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
    @click.option("--debug", is_flag=True, help="Show the traceback of an error.")
    @functools.wraps(command)
    def wrapped(*args: Any, max_heap: str | None, verbose: bool, quiet: bool, debug: bool, **kwargs: Any) -> Any:
        _Session.verbose, _Session.quiet, _Session.debug = verbose, quiet, debug
        _check_distinct(click.get_current_context())
        configure(max_heap=max_heap)
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads, such as head, has enough
            _discard_stdout()

    return wrapped


def _discard_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _check_output(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
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
    for parameter in sorted(context.command.params, key=lambda parameter: parameter.callback is _check_output):
        given = context.params.get(parameter.name or "")
        if not isinstance(parameter.type, click.Path) or not given:
            continue
        for path in given if isinstance(given, tuple) else (given,):
            name = parameter.opts[0] if isinstance(parameter, click.Option) else "the data"
            place = os.path.realpath(path)
            if parameter.callback is _check_output and place in seen and not place.startswith(os.sep + "dev"):
                raise click.UsageError(f"{name} {path} would overwrite {seen[place]}; give it another name")
            seen[place] = name


def _given(context: click.Context, *names: str) -> list[str]:
    """Those of the options that stand on the command line, as a user writes them."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) == click.core.ParameterSource.COMMANDLINE
    ]


_class_option = click.option(
    "-c", "--class", "class_attribute", default="last", show_default=True, metavar="last|first|N|NAME",
    help="The class attribute; N counts from 1.",
)  # fmt: skip
_learner_option = click.option(
    "--learner", default="J48", show_default=True, metavar="NAME", help=f"What Weka grows: {', '.join(LEARNERS)}."
)
_options_option = click.option(
    "--options", default="", metavar='"-C 0.25 -M 2"', help="The learner's options, in Weka's spelling."
)
_unseen_option = click.option(
    "--unseen", type=click.Choice(["missing", "error"]), default="missing", show_default=True,
    help="What a nominal value is that the training data do not declare.",
)  # fmt: skip
_preprocess_option = click.option(
    "--preprocess", type=click.Choice(list(preprocessing.PREPROCESSINGS)),
    help="Filters that the data go through first; wang2006: missing values replaced, ten bins, near-unique "
    "attributes removed. evaluate fits them as --preprocess-per-fold says, predict on the training file.",
)  # fmt: skip
_method_help = "Such as confdtree:variant=tdist,fine=0.2; see 'wekaconf methods'."


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="wekaconf")
def main() -> None:
    """Decision trees that know when they are wrong: Weka's own trees, and published methods that read them."""


@main.command("about")
@_common
def about_command() -> None:
    """Show versions, where Java was found, and its real heap."""
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
    """List the methods, or describe one: parameters and paper."""
    import inspect

    known = scheme.available_methods() if name is None else {name: type(scheme.method(name))}
    for method in known.values():
        text = inspect.getdoc(method) or ""
        if name is not None:
            click.echo(f"{name}: {text}\n\nThe certainty lies in {method.certainty_range}.")
            continue
        click.echo(method.name)
        shown = ", ".join(f"{p.name}={p.default}" for p in parameters(method).values())
        for line in (text.partition("\n")[0], f"Parameters: {shown or 'none'}", _source(method)):
            click.echo(textwrap.fill(line, 100, initial_indent="    ", subsequent_indent="        "))


def _source(method: type[PostProcessor]) -> str:
    from wekaconf.report.references import cite

    return cite(method.reference) if method.reference else "Weka's own answer"


@main.command("tree")
@click.argument("data", type=click.Path())
@_learner_option
@_options_option
@_preprocess_option
@click.option("--format", "form", type=click.Choice(["text", "dot", "json"]), default="text", show_default=True)
@_class_option
@_common
def tree_command(
    data: str, learner: str, options: str, preprocess: str | None, form: str, class_attribute: str
) -> None:
    """Grow a tree on all of DATA and print it."""
    from wekaconf.report import trees

    with _progress(_name(data)):
        instances, _ = _preprocess(load_arff(data, class_attribute=class_attribute), preprocess)
        tree = scheme.grow(instances, learner, options)
    render = {"text": trees.render_text, "dot": trees.render_dot, "json": trees.render_json}[form]
    click.echo(render(tree), nl=False)


def _preprocess(data: Dataset, name: str | None) -> tuple[Dataset, tuple[FittedFilter, ...]]:
    """What a preprocessing fitted on the data makes of them, and its filters."""
    if name is None:
        return data, ()
    fitted = preprocessing.fit_preprocessing(data, name)
    return fitted.output, fitted.filters


@main.command("evaluate")
@click.argument("data", type=click.Path(), nargs=-1, required=True)
@click.option("--method", "methods", multiple=True, default=("leaf_frequency",), show_default=True, metavar="METHOD",
              help=f"{_method_help} May be repeated.")  # fmt: skip
@click.option("--reading", type=click.Choice(["honest", "text", "table"]),
              help="How the open points of a method's paper are read: honest repairs its text, text takes it to "
              "the letter, table reproduces its printed numbers and uses the class of the test instances for it, "
              "so it is for replication only.")  # fmt: skip
@click.option("-x", "--folds", "k", default="10", show_default=True, metavar="N|loo",
              help="Cross-validation with N folds, or leaving one instance out.")  # fmt: skip
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's folds and splits.")
@click.option("--runs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Repeat with the seeds s, s + 1, …")  # fmt: skip
@click.option("--split", metavar="0.5|20:50",
              help="Instead of folds: the share to train on, or the numbers to train and to test on.")  # fmt: skip
@click.option("--stratified", is_flag=True, help="The share or the numbers of --split hold for each class.")
@click.option("-T", "--test", "test", type=click.Path(), help="Instead of folds: test on this file.")
@_preprocess_option
@click.option("--preprocess-per-fold", is_flag=True,
              help="Fit --preprocess on each training set; otherwise once on all instances, "
              "those to test on included.")  # fmt: skip
@_unseen_option
@_learner_option
@_options_option
@_class_option
@click.option("--metric", "metrics", type=click.Choice(list(tables.HEADINGS)), multiple=True, default=tables.COLUMNS,
              show_default=True, metavar="NAME",
              help=f"A column of the table: {', '.join(tables.HEADINGS)}. May be repeated.")  # fmt: skip
@click.option("--fold-mean", is_flag=True, help="The table shows means over folds, not of pooled answers.")
@click.option("--csv", "csv_path", type=click.Path(), callback=_check_output, help="Also write the records as CSV.")
@click.option("--json-file", type=click.Path(), callback=_check_output, help="Also write the records as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print the records as JSON instead of a table.")
@_common
@click.pass_context
def evaluate_command(context: click.Context, /, data: tuple[str, ...], methods: tuple[str, ...], reading: str | None,
                     metrics: tuple[str, ...], fold_mean: bool, csv_path: str | None, json_file: str | None,
                     as_json: bool, **protocol: Any) -> None:  # fmt: skip
    """Measure methods by cross-validation, a split, or a test file."""
    for option, values in (("--method", methods), ("--metric", metrics)):
        for value in values:
            if values.count(value) > 1:
                raise click.UsageError(f"{option} {value} is given twice")
    _check_protocol(context, protocol)
    chosen = _with_reading(methods, reading)
    names = list(map(_name, data))
    records: list[dict[str, Any]] = []
    failed: list[str] = []
    for path, name in zip(data, names, strict=True):
        try:
            records += _evaluate_one(path, name if names.count(name) == 1 else path, chosen, **protocol)
        except WekaconfError as error:
            if len(data) == 1:
                raise
            failed.append(path)
            text = str(error)
            click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)
    if reading == "table":
        records = [record | {"reading": reading} for record in records]
    if as_json:
        tables.print_json(records)
    elif records:
        part = "fold_mean" if fold_mean else "pooled"
        tables.print_table(records, _title(records[0], reading, part), metrics=metrics, part=part)
    for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
        if target is not None and records:
            with atomic_write(target, "w") as file:
                write(records, file)
    if failed:
        raise OptionError(f"{len(failed)} of {len(data)} data sets could not be evaluated: {', '.join(failed)}")


def _check_protocol(context: click.Context, protocol: dict[str, Any]) -> None:
    k = protocol["k"]
    if k != "loo" and not (k.isdecimal() and int(k) >= 2):
        raise click.BadParameter(f"expected a number of at least 2, or loo, got '{k}'", param_hint="-x")
    for chosen, excluded in (("test", ("split", "stratified", "k", "seed", "runs")), ("split", ("k",))):
        if protocol[chosen] and (others := _given(context, *excluded)):
            raise click.UsageError(f"{_given(context, chosen)[0]} excludes {others[0]}")
    if protocol["stratified"] and not protocol["split"]:
        raise click.UsageError("--stratified belongs to --split (folds are stratified anyway)")
    if protocol["preprocess_per_fold"] and not protocol["preprocess"]:
        raise click.UsageError("--preprocess-per-fold belongs to --preprocess")


def _with_reading(texts: tuple[str, ...], reading: str | None) -> dict[str, Answering]:
    """The methods of the command line, by its text, in one reading of their papers."""
    if reading is None:
        return {text: scheme.parse_method(text) for text in texts}
    if reading == "table":
        return _table_readings(texts)
    chosen = {text: scheme.parse_method(text, reading=reading) for text in texts}
    if not any("reading" in method.params for method in chosen.values()):
        able = [name for name, known in scheme.available_methods().items() if "reading" in parameters(known)]
        raise click.UsageError(
            f"--reading {reading}: no method given has a reading; those that have one are {', '.join(able)}"
        )
    for text, method in chosen.items():
        if method.params.get("reading", reading) != reading:
            raise click.UsageError(f"--reading {reading} contradicts --method {text}")
    return dict(chosen)


def _table_readings(texts: tuple[str, ...]) -> dict[str, Answering]:
    """What reproduces the published tables, which sees the class of the instances it answers for."""
    from wekaconf.replication.wang2006 import table_reading

    found = {text: table_reading(scheme.parse_method(text)) for text in texts}
    click.echo(
        "warning: the table reading uses the class of the test instances; its figures are for replication only",
        err=True,
    )
    return found


def _evaluate_one(path: str, name: str, methods: Mapping[str, Answering], *, k: str, seed: int, runs: int,
                  split: str | None, stratified: bool, test: str | None, preprocess: str | None,
                  preprocess_per_fold: bool, unseen: Unseen, learner: str, options: str,
                  class_attribute: str) -> list[dict[str, Any]]:  # fmt: skip
    began = time.perf_counter()
    with _progress(name) as progress:
        data = load_arff(path, class_attribute=class_attribute)
        facts = {"dataset": name, "n_instances": len(data), "class": data.header.class_attribute.name}
        if test is not None:
            further = load_arff(test, class_attribute=class_attribute).conform(data.header, unseen=unseen, what=test)
            all_splits = [[(np.arange(len(data)), np.arange(len(data), len(data) + len(further)))]]
            data = data.join(further)
            facts |= {"protocol": f"tested on {_name(test)}", "folds": None, "seed": None, "runs": 1}
        else:
            k_folds: int | Literal["loo"] = "loo" if k == "loo" else int(k)
            all_splits = [
                scheme.splits(data, folds=k_folds, split=split, stratified=stratified, seed=seed + run)
                for run in range(runs)
            ]
            n_folds = None if split else len(all_splits[0])
            protocol = f"{n_folds}-fold cross-validation" if n_folds else f"split {split}"
            protocol = "leave-one-out" if k == "loo" else protocol
            protocol = f"stratified {protocol}" if stratified else protocol
            facts |= {"protocol": protocol, "folds": n_folds, "seed": seed, "runs": runs}
        progress.of(sum(map(len, all_splits)))
        evaluated = scheme.evaluate(
            data,
            list(methods.values()),
            all_splits,
            learner=learner,
            options=options,
            preprocess=preprocess,
            per_fold=preprocess_per_fold,
            on_split=progress.advance,
        )
    _say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    return [facts | {"label": label} | record for label, (record, _) in zip(methods, evaluated, strict=True)]


def _title(record: dict[str, Any], reading: str | None, part: str) -> str:
    learner = f"{record['learner']} {record['options']}".strip()
    protocol = [record["protocol"]]
    protocol += [f"seed {record['seed']}"] if record["seed"] is not None else []
    protocol += [f"{record['runs']} runs"] if record["runs"] > 1 else []
    parts = ["TABLE READING: uses the class of the test instances"] if reading == "table" else []
    parts += [f"{learner} of Weka {record['versions']['weka']}", ", ".join(protocol)]
    if (preprocess := record["preprocess"]) is not None:
        article = "the " if preprocess["fitted_on"] == "whole set" else ""
        parts.append(f"preprocessing {preprocess['name']}, fitted on {article}{preprocess['fitted_on']}")
    parts += [f"reading {reading}"] if reading in ("honest", "text") else []
    return "; ".join([*parts, {"pooled": "pooled answers", "fold_mean": "mean over folds"}[part]])


def _name(path: str) -> str:
    name = os.path.basename(path)
    return name.removesuffix(".gz").removesuffix(".arff")


@main.group("replicate")
def replicate_group() -> None:
    """Recompute the printed tables of a paper."""


@replicate_group.command("wang2006")
@click.argument("folder", type=click.Path())
@click.option("--set", "sets", multiple=True, metavar="NAME",
              help="Only this data set, named as its file. May be repeated.")  # fmt: skip
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1), metavar="N",
              help="Ten-fold cross-validations, with the seeds s, s + 1, …; the paper has 5.")  # fmt: skip
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's folds.")
@click.option("-j", "--jobs", default=1, show_default=True, type=click.IntRange(1), metavar="N",
              help="Data sets at a time, each in a process with a Java of its own.")  # fmt: skip
@click.option("--resume", type=click.Path(), metavar="FOLDER",
              help="Keep each finished data set in this folder; what is finished there is not run again.")  # fmt: skip
@click.option("--csv", "csv_path", type=click.Path(), callback=_check_output, help="Also write the records as CSV.")
@click.option("--json-file", type=click.Path(), callback=_check_output, help="Also write the records as JSON.")
@_common
def replicate_wang2006_command(folder: str, sets: tuple[str, ...], runs: int, seed: int, jobs: int,
                               resume: str | None, csv_path: str | None, json_file: str | None) -> None:  # fmt: skip
    """Recompute Tables 3 and 4 of Wang and Zhang 2006.

    FOLDER holds the data sets as ARFF files, named as in the tables ("sink" is sick.arff). Printed are our figures,
    the published ones, and their difference; then means of what the paper's text and an honest reading of it give.
    The published figures of WPE and of the combination are met only by showing both the class of the test instances.
    """
    from wekaconf.replication import comparison, wang2006_tables
    from wekaconf.report import tables

    with _progress("wang2006") as progress:
        done = wang2006_tables.replicate(
            folder, sets=sets, runs=runs, seed=seed, jobs=jobs, resume=resume,
            on_start=progress.of, on_set=progress.advance,
        )  # fmt: skip
    for name, why in done.failed.items():
        click.echo(f"left out: {name}: {why}", err=True)
    n_sets = len(set(sets) or wang2006_tables.data_sets())
    if done.records:
        comparison.print_tables(done.records, n_sets)
        for target, write in ((csv_path, tables.write_csv), (json_file, tables.write_json)):
            if target is not None:
                with atomic_write(target, "w") as file:
                    write(done.records, file)
    if left_out := [*done.missing, *done.failed]:
        raise OptionError(f"{len(left_out)} of {n_sets} data sets could not be run: {', '.join(left_out)}")


@main.command("predict")
@click.option("-t", "--train", "train", type=click.Path(), help="Grow and fit on this file.")
@click.option("-l", "--load", "model", type=click.Path(), help="Or take this model; no Java is started.")
@click.option("-T", "--test", "test", type=click.Path(), required=True, help="The instances to answer for.")
@click.option("--method", default="leaf_frequency", show_default=True, metavar="METHOD", help=_method_help)
@click.option("-o", "--output", type=click.Path(), callback=_check_output,
              help="CSV, or ARFF if the name ends in .arff or .arff.gz; left out: CSV on standard output.")  # fmt: skip
@click.option("-d", "--dump", type=click.Path(), callback=_check_output,
              help="Save the fitted model, filters included.")  # fmt: skip
@_preprocess_option
@_unseen_option
@_learner_option
@_options_option
@_class_option
@_common
@click.pass_context
def predict_command(context: click.Context, train: str | None, model: str | None, test: str, method: str,
                    output: str | None, dump: str | None, preprocess: str | None, unseen: Unseen, learner: str,
                    options: str, class_attribute: str) -> None:  # fmt: skip
    """Predict the classes of a file's instances.

    One row an instance: actual and predicted class, class distribution, certainty, and whether the method changed
    the tree's own distribution by 0.1 or more.
    """
    from wekaconf.report.predictions import predictions, save_predictions, write_predictions

    if (train is None) == (model is None):
        raise click.UsageError("give either -t TRAIN or -l MODEL")
    fitting = ("method", "preprocess", "learner", "options", "class_attribute")
    if model is not None and (given := _given(context, *fitting)):
        raise click.UsageError(f"-l takes a model that is fitted already, so it excludes {given[0]}")
    filters: tuple[FittedFilter | ColumnMap, ...] = ()
    with _progress(_name(test)):
        if train is not None:
            unfitted = scheme.parse_method(method)
            instances, filters = _preprocess(load_arff(train, class_attribute=class_attribute), preprocess)
            fitted = unfitted.fit(scheme.grow(instances, learner, options), instances)
        elif model is not None:
            fitted, filters = read_model(model)
        data = load_arff(test, class_attribute=None)
        for learned in filters:
            data = learned.apply(data.conform(learned.input_header, unseen=unseen, what=test))
        data = data.conform(fitted.tree_.header, unseen=unseen, what=test)
        table = predictions(fitted, data, data.class_values)
    if output is None:
        write_predictions(sys.stdout, table)
    else:
        save_predictions(output, table)
    if dump is not None:
        save_model(dump, fitted, filters=filters)
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
@click.option("-s", "--seed", default=1, show_default=True, help="Of Weka's shuffle.")
@click.option("-o", "--output", type=click.Path(), callback=_check_output,
              help="A CSV file; left out: standard output.")  # fmt: skip
@_class_option
@_common
def folds_command(data: str, k: int, seed: int, output: str | None, class_attribute: str) -> None:
    """Write Weka's own cross-validation folds.

    One row an instance and set, in Weka's order: fold, set (train or test), position in the set, and instance, all
    counted from 1.
    """
    with _progress(_name(data)):
        found = folds(load_arff(data, class_attribute=class_attribute), k, seed)
    with atomic_write(output, "w") if output else nullcontext(sys.stdout) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["fold", "set", "position", "instance"])
        for fold, parts in enumerate(found, 1):
            for name, rows in zip(("train", "test"), parts, strict=True):
                writer.writerows((fold, name, position, row + 1) for position, row in enumerate(rows.tolist(), 1))


def run() -> None:
    """Entry point: turns our errors into one line and an exit code."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - a closed stream stays closed
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    with warnings.catch_warnings():
        warnings.simplefilter("always", Note)
        warnings.showwarning = _say_notes_once(warnings.showwarning)
        code = _exit_code()
    try:
        sys.stdout.flush()
    except OSError:
        _discard_stdout()
    sys.exit(code)


def _exit_code() -> int:
    try:
        code = main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted; nothing half-written is left", err=True)
        return 130
    except (WekaconfError, OSError) as error:
        if _Session.debug:
            raise
        text = str(error)
        if isinstance(error, OSError):
            text = f"{error.filename or 'the output'}: {error.strerror or error}"
        click.echo(f"error: {text}", err=True)
        return 1
    return code if isinstance(code, int) else 0


def _say_notes_once(usual: Callable[..., None]) -> Callable[..., None]:
    shown: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
        text = str(message)
        if not issubclass(category, Note):
            usual(message, category, *rest, **more)
        elif text not in shown:
            shown.add(text)
            _say(f"note: {text}")

    return show


if __name__ == "__main__":
    run()
