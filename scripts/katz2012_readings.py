"""Readings of Katz et al. 2012 that were tried on what does not replicate, as ``docs/records/katz2012/readings.csv``.

``python scripts/katz2012_readings.py FOLDER [SET ...]`` in the project's environment; FOLDER holds the UCI sets.
Ten-fold cross-validation, seed 1. One line per data set, options of J48 and method.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import wekaconf as wc
from wekaconf.replication.katz2012.measured import groups
from wekaconf.replication.katz2012.measuring import as_in_the_paper

TARGET = Path(__file__).parents[1] / "docs" / "records" / "katz2012" / "readings.csv"
COLUMNS = ("dataset", "options", "method", "auc", "auc_no_ties", "percent_correct", "percent_affected")
TESTS = ("", "normality_level=0.001", "normality=lilliefors", "normality=none")
OTHERS = ("min_instances_of=node", "routes=false", "fines=false")
READINGS = {
    "norm": (*TESTS, *OTHERS[:1], "normality=none,min_instances_of=node"),
    "tdist": ("", *OTHERS),
    "comb": (*TESTS, *OTHERS, "normality_level=0.001,min_instances_of=node"),
}
"""Parameters beside the variant."""
TREES = ("-A", "-U", "-U -A", "-doNotMakeSplitPointActualValue")
"""Other options of J48, on which the three variants are tried as they are."""
SLOW = ("letter", "waveform-5000")


def main(folder: str, names: list[str]) -> None:
    """Measure the sets one after another and write all of them."""
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for name in names or [name for name in groups() if name not in SLOW]:
            data = as_in_the_paper(name, wc.load_arff(Path(folder) / f"{name}.arff"))
            for options in ("", *TREES):
                methods = [
                    f"confdtree:variant={variant}" + f",{more}" * bool(more)
                    for variant, readings in READINGS.items()
                    for more in (readings if not options else ("",))
                ]
                found = wc.evaluate(data, ["leaf_frequency", *methods], learner="J48", options=options, name=name)
                for record, _ in found:
                    pooled = record["pooled"]
                    figures = [pooled["auc_mean"], pooled["auc_mean_no_ties"], *(pooled[each] for each in COLUMNS[5:])]
                    rows.writerow([name, options, record["label"], *(f"{figure:.8g}" for figure in figures)])
            file.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
