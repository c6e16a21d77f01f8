"""Hostile names of relations, attributes, values, classes, files and methods, through all that is written of them.

A file for a program gives the names back as they were. What is for people has no control characters, and a page, a
picture or a table no element, attribute, script or command that is not there with plain names.
"""

from __future__ import annotations

import csv
import io
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from click.testing import CliRunner

import wekaconf as wc
from support.hostile_names import hostile_and_plain, name, names, renamed, without_zero
from support.parsed_outputs import (
    dot_faults,
    html_faults,
    json_faults,
    latex_faults,
    raw_faults,
    xml_faults,
)
from wekaconf.base.errors import LONGEST, ArffError
from wekaconf.bridge._objects import join_options, split_options
from wekaconf.cli.commands import main
from wekaconf.model.scheme import parse_method
from wekaconf.report._answer_files import answer_file
from wekaconf.report._model_page.gathering import Rows
from wekaconf.report._model_page.rendering import ModelPage
from wekaconf.report._page import ComparisonOptions, Report
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.report.explanations import ExplainedAnswer, as_html, as_json, as_text
from wekaconf.report.trees import render_dot, render_json, render_text, write_tree
from wekaconf.tree.shown._html import html_of

METHODS = (
    "leaf_frequency", "confdtree", "m_branch", "id3_sd", "ling_yan", "boundary_distance", "curtailment",
    "wpe:numeric=bins",
)  # fmt: skip
LONG = 700
"""Names so many times as long as plain ones are those that some outputs shorten."""
PICTURES, PAGES, COMMANDS = 0.05, 0.2, 0.05
"""Shares of the draws in which pictures are drawn, pages made, and commands run."""
LATEX = {f"\\{mark}" for mark in "&%$#_{}"}
LATEX |= {f"\\text{mark}" for mark in ("backslash", "asciitilde", "asciicircum", "less", "greater", "bar")}
LATEX |= {"\\ldots", "\\pm", "\\chi"}


def draw(seed: int) -> Iterator[str]:
    """Write all that can be written of one data set, one model and one evaluation."""
    rng = Random(seed)
    hostile, plain = hostile_and_plain(rng)
    method, long = rng.choice(METHODS), renamed(plain, lambda text: text * LONG)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for what, faults in outputs(rng, method, hostile, plain, long):
            try:
                for fault in faults():
                    yield f"{what}: {fault}"
            except Exception as error:
                yield f"{what}: {error!r}"
    for note in caught:
        if isinstance(note.message, wc.Note) and not _is_told(str(note.message)):
            yield f"note {str(note.message)[:300]!r}"


def outputs(
    rng: Random, method: str, hostile: wc.Dataset, plain: wc.Dataset, long: wc.Dataset
) -> Iterator[tuple[str, Callable[[], Iterator[str]]]]:
    """What is written, and the faults in it, to be found when they are asked for."""
    for ending in (".csv", ".tsv", ".json", ".xlsx", ".parquet", ".arff"):
        yield f"answers as {ending}", lambda ending=ending: answer_faults(hostile, ending)
    yield "ARFF", lambda: arff_faults(hostile)
    yield "messages", lambda: message_faults(rng, hostile, plain)
    yield "Weka's options", lambda: option_faults(names(rng, 5))
    fitted = [parse_method(method).fit(_grow(data), data) for data in (hostile, plain, long)]
    yield "trees", lambda: tree_faults(fitted)
    yield "explanations", lambda: explained_faults(rng, fitted, (hostile, plain, long))
    yield "model files", lambda: model_file_faults(fitted[0], hostile)
    if rng.random() < PAGES:
        yield "model pages", lambda: model_page_faults(fitted, (hostile, plain, long), name(rng))
    if rng.random() < PAGES:
        yield "comparisons and reports", lambda: report_faults(names(rng, 2), names(rng, 2))
    if rng.random() < PICTURES:
        yield "pictures", lambda: picture_faults(fitted)
    if rng.random() < COMMANDS:
        yield "commands", lambda: command_faults(rng, without_zero(hostile))


def _grow(data: wc.Dataset) -> Any:
    return wc.grow(data, "J48", "-U -M 1")


