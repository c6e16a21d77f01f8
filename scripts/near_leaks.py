"""Count which columns that leak the class are told: docs/records/near-leaks.csv, from which a page of docs comes.

``python scripts/near_leaks.py``, with WEKACONF_UCI. In forty sets a column is planted that gives the class of 80 to
100 % of the rows: nominal, the class itself but for rows with another one; or numeric, a normal number around the
class's index. Of sets of one family, such as anneal and anneal.ORIG, the first is taken. The rule
(`wekaconf.data.leaks.near_leak`) was chosen on twenty of them, among those of `RULES` that tell at most one column of a
set as it is: the one that tells most planted columns; and judged once on the twenty others. All sets of the folder are
also looked at as they are. `scripts/docs_records.py --write` puts the figures into the page.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from _tables import table
from numpy.typing import NDArray
from scipy.stats import norm

import wekaconf as wc
from wekaconf.data.leaks import FEW_OF_CLASS, MOST_LEFT, NEARLY_ROWS, TIMES, deciding_columns, errors_of_columns
from wekaconf.data.wording import percent

RECORDS = Path(__file__).resolve().parents[1] / "docs" / "records" / "near-leaks.csv"
FIDELITIES, DRAWS, N_SETS, ROWS = (0.8, 0.9, 0.95, 0.98, 1.0), 5, 40, range(100, 5001)
RULES = list(product((0.05, 0.1, 0.15, 0.2, 0.25), (1.5, 2.0, 2.5, 3.0, 4.0)))
"""The largest share of errors that a leak leaves, and how many times as many every other column leaves."""
LEAK = "the planted column"


class Case(NamedTuple):
    """A set with a planted column, or as it is (kind "none").

    ``first`` and ``following`` are the errors of the column that errs least and of the next one, ``base`` those of the
    most frequent class; ``name`` is the column that errs least.
    """

    dataset: str
    part: str
    kind: str
    fidelity: float
    draw: int
    base: int
    first: int
    following: int
    name: str

    def is_told(self, left: float, times: float) -> bool:
        """Whether a rule tells the column that errs least."""
        is_enough = self.base >= FEW_OF_CLASS and self.first <= left * self.base
        return is_enough and self.following >= times * self.first and self.following > left * self.base


def sets() -> Iterator[tuple[str, wc.Dataset]]:
    """The sets whose class is nominal, without the rows that have none."""
    for path in sorted(Path(os.environ["WEKACONF_UCI"]).glob("*.arff")):
        data = wc.load_arff(path)
        if data.class_index >= 0 and data.header.class_attribute.is_nominal and len(data.attributes) > 2:
            yield path.stem, data.take(data.class_values >= 0)


def case_of(data: wc.Dataset, name: str, part: str, kind: str, fidelity: float, draw: int) -> Case:
    """What the columns of a set leave."""
    errors, base = errors_of_columns(data, np.arange(len(data)))
    ordered = sorted((error, each) for each, error in errors.items())
    (first, best), (following, _) = (*ordered, (base, ""), (base, ""))[:2]
    return Case(name, part, kind, fidelity, draw, base, first, following, best)


def planted(data: wc.Dataset, kind: str, fidelity: float, rng: np.random.Generator) -> wc.Dataset:
    """The set with a further column that gives the class of this share of the rows."""
    occurring = np.unique(data.class_values)
    place = np.searchsorted(occurring, data.class_values)
    cells: NDArray[np.float64]
    if kind == "nominal":
        other = (place + rng.integers(1, len(occurring), len(place))) % len(occurring)
        cells = np.where(rng.random(len(place)) < fidelity, place, other).astype(np.float64)
        attribute = wc.Attribute(LEAK, "nominal", tuple(f"value {c}" for c in occurring.tolist()))
    else:
        deviation = 0.5 / norm.ppf((1 + fidelity) / 2) if fidelity < 1 else 0.1
        noise = rng.normal(0, deviation, len(place))
        cells = place + (np.clip(noise, -0.49, 0.49) if fidelity == 1 else noise)
        attribute = wc.Attribute(LEAK, "numeric")
    header = replace(data.header, attributes=(*data.attributes, attribute))
    return wc.Dataset(header, np.column_stack((data.values, cells)))


def measured() -> list[Case]:
    """All cases."""
    cases: list[Case] = []
    used: list[str] = []
    for name, data in sets():
        family = re.split("[-_.]", name)[0]
        is_used = len(data) in ROWS and len(used) < N_SETS and family not in used and not deciding_columns(data)
        part = ("design", "judged")[len(used) % 2] if is_used else "other"
        is_told = len(data) >= NEARLY_ROWS and not deciding_columns(data)
        if is_told:
            cases.append(case_of(data, name, part, "none", 0.0, 0))
        if not is_used:
            continue
        used.append(family)
        for kind, fidelity, draw in product(("nominal", "numeric"), FIDELITIES, range(DRAWS)):
            rng = np.random.default_rng([len(used), draw, round(100 * fidelity)])
            cases.append(case_of(planted(data, kind, fidelity, rng), name, part, kind, fidelity, draw))
        print(name, len(data), part, flush=True)
    return cases


def read() -> list[Case]:
    """The cases of the record."""
    with RECORDS.open(newline="", encoding="utf-8") as file:
        return [
            Case(row["dataset"], row["part"], row["kind"], float(row["fidelity"]),
                 *(int(row[name]) for name in ("draw", "base", "first", "following")), row["name"])
            for row in csv.DictReader(file)
        ]  # fmt: skip


def chosen(cases: Sequence[Case]) -> tuple[float, float]:
    """The rule that tells most planted columns of the design half, of those that tell one set as it is, at most."""
    own = [case for case in cases if case.part == "design"]
    harmless = [rule for rule in RULES if sum(case.is_told(*rule) for case in own if case.kind == "none") <= 1]
    return max(harmless, key=lambda rule: (sum(_is_found(case, rule) for case in own), -rule[0], rule[1]))


def _is_found(case: Case, rule: tuple[float, float]) -> bool:
    return case.kind != "none" and case.name == LEAK and case.is_told(*rule)


def found(cases: Sequence[Case]) -> str:
    """The table of the docs: how many planted columns are told, by what they give."""
    body = []
    for fidelity in FIDELITIES[:-1]:  # a column that gives all is told by another rule
        row: list[str] = [percent(fidelity)]
        for part, kind in product(("design", "judged"), ("nominal", "numeric")):
            own = [case for case in cases if (case.part, case.kind, case.fidelity) == (part, kind, fidelity)]
            row.append(percent(sum(_is_found(case, (MOST_LEFT, TIMES)) for case in own) / max(len(own), 1)))
        body.append(row)
    headings = ["gives the class of", "nominal, design", "numeric, design", "nominal, judged", "numeric, judged"]
    return table(headings, body)


def alarms(cases: Sequence[Case]) -> str:
    """The columns of the sets as they are that are told."""
    own = [case for case in cases if case.kind == "none"]
    told = [case for case in own if case.is_told(MOST_LEFT, TIMES)]
    names = "; ".join(
        f"{case.name} of {case.dataset} leaves {percent(case.first / case.base)} of the errors of the most frequent "
        f"class, the next column {percent(case.following / case.base)}"
        for case in told
    )
    return f"Of {len(own)} sets as they are {len(told)} are told{': ' if told else ''}{names}."


PARTS = {"found": found, "alarms": alarms}


def main() -> None:
    cases = measured()
    with RECORDS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Case._fields)
        writer.writerows(cases)
    print("chosen on the design half:", chosen(cases), "used:", (MOST_LEFT, TIMES))
    print(found(cases), alarms(cases), sep="\n\n")


if __name__ == "__main__":
    main()
