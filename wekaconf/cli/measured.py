"""One data set measured after another, for `evaluate`, `reject` and `compare`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from wekaconf.cli.command import in_options, with_our_advice
from wekaconf.cli.common import aim_of, cost_matrix_of, load_data, located, name_of, progress_bar, reading_of
from wekaconf.cli.console import say
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import names_in
from wekaconf.data.matching import Unseen
from wekaconf.data.table_files.base import Reading, Texts
from wekaconf.data.tables import joined
from wekaconf.errors import OptionError, WekaconfError
from wekaconf.evaluation.aim import check_aim
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.protocol import Protocol
from wekaconf.reading import parts_like
from wekaconf.report.evaluation import Evaluation, Result
from wekaconf.scheme import scheme_of
from wekaconf.session import evaluate


class Measured(NamedTuple):
    """What became of the data sets."""

    evaluation: Evaluation
    failed: list[str]
    """Files that could not be evaluated."""
    ids: dict[str, Texts]
    """Per data set, the column that names the instances that were answered; empty if there is none."""


def evaluate_all(data: tuple[str, ...], methods: Mapping[str, PostProcessor], **protocol: Any) -> Measured:
    """Measure the methods on every data set."""
    names = list(map(name_of, data))
    aim, reading = aim_of(protocol), reading_of(protocol)
    if aim is not None:
        for method in methods.values():
            check_aim(aim, method.name, method.certainty_range)
    if protocol["learner"] is not None:
        scheme_of(protocol["learner"], protocol["options"])
    protocol["cost_matrix"] = cost_matrix_of(protocol["cost_matrix"])
    evaluation, failed, ids = Evaluation(()), list[str](), dict[str, Texts]()
    with resumable(protocol["resume"]):
        for path, short in zip(data, names, strict=True):
            name = short if names.count(short) == 1 else path
            try:
                found, ids[name] = _evaluate_one(path, name, methods, aim=aim, reading=reading, **protocol)
                evaluation += found
            except WekaconfError as error:
                if len(data) == 1:
                    raise
                failed.append(path)
                text = in_options(str(error)) if isinstance(error, OptionError) else with_our_advice(str(error))
                click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)
    return Measured(evaluation, failed, ids)


def _evaluate_one(path: str, name: str, methods: Mapping[str, PostProcessor], *, test: str | None, known: str | None,
                  unseen: Unseen, learner: str | None, options: str, class_attribute: str, resume: str | None,
                  reading: Reading, strict: bool, **protocol: Any) -> tuple[Evaluation, Texts]:  # fmt: skip
    began = time.perf_counter()
    with progress_bar(name) as progress:
        read = asked = load_data(path, reading, class_attribute)
        further = None
        if test is not None:
            asked = joined(parts_like(located(test), read.data.header, reading, unseen=unseen, strict=strict))
            further = asked.data.renamed(name_of(test))
        classes = None if known is None else names_in(known)
        found = evaluate(
            read.data,
            list(methods.values()),
            protocol=Protocol(test=further, known=classes, **protocol),
            learner=learner,
            options=options,
            name=name,
            resume=resume,
            on_progress=progress.follow,
        )
    say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
    labelled = zip(methods, found, strict=True)
    results = (Result(record | {"label": label}, answers) for label, (record, answers) in labelled)
    return Evaluation(tuple(results)), asked.kept
