"""Write tests/golden/: small mirrors with Weka's answers, which check routing without Java; what is drawn and printed.

Run it after an upgrade of Weka, or of what is printed; look at the differences before you commit them.

Most planted faults that no test saw changed a line that only people look at; a test for each would repeat the code.
What is kept here says that something changed, not that it is right: that is for tests by a paper or by Weka.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from support import command_interface, exported_texts, python_interface
from support.drawn import DRAWN, FIGURES, described
from support.printed import COMMANDS, PRINTED, lay_files, whole

import wekaconf as wc
from wekaconf.bridge.learners import WekaLearner

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "golden"
SCHEMES = {
    "j48": wc.J48("-M 5"),
    "j48-binary-laplace": wc.J48("-B -U -A"),
    "reptree": wc.REPTree("-P -M 6"),
    "randomtree-unclassified": wc.RandomTree("-U -K 1 -depth 5"),
}
N_TEST, N_TRAIN = 60, 100


def golden(train: wc.Dataset, test: wc.Dataset, learner: WekaLearner[Any]) -> dict[str, object]:
    """The mirror, the instances and Weka's answers, as JSON types; JSON keeps every bit of a float."""
    model, instances = learner.train_in_weka(train)
    tree = learner.mirror(model, instances, train)
    record, arrays = tree.to_arrays()
    return {
        "header": asdict(tree.header),
        "record": record,
        "arrays": {name: array.tolist() for name, array in arrays.items()},
        "values": test.values.tolist(),
        "distributions": model.distributions(test).tolist(),
        "classifications": model.classifications(test).tolist(),
    }


def main() -> None:
    data = wc.load_arff(ROOT / "arff" / "missing-weights.arff")
    train, test = data.take(np.arange(N_TEST, N_TEST + N_TRAIN)), data.take(np.arange(N_TEST))
    FOLDER.mkdir(exist_ok=True)
    for name, learner in SCHEMES.items():
        path = FOLDER / f"{name}.json"
        lines = [f'"{key}": {json.dumps(part)}' for key, part in golden(train, test, learner).items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")
    for declared in (command_interface, python_interface):
        declared.DECLARED.write_text(declared.interface(), encoding="utf-8")
    figures = [f"{name}\n{described(draw)}" for name, draw in FIGURES.items()]
    DRAWN.write_text("\n".join(figures), encoding="utf-8")
    exported_texts.write()
    write_printed()


def write_printed() -> None:
    """What each command of tests/support/printed.py prints, in a folder of its own."""
    for path in PRINTED.glob("*.txt"):
        path.unlink()
    PRINTED.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        lay_files(Path(name))
        for command, words in COMMANDS.items():
            text = whole(partial(_printed, name), words, Path(name))
            (PRINTED / f"{command}.txt").write_text(text, encoding="utf-8")
    print(f"{PRINTED.relative_to(ROOT)}: {len(COMMANDS)} files")


def _printed(folder: str, *words: str) -> tuple[str, str]:
    """What a command prints in a folder, on a terminal of 100 columns, and what it tells beside."""
    command = [sys.executable, "-m", "wekaconf", *words]
    environment = os.environ | {"COLUMNS": "100"}
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout, done.stderr


if __name__ == "__main__":
    main()
