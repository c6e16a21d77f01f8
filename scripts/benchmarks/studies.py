"""Experiments, their store, and the tables of the papers."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks._measuring import ARFF, Row, side_by_side, timed, uci

import wekaconf as wc
from wekaconf.bridge._instances import to_java
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.replication.katz2012 import measurement as katz2012
from wekaconf.replication.papers import study_of
from wekaconf.replication.wang2006 import measurement as wang2006

TWENTY = (
    "anneal", "audiology", "autos", "balance-scale", "colic", "credit-a", "credit-g", "cylinder-bands", "diabetes",
    "heart-statlog", "hypothyroid", "ionosphere", "kr-vs-kp", "primary-tumor", "segment", "sonar", "soybean", "splice",
    "vehicle", "vowel",
)  # fmt: skip


def experiments() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        sets = [str(Path(os.environ["WEKACONF_UCI"]) / f"{name}.arff") for name in TWENTY]
        methods = ["leaf_frequency", "confdtree", "ling_yan", "m_branch", "curtailment", "boundary_distance"]
        methods += ["shrinkage", "wpe:numeric=bins", "shrinkage_wpe:numeric=bins"]
        study = folder / "study.toml"
        study.write_text(f'data = {sets}\nmethods = {methods}\nlearners = ["J48", "C44"]\nruns = 10\n')
        claim = f"a study of {len(sets)} sets, 2 learners, {len(methods)} methods, 10 × 10 folds, two jobs against one"
        one, two = (timed("study", "run", study, "--store", folder / f"{n}", "-j", n) for n in (1, 2))
        alone = timed("study", "run", study, "--store", folder / "alone", n_threads=1)
        yield Row(f"{claim} of one thread (`NUMBA_NUM_THREADS=1`)", two, alone, wanted=1.7)
        yield Row(f"{claim}, which grows each tree while it asks the one before", two, one, wanted=1)
        yield from bytes_per_answer(folder / "1")
        study.write_text(
            f'data = ["{ARFF / "iris.arff"}"]\n'
            'methods = ["leaf_frequency", "curtailment", "m_branch", "ling_yan", "shrinkage"]\n'
            + "".join(f"[[protocol]]\nruns = 100\nseed = {1000 * i}\n" for i in range(20))
        )
        timed("study", "run", study, "--store", folder / "many", "-j", 2)
        seconds = statistics.median(timed("study", "run", study, "--store", folder / "many") for _ in range(5))
        claim = "a finished study of 100,000 rows run again, the whole process, against 2 s"
        yield Row(claim, seconds, 2.0, wanted=1, is_cost=True)


def papers() -> Iterator[Row]:
    """The methods of a paper on its data sets, against Weka's own evaluation of the plain tree alone."""
    wc.about()
    from weka.classifiers import Classifier, Evaluation
    from weka.core.classes import Random
    from weka.core.dataset import Instances

    j48 = Classifier("weka.classifiers.trees.J48")

    def against_j48(
        sets: list[wc.Dataset], methods: list[str], metrics: Sequence[str], runs: int
    ) -> tuple[float, float]:
        """Seconds of both, in turn for each set, so that what else the machine does takes from both alike."""

        def ours(data: wc.Dataset) -> None:
            wc.evaluate(data, methods, learner="J48", runs=runs, metrics=metrics)

        def other(data: Instances) -> None:
            for seed in range(1, runs + 1):
                Evaluation(data).crossvalidate_model(j48, data, 10, Random(seed))

        pairs = [(partial(ours, data), partial(other, Instances(to_java(data)))) for data in sets]
        for _, of_weka in pairs:
            of_weka()
        for of_us, _ in pairs:
            of_us()
        took = np.array([side_by_side(*pair, repeats=3) for pair in pairs])
        return float(took[:, 0].sum()), float(took[:, 1].sum())

    of_katz = sorted(map(uci, study_of("katz2012").data_sets), key=len)[:12]
    variants = ["leaf_frequency", *(f"confdtree:variant={variant}" for variant in ("norm", "tdist", "comb"))]
    claim = (
        "Katz et al., Table I: the 12 smallest sets, all variants, 10 folds, the table's metrics, against J48 alone in "
        "Weka's `Evaluation`, without areas"
    )
    yield Row(claim, *against_j48(of_katz, variants, katz2012.METRICS, 1), wanted=1.5, is_cost=True)
    of_wang = [fit_preprocessing(data, "wang2006").apply(data) for data in map(uci, study_of("wang2006").data_sets)]
    columns = ["leaf_frequency", "shrinkage", "wpe", "shrinkage_wpe", "m_branch"]
    claim = (
        "Wang and Zhang, Table 3: 35 sets, 5 × 10 folds, five columns, the table's metric, against J48 alone in Weka's "
        "`Evaluation`, without areas"
    )
    yield Row(claim, *against_j48(of_wang, columns, [wang2006.METRIC], 5), wanted=2, is_cost=True)


def bytes_per_answer(path: Path) -> Iterator[Row]:
    """The size of the rows of a store, keys included, per answered instance and method; by number of classes."""
    n_answers: Counter[int] = Counter()
    with wc.Store(path) as store:
        for _, answers in store.results():
            n_answers[len(answers.class_names)] += len(answers.actual)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT n_classes, sum(length(answers) + 16) FROM piece "
            "JOIN evaluation ON evaluation.id = piece.evaluation GROUP BY n_classes"
        ).fetchall()
    sizes = [(k, n_answers[k], size) for k, size in rows]
    two = next(size / n for k, n, size in sizes if k == 2)
    claim = "the store, lossless, bytes per answered instance and method"
    yield Row(f"{claim}, two classes, against 40", two, 40, wanted=1, is_cost=True, unit="bytes")
    most = max(((size / n, 8 * (3 * k + 2)) for k, n, size in sizes if k > 2), key=lambda pair: pair[0] / pair[1])
    yield Row(f"{claim}, more classes, against the raw numbers, worst", *most, wanted=0.5, is_cost=True, unit="bytes")
