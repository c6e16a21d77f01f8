"""Data sets measured one after another, or several at a time, for `evaluate`, `reject` and `compare`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import click

from wekaconf.base.errors import OptionError, WekaconfError
from wekaconf.bridge.reading import parts_like
from wekaconf.cli.command import in_options, with_our_advice
from wekaconf.cli.common import aim_of, cost_matrix_of, load_data, located, name_of, progress_bar, reading_of
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
from wekaconf.experiments.runner.run import Source, evaluate_each
from wekaconf.experiments.session import evaluate
from wekaconf.experiments.store import Store
from wekaconf.experiments.workers.pool import Pool
from wekaconf.experiments.workers.progress import Underway
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model.scheme import scheme_of
from wekaconf.report.evaluation import Evaluation, Result


class Measured(NamedTuple):
    """What became of the data sets."""

    evaluation: Evaluation
    failed: list[str]
    """Files that could not be evaluated."""
    ids: dict[str, Texts]
    """Per data set, the column that names the instances that were answered; empty if there is none."""


@dataclass(frozen=True)
class _Question:
    """How each data set is measured."""

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

    def read(self, path: str, name: str, ids: dict[str, Texts]) -> dict[str, Any]:
        """The data in a file and what is asked about it: the arguments of `evaluate`."""
        read = asked = load_data(path, self.reading, self.class_attribute, test=self.test)
        further = None
        if self.test is not None:
            parts = parts_like(
                located(self.test), read.data.header, self.reading, unseen=self.unseen, strict=self.strict
            )
            asked = joined(parts)
            further = asked.data.renamed(name_of(self.test))
        ids[name] = asked.kept
        known = None if self.known is None else names_in(self.known)
        return {
            "data": read.data,
            "methods": list(self.methods.values()),
            "protocol": Protocol(test=further, known=known, **self.protocol),
            "learner": self.learner,
            "options": self.options,
            "name": name,
        }

    def labelled(self, results: Iterable[Result]) -> Evaluation:
        """The results, in the order of the methods, under the methods' names as they were typed."""
        pairs = zip(self.methods, results, strict=True)
        return Evaluation(tuple(Result(record | {"label": text}, answers) for text, (record, answers) in pairs))


def evaluate_all(data: tuple[str, ...], methods: Mapping[str, PostProcessor], *, jobs: int, resume: str | None,
                 **given: Any) -> Measured:  # fmt: skip
    """Measure the methods on every data set."""
    names = list(map(name_of, data))
    paths = {path if names.count(name) > 1 else name: path for path, name in zip(data, names, strict=True)}
    aim, reading = aim_of(given), reading_of(given)
    if aim is not None:
        for method in methods.values():
            check_aim(aim, method.name, method.certainty_range)
    if given["learner"] is not None:
        scheme_of(given["learner"], given["options"])
    given["cost_matrix"] = cost_matrix_of(given["cost_matrix"])
    own = {name: given.pop(name) for name in _Question.__dataclass_fields__ if name in given}
    question = _Question(methods=methods, reading=reading, protocol={"aim": aim, **given}, **own)
    found, failed, ids = dict[str, Evaluation](), list[str](), dict[str, Texts]()
    measured = _one_by_one if jobs == 1 else partial(_in_parallel, jobs)
    with resumable(resume), progress_bar(next(iter(paths)) if len(paths) == 1 else "") as progress:

        def tell(underway: Underway) -> None:
            progress.tell(str(underway) if len(paths) > 1 else "", underway.share)

        for name, outcome in measured(paths, question, resume, ids, tell):
            if isinstance(outcome, Evaluation):
                found[name] = outcome
            elif isinstance(outcome, WekaconfError) and len(paths) > 1:
                failed.append(name)
                _say_left_out(paths[name], outcome)
            else:
                raise outcome
    results = (result for name in paths for result in found.get(name, ()))
    return Measured(Evaluation(tuple(results)), [path for name, path in paths.items() if name in failed], ids)


def _say_left_out(path: str, error: WekaconfError) -> None:
    text = in_options(str(error)) if isinstance(error, OptionError) else with_our_advice(str(error))
    click.echo(f"left out: {text if text.startswith(path) else f'{path}: {text}'}", err=True)


def _one_by_one(
    paths: Mapping[str, str], question: _Question, resume: str | None, ids: dict[str, Texts],
    tell: Callable[[Underway], None],
) -> Iterator[tuple[str, Evaluation | Exception]]:  # fmt: skip
    sizes = {name: _size(path) for name, path in paths.items()}
    before, total = 0.0, sum(sizes.values())
    for i, (name, path) in enumerate(paths.items()):
        began = time.perf_counter()

        def follow(done: int, all_of_it: int, i: int = i, name: str = name, before: float = before) -> None:
            share = before + sizes[name] * done / max(all_of_it, 1)
            tell(Underway(i, len(paths), share / total, (name,)))

        follow(0, 1)
        try:
            found = evaluate(**question.read(path, name, ids), resume=resume, on_progress=follow)
        except WekaconfError as error:
            yield name, error
        else:
            say(f"{name}: {time.perf_counter() - began:.1f} s", only_verbose=True)
            yield name, question.labelled(found)
        before += sizes[name]


def _in_parallel(
    jobs: int, paths: Mapping[str, str], question: _Question, resume: str | None, ids: dict[str, Texts],
    tell: Callable[[Underway], None],
) -> Iterator[tuple[str, Evaluation | Exception]]:  # fmt: skip
    def plan(name: str) -> Plan:
        return plan_of(**question.read(paths[name], name, ids))

    sources = [Source(name, name, _size(path), partial(plan, name)) for name, path in paths.items()]
    with nullcontext() if resume is None else Store(resume) as store:
        for done in evaluate_each(sources, Pool(jobs), store=store, on_progress=tell):
            errors = [error for error in (done.error, *done.errors.values()) if error is not None]
            name = str(done.key)
            yield name, errors[0] if errors else question.labelled(done.results.values())


def _size(path: str) -> float:
    """Of a file; what is no file counts as small."""
    return float(os.path.getsize(path)) + 1 if os.path.isfile(path) else 1.0
