"""Write the package for stock Weka, ``wekaconf-<version>.zip``, into a folder, by default ``dist``, where wheels go."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from wekaconf.in_weka.in_weka import build_package

DIST = Path(__file__).resolve().parents[1] / "dist"

if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DIST
    folder.mkdir(exist_ok=True)
    path = folder / f"wekaconf-{version('wekaconf')}.zip"
    path.write_bytes(build_package())
    print(path)
