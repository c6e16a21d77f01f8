"""Run the code of README and docs as a reader would, and compare its output with what the page shows.

``python scripts/docs_code.py [--write] [PAGE ...]`` in the project's environment; ``--write`` puts the present output
into the pages.

A page is followed from top to bottom, in a new folder with the bundled ``arff/``. Its ``sh`` and ``python`` blocks are
run; a ``text`` block right after one is the expected output, with "…" for parts that may differ. A block with a title
is a file: it is written to that path of a copy of the project, and the page is followed there. A block right below
``<!-- not run: REASON -->``, which readers do not see, is skipped; one that starts with ``# needs uci/``, a folder of
UCI sets, is run only if WEKACONF_UCI names that folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")? *$")
NOT_RUN = re.compile(r" *<!-- not run: (?P<reason>.+) -->")
NEEDS_UCI = "# needs uci/"
ADD_TO = "add to "
"""Prefix of a path in a title if the block is to be added to an existing file."""

COMMAND = 'import sys; sys.argv[0] = "wekaconf"; from wekaconf.cli import run; run()'
COPIED = ("wekaconf", "tests", "scripts", "pyproject.toml", "README.md", "LICENSE", "arff")


@dataclass
class Block:
    """A fenced block of a page.

    Parameters
    ----------
    page : Path
    line : int
        Number of its first line of code, from 1.
    language, title, code : str
    reason_not_run : str
        Empty if it is run.
    printed : Block, optional
        The ``text`` block right after it: the expected output.
    """

    page: Path
    line: int
    language: str
    title: str
    code: str
    indent: str = ""
    reason_not_run: str = ""
    printed: Block | None = field(default=None, repr=False)

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_code(self) -> bool:
        return self.language in ("sh", "python") and not self.title

    @property
    def needs_uci(self) -> bool:
        return self.code.startswith(NEEDS_UCI)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page; a block of code is joined with its expected output."""
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    number, after_last = 0, -1
    while number < len(lines):
        opening = FENCE.match(lines[number])
        number += 1
        if opening is None:
            continue
        end = next(n for n in range(number, len(lines)) if lines[n].strip() == "```")
        code = textwrap.dedent("\n".join(lines[number:end])) + "\n"
        left_out = NOT_RUN.fullmatch(lines[number - 2]) if number > 1 else None
        block = Block(
            page, number + 1, opening["language"], opening["title"] or "", code, indent=opening["indent"],
            reason_not_run=left_out["reason"] if left_out else "",
        )  # fmt: skip
        is_near = after_last >= 0 and not any(line.strip() for line in lines[after_last : number - 1])
        if block.language == "text" and is_near and found[-1].is_code:
            found[-1].printed = block
        else:
            found.append(block)
        number = after_last = end + 1
    return found


def runs_here(block: Block, uci: str | None) -> bool:
    """Whether a block is to be run if the folder of UCI sets is ``uci``."""
    return block.is_code and not block.reason_not_run and (uci is not None or not block.needs_uci)


class Follower:
    """A reader who does what a page says, in a folder made for this.

    Parameters
    ----------
    page_blocks : list of Block
    folder : Path
        An empty folder.
    uci : str, optional
        The folder of UCI sets.
    """

    def __init__(self, page_blocks: list[Block], folder: Path, uci: str | None) -> None:
        self.blocks, self.folder, self.uci = page_blocks, folder, uci
        self.names: dict[str, Any] = {"__name__": "__main__"}
        package = ROOT
        if any(block.title for block in page_blocks):
            package = folder
            for name in COPIED:
                copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
                copy(ROOT / name, folder / name)
        else:
            (folder / "arff").symlink_to(ROOT / "arff")
        if uci is not None:
            (folder / "uci").symlink_to(uci)
        commands = folder / ".bin"
        commands.mkdir()
        for name, code in (("wekaconf", f" -c '{COMMAND}'"), ("python", "")):
            (commands / name).write_text(f'#!/bin/sh\nexec {sys.executable}{code} "$@"\n')
            (commands / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(package),
            "PYTHONUNBUFFERED": "1",  # notes and tables in the order of a terminal
        }

    def follow(self) -> Iterator[tuple[Block, str]]:
        """Each block that is run, and its output; a failure is a line of the output that starts with "failed"."""
        for block in self.blocks:
            if block.title:
                self._put(block)
            elif runs_here(block, self.uci):
                yield block, self._shell(block) if block.language == "sh" else self._python(block)

    def _put(self, block: Block) -> None:
        path = self.folder / block.title.removeprefix(ADD_TO)
        if block.title.startswith(ADD_TO):
            block = Block(**{**vars(block), "code": path.read_text(encoding="utf-8") + "\n" + block.code})
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code, encoding="utf-8")

    def _shell(self, block: Block) -> str:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block.code], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False,
        )  # fmt: skip
        return done.stdout + (f"failed, exit code {done.returncode}\n" if done.returncode else "")

    def _python(self, block: Block) -> str:
        code = compile("\n" * (block.line - 1) + block.code, str(block.page), "exec")
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            try:
                exec(code, self.names)
            except Exception:
                return f"{printed.getvalue()}failed:\n{traceback.format_exc()}"
        return printed.getvalue()


def stripped(text: str) -> str:
    """The text without blanks at the ends of lines and blank lines around it."""
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()).rstrip()


def agrees(printed: str, block: Block) -> bool:
    """Whether a block printed what the page shows; if the page shows no output, whether it did not fail."""
    if block.printed is None:
        return not re.search(r"^failed[,:]", printed, re.MULTILINE)
    pattern = re.escape(stripped(block.printed.code)).replace("…", ".*?")
    return re.fullmatch(pattern, stripped(printed), re.DOTALL) is not None


def faults(page_blocks: list[Block], folder: Path, uci: str | None) -> Iterator[str]:
    """The blocks of a page whose output is not what the page shows."""
    for block, printed in Follower(page_blocks, folder, uci).follow():
        if not agrees(printed, block):
            shown = "" if block.printed is None else f"the page shows:\n{block.printed.code}\n"
            yield f"{block.place}\n{block.code}{shown}it printed:\n{printed}"


def rewrite(page: Path, folder: Path, uci: str | None) -> int:
    """Put the output of a page's code into the page; returns the number of blocks that changed."""
    lines = page.read_text(encoding="utf-8").splitlines()
    changed = [
        (block.printed, printed)
        for block, printed in Follower(blocks(page), folder, uci).follow()
        if block.printed is not None and not agrees(printed, block)
    ]
    for old, printed in reversed(changed):
        first = old.line - 1
        after = first + len(old.code.strip("\n").splitlines())
        lines[first:after] = textwrap.indent(stripped(printed), old.indent).splitlines()
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(changed)


def compile_kernels() -> None:
    """Compile kernels that are not compiled yet, so that no command on a page mentions it."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", COMMAND, "self", "compile"], check=True, stderr=subprocess.DEVNULL, env=environment
    )


def main() -> None:
    compile_kernels()
    arguments = [word for word in sys.argv[1:] if word != "--write"]
    is_wrong = False
    for page in [Path(word).resolve() for word in arguments] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            uci = os.environ.get("WEKACONF_UCI")
            if "--write" in sys.argv:
                print(f"{page.relative_to(ROOT)}: {rewrite(page, Path(folder), uci)} changed", flush=True)
                continue
            for fault in faults(blocks(page), Path(folder), uci):
                is_wrong = True
                print(fault, flush=True)
    if is_wrong:
        sys.exit("the pages show other output; correct the code, or run this with --write")


if __name__ == "__main__":
    main()
