"""Measure every method and its rivals on a folder of data sets, and write docs/records/which-method.md.

    nice -n 15 python scripts/which_method.py /path/to/uci --store evidence.sqlite --seeds 10 -j 2 --minutes 40

goes on where it was stopped, one seed after another, what costs most last; with --minutes 0 it writes the page from
what is finished. Seeds after the first are run on small data sets, see `evidence.measuring.study`.
With --only METHOD it measures instead one method on J48 with the first seed, and puts its rows into the records, whose
other rows stay as they are; what measures the whole study anew leaves them out.
Without a folder the page is written from the records in docs/records alone; its section on tuned parameters is a text
there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from _records import SUMMARIES, pack, unpack
from evidence import records
from evidence.figures import all_measured
from evidence.measuring import study
from evidence.page import page
from evidence.spread import spreads

from wekaconf.base.errors import WekaconfError
from wekaconf.bridge._versions import versions
from wekaconf.model.scheme import parse_method
from wekaconf.replication._runner import Record
from wekaconf.report.comparison._diagram import draw_ranks

DOCS = Path(__file__).resolve().parent.parent / "docs"
RECORDS, ABOUT = DOCS / "records" / "which-method.csv.gz", DOCS / "records" / "which-method.json"
TUNED = SUMMARIES / "which-method-tuned" / "section.txt"
PAGE, DIAGRAMS = DOCS / "records" / "which-method.md", DOCS / "assets" / "which-method"
COMMAND = "python scripts/which_method.py FOLDER --store evidence.sqlite"
SECONDS_BETWEEN = 5.0
"""Between two lines that tell what is being done."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the ARFF files")
    parser.add_argument("--store", default="evidence.sqlite", help="where finished parts are kept")
    parser.add_argument(
        "--seeds", type=_at_least_one, default=1, metavar="N", help="cross-validate with the seeds 1 to N"
    )
    parser.add_argument("-j", "--jobs", type=_at_least_one, default=1, help="measure so many data sets at a time")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing after so many minutes")
    parser.add_argument("--only", type=_method, metavar="METHOD", help="add one method on J48 to the records")
    given = parser.parse_args()
    if given.only and (given.folder is None or given.seeds > 1):
        parser.error("--only needs a FOLDER, and takes one seed")
    warnings.simplefilter("ignore")
    if given.folder is not None:
        paths = {path.stem: str(path) for path in sorted(given.folder.glob("*.arff"))}
        measure = measure_only if given.only else measure_study
        if not measure(paths, given):
            parser.error(f"nothing in {given.folder} is measured yet; give it ARFF files and more --minutes")
    write_page()


def measure_study(paths: Mapping[str, str], given: argparse.Namespace) -> bool:
    """Measure the study, and write its records; whether there are any."""
    found, missing = _measure(paths, given)
    rows = records.compact(found)
    n_seeds = f" --seeds {given.seeds}" if given.seeds > 1 else ""
    if rows:
        about = _about(COMMAND + n_seeds, missing) | {
            "spread": [each._asdict() for each in spreads(found, all_measured(rows))]
        }
        _write(RECORDS, ABOUT, rows, about)
    return bool(rows)


def measure_only(paths: Mapping[str, str], given: argparse.Namespace) -> bool:
    """Measure one method on the data sets of the records, and put its rows into these; whether there are any."""
    rows, about = unpack(RECORDS), json.loads(ABOUT.read_text(encoding="utf-8"))
    found, missing = _measure_on([row["data_set"] for row in rows], paths, given, study.parts_of(given.only))
    measured = _about(f"{COMMAND} --only {given.only}", (each for each in missing if given.only in each.part.methods))
    about["missing"] = [each for each in about["missing"] if each["methods"] != [given.only]] + measured.pop("missing")
    about["only"] = about.get("only", {}) | {given.only: measured}
    if found:
        _write(RECORDS, ABOUT, records.with_method(rows, given.only, records.compact(found)), about)
    return bool(found)


def _measure_on(
    names: Iterable[str], paths: Mapping[str, str], given: argparse.Namespace, chosen: Sequence[study.Part]
) -> tuple[list[Record], list[study.Missing]]:
    """Measure parts on some data sets, and name those that have no file."""
    names = list(dict.fromkeys(names))
    if lacks := [name for name in names if name not in paths]:
        print(f"not in {given.folder}, so not measured: {', '.join(lacks)}", file=sys.stderr)
    found, missing = _measure({name: paths[name] for name in names if name in paths}, given, chosen)
    return found, missing + [study.Missing(name, part, "no file") for part in chosen for name in lacks]


def _measure(
    paths: Mapping[str, str], given: argparse.Namespace, chosen: Iterable[study.Part] | None = None
) -> tuple[list[Record], list[study.Missing]]:
    began = told = time.monotonic()

    def tell(done: str) -> None:
        nonlocal told
        if (now := time.monotonic()) - told >= SECONDS_BETWEEN:
            print(f"{now - began:7.1f} s  {done}", file=sys.stderr)
            told = now

    return study.measure_all(
        paths, resume=given.store, n_seeds=given.seeds, jobs=given.jobs, seconds=60 * given.minutes, chosen=chosen,
        on_progress=tell,
    )  # fmt: skip


def _about(command: str, missing: Iterable[study.Missing]) -> dict[str, Any]:
    packages = {name: version(name) for name in study.PACKAGES}
    return {"command": command, "versions": {**versions(), **packages}, "missing": lacking(missing)}


def _write(path: Path, about_path: Path, rows: Iterable[Mapping[str, str]], about: Mapping[str, Any]) -> None:
    about_path.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    pack(path, rows)


def write_page() -> None:
    """Write the page and its diagrams from the records."""
    rows, about = unpack(RECORDS), json.loads(ABOUT.read_text(encoding="utf-8"))
    PAGE.write_text(page(rows, about, TUNED.read_text(encoding="utf-8")), encoding="utf-8")
    DIAGRAMS.mkdir(parents=True, exist_ok=True)
    for each in all_measured(rows):
        draw_ranks(DIAGRAMS / f"{each.purpose.name}.svg", each.compared())


def lacking(missing: Iterable[study.Missing]) -> list[dict[str, Any]]:
    """What the page says of the parts that are not measured yet: how many data sets each lacks, with which seeds."""
    sets: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    seeds: dict[tuple[str, tuple[str, ...]], set[int]] = {}
    for name, part, _ in missing:
        sets.setdefault((part.learner, part.methods), set()).add(name)
        seeds.setdefault((part.learner, part.methods), set()).add(part.seed)
    return [
        {"learner": key[0], "methods": list(key[1]), "seeds": sorted(seeds[key]), "data_sets": len(names)}
        for key, names in sets.items()
    ]


def _method(text: str) -> str:
    try:
        parse_method(text)
    except WekaconfError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got '{text}'")
    return int(text)


if __name__ == "__main__":
    main()
