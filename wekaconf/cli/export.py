"""``wekaconf export``."""

from __future__ import annotations

from typing import Any, Literal

import click
import cloup

from wekaconf.base.naming import counted
from wekaconf.cli import options
from wekaconf.cli.command import command
from wekaconf.cli.console import say
from wekaconf.cli.models import allow_plugin, model_in_file
from wekaconf.cli.values import NamedFile, OneOf, check_output
from wekaconf.model.export import DIALECTS, FORMATS


@command(
    "export",
    "wekaconf export model.wct -o model.py",
    "wekaconf export model.wct -o model.sql --dialect postgresql --staging rows.csv",
    "wekaconf export j48.model -o tree.json",
)
@cloup.argument("model", type=click.Path(), required=False, help="Model file, as 'fit' saves it, or as Weka does.")
@cloup.option_group("Data", options.letters_of("model", "-l", "--load", metavar="MODEL"))
@cloup.option_group(
    "Output",
    click.option("-o", "--output", type=NamedFile(*FORMATS), callback=check_output, required=True, metavar="FILE",
                 help="Write it into this file; the ending chooses the format: .py, a module of plain Python that "
                 "needs no package; .json, a record whose schema is published; .sql, a query for a database; "
                 ".onnx, a graph for ONNX runtimes; .pmml, a document for PMML evaluators."),
    click.option("--missing", type=OneOf(["majority"]), metavar="majority",
                 help="In .onnx and .pmml: send a missing value along the branch of the largest share. Left out: do "
                 "not answer for a row with a missing value on its path. The other formats do as the model does."),
    click.option("--dialect", type=OneOf(DIALECTS),
                 help="In .sql: the database that the query is for; mysql is MariaDB's, too. Left out: sqlite."),
    click.option("--staging", type=click.Path(), metavar="FILE",
                 help="In .sql: write two files beside model.sql, for rows in CSV or TSV files such as this one. "
                 "model.table.sql makes a table that takes such a file as it is, and the view that the query reads; "
                 "model.check.sql asks for the cells that the model cannot use."),
)  # fmt: skip
@allow_plugin
def export_command(model: str, output: str, missing: Literal["majority"] | None,
                   dialect: Any, staging: str | None) -> None:  # fmt: skip
    """Write a model for programs without wekaconf: classes, probabilities, certainties and rejections."""
    tree = model_in_file(model, "'export'").export(
        output, missing=missing or "as_model", dialect=dialect, staging=staging
    )
    threshold = "without a threshold" if tree.thresholds is None else "with its threshold"
    say(f"{output}: {tree.method} on {tree.learner}, {counted(len(tree.nodes), 'node')}, {threshold}")
