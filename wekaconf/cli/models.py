"""Models that commands read, ours and those that Weka has saved, and the files that they answer for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import nearest, some
from wekaconf.cli.options import Decorator
from wekaconf.data import is_table
from wekaconf.learners.foreign import is_weka_model
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.model.file import load, mirror
from wekaconf.model.fitted import Model

ALLOWED = f"{__name__}.allowed"
"""The key in a context of the packages that may be imported."""


def _allow(context: click.Context, _: click.Parameter, packages: tuple[str, ...]) -> None:
    context.meta[ALLOWED] = packages


allow_plugin = click.option(
    "--allow-plugin", "plugins", multiple=True, metavar="PACKAGE", expose_value=False, callback=_allow,
    help="Import this installed package, which you trust, if the model holds a method of it. May be repeated.",
)  # fmt: skip


def saved_model(path: str) -> Model:
    """The model in a file of ours, whose method may be of a package that ``--allow-plugin`` names."""
    return load(path, plugins=click.get_current_context().meta.get(ALLOWED, ()))


def read(path: str) -> Model:
    """The classifier in a ``.model`` file, which answers as Weka does."""
    mirrored = mirror(path)
    return mirrored if isinstance(mirrored, Model) else Model(LeafFrequency.restore({}, mirrored, {}))


def model_at(path: str) -> Model:
    """The model in a file, of wekaconf or of Weka; ModelFileError, see `wekaconf.model.file.load`."""
    return read(path) if is_weka_model(path) else saved_model(path)


def is_data(path: str) -> bool:
    """Whether a path names a file of data, by its ending."""
    return is_table(path) or path.lower().endswith((".arff", ".arff.gz"))


def model_in_file(path: str, takes: str) -> Model:
    """The model in a file, see `model_at`, for a command that takes no other file in its place.

    Raises
    ------
    OptionError
        The file holds data, by the ending of its name; ``takes`` is the command or option that takes a model.
    ModelFileError
        See `wekaconf.model.file.load`.
    """
    if is_data(path):
        raise OptionError(
            f"{path}: this is data, and {takes} takes a model, as 'wekaconf fit' saves it", value_of="model"
        )
    return model_at(path)


def is_fitted(model: Model) -> bool:
    """Whether a model from `read` is one of our fitted classifiers, which alone have a date."""
    return bool(model.made)


model_and_file_argument = cloup.argument(
    "files", type=click.Path(), nargs=-1, metavar="MODEL FILE",
    help="A model that 'wekaconf fit' or Weka has saved, and the file whose rows it answers; the same as -l MODEL -T "
    "FILE.",
)  # fmt: skip
load_option = click.option("-l", "--load", "model", type=click.Path(), metavar="FILE", help="The same as MODEL.")
test_option = click.option("-T", "--test", type=click.Path(), metavar="FILE", help="The same as FILE.")


def row_option(does: str, further: str, *, multiple: bool = False) -> Decorator:
    """The option --row, which `row_index` reads; its help begins with what the command ``does`` with the row."""
    return click.option(
        "--row", "rows" if multiple else "row", multiple=multiple, metavar="N|ID",
        help=f"{does}: what the model's --id column names so, else row N, counted from 1 as 'predict' does. {further}",
    )  # fmt: skip


def row_index(row: str, names: Sequence[str | None], n_rows: int, path: str) -> int:
    """The index of the row of that name, else of that number.

    Parameters
    ----------
    row : str
        The value of --row.
    names : sequence of str or None
        The identifiers of all rows; empty if the model has no column of them.
    n_rows : int
    path : str
        The file, for messages.

    Raises
    ------
    OptionError
        There is no such row, or there are several.
    """
    if names.count(row) > 1:
        places = some([str(i + 1) for i, name in enumerate(names) if name == row])
        raise OptionError(f"--row {row}: {path} has several rows of that name; give a number: {places}")
    if row in names:
        return names.index(row)
    if re.fullmatch("0*[1-9][0-9]*", row) and int(row) <= n_rows:
        return int(row) - 1
    content = f"rows 1 to {n_rows}" if n_rows else "no rows"
    none = f", none of them named so{'' if row.isdecimal() else nearest(row, filter(None, names))}" if names else ""
    several = "; each --row names one row" if re.search(r"\d[,; -]+\w*\d", row) else ""
    raise OptionError(f"--row {row}: {path} has {content}{none}{several}")


def model_and_file(
    files: tuple[str, ...], model: str | None, test: str | None, train: str | None = None
) -> tuple[str | None, str | None]:
    """Sort the arguments of a command into a model file and a data file, beside those given by their letters.

    Training data take the place of a model. Left out, a model or a file is None.

    Raises
    ------
    click.UsageError
        There are more arguments than places.
    """
    places = ["MODEL"] * (model is None and train is None) + ["FILE"] * (test is None)
    if len(files) > len(places):
        wanted = " and ".join(places) or "none beside the options"
        raise click.UsageError(f"'{files[len(places)]}' is one name too many: expected {wanted}")
    named = dict(zip(places, files, strict=False))
    return named.get("MODEL", model), named.get("FILE", test)
