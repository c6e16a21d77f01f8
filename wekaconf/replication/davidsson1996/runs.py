"""The measurements: outcomes of instances of known and of foreign classes over many random splits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import OptionError
from wekaconf.bridge import versions
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers, CrossValidation
from wekaconf.evaluation.protocol import Protocol
from wekaconf.model.scheme import learner_of, parse_method
from wekaconf.replication._runner import Record
from wekaconf.replication.davidsson1996.coins import HONG_KONG, PER_KIND

PAPER = "davidsson1996"
Reading = Literal["text", "table"]
TREES = {"text": ("J48", "-U -M 1"), "table": ("info_gain", "")}
"""Learner and options that stand for ID3, by reading."""
ID3_MAX = {"text": "id3_max", "table": "id3_max:closed=lower"}
CLOSED = ("both", "lower", "upper", "neither")
"""Which limits are themselves accepted: both by the abstract and section 2, neither by section 4.1."""
LIMITS_PART = "table 1 by limits"
"""The part of the records of ID3-Max by `CLOSED`."""
KINDS = ("correct", "missed", "rejected")
ALPHAS_OF_IRIS, ALPHAS_OF_COINS = (0.2, 0.1, 0.05, 0.01), (0.05, 0.01, 0.001, 0.0001)
SIZES = (3, 4, 5, 6, 8, 10, 12, 15, 20)
"""Training coins of each kind in Figure 2."""
N_IRRELEVANT = (0, 1, 2, 5, 10, 20)
PRINTED_RUNS = 10
"""Number of runs of which the paper prints the means."""
N_TRAIN_OF_IRIS, N_TRAIN_OF_COINS = 25, 20
"""Training instances of each known class; all others are tested."""


class Draw(NamedTuple):
    """A data set and the protocol that splits it."""

    data: Dataset
    protocol: Protocol


Shares = Mapping[str, FloatArray]
"""(n_runs, 3) float64: the percentages of `KINDS` in each run, by group of instances."""


@dataclass(frozen=True)
class Setting:
    """The facts that are the same in all records of a measurement.

    Parameters
    ----------
    part : str
        See `wekaconf.replication._study.PaperStudy`.
    dataset : str
    reading : {"text", "table"}
        The trees and the limits of ID3-Max.
    n_runs, seed : int
        The runs have the seeds ``seed``, ``seed + 1``, …
    leave_out : str
        The names of the foreign classes.
    n_train : int
        Training instances of each known class.
    n_irrelevant : int
        Irrelevant attributes beside those of the data set.
    by_class : bool
        Whether each class is a group, not only the known and the foreign ones.
    """

    part: str
    dataset: str
    reading: Reading
    n_runs: int
    seed: int
    leave_out: str
    n_train: int
    n_irrelevant: int = 0
    by_class: bool = False

    @property
    def seeds(self) -> range:
        """The seed of each run."""
        return range(self.seed, self.seed + self.n_runs)


def systems(reading: Reading, alphas: Iterable[float]) -> dict[str, str]:
    """The methods of a table's lines, written as on the command line, by the names of the lines."""
    with_limits = {f"ID3-SD {alpha:g}": f"id3_sd:alpha={alpha:g}" for alpha in alphas}
    return {"ID3": "leaf_frequency", "ID3-Max": ID3_MAX[reading], **with_limits}


def by_closed_limits() -> dict[str, str]:
    """ID3-Max by which of its limits are accepted; ID3-SD is the same by all, since no value is a computed limit."""
    return {f"ID3-Max, {closed}": f"id3_max:closed={closed}" for closed in CLOSED}


def measure_setting(setting: Setting, draws: Iterable[Draw], methods: Mapping[str, str]) -> list[Record]:
    """One record per method and group of instances.

    Parameters
    ----------
    setting : Setting
    draws : iterable of Draw
        Together they have ``setting.n_runs`` runs.
    methods : mapping of str to str
        Methods by their names in the records.
    """
    learner, options = TREES[setting.reading]
    growers = dict.fromkeys(methods, learner_of(learner, options).grow_without_notes)
    chosen = {name: parse_method(text) for name, text in methods.items()}
    parts: dict[str, list[Shares]] = {name: [] for name in methods}
    for data, protocol in draws:
        prepared = protocol.prepare(data)
        validation = CrossValidation(prepared.data, prepared.runs, growers, chosen, known=prepared.known)
        for name, answers in validation.run().items():
            parts[name].append(_shares(answers, setting.by_class))
    facts = {
        "paper": PAPER, "part": setting.part, "dataset": setting.dataset, "leave_out": setting.leave_out,
        "n_train": setting.n_train, "n_irrelevant": setting.n_irrelevant, "reading": setting.reading,
        "learner": learner, "options": options,
    }  # fmt: skip
    last = {"runs": setting.n_runs, "seed": setting.seed, "versions": versions()}
    return [
        {**facts, "method": name, "as_written": methods[name], "group": group, **figures, **last}
        for name, shares in parts.items()
        for group, figures in _figures(shares)
    ]


