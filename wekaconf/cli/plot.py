"""``wekaconf plot``: pictures for papers, of a model and the rows of a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import METADATA, check_plot, name_text
from wekaconf.base.words import Owner
from wekaconf.bridge.reading import parts_like
from wekaconf.cli import options
from wekaconf.cli.command import command, group
from wekaconf.cli.console import say
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
from wekaconf.cli.options import Decorator
from wekaconf.cli.values import NamedFile, check_output, whole_number
from wekaconf.data import Dataset, join_parts
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.model.fitted import Model


@dataclass(frozen=True)
class Picture:
    """A picture that is asked for: the file to draw into, a fitted method, and the instances to draw.

    Parameters
    ----------
    output : str
    path : str
        The file of the instances, or of the model.
    model : Model
    data : Dataset, optional
        The instances, as the method reads them; None: there is no file of them.
    names : sequence of str or None
        The identifiers of the instances; empty if the model has no column of them.
    """

    output: str
    path: str
    model: Model
    data: Dataset | None
    names: Sequence[str | None] = ()

    @classmethod
    def of(cls, output: str, files: tuple[str, ...], model: str | None, test: str | None, written: Reading) -> Picture:
        """Read model and instances; the file to draw into is checked first."""
        check_plot(output)
        model, test = model_and_file(files, model, test)
        if model is None:
            raise click.UsageError("expected MODEL FILE: a model, and the file whose rows are drawn")
        fitted = model_in_file(model, "'plot'").reading_as(written)
        if test is None:
            return cls(output, model, fitted, None)
        loaded = join_parts(parts_like(data_path(test), fitted.header, fitted.reading))
        names = loaded.kept.get(fitted.reading.id, [])
        return cls(output, test, fitted, fitted.conform(loaded.data), names)

    def row(self, wanted: str | None) -> tuple[str, Dataset]:
        """The name of an instance, and the instance; ``wanted`` is a value of --row, None: the least certain one."""
        if self.data is None:
            raise click.UsageError(f"{self.path} is a model, which holds no instances; name a file that has some")
        if wanted is not None:
            index = row_index(wanted, self.names, len(self.data), self.path)
        elif len(self.data):
            index = int(self.model.answer_conformed(self.data).certainty.argmin())
        else:
            raise OptionError(f"{self.path}: there is no instance to draw", value_of="test")
        identifier = self.names[index] if self.names else None
        name = f"row {index + 1}" + (f" ({name_text(identifier)})" if identifier else "")
        if wanted is None:
            say(f"{name} is the least certain; --row draws another")
        return name, self.data.take(slice(index, index + 1))


def _options(*own: Decorator) -> Decorator:
    """The options of every picture, and those of one; a command gets the shared ones as its argument ``picture``."""
    return options.all_of(
        model_and_file_argument,
        cloup.option_group("Data", load_option, test_option),
        options.file_form,
        cloup.option_group(
            "Output",
            click.option(
                "-o", "--output", type=NamedFile(*(f".{kind}" for kind in METADATA)), callback=check_output,
                required=True, metavar="FILE",
                help="Draw into this file (.png, .svg, .pdf), one column of a paper wide.",
            ),
            *own,
        ),
        allow_plugin,
        options.one_argument("picture", Picture.of, "output", "files", "model", "test", "written"),
    )  # fmt: skip


@command(
    "boundary",
    "wekaconf plot boundary model.wct iris.arff -o boundary.png",
    often=("--x", "--y", "--row", "--below", "-o"),
)
@_options(
    click.option("--x", metavar="ATTRIBUTE", help="Numeric attribute along the horizontal axis. Left out: the one "
                 "on which the tree splits first and most."),
    click.option("--y", metavar="ATTRIBUTE", help="The same for the vertical axis."),
    row_option("Hold the other attributes at the values of this row",
               "Left out: at their medians and most frequent values."),
    click.option("--below", metavar="C",
                 help="Hatch where the certainty is below this. Left out: below the threshold of the model, if it "
                 "has one."),
)  # fmt: skip
def boundary_command(x: str | None, y: str | None, row: str | None, below: str | None, picture: Picture) -> None:
    """Draw the decision regions on a plane of two attributes, the darker the more certain.

    The certainty is that of the method: with boundary_distance the distance to the nearest region of another class.
    FILE may be left out: then the other attributes count as missing, and no instances are drawn.
    """
    from wekaconf.methods.contract import LeavesOneOut
    from wekaconf.report.pictures import (
        CELLS,
        FEW_CELLS,
        Section,
        describe_held,
        plane_of,
        plot_boundary,
        typical_values,
    )

    method, threshold = picture.model.method, picture.model.thresholds
    if below is not None:
        aim = Aim.parse("below", below)
        check_aim(aim, method.name, method.certainty_range)
        threshold = aim.number
    if picture.data is None or not len(picture.data):
        say("the attributes that are not on the axes count as missing; a FILE with rows gives them values")
    columns, extent = plane_of(method.tree_, picture.data, x, y)
    if row is None:
        held, source = typical_values(method.tree_.header, picture.data), "--row takes the values of an instance"
    else:
        name, instance = picture.row(row)
        held, source = instance.values[0], f"as in {name}"
    if text := describe_held(method.tree_, columns, held):
        say(f"held: {text}; {source}")
    n_cells = FEW_CELLS if isinstance(method, LeavesOneOut) else CELLS
    section = Section.of(method, columns, extent, held, n_cells=n_cells)
    plot_boundary(picture.output, section, data=picture.data, threshold=threshold)


@command(
    "intervals",
    "wekaconf plot intervals model.wct iris.arff --row 71 -o intervals.png",
    often=("--node", "--row", "-o"),
)
@_options(
    click.option("--node", type=whole_number(0), metavar="N",
                 help="Draw this node, numbered as in 'wekaconf tree --format json'. Left out: the one nearest to "
                 "the root that has intervals."),
    row_option("Mark the value of this row", "Left out: no row is marked."),
)  # fmt: skip
def intervals_command(node: int | None, row: str | None, picture: Picture) -> None:
    """Draw ConfDTree's intervals at a node, and the values that each class of the file has there.

    FILE may be left out: then only the intervals are drawn.
    """
    from wekaconf.report.pictures import first_with_intervals, plot_intervals

    method = picture.model.method
    if not isinstance(method, ConfDTree):
        raise OptionError(Owner(method.name), " has no intervals; confdtree has")
    chosen = first_with_intervals(method) if node is None else node
    marked = None if row is None else picture.row(row)
    data = picture.data
    if data is not None and not (data.class_values >= 0).any():
        say(f"{picture.path}: no row has a class, so no values are drawn")
    plot_intervals(picture.output, method, chosen, data=data, source=os.path.basename(picture.path), marked=marked)


@command("routes", "wekaconf plot routes model.wct iris.arff -o routes.png", often=("--row", "-o"))
@_options(row_option("Draw this row", "Left out: the least certain one."))
def routes_command(row: str | None, picture: Picture) -> None:
    """Draw the decision path of an instance, and the alternative routes and fines that ConfDTree adds."""
    from wekaconf.report.pictures import plot_routes, ways_of

    name, instance = picture.row(row)
    plot_routes(picture.output, ways_of(picture.model.method, instance), name=name)


@command("weights", "wekaconf plot weights model.wct iris.arff --row 71 -o weights.png", often=("--row", "-o"))
@_options(row_option("Draw this row", "Left out: the least certain one."))
def weights_command(row: str | None, picture: Picture) -> None:
    """Draw the estimates along the path of an instance, and the weights with which shrinkage interpolates them."""
    from wekaconf.data.wording import percent
    from wekaconf.report.pictures import path_weights, plot_weights

    name, instance = picture.row(row)
    weights = path_weights(picture.model.method, instance)
    if weights.share < 1:
        say(f"missing values divide the instance; drawn is the path of {percent(weights.share)} of it")
    plot_weights(picture.output, weights, name=name)


@group(
    "plot", boundary_command, intervals_command, routes_command, weights_command,
    examples=["wekaconf plot boundary model.wct iris.arff -o boundary.png"],
)  # fmt: skip
def plot_command() -> None:
    """Draw a method on a tree, for a paper: one column wide, vector, fonts embedded, for the colour-blind too.

    'wekaconf tree DATA -o tree.pdf' draws a tree; 'wekaconf evaluate' draws what methods are worth (--risk-coverage,
    --calibration, --roc), and 'wekaconf compare --cd-diagram' mean ranks.
    """
