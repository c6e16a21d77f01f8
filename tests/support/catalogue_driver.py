"""The command line in a process of its own, with another catalogue: CATALOGUE ARGUMENTS."""

import sys
from pathlib import Path

from wekaconf.cli import run
from wekaconf.data.catalogue import _finding as finding

_, catalogue, *arguments = sys.argv
finding.CATALOGUE = Path(catalogue)
sys.argv = ["wekaconf", *arguments]
run()
