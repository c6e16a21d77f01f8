"""Output of a replication: published figures beside ours, the verdicts counted, and the findings."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from typing import Any

from wekaconf.base.errors import OptionError, tell
from wekaconf.base.files import atomic_write, make_folder, write_text
from wekaconf.base.naming import counted, some
from wekaconf.base.plot_style import METADATA
from wekaconf.replication._cells import Cell, Figure, Verdict, by_chance, text_of
from wekaconf.replication._study import Beside, PaperStudy, Request, Results
from wekaconf.replication._verdicts import VERDICTS, verdict_counts
from wekaconf.report.printing import UNDEFINED, Block, Names, print_blocks, print_text
from wekaconf.report.tables import write_csv, write_rows

RULE = (
    "Met: inside our interval, from the lowest to the highest repetition, widened by half a unit of the last printed "
    "digit; close: inside an interval twice as wide. By chance: met if the figures of each column were dealt out among "
    "its rows. In brackets: what follows from other figures in print."
)
QUICK = "Trial: only a part of the data sets, or fewer runs; the figures are not the paper's."
FILE_WIDTH = 160
"""Characters in a line of ``report.txt``."""
CELLS, BESIDE, RECORDS, FINDINGS, REPORT, ENVIRONMENT = (
    "cells.csv", "beside.csv", "records.csv", "findings.txt", "report.txt", "environment.json",
)  # fmt: skip


def print_results(
    study: PaperStudy, request: Request, results: Results, *, with_details: bool = True, width: int | None = None
) -> None:
    """Print the results of a replication to standard output: a summary, then each part.

    Of a trial only the published figures count that were computed.

    Parameters
    ----------
    study : PaperStudy
    request : Request
    results : Results
    with_details : bool
        Whether the figures of each part follow the summary, with their reasons; else the findings of each part alone.
    width : int, optional
        Characters in a line; those of the screen when left out.
    """
    n_missing = len(results.missing) + len(results.failed)
    if request.quick:
        print_text(QUICK, width=width)
        results = replace(results, cells=[cell for cell in results.cells if cell.ours is not None])
    print_text(study.title, width=width)
    if n_missing:
        print_text(f"{counted(n_missing, 'data set')} left out.", width=width)
    if results.cells:
        _print_verdicts(results.cells, width)
    _print_findings("", results, width)
    for part in study.parts:
        if with_details:
            _print_part(part, results, width)
        else:
            _print_findings(part, results, width)


def _print_part(part: str, results: Results, width: int | None) -> None:
    cells = [cell for cell in results.cells if cell.published.part == part]
    if cells:
        _print_cells(part, cells, width)
    for table in results.beside:
        if table.part == part:
            names = Names.of_no_group(list(table.rows))
            body = [[text_of(figure, table.digits) for figure in row] for row in table.rows.values()]
            print_blocks(names, [Block.of_rows(table.title, table.columns, body)], width=width)
    _print_findings(part, results, width)


def _print_cells(part: str, cells: Sequence[Cell], width: int | None) -> None:
    """Print published, ours, difference and verdict, one line per row of the part; then the verdicts and reasons."""
    rows, columns = (list(dict.fromkeys(cell.published.place[index] for cell in cells)) for index in (1, 2))
    by_place = {cell.published.place: cell for cell in cells}
    digits = _digits(cells)
    blocks = [
        Block.of_rows(title, columns, [
            [text(by_place[part, row, column], digits[column]) if (part, row, column) in by_place else ""
             for column in columns] for row in rows
        ])
        for title, text in (
            (f"{part.capitalize()}, published", lambda cell, _: cell.published.text),
            ("ours", lambda cell, n: ours_text(text_of(cell.ours, n), cell.published.kind)),
            ("difference", _signed),
            ("verdict", lambda cell, _: VERDICTS[cell.verdict]),
        )
    ]  # fmt: skip
    print_blocks(Names.of_no_group(rows), blocks, width=width)
    sys.stdout.write("\n")
    print_text(f"{part.capitalize()}, {_verdict_counts(cells)}.", width=width)
    by_remark: dict[tuple[Verdict, str], list[Cell]] = {}
    for cell in cells:
        if cell.remark:
            by_remark.setdefault((cell.verdict, cell.remark), []).append(cell)
    for (verdict, remark), remarked in by_remark.items():
        places = dict.fromkeys(cell.published.column for cell in remarked)
        print_text(
            f"  {VERDICTS[verdict]} {', '.join(places)} ({_counted(len(remarked), verdict)}): {remark}.",
            width=width,
            hanging=4,
        )


def ours_text(text: str, kind: str) -> str:
    """Our figure in a table; in brackets if it was not measured, but follows from other figures in print."""
    return f"[{text}]" if kind == "arithmetic" else text


def _print_findings(part: str, results: Results, width: int | None) -> None:
    texts = [finding.text for finding in results.findings if finding.part == part]
    if texts:
        sys.stdout.write("\n")
    for text in texts:
        print_text(f"* {text}", width=width, hanging=2)


def _print_verdicts(cells: Sequence[Cell], width: int | None) -> None:
    """Print the number of each verdict, by part and in all, under headings that explain the marks."""
    header, *rows = map(list, cell_rows(cells))
    headings, lines = verdict_counts([dict(zip(header, map(str, row), strict=True)) for row in rows])
    n, total = len(VERDICTS), lines.pop("all")
    titles = [f"{VERDICTS[verdict]} {verdict}" for verdict in VERDICTS]
    blocks = [
        Block.of_rows(title, shown, [line[span] for line in lines.values()], [total[span]])
        for title, shown, span in (
            ("Results", titles, slice(n)),
            ("", headings[n : n + 3], slice(n, n + 3)),
            ("Met of other kinds", headings[n + 3 :], slice(n + 3, None)),
        )
        if any(text != UNDEFINED for text in total[span])
    ]
    print_blocks(Names.of_no_group([part.capitalize() for part in lines], ["all"]), blocks, width=width)
    sys.stdout.write("\n")
    print_text(RULE, width=width)


def _verdict_counts(cells: Iterable[Cell]) -> str:
    """The numbers of figures with each verdict, kind by kind: "result: 2 met, 1 close; property: 1 met"."""
    by_kind: dict[str, Counter[str]] = {}
    for cell in cells:
        by_kind.setdefault(cell.published.kind, Counter())[cell.verdict] += 1
    return "; ".join(
        f"{kind}: {', '.join(_counted(counts[verdict], verdict) for verdict in VERDICTS if counts[verdict])}"
        for kind, counts in by_kind.items()
    )


def _counted(n: int, verdict: str) -> str:
    """A number of figures with a verdict: 1 differs, 2 differ."""
    return f"{n} {'differ' if verdict == 'differs' and n != 1 else verdict}"


def _signed(cell: Cell, digits: int) -> str:
    difference = cell.difference
    if isinstance(difference, tuple):
        return "/".join(f"{each:+d}" for each in difference)
    return "" if difference is None else f"{difference:+z.{digits}f}"


# -- files ---------------------------------------------------------------------------------------------------------


def write_results(
    folder: str, study: PaperStudy, request: Request, results: Results, text: str, command: Sequence[str]
) -> str:
    """Write the results of a replication into the paper's folder inside ``folder``; each file whole or not at all.

    ``cells.csv``, ``beside.csv`` and ``records.csv`` hold the figures, ``findings.txt`` the sentences,
    ``report.txt`` the printed text, ``environment.json`` the versions and the command. Figures are drawn as .pdf, .png
    and .svg; if ``request.quick``, as .png alone. Figures that an earlier call has drawn there, and this one has not,
    stay; a `Note` names them.

    Parameters
    ----------
    folder : str
        Made if need be.
    study, request, results
        See `print_results`.
    text : str
        See `report`.
    command : sequence of str
        The words of the command line, for ``environment.json``.

    Returns
    -------
    str
        The folder of the paper.
    """
    place = make_folder(os.path.join(make_folder(folder), study.paper))
    environment, records = _without_versions(results.records)
    with atomic_write(os.path.join(place, CELLS)) as file:
        write_rows(file, cell_rows(results.cells))
    with atomic_write(os.path.join(place, BESIDE)) as file:
        write_rows(file, beside_rows(results.beside))
    with atomic_write(os.path.join(place, RECORDS)) as file:
        write_csv(records, file)
    with atomic_write(os.path.join(place, FINDINGS)) as file:
        if request.quick:  # as in report.txt, of which this file may be all that somebody reads
            file.write(f"{study.paper}: {QUICK}\n")
        file.writelines(f"{finding.part or study.paper}: {finding.text}\n" for finding in results.findings)
    write_text(os.path.join(place, REPORT), text)
    made_by = json.dumps({"command": list(command), **environment}, indent=1, ensure_ascii=False)
    write_text(os.path.join(place, ENVIRONMENT), made_by + "\n")
    before = set(os.listdir(place))
    drawings = _draw(place, results, ("png",) if request.quick else METADATA)
    if earlier := sorted(name for name in before - drawings if _is_drawing(study, name)):
        tell(f"{place}: not drawn by this call, but by an earlier one: {some(earlier)}")
    return place


def report(study: PaperStudy, request: Request, results: Results) -> str:
    """The text that `print_results` prints, in lines of `FILE_WIDTH`."""
    with redirect_stdout(StringIO()) as text:
        print_results(study, request, results, width=FILE_WIDTH)
    return text.getvalue()


def _digits(cells: Iterable[Cell]) -> dict[str, int]:
    """The most decimals in print of each column."""
    digits: dict[str, int] = {}
    for cell in cells:
        column = cell.published.column
        digits[column] = max(digits.get(column, 0), cell.published.decimals)
    return digits


def cell_rows(cells: Iterable[Cell]) -> Iterator[list[Any]]:
    """The rows of ``cells.csv``, after their heading."""
    yield [
        "part", "row", "column", "kind", "published", "ours", "low", "high", "repetitions", "difference", "verdict",
        "chance", "page", "remark",
    ]  # fmt: skip
    cells = list(cells)
    chances = by_chance(cells)
    for cell in cells:
        printed = cell.published
        figures = [printed.text, _as_cell(cell.ours), *(cell.interval or ("", "")), cell.n_repetitions or ""]
        judged = [_as_cell(cell.difference), cell.verdict, chances.get(printed.place, "")]
        yield [*printed.place, printed.kind, *figures, *judged, printed.page, cell.remark]


def beside_rows(tables: Iterable[Beside]) -> Iterator[list[Any]]:
    """The rows of ``beside.csv``, after their heading."""
    yield ["part", "title", "row", "column", "ours", "shown"]
    for table in tables:
        for name, figures in table.rows.items():
            for column, figure in zip(table.columns, figures, strict=True):
                yield [table.part, table.title, name, column, _as_cell(figure), text_of(figure, table.digits)]


def _as_cell(figure: Figure | None) -> Any:
    return "/".join(map(str, figure)) if isinstance(figure, tuple) else "" if figure is None else figure


def _without_versions(records: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The environment of the records, and the records without the versions, which every line would repeat."""
    used = [dict(record["versions"]) for record in records if "versions" in record]
    versions = [version for i, version in enumerate(used) if version not in used[:i]]
    environment = {"versions": versions[0] if len(versions) == 1 else versions, "platform": platform.platform()}
    return environment, [{key: value for key, value in record.items() if key != "versions"} for record in records]


def _draw(place: str, results: Results, kinds: Iterable[str]) -> set[str]:
    """Draw the figures in these kinds of files, and name the files; a `Note` if that cannot be done here."""
    drawings = set()
    for part, draw in results.figures.items():
        try:
            for kind in kinds:
                name = f"{part.replace(' ', '-')}.{kind}"
                draw(os.path.join(place, name))
                drawings.add(name)
        except OptionError as error:
            tell("no figure is drawn: ", *error.parts)
            break
    return drawings


def _is_drawing(study: PaperStudy, name: str) -> bool:
    """Whether a file has the name that `_draw` gives to a figure of the study, such as ``figure-9-wave.png``."""
    stem, kind = os.path.splitext(name)
    places = [part.replace(" ", "-") for part in study.parts]
    return kind[1:] in METADATA and any(stem == place or stem.startswith(f"{place}-") for place in places)
