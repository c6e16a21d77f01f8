"""``wekaconf explain``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import click
import cloup
import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import Note
from wekaconf.base.files import write_text
from wekaconf.base.naming import counted
from wekaconf.bridge.reading import parts_like
from wekaconf.cli import options
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.console import folded, say
from wekaconf.cli.drift import compare_with_training
from wekaconf.cli.loading import data_path
from wekaconf.cli.models import (
    allow_plugin,
    load_option,
    model_and_file,
    model_and_file_argument,
    model_in_file,
    row_index,
    row_option,
    test_option,
)
from wekaconf.cli.values import NamedFile, OneOf, check_output, split_names, whole_number
from wekaconf.data import Dataset, Loaded, Outside, join_parts, stem
from wekaconf.data.table_files import Reading
from wekaconf.data.wording import cells, decimal_mark
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.contract import cell_value
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import label_of
from wekaconf.report.answers import difference_line
from wekaconf.report.explanations import ENDINGS, ExplainedAnswer, as_html, as_json, as_text, model_title
from wekaconf.report.printing import print_json_text


@command(
    "explain",
    "wekaconf explain model.wct iris.arff --least-certain 3",
    "wekaconf explain model.wct iris.arff --row 17 -o row17.html",
    often=("--row", "--least-certain", "--fixed", "--format", "--output"),
)
@model_and_file_argument
@cloup.option_group(
    "Data",
    load_option,
    test_option,
    options.strict("columns", "values"),
)  # fmt: skip
@options.file_form
@cloup.option_group(
    "Rows",
    row_option("Explain the answer for this row", "Repeat it for several rows.", multiple=True),
    click.option("--least-certain", type=whole_number(1), metavar="N", help="Explain the N least certain answers."),
    click.option("--fixed", metavar="ATTRIBUTE,…",
                 help="Of boundary_distance, measure the distance to another class with the values of these attributes "
                 "unchanged. Put a name with a comma in double quotes."),
)  # fmt: skip
@cloup.option_group(
    "Output",
    click.option("--format", "form", type=OneOf([*ENDINGS.values()]), metavar="|".join(ENDINGS.values()),
                 help="Write text, JSON, or one page for a browser. Left out: by the ending of -o, or text."),
    click.option("-o", "--output", type=NamedFile(*ENDINGS), callback=check_output, metavar="FILE",
                 help="Write here instead of to standard output."),
)  # fmt: skip
@allow_plugin
def explain_command(files: tuple[str, ...], model: str | None, test: str | None, rows: tuple[str, ...],
                    least_certain: int | None, fixed: str | None, form: str | None, output: str | None,
                    strict: options.Strict, written: Reading) -> None:  # fmt: skip
    """Tell how answers of a model follow from numbers, step by step.

    Each step follows from the steps below it, so that anybody can recompute the answer; JSON holds all of the numbers.
    """
    if (not rows) == (least_certain is None):
        raise click.UsageError("give either --row N or --least-certain N")
    form = _output_form(form, output)
    if rows and len(files) + (model is not None) + (test is not None) > 2:
        raise click.UsageError(f"'{files[-1]}' is one name too many; each row has its own --row: --row 1 --row 2")
    model, test = model_and_file(files, model, test)
    if model is None or test is None:
        raise click.UsageError("expected MODEL FILE: a model, and the file whose answers are explained")
    fitted = model_in_file(model, "'explain'").reading_as(written)
    fitted = replace(fitted, method=_with_fixed(fitted, fixed))
    with progress_bar(stem(test)):
        whole, data = _read_file(fitted, test, strict)
        names = whole.kept.get(fitted.reading.id, [])
        chosen = _chosen_rows(fitted, data, rows, least_certain, names, test)
        outside = None if fitted.summary is None else fitted.outside(whole.data)
        drift = compare_with_training(fitted, whole.data, outside)
        of_file = "" if drift is None else difference_line(drift, os.path.basename(test))
        explanations = _explanations(fitted, whole, data, chosen, names, outside)
    method = label_of(fitted.method)
    writers = {"text": as_text, "json": as_json, "html": as_html}
    text = writers[form](model_title(fitted) if form == "html" else method, explanations, of_file)
    if of_file and (form != "text" or output is not None):
        say(of_file, is_folded=True, is_warning=True)
    if form == "text" and output is None:
        text = "\n".join(map(_folded, text.split("\n")))
    if output is not None:
        write_text(output, text)
        say(f"{output}: {counted(len(explanations), 'answer')} explained")
    elif form == "json":
        print_json_text(text)
    else:
        click.echo(text, nl=False)


def _folded(line: str) -> str:
    """A line, folded to fit the terminal, with its further lines indented more."""
    indent = line[: len(line) - len(line.lstrip())]
    return folded(line.strip(), indent, f"{indent}    ")


def _output_form(form: str | None, output: str | None) -> str:
    by_ending = ENDINGS.get(os.path.splitext(output or "")[1].lower())
    if form and by_ending and form != by_ending:
        raise click.UsageError(f"--format {form} contradicts -o {output}; leave one out")
    return form or by_ending or "text"


def _with_fixed(model: Model, fixed: str | None) -> Any:
    """The model's method, with the attributes that ``fixed`` names held unchanged."""
    if fixed is None:
        return model.method
    if not isinstance(model.method, BoundaryDistance):
        raise click.UsageError(
            f"--fixed goes with boundary_distance, whose certainty is a distance, and the model holds "
            f"{model.method.name}; leave it out"
        )
    return model.method.with_fixed(*split_names(fixed))


