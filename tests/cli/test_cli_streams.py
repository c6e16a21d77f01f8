"""The command line where a standard stream is closed, has no room, or does not hold every character."""

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.fresh_python import environment
from support.needs import BASH

from wekaconf.cli import streams
from wekaconf.report.printing import print_json_text

IRIS = Path(__file__).parents[2] / "arff" / "iris.arff"
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


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.drawn(1)
def test_a_table_has_plain_rules_and_the_same_columns(encoding, jvm):
    command = ("evaluate", IRIS, "--metric", "auc_mean_no_ties", "-v")
    lines = printed(encoding, *command).splitlines()
    whole = printed("utf-8", *command)
    assert "─" in whole and "½" in whole
    assert [line.replace("1/2", "½") for line in lines] == whole.replace("─", "-").splitlines()


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
@pytest.mark.drawn(1)
def test_names_of_other_alphabets(encoding, tmp_path, jvm):
    data = tmp_path / "classes.arff"
    data.write_text(CLASSES, encoding="utf-8")
    rows = printed(encoding, "predict", "-t", data, "-T", data)
    assert ("é->-" if encoding == "latin-1" else "\\xe9->-") in rows and "\\u0436" in rows
    printed(encoding, "tree", data)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
@pytest.mark.drawn(1)
def test_json_stays_json(encoding, tmp_path, jvm):
    data = tmp_path / "é→–.arff"
    data.write_text(CLASSES, encoding="utf-8")
    (record,) = json.loads(printed(encoding, "evaluate", data, "-x", "2", "--json"))
    assert "é→–" in json.dumps(record, ensure_ascii=False)
    assert "é→–" in json.dumps(json.loads(printed(encoding, "tree", data, "--format", "json")), ensure_ascii=False)


# -- closed streams and full disks ---------------------------------------------------------------------------------

LOST = "error: standard output is closed, so the result is lost; send it to a file or a pipe\n"


