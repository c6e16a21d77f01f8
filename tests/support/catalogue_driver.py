"""The command line in a process of its own, with another catalogue and little patience: CATALOGUE ARGUMENTS."""

import sys
from pathlib import Path

from wekaconf.cli import fetch, run
from wekaconf.data.catalogue import _finding as finding
from wekaconf.data.catalogue.online import Patience

_, catalogue, *arguments = sys.argv
finding.CATALOGUE = Path(catalogue)
fetch.PATIENCE = Patience(timeout=5.0, attempts=3, first_wait=0.02, longest_wait=2.0)
sys.argv = ["wekaconf", *arguments]
run()
