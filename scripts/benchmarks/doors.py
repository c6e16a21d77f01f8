"""The ways in: scikit-learn's estimators, the command line, tables in parts, and Weka."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks._measuring import ARFF, WEKACONF, Row, needed, numeric_dataset, peak, run_quietly, side_by_side, uci

import wekaconf as wc
from wekaconf import bridge
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
from wekaconf.bridge._java import weka_jars
from wekaconf.in_weka.in_weka import install_package


def java_j48() -> list[str]:
    """The command that runs J48 with the bridge's Java and Weka."""
    java = str(Path(jvm.about()["java_home"]) / "bin" / "java")
    return [java, "-cp", os.pathsep.join(weka_jars()), "weka.classifiers.trees.J48"]


def estimators() -> Iterator[Row]:
    from sklearn.tree import DecisionTreeClassifier

    from wekaconf.sklearn import ConfDTreeClassifier, J48Classifier

    data = numeric_dataset(20_000, 50, 2, seed=0, noise=1.0)
    cells, labels = np.ascontiguousarray(data.values[:, :-1]), data.class_values
    instances = to_java(data)
    times = side_by_side(
        lambda: J48Classifier().fit(cells, labels),
        lambda: jvm.call("build", wc.J48()._new_classifier(), instances),
        repeats=5,
    )
    yield Row("`J48Classifier.fit` on 20,000 × 50 numbers, against Weka's `buildClassifier` on ready Instances", *times,
              wanted=1.3, is_cost=True)  # fmt: skip
    fitted = ConfDTreeClassifier().fit(cells[:2_000], labels[:2_000])
    other = DecisionTreeClassifier(random_state=0).fit(cells[:2_000], labels[:2_000])
    fitted.predict_proba(cells)  # loads the kernel
    one, n = cells[:1], 500
    times = side_by_side(
        lambda: [fitted.predict_proba(one) for _ in range(n)], lambda: [other.predict_proba(one) for _ in range(n)]
    )
    yield Row("`ConfDTreeClassifier.predict_proba` of one row, warm, against scikit-learn's `DecisionTreeClassifier`",
              times[0] / n, times[1] / n, wanted=4, is_cost=True)  # fmt: skip


def process() -> Iterator[Row]:
    data = uci("letter")
    order = bridge.shuffle(len(data), 1)
    train, test = data.take(order[100:2100]), data.take(order[:100])
    with tempfile.TemporaryDirectory() as name:
        wc.save_arff(Path(name) / "train.arff", train)
        wc.save_arff(Path(name) / "test.arff", test)
        ours, java = partial(run_quietly, name, WEKACONF, "predict"), partial(run_quietly, name, *java_j48())
        java("-t", "train.arff", "-d", "m.model", "-no-cv")
        ours("-t", "train.arff", "-T", "test.arff", "-o", "o.csv", "-d", "m.wct", "--method", "confdtree")
        times = side_by_side(
            partial(ours, "-l", "m.wct", "-T", "test.arff", "-o", "o.csv"),
            partial(java, "-l", "m.model", "-T", "test.arff"),
            repeats=9,
        )
    yield Row(
        "`wekaconf predict -l MODEL` on 100 rows, whole process, against `java weka.classifiers.trees.J48 -l MODEL -T`",
        *times, wanted=1.5, is_cost=True,
    )  # fmt: skip


def streaming() -> Iterator[Row]:
    """A model asked about a large CSV file, against pandas, which reads it and writes the columns that we write."""
    import pandas as pd

    random, n, n_numbers = np.random.default_rng(0), 1_000_000, 40
    numbers = random.normal(size=(n, n_numbers)).round(4)
    frame = pd.DataFrame(numbers, columns=[f"x{i}" for i in range(n_numbers)])
    for i in range(10):
        frame[f"c{i}"] = np.array(["red", "green", "blue", "cyan", "mauve"])[random.integers(0, 5, n)]
    frame["y"] = np.where((numbers[:, 0] + numbers[:, 1] > 0) ^ (frame["c0"] == "red"), "yes", "no")
    with tempfile.TemporaryDirectory() as name:
        frame.to_csv(Path(name) / "big.csv", index=False)
        frame[:20_000].to_csv(Path(name) / "train.csv", index=False)
        frame[:100_000].to_csv(Path(name) / "tenth.csv", index=False)
        run_quietly(name, WEKACONF, "predict", "-t", "train.csv", "-T", "train.csv", "-o", "o.csv", "-d", "m.wct")
        run_quietly(name, WEKACONF, "predict", "-t", "train.csv", "-d", "bare.wct", "--no-summary")
        ask, ask_bare = ([WEKACONF, "predict", "-l", model, "-o", "o.csv", "-T"] for model in ("m.wct", "bare.wct"))
        tenth, whole = (peak(name, *ask, data) for data in ("tenth.csv", "big.csv"))
        copy = "import pandas as pd; pd.read_csv('big.csv'); pd.read_pickle('o.pkl').to_csv('copy.csv', index=False)"
        pd.read_csv(Path(name) / "o.csv").to_pickle(Path(name) / "o.pkl")
        times = side_by_side(
            lambda: run_quietly(name, *ask, "big.csv"), lambda: run_quietly(name, sys.executable, "-c", copy), repeats=2
        )
        comparing = [[needed(name, *each, "big.csv")[0] for each in (ask, ask_bare)] for _ in range(3)]
        peak_bare = peak(name, *ask_bare, "big.csv")
    yield Row(
        "`wekaconf predict -l MODEL -T` of a CSV file of 1,000,000 × 50, whole process, against pandas reading it and "
        "writing the columns that we write",
        *times, wanted=1.5, is_cost=True,
    )  # fmt: skip
    yield Row("the same: peak memory, against that for 100,000 rows", whole, tenth,
              wanted=1.5, is_cost=True, unit="MB")  # fmt: skip
    yield Row("the same, which compares the rows with a summary of the training rows: processor time, against a "
              "model without a summary", *np.median(comparing, axis=0), wanted=1.1, is_cost=True)  # fmt: skip
    yield Row("the same with the summary: peak memory, against a model without a summary", whole, peak_bare,
              wanted=1.1, is_cost=True, unit="MB")  # fmt: skip


