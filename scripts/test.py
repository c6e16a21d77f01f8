"""Set wekaconf up in ``.venv`` with what its tests need and run them all: behaviour, style, types, imports.

``python3 scripts/test.py [options of pytest]``
"""

import sys

from _environment import PYTHON, ROOT, hand_over, main, say, set_up

ON_ALL_CORES = ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]  # each process starts a Java of its own


def job():
    set_up("test")
    say("Running the tests.")
    return hand_over([PYTHON, "-m", "pytest", *(sys.argv[1:] or ON_ALL_CORES)], cwd=ROOT)


main(job)
