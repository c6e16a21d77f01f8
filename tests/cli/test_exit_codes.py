"""The exit codes are those of the documented table, in real processes."""

import re
import signal
import subprocess
from pathlib import Path

import pytest
from support.command_line import COMMAND, IRIS

import wekaconf as wc
from wekaconf.cli.console import ExitCode

TABLE = Path(__file__).parents[2] / "docs" / "command-line.md"


def documented():
    """The first column of the table of exit codes."""
    rows = TABLE.read_text().partition("| exit code | meaning |\n")[2].partition("\n\n")[0].splitlines()[1:]
    return [int(code) for row in rows for code in re.findall(r"\d+", row.split("|")[1])]


def test_the_table_has_every_code():
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    assert documented() == [*ExitCode, *(128 + number for number in signals)]


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """A folder with a model that promises something, and files of which one is like its training data."""
    folder = tmp_path_factory.mktemp("night")
    iris = wc.load_arff(IRIS).to_pandas()
    length, flower = iris.columns[0], iris.columns[-1]
    later = iris[1::2]
    iris[::2].to_csv(folder / "train.csv", index=False)
    later.to_csv(folder / "later.csv", index=False)
    later.assign(**{length: later[length] + 40}).to_csv(folder / "unlike.csv", index=False)
    later.assign(**{flower: later[flower].to_numpy()[::-1]}).to_csv(folder / "wrong.csv", index=False)
    fit = (COMMAND, "fit", "train.csv", "--learner", "CART", "--target-error", "0.2", "--confidence", "0.9", "-q")
    subprocess.run([*fit, "-d", "m.wct"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("predict", "m.wct", "later.csv", "-o", "a.csv", "--strict", "file"), ExitCode.DONE),
        (("predict", "m.wct", "none.csv", "-o", "a.csv"), ExitCode.ERROR),
        (("predict", "m.wct", "later.csv", "--no-such-option"), ExitCode.USAGE),
        (("predict", "m.wct", "unlike.csv", "-o", "a.csv", "--strict", "file"), ExitCode.UNLIKE_TRAINING),
        (("predict", "m.wct", "unlike.csv", "-o", "a.csv"), ExitCode.DONE),
        (("check", "m.wct", "later.csv"), ExitCode.DONE),
        (("check", "m.wct", "wrong.csv"), ExitCode.PROMISE_BROKEN),
        (("check", "m.wct", "none.csv"), ExitCode.ERROR),
    ],
)
def test_a_process_ends_with_the_documented_code(night, words, code):
    ended = subprocess.run([COMMAND, *words], cwd=night, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
