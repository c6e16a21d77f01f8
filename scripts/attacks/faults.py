"""Commands in trouble: killed at random moments, out of disk or memory, refused a folder, two at a time on one store.

Every draw takes one command, in a folder with small data, and troubles it. Whatever happens: after five seconds there
is no process left, no file is half written, nothing in the store is lost, and nothing is there twice. The same command
again finishes what is missing, and then outputs and store are those of a run that nothing has disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.random import Generator

from attacks import Tried
from attacks._commands import COMMANDS, Command
from attacks._company import read_meanwhile, two_at_once
from attacks._strikes import killed
from attacks._surroundings import small_heap, troubled

Trouble = Callable[[Generator, Command, Tried], Iterator[str]]
TROUBLES: dict[Trouble, float] = {
    killed: 0.5, troubled: 0.3, small_heap: 0.05, two_at_once: 0.1, read_meanwhile: 0.05,
}  # fmt: skip
"""How often each is drawn."""


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Trouble one command."""
    rng = np.random.default_rng(seed)
    trouble = list(TROUBLES)[rng.choice(len(TROUBLES), p=list(TROUBLES.values()))]
    yield from trouble(rng, COMMANDS[seed % len(COMMANDS)], tried)
