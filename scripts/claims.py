"""What each paper claims, what could be repeated of it, and by which command, from the records of the replications.

A text takes its figures from the records: ``{met:PAPER PART}`` is how many of the judged results of a part are met,
``{beside:PAPER TITLE | ROW | COLUMN}`` the figure of a table of ours whose title begins so, ``{printed:PAPER PART | ROW
| COLUMN}`` and ``{ours:…}`` a printed figure and ours, ``{told:PAPER PATTERN}`` what a regular expression finds in the
sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from _records import FOLDER, lines_of
from _tables import table

from wekaconf.replication.writing import BESIDE, CELLS, FINDINGS


class Claim(NamedTuple):
    """A claim of a paper: in a few words, the verdict, and the part of it that ``study replicate`` recomputes."""

    paper: str
    text: str
    verdict: str
    part: str


GAIN = "{beside:katz2012 Mean gain in AUC | COMB, more classes (7 sets) | gain, "
MEANS = "{beside:wang2006 Table 3 | "
CLAIMS = (
    Claim(
        "katz2012", "AUC rises over C4.5, most with COMB",
        "if a tie counts nothing and the areas of folds are averaged, {told:katz2012 counting 0: (\\d+ of \\d+ printed "
        "gains of ConfDTree are met)}, {told:katz2012 a tie counting 0: \\d+ of .*?at random, (\\S+) would be met} by "
        f"chance; by Weka's AUC the gain of COMB on sets with more than two classes is {GAIN}pooled, ½}} %, not "
        f"{GAIN}paper}} %; accuracy falls",
        "--table 1",
    ),
    Claim(
        "katz2012", "the gain is significant",
        "with the same areas, Wilcoxon's test finds it in {told:katz2012 a tie counting 0, ConfDTree is "
        "better .*?in (\\d+) by Wilcoxon's test} of {told:katz2012 Of the (\\d+ rows) over} (published {told:katz2012 "
        "a tie counting 0, ConfDTree is better .*?Wilcoxon's test \\(published (\\d+)\\)})", "--table 2",
    ),
    Claim(
        "katz2012", "it is larger on small training sets",
        "if a tie counts nothing, the gain of COMB falls with size {told:katz2012 a tie counting 0, it falls "
        "(on \\d+ and rises on \\d+ of \\d+ sets)}", "--figure 6",
    ),
    Claim(
        "wang2006", "shrinkage ranks better than C4.5",
        f"yes: mean AUC {MEANS}C45 | honest}} to {MEANS}C45-S | honest}} (published {MEANS}C45-S | published}})",
        "--table 3 --reading honest",
    ),
    Claim(
        "wang2006", "WPE and the combination rank far better",
        f"less: {MEANS}C45-W | honest}} and {MEANS}C45-C | honest}}; the published {MEANS}C45-W | published}} and "
        f"{MEANS}C45-C | published}} need the class of the test instance", "--table 3 --reading honest",
    ),
    Claim(
        "wang2006", "the combination beats every rival",
        "{told:wang2006 In the honest reading, (C45-C is significantly better than [^;]*)}; "
        "{told:wang2006 In the honest reading, (C44-C is significantly better than [^;]*)}; neither is "
        "significantly better than WPE at the root alone",
        "--table 3 --table 4 --reading honest",
    ),
    *(
        Claim(
            "costa2013", f"TPCE has a better {measure} than {rival}",
            f"wins, ties, losses: {{ours:costa2013 table {part} | {row} | wins/ties/losses of Clus-TPCE}} on other "
            f"sets (published {{printed:costa2013 table {part} | {row} | wins/ties/losses of Clus-TPCE}}); {found}",
            f"--table {part}",
        )
        for measure, rival, part, row, found in (
            ("Brier score", "the plain tree", 1, "Clus-Orig", "not repeated"),
            ("AUC", "the plain tree", 2, "Clus-Orig", "same direction, most of it by Laplace's correction"),
            ("AUC", "bagging", 2, "Clus-Ens", "same direction"),
            ("AUC reliability", "bagging", 3, "Clus-Ens", "not repeated"),
            ("AUC reliability", "Kukar and Kononenko", 3, "Clus-K&K", "same direction"),
        )
    ),
    Claim("davidsson1996", "ID3-SD and ID3-Max reject irises of an unknown class", "{met:davidsson1996 table 1}",
          "--table 1"),
    Claim("davidsson1996", "they reject unknown coins", "no data: the coins were never published", "--table 2"),
    Claim("toth2006", "answers near the boundary are often wrong: if they are rejected, few errors remain",
          "{met:toth2006 section 3.2}, on training rows", "--section 3.2"),
)  # fmt: skip


def claims() -> str:
    """The table of all claims."""
    return table(
        ["paper", "claim", "what could be repeated", "command: `wekaconf study replicate`"],
        [
            [f"[{one.paper}]({one.paper}.md)", one.text, filled(one.verdict), f"`{one.paper} {one.part}`"]
            for one in CLAIMS
        ],
    )


def filled(text: str) -> str:
    """A text with its figures."""
    return re.sub(r"\{(met|beside|printed|ours|told):(\w+) ((?:[^{}]|\{[^{}]*\})*)\}", _figure, text)


def _figure(found: re.Match[str]) -> str:
    kind, paper, place = found.groups()
    return KINDS[kind](paper, place)


def _met(paper: str, part: str) -> str:
    verdicts = [row["verdict"] for row in _rows(paper, CELLS) if (row["part"], row["kind"]) == (part, "result")]
    judged = [verdict for verdict in verdicts if verdict in ("met", "close", "differs")]
    return f"{judged.count('met')} of {len(judged)} figures met"


def _beside(paper: str, place: str) -> str:
    title, row, column = place.split(" | ")
    [shown] = [
        each["shown"] for each in _rows(paper, BESIDE)
        if each["title"].startswith(title) and (each["row"], each["column"]) == (row, column)
    ]  # fmt: skip
    return shown


def _cell(paper: str, place: str, *, column: str) -> str:
    [text] = [
        each[column] for each in _rows(paper, CELLS)
        if [each["part"], each["row"], each["column"]] == place.split(" | ")
    ]  # fmt: skip
    return text


def _told(paper: str, pattern: str) -> str:
    found = re.search(pattern, (FOLDER / paper / FINDINGS).read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"claims: {paper}: no sentence has {pattern}")
    return found[1]


KINDS: dict[str, Callable[[str, str], str]] = {
    "met": _met, "beside": _beside, "told": _told, "printed": partial(_cell, column="published"),
    "ours": partial(_cell, column="ours"),
}  # fmt: skip


@cache
def _rows(paper: str, name: str) -> list[dict[str, str]]:
    return lines_of(FOLDER / paper / name)
