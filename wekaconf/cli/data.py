"""``wekaconf list data``."""

from __future__ import annotations

import os

import click

from wekaconf.cli.command import command
from wekaconf.data.catalogue import VARIABLE, entries, existing_set_folder, find_locally
from wekaconf.report.printing import Block, Column, Names, print_blocks, print_legend
from wekaconf.report.tables import print_json


@command("data", "wekaconf list data", "wekaconf list data --json")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON, with addresses and checksums.")
def data_command(as_json: bool) -> None:
    """List the data sets that have a name, and which of them are at hand.

    A set is at hand if it was fetched, or if its ARFF file is in a folder that WEKACONF_DATA names. Commands take its
    name in place of a file.
    """
    sets = [*entries().values()]
    places = [_place(each.name) for each in sets]
    if as_json:
        names = ("name", "instances", "attributes", "classes", "source", "address", "licence", "checksum", "remark")
        facts = [{name: getattr(each, name) or None for name in names} for each in sets]
        print_json([record | {"file": find_locally(each.name)} for record, each in zip(facts, sets, strict=True)])
        return
    columns = [
        Column("in-\nstances", [str(each.instances) for each in sets]),
        Column("attri-\nbutes", [str(each.attributes) for each in sets]),
        Column("clas-\nses", [str(each.classes) for each in sets]),
        Column("source", [each.source for each in sets], justify="left"),
        Column("licence", [each.licence for each in sets], justify="left"),
        Column("at\nhand", places, justify="left"),
    ]
    print_blocks(Names.of_no_group([each.name for each in sets]), [Block("", columns)])
    print_legend({"attributes": "with the class", "at hand": f"cache: fetched; folder: in one that {VARIABLE} names"})


def _place(name: str) -> str:
    """Where a data set is at hand: "cache", "folder", or empty if it is not."""
    path = find_locally(name)
    return "" if path is None else "cache" if os.path.dirname(path) == existing_set_folder() else "folder"
