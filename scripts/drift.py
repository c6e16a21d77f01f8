"""Count which damaged and undamaged files are told to differ: docs/records/drift.csv, from which a page of docs comes.

``python scripts/drift.py [--minutes N]``, with WEKACONF_UCI; a run that was interrupted goes on with the next set.
`scripts/docs_records.py --write` puts the figures into the page. Each of thirty sets is halved at random, again and
again: a tree is grown and calibrated on one half, and the other is compared with it, as it is and with twelve kinds of
damage to one of its columns, see `later_files.damage`.
"""

from __future__ import annotations

import argparse
import time

from later_files import records
from later_files.trials import DRAWS, N_SETS, N_UNDAMAGED, cells_of, loaded, set_names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=180, help="begin no further set after this time")
    minutes = parser.parse_args().minutes
    done = {cell.data for cell in records.read()}
    begin = time.monotonic()
    for place, name in enumerate(set_names()):
        if name in done or time.monotonic() - begin > 60 * minutes:
            continue
        n_undamaged = N_UNDAMAGED // N_SETS + (place < N_UNDAMAGED % N_SETS)
        cells = cells_of(name, loaded(name), n_undamaged, DRAWS)
        records.add(cells)
        told = sum(cell.told for cell in cells if cell.size == "large")
        n = sum(cell.n for cell in cells if cell.size == "large")
        print(f"{name}: {cells[0].told} of {n_undamaged} undamaged, {told} of {n} with large damage, "
              f"{time.monotonic() - begin:.0f} s", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
