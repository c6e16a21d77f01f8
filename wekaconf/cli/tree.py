"""``wekaconf tree``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from wekaconf import scheme
from wekaconf.annotation import AnnotatesNodes
from wekaconf.bridge import about
from wekaconf.cli.common import (
    class_option,
    common,
    learner_option,
    name_of,
    options_option,
    preprocess_option,
    preprocessed,
    progress_bar,
)
from wekaconf.data.arff import load_arff


@click.command("tree")
@click.argument("data", type=click.Path())
@learner_option
@options_option
@click.option("--method", metavar="METHOD", help="Draw what this method adds to the nodes: the intervals of confdtree, "
              "the limits of id3_sd or id3_max.")  # fmt: skip
@preprocess_option
@click.option("--format", "form", type=click.Choice(["text", "dot", "json"]), default="text", show_default=True)
@class_option
@common
def tree_command(
    data: str, learner: str | None, options: str, method: str | None, preprocess: str | None, form: str,
    class_attribute: str,
) -> None:  # fmt: skip
    """Grow a tree on all of DATA and print it."""
    from wekaconf.report import trees
    from wekaconf.report.java_numbers import JAVA

    shown = None if method is None else scheme.parse_method(method)
    if shown is not None and not isinstance(shown, AnnotatesNodes):
        able = [name for name, known in scheme.available_methods().items() if issubclass(known, AnnotatesNodes)]
        raise click.UsageError(f"--method {method} adds nothing to the nodes of a tree; these do: {', '.join(able)}")
    with progress_bar(name_of(data)):
        instances, _ = preprocessed(load_arff(data, class_attribute=class_attribute), preprocess)
        grower = (
            scheme.learner_of(learner or "J48", options)
            if shown is None
            else scheme.learner_for(shown, learner, options)
        )
        tree = grower.grow(instances)
        if shown is not None:
            shown.fit(tree, instances)
    java = int(about()["java"].partition(".")[0]) if tree.weka_version else JAVA
    renders: dict[str, Callable[..., str]] = {
        "text": partial(trees.render_text, java=java),
        "dot": trees.render_dot,
        "json": trees.render_json,
    }
    click.echo(renders[form](tree, annotate=shown.annotation if shown else None), nl=False)