def _is_told(text: str) -> bool:
    return text.isprintable() and len(text) <= LONGEST


def _texts(data: wc.Dataset) -> set[str]:
    """The names of attributes, and the values that occur."""
    found = {each.name for each in data.attributes}
    for each, column in zip(data.attributes, data.values.T, strict=True):
        if each.is_nominal:
            found |= {each.values[int(cell)] for cell in column[~np.isnan(column)]}
    return found


# ---- for programs ----


def answer_faults(data: wc.Dataset, ending: str) -> Iterator[str]:
    """Write the data as answers are written, and read them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"answers{ending}"
        try:
            with answer_file(str(path)) as write:
                write(data.take(slice(0, 20)))
                write(data.take(slice(20, None)))
        except ArffError as error:
            if "\0" not in "".join([data.relation, *_all_texts(data)]):
                yield f"refused: {error}"
            return
        if ending in (".csv", ".tsv"):
            with open(path, encoding="utf-8", newline="") as file:
                rows = [*csv.reader(file, delimiter="," if ending == ".csv" else "\t")]
            found, widths = {cell for row in rows for cell in row}, {len(row) for row in rows}
            if widths != {len(data.attributes)} or not _texts(data) <= found:
                yield f"rows of {widths} cells, lost {sorted(_texts(data) - found)[:3]!r}"
        elif ending == ".json":
            yield from json_faults(path.read_text("utf-8"), _texts(data))
        elif ending == ".parquet":
            from pyarrow import parquet

            table = parquet.read_table(path)
            found = {*table.column_names, *(cell for column in table.to_pylist() for cell in column.values())}
            if not _texts(data) <= found:
                yield f"lost {sorted(_texts(data) - found)[:3]!r}"
        elif ending == ".arff":
            yield from _unlike(wc.load_arff(path, class_attribute=None).values, data.values)
        else:
            from openpyxl import load_workbook

            cells = [cell for row in load_workbook(path).active.iter_rows() for cell in row]
            if any(cell.data_type == "f" for cell in cells):
                yield "a formula"


def _names(data: wc.Dataset) -> list[str]:
    return [each.name for each in data.attributes]


def _all_texts(data: wc.Dataset) -> list[str]:
    return [text for each in data.attributes for text in (each.name, *each.values)]


def _unlike(found: Any, expected: Any) -> Iterator[str]:
    if not np.array_equal(found, expected, equal_nan=True):
        yield "other cells"


def arff_faults(data: wc.Dataset) -> Iterator[str]:
    """Write ARFF, and read it with our reader and with Weka's."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "d.arff"
        data = without_zero(data)
        wc.save_arff(path, data)
        for reader in ("liac", "weka"):
            if wc.load_arff(path, reader=reader) != data:  # type: ignore[arg-type]
                yield f"{reader} reads other data"


def message_faults(rng: Random, hostile: wc.Dataset, plain: wc.Dataset) -> Iterator[str]:
    """What errors say about names."""
    other = hostile.attributes[0].name
    calls: tuple[Callable[[], object], ...] = (
        lambda: hostile.with_class(name(rng)),
        lambda: hostile.header.check_same(plain.header),
        lambda: plain.conform(hostile.header),
        lambda: plain.conform(hostile.header, what=name(rng)),
        hostile.with_class(other).header.check_nominal_class,
        lambda: hostile.without([name(rng)]),
        lambda: wc.evaluate(hostile, name(rng)),
        lambda: wc.evaluate(hostile, "leaf_frequency", learner=name(rng)),
        lambda: wc.evaluate(hostile, "leaf_frequency", learner="CART", options=name(rng)),
        lambda: wc.Protocol(known=names(rng, 2), preprocess=name(rng)),
        lambda: wc.evaluate(hostile, "leaf_frequency", learner="CART", protocol=wc.Protocol(known=names(rng, 2))),
        lambda: wc.load_arff(name(rng)),
        lambda: wc.load_table(f"{name(rng)}.csv"),
        lambda: wc.load(name(rng)),
        lambda: wc.Store(f"/nothing/{name(rng)}", must_exist=True),
        lambda: wc.read_study(f"{name(rng)}.toml"),
        lambda: wc.CostMatrix.of_text(name(rng)),
    )
    for number, call in enumerate(calls):
        try:
            call()
        except wc.WekaconfError as error:
            if not _is_told(str(error)):
                yield f"call {number}: {str(error)[:300]!r}"
        except (OSError, ValueError) as error:
            if not isinstance(error, OSError) and "null byte" not in str(error) and "null character" not in str(error):
                yield f"call {number}: {error!r}"


