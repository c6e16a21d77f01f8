"""``wekaconf fetch``: public data sets by name."""

from __future__ import annotations

from collections.abc import Iterable

import click
import cloup

from wekaconf.base.errors import FetchError
from wekaconf.cli import completion
from wekaconf.cli.command import command, progress_bar
from wekaconf.cli.console import say, tell
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import OneOf
from wekaconf.data.catalogue import (
    COLLECTIONS,
    Entry,
    entries,
    entry,
    existing_set_folder,
    make_set_folder,
    openml_entry,
    unchanged_file,
)
from wekaconf.data.catalogue.online import OnBytes, UnreachableError, fetch


@command("fetch", "wekaconf fetch uci iris wine --dry-run", "wekaconf fetch openml 61 1464 --dry-run")
@cloup.argument("collection", type=OneOf(list(COLLECTIONS)), metavar="uci|openml",
                help="The UCI sets by name, or sets of OpenML by number.")  # fmt: skip
@cloup.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=completion.data_sets,
                help="Sets to fetch: of uci as 'wekaconf list data' names them, left out: all; of openml by number, "
                "such as 61, which is called openml-61 from then on.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print what would be fetched from where, and fetch nothing.")
def fetch_command(collection: str, names: tuple[str, ...], dry_run: bool) -> None:
    """Fetch data sets into the user's cache folder, where commands find them by name.

    What is there already is not fetched again. A file is verified before it takes its place.
    """
    if collection == "openml" and not names:
        raise click.UsageError("name the sets of OpenML by their numbers, such as 'wekaconf fetch openml 61'")
    known = entry if collection == "uci" else openml_entry
    chosen = [known(name) for name in dict.fromkeys(names)] or [*entries().values()]
    if dry_run:
        _tell_plan(chosen)
        return
    failed = list[str]()
    place = make_set_folder()
    with resumable(place), progress_bar("data") as progress:
        for n_done, each in enumerate(chosen):

            def follow(here: int, total: int | None, each: Entry = each, n_done: int = n_done) -> None:
                share = here / total if total else 0.0
                progress.tell(f"{n_done}/{len(chosen)} sets: {each.name}", (n_done + share) / len(chosen))

            follow(0, None)
            try:
                _fetch(each, place, follow)
            except UnreachableError:
                raise
            except FetchError as error:
                failed.append(each.name)
                tell(f"not fetched: {error}")
    if failed:
        raise FetchError(f"{len(failed)} of {len(chosen)} data sets could not be fetched: {', '.join(failed)}")


def _fetch(each: Entry, place: str, follow: OnBytes) -> None:
    fetched = fetch(each, place, follow)
    click.echo(fetched.path)
    for note in fetched.notes:
        say(f"note: {each.name}: {note}")


def _tell_plan(chosen: Iterable[Entry]) -> None:
    """Print what a fetch would do, without doing it."""
    place = existing_set_folder()
    for each in chosen:
        state = "at hand" if unchanged_file(place, each.name) else "to fetch"
        origin = "OpenML's own" if each.is_described else "the first download's"
        checksum = f"{'known' if each.checksum else origin} checksum"
        facts = filter(None, (state, each.source, each.licence, checksum))
        click.echo(f"{each.name}: {', '.join(facts)}\n  {each.address}")