SCORE = """
import sys
import dask.dataframe as dd
import wekaconf as wc
from dask.distributed import Client

if __name__ == "__main__":
    parts, answers, does_answer = *sys.argv[1:3], len(sys.argv) > 3
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        rows = dd.read_parquet(parts)
        model = wc.load("iris.wct")
        meta = model.answer_frame(rows._meta, ["flower"])
        done = rows.map_partitions(model.answer_frame, ["flower"], meta=meta) if does_answer else rows
        done.to_parquet(answers)
"""
"""A folder of Parquet files answered, or only copied, by Dask."""
N_PARTS, PART = 2_000, 5_000


def many_rows() -> Iterator[Row]:
    """The guide on more rows than one machine holds, with 10,000,000 rows."""
    import pandas as pd

    iris, random = wc.load_arff(ARFF / "iris.arff"), np.random.default_rng(1)
    names = [attribute.name for attribute in iris.attributes[:-1]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run_quietly(name, WEKACONF, "predict", "-t", str(ARFF / "iris.arff"), "--method", "m_branch", "-d", "iris.wct")
        (folder / "score.py").write_text(SCORE, encoding="utf-8")
        for rows, n_parts in (("tenth", N_PARTS // 10), ("whole", N_PARTS)):
            (folder / rows).mkdir()
            for part in range(n_parts):
                cells = iris.values[random.integers(0, len(iris), PART), :-1] + random.normal(scale=0.1, size=(PART, 4))
                flowers = pd.DataFrame(cells, columns=names).assign(flower=np.arange(PART) + PART * part)
                flowers.to_parquet(folder / rows / f"{part:04}.parquet")
        score = [sys.executable, "score.py"]
        tenth, whole, copied = (
            needed(name, *score, *words)
            for words in (("tenth", "few", "answer"), ("whole", "answers", "answer"), ("whole", "copies"))
        )
        written = sum(len(pd.read_parquet(path, columns=["flower"])) for path in (folder / "answers").iterdir())
        assert written == N_PARTS * PART
    claim = f"{N_PARTS * PART:,} rows in {N_PARTS:,} Parquet files answered by Dask with two workers: processor time"
    yield Row(f"{claim}, against copying them", whole[0], copied[0], wanted=3, is_cost=True)
    yield Row("the same: peak memory of the largest process, against that for a tenth of the rows", whole[1], tenth[1],
              wanted=1.5, is_cost=True, unit="MB")  # fmt: skip


def in_weka() -> Iterator[Row]:
    """Weka's own evaluation of ConfDTree as a classifier of Weka's, against that of J48."""
    wc.about()
    from weka.classifiers import Classifier, Evaluation
    from weka.core.classes import Random
    from weka.core.dataset import Instances

    def cross_validated(name: str, data: Any, *options: str) -> Callable[[], object]:
        classifier = Classifier(name, options=list(options))
        return lambda: Evaluation(data).crossvalidate_model(classifier, data, 10, Random(1))

    trees, boosting = "weka.classifiers.trees.", "weka.classifiers.meta.AdaBoostM1"
    letter, wine = (Instances(to_java(data)) for data in (uci("letter"), wc.load_arff(ARFF / "wine.arff")))
    ours, other = cross_validated(f"{trees}ConfDTree", letter), cross_validated(f"{trees}J48", letter)
    claim = "10-fold `crossValidateModel` of ConfDTree on letter inside Weka, against that of J48"
    yield Row(claim, *side_by_side(ours, other, repeats=3), wanted=1.5, is_cost=True)
    boosted = [cross_validated(boosting, wine, "-W", trees + name) for name in ("ConfDTree", "J48")]
    times = side_by_side(boosted[0], boosted[1])
    claim = "`AdaBoostM1` (10 iterations) of ConfDTree on wine, 10 folds, which asks row by row, against that of J48"
    yield Row(claim, *times, wanted=30, is_cost=True)
    yield Row("the same, against 5 s", times[0], 5, wanted=1, is_cost=True)
    jvm.call("setHandler", None)
    jvm.call("setPython", sys.executable)
    claim = "10-fold `crossValidateModel` of ConfDTree on letter through the pipe, against that of J48"
    yield Row(claim, *side_by_side(ours, other, repeats=3), wanted=2, is_cost=True)
    with tempfile.TemporaryDirectory() as home:
        install_package(home)
        options = ["--add-opens=java.base/java.lang=ALL-UNNAMED", "-Dweka.packageManager.offline=true"]
        command = [java_j48()[0], *options, "-cp", os.pathsep.join(weka_jars()), "weka.Run", "-no-scan"]
        command += [f"{trees}ConfDTree", "-t", str(ARFF / "iris.arff"), "-v", "-o"]
        run = partial(subprocess.run, command, check=True, capture_output=True, env=os.environ | {"WEKA_HOME": home})
        claim = (
            "first answer of the package in a fresh Weka, `weka.Run ConfDTree -t iris.arff`, whole process, against 4 s"
        )
        yield Row(claim, side_by_side(run, lambda: None, repeats=3)[0], 4, wanted=1, is_cost=True)
