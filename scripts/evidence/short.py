"""The tables and sentences of docs/which-method.md, from the rows behind the long docs/records/which-method.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from _records import FOLDER, SUMMARIES, unpack
from _resampling import interval
from _tables import table

from evidence import page
from evidence.figures import BASE, LARGE, Measured, Row, all_measured, verdicts
from evidence.page import name_of
from wekaconf.base.naming import enumeration
from wekaconf.experiments.advising._candidates import PURPOSES
from wekaconf.report.comparison._measures import WORDS, value_text

SHOWN = 8
"""Schemes of a table, beside the plain tree."""


@cache
def rows() -> Sequence[Row]:
    """The rows of the study."""
    return unpack(FOLDER / "which-method.csv.gz")


@cache
def found() -> list[Measured]:
    """The figures of each purpose."""
    return all_measured(rows())


def sizes() -> str:
    """On how many data sets the study was made, and how many of these the tests count."""
    sets = {row["data_set"]: int(row["n_instances"]) for row in rows()}
    counted = {name for each in found() for name in each.data_sets}
    return (
        f"The study covers {len(sets)} UCI data sets of {min(sets.values())} to {max(sets.values())} instances; the "
        f"tests count the {len(counted)} that share no instances with another set."
    )


def winners() -> str:
    """The table of the best schemes per purpose."""
    return page.winners(found(), verdicts(found()))


def ensembles() -> str:
    """What that table counts, and what flatters `second_opinion` in it."""
    designed = page.designed_here(found()).replace("(../", "(")
    return f"{page.ensembles(found(), verdicts(found()))}\n\n{designed}"


def leading(name: str) -> str:
    """The schemes of the best mean ranks for a purpose, and the plain tree."""
    [one] = [each for each in found() if each.purpose.name == name]
    measure = one.purpose.measure
    schemes = list(one.mean_ranks)[:SHOWN]
    body = []
    for each in [*schemes, *({BASE} - {*schemes})]:
        means = one.means[each][one.shared]
        lead = one.worth * (means - one.means[BASE][one.shared])
        low, high = interval(lead)
        better, _, worse = one.wins(each)
        beside = ["", ""] if each == BASE else [f"{lead.mean():+.3f} ({low:+.3f} to {high:+.3f})", f"{better}, {worse}"]
        body.append([name_of(each, one), f"{one.mean_ranks[each]:.1f}", value_text(measure, means.mean()), *beside])
    n = int(one.shared.sum())
    return table(["method", "mean rank", WORDS[measure], "lead, 95 % interval", f"better, worse of {n} sets"], body)


def large() -> str:
    """Which of the best on one tree fall behind on larger data sets."""
    told = [
        f"For {one.purpose.title} ({int(one.is_large.sum())} sets), {enumeration([name_of(by) for by in passing])} "
        f"{'has' if len(passing) == 1 else 'have'} a better mean rank than {name_of(each)}."
        for one in found()
        for each in one.best_on_one_tree
        if (passing := one.passed_by(each))
    ]
    if not told:
        return f"On sets of at least {LARGE} instances the best on one tree are the same."
    return f"On sets of at least {LARGE} instances alone, the order differs. {' '.join(told)}"


def after_tuning() -> str:
    """What choosing parameters by nested cross-validation changes."""
    section = (SUMMARIES / "which-method-tuned" / "section.txt").read_text(encoding="utf-8")
    return "\n".join(line for line in section.splitlines() if line.startswith("* For "))


PARTS: dict[str, Callable[[], str]] = {
    "sizes": sizes,
    "winners": winners,
    "ensembles": ensembles,
    "large": large,
    "tuned": after_tuning,
    **{name: (lambda name=name: leading(name)) for name in PURPOSES},
}
"""What `docs_records` puts into the page."""