def _read_file(model: Model, path: str, strict: options.Strict) -> tuple[Loaded, Dataset]:
    """A file, and its instances as the model reads them; without notes, which are about other rows, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        parts = parts_like(data_path(path), model.header, model.reading, unseen=strict.unseen, strict=strict.columns)
        whole = join_parts(parts)
        return whole, model.conform(whole.data)


def _chosen_rows(
    model: Model,
    data: Dataset,
    rows: Sequence[str],
    least_certain: int | None,
    names: Sequence[str | None],
    test: str,
) -> NDArray[np.intp]:
    """The indices of the instances to explain; ``names`` are the identifiers of all, if the model has a column."""
    if least_certain is not None:
        return np.argsort(model.answer_conformed(data).certainty, kind="stable")[:least_certain]
    return np.array([row_index(row, names, len(data), test) for row in rows], dtype=np.intp)


def _explanations(
    model: Model,
    whole: Loaded,
    data: Dataset,
    chosen: NDArray[np.intp],
    names: Sequence[str | None],
    outside: Outside | None,
) -> list[ExplainedAnswer]:
    """The explanations of the answers for the chosen rows of ``data``, which are ``whole`` as the model reads it."""
    rows = np.arange(len(data)) if _needs_batch(model) else chosen
    lying = None if outside is None else partial(outside.take, rows)
    answer = model.answer_conformed(data.take(rows), lying).with_decimal(whole.marks.decimal)
    explanation = answer.explanation
    thresholds = model.thresholds_by_class
    with decimal_mark(whole.marks.decimal):
        texts = {} if outside is None else outside.texts_at(chosen)
    explanations = []
    for place, i in enumerate(chosen.tolist()):
        instance = whole.data.take([i])
        c = int(instance.class_values[0])
        account = explanation.account(i if _needs_batch(model) else place)
        explanations.append(
            ExplainedAnswer(
                row=i + 1,
                name=names[i] or "" if names else "",
                actual=instance.class_names[c] if c >= 0 else "",
                values=_values(instance),
                account=account,
                threshold=None if thresholds is None else float(thresholds[account.predicted]),
                unseen=tuple(instance.unseen),
                outside=texts.get(place, ""),
            )
        )
    return explanations


def _needs_batch(model: Model) -> bool:
    """Whether an answer depends on the other instances of the file."""
    return bool(model.method.params.get("batch"))


def _values(instance: Dataset) -> dict[str, str | float | None]:
    """The values of a single instance without its class; dates, and values that training did not have, as texts."""
    values: dict[str, str | float | None] = {
        attribute.name: cells(attribute, cell)[0]
        if attribute.kind == "date" and not np.isnan(cell)
        else cell_value(attribute, cell)
        for attribute, cell in zip(instance.attributes, instance.values[0].tolist(), strict=True)
    }
    values |= instance.unseen_in(0)
    del values[instance.header.class_attribute.name]
    return values
