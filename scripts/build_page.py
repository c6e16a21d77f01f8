"""Bundle page/ into wekaconf/report/_model_page/page.js; ``--check`` compares instead of writing.

The libraries are those of page/package-lock.json, fetched by ``npm ci`` into a temporary folder. The bundle is the same
byte for byte wherever it is built. Its head holds a digest of the sources, so a stale bundle is noticed without node.

The bundle is committed, so that installing needs no Node.js. The sources are ES modules with types in JSDoc: what runs
is what is read, and the types are checked here. They are under the MIT licence, since a page is the reader's to pass
on, and the GPL would ask them to pass on sources, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _sources import digest_of

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "page"
BUNDLE = ROOT / "wekaconf" / "report" / "_model_page" / "page.js"
CONFIGURATION = ("package.json", "package-lock.json", "tsconfig.json", ".prettierrc.json")
HEAD = """/*!
 * The page that wekaconf writes of a model; sources: page/ in wekaconf's repository.
 * SPDX-License-Identifier: MIT
 * Sources: sha256 {digest}
 *
{licence}
 *
 * This file also holds the following libraries.
{libraries}
 */
"""


def source_files() -> list[Path]:
    modules = sorted((SOURCES / "src").rglob("*.js"), key=lambda path: path.relative_to(SOURCES).as_posix())
    return [*(SOURCES / name for name in (*CONFIGURATION, "LICENSE")), *modules]


def source_digest() -> str:
    return digest_of(source_files(), SOURCES)


def stated_digest() -> str:
    """The digest of the sources that the bundle was made of."""
    found = re.search(r"^ \* Sources: sha256 (\w+)$", BUNDLE.read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1) if found else ""


def run(*words: str, folder: Path) -> None:
    ended = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{ended.stdout}{ended.stderr}")


def commented(text: str) -> str:
    return "\n".join(f" * {line}".rstrip() for line in text.strip().splitlines())


def libraries(folder: Path, inputs: list[str]) -> str:
    """Name, version and licence of every library in the bundle; those with the same licence text stand together."""
    names = sorted({re.match(r"node_modules/((?:@[^/]+/)?[^/]+)/", path).group(1) for path in inputs
                    if path.startswith("node_modules/")})  # fmt: skip
    by_licence: dict[str, list[str]] = {}
    for name in names:
        package = folder / "node_modules" / name
        version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
        [text, *_] = [path.read_text(encoding="utf-8") for path in sorted(package.glob("LICENSE*"))]
        by_licence.setdefault(text, []).append(f"{name} {version}")
    return "\n".join(commented(f"\n{', '.join(held)}\n\n{text}") + "\n *" for text, held in by_licence.items())


def build() -> str:
    """The bundle; ends the process with a message where a step fails."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in source_files():
            target = folder / path.relative_to(SOURCES)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)
        run(str(Path("node_modules", ".bin", "prettier")), "--check", "src", folder=folder)
        run(str(Path("node_modules", ".bin", "tsc")), folder=folder)
        run(str(Path("node_modules", ".bin", "esbuild")), "src/main.js", "--bundle", "--minify", "--format=iife",
            "--target=es2022", "--charset=utf8", "--legal-comments=none", "--outfile=page.js", "--metafile=meta.json",
            folder=folder)  # fmt: skip
        script = (folder / "page.js").read_text(encoding="utf-8")
        inputs = list(json.loads((folder / "meta.json").read_text(encoding="utf-8"))["inputs"])
        licence = commented((SOURCES / "LICENSE").read_text(encoding="utf-8"))
        head = HEAD.format(digest=source_digest(), licence=licence, libraries=libraries(folder, inputs))
    if "</script" in (head + script).lower() or "<!--" in head + script:
        sys.exit("the bundle holds text that would end, or change, the element that it stands in")
    return head + script


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed bundle instead of writing")
    arguments = parser.parse_args()
    if shutil.which("npm") is None:
        sys.exit("npm not found: install Node.js 20 or later")
    bundle = build()
    if not arguments.check:
        BUNDLE.write_text(bundle, encoding="utf-8", newline="\n")
        print(f"{os.path.relpath(BUNDLE)}: {len(bundle.encode()):,} bytes")
    elif BUNDLE.read_text(encoding="utf-8") != bundle:
        sys.exit(f"{os.path.relpath(BUNDLE)} is not what page/ gives: run scripts/build_page.py and commit it")


if __name__ == "__main__":
    main()
