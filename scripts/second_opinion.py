"""Find out whether small models of other kinds, asked beside a tree, add to what `combined` knows, and it to them.

``nice -n 15 python scripts/second_opinion.py [--minutes N] [--sides FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI measures both halves of the sets, small sets first, on the splits on which `combined` was designed and
judged; a run that was interrupted goes on where it was. Once a half is measured, its rows are written to
docs/records/second-opinion.csv.gz, from which `scripts/docs_records.py --write` makes a part of docs/combined.md.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from dataclasses import asdict
from pathlib import Path

import combined_design
import combined_verdict
from combined_verdict import commit, listed
from combining import verdict_records as records
from combining.judging import Figures
from combining.other_certainties import other_certainties
from combining.second_opinion import Opinions, measured
from combining.sides import sets_of_half
from evidence.figures import TWINS

import wekaconf as wc
from wekaconf.base.files import atomic_write
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
            records.write_about(records.ABOUT_OPINIONS, begun(given.sides / half))


def rows_of(half: str, folder: Path, end: float) -> list[records.Row] | None:
    """The rows of the sets of a half that count; None where time ended before all was measured."""
    folder.mkdir(parents=True, exist_ok=True)
    begun(folder)
    sets = sets_of_half(Path(os.environ["WEKACONF_UCI"]), TWINS, MOST_ROWS[half], is_for_design=half == "design")
    seeds = listed("J48", sets, folder / "seeds.json", SEEDS[half], FEWEST_SPLITS[half])
    found: list[records.Row] = []
    for name, of_set in seeds.items():
        splits = []
        for seed in of_set:
            path = folder / f"{name} {seed}.npz"
            if not is_measured(path, sets[name], seed, end, has_others=half == "judged"):
                return None
            splits.append(figures_of(path))
        found += [{"half": half} | row for row in records.rows_of("J48", name, sets[name], splits)]
    return found


def begun(folder: Path) -> records.About:
    """The commit and the versions with which the measurements in a folder began."""
    path = folder / "about.json"
    if not path.exists():
        records.write_about(path, {**commit(), **versions()})
    return records.about(path)


def is_measured(path: Path, data: wc.Dataset, seed: int, end: float, *, has_others: bool) -> bool:
    """Measure a split, what is not there yet; whether there was time for it."""
    others = path.with_suffix(".json")
    if path.exists() and (others.exists() or not has_others):
        return True
    if time.monotonic() > end:
        return False
    begin = time.process_time()
    if not path.exists():
        measured(data, seed).save(path)
    if has_others and not others.exists():
        with atomic_write(others, "w") as file:
            json.dump({rival: asdict(figures) for rival, figures in other_certainties(data, seed).items()}, file)
    print(f"{path.stem}: {time.process_time() - begin:.1f} s", flush=True)
    return True


def figures_of(path: Path) -> dict[str, Figures]:
    """The figures of a split that is measured; those of the other certainties on the judged half."""
    figures, others = Opinions.load(path).figures(), path.with_suffix(".json")
    if others.exists():
        read = json.loads(others.read_text(encoding="utf-8"))
        figures |= {rival: Figures(**of_rival) for rival, of_rival in read.items()}
    return figures


if __name__ == "__main__":
    main()