def option_faults(parts: list[str]) -> Iterator[str]:
    """Join options as Weka does, and have Weka take them apart, which drops blanks at the ends."""
    import jpype

    text, theirs = join_options(parts), str(jpype.JClass("weka.core.Utils").joinOptions(parts))
    if text != theirs:
        yield f"{parts!r} are {text!r}, but in Weka {theirs!r}"
    wanted = [part for part in parts if len(part.split()) and part[0] > " " and part[-1] > " "]
    text = join_options(wanted)
    if (found := split_options("options", text)) != wanted:
        yield f"{wanted!r} as {text!r} come back as {found!r}"


def model_file_faults(fitted: wc.Method, data: wc.Dataset) -> Iterator[str]:
    """Save a model and load it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.wct"
        wc.Model(fitted).save(path)
        loaded = wc.load(path)
        if loaded.header != data.header:
            yield "another header"
        yield from _unlike(loaded.predict_proba(data), fitted.predict_proba(data))


# ---- for people ----


def tree_faults(fitted: list[wc.Method]) -> Iterator[str]:
    """The tree as text, graph, JSON and HTML."""
    tree = fitted[0].tree_
    yield from (f"text: {fault}" for fault in raw_faults(render_text(tree), "\t"))
    yield from (f"dot: {fault}" for fault in dot_faults(render_dot(tree)))
    wanted = {*tree.class_names, tree.header.relation}
    yield from (f"json: {fault}" for fault in json_faults(render_json(tree), wanted))
    pages = [html_of(each.tree_) for each in fitted]
    yield from (f"html: {fault}" for fault in html_faults(*pages))
    yield from (f"repr: {fault}" for fault in raw_faults(repr(tree) + repr(fitted[0])))


def explained_faults(rng: Random, fitted: list[wc.Method], data: tuple[wc.Dataset, ...]) -> Iterator[str]:
    """What a method says about some instances."""
    told = []
    for method, asked in zip(fitted, data, strict=True):
        rows = asked.take([0, 1, 2])
        explanation = method.explain(rows)
        title = name(rng) if method is fitted[0] else "n"
        told.append([
            ExplainedAnswer(i + 1, title, rows.class_names[0], dict.fromkeys(_names(rows), "?"), explanation.account(i))
            for i in range(len(rows))
        ])  # fmt: skip
        if method is fitted[0]:
            yield from (f"text: {fault}" for fault in raw_faults(explanation.text(0)))
            yield from (f"reasons: {fault}" for fault in raw_faults("\n".join(map(str, method.answer(rows).reasons))))
    yield from (f"text: {fault}" for fault in raw_faults(as_text(fitted[0].name, told[0])))
    yield from (f"json: {fault}" for fault in json_faults(as_json(fitted[0].name, told[0]), set()))
    yield from (f"html: {fault}" for fault in html_faults(*(as_html(fitted[0].name, each) for each in told)))


def model_page_faults(fitted: list[wc.Method], data: tuple[wc.Dataset, ...], title: str) -> Iterator[str]:
    """The page of a model."""
    pages = []
    for method, asked, text in zip(fitted, data, (title, "title", "title" * LONG), strict=True):
        rows = Rows(asked.take([0, 1]), [text, "b"])
        pages.append(ModelPage(wc.Model(method), rows, asked, title=text, facts={text: text}).html())
    yield from html_faults(*pages)


def report_faults(sets: list[str], labels: list[str]) -> Iterator[str]:
    """The tables of an evaluation, a comparison, and the page of a study, under other names."""
    found = []
    for own, of_methods in (
        (sets, labels),
        (["s", "t"], ["m", "n"]),
        (["s" * 5000, "t" * 5000], ["m" * 5000, "n" * 5000]),
    ):
        new = dict(zip(("iris", "wine"), own, strict=True)), dict(zip(MEASURED, of_methods, strict=True))
        found.append(Evaluation(tuple(_renamed(result, *new) for result in measured())))
    compared = [each.compare() for each in found]
    yield from (f"summary: {fault}" for fault in raw_faults(found[0].summary()))
    yield from (f"repr: {fault}" for fault in raw_faults(repr(found[0]) + repr(compared[0])))
    yield from (f"text: {fault}" for fault in raw_faults(compared[0].text()))
    yield from (f"sentences: {fault}" for fault in raw_faults(" ".join(compared[0].sentences())))
    yield from (f"latex: {fault}" for fault in latex_faults(compared[0].latex(), compared[1].latex(), LATEX))
    yield from (f"html: {fault}" for fault in html_faults(*(each.html() for each in compared)))
    yield from (f"records: {fault}" for fault in html_faults(*(each._repr_html_() for each in found)))
    rows = [*csv.reader(io.StringIO(compared[0].csv(), newline=""))]
    if len({len(row) for row in rows}) > 1 or not {*sets} <= {cell for row in rows for cell in row}:
        yield "csv: rows of several lengths, or other names"
    titles = (labels[0], "m", "m" * 5000)
    reports = [
        Report.of(title, each, ComparisonOptions(), facts={title: title}).html()
        for title, each in zip(titles, found, strict=True)
    ]
    yield from (f"report: {fault}" for fault in html_faults(*reports))


MEASURED = ("leaf_frequency", "m_branch")


@cache
def measured() -> tuple[Result, ...]:
    """Two methods on two data sets."""
    folder = Path(__file__).resolve().parents[2] / "arff"
    found: list[Result] = []
    for each in ("iris", "wine"):
        found += wc.evaluate(wc.load_arff(folder / f"{each}.arff"), MEASURED, learner="CART", folds=2, name=each)
    return tuple(found)


def _renamed(result: Result, sets: dict[str, str], labels: dict[str, str]) -> Result:
    record = result.record | {"dataset": sets[result.record["dataset"]], "label": labels[result.record["label"]]}
    return Result(record | {"class": sets["iris"]}, result.answers)


def picture_faults(fitted: list[wc.Method]) -> Iterator[str]:
    """The tree as a picture."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = []
        for number, each in enumerate(fitted[:2]):
            path = Path(folder) / f"{number}.svg"
            write_tree(path, each.tree_)
            pictures.append(path.read_text("utf-8"))
        yield from xml_faults(*pictures)


