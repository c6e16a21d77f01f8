"""``wekaconf self``: the installation."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter

import click
import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.bridge import about
from wekaconf.cli.command import command, group
from wekaconf.cli.console import say
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.methods.contract import LeavesOneOut
from wekaconf.model import scheme

N_INSTANCES = 10_000
"""Number of instances from which every method uses its compiled form, once numba is loaded."""
N_INSTANCES_GROWN_FOR = 4
"""Number of instances for methods that grow trees for each of them."""


@command("about", "wekaconf self about")
def about_command() -> None:
    """Print versions, the Java in use, and its real heap."""
    from importlib.metadata import version

    click.echo(f"wekaconf  {version('wekaconf')}")
    click.echo(f"Python    {sys.version.split()[0]} ({sys.executable})")
    click.echo(f"wrapper   python-weka-wrapper3 {version('python-weka-wrapper3')}")
    facts = about()
    click.echo(f"bridge    {facts['bridge']}")
    click.echo(f"Weka      {facts['weka']}")
    click.echo(f"Java      {facts['java']} ({facts['java_vendor']}), from {facts['java_source']}: {facts['java_home']}")
    click.echo(f"heap      {int(facts['max_heap_bytes']) // 2**20} MiB at most")


@command("compile", "wekaconf self compile")
def compile_command() -> None:
    """Compile now what is otherwise compiled on first use; it takes about a minute.

    The compiled code is kept in the user's cache, or where NUMBA_CACHE_DIR says, until wekaconf, numba or numpy change.
    """
    from wekaconf.tree import compiling

    if compiling.place().folder is None:
        raise OptionError(compiling.place().words)
    all_parts = attrgetter("proba", "ranking", "certainty")
    for data in _samples():
        tree = scheme.grow(data, "info_gain")
        for method in scheme.available_methods().values():
            n_questions = N_INSTANCES_GROWN_FOR if issubclass(method, LeavesOneOut) else N_INSTANCES
            with suppress(OptionError):  # the method does not take such data
                answer = method().fit(tree, data).answer(data.take(slice(n_questions)))
                all_parts(answer)
                answer.reasons[:]
    say(f"everything is compiled, in {compiling.place().folder}")


@group("self", about_command, compile_command, examples=["wekaconf self about"])
def self_command() -> None:
    """Print what is installed, or compile it now."""


def _samples() -> Iterator[Dataset]:
    """Data sets of numbers, of nominal values with some missing, and of the latter with fractional weights.

    Kernels are compiled by using them: a list of their types would be forgotten when a kernel changes.
    """
    rng = np.random.default_rng(1)
    label = Attribute("class", "nominal", ("a", "b", "c"))
    numbers = tuple(Attribute(f"number{i}") for i in range(6))
    names = tuple(Attribute(f"name{i}", "nominal", ("x", "y", "z")) for i in range(6))
    for attributes, n_values, missing, weight in ((numbers, 50, 0.0, 1.0), (names, 3, 0.1, 1.0), (names, 3, 0.1, 0.5)):
        values = rng.integers(n_values, size=(N_INSTANCES, 7)).astype(np.float64)
        values[:, 6] = np.where(rng.random(N_INSTANCES) < 0.05, values[:, 1] % 3, values[:, 0] % 3)
        values[:, :6][rng.random((N_INSTANCES, 6)) < missing] = np.nan
        yield Dataset(Header("sample", (*attributes, label), 6), values, np.full(N_INSTANCES, weight))
