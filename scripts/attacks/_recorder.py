"""A plugin of pytest that records which lines of the package each test runs, in its own process and in those it starts.

Environment: ``RECORD_FOLDER``, which gets coverage's files and ``times.json``, the seconds that each passing test took;
``COVERAGE_PROCESS_START``, the settings of coverage, by which processes that a test starts record themselves.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

SHARED = "*"
"""The name, instead of a test's, for what a test file does before its tests: others may need it, too."""

_seconds: defaultdict[str, float] = defaultdict(float)
_not_passed: set[str] = set()
_coverage = coverage.Coverage.current()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    return (yield from _recorded_as(SHARED))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _recorded_as(item.nodeid))


def _recorded_as(name: str) -> Iterator[None]:
    assert _coverage is not None
    _coverage.switch_context(name)
    try:
        return (yield)
    finally:
        _coverage.switch_context(SHARED)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration
    if not report.passed:
        _not_passed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    times = {name: round(seconds, 4) for name, seconds in _seconds.items() if name not in _not_passed}
    Path(os.environ["RECORD_FOLDER"], "times.json").write_text(json.dumps(times), encoding="utf-8")
