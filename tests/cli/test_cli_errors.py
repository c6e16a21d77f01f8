"""Errors of the command line: one style, whole words and colours on a terminal, and advice that helps."""

import errno
import os
import sys

import pytest
from support.command_line import COMMAND, IRIS
from support.terminals import on_a_terminal, without_escapes

import wekaconf as wc
from wekaconf.cli.commands import _notes_once
from wekaconf.cli.console import folded, tell
from wekaconf.cli.wording import error_text

LONG = f"{'a-rather-long-name/' * 3}and-a-file-that-is-not-there.arff"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "x.arff", "--foo"], "no such option '--foo'"),
        (["evaluate", "x.arff", "-x", "1"], "-x: expected a whole number of at least 2, or loo, got '1'"),
        (["evaluate", "x.arff", "--folds", "1"], "--folds: expected a whole number"),
        (["fit", "x.arff"], "-d is missing: save the model here"),
        (["fit", "x.arff", "-t", "y.arff", "-d", "m.wct"], "'y.arff' is one name too many: [DATA] is there already"),
        (["check", "x.wct"], "expected MODEL and FILE, or --scores behind a FILE"),
        (["list", "methods", "a", "b"], "got unexpected extra argument"),
        (["study", "rum"], "no such command 'rum'; did you mean "),
    ],
)
def test_errors_of_usage_have_the_style_of_all_errors(run, arguments, message):
    usage, error = run(*arguments).err.splitlines()
    names = arguments[: 2 if arguments[0] == "list" else 1]
    assert usage.startswith(f"Usage: wekaconf {' '.join(names)} ") and usage.endswith("--help' says more")
    assert error.startswith(f"error: {message}")


def test_the_usage_is_one_line_with_what_the_command_takes(run):
    usage, _ = run("fit", "x.arff").err.splitlines()
    assert usage == "Usage: wekaconf fit [OPTIONS] [DATA]; 'wekaconf fit --help' says more"


def shown_for(*arguments, **environment):
    """What a terminal of 50 columns gets on standard error."""
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    shown, _ = on_a_terminal([COMMAND, *arguments], inherited | {"COLUMNS": "50", "TERM": "xterm"} | environment)
    return shown


def test_no_word_is_broken_on_a_terminal(run):
    for arguments in (["evaluate", LONG], ["evaluate", str(IRIS), "--metod", "confdtree"], ["predict", LONG, LONG]):
        shown = without_escapes(shown_for(*arguments))
        assert [line for line in shown.splitlines() if len(line) > 50] == [
            line for line in shown.splitlines() if LONG in line
        ]
        assert " ".join(shown.split()) == " ".join(run(*arguments).err.split())


def test_colour_is_for_terminals_and_can_be_turned_off(run):
    assert shown_for("evaluate", "gone.arff").startswith("\x1b[31m\x1b[1merror:\x1b[0m gone.arff: no such file")
    assert shown_for("evaluate", "gone.arff", NO_COLOR="1").startswith("error: gone.arff: no such file")
    assert shown_for("evaluate", "gone.arff", NO_COLOR="").startswith("\x1b[31m")
    assert "\x1b" not in run("evaluate", "gone.arff").err + run("evaluate", "--help").out


# -- advice --------------------------------------------------------------------------------------------------------


def test_many_whole_numbers_may_name_classes(refused, tmp_path):
    rows = "".join(f"{'rome' if i % 3 else 'oslo'},{i % 7},{i % 40}\n" for i in range(400))
    (tmp_path / "digits.csv").write_text(f"city,x,digit\n{rows}")
    message = refused("evaluate", "digits.csv", "--learner", "CART", told=True)
    assert "; where its numbers name classes, read them as text, --type 'digit=nominal' (in ARFF: " in message
    assert message.endswith("; or choose another, such as 'city', with -c")


def test_a_note_is_printed_once_and_other_warnings_are_passed_on(capsys):
    passed = []
    show = _notes_once(lambda *given, **more: passed.append((given, more)))
    for text in ("first", "first", "second"):
        show(wc.Note(text), wc.Note, "file.py", 3)
    show("odd", UserWarning, "file.py", 3, line="x")
    show("odd", UserWarning, "file.py", 3, line="x")
    assert passed == 2 * [(("odd", UserWarning, "file.py", 3), {"line": "x"})]
    assert capsys.readouterr().err == "note: first\nnote: second\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("error: no", "\x1b[31m\x1b[1merror:\x1b[0m no\n"),
        ("warning: a: b", "\x1b[33m\x1b[1mwarning:\x1b[0m a: b\n"),
        ("note: yes", "\x1b[36m\x1b[1mnote:\x1b[0m yes\n"),
        ("odd: yes", "odd: yes\n"),
    ],
)
@pytest.mark.parametrize("is_wanted", [True, False])
def test_first_words_have_colours_on_a_terminal(capsys, monkeypatch, text, said, is_wanted):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "" if is_wanted else "1")
    tell(text)
    assert capsys.readouterr().err == (said if is_wanted else f"{text}\n")


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("100", 100), ("160", 100)])
def test_messages_fit_the_terminal_and_lines_that_can_be_read(monkeypatch, columns, width):
    """Words of one letter: a line of an even width has one blank less than it may."""
    monkeypatch.setenv("COLUMNS", columns)
    first, *further = folded("a " * 200, "> ", "    ").splitlines()
    assert first.startswith("> a a") and len(first) == width - 1
    assert all(line.startswith("    a") and len(line) == width - 1 for line in further[:-1])
    assert folded("a " * 200, "  ").splitlines()[-1].startswith("  a")


def test_memory_that_there_is_not():
    assert error_text(MemoryError()) == "there is not enough memory; give less data at a time"
    assert error_text(MemoryError("1 EiB")) == "there is not enough memory: 1 EiB; give less data at a time"


def test_errors_of_the_system_name_the_file():
    assert error_text(OSError(errno.ENOENT, "gone", "x.csv")) == "x.csv: gone"
    assert error_text(OSError(errno.EBADF, "bad", "x.csv")) == "x.csv: bad"
    assert error_text(OSError(errno.EBADF, "bad")).startswith("standard output is closed, so the result is lost")
    assert error_text(OSError(errno.ENOSPC, "full")) == "the output: full"
    assert error_text(OSError("odd")) == "the output: odd"