def _shares(answers: Answers, by_class: bool) -> Shares:
    groups = {"known": ~answers.is_foreign, "foreign": answers.is_foreign}
    if by_class:
        groups = {name.removeprefix("Iris-"): answers.actual == c for c, name in enumerate(answers.class_names)}
    is_right = answers.is_correct & ~answers.is_foreign
    kinds = (is_right & ~answers.rejected, ~is_right & ~answers.rejected, answers.rejected)
    runs, run = np.unique(answers.run, return_inverse=True)

    def shares_of(group: NDArray[np.bool_]) -> FloatArray:
        n = np.bincount(run[group], minlength=len(runs))
        counts = [np.bincount(run[group & kind], minlength=len(runs)) for kind in kinds]
        return 100 * np.stack(counts, axis=1) / n[:, None]

    return {name: shares_of(group) for name, group in groups.items()}


def _figures(parts: Sequence[Shares]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Means over the runs of each group, and standard deviations, which are None for a single run.

    Also the lowest and the highest mean of `PRINTED_RUNS` runs in a row, and the number of such means, at least one.
    """
    for group in parts[0]:
        runs = np.concatenate([part[group] for part in parts])
        figures: dict[str, Any] = {}
        for name, values in zip(KINDS, runs.T, strict=True):
            whole = values[: len(values) // PRINTED_RUNS * PRINTED_RUNS].reshape(-1, PRINTED_RUNS)
            means = whole.mean(axis=1) if len(whole) else values.mean(keepdims=True)
            figures |= {
                name: float(values.mean()), f"{name}_sd": float(values.std(ddof=1)) if len(values) > 1 else None,
                f"{name}_low": float(means.min()), f"{name}_high": float(means.max()), "repetitions": len(means),
            }  # fmt: skip
        yield group, figures


# ---- draws ----


def splits_of_iris(data: Dataset, setting: Setting) -> list[Draw]:
    """Section 3.1: half of each class, chosen at random, trains; of Iris Versicolor none."""
    return [Draw(data, _iris_protocol(data, setting.seed, setting.n_runs))]


def splits_with_irrelevant(data: Dataset, setting: Setting) -> Iterator[Draw]:
    """Section 4: the splits of iris with irrelevant attributes, uniformly random in [0, 1), drawn for each run."""
    for seed in setting.seeds:
        noise = np.random.default_rng(seed).random((len(data), setting.n_irrelevant))
        attributes = tuple(Attribute(f"irrelevant{i}") for i in range(setting.n_irrelevant))
        header = replace(
            data.header, attributes=attributes + data.attributes, class_index=data.class_index + len(attributes)
        )
        yield Draw(Dataset(header, np.hstack((noise, data.values))), _iris_protocol(data, seed, 1))


def _iris_protocol(data: Dataset, seed: int, n_runs: int) -> Protocol:
    sizes = np.bincount(data.class_values[data.class_values >= 0], minlength=data.n_classes).tolist()
    if sizes != [2 * N_TRAIN_OF_IRIS] * 3:
        raise OptionError(
            f"'{data.relation}': expected iris, with 50 instances of each of 3 classes, got {sizes}; give Fisher's "
            "data",
            value_of="data",
        )
    known = data.class_names[0], data.class_names[2]
    split_sizes = N_TRAIN_OF_IRIS, N_TRAIN_OF_IRIS
    return Protocol(split=split_sizes, stratified=True, known=known, runs=n_runs, seed=seed)


def splits_of_coins(data: Dataset, setting: Setting) -> list[Draw]:
    """Section 3.2: 50 coins of each kind are tested; of the other coins some of Hong Kong train."""
    sizes = setting.n_train, PER_KIND - N_TRAIN_OF_COINS
    protocol = Protocol(split=sizes, stratified=True, known=HONG_KONG, runs=setting.n_runs, seed=setting.seed)
    return [Draw(data, protocol)]
