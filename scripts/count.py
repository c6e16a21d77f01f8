"""Count the project: code lines per room, modules with users in other rooms, options per command, words of texts.

``python scripts/count.py`` in the project's environment prints four tables. Code lines are without docstrings, comments
and blanks. The words of a text are its prose, without tables, code and HTML comments.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("wekaconf", "scripts", "tests")
TEXTS = ("README.md", "CONTRIBUTING.md", "DECISIONS.md", "CHANGELOG.md", "SECURITY.md")
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
MARKUP = re.compile(r"^ *```.*?^ *```|<!--.*?-->|^ *\|[^\n]*\|$", re.DOTALL | re.MULTILINE)


def code_lines(source: str) -> int:
    """The number of lines with code; a text that is a statement of its own is a docstring, and no code."""
    docstrings = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    with_code = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(with_code - docstrings)


def words(text: str) -> tuple[int, int]:
    """The number of words in the prose of a page, and in all of the page."""
    return len(MARKUP.sub("", text).split()), len(text.split())


def lines_per_room(part: str) -> Mapping[str, int]:
    """Code lines of each folder of a part of the project; files beside the folders are counted as ``.``."""
    counts: Counter[str] = Counter()
    for path in (ROOT / part).rglob("*.py"):
        room, *rest = path.relative_to(ROOT / part).parts
        counts[room if rest else "."] += code_lines(path.read_text(encoding="utf-8"))
    return counts


def modules_used_elsewhere() -> Mapping[str, set[str]]:
    """The modules of each room that modules of other rooms import."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (ROOT / "wekaconf").rglob("*.py")
    }
    used = defaultdict(set)
    for path in paths.values():
        here = path.relative_to(ROOT / "wekaconf").parts[0]
        for name in imported(path.read_text(encoding="utf-8")):
            module = name if name in paths else name.rpartition(".")[0]
            room = module.split(".")[1:2]
            if module in paths and room and room[0] != here:
                used[room[0]].add(module)
    return used


def imported(source: str) -> Iterator[str]:
    """The full names that a module imports; what it imports from a module as ``module.name``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def options_per_command() -> Mapping[str, int]:
    """The number of options that each command takes, ``--help`` and ``--version`` apart."""
    from wekaconf.cli.commands import main

    def counted(command: click.Command, name: str) -> Iterator[tuple[str, int]]:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for part in command.list_commands(context):
                if (found := command.get_command(context, part)) is not None:
                    yield from counted(found, f"{name} {part}".strip())
        else:
            yield name, sum(isinstance(parameter, click.Option) for parameter in command.params)

    return dict(counted(main, ""))


def print_table(heading: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Print rows below a heading, numbers right-aligned, and a sum per column of numbers."""
    rows = list(rows)
    print(f"\n{heading}")
    for name, *numbers in [*rows, ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))]:  # type: ignore[arg-type]
        print(f"  {name:36}" + "".join(f"{number:>9,}" for number in numbers))


def main() -> None:
    for part in PARTS:
        print_table(f"code lines of {part}/", sorted(lines_per_room(part).items()))
    print_table(
        "modules that other rooms use", [(room, len(names)) for room, names in sorted(modules_used_elsewhere().items())]
    )
    print_table("options", sorted(options_per_command().items()))
    texts = [*TEXTS, *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
    print_table("words: prose, all", [(name, *words((ROOT / name).read_text(encoding="utf-8"))) for name in texts])


if __name__ == "__main__":
    main()
