"""A PMML evaluator in a process of its own, since it brings a Java virtual machine: EVALUATOR.

Each line of the input is the name of a file and rows, as a JSON list; each line of the output their answers, without
what is missing.
"""

import json
import math
import sys
from pathlib import Path

sys.path = [path for path in sys.path if not Path(path, "java").is_dir()]  # the clone's java/ would hide Java's own


def jpmml(path):
    from jpmml_evaluator import make_evaluator

    return make_evaluator(path, backend="jpype").evaluate


def pmml4s(path):
    from pypmml import Model

    return Model.fromFile(path).predict


def is_known(value):
    return value is not None and not (isinstance(value, float) and math.isnan(value))


if __name__ == "__main__":
    opened = {"jpmml": jpmml, "pmml4s": pmml4s}[sys.argv[1]]
    for line in sys.stdin:
        path, rows = json.loads(line)
        evaluate = opened(path)
        answers = [{name: value for name, value in evaluate(row).items() if is_known(value)} for row in rows]
        print(json.dumps(answers), flush=True)
