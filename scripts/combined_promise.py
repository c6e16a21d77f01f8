"""Compare what a promise brings with `combined` and with each method alone, on J48's trees.

``nice -n 15 python scripts/combined_promise.py [--kept FOLDER]`` with the folder of UCI sets in WEKACONF_UCI: the half
of the sets to design with tells the best single method, the other half compares it with `combined`. A run that was
interrupted goes on where it was. It writes docs/records/combined-promise.csv.gz, from which
`scripts/docs_records.py --write` makes a part of docs/combined.md.
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from dataclasses import asdict
from pathlib import Path

import numpy as np
from combining import verdict_records as records
from combining.promised import Kept, kept
from combining.sides import sets_of_half
from evidence.figures import TWINS

import wekaconf as wc
from wekaconf.base.files import atomic_write

SEEDS = {"design": range(1, 4), "judged": range(1, 11)}
FEWEST_ROWS, MOST_ROWS = 500, 15_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "--kept", type=Path, default=Path("/tmp/promised"), help="where the figures of a split are kept"
    )
    folder = parser.parse_args().kept
    warnings.simplefilter("ignore")
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[records.Row] = []
    for half, seeds in SEEDS.items():
        sets = sets_of_half(Path(os.environ["WEKACONF_UCI"]), TWINS, MOST_ROWS, is_for_design=half == "design")
        for name, data in sets.items():
            if len(data) >= FEWEST_ROWS:
                rows += rows_of(half, name, data, [split(folder, name, data, seed) for seed in seeds])
    records.pack(records.PROMISES, rows)


def split(folder: Path, name: str, data: wc.Dataset, seed: int) -> dict[str, Kept]:
    """What each certainty brings on one split, measured once."""
    path = folder / f"{name} {seed}.json"
    if not path.exists():
        with atomic_write(path, "w") as file:
            json.dump({scheme: asdict(found) for scheme, found in kept(data, seed).items()}, file)
        print(path.stem, flush=True)
    return {scheme: Kept(**found) for scheme, found in json.loads(path.read_text(encoding="utf-8")).items()}


def rows_of(half: str, name: str, data: wc.Dataset, splits: list[dict[str, Kept]]) -> list[records.Row]:
    """One row per certainty: mean target and coverage, and in how many splits more answers were wrong."""
    facts = {"half": half, "data_set": name, "n_instances": str(len(data)), "n_splits": str(len(splits))}
    return [
        {
            **facts,
            "scheme": scheme,
            "target": f"{np.mean([one[scheme].target for one in splits]):.5f}",
            "coverage": f"{np.mean([one[scheme].coverage for one in splits]):.5f}",
            "n_broken": str(sum(one[scheme].is_broken for one in splits)),
        }
        for scheme in splits[0]
    ]


if __name__ == "__main__":
    main()
