"""The sentences and tables of docs/maintaining/combined-design.md, from the rows of `records.read`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from _tables import table
from combining.records import FIGURES, Row
from combining.schemes import FORM, L2, LAPLACE, METHODS, SIDES, chosen
from numpy.typing import NDArray

from wekaconf.evaluation.statistics import signed_rank

LEAF, SMOOTHED = METHODS[0], METHODS[LAPLACE]
EVERY = f"{FORM}, L2 {L2:g}"
SHOWN = {
    "leaf": ("single", LEAF),
    "Laplace": ("single", SMOOTHED),
    "Laplace, sigmoid": ("rival", "sigmoid"),
    "Laplace, isotonic": ("rival", "isotonic"),
    f"`{SIDES[0]}`": ("single", SIDES[0]),
    **{name: ("chosen", name) for name in chosen()},
    "all": ("form", EVERY),
    "all, three repetitions": ("form", "three repetitions"),
    "random forest": ("rival", "random forest"),
}
"""The rows of `compared`: their words, and kind and name of the scheme."""
SIZES = (0, 300, 1000, 10**9)
Column = NDArray[np.float64]


def sets(found: Sequence[Row]) -> str:
    """The data sets that count."""
    facts = {row["data_set"]: row for row in found if row["learner"] == "J48"}
    names = sorted(facts)
    error = np.mean([float(row["error"]) for row in facts.values()])
    return (
        f"{len(names)} sets count: {', '.join(names[:-1])} and {names[-1]}. The tree errs in {100 * error:.1f} % of "
        "their test rows, in the mean."
    )


def singles(found: Sequence[Row]) -> str:
    """Every method alone."""
    leaf = _figure(found, "single", LEAF, "auroc")
    values = {name: _figure(found, "single", name, "auroc") for name in _names(found, "single")}
    body = [
        [f"`{name}`", f"{one.mean():.4f}", _way(found, one), "" if name == LEAF else _against(one, leaf)]
        for name, one in sorted(values.items(), key=lambda item: -item[1].mean())
    ]
    return table(["method", "AUROC", "way %", "better, worse, p against the leaf"], body)


def forms(found: Sequence[Row]) -> str:
    """All methods together, in every form."""
    every = _figure(found, "form", EVERY, "auroc")
    body = []
    for name in _names(found, "form"):
        auroc, aurc, brier = (_figure(found, "form", name, figure) for figure in ("auroc", "aurc", "brier"))
        means = [f"{auroc.mean():.4f}", _way(found, auroc), f"{aurc.mean():.4f}", f"{brier.mean():.4f}"]
        body.append([name, *means, "" if name == EVERY else _against(auroc, every)])
    return table(["form", "AUROC", "way %", "AURC", "Brier", f"better, worse, p against {EVERY}"], body)


def path(found: Sequence[Row]) -> str:
    """The sides left out one by one."""
    every = _figure(found, "form", EVERY, "auroc")
    body = []
    for number, name in enumerate(_names(found, "path"), 1):
        values = _figure(found, "path", name, "auroc")
        means = [f"{values.mean():.4f}", f"{values.mean() - every.mean():+.4f}"]
        body.append([len(METHODS) - number, f"`{name}`", *means, _against(values, every)])
    return table(["sides", "left out last", "AUROC", "less that of all", "better, worse, p against all"], body)


def compared(found: Sequence[Row]) -> str:
    """What was chosen, beside what it competes with."""
    body: list[list[object]] = []
    for words, (kind, name) in SHOWN.items():
        values = {figure: _figure(found, kind, name, figure) for figure in FIGURES}
        numbers = [f"{values[figure].mean():.4f}" for figure in ("aurc", "coverage", "brier")]
        body.append(
            [
                words,
                f"{values['auroc'].mean():.4f}",
                _way(found, values["auroc"]),
                *numbers,
                f"{values['excess'].mean():+.4f}",
            ]
        )
    return table(["certainty", "AUROC", "way %", "AURC", "coverage at 5 %", "Brier", "certainty − right"], body)


def kinds(found: Sequence[Row]) -> str:
    """Where what was chosen helps, by the number of rows and by the error of the tree."""
    gain = _figure(found, "chosen", "chosen", "auroc") - _figure(found, "single", SMOOTHED, "auroc")
    facts = {row["data_set"]: row for row in found if row["learner"] == "J48"}
    rows = np.array([int(row["n_instances"]) for row in facts.values()])
    error = np.array([float(row["error"]) for row in facts.values()])
    parts = {f"{low} to {high - 1} rows" if high < 10**9 else f"{low} rows and more": (low <= rows) & (rows < high)
             for low, high in pairwise(SIZES)}  # fmt: skip
    parts |= {
        "error below 10 %": error < 0.1,
        "10 to 25 %": (error >= 0.1) & (error < 0.25),
        "25 % and more": error >= 0.25,
    }
    body = [
        [words, int(part.sum()), f"{gain[part].mean():+.3f}", f"{(gain[part] > 0).sum()}, {(gain[part] < 0).sum()}"]
        for words, part in parts.items()
        if part.any()
    ]
    return table(["sets", "number", "AUROC above Laplace", "better, worse"], body)


def learners(found: Sequence[Row]) -> str:
    """What was chosen on J48's trees, on those of other learners."""
    body = []
    for learner in dict.fromkeys(row["learner"] for row in found):
        shown = (("single", LEAF), ("single", SMOOTHED), ("single", SIDES[0]), ("chosen", "chosen"))
        leaf, laplace, side, chosen_sides = (_figure(found, *which, "auroc", learner) for which in shown)
        forest = _figure(found, "rival", "random forest", "auroc", learner)
        means = [f"{values.mean():.4f}" for values in (leaf, laplace, side, chosen_sides, forest)]
        way = f"{100 * (chosen_sides - leaf).mean() / (forest - leaf).mean():.0f}"
        body.append([learner, len(leaf), *means, way, _against(chosen_sides, laplace)])
    names = ["leaf", "Laplace", f"`{SIDES[0]}`", "chosen", "random forest"]
    return table(["learner", "sets", *names, "way %", "better, worse, p against Laplace"], body)


def _names(found: Sequence[Row], kind: str) -> list[str]:
    """The schemes of a kind, in the order of the records."""
    return list(dict.fromkeys(row["scheme"] for row in found if row["kind"] == kind))


def _figure(found: Sequence[Row], kind: str, scheme: str, figure: str, learner: str = "J48") -> Column:
    """(n_sets,) float64: a figure of a scheme on every data set."""
    which = {"kind": kind, "scheme": scheme, "learner": learner}
    return np.array([float(row[figure] or "nan") for row in found if which.items() <= row.items()])


def _way(found: Sequence[Row], values: Column) -> str:
    """How much of the way from the leaf to the forest the mean AUROC is."""
    leaf, forest = (_figure(found, *which, "auroc").mean() for which in (("single", LEAF), ("rival", "random forest")))
    return f"{100 * (values.mean() - leaf) / (forest - leaf):.0f}"


def _against(values: Column, other: Column) -> str:
    better, worse = (values > other).sum(), (values < other).sum()
    return f"{better}, {worse}, {signed_rank(values, other).p_value:.2g}"
