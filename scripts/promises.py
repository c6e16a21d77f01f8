"""Count broken promises where the truth is known: docs/records/promises.csv.gz.

``python scripts/promises.py [--part PART] [--draws N] [--minutes N]``: a run that was interrupted goes on where it was.
docs/records/README.md says how docs/rejecting.md was written from it, and how rivals were measured. The parts:

* ``generated``: a tree is grown on 1,000 rows of a generator, and answers for a population of 100,000 rows. The error
  of every threshold is then known exactly, and calibration rows are drawn from the population with replacement.
* ``costs``: the same, of mean costs.
* ``real``: half of the rows of a UCI set, of the folder WEKACONF_UCI, grow a J48, and the others are the population.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

from broken_promises import costs, errors, records
from broken_promises.cells import Cell, Group
from broken_promises.populations import GENERATORS, LEARNERS, real_sets
from joblib import Parallel, delayed

DRAWS = 1_000
FEWER_DRAWS = {"costs": 2, "real": 4}
"""By what the number of draws is divided in the slower parts."""
PARTS: dict[str, Callable[[Group], list[Cell]]] = {
    "generated": errors.cells, "costs": costs.cells, "real": errors.cells,
}  # fmt: skip
METHODS = (
    "leaf_frequency", "leaf_frequency:laplace=true", "confdtree", "shrinkage", "wpe:numeric=bins",
    "shrinkage_wpe:numeric=bins", "m_branch", "ling_yan", "curtailment", "id3_sd", "id3_max",
    "boundary_distance:scaling=minmax",
)  # fmt: skip
"""All that ask no other trees or models."""
FEW_METHODS = ("leaf_frequency:laplace=true", "m_branch", "boundary_distance:scaling=minmax")


def groups(parts: Sequence[str], draws: int) -> list[Group]:
    """All groups of parts, in their order."""
    found = []
    for part in parts:
        if part in ("generated", "costs"):
            methods = METHODS if part == "generated" else FEW_METHODS
            names = [(data, learner, method) for data in GENERATORS for learner in LEARNERS for method in methods]
        else:
            names = [(data, "J48", method) for data in real_sets() for method in FEW_METHODS]
        found += [Group(part, *name, draws // FEWER_DRAWS.get(part, 1)) for name in names]
    return found


def _work(group: Group) -> tuple[Group, list[Cell]]:
    return group, PARTS[group.part](group)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--part", choices=PARTS, action="append", help="only this part; left out, all")
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws per cell of the part generated; others: fewer")
    parser.add_argument("--minutes", type=float, default=180, help="begin no further group after this time")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    done = {tuple(row[name] for name in ("part", "data", "learner", "method")) for row in records.read()}
    open_groups = [group for group in groups(arguments.part or list(PARTS), arguments.draws) if group.key not in done]
    begin = time.monotonic()
    in_time = (group for group in open_groups if time.monotonic() - begin < 60 * arguments.minutes)
    work = Parallel(n_jobs=arguments.jobs, return_as="generator_unordered", pre_dispatch=arguments.jobs)
    for number, (group, cells) in enumerate(work(delayed(_work)(group) for group in in_time), 1):
        records.add(cells)
        broken = max((cell.broken / cell.draws / (1 - cell.confidence) for cell in cells if cell.n), default=0)
        print(
            f"{number}/{len(open_groups)} {' '.join(group.key)}: {len(cells)} cells, most broken "
            f"{broken:.2f} of delta, {time.monotonic() - begin:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
