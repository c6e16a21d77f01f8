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
COMMAND = ["evaluate", *(word for method in METHODS for word in ("--method", method))]
FLAGS = {
    "--stratified", "--rejecting", "--json", "--help-all", "-v", "--verbose", "-q", "--quiet",
}  # fmt: skip
"""The options that take no value."""
RESULTS = [ROOT / "results" / "main.csv", ROOT / "results" / "main.json"]


def job():
    arguments = sys.argv[1:]
    files = list(itertools.takewhile(lambda argument: not argument.startswith("-"), arguments))
    check(files, arguments[len(files) :])
    set_up("report,tables")
    if not files:
        bundled = sorted((ROOT / "arff").glob("*.arff"))
        if not bundled:
            raise SetUpError(f"There is no ARFF file in {ROOT / 'arff'}; name your own after scripts/run.py.")
        arguments = [shown(path) for path in bundled] + arguments
    (ROOT / "results").mkdir(exist_ok=True)
    given = {word.partition("=")[0] for word in arguments}
    results = [word for path in RESULTS if "--records" not in given for word in ("--records", shown(path))]
    command = [*COMMAND, *results, *arguments]
    say("Running wekaconf " + shlex.join(command))
    return hand_over([BIN / "wekaconf", *command])


def check(files, options):
    """Raise SetUpError for anything but an ARFF file, before the bundled ones are used instead."""
    late = [word for before, word in itertools.pairwise(options) if is_file_name(before, word)]
    for path in [*files, *late]:
        if not Path(path).is_file():
            raise SetUpError(f"{path}: there is no such file; check the name and the folder.")
        if not path.endswith(ARFF):
            raise SetUpError(f"{path}: is not an ARFF file; name one that ends in {' or '.join(ARFF)}.")
    if late and not files:
        raise SetUpError(f"{late[0]}: name your files before the options.")


def is_file_name(before, word):
    """Whether a word among the options is neither an option nor the value of the one before it."""
    takes_value = before.startswith("-") and before not in FLAGS and "=" not in before
    return not word.startswith("-") and not takes_value


def shown(path):
    """``path`` relative to the current directory if it lies below, else in full."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


main(job)
