"""``wekaconf tree``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click
import cloup

from wekaconf import scheme
from wekaconf.annotation import AnnotatesNodes
from wekaconf.bridge import about
from wekaconf.cli import completion, weka_models
from wekaconf.cli.command import command
from wekaconf.cli.common import (
    class_option,
    common,
    cost_matrix_of,
    filter_option,
    learner_options,
    load_data,
    name_of,
    preprocess_option,
    preprocessed,
    progress_bar,
    reading_of,
    table_options,
    weighed_by,
)
from wekaconf.cli.values import OneOf, given_options
from wekaconf.data.dataset import Dataset
from wekaconf.errors import OptionError
from wekaconf.foreign.weka_models import is_weka_model
from wekaconf.learner import Learner
from wekaconf.postprocessor import PostProcessor
from wekaconf.report.strict_json import print_json_text
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


@command(
    "tree",
    'wekaconf tree iris.arff --options "-M 5"',
    "wekaconf tree coins.arff --method id3_max --format dot",
    "wekaconf tree j48.model",
)
@cloup.argument(
    "data",
    type=click.Path(),
    help="ARFF, CSV, TSV, Parquet or Excel file; - for CSV on standard input; or a tree that Weka has saved.",
)
@cloup.option_group("Data", class_option, preprocess_option(), filter_option)
@table_options
@cloup.option_group(
    "Method",
    click.option(
        "--method",
        metavar="METHOD",
        shell_complete=completion.methods_with_parameters,
        help="Print what this method adds to the nodes: the intervals of confdtree, the limits of id3_sd or id3_max, "
        "the estimates of m_branch or curtailment.",
    ),
)
@learner_options
@cloup.option_group(
    "Output",
    click.option("--format", "form", type=OneOf(["text", "dot", "json"]), default="text", show_default=True,
                 metavar="text|dot|json",
                 help="Print the tree as text like Weka's, as a graph for Graphviz, or as JSON."),
)  # fmt: skip
@common
@click.pass_context
def tree_command(
    context: click.Context, /, data: str, learner: str | None, options: str, cost_matrix: str | None,
    method: str | None, preprocess: str | None, filters: tuple[str, ...], form: str, class_attribute: str,
    **columns: Any,
) -> None:  # fmt: skip
    """Grow a tree on all of DATA and print it, or print the tree that DATA holds."""
    from wekaconf.report import trees
    from wekaconf.report.java_numbers import JAVA

    shown = None if method is None else scheme.parse_method(method)
    if shown is not None and not isinstance(shown, AnnotatesNodes):
        able = [name for name, known in scheme.available_methods().items() if issubclass(known, AnnotatesNodes)]
        raise click.UsageError(f"--method {method} adds nothing to the nodes of a tree; these do: {', '.join(able)}")
    if is_weka_model(data):
        growing = ("method", "preprocess", "filters", "learner", "options", "cost_matrix", "class_attribute")
        if given := given_options(context, *growing):
            raise click.UsageError(f"{data} holds a tree that is grown already, so it excludes {given[0]}")
        tree = weka_models.read(data).method.tree_
    else:
        with progress_bar(name_of(data)):
            chosen = scheme.scheme_for(shown, learner, options)
            costs = chosen.costs_beside(cost_matrix_of(cost_matrix))
            read = load_data(data, reading_of(columns), class_attribute).data
            instances, _ = preprocessed(read, preprocess, (*filters, *chosen.filters))
            tree = _grown(weighed_by(costs, instances), chosen.learner, shown)
    java = int(about()["java"].partition(".")[0]) if tree.weka_version else JAVA
    renders: dict[str, Callable[..., str]] = {
        "text": partial(trees.render_text, java=java),
        "dot": trees.render_dot,
        "json": trees.render_json,
    }
    text = renders[form](tree, annotate=shown.annotation if shown else None)
    if form == "json":
        print_json_text(text)
    else:
        click.echo(text, nl=False)


def _grown(instances: Dataset, learner: Learner[Any], shown: PostProcessor | None) -> TreeMirror | Forest:
    """A tree on all of the data; the method that is to be shown is fitted on it."""
    tree: TreeMirror | Forest = learner.grow(instances)
    if shown is not None:
        if isinstance(tree, Forest):
            raise OptionError(
                f"--method {shown.name} is drawn on a single tree, not on a forest of {tree.learner}; leave "
                "--method out, or give a learner that grows one tree"
            )
        shown.fit(tree, instances)
    return tree
