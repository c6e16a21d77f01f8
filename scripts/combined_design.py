"""Find out how to combine the methods' certainties, on the half of the data sets that is for designing.

``nice -n 15 python scripts/combined_design.py [--minutes N] [--sides FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI measures what all methods say of the same trees' answers, small data sets first; a run that was
interrupted goes on where it was. Then it writes docs/records/combined-design.csv.gz, from which
`scripts/docs_records.py --write` makes the tables of docs/maintaining/combined-design.md.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path

from combining import records
from combining.schemes import Split
from combining.sides import Sides, design_sets, measured
from evidence.figures import TWINS

SEEDS = (1, 2, 3)
MOST_ROWS = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=45, help="measure nothing more after this time")
    parser.add_argument("--sides", type=Path, default=Path("/tmp/sides"), help="where the sides are kept")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    begin = time.monotonic()
    arguments.sides.mkdir(parents=True, exist_ok=True)
    by_set: dict[str, list[Split]] = {}
    for name, data in design_sets(Path(os.environ["WEKACONF_UCI"]), TWINS, MOST_ROWS).items():
        for seed in SEEDS:
            path = arguments.sides / f"{name} {seed}.npz"
            if not path.exists():
                if time.monotonic() - begin > 60 * arguments.minutes:
                    continue
                measured(data, seed).save(path)
                print(f"{name} {seed}: {time.monotonic() - begin:.0f} s", flush=True)
            by_set.setdefault(name, []).append(Split(Sides.load(path)))
    records.write(records.rows_of(by_set))


if __name__ == "__main__":
    main()
