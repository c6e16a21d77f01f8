"""Files of an evaluation's curves and answers, one file per data set."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.files import atomic_write
from wekaconf.data import Dataset
from wekaconf.data.table_files import Texts
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.report import _out_of_fold as out_of_fold
from wekaconf.report import _reject_tables as reject_tables
from wekaconf.report._java_numbers import java_of
from wekaconf.report._titles import with_options
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.report.pictures._answer_curves import (
    calibration_of,
    class_to_rank,
    class_weights,
    n_instances,
    risk_coverage_of,
    roc_of,
)
from wekaconf.report.pictures._calibration import plot_calibration
from wekaconf.report.pictures._risk_coverage import plot_risk_coverage
from wekaconf.report.pictures._roc import plot_roc

Curve = TypeVar("Curve")


def write_risk_coverage(
    path: str | os.PathLike[str], evaluation: Evaluation, *, per_set: bool | None = None
) -> list[str]:
    """Draw, or write, how the error falls as each method answers less; see `plot_risk_coverage`.

    The curves are over all test instances of known classes, those of several runs together; a circle marks the
    threshold that was chosen.

    Parameters
    ----------
    path : str or PathLike
        A .png, .pdf or .svg file, or a .csv file, see `wekaconf.report._reject_tables.write_curves`. If there are
        several data sets, the name of each is put before the ending: ``curve-iris.png``.
    evaluation : Evaluation
    per_set : bool, optional
        Whether to put the name of the data set there; left out: if there are several.

    Returns
    -------
    list of str
        The files written, one per data set.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`; or ``evaluation`` is empty.
    OSError
        A file cannot be written.
    """

    def write(file: str, results: Sequence[Result]) -> None:
        if file.lower().endswith(".csv"):
            with atomic_write(file, "w") as stream:
                reject_tables.write_curves(_curves(_labels(results), results, risk_coverage_of), stream)
            return
        curves = _curves(_legend_labels(results), results, risk_coverage_of)
        rejects = zip(curves, (record["reject"] for record, _ in results), strict=True)
        marks = {label: reject for label, reject in rejects if "coverage" in reject}
        plot_risk_coverage(file, curves, marks=marks)

    return _write_per_set(path, evaluation, per_set, write)


def draw_calibration(path: str | os.PathLike[str], evaluation: Evaluation, *, per_set: bool | None = None) -> list[str]:
    """Draw how often answers are right, by the probability given to their class; of several runs together.

    See `plot_calibration`; parameters, returned files and errors are those of `write_risk_coverage`.
    """

    def draw(file: str, results: Sequence[Result]) -> None:
        curves, n = _curves(_legend_labels(results), results, calibration_of), n_instances(results[0].answers)
        plot_calibration(file, curves, n_instances=n)

    return _write_per_set(path, evaluation, per_set, draw)


def draw_roc(
    path: str | os.PathLike[str], evaluation: Evaluation, *, per_set: bool | None = None,
    class_name: str | None = None,
) -> list[str]:  # fmt: skip
    """Draw how many instances of a class each method ranks above how many others; those of several runs together.

    See `plot_roc`. Returned files, errors and the parameters not named here are those of `write_risk_coverage`.

    Parameters
    ----------
    path, evaluation, per_set
    class_name : str, optional
        The class that is ranked against the rest; left out: of two classes the rarer, of more the most frequent.

    Raises
    ------
    OptionError
        There is no such class, or the answers are not for instances of that class and of others.
    """

    def draw(file: str, results: Sequence[Result]) -> None:
        answers, names = results[0].answers, results[0].answers.class_names
        chosen = class_to_rank(class_weights(answers), names, class_name, results[0].record["dataset"])
        curves = _curves(_legend_labels(results), results, partial(roc_of, chosen=chosen))
        plot_roc(file, curves, class_name=names[chosen])

    return _write_per_set(path, evaluation, per_set, draw)


def check_roc(data: Dataset, class_name: str | None, where: str, known: Sequence[str] | None = None) -> None:
    """Refuse ROC curves that answers for these instances cannot give; call it before anything is measured.

    Parameters
    ----------
    data : Dataset
        The instances that will be answered, perhaps with others.
    class_name
        See `draw_roc`.
    where : str
        The source of the instances, for messages.
    known : sequence of str, optional
        In an open set, the names of the classes that are known.

    Raises
    ------
    OptionError
        See `draw_roc`.
    """
    labelled = data.take(data.class_values >= 0)
    is_known = np.array([known is None or name in known for name in data.class_names])
    weights = np.bincount(labelled.class_values, labelled.weights, minlength=len(is_known))
    class_to_rank(np.where(is_known, weights, 0.0), data.class_names, class_name, where)


def write_answers(
    path: str | os.PathLike[str],
    evaluation: Evaluation,
    *,
    per_set: bool | None = None,
    ids: Mapping[str, Texts] | None = None,
) -> list[str]:
    """Write every answer, with run and fold.

    As CSV, see `wekaconf.report._out_of_fold.write_answers`; if the name ends with .txt in the layout of Weka's ``-p``,
    where several methods follow one another, each below a line with its name. Returned files, errors and the parameters
    not named here are those of `write_risk_coverage`.

    Parameters
    ----------
    path, evaluation, per_set
    ids : mapping, optional
        By the name of a data set, columns that name its instances, for the CSV file.
    """

    def write(name: str, results: Sequence[Result]) -> None:
        with atomic_write(name, "w") as file:
            if not name.lower().endswith(".txt"):
                answers_of = {record["label"]: answers for record, answers in results}
                set_ids = (ids or {}).get(results[0].record["dataset"], {})
                out_of_fold.write_answers(answers_of, file, ids=set_ids)
                return
            for record, answers in results:
                heading = f"=== {record['label']} ===\n\n" if len(results) > 1 else ""
                file.write(heading + out_of_fold.weka_predictions(answers, java=java_of(record)))

    return _write_per_set(path, evaluation, per_set, write)


def _write_per_set(
    path: str | os.PathLike[str],
    evaluation: Evaluation,
    per_set: bool | None,
    make: Callable[[str, Sequence[Result]], None],
) -> list[str]:
    """Make one file per data set, from its results."""
    by_set: dict[str, list[Result]] = {}
    for result in evaluation:
        by_set.setdefault(result.record["dataset"], []).append(result)
    is_named = len(by_set) > 1 if per_set is None else per_set
    if not by_set and not is_named:
        raise OptionError(f"{os.fspath(path)}: nothing was measured, so there is no curve", value_of="path")
    paths = list(_file_names(os.fspath(path), list(by_set))) if is_named else [os.fspath(path)]
    for file, results in zip(paths, by_set.values(), strict=True):
        make(file, results)
    return paths


def _file_names(path: str, datasets: Sequence[str]) -> Iterator[str]:
    """A file name per data set, such as ``curve-iris.png`` for ``curve.png``; equal names are numbered."""
    stem, ending = os.path.splitext(path)
    names = [re.sub(r"[^\w.+-]+", "_", name).strip("_") or "data" for name in datasets]
    for i, name in enumerate(names):
        number = f"-{names[: i + 1].count(name)}" if names.count(name) > 1 else ""
        yield f"{stem}-{name}{number}{ending}"


def _labels(results: Sequence[Result]) -> list[str]:
    return [record["label"] for record, _ in results]


def _legend_labels(results: Sequence[Result]) -> list[str]:
    """The name of each method in the legend, with its learner if the learners differ."""
    learners = [with_options(record) for record, _ in results]
    if len(set(learners)) == 1:
        return _labels(results)
    return [f"{label} on {learner}" for label, learner in zip(_labels(results), learners, strict=True)]


def _curves(labels: Sequence[str], results: Sequence[Result], curve_of: Callable[[Answers], Curve]) -> dict[str, Curve]:
    return {label: curve_of(answers) for label, (_, answers) in zip(labels, results, strict=True)}
