"""Measure every method and its rivals on a folder of data sets, and write docs/which-method.md from the records.

    nice -n 15 python scripts/which_method.py /path/to/uci --store evidence.sqlite --seeds 10 -j 2 --minutes 40

goes on where it was stopped, one seed after another, what costs most last; with --minutes 0 it writes the page from
what is finished. Seeds after the first are run on small data sets, see `evidence.measuring.study`.
Without a folder the page is written from the records in docs/records/which-method.csv.gz alone.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import warnings
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from combining import verdict_records as packed
from evidence import records
from evidence.figures import all_measured
from evidence.measuring import study
from evidence.page import page
from evidence.spread import spreads

from wekaconf.bridge.versions import versions
from wekaconf.report.comparison.diagram import draw_ranks

DOCS = Path(__file__).resolve().parent.parent / "docs"
RECORDS, ABOUT = DOCS / "records" / "which-method.csv.gz", DOCS / "records" / "which-method.json"
PAGE, DIAGRAMS = DOCS / "which-method.md", DOCS / "assets" / "which-method"
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
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.folder is not None:
        paths = {path.stem: str(path) for path in sorted(given.folder.glob("*.arff"))}
        began = told = time.monotonic()

        def tell(done: str) -> None:
            nonlocal told
            if (now := time.monotonic()) - told >= SECONDS_BETWEEN:
                print(f"{now - began:7.1f} s  {done}", file=sys.stderr)
                told = now

        found, missing = study.measure_all(
            paths, resume=given.store, n_seeds=given.seeds, jobs=given.jobs, seconds=60 * given.minutes,
            on_progress=tell,
        )  # fmt: skip
        if not (rows := records.compact(found)):
            parser.error(f"nothing in {given.folder} is measured yet; give it ARFF files and more --minutes")
        n_seeds = f" --seeds {given.seeds}" if given.seeds > 1 else ""
        about = {
            "command": COMMAND + n_seeds,
            "versions": {**versions(), **{name: version(name) for name in study.PACKAGES}},
            "missing": lacking(missing),
            "spread": [each._asdict() for each in spreads(found, all_measured(rows))],
        }
        ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        packed.pack(RECORDS, rows)
    rows = packed.read(RECORDS)
    about = json.loads(ABOUT.read_text(encoding="utf-8"))
    PAGE.write_text(page(rows, about), encoding="utf-8")
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


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got '{text}'")
    return int(text)


if __name__ == "__main__":
    main()
