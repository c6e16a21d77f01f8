"""Set wekaconf up in ``.venv`` and run its main job: ten folds of J48 and ConfDTree on the bundled data.

``python3 scripts/run.py [DATA.arff ...] [options of wekaconf evaluate]``: ARFF files, which come first, take the
place of those in ``arff/``. The table goes to standard output and into ``results/``.
"""

import itertools
import shlex
import sys
from pathlib import Path

from _environment import BIN, ROOT, SetUpError, hand_over, main, say, set_up

ARFF = (".arff", ".arff.gz")
METHODS = ["leaf_frequency", "confdtree:variant=norm", "confdtree:variant=tdist", "confdtree:variant=comb"]
COMMAND = ["evaluate", *(word for method in METHODS for word in ("--method", method)), "-x", "10", "-s", "1"]
RESULTS = {"--csv": ROOT / "results" / "main.csv", "--json-file": ROOT / "results" / "main.json"}


def job():
    arguments = sys.argv[1:]
    own = list(itertools.takewhile(lambda argument: not argument.startswith("-"), arguments))
    check(own, arguments[len(own) :])
    set_up("report,tables")
    if not own:
        bundled = sorted((ROOT / "arff").glob("*.arff"))
        if not bundled:
            raise SetUpError(f"There is no ARFF file in {ROOT / 'arff'}; name your own after scripts/run.py.")
        arguments = [shown(path) for path in bundled] + arguments
    (ROOT / "results").mkdir(exist_ok=True)
    results = [word for option, path in RESULTS.items() for word in (option, shown(path))]
    command = [*COMMAND, *results, *arguments]
    say("Running wekaconf " + shlex.join(command))
    return hand_over([BIN / "wekaconf", *command])


def check(files, options):
    """Raise SetUpError for what is no ARFF file, before anything is run in its stead."""
    for path in files:
        if not Path(path).is_file():
            raise SetUpError(f"{path}: there is no such file; check the name and the folder.")
        if not path.endswith(ARFF):
            raise SetUpError(f"{path}: is no ARFF file; name one that ends in {' or '.join(ARFF)}.")
    for before, word in itertools.pairwise(["", *options]):
        if not files and word.endswith(ARFF) and before not in ("-T", "--test"):
            raise SetUpError(f"{word}: name your files before the options.")


def shown(path):
    """``path`` from the current directory where it lies below it, else in full."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


main(job)
