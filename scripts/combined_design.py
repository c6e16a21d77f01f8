"""Find out how to combine the methods' certainties, on the half of the data sets that is for designing.

``nice -n 15 python scripts/combined_design.py [--minutes N] [--sides FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI measures what all methods say of the same trees' answers, small data sets first; a run that was
interrupted goes on where it was. Then it writes docs/records/combined-design.csv.gz, from which
`scripts/docs_records.py --write` makes the tables of docs/maintaining/combined-design.md.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
import warnings
from pathlib import Path

from combining import records
from combining.schemes import Split
from combining.sides import N_REPETITIONS, Sides, measured, sets_of_half
from evidence.figures import TWINS

SEEDS = (1, 2, 3)
MOST_ROWS = {"J48": 20_000, "REPTree": 6_000, "CART nominal=one_hot": 6_000}
"""The learners, and the largest number of rows of a data set for each."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=45, help="measure nothing more after this time")
    parser.add_argument("--sides", type=Path, default=Path("/tmp/sides"), help="where the sides are kept")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    begin = time.monotonic()
    arguments.sides.mkdir(parents=True, exist_ok=True)
    sets = sets_of_half(Path(os.environ["WEKACONF_UCI"]), TWINS, max(MOST_ROWS.values()), is_for_design=True)
    rows: list[records.Row] = []
    for learner, most_rows in MOST_ROWS.items():
        by_set: dict[str, list[Split]] = {}
        for name, seed in itertools.product(sets, SEEDS):
            path = arguments.sides / f"{learner} {name} {seed}.npz"
            if len(sets[name]) > most_rows:
                continue
            if not path.exists():
                if time.monotonic() - begin > 60 * arguments.minutes:
                    continue
                measured(sets[name], seed, learner, N_REPETITIONS if learner == "J48" else 1).save(path)
                print(f"{path.stem}: {time.monotonic() - begin:.0f} s", flush=True)
            by_set.setdefault(name, []).append(Split(Sides.load(path)))
        rows += records.rows_of(learner, by_set)
    records.write(rows)


if __name__ == "__main__":
    main()
