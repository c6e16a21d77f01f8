"""Predictions, in the columns that Weka writes and our own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wekaconf.answer import is_affected, is_rejected
from wekaconf.data.dataset import Dataset, FloatArray
from wekaconf.data.header import Attribute, Header
from wekaconf.postprocessor import PostProcessor

INDEX = "index"
"""The column that counts the instances."""


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
        AddClassification), certainty, affected, rejected if there is a threshold, and reason, see `Answer.reasons`.
        The error is missing where the actual class is missing.
    """
    classes = data.class_names
    answer = method.answer(data)
    proba, predicted, certainty = answer.proba, answer.predicted, answer.certainty
    affected = is_affected(proba, method.tree_.predict_proba(data))
    known = np.where(actual < 0, np.nan, actual)
    error = np.where(actual < 0, np.nan, predicted != actual)
    flag = ("no", "yes")
    attributes = [
        Attribute(INDEX),
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
        attributes.append(Attribute("rejected", "nominal", flag))
        columns.append(is_rejected(certainty, threshold).astype(float))
    reasons = list(answer.reasons)
    place = {text: i for i, text in enumerate(dict.fromkeys(reasons))}
    attributes.append(Attribute("reason", "string", tuple(place)))
    columns.append(np.array([place[text] for text in reasons], dtype=np.float64))
    return Dataset(Header(f"{data.relation}-predictions", tuple(attributes)), np.column_stack(columns))
