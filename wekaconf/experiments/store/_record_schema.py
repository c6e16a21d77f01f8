"""The shapes of a store's JSON texts, checked when they are read: a file may be damaged or hostile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from wekaconf.base.errors import StoreError
from wekaconf.base.naming import shown
from wekaconf.evaluation.measures import METRICS

NUMBER, TEXT, NONE = (float, int), (str,), type(None)
"""A shape is a tuple of types; a list of one shape; or a mapping, in which `...` is any other key, and "?key" one that
may be absent, or null."""
NUMBERS = {...: NUMBER}
MEASURED: dict[Any, Any] = {**dict.fromkeys(METRICS, NUMBER), ...: NUMBER}
OUTCOME = {"n": NUMBER, "correct": NUMBER, "missed": NUMBER, "rejected": NUMBER}
CHOSEN = {
    "aim": TEXT, "threshold": NUMBER, "threshold_min": NUMBER, "threshold_max": NUMBER, "n_choices": (int,),
    "n_unreached": (int,), "?reachable": {"error": NUMBER, "coverage": NUMBER}, "?unreached_classes": {...: (int,)},
    ...: NUMBER,
}  # fmt: skip
"""Shape of `choices_summary`."""
FACTS = {"dataset": TEXT, "label": TEXT}
"""Shape of the facts that identify an evaluation."""
RECORD = {
    "dataset": TEXT, "label": TEXT, "class": TEXT, "protocol": TEXT, "learner": TEXT, "options": TEXT, "method": TEXT,
    "n_instances": (int,), "runs": (int,), "folds": (int, NONE), "seed": (int, NONE), "leave_out": (str, NONE),
    "aim": (str, NONE), "threshold_from": (str, NONE), "reading": (str, NONE), "cost_matrix": (str, NONE),
    "sees_class": (bool,), "filters": [TEXT], "notes": [TEXT], "versions": {"wekaconf": TEXT, "weka": TEXT, ...: TEXT},
    "params": {}, "events": {...: (int,)}, "pooled": MEASURED, "fold_mean": MEASURED, "fold_std": MEASURED,
    "?preprocess": {"name": TEXT, "fitted_on": TEXT}, "?known": [[TEXT]],
    "majority": {"class_names": [TEXT], "percent_correct": NUMBER, "fold_mean": NUMBER},
    "outcomes": [{"class_name": TEXT, "is_foreign": (bool,), **OUTCOME}],
    "?predicted": [{"class_name": TEXT, "answered": NUMBER, "wrong": NUMBER, "rejected": NUMBER}],
    "reject": {
        "aurc": NUMBER, "excess_aurc": NUMBER, "auroc_correct": NUMBER, "auroc_known": NUMBER, "error_at": NUMBERS,
        "?outcomes": {...: OUTCOME}, "?chosen": CHOSEN, ...: NUMBER,
    },
}  # fmt: skip
"""Shape of a record, as far as tables and comparisons rely on it."""
DAMAGE = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)
"""Errors that may arise from the content of a damaged store."""


@contextmanager
def report_damage(path: str, what: str) -> Iterator[None]:
    """Turn errors from the content of a store into a StoreError that says that ``what`` is damaged."""
    try:
        yield
    except DAMAGE as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{path}: {what} is damaged ({error}); put back a copy of the store") from error


def check_numbers(*numbers: object) -> None:
    """Raise ValueError unless these are whole numbers of at least 1."""
    if not all(isinstance(number, int) and number >= 1 for number in numbers):
        raise ValueError("expected whole numbers")


def read(text: object, shape: Any) -> Any:
    """The value of a JSON text; ValueError if it does not have this shape."""
    if not isinstance(text, str):
        raise ValueError(f"expected text, got {type(text).__name__}")
    value = json.loads(text)
    check_shape(value, shape)
    return value


def check_shape(value: Any, shape: Any, where: str = "") -> None:
    """Raise ValueError unless the value has this shape; ``where`` is its place, for the message."""
    if isinstance(shape, list):
        _expect(isinstance(value, list), where, "a list")
        for each in value:
            check_shape(each, shape[0], where)
    elif isinstance(shape, Mapping):
        _expect(isinstance(value, Mapping), where, "an object")
        named = {key.removeprefix("?"): key for key in shape if key is not ...}
        for name, key in named.items():
            _expect(name in value or name != key, f"{where}.{name}", "it to be there")
        for name, part in value.items():
            if name not in named and ... in shape:
                check_shape(part, shape[...], f"{where}.{name}")
            elif name in named and not (part is None and named[name] != name):
                check_shape(part, shape[named[name]], f"{where}.{name}")
    else:
        has_type = isinstance(value, shape) and not (isinstance(value, bool) and bool not in shape)
        _expect(has_type, where, " or ".join(kind.__name__ for kind in shape))


def _expect(is_valid: bool, where: str, expected: str) -> None:
    if not is_valid:
        raise ValueError(f"{shown(where.removeprefix('.')) or 'all'}: expected {expected}")
