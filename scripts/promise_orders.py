"""What a promise reaches by where its tests begin: docs/records/promise-orders.csv.gz, for docs/rejecting.md.

``python scripts/promise_orders.py [--draws N]``: 900 rows of four normal columns, log-odds of the class 2·x0 + x1·x2;
three tenths calibrate that at most 10 % of the answers are wrong with a confidence of 90 %. The true errors are known.
The draws that the record has are not made again. The rules:

* ``out of fold``, ``training``: the product's two, see `wekaconf.evaluation.rejection.orders`.
* ``errors alone``: out of fold, without the rows that speak for the error of all.
* ``strictest 15 %``: from the calibration rows' own certainties, the first that answers 15 % of them.
* ``true errors``: the largest coverage that keeps the target.

The classifier "none" tells nothing: certainties are uniform and every answer errs with 10.01 %, so that whoever answers
anything breaks the promise.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import math
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import numpy as np
from _tables import table as from_lists
from joblib import Parallel, delayed
from scipy.stats import ttest_1samp
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from wekaconf.evaluation import promise
from wekaconf.evaluation.accepting import Certainties, levels_of
from wekaconf.evaluation.promise import TestPlan
from wekaconf.evaluation.promised_choice import OPTIMISM, drawn_rows

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "docs" / "records" / "promise-orders.csv.gz"
FIELDS = ("classifier", "draw", "rule", "coverage", "error")
CLASSIFIERS = {
    "logistic regression": LogisticRegression(),
    "forest, 20 trees": RandomForestClassifier(20, random_state=1),
    "gradient boosting": GradientBoostingClassifier(random_state=1),
}
N_ROWS, N_POPULATION, SHARE, TARGET, DELTA = 900, 20_000, 0.3, 0.1, 0.1
JUST_ABOVE = 0.1001
"""The error of every answer of the classifier that tells nothing."""
NULL_DRAWS = 10_000
STRICTEST = 0.15
RULES = ("out of fold", "training", "errors alone", "strictest 15 %", "true errors")
LEAST_SHARE = 0.95
"""The share of the better rival's coverage that the product's own start is to reach."""
Row = tuple[str, int, str, float, float]


def table(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns, classes, and the probability of class 1."""
    x = rng.standard_normal((n, 4))
    chance = 1 / (1 + np.exp(-2 * x[:, 0] - x[:, 1] * x[:, 2]))
    return x, (rng.random(n) < chance).astype(int), chance


def rows_of(classifier, x: np.ndarray, y: np.ndarray) -> Certainties:
    """The answers of a fitted classifier."""
    proba = classifier.predict_proba(x)
    return Certainties(proba.max(axis=1), proba.argmax(axis=1) == y, np.ones(len(y)))


def draw(name: str, seed: int) -> list[Row]:
    """The coverage and the true error of every rule, for one draw of 900 rows."""
    rng = np.random.default_rng(seed)
    x, y, _ = table(rng, N_ROWS)
    held = drawn_rows(N_ROWS, SHARE)
    growing_x, growing_y = x[~held], y[~held]
    fitted = clone(CLASSIFIERS[name]).fit(growing_x, growing_y)
    parts = [
        rows_of(
            clone(CLASSIFIERS[name]).fit(growing_x[train], growing_y[train]), growing_x[test], growing_y[test]
        )
        for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(growing_x, growing_y)
    ]  # fmt: skip
    out_of_fold = Certainties(*map(np.concatenate, zip(*parts, strict=True)))
    calibration, training = rows_of(fitted, x[held], y[held]), rows_of(fitted, growing_x, growing_y)
    new_x, _, chance = table(rng, N_POPULATION)
    proba = fitted.predict_proba(new_x)
    certainty, error = proba.max(axis=1), np.where(proba.argmax(axis=1) == 1, 1 - chance, chance)
    found = []
    for rule, threshold in thresholds(calibration, out_of_fold, training):
        is_answered = certainty >= threshold
        found.append(
            (name, seed, rule, float(is_answered.mean()), float(error[is_answered].mean() if is_answered.any() else 0))
        )
    descending = np.argsort(-certainty)
    kept = np.flatnonzero(np.cumsum(error[descending]) <= TARGET * np.arange(1, N_POPULATION + 1))
    return [*found, (name, seed, "true errors", (kept[-1] + 1) / N_POPULATION if len(kept) else 0.0, TARGET)]


def null(seed: int) -> list[Row]:
    """The same of answers whose certainty tells nothing; the reference rows err as all others."""
    rng = np.random.default_rng([7, seed])

    def rows(n: int, error: float) -> Certainties:
        return Certainties(rng.random(n), rng.random(n) >= error, np.ones(n))

    n = round(SHARE * N_ROWS)
    calibration, out_of_fold = rows(n, JUST_ABOVE), rows(N_ROWS - n, JUST_ABOVE)
    training = rows(N_ROWS - n, JUST_ABOVE / OPTIMISM)
    return [
        ("none", seed, rule, 1 - threshold if np.isfinite(threshold) else 0.0, JUST_ABOVE)
        for rule, threshold in thresholds(calibration, out_of_fold, training)
    ]


