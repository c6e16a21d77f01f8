"""Which rows a reject option refers where a threshold between two classes was moved: docs/records/moved-thresholds.csv.

``python scripts/moved_thresholds.py [--minutes N]``, with WEKACONF_UCI; a run that was interrupted goes on with the
next set. `scripts/docs_records.py --write` puts the figures into the page. Of every two-class set three classifiers of
scikit-learn answer five folds; the rarer class is the answer from a probability of .1, .2 or .3 on. The fifth of the
rows that is least certain is referred, by either certainty of `wekaconf.sklearn.RejectOption`; of rows that are as
certain as the last of them, a share.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import numpy as np
from _tables import table
from numpy.typing import NDArray
from scipy.stats import wilcoxon
from sklearn.base import ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import wekaconf as wc
from wekaconf.sklearn.classifier_answers import CertaintyFrom, labels_and_certainty

RECORDS = Path(__file__).resolve().parents[1] / "docs" / "records" / "moved-thresholds.csv"
CLASSIFIERS: dict[str, ClassifierMixin] = {
    "logistic regression": LogisticRegression(max_iter=2000),
    "random forest": RandomForestClassifier(random_state=1),
    "gradient boosting": HistGradientBoostingClassifier(random_state=1),
}
THRESHOLDS = (0.1, 0.2, 0.3)
KINDS: tuple[CertaintyFrom, ...] = get_args(CertaintyFrom)
REFERRED, ROWS = 0.2, range(100, 5001)
"""The share of the rows that is referred, and how many rows a set may have."""


class Cell(NamedTuple):
    """The share of the errors that the referred rows hold, for a set, a classifier, a threshold and a certainty."""

    dataset: str
    classifier: str
    threshold: float
    certainty_from: str
    share: float


def sets() -> Iterator[tuple[str, wc.Dataset]]:
    """The two-class sets with both classes in at least five rows."""
    for path in sorted(Path(os.environ["WEKACONF_UCI"]).glob("*.arff")):
        data = wc.load_arff(path)
        data = data.take(data.class_values >= 0) if data.class_index >= 0 else data.take([])
        counts = np.bincount(data.class_values, minlength=data.n_classes) if len(data) else np.zeros(1)
        if (counts > 0).sum() == 2 and counts[counts > 0].min() >= 5 and len(data) in ROWS:
            yield path.stem, data


def cells_of(name: str, data: wc.Dataset) -> Iterator[Cell]:
    """All cells of a set."""
    nominal = [i for i, each in enumerate(data.attributes) if each.is_nominal and i != data.class_index]
    numeric = [i for i, each in enumerate(data.attributes) if not each.is_nominal and i != data.class_index]
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), numeric),
        (OneHotEncoder(handle_unknown="ignore"), nominal),
        sparse_threshold=0.0,
    )
    classes, y = np.unique(data.class_values, return_inverse=True)
    rare = int(np.bincount(y, minlength=len(classes)).argmin())
    for classifier, model in CLASSIFIERS.items():
        answers: dict[tuple[float, CertaintyFrom], list[NDArray[np.float64]]] = {}
        for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(data.values, y):
            fitted = make_pipeline(columns, clone(model)).fit(data.values[train], y[train])
            for threshold in THRESHOLDS:
                moved = FixedThresholdClassifier(
                    FrozenEstimator(fitted), threshold=threshold, pos_label=rare, response_method="predict_proba"
                ).fit(data.values[train], y[train])
                for kind in KINDS:
                    labels, certainty = labels_and_certainty(moved, data.values[test], kind)
                    answers.setdefault((threshold, kind), []).append(np.column_stack((certainty, labels != y[test])))
        for (threshold, kind), parts in answers.items():
            certainty, is_wrong = np.concatenate(parts).T
            yield Cell(name, classifier, threshold, kind, share_of_errors(certainty, is_wrong))


def share_of_errors(certainty: NDArray[np.float64], is_wrong: NDArray[np.float64]) -> float:
    """The share of the errors that lie in the least certain fifth of the rows; NaN without an error."""
    n = REFERRED * len(certainty)
    last = np.sort(certainty)[int(np.ceil(n)) - 1]
    below, at = certainty < last, certainty == last
    held = is_wrong[below].sum() + is_wrong[at].sum() * (n - below.sum()) / at.sum()
    return float(held / is_wrong.sum()) if is_wrong.any() else float("nan")


def read() -> list[Cell]:
    """The cells of the record."""
    if not RECORDS.exists():
        return []
    with RECORDS.open(newline="", encoding="utf-8") as file:
        return [
            Cell(row["dataset"], row["classifier"], float(row["threshold"]), row["certainty_from"], float(row["share"]))
            for row in csv.DictReader(file)
        ]


def add(cells: list[Cell]) -> None:
    """Add the cells of a set to the record."""
    is_new = not RECORDS.exists()
    with RECORDS.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(Cell._fields)
        writer.writerows([*cell[:4], f"{cell.share:.6g}"] for cell in cells)


def compared(cells: list[Cell]) -> str:
    """The table of the docs: the mean share of errors by classifier and threshold, and Wilcoxon's test over sets."""
    body = []
    for classifier in (*CLASSIFIERS, "all"):
        for threshold in THRESHOLDS if classifier != "all" else (0.0,):
            by_set = [_of_sets(cells, classifier, threshold, kind) for kind in KINDS]
            names = sorted(name for name in by_set[0] if not np.isnan([by_set[0][name], by_set[1][name]]).any())
            probability, distance = (np.array([shares[name] for name in names]) for shares in by_set)
            gain = probability - distance
            p = f"{wilcoxon(gain).pvalue:.2g}" if gain.any() else "–"
            body.append(
                [classifier, f"{threshold:g}" if threshold else "all", len(names), f"{probability.mean():.3f}",
                 f"{distance.mean():.3f}", f"{(gain > 0).sum()}/{(gain == 0).sum()}/{(gain < 0).sum()}", p]
            )  # fmt: skip
    headings = ["classifier", "threshold", "sets", "probability", "distance", "more/equal/fewer", "p (Wilcoxon)"]
    return table(headings, body)


def _of_sets(cells: list[Cell], classifier: str, threshold: float, kind: str) -> dict[str, float]:
    """The share of each set, the mean over classifiers and thresholds where all are meant."""
    found: dict[str, list[float]] = {}
    for cell in cells:
        if cell.certainty_from == kind and classifier in ("all", cell.classifier) and threshold in (0, cell.threshold):
            found.setdefault(cell.dataset, []).append(cell.share)
    return {name: float(np.mean(shares)) for name, shares in found.items()}


PARTS = {"compared": compared}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=60, help="begin no further set after this time")
    minutes, done, begin = parser.parse_args().minutes, {cell.dataset for cell in read()}, time.monotonic()
    for name, data in sets():
        if name not in done and time.monotonic() - begin < 60 * minutes:
            add(list(cells_of(name, data)))
            print(f"{name}: {len(data)} rows, {time.monotonic() - begin:.0f} s", flush=True)
    print(compared(read()))


if __name__ == "__main__":
    main()
