"""Predictions, in the columns that Weka writes and our own."""

from __future__ import annotations

import math
import os
from typing import IO

import numpy as np
from numpy.typing import NDArray

from wekaconf.answer import is_affected, is_rejected
from wekaconf.data.arff import save_arff
from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.data.header import Attribute, Header
from wekaconf.files import atomic_write
from wekaconf.postprocessor import PostProcessor
from wekaconf.report.csv_files import write_rows


def predictions(
    method: PostProcessor, data: Dataset, actual: NDArray[np.int64], *, below: float | None = None
) -> Dataset:
    """The answers of a fitted method for instances, as a data set.

    Parameters
    ----------
    method : PostProcessor
    data : Dataset
    actual : (n_instances,) int64
        Class index, −1 when missing or unknown.
    below : float, optional
        The certainty below which an answer is rejected; the method's own threshold when left out.

    Returns
    -------
    Dataset
        Columns: index (from 1), actual, predicted, error, distribution_CLASS for every class (named as by Weka's
        AddClassification), certainty and affected; if there is a threshold, also rejected, and reason, a text that is
        missing where the instance is not rejected. The error is missing where the actual class is missing.
    """
    classes = data.class_names
    answer = method.answer(data)
    proba, predicted, certainty = answer.proba, answer.predicted, answer.certainty
    affected = is_affected(proba, method.tree_.predict_proba(data))
    known = np.where(actual < 0, np.nan, actual)
    error = np.where(actual < 0, np.nan, predicted != actual)
    flag = ("no", "yes")
    attributes = [
        Attribute("index"),
        Attribute("actual", "nominal", classes),
        Attribute("predicted", "nominal", classes),
        Attribute("error", "nominal", flag),
        *(Attribute(f"distribution_{name}") for name in classes),
        Attribute("certainty"),
        Attribute("affected", "nominal", flag),
    ]
    columns: list[FloatArray] = [np.arange(1.0, len(data) + 1), known, predicted.astype(float), error, *proba.T]
    columns += [certainty, affected.astype(float)]
    threshold = method.threshold if below is None else below
    if threshold is not None:
        rejected = is_rejected(certainty, threshold)
        reasons = _reasons(method, data.take(rejected), certainty[rejected], threshold)
        place = {text: i for i, text in enumerate(dict.fromkeys(reasons))}
        reason = np.full(len(data), np.nan)
        reason[rejected] = [place[text] for text in reasons]
        attributes += [Attribute("rejected", "nominal", flag), Attribute("reason", "string", tuple(place))]
        columns += [rejected.astype(float), reason]
    return Dataset(Header(f"{data.relation}-predictions", tuple(attributes)), np.column_stack(columns))


def _reasons(method: PostProcessor, data: Dataset, certainty: FloatArray, threshold: float) -> list[str]:
    """Why each instance is rejected: the events that the method counts as reasons, else the certainty."""
    explanation = method.explain(data) if method.reasons else [()] * len(data)
    reasons = [[str(event) for event in explanation[i] if event.kind in method.reasons] for i in range(len(data))]
    fallbacks = [f"certainty {value:.6g} is below {threshold:.6g}" for value in certainty]
    return ["; ".join(events) or fallback for events, fallback in zip(reasons, fallbacks, strict=True)]


def save_predictions(path: str | os.PathLike[str], table: Dataset) -> None:
    """Write predictions as CSV, or as ARFF if the name ends with .arff or .arff.gz."""
    if os.fspath(path).lower().endswith((".arff", ".arff.gz")):
        save_arff(path, table)
        return
    with atomic_write(path, "w") as file:
        write_predictions(file, table)


def write_predictions(file: IO[str], table: Dataset) -> None:
    """Write predictions as CSV to an open file; a missing value is empty."""
    write_rows(file, [[attribute.name for attribute in table.attributes]])
    write_rows(file, (map(_cell, table.attributes, row) for row in table.values.tolist()))


def _cell(attribute: Attribute, value: float) -> str | float:
    return attribute.values[int(value)] if attribute.is_indexed and not math.isnan(value) else value
