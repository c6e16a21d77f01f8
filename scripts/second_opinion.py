"""Judge the method `second_opinion` on the half of the data sets that it was not designed on.

``nice -n 15 python scripts/second_opinion.py [--minutes N] [--kept FOLDER]`` with the folder of UCI sets in
WEKACONF_UCI asks J48, naive Bayes, a logistic regression and a random forest on every split, small sets first; a run
that was interrupted goes on where it was. Once all is measured it writes docs/records/second-opinion.csv.gz, one row
per data set, scheme and kind of answer, and docs/records/second-opinion-tests.csv, from which
`scripts/docs_records.py --write` makes parts of docs/second-opinion.md.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from _records import Row, begun, pack, write_about
from evidence.figures import TWINS
from opinions.halves import JUDGED, parted, seeds_that_count, sets_of_half
from opinions.judged import Judged
from opinions.promised import FEWEST_ROWS, in_three
from opinions.verdict import ABOUT, RECORDS, write_tests

import wekaconf as wc


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=720, help="measure nothing more after this time")
    parser.add_argument("--kept", type=Path, default=Path("/tmp/judged-opinions"), help="where what is said is kept")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    end = time.monotonic() + 60 * given.minutes
    given.kept.mkdir(parents=True, exist_ok=True)
    about = begun(given.kept)
    sets = sets_of_half(JUDGED, Path(os.environ["WEKACONF_UCI"]), TWINS)
    seeds = seeds_that_count(JUDGED, sets, given.kept / "seeds.json")
    rows: list[Row] = []
    for name, of_set in seeds.items():
        if not all(is_measured(given.kept, name, sets[name], seed, end) for seed in of_set):
            print("not finished, so nothing is written")
            return
        rows += rows_of(name, sets[name], [loaded(given.kept, name, seed) for seed in of_set])
    pack(RECORDS, rows)
    write_about(ABOUT, about)
    write_tests(rows)


def is_measured(folder: Path, name: str, data: wc.Dataset, seed: int, end: float) -> bool:
    """Measure a split, what is not there yet; whether there was time for it."""
    plain, promise = (folder / f"{part} {name} {seed}.npz" for part in ("verdict", "promise"))
    for path in (plain, promise):
        if path.exists() or (path == promise and len(data) < FEWEST_ROWS):
            continue
        if time.monotonic() > end:
            return False
        begin = time.process_time()
        if path == plain:
            found = Judged.measured(*parted(data, seed))
        else:
            train, held, test = in_three(data, seed)
            both = wc.Dataset(data.header, np.concatenate((held.values, test.values)))
            found = Judged.measured(train, both, len(held))
        found.save(path)
        print(f"{path.stem}: {time.process_time() - begin:.1f} s", flush=True)
    return True


def loaded(folder: Path, name: str, seed: int) -> tuple[Judged, Judged | None]:
    """A split, and the same with rows that calibrate a promise; None where a data set is too small for one."""
    promise = folder / f"promise {name} {seed}.npz"
    return Judged.load(folder / f"verdict {name} {seed}.npz"), Judged.load(promise) if promise.exists() else None


def rows_of(name: str, data: wc.Dataset, splits: Sequence[tuple[Judged, Judged | None]]) -> list[Row]:
    """The rows of a data set: means over the splits; those of a promise are empty where there is none."""
    found: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    for judged, promised in splits:
        kept = {} if promised is None else {scheme: promised.promised(said) for scheme, said in promised.answers()}
        for scheme, said in judged.answers():
            for answers in ("likeliest", "tree"):
                figures = judged.figures(said, of_tree=answers == "tree")
                if answers == "likeliest" and scheme in kept:
                    of = kept[scheme]
                    figures |= {"target": of.target, "promised": of.coverage, "broken": float(of.is_broken)}
                found.setdefault((scheme, answers), []).append(figures)
    has_class = data.class_values[data.class_values >= 0]
    facts = {
        "data_set": name,
        "n_instances": str(len(has_class)),
        "n_classes": str(len(np.unique(has_class))),
        "n_splits": str(len(splits)),
    }
    columns = ("error", "aurc", "coverage", "brier", "auroc", "own", "target", "promised", "broken")
    return [
        facts
        | {"scheme": scheme, "answers": answers}
        | {c: f"{np.mean([one[c] for one in of_splits]):.5f}" if c in of_splits[0] else "" for c in columns}
        for (scheme, answers), of_splits in found.items()
    ]


if __name__ == "__main__":
    main()
