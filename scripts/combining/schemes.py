"""Certainties of a tree's answers, each made of the sides of the methods, and how well they tell right from wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from combining.forms import FORMS, Floats
from combining.sides import METHODS, Sides
from sklearn.isotonic import IsotonicRegression

from wekaconf.evaluation.ranking import auroc
from wekaconf.evaluation.risk_coverage import risk_coverage
from wekaconf.methods.combined.learning import FEWEST_OF_EACH, FEWEST_ROWS, fitted, logistic

LAPLACE = METHODS.index("leaf_frequency:laplace=true")
FORM, L2 = "log-odds of ranks", 1.0
"""What the design half has chosen."""
L2S = (0.3, 1.0, 3.0)
SIDES = (
    "shrinkage_wpe:numeric=bins", "boundary_distance:scaling=minmax", "id3_sd", "ling_yan", "confdtree:variant=tdist",
)  # fmt: skip
"""The fewest sides on the `path` that the design half cannot tell from all."""
TARGET_ERROR = 0.05
ROUNDING, DECIMALS = 1e-9, 9
"""What a certainty may lie outside [0, 1], and the decimals to which ties are ties."""
FEWEST_ANSWERS, FEWEST_SPLITS = 3, 2
"""A split counts with so many right and so many wrong answers of the tree, a data set with so many such splits."""
ALL = tuple(METHODS)


@dataclass(frozen=True, eq=False)
class Split:
    """The sides of one split, in every form."""

    sides: Sides
    _scaled: dict[tuple[str, int, int | None], tuple[Floats, Floats]] = field(default_factory=dict)

    @cached_property
    def is_poor(self) -> bool:
        """Whether there is too little to learn from, so that Laplace's correction answers."""
        right = self.sides.inner_right[0]
        return len(right) < FEWEST_ROWS or min(right.sum(), (~right).sum()) < FEWEST_OF_EACH

    def scaled(self, form: str, repetitions: int, n_quantiles: int | None) -> tuple[Floats, Floats]:
        """The sides of the training rows, repetition after repetition, and of the test rows, all in one form."""
        key = form, repetitions, n_quantiles
        if key not in self._scaled:
            inner = np.concatenate(self.sides.inner[:repetitions])
            shares = None if n_quantiles is None else (np.arange(n_quantiles) + 0.5) / n_quantiles
            known = inner if shares is None else np.quantile(inner, shares, axis=0, method="inverted_cdf")
            self._scaled[key] = FORMS[form](known, inner), FORMS[form](known, self.sides.outer)
        return self._scaled[key]

    def combined(
        self,
        names: Iterable[str],
        *,
        form: str = FORM,
        l2: float = L2,
        repetitions: int = 1,
        n_quantiles: int | None = None,
    ) -> Floats:
        """(n_test,) float64: the certainty that a logistic regression on these sides gives.

        Parameters
        ----------
        names : iterable of str
            Some of `METHODS`.
        form : str
            One of `FORMS`.
        l2 : float
            Half of it times the squares of the weights counts beside the loss of all training rows.
        repetitions : int
            Number of repetitions of the inner folds.
        n_quantiles : int, optional
            Ranks are among so many quantiles; left out: among all training rows.
        """
        if self.is_poor:
            return self.sides.outer[:, LAPLACE]
        columns = [METHODS.index(name) for name in names]
        known, asked = (side[:, columns] for side in self.scaled(form, repetitions, n_quantiles))
        right = np.concatenate(self.sides.inner_right[:repetitions])
        intercept, weights = fitted(known, right, np.ones(len(right)), l2 * repetitions)
        return np.round(logistic(intercept + asked @ weights), DECIMALS)

    def isotonic(self) -> Floats:
        """(n_test,) float64: isotonic regression on Laplace's correction out of fold."""
        if self.is_poor:
            return self.sides.outer[:, LAPLACE]
        steps = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
        steps.fit(self.sides.inner[0, :, LAPLACE], self.sides.inner_right[0])
        return np.asarray(steps.predict(self.sides.outer[:, LAPLACE]))


