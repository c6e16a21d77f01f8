"""Titles of tables: the learner, the protocol, and other facts that the records have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wekaconf.base.naming import shown
from wekaconf.base.plugins import USUAL_VERSIONS
from wekaconf.learners import learner_named
from wekaconf.model.fitted import Model

Record = Mapping[str, Any]


def title_of(records: Sequence[Record], *, part: str = "", names_aim: bool = False) -> str:
    """The title of a table of records, which all have the same protocol.

    Parameters
    ----------
    records : sequence of mappings
        At least one record, as in a `wekaconf.Evaluation`.
    part : {"pooled", "fold_mean", ""}
        The part of the records that the table shows.
    names_aim : bool
        Whether the title says what the thresholds are to reach, where all records have the same aim.
    """
    record = records[0]
    parts = []
    if any(other["sees_class"] for other in records):
        parts.append("TABLE READING: uses the class of the test instances")
    elif any(other["reading"] == "table" for other in records):
        parts.append("TABLE READING")
    learners = list(dict.fromkeys(map(_learner_of, records)))
    parts += learners if len(learners) == 1 else ["each method on its own learner"]
    parts += [protocol_of(record), *_conditions_of(record)]
    packages = {
        name: version for other in records for name, version in other["versions"].items() if name not in USUAL_VERSIONS
    }
    parts += [f"with {', '.join(f'{name} {version}' for name, version in packages.items())}"] if packages else []
    if any(other["reading"] == "text" for other in records):
        parts.append("reading text")
    if names_aim and len({(other["aim"], other["threshold_from"]) for other in records}) == 1:
        parts += _threshold_of(record)
    return "; ".join([*parts, *{"pooled": ["pooled answers"], "fold_mean": ["mean over folds"]}.get(part, [])])


def model_title(model: Model, shown: Callable[[str], str] = shown) -> str:
    """What a model answers, and by what: ``Iris: J48 with WPE``.

    It begins with the name of the class where that says something, else with that of the relation.
    """
    name, relation = model.header.class_attribute.name, model.header.relation
    subject = relation if name.lower() == "class" and relation else name
    return f"{shown(subject[:1].upper() + subject[1:])}: {model.method.tree_.learner} with {model.method.display_name}"


def way_of(record: Record) -> str:
    """The protocol of a record in full, without the learner."""
    return "; ".join([protocol_of(record), *_conditions_of(record), *_threshold_of(record)])


def training_of(record: Record) -> str:
    """Learner and options of a record, with what else its answers depend on but for the splits and the method."""
    return "; ".join([with_options(record), *_conditions_of(record), *_threshold_of(record)])


def _conditions_of(record: Record) -> list[str]:
    parts = []
    if record["leave_out"] is not None:
        parts.append(f"open set, {record['leave_out']} of the classes left out")
    elif record["known"] is not None:
        parts.append(f"open set, known: {', '.join(record['known'][0])}")
    if (preprocess := record["preprocess"]) is not None:
        article = "the " if preprocess["fitted_on"] == "whole set" else ""
        parts.append(f"preprocessing {preprocess['name']}, fitted on {article}{preprocess['fitted_on']}")
    if record["filters"]:
        parts.append(f"{', '.join(record['filters'])}, fitted on each training set")
    if record["cost_matrix"] is not None:
        parts.append(f"instances weighted by the cost matrix {record['cost_matrix']}")
    return parts


def _threshold_of(record: Record) -> list[str]:
    if record["aim"] is None:
        return []
    chosen_on = {
        None: "",
        "training": ", chosen on training rows",
        "out-of-fold": ", chosen out of fold",
        "calibration": ", calibrated on rows held out",
    }
    return [f"threshold: {record['aim']}{chosen_on[record['threshold_from']]}"]


def _learner_of(record: Record) -> str:
    """Name and options of a record's learner, with the version of the program that grew its trees."""
    learner = with_options(record)
    known = learner_named(record["learner"])
    if known is None or not known.grown_by:
        return learner
    return f"{learner} of {known.grown_by.capitalize()} {record['versions'][known.grown_by]}"


def with_options(record: Record) -> str:
    """Name and options of a record's learner."""
    return f"{record['learner']} {record['options']}".strip()


def protocol_of(record: Record) -> str:
    """The protocol of a record in short, with its seed and runs."""
    parts = [record["protocol"]]
    parts += [f"seed {record['seed']}"] if record["seed"] is not None else []
    parts += [f"{record['runs']} runs"] if record["runs"] > 1 else []
    return ", ".join(parts)
