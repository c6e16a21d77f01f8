"""Random attacks on the project: thousands of draws, each of which must pass the checks in scripts/attacks/.

``python scripts/attack.py NAME [--seed S] [--minutes M] [--draws N] [--record FILE]`` in the project's environment.
Every draw follows from its seed alone; a fault comes with the command that repeats its draw. Exits with 1 if there was
a fault.

An attack is a module of scripts/attacks/ with a function ``draw(seed, tried)`` that yields each fault it finds as text;
an exception is a fault, too. It counts its work in ``tried``, by kind and owner: ``tried["nodes", "J48"] += 9``.
A function ``first_seed()`` takes the place of a random first seed.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from random import SystemRandom

import click
from attacks import FAULTS_AGAIN, WHOLE_GRID, Tried, told

FOLDER = Path(__file__).resolve().parent / "attacks"
NAMES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
SECONDS_BETWEEN_REPORTS = 10

Draw = Callable[[int, Tried], Iterator[str]]


@click.command()
@click.argument("name", type=click.Choice(NAMES))
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Seed of the first draw; later seeds follow it. Default: random, of mutants the commit's.",
)
@click.option("--minutes", type=click.FloatRange(0), help="Stop after this time; 1 unless --draws is given.")
@click.option("--draws", type=click.IntRange(1), help="Stop after this many draws.")
@click.option("--all", "is_whole_grid", is_flag=True, help="Of mutants: run tests with all their cases.")
@click.option("--again", type=click.Path(exists=True), help="Of mutants: plant the faults of this record, by function.")
@click.option("--record", type=click.Path(path_type=Path), help="Add what was tried to this table.")
def main(
    name: str, seed: int | None, minutes: float | None, draws: int | None, is_whole_grid: bool, again: str | None,
    record: Path | None,
) -> None:  # fmt: skip
    """Attack the project until time or draws are used up."""
    if is_whole_grid:
        os.environ[WHOLE_GRID] = "1"
    if again is not None:
        os.environ[FAULTS_AGAIN] = again
    attack = import_module(f"attacks.{name}")
    draw: Draw = attack.draw
    if seed is None:
        seed = attack.first_seed() if hasattr(attack, "first_seed") else SystemRandom().randrange(2**31)
    minutes = 1.0 if minutes is None and draws is None else minutes
    tried: Tried = Counter()
    began = reported = time.monotonic()
    n_faults = 0
    slowest = 0.0, seed
    for n_draws, draw_seed in enumerate(count(seed), 1):
        drawn = time.monotonic()
        for fault in told(draw(draw_seed, tried)):
            n_faults += 1
            click.echo(f"FAULT {fault}\n  python scripts/attack.py {name} --seed {draw_seed} --draws 1")
        now = time.monotonic()
        slowest = max(slowest, (now - drawn, draw_seed))
        is_over = n_draws == draws or (minutes is not None and now - began >= 60 * minutes)
        if is_over:
            break
        if now - reported >= SECONDS_BETWEEN_REPORTS:
            reported = now
            click.echo(f"{n_draws:,} draws in {now - began:.0f} s, {n_faults:,} faults", err=True)
    click.echo(f"{name} from seed {seed}: {n_draws:,} draws in {now - began:.0f} s, {n_faults:,} faults")
    for line in table(tried):
        click.echo(f"  {line}")
    click.echo(f"  slowest: {slowest[0]:.1f} s, seed {slowest[1]}")
    if record is not None:
        add_to(record, tried)
    sys.exit(1 if n_faults else 0)


def table(tried: Tried) -> Iterator[str]:
    """What was tried: one line per kind, with its total and the number of each owner."""
    for what in dict.fromkeys(key[0] for key in sorted(tried)):
        of = {whose: n for (thing, whose), n in sorted(tried.items()) if thing == what}
        yield f"{what}: {sum(of.values()):,} ({', '.join(f'{whose} {n:,}' for whose, n in of.items())})"


def add_to(record: Path, tried: Tried) -> None:
    """Add the numbers to those of earlier runs in a CSV file."""
    total = Counter(tried)
    if record.exists():
        with record.open(newline="") as file:
            total.update({(row["what"], row["whose"]): int(row["n"]) for row in csv.DictReader(file)})
    with record.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("what", "whose", "n"), *((*key, total[key]) for key in sorted(total))]
        )


if __name__ == "__main__":
    main()