Scheme = Callable[[Split], Floats]


def singles() -> dict[str, Scheme]:
    """Every method alone."""
    return {name: lambda split, column=column: split.sides.outer[:, column] for column, name in enumerate(METHODS)}


def rivals() -> dict[str, Scheme]:
    """Two calibrations of Laplace's correction, and the random forest."""
    laplace = METHODS[LAPLACE]
    return {
        "sigmoid": lambda split: split.combined([laplace], form="log-odds"),
        "isotonic": Split.isotonic,
        "random forest": lambda split: split.sides.forest,
    }


def forms() -> dict[str, Scheme]:
    """All methods together, in every form."""
    found: dict[str, Scheme] = {
        f"{form}, L2 {l2:g}": lambda split, form=form, l2=l2: split.combined(ALL, form=form, l2=l2)
        for form in FORMS
        for l2 in L2S
    }
    found["three repetitions"] = lambda split: split.combined(ALL, repetitions=3)
    return found


def chosen() -> dict[str, Scheme]:
    """The sides that were chosen, with one repetition of the inner folds and with three, and with fewer quantiles."""
    return {
        "chosen": lambda split: split.combined(SIDES),
        "chosen, 200 quantiles": lambda split: split.combined(SIDES, n_quantiles=200),
        "chosen, three repetitions": lambda split: split.combined(SIDES, repetitions=3),
        "chosen, three repetitions, 200 quantiles": lambda split: split.combined(SIDES, repetitions=3, n_quantiles=200),
    }


def figures(scheme: Scheme, splits: Sequence[Split]) -> dict[str, float]:
    """Means over the splits of a data set; those of probabilities are NaN where a certainty lies outside [0, 1]."""
    return {
        name: float(np.mean(values))
        for name, values in _by_name(_of_split(scheme(split), split.sides.outer_right) for split in splits).items()
    }


def _of_split(certainty: Floats, right: np.ndarray) -> dict[str, float]:
    curve = risk_coverage(certainty, right)
    is_share = certainty.min() >= -ROUNDING and certainty.max() <= 1 + ROUNDING
    return {
        "auroc": auroc(certainty, right),
        "aurc": curve.aurc,
        "coverage": float(curve.coverage[curve.error <= TARGET_ERROR].max(initial=0.0)),
        "brier": float(np.mean((certainty - right) ** 2)) if is_share else math.nan,
        "excess": float(np.mean(certainty - right)) if is_share else math.nan,
    }


def _by_name(rows: Iterable[dict[str, float]]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return found


def path(by_set: Mapping[str, Sequence[Split]]) -> list[str]:
    """The sides in the order in which they are left out, each the one without which the mean AUROC is largest."""
    names, left_out = list(METHODS), []
    while len(names) > 1:
        means = {
            name: np.mean([_auroc([other for other in names if other != name], splits) for splits in by_set.values()])
            for name in names
        }
        left_out.append(max(names, key=lambda name: means[name]))
        names.remove(left_out[-1])
    return left_out


def along(left_out: Sequence[str]) -> dict[str, Scheme]:
    """The sides that are left after each step of a `path`, by the side that was left out last."""
    found: dict[str, Scheme] = {}
    names = list(METHODS)
    for name in left_out:
        names = [other for other in names if other != name]
        found[name] = partial(Split.combined, names=names)
    return found


def _auroc(names: Sequence[str], splits: Sequence[Split]) -> float:
    return float(np.mean([auroc(split.combined(names), split.sides.outer_right) for split in splits]))


def counted(splits: Iterable[Split]) -> list[Split]:
    """The splits that count; none where they are too few for the data set to count."""
    right_wrong = ((split, split.sides.outer_right) for split in splits)
    found = [split for split, right in right_wrong if min(right.sum(), (~right).sum()) >= FEWEST_ANSWERS]
    return found if len(found) >= FEWEST_SPLITS else []