def thresholds(
    calibration: Certainties, out_of_fold: Certainties, training: Certainties
) -> Iterator[tuple[str, float]]:
    """Every rule with its threshold."""
    plan = partial(TestPlan.of, TARGET, DELTA, n=len(calibration.certainty))
    yield "out of fold", plan(out_of_fold).promise(calibration).threshold
    yield "training", plan(training, optimism=OPTIMISM).promise(calibration).threshold
    with patch.object(promise, "PRIOR_ROWS", 0):
        yield "errors alone", plan(out_of_fold).promise(calibration).threshold
    levels, answered, _ = levels_of(*calibration)
    start = int(np.searchsorted(answered, STRICTEST * answered[-1]))
    yield "strictest 15 %", TestPlan(TARGET, DELTA, levels, 0, start, levels[:1]).promise(calibration).threshold


def read() -> list[Row]:
    """The rows of the record."""
    if not RECORD.exists():
        return []
    with gzip.open(RECORD, "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return [(name, int(seed), rule, float(coverage), float(error)) for name, seed, rule, coverage, error in rows]


def coverage(rows: list[Row]) -> str:
    """Per classifier and rule: mean coverage, the shares of draws that answer anything and that break the promise."""
    body: list[list[object]] = []
    for rule in RULES:
        found: list[object] = [rule]
        for name in CLASSIFIERS:
            reached, error = _of(rows, name, rule)
            shares = [reached.mean(), (reached > 0).mean(), ((reached > 0) & (error > TARGET)).mean()]
            found.append("{:.3f} ({:.2f}; {:.3f})".format(*shares))
        body.append(found)
    return from_lists(["start", *CLASSIFIERS], body)


def compared(rows: list[Row]) -> str:
    """Whether the product's own start reaches what the better of its rivals does, by paired differences of draws."""
    lines = []
    for name in CLASSIFIERS:
        own, training = _of(rows, name, "out of fold")[0], _of(rows, name, "training")[0]
        rivals = {rule: _of(rows, name, rule)[0] for rule in ("errors alone", "strictest 15 %")}
        best = max(rivals, key=lambda rule: rivals[rule].mean())
        p_less = ttest_1samp(own - LEAST_SHARE * rivals[best], 0, alternative="less").pvalue
        p_more = ttest_1samp(own - training, 0, alternative="greater").pvalue
        verdict = "significantly less" if p_less < 0.05 else "not significantly less"
        lines.append(
            f"* *{name}*: {own.mean():.3f}, {verdict} than {LEAST_SHARE:g} times the {rivals[best].mean():.3f} of "
            f"*{best}* (p = {p_less:.2g}, one-sided); "
            f"{'more' if p_more < 0.05 else 'not significantly more'} than *training* (p = {p_more:.2g})."
        )
    return "\n".join(lines)


def broken(rows: list[Row]) -> str:
    """How often each rule answers where every answer errs a little more often than the target."""
    parts = []
    for rule in RULES[:-1]:
        reached, _ = _of(rows, "none", rule)
        most = DELTA + 2 * math.sqrt(DELTA * (1 - DELTA) / len(reached))
        share = float((reached > 0).mean())
        parts.append(f"*{rule}* {100 * share:.2f} %{'' if share <= most else ', too many'}")
    return (
        f"In {len(reached):,} draws the promise is broken by {', '.join(parts)}; allowed are {100 * DELTA:g} %, and "
        f"with two standard errors {100 * most:.2f} %."
    )


def _of(rows: list[Row], name: str, rule: str) -> tuple[np.ndarray, np.ndarray]:
    """The coverage and the error of every draw, in their order."""
    found = sorted(
        (seed, reached, error) for classifier, seed, of, reached, error in rows if (classifier, of) == (name, rule)
    )
    return np.array([row[1] for row in found]), np.array([row[2] for row in found])


PARTS = {"coverage": coverage, "compared": compared, "broken": broken}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    known = read()
    done = {row[:2] for row in known}
    work = [
        delayed(draw)(name, seed) for name in CLASSIFIERS for seed in range(arguments.draws) if (name, seed) not in done
    ]
    if ("none", 0) not in done:
        work += [delayed(null)(seed) for seed in range(NULL_DRAWS)]
    rows = chain(known, *Parallel(n_jobs=arguments.jobs, batch_size=8)(work))
    # without the time of writing, so that equal rows make equal bytes
    with gzip.GzipFile(RECORD, "wb", mtime=0) as packed, io.TextIOWrapper(packed, encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows(
            (name, seed, rule, f"{coverage:.4f}", f"{error:.4f}") for name, seed, rule, coverage, error in rows
        )


if __name__ == "__main__":
    main()
