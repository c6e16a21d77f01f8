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
from wekaconf.cli.show import facts_of
from wekaconf.cli.values import ENDINGS_OF_PAGES, NamedFile, OneOf, check_output, given_options
from wekaconf.data.dataset import Dataset
from wekaconf.errors import OptionError
from wekaconf.foreign.weka_models import is_weka_model
from wekaconf.learner import Learner
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model import Model
from wekaconf.postprocessor import PostProcessor
from wekaconf.report.strict_json import print_json_text
from wekaconf.tree.forest import Forest
from wekaconf.tree.mirror import TreeMirror


@command(
    "tree",
    'wekaconf tree iris.arff --options "-M 5"',
    "wekaconf tree iris.arff --method confdtree -o tree.html",
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
        "the estimates of m_branch or curtailment. A page answers by any method.",
    ),
)
@learner_options
@cloup.option_group(
    "Output",
    click.option("--format", "form", type=OneOf(["text", "dot", "json"]), default="text", show_default=True,
                 metavar="text|dot|json",
                 help="Print the tree as text like Weka's, as a graph for Graphviz, or as JSON."),
    click.option("-o", "--output", type=NamedFile(*ENDINGS_OF_PAGES), callback=check_output, metavar="FILE",
                 help="Write a page for a browser instead (.html), in which the tree can be searched and answers for "
                 "instances that a reader types. 'show MODEL -o' also gives instances to choose from."),
)  # fmt: skip
@common
@click.pass_context
def tree_command(
    context: click.Context, /, data: str, learner: str | None, options: str, cost_matrix: str | None,
    method: str | None, preprocess: str | None, filters: tuple[str, ...], form: str, output: str | None,
    class_attribute: str, **columns: Any,
) -> None:  # fmt: skip
    """Grow a tree on all of DATA and print it, or print the tree that DATA holds."""
    from wekaconf.report import trees
    from wekaconf.report.java_numbers import JAVA

    shown = None if method is None else scheme.parse_method(method)
    if output is not None and (given := given_options(context, "form")):
        raise click.UsageError(f"-o writes a page, so it excludes {given[0]}")
    if shown is not None and output is None and not isinstance(shown, AnnotatesNodes):
        able = [name for name, known in scheme.available_methods().items() if issubclass(known, AnnotatesNodes)]
        raise click.UsageError(f"--method {method} adds nothing to the nodes of a tree; these do: {', '.join(able)}")
    if is_weka_model(data):
        growing = ("method", "preprocess", "filters", "learner", "options", "cost_matrix", "class_attribute")
        if given := given_options(context, *growing):
            raise click.UsageError(f"{data} holds a tree that is grown already, so it excludes {given[0]}")
        model, train = weka_models.read(data), None
    else:
        with progress_bar(name_of(data)):
            chosen = scheme.scheme_for(shown, learner, options)
            costs = chosen.costs_beside(cost_matrix_of(cost_matrix))
            read = load_data(data, reading_of(columns), class_attribute).data
            instances, fitted_filters = preprocessed(read, preprocess, (*filters, *chosen.filters))
            train = weighed_by(costs, instances)
            model = Model(_fitted(train, chosen.learner, shown, is_printed=output is None), fitted_filters)
    if output is not None:
        from wekaconf.cli.model_pages import write_page
        from wekaconf.report.model_page import ModelPage

        write_page(ModelPage(model, train=train, facts=facts_of(model)), output)
        return
    tree = model.method.tree_
    java = int(about()["java"].partition(".")[0]) if tree.weka_version else JAVA
    renders: dict[str, Callable[..., str]] = {
        "text": partial(trees.render_text, java=java),
        "dot": trees.render_dot,
        "json": trees.render_json,
    }
    text = renders[form](tree, annotate=shown.annotation if isinstance(shown, AnnotatesNodes) else None)
    if form == "json":
        print_json_text(text)
    else:
        click.echo(text, nl=False)


def _fitted(train: Dataset, learner: Learner[Any], shown: PostProcessor | None, *, is_printed: bool) -> PostProcessor:
    """The method that is to be shown, else the tree's own answer, on a tree that is grown on all of the data."""
    tree: TreeMirror | Forest = learner.grow(train)
    if shown is not None and is_printed and isinstance(tree, Forest):
        raise OptionError(
            f"--method {shown.name} is drawn on a single tree, not on a forest of {tree.learner}; leave "
            "--method out, or give a learner that grows one tree"
        )
    return (shown or LeafFrequency()).fit(tree, train)
