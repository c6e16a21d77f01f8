"""Evaluates methods on data files, one after another or several at a time, for `evaluate`, `reject` and `compare`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import click

from wekaconf.base.errors import WekaconfError
from wekaconf.bridge.reading import parts_like
from wekaconf.cli.command import in_command_words
from wekaconf.cli.common import aim_of, cost_matrix_of, data_path, load_data, name_of, progress_bar, reading_of
from wekaconf.cli.console import say
from wekaconf.cli.interruption import resumable
from wekaconf.cli.values import names_in
from wekaconf.data.matching import Unseen
from wekaconf.data.table_files.base import Reading, Texts
from wekaconf.data.tables import joined
from wekaconf.evaluation.aim import check_aim
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.experiments.runner.plan import Plan
from wekaconf.experiments.runner.planning import plan_of
from wekaconf.experiments.runner.run import EvaluationRequest, evaluate_each
from wekaconf.experiments.session import evaluate
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool
from wekaconf.experiments.workers.progress import Underway
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.scheme import scheme_of
from wekaconf.report.evaluation import Evaluation, Result


class EvaluatedFiles(NamedTuple):
    """The results of all data files, and the files that failed."""

    evaluation: Evaluation
    failed: list[str]
    """Files that could not be evaluated."""
    ids: dict[str, Texts]
    """Per data set, the column that names the test instances; empty if there is none."""


@dataclass(frozen=True)
class _EvaluationOptions:
    """The options with which each data set is evaluated."""

    methods: Mapping[str, PostProcessor]
    test: str | None
    known: str | None
    unseen: Unseen
    strict: bool
    learner: str | None
    options: str
    class_attribute: str
    reading: Reading
    protocol: Mapping[str, Any]

    def arguments(self, path: str, name: str, ids: dict[str, Texts]) -> dict[str, Any]:
        """The arguments of `evaluate` for a file, with its data; enters the column of identifiers in ``ids``."""
        training = questions = load_data(path, self.reading, self.class_attribute, test=self.test)
        test = None
        if self.test is not None:
            parts = parts_like(
                data_path(self.test), training.data.header, self.reading, unseen=self.unseen, strict=self.strict
            )
            questions = joined(parts)
            test = questions.data.renamed(name_of(self.test))
        ids[name] = questions.kept
        known = None if self.known is None else names_in(self.known)
        return {
            "data": training.data,
            "methods": list(self.methods.values()),
            "protocol": Protocol(test=test, known=known, **self.protocol),
            "learner": self.learner,
            "options": self.options,
            "name": name,
        }

    def labelled(self, results: Iterable[Result]) -> Evaluation:
        """The results, in the order of the methods, labelled with the methods as the user typed them."""
        pairs = zip(self.methods, results, strict=True)
        return Evaluation(tuple(Result(record | {"label": text}, answers) for text, (record, answers) in pairs))


def evaluate_all(data: tuple[str, ...], methods: Mapping[str, PostProcessor], *, jobs: int, resume: str | None,
                 **values: Any) -> EvaluatedFiles:  # fmt: skip
    """Evaluate the methods on every data file; ``values`` are the other options of the command, by their names."""
    names = list(map(name_of, data))
    paths = {path if names.count(name) > 1 else name: path for path, name in zip(data, names, strict=True)}
    aim, reading = aim_of(values), reading_of(values)
    if aim is not None:
        for method in methods.values():
            check_aim(aim, method.name, method.certainty_range)
    if values["learner"] is not None:
        scheme_of(values["learner"], values["options"])
    values["cost_matrix"] = cost_matrix_of(values["cost_matrix"])
    fields = {name: values.pop(name) for name in _EvaluationOptions.__dataclass_fields__ if name in values}
    options = _EvaluationOptions(methods=methods, reading=reading, protocol={"aim": aim, **values}, **fields)
    evaluations, failed, ids = dict[str, Evaluation](), list[str](), dict[str, Texts]()
    outcomes = _evaluate_in_turn if jobs == 1 else partial(_evaluate_in_parallel, jobs)
    with resumable(resume), progress_bar(next(iter(paths)) if len(paths) == 1 else "") as progress:

        def report(underway: Underway) -> None:
            progress.tell(str(underway) if len(paths) > 1 else "", underway.share)

        for name, outcome in outcomes(paths, options, resume, ids, report):
            if isinstance(outcome, Evaluation):
                evaluations[name] = outcome
            elif isinstance(outcome, WekaconfError) and len(paths) > 1:
                failed.append(name)
                _say_left_out(paths[name], outcome)
            else:
                raise outcome
    results = (result for name in paths for result in evaluations.get(name, ()))
    return EvaluatedFiles(Evaluation(tuple(results)), [path for name, path in paths.items() if name in failed], ids)


def _say_left_out(path: str, error: WekaconfError) -> None:
    text = in_command_words(error)
    click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)


def _evaluate_in_turn(
    paths: Mapping[str, str], options: _EvaluationOptions, resume: str | None, ids: dict[str, Texts],
    report: Callable[[Underway], None],
) -> Iterator[tuple[str, Evaluation | Exception]]:  # fmt: skip
    """The evaluation of each data set, or its error, computed in this process."""
    sizes = {name: _file_size(path) for name, path in paths.items()}
    before, total = 0.0, sum(sizes.values())
    for i, (name, path) in enumerate(paths.items()):
        began = time.perf_counter()

        def follow(n_done: int, n_answers: int, i: int = i, name: str = name, before: float = before) -> None:
            size_done = before + sizes[name] * n_done / max(n_answers, 1)
            report(Underway(i, len(paths), size_done / total, (name,)))

        follow(0, 1)
        try:
            evaluation = evaluate(**options.arguments(path, name, ids), resume=resume, on_progress=follow)
        except WekaconfError as error:
            yield name, error
        else:
            say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
            yield name, options.labelled(evaluation)
        before += sizes[name]


def _evaluate_in_parallel(
    jobs: int, paths: Mapping[str, str], options: _EvaluationOptions, resume: str | None, ids: dict[str, Texts],
    report: Callable[[Underway], None],
) -> Iterator[tuple[str, Evaluation | Exception]]:  # fmt: skip
    """The evaluation of each data set, or its error, computed in several processes."""

    def plan(name: str) -> Plan:
        return plan_of(**options.arguments(paths[name], name, ids))

    requests = [EvaluationRequest(name, name, _file_size(path), partial(plan, name)) for name, path in paths.items()]
    with nullcontext() if resume is None else Store(resume) as store:
        for outcome in evaluate_each(requests, Pool(jobs), store=store, on_progress=report):
            errors = [error for error in (outcome.error, *outcome.errors.values()) if error is not None]
            name = str(outcome.key)
            yield name, errors[0] if errors else options.labelled(outcome.results.values())


def _file_size(path: str) -> float:
    """Size in bytes, plus 1; 1 for sources that are not files."""
    return float(os.path.getsize(path)) + 1 if os.path.isfile(path) else 1.0
