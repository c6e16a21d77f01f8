"""Write wekaconf/replication/data_sets.csv: the sizes and the SHA-256 of the data sets that our figures were made from.

``python scripts/data_set_digests.py FOLDER`` in the project's environment; FOLDER holds them as ARFF files.
"""

from __future__ import annotations

import sys
from pathlib import Path

from wekaconf.data.arff import load_arff
from wekaconf.replication.data_files import digest, sizes
from wekaconf.report.csv_files import write_rows

LIST = Path(__file__).parents[1] / "wekaconf" / "replication" / "data_sets.csv"


def main(folder: str) -> None:
    rows: list[list[object]] = [["name", "instances", "attributes", "classes", "sha256"]]
    for path in sorted(Path(folder).glob("*.arff")):
        data = load_arff(path)
        rows.append([path.stem, *sizes(data), digest(data)])
    with LIST.open("w", encoding="utf-8") as file:
        write_rows(file, rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
