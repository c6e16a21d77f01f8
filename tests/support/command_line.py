"""Where the data and the installed command are, and what the tests of the command line share."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARFF = ROOT / "arff"
IRIS, WINE, WAVEFORM = (ARFF / f"{name}.arff" for name in ("iris", "wine", "waveform-synthetic"))
MISSING = ARFF / "missing-weights.arff"
METHODS = ["leaf_frequency", "confdtree"]
COMMAND = Path(sys.executable).with_name("wekaconf")
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment in which Python holds output back, as it does for users."""
METRICS = ["percent_correct", "auc_mean", "auc_weighted", "auc_hand_till", "auc_wang2006", "auc_mean_no_ties", "brier"]
METRICS += ["log_loss", "ece", "auc_reliability", "percent_affected"]
HEADER = "@relation r\n@attribute x numeric\n@attribute y {p,q}\n@attribute class {a,b}\n@data\n"
ROWS = "1,p,a\n2,q,b\n3,p,a\n4,q,b\n"
NAMING = "1,p,a\n2,q,b\n3,r,a\n4,s,b\n"


def process(*arguments, **more):
    """Runs the installed command in a process of its own."""
    more = {"capture_output": True, "text": True, "timeout": 120, "env": BUFFERED} | more
    return subprocess.run([COMMAND, *map(str, arguments)], check=False, **more)


def arff(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def words(text):
    """A text with single spaces, however it was folded."""
    return " ".join(str(text).split())


def shown_numbers(printed, label="leaf_frequency"):
    """The numbers that the table shows in a method's lines: one, or where it is folded several."""
    lines = [line.split() for line in printed.splitlines() if line.split()[:1] == [label]]
    assert lines
    return [number for line in lines for number in line[1:]]
