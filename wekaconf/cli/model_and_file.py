"""``MODEL FILE``: what `predict` and `explain` answer with and for, named in this order or by options."""

from __future__ import annotations

import click
import cloup

model_and_file_argument = cloup.argument(
    "files", type=click.Path(), nargs=-1, metavar="MODEL FILE",
    help="A model that 'wekaconf fit' or Weka has saved, and the file whose rows it answers; the same as -l MODEL -T "
    "FILE.",
)  # fmt: skip
load_option = click.option("-l", "--load", "model", type=click.Path(), metavar="FILE", help="The same as MODEL.")
test_option = click.option("-T", "--test", type=click.Path(), metavar="FILE", help="The same as FILE.")


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