def with_streams(redirections, *arguments, **changes):
    """What a command does whose standard streams a shell has redirected or closed."""
    command = shlex.join([sys.executable, "-m", "wekaconf", *map(str, arguments)])
    return subprocess.run(["sh", "-c", f"exec {command} {redirections}"], env=environment(**changes),
                          capture_output=True, text=True, timeout=120, check=False)  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that answers without Java."""
    path = tmp_path_factory.mktemp("model") / "m.wct"
    printed("utf-8", "predict", "-t", IRIS, "--learner", "CART", "-d", path)
    return path


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("closed", [">&-", "<&- >&-"])
@pytest.mark.parametrize(
    "command",
    [["evaluate", IRIS, "--learner", "CART", "-x", "2"], ["evaluate", IRIS, "--learner", "CART", "-x", "2", "--json"],
     ["weka", "folds", IRIS, "-x", "2"], ["list", "methods"], ["--help"], ["self", "about"]],
    ids=lambda words: " ".join(map(str, words)).replace(str(IRIS), "iris"),
)  # fmt: skip
@pytest.mark.drawn(4)
def test_a_result_that_nobody_can_read_is_an_error(command, closed, unbuffered):
    ended = with_streams(closed, *command, PYTHONUNBUFFERED=unbuffered)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.endswith(LOST) and ended.stderr.count("error") == 1 and "Traceback" not in ended.stderr


def test_words_that_cannot_be_written_count_as_written():
    with streams.LossyFile("/dev/full", "w") as file:
        assert file.write(b"lost") == 4


def test_a_result_in_a_file_needs_no_standard_output(model, tmp_path):
    ended = with_streams(">&-", "predict", "-l", model, "-T", IRIS, "-o", tmp_path / "a.csv")
    assert ended.returncode == 0 and "150 rows answered" in " ".join(ended.stderr.split())
    with open(tmp_path / "a.csv") as file:
        assert len(file.readlines()) == 151


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("lost", ["2>&-", "2>/dev/full"])
@pytest.mark.drawn(1)
def test_words_that_nobody_can_read_do_not_end_the_work(model, tmp_path, lost, unbuffered):
    whole = with_streams("", "predict", "-l", model, "-T", IRIS).stdout
    ended = with_streams(lost, "predict", "-l", model, "-T", IRIS, "-v", PYTHONUNBUFFERED=unbuffered)
    assert (ended.returncode, ended.stdout) == (0, whole)
    said = with_streams(lost, "predict", "-l", model, "-T", IRIS, "-o", tmp_path / "a.csv", PYTHONUNBUFFERED=unbuffered)
    assert said.returncode == 0 and (tmp_path / "a.csv").read_text() == whole
    assert with_streams(lost, "predict", "--nothing", PYTHONUNBUFFERED=unbuffered).returncode == 2
    assert with_streams(f">&- {lost}", "list", "methods", PYTHONUNBUFFERED=unbuffered).returncode == 1


def test_closed_standard_input(model):
    ended = with_streams("<&-", "predict", "-l", model, "-T", "-")
    why = "-: standard input cannot be read: Bad file descriptor; send it a file or a pipe"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", f"error: {why}\n")


def test_streams_that_are_no_files_stay_as_they_are():
    stream = io.StringIO()
    assert streams._lossy(stream) is stream and streams._replacing_characters(stream) is stream
    with pytest.raises(UnicodeDecodeError, match="invalid start byte"):
        streams._replacement(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"))


# -- names that Python has not decoded -----------------------------------------------------------------------------

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
"""Names on the command line, and what is printed, are ASCII."""
UTF8 = {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": ""}


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are any bytes")
@pytest.mark.parametrize(
    ("name", "surroundings", "shown"),
    [("größe😀".encode(), PLAIN, r"gr\xf6\xdfe\U0001f600"), ("größe😀".encode(), UTF8, "größe😀"),
     (b"gr\xf6\xdfe", PLAIN, r"gr\xf6\xdfe"), (b"gr\xf6\xdfe", UTF8, r"gr\xf6\xdfe")],
    ids=["UTF-8 in C", "UTF-8", "Latin-1 in C", "Latin-1"],
)  # fmt: skip
@pytest.mark.drawn(1)
def test_files_are_called_what_they_are_called(name, surroundings, shown, tmp_path, jvm):
    """No half of a surrogate pair is printed or written, and what is named in the locale C is found."""
    (tmp_path / os.fsdecode(name + b".arff")).write_bytes(IRIS.read_bytes())

    def run(*arguments):
        command = [sys.executable.encode(), b"-m", b"wekaconf", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment(**surroundings), capture_output=True, check=False)
        assert b"Traceback" not in done.stderr and b"\\udc" not in done.stdout + done.stderr, done.stderr
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    files = (b"--records", name + b".csv", b"--records", name + b".json", b"--store", name + b".db")
    code, out, _ = run(b"evaluate", name + b".arff", b"-x", b"2", b"-q", *files)
    assert code == 0 and shown in out.splitlines()
    [record] = json.loads((tmp_path / os.fsdecode(name + b".json")).read_text(encoding="utf-8"))
    assert record["dataset"] == (shown if b"\xf6" in name else "größe😀")
    assert run(b"predict", b"-t", name + b".arff", b"-d", name + b".wct", b"-q")[0] == 0
    assert f"trained on: {shown}" in run(b"show", name + b".wct")[1].splitlines()
    missing = run(b"show", name + b".none")
    assert missing[0] == 1 and missing[2].startswith(f"error: {shown}.none: ")


@pytest.mark.skipif(sys.platform != "linux", reason="names on the command line that are any bytes")
@pytest.mark.parametrize("surroundings", [PLAIN, UTF8], ids=["C", "UTF-8"])
@pytest.mark.drawn(1)
def test_columns_are_found_by_names_in_any_locale(surroundings, tmp_path):
    (tmp_path / "t.csv").write_text("größe,c\n" + "".join(f"{n},{'ab'[n > 4]}\n" for n in range(10)))
    for options in (("--type", "größe=nominal"), ("--ignore", "größe")):
        done = subprocess.run(
            [sys.executable, "-m", "wekaconf", "tree", "t.csv", "--learner", "info_gain", *options, "-q"],
            cwd=tmp_path, env=environment(**surroundings), capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="names of files that are any bytes")
@pytest.mark.parametrize(
    ("name", "surroundings"),
    [
        (b"gr\xf6\xdfe", UTF8),
        ("größe ’n’ it's".encode(), PLAIN),
        ("größe ’n’ it's".encode(), UTF8),
        (b"long " * 40, UTF8),
    ],
    ids=["Latin-1", "UTF-8 in C", "UTF-8", "long"],
)
@pytest.mark.drawn(1)
def test_commands_to_paste(name, surroundings, program, tmp_path):
    """What a command says to type names the file that it read or wrote, however wide the screen is."""
    data, model = name + b".arff", name + b".wct"
    (tmp_path / os.fsdecode(data)).write_bytes(IRIS.read_bytes())

    def said(*arguments):
        command = [sys.executable.encode(), b"-m", b"wekaconf", *arguments, b"--learner", b"CART"]
        done = subprocess.run(command, cwd=tmp_path, env=environment(**surroundings, COLUMNS="60"), capture_output=True,
                              check=True)  # fmt: skip
        return (done.stdout + done.stderr).rpartition(b"wekaconf ")[2].partition(b"\n\n")[0]

    def words(typed):
        line = b"printf '%s\\0' " + typed
        return subprocess.run([program(BASH), "-c", line], capture_output=True, check=True).stdout.split(b"\0")

    advised = words(said(b"advise", data, b"--budget", b"0.001s", b"-q"))
    assert advised[:5] == [b"predict", b"-t", data, b"-T", b"NEW"]
    assert words(said(b"predict", b"-t", data, b"-d", model)) == [b"show", model, b""]


@pytest.mark.skipif(os.name != "posix", reason="a shell that closes a stream")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_processes_that_a_command_starts_get_the_streams_that_were_closed(closed, tmp_path):
    """Else the first file that they open would take the number of the stream."""
    child = "import os; [os.fstat(number) for number in range(3)]; os.open('reached', os.O_CREAT)"
    code = f"""
import subprocess, sys
from wekaconf.cli.streams import open_streams
open_streams()
subprocess.run([sys.executable, "-c", {child!r}], check=True)
"""
    subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {closed}', sys.executable, "-c", code], cwd=tmp_path, env=environment(),
        check=False,
    )  # fmt: skip
    assert (tmp_path / "reached").exists()


@pytest.mark.parametrize(
    ("encoding", "written"), [("ascii", rb"\u00e9"), ("cp1252", rb"\u00e9"), ("utf-8", b"\xc3\xa9")]
)
def test_json_is_ascii_where_the_stream_is_not_unicode(encoding, written, monkeypatch):
    held = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(held, encoding))
    print_json_text('{"é": 1}')
    sys.stdout.flush()
    assert held.getvalue() == b'{"' + written + b'": 1}'
