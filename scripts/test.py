"""Set wekaconf up in ``.venv`` with what its tests need and run them all: behaviour, style, types, imports.

``python3 scripts/test.py [options of pytest]``
"""

import os
import sys

from _environment import PYTHON, ROOT, hand_over, main, say, set_up

PROCESSES = min((os.cpu_count() or 1) + 2, 4)  # more than cores, since tests wait for processes; each has a Java
ON_ALL_CORES = ["-n", str(PROCESSES), "--dist", "worksteal"]


def job():
    set_up("test")
    say("Running the tests.")
    return hand_over([PYTHON, "-m", "pytest", *(sys.argv[1:] or ON_ALL_CORES)], cwd=ROOT)


main(job)
