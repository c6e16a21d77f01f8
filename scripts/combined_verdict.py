"""Judge the method `combined` on the half of the data sets that it was not designed on.

``nice -n 15 python scripts/combined_verdict.py [--minutes N] [--kept FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI first lists the sets and seeds that count, by the plain trees alone, then measures all schemes on them,
small sets first; a run that was interrupted goes on where it was. Once all is measured it writes
docs/records/combined.csv.gz, from which `scripts/docs_records.py --write` makes the tables of docs/combined.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from combining import verdict_records as records
from combining.judging import GROWER, Figures, counts, judged
from combining.sides import sets_of_half
from evidence.figures import TWINS

import wekaconf as wc
from wekaconf.base.files import atomic_write
from wekaconf.bridge.versions import versions

SEEDS = range(1, 11)
FEWEST_SPLITS = 5
"""A data set counts with so many splits that count."""
MOST_ROWS = {"J48": 15_000, "REPTree": 6_000, "CART nominal=one_hot": 6_000, GROWER: 400}
"""The learners, and the largest number of rows of a data set for each."""
ROOT = Path(__file__).resolve().parents[1]
Seeds = dict[str, list[int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=720, help="measure nothing more after this time")
    parser.add_argument("--kept", type=Path, default=Path("/tmp/judged"), help="where the figures of a split are kept")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    end = time.monotonic() + 60 * given.minutes
    given.kept.mkdir(parents=True, exist_ok=True)
    sets = sets_of_half(Path(os.environ["WEKACONF_UCI"]), TWINS, max(MOST_ROWS.values()), is_for_design=False)
    rows: list[records.Row] = []
    for learner, most_rows in MOST_ROWS.items():
        small = {name: data for name, data in sets.items() if len(data) <= most_rows}
        seeds = listed(learner, small, given.kept / f"{learner}.json", SEEDS, FEWEST_SPLITS)
        splits = {name: measured(learner, name, small[name], seeds[name], given.kept, end) for name in seeds}
        if any(len(splits[name]) < len(seeds[name]) for name in seeds):
            print(f"{learner}: not finished, so nothing is written of it")
            continue
        for name, of_set in splits.items():
            rows += records.rows_of(learner, name, sets[name], of_set)
    if rows:
        records.write(rows, {**commit(), **versions()})


def listed(learner: str, sets: Mapping[str, wc.Dataset], path: Path, seeds: Iterable[int], fewest_splits: int) -> Seeds:
    """The seeds that count of the sets that count, as the plain trees of a learner say; listed once."""
    if not path.exists():
        of_sets = {name: [seed for seed in seeds if counts(data, learner, seed)] for name, data in sets.items()}
        found = {name: counted for name, counted in of_sets.items() if len(counted) >= fewest_splits}
        with atomic_write(path, "w") as file:
            json.dump(found, file)
    counted: Seeds = json.loads(path.read_text(encoding="utf-8"))
    return counted


def measured(
    learner: str, name: str, data: wc.Dataset, seeds: list[int], kept: Path, end: float
) -> list[dict[str, Figures]]:
    """The figures of every split of a data set; fewer where the time is over."""
    found = []
    for seed in seeds:
        path = kept / f"{learner} {name} {seed}.json"
        if not path.exists():
            if time.monotonic() > end:
                break
            begin = time.process_time()
            of_split = {scheme: asdict(figures) for scheme, figures in judged(data, learner, seed).items()}
            with atomic_write(path, "w") as file:
                json.dump(of_split, file)
            print(f"{path.stem}: {time.process_time() - begin:.1f} s", flush=True)
        of_split = json.loads(path.read_text(encoding="utf-8"))
        found.append({scheme: Figures(**figures) for scheme, figures in of_split.items()})
    return found


def commit() -> dict[str, str]:
    """The commit that is checked out, with a plus where files differ from it; and the first line of what it says."""

    def told(*command: str) -> str:
        command = ("git", "-C", str(ROOT), *command)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    name = told("describe", "--always", "--exclude=*", "--dirty=+", "--abbrev=10")
    return {"commit": name, "subject": told("log", "-1", "--format=%s")}


if __name__ == "__main__":
    main()
