"""``wekaconf show``."""

from __future__ import annotations

import click

from wekaconf.cli.common import common, printable
from wekaconf.leaves_one_out import LeavesOneOut
from wekaconf.model import Model
from wekaconf.model_file import load_model
from wekaconf.tree.forest import Forest


@click.command("show")
@click.argument("model", type=click.Path())
@common
def show_command(model: str) -> None:
    r"""Tell what a model file holds: method, columns, classes, threshold, date and versions.

    \b
    Example:
      wekaconf show iris.wct
    """
    for name, text in _facts(load_model(model)).items():
        click.echo(printable(f"{name + ':':<12}{text}"))


def _facts(model: Model) -> dict[str, str]:
    method, header, tree = model.method, model.header, model.method.tree_
    size = f"{len(tree.trees)} trees" if isinstance(tree, Forest) else f"{tree.n_nodes} nodes"
    columns = [attribute for i, attribute in enumerate(header.attributes) if i != header.class_index]
    return {
        "method": f"{method.name}, {method!r}",
        "learner": f"{tree.learner} {tree.options}".strip() + f", {size}",
        "data": header.relation,
        "columns": ", ".join(f"{column.name} ({column.kind})" for column in columns),
        "class": f"{header.class_attribute.name}: {', '.join(header.class_names)}",
        "filters": f"{len(model.filters)}" if model.filters else "none",
        "threshold": _threshold(model),
        "keeps": f"{method.n_kept} training instances" if isinstance(method, LeavesOneOut) else "no training instance",
        "made": model.made,
        "versions": ", ".join(f"{name} {number}" for name, number in model.versions.items() if number),
    }


def _threshold(model: Model) -> str:
    if model.choice is None:
        own = model.method.threshold
        return "none" if own is None else f"{own:g}, the method's own rule"
    figures, text = model.choice.figures, f"{model.choice.threshold:g}, wanted: {model.choice.aim}"
    if figures.n == 0:
        return text
    return (
        f"{text}; when it was chosen it answered {100 * figures.coverage:.1f} %, kept {100 * figures.kept_correct:.1f} "
        f"% of the correct and erred in {100 * figures.error:.2f} % of its answers"
    )
