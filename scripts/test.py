"""Set wekaconf up in ``.venv`` with what its tests need and run them all: behaviour, style, types, imports.

``python3 scripts/test.py [options of pytest]``
"""

import sys

from _environment import PYTHON, ROOT, hand_over, main, say, set_up


def job():
    set_up("test")
    say("Running the tests.")
    return hand_over([PYTHON, "-m", "pytest", *sys.argv[1:]], cwd=ROOT)


main(job)
