"""``wekaconf plot``: pictures for papers."""

from __future__ import annotations

import click

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Owner
from wekaconf.cli.command import command, group
from wekaconf.cli.console import say
from wekaconf.cli.models import allow_plugin
from wekaconf.cli.plot_input import OFTEN, PictureOptions, picture_input, picture_options, row_option
from wekaconf.cli.values import whole_number
from wekaconf.methods.confdtree import ConfDTree


@command(
    "boundary",
    "wekaconf plot boundary iris.arff --method boundary_distance -o b.png",
    "wekaconf plot boundary model.wct -T new.arff -o b.png",
    often=(*OFTEN, "--x", "--y", "--row", "--below"),
)
@picture_options(
    "leaf_frequency",
    output=(
        click.option("--x", metavar="ATTRIBUTE", help="Numeric attribute along the horizontal axis. Left out: the one "
                     "on which the tree splits first and most."),
        click.option("--y", metavar="ATTRIBUTE", help="The same for the vertical axis."),
        click.option("--row", type=whole_number(1), metavar="N",
                     help="Hold the other attributes at the values of this instance, counted from 1. Left out: at "
                     "their medians and most frequent values."),
        click.option("--below", type=float, metavar="C",
                     help="Hatch where the certainty is below this. Left out: below the threshold of the model, if it "
                     "has one."),
        click.option("--points", type=whole_number(0), default="300", show_default=True, metavar="N",
                     help="Draw at most so many instances."),
        click.option("--cells", type=whole_number(2), metavar="N",
                     help="Ask about so many places along each axis. Left out: 200, or 50 for a method that grows "
                     "trees to answer."),
    ),
)  # fmt: skip
@allow_plugin
@click.pass_context
def boundary_command(context: click.Context, /, x: str | None, y: str | None, row: int | None, below: float | None,
                     points: int, cells: int | None, picture: PictureOptions) -> None:  # fmt: skip
    """Draw the decision regions on a plane of two attributes, the darker the more certain.

    The certainty is that of the method: with boundary_distance the distance to the nearest region of another class.
    """
    from wekaconf.methods.contract import LeavesOneOut
    from wekaconf.report.pictures import CELLS, FEW_CELLS, Section, held_in_words, plane_of, plot_boundary, typical

    shown = picture_input(context, picture)
    method = shown.model.method
    if shown.data is None:
        say("the attributes that are not on the axes are missing; -T gives instances that have values")
    columns, extent = plane_of(method.tree_, shown.data, x, y)
    held = typical(method.tree_.header, shown.data) if row is None else shown.row(row)[1].values[0]
    if text := held_in_words(method.tree_, columns, held):
        say(f"held: {text}; {'--row takes the values of an instance' if row is None else f'as in row {row}'}")
    n_cells = cells or (FEW_CELLS if isinstance(method, LeavesOneOut) else CELLS)
    section = Section.of(method, columns, extent, held, n_cells=n_cells)
    threshold = shown.model.thresholds if below is None else below
    plot_boundary(picture.output, section, data=shown.data, n_points=points, threshold=threshold)


@command("intervals", "wekaconf plot intervals iris.arff --row 71 -o intervals.png", often=(*OFTEN, "--node", "--row"))
@picture_options(
    "confdtree",
    output=(
        click.option("--node", type=whole_number(0), metavar="N",
                     help="Draw this node, numbered as in 'wekaconf tree --format json'. Left out: the one nearest to "
                     "the root that has intervals."),
        click.option("--row", type=whole_number(1), metavar="N",
                     help="Mark the value of this instance, counted from 1."),
    ),
)  # fmt: skip
@allow_plugin
@click.pass_context
def intervals_command(context: click.Context, /, node: int | None, row: int | None, picture: PictureOptions) -> None:
    """Draw ConfDTree's intervals at a node, and the values that each class has there.

    A model file keeps no training instances: -T gives instances whose values are shown.
    """
    from wekaconf.report.pictures import first_with_intervals, plot_intervals

    shown = picture_input(context, picture)
    method = shown.model.method
    if not isinstance(method, ConfDTree):
        raise OptionError(Owner(method.name), " has no intervals; confdtree has")
    chosen = first_with_intervals(method) if node is None else node
    marked = None if row is None else shown.row(row)
    plot_intervals(picture.output, method, chosen, data=shown.data, marked=marked)


@command("routes", "wekaconf plot routes iris.arff --learner CART -o routes.png", often=(*OFTEN, "--row"))
@picture_options("confdtree", data=(row_option,))
@allow_plugin
@click.pass_context
def routes_command(context: click.Context, /, row: int | None, picture: PictureOptions) -> None:
    """Draw the decision path of an instance, and the alternative routes and fines that ConfDTree adds."""
    from wekaconf.report.pictures import plot_routes, ways_of

    shown = picture_input(context, picture)
    name, instance = shown.row(row)
    plot_routes(picture.output, ways_of(shown.model.method, instance), name=name)


@command("weights", "wekaconf plot weights iris.arff --row 71 -o weights.png", often=(*OFTEN, "--row"))
@picture_options("shrinkage", data=(row_option,))
@allow_plugin
@click.pass_context
def weights_command(context: click.Context, /, row: int | None, picture: PictureOptions) -> None:
    """Draw the estimates along the path of an instance, and the weights with which shrinkage interpolates them."""
    from wekaconf.data.wording import percent
    from wekaconf.report.pictures import path_weights, plot_weights

    shown = picture_input(context, picture)
    name, instance = shown.row(row)
    weights = path_weights(shown.model.method, instance)
    if weights.share < 1:
        say(f"missing values divide the instance; drawn is the path of {percent(weights.share)} of it")
    plot_weights(picture.output, weights, name=name)


@group(
    "plot", boundary_command, intervals_command, routes_command, weights_command,
    examples=["wekaconf plot boundary iris.arff -o boundary.png"],
)  # fmt: skip
def plot_command() -> None:
    """Draw a method on a tree, for a paper: one column wide, vector, fonts embedded, for the colour-blind too.

    'wekaconf tree DATA -o tree.pdf' draws a tree; 'wekaconf evaluate' draws what methods are worth (--risk-coverage,
    --calibration, --roc), and 'wekaconf compare --cd-diagram' mean ranks.
    """