def command_faults(rng: Random, data: wc.Dataset) -> Iterator[str]:
    """What commands print of a file with a hostile name."""
    runner = CliRunner()
    with tempfile.TemporaryDirectory() as folder:
        stem = "".join(c for c in name(rng) if c not in "/\0")[:60] or "x"
        path = Path(folder) / f"{stem}.arff"
        wc.save_arff(path, data)
        model = str(Path(folder) / "m.wct")
        cart = ["--learner", "CART"]
        for words in (
            ["evaluate", str(path), "--method", "leaf_frequency", "-x", "2", *cart],
            ["tree", str(path), *cart],
            ["predict", "-t", str(path), "-T", str(path), "--method", "m_branch", *cart, "-d", model],
            ["show", model],
            ["predict", "-l", model, "-T", str(path), "-c", name(rng).replace("\0", "")],
            ["explain", "-l", model, "-T", str(path), "--row", "1"],
            ["evaluate", str(path), "--method", name(rng).replace("\0", ""), *cart],
        ):
            result = runner.invoke(main, words, standalone_mode=False)
            if result.exception is not None and not isinstance(result.exception, Exception):
                yield f"{words}: {result.exception!r}"
            said = result.output if words[0] != "predict" else ""  # CSV, which holds what the names are
            yield from (f"{words[0]}: {fault}" for fault in raw_faults(said, "\t" if words[0] == "tree" else ""))
            error = result.exception
            if (
                error is not None
                and not isinstance(error, wc.WekaconfError | SystemExit)
                and "click" not in type(error).__module__
            ):
                yield f"{words[0]}: {error!r}"  # type: ignore[arg-type]
