"""Evaluates methods on data files, one after another or several at a time, for `evaluate` and `compare`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from wekaconf.base.errors import WekaconfError
from wekaconf.bridge.reading import parts_like, readings_of
from wekaconf.cli.command import progress_bar
from wekaconf.cli.console import say, tell
from wekaconf.cli.evaluation_options import MeasuringOptions
from wekaconf.cli.interruption import resumable
from wekaconf.cli.loading import data_path, load_data
from wekaconf.cli.wording import in_command_words
from wekaconf.data import Dataset, Loaded, join_parts, stem
from wekaconf.data.table_files import Reading, Texts
from wekaconf.experiments.runner import Measurement, Plan, measure_each
from wekaconf.experiments.store import Store, store_for
from wekaconf.experiments.workers import Pool
from wekaconf.methods.contract import Method
from wekaconf.report.evaluation import Evaluation, Result

LONG_SECONDS = 60.0
"""From how much time left on there is a hint at what is shorter."""


def evaluate_all(
    files: Sequence[str],
    methods: Mapping[str, Method],
    options: MeasuringOptions,
    check: Callable[[Dataset, str], None] = lambda _data, _path: None,
) -> tuple[Evaluation, list[str], dict[str, Texts]]:
    """Evaluate the methods, each called as the user typed it, on every data file.

    ``check`` takes the instances to answer and their file before any is answered, and raises an error if the call asks
    for something that they cannot give.

    Returns
    -------
    evaluation : Evaluation
    failed : list of str
        The files that could not be evaluated.
    ids : dict of str to Texts
        Per data set, the column that names the test instances; empty if there is none.
    """
    names = list(map(stem, files))
    paths = {path if names.count(name) > 1 else name: path for path, name in zip(files, names, strict=True)}
    plan = Plan.of(list(methods.values()), options.protocol.make(), options.learner)
    readings = readings_of(files, options.columns)
    results, failed, ids = dict[str, list[Result]](), list[str](), dict[str, Texts]()
    began = dict[str, float]()

    def begin(name: str, store: Store | None) -> Measurement:
        began[name] = time.perf_counter()
        path = paths[name]
        data, test = _load(path, readings[path], options)
        ids[name] = data.kept if test is None else test.kept
        check(data.data if test is None else test.data, options.test or path)
        tested = plan if test is None else replace(plan, protocol=replace(plan.protocol, test=test.data))
        return Measurement(tested, data.data, name, store)

    with (
        resumable(options.store),
        progress_bar(next(iter(paths)) if len(paths) == 1 else "") as bar,
        store_for(options.store) as store,
    ):
        hint = cache(partial(say, "leaving out each instance takes long; shorter with -x 5"))

        def report(names: str, share: float) -> None:
            bar.tell(f"{len(results) + len(failed)}/{len(paths)} sets{names}" if len(paths) > 1 else "", share)
            if options.protocol["folds"] == "loo" and bar.seconds_left >= LONG_SECONDS:
                hint()

        sets = {name: partial(begin, name, store) for name in paths}
        sizes = {name: _file_size(path) for name, path in paths.items()}
        for name, found in measure_each(sets, sizes, Pool(options.jobs), report):
            if isinstance(found, Measurement):
                say(f"{name}: {time.perf_counter() - began[name]:.1f} s", only_verbose=True)
                pairs = zip(methods, found.results.values(), strict=True)
                results[name] = [Result(record | {"label": text}, answers) for text, (record, answers) in pairs]
            elif isinstance(found, WekaconfError) and len(paths) > 1:
                failed.append(paths[name])
                _say_left_out(paths[name], found)
            else:
                raise found
    in_order = tuple(result for name in paths for result in results.get(name, ()))
    return Evaluation(in_order), sorted(failed, key=files.index), ids


def _load(path: str, reading: Reading, options: MeasuringOptions) -> tuple[Loaded, Loaded | None]:
    """The data of a file, and those of the test file if there is one."""
    training = load_data(path, reading, options.class_attribute, test=options.test, hold_out=options.hold_out)
    if options.test is None:
        return training, None
    parts = parts_like(
        data_path(options.test),
        training.data.header,
        reading.with_forms_of(training.reading),
        unseen=options.strict.unseen,
        strict=options.strict.columns,
    )
    test = join_parts(parts)
    return training, replace(test, data=test.data.renamed(stem(options.test)))


def _say_left_out(path: str, error: WekaconfError) -> None:
    text = in_command_words(error)
    tell(f"left out: {text if text.startswith(path) else f'{path}: {text}'}")


def _file_size(path: str) -> float:
    """Size in bytes, plus 1; 1 for sources that are not files."""
    return float(os.path.getsize(path)) + 1 if os.path.isfile(path) else 1.0
