"""The project's speed claims: ratios of the times of two ways to the same result, measured side by side in one run.

``python scripts/benchmark.py [--write] [NAME ...]`` in the project's environment; names choose rows. Rows on UCI sets
need their folder in WEKACONF_UCI. ``--write`` puts the results into docs/maintaining/BENCHMARKS.md. A group of rows is
a function of scripts/benchmarks/ that yields them.
"""

from __future__ import annotations

import datetime
import os
import platform
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from benchmarks._measuring import Row
from benchmarks.doors import estimators, in_weka, many_rows, process, streaming
from benchmarks.evaluating import evaluating
from benchmarks.methods import boundary, confdtree, wang2006
from benchmarks.second_opinion import second_opinion
from benchmarks.seen import model_page
from benchmarks.single import single
from benchmarks.studies import experiments, papers
from benchmarks.transductive import costa2013
from benchmarks.trees import foreign, predict, pull, transfer

GROUPS = (
    transfer, pull, predict, foreign, confdtree, wang2006, boundary, second_opinion, costa2013, estimators, process,
    streaming, many_rows, in_weka, experiments, papers, model_page, single, evaluating,
)  # fmt: skip
ROWS = {group.__name__: group for group in GROUPS}
PAGE = Path(__file__).resolve().parents[1] / "docs" / "maintaining" / "BENCHMARKS.md"
HEAD = "| what | ours | other | wanted | measured |\n|---|---|---|---|---|"


def machine() -> str:
    """The day, the machine and the versions of the measurement."""
    info = Path("/proc/cpuinfo")
    models = re.findall(r"model name\s*: (.*)", info.read_text()) if info.is_file() else []
    return (
        f"{datetime.date.today()}, {models[0] if models else platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, numpy {np.__version__}"
    )


def written(page: str, name: str, rows: Iterable[Row], measured: str) -> str:
    """The page with the section of that name replaced, or added."""
    lines = "\n".join(map(str, rows))
    section = f"## {name}\n\nMeasured {measured}.\n\n{HEAD}\n{lines}\n"
    others = re.split(r"(?m)^(?=## )", page)
    places = [place for place, other in enumerate(others) if other.startswith(f"## {name}\n")] or [len(others)]
    others[places[0] : places[0] + 1] = [section]
    return "\n".join(other.rstrip("\n") + "\n" for other in others)


def main() -> None:
    is_written = "--write" in sys.argv
    chosen = [name for name in sys.argv[1:] if name != "--write"] or list(ROWS)
    unknown = [name for name in chosen if name not in ROWS]
    if unknown:
        sys.exit(f"no row {', '.join(unknown)}; the rows are {', '.join(ROWS)}")
    print(HEAD)
    rows = []
    for name in chosen:
        of_name = []
        for row in ROWS[name]():
            print(row, flush=True)
            of_name.append(row)
        rows += of_name
        if is_written:
            page = written(PAGE.read_text(encoding="utf-8"), name, of_name, machine())
            PAGE.write_text(page, encoding="utf-8")
    if not all(row.holds for row in rows):
        sys.exit("a claim does not hold on this machine")


if __name__ == "__main__":
    main()
