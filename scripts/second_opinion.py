"""Find out whether small models of other kinds, asked beside a tree, add to what `combined` knows, and it to them.

``nice -n 15 python scripts/second_opinion.py [--minutes N] [--sides FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI measures both halves of the sets, small sets first, on the splits on which `combined` was designed and
judged; a run that was interrupted goes on where it was. Once a half is measured, its rows are written to
docs/records/second-opinion.csv.gz, from which `scripts/docs_records.py --write` makes a part of docs/combined.md.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path

import combined_design
import combined_verdict
from combined_verdict import commit, listed
from combining import verdict_records as records
from combining.second_opinion import Opinions, measured
from combining.sides import sets_of_half
from evidence.figures import TWINS

from wekaconf.bridge.versions import versions

SEEDS = {"design": combined_design.SEEDS, "judged": combined_verdict.SEEDS}
MOST_ROWS = {"design": 6_000, "judged": combined_verdict.MOST_ROWS["J48"]}
FEWEST_SPLITS = {"design": 2, "judged": combined_verdict.FEWEST_SPLITS}
"""A data set counts with so many splits that count."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=720, help="measure nothing more after this time")
    parser.add_argument("--sides", type=Path, default=Path("/tmp/opinions"), help="where the sides are kept")
    parser.add_argument("--half", choices=[*SEEDS], action="append", help="measure this half only")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    end = time.monotonic() + 60 * given.minutes
    rows = records.read(records.OPINIONS) if records.OPINIONS.exists() else []
    for half in given.half or SEEDS:
        found = rows_of(half, given.sides / half, end)
        if found is None:
            print(f"{half}: not finished, so nothing is written of it")
            continue
        rows = sorted([row for row in rows if row["half"] != half] + found, key=lambda row: row["half"])
        records.pack(records.OPINIONS, rows)
        if half == "judged":
            records.write_about(records.ABOUT_OPINIONS, {**commit(), **versions()})


def rows_of(half: str, folder: Path, end: float) -> list[records.Row] | None:
    """The rows of the sets of a half that count; None where time ended before all was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    sets = sets_of_half(Path(os.environ["WEKACONF_UCI"]), TWINS, MOST_ROWS[half], is_for_design=half == "design")
    seeds = listed("J48", sets, folder / "seeds.json", SEEDS[half], FEWEST_SPLITS[half])
    found: list[records.Row] = []
    for name, of_set in seeds.items():
        splits = []
        for seed in of_set:
            path = folder / f"{name} {seed}.npz"
            if not path.exists():
                if time.monotonic() > end:
                    return None
                begin = time.process_time()
                measured(sets[name], seed).save(path)
                print(f"{path.stem}: {time.process_time() - begin:.1f} s", flush=True)
            splits.append(Opinions.load(path).figures())
        found += [{"half": half} | row for row in records.rows_of("J48", name, sets[name], splits)]
    return found


if __name__ == "__main__":
    main()
