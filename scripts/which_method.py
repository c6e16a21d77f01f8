"""Measure every method and its rivals on a folder of data sets, and write docs/which-method.md from the records.

    nice -n 15 python scripts/which_method.py /path/to/uci --store evidence.sqlite --minutes 40

goes on where it was stopped, smallest data sets first; with --minutes 0 it writes the page from what is finished.
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
from evidence import records, study
from evidence.figures import measured
from evidence.page import page

from wekaconf.bridge.versions import versions
from wekaconf.experiments.advising.purposes import PURPOSES
from wekaconf.report.comparison.diagram import draw_ranks

DOCS = Path(__file__).resolve().parent.parent / "docs"
RECORDS, ABOUT = DOCS / "records" / "which-method.csv.gz", DOCS / "records" / "which-method.json"
PAGE, DIAGRAMS = DOCS / "which-method.md", DOCS / "assets" / "which-method"
COMMAND = "python scripts/which_method.py FOLDER --store evidence.sqlite"
FEW = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="the ARFF files")
    parser.add_argument("--store", default="evidence.sqlite", help="where finished parts are kept")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing after so many minutes")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.folder is not None:
        paths = {path.stem: str(path) for path in sorted(given.folder.glob("*.arff"), key=_turn)}
        began = time.monotonic()

        def tell(done: str) -> None:
            print(f"{time.monotonic() - began:7.1f} s wall {time.process_time():7.1f} s cpu  {done}", file=sys.stderr)

        found, missing = study.measure_all(paths, resume=given.store, seconds=60 * given.minutes, on_progress=tell)
        packages = {name: version(name) for name in study.PACKAGES}
        about = {"command": COMMAND, "versions": {**versions(), **packages}, "missing": lacking(missing)}
        ABOUT.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        packed.pack(RECORDS, records.compact(found))
    rows = packed.read(RECORDS)
    about = json.loads(ABOUT.read_text(encoding="utf-8"))
    PAGE.write_text(page(rows, about), encoding="utf-8")
    DIAGRAMS.mkdir(parents=True, exist_ok=True)
    for purpose in PURPOSES.values():
        found_for = measured(rows, purpose)
        if len(found_for.data_sets) > 1:
            draw_ranks(DIAGRAMS / f"{purpose.name}.svg", found_for.compared())


def lacking(missing: Iterable[study.Missing]) -> list[dict[str, Any]]:
    """What the page says of the parts that are not measured yet: how many data sets each lacks."""
    sets: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for name, part, _ in missing:
        sets.setdefault((part.learner, part.methods), set()).add(name)
    return [{"learner": a, "methods": list(b), "data_sets": len(names)} for (a, b), names in sets.items()]


def _turn(path: Path) -> tuple[bool, int]:
    """The place of a data set: small files first, but those of fewer than `FEW` instances last."""
    rows = path.read_text(encoding="utf-8", errors="replace").lower().partition("@data")[2].splitlines()
    return sum(1 for row in rows if row.strip() and not row.startswith("%")) < FEW, path.stat().st_size


if __name__ == "__main__":
    main()
