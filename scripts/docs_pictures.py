"""Draw the pictures of docs/experiments.md by the commands that it shows: ``python scripts/docs_pictures.py``."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PAGE, FOLDER = ROOT / "docs" / "experiments.md", ROOT / "docs" / "assets" / "pictures"
WIDTH = 600
"""Pixels."""


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"\(assets/pictures/([\w-]+\.png)\)", text)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "arff").symlink_to(ROOT / "arff")
        [block] = (block for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) if "wekaconf plot" in block)
        for line in block.splitlines():
            _, *arguments = shlex.split(line)
            subprocess.run([sys.executable, "-m", "wekaconf", *arguments], check=True, cwd=folder)
            for name in [each for each in arguments if each in shown]:
                with Image.open(Path(folder) / name) as image:
                    small = image.convert("RGB").resize((WIDTH, round(image.height * WIDTH / image.width)))
                    few = small.quantize(256, Image.Quantize.MAXCOVERAGE, 4, dither=Image.Dither.NONE)
                    few.save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
