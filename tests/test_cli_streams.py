"""The command line where standard output does not hold every character."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.fresh_python import environment

IRIS = Path(__file__).parents[1] / "arff" / "iris.arff"
CLASSES = """@relation "läßt → –"
@attribute x numeric
@attribute class {"é→–", "ж"}
@data
1,"é→–"
2,"é→–"
3,"ж"
4,"ж"
5,"ж"
"""


def printed(encoding, *arguments):
    """What a command prints, which must be of that encoding."""
    done = subprocess.run(
        [sys.executable, "-m", "wekaconf", *map(str, arguments)], env=environment(PYTHONIOENCODING=encoding),
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr
    done.stderr.decode(encoding)
    return done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
def test_a_table_has_plain_rules_and_the_same_columns(encoding, jvm):
    lines = printed(encoding, "evaluate", IRIS).splitlines()
    whole = printed("utf-8", "evaluate", IRIS)
    assert "─" in whole and "½" in whole
    assert [line.replace("1/2", "½") for line in lines] == whole.replace("─", "-").splitlines()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("command", [["methods", "boundary_distance"], ["predict", "-h"]])
def test_reference_and_help(encoding, command):
    whole = printed("utf-8", *command)
    assert not whole.isascii()
    assert len(printed(encoding, *command).splitlines()) == len(whole.splitlines())


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_names_of_other_alphabets(encoding, tmp_path, jvm):
    data = tmp_path / "classes.arff"
    data.write_text(CLASSES, encoding="utf-8")
    rows = printed(encoding, "predict", "-t", data, "-T", data)
    assert ("é->-" if encoding == "latin-1" else "\\xe9->-") in rows and "\\u0436" in rows
    printed(encoding, "tree", data)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_json_stays_json(encoding, tmp_path, jvm):
    data = tmp_path / "é→–.arff"
    data.write_text(CLASSES, encoding="utf-8")
    (record,) = json.loads(printed(encoding, "evaluate", data, "-x", "2", "--json"))
    assert "é→–" in json.dumps(record, ensure_ascii=False)
    assert "é→–" in json.dumps(json.loads(printed(encoding, "tree", data, "--format", "json")), ensure_ascii=False)
