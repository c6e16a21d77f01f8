"""Help pages, their examples, completion by the shell, and what starting the command line imports."""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from importlib.metadata import version

import click
import pytest
from support.command_interface import DECLARED, HOLDERS, SINGLE, interface
from support.command_line import ARFF, COMMAND, process
from support.needs import BASH

import wekaconf as wc
from wekaconf.cli.commands import COMMANDS, main
from wekaconf.cli.fetch import fetch_command
from wekaconf.cli.wording import help_examples, summary
from wekaconf.evaluation.protocol._splits import splits

CONTEXT = click.Context(main)
NOT_RUN = ("self compile", "weka explorer", "weka install", "weka uninstall", "weka status")
"""What takes a minute, opens a window, or has to do with the user's own Weka; tests of their own run them."""
COMPARED = ("compare", "methods")
GROUPS = ["Data", "Tables", "Method", "Learner", "Protocol", "Rejecting", "Output", "General"]


def examples(command):
    """The command lines at the end of a help page."""
    _, _, shown = command.epilog.partition("Example")
    return [line.strip() for line in shown.splitlines() if line.startswith("  wekaconf ")]


# -- help pages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SINGLE)
def test_options_stand_in_groups(good, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    page = good(*name.split(), "--help-all")
    headings = re.findall(r"^(\S.*):$", page, re.MULTILINE)
    assert headings[-1] in ("Example", "Examples")
    shown = [heading for heading in headings[:-1] if heading != "Positional arguments"]
    groups = [*GROUPS[:6], "Comparison", "Rows", *GROUPS[6:]]
    assert shown == ["Options"] or (shown == [group for group in groups if group in shown] and shown[-1] == "General")
    assert max(map(len, page.splitlines())) <= 80


def test_a_page_is_as_wide_as_can_be_read(good, monkeypatch):
    """And -h asks for it; what has no groups has options."""
    monkeypatch.setenv("COLUMNS", "160")
    assert max(map(len, good("evaluate", "--help-all").splitlines())) == 100
    page = good("self", "about", "-h")
    assert page == good("self", "about", "--help") and "\nOptions:\n  -v, --verbose  Report" in page


@pytest.mark.parametrize("name", ["", *HOLDERS, *SINGLE])
def test_help_is_short(good, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    page = good(*name.split(), "--help").splitlines()
    assert len(page) <= 60 and max(map(len, page)) <= 80
    assert not [line for line in page if line.endswith("...") and not line.startswith("Usage: ")]


@pytest.mark.parametrize("name", [name for name, command in SINGLE.items() if command.often])
def test_short_help_has_the_options_that_most_need(good, name):
    command = SINGLE[name]
    short, whole = good(*name.split(), "--help"), good(*name.split(), "--help-all")
    options = {each.opts[0]: each for each in command.params if isinstance(each, click.Option) and not each.hidden}
    assert len(command.often) <= 10 and set(command.often) <= {opt for each in options.values() for opt in each.opts}
    assert "--help-all" in short and f"Show all {len(options)} options" in short
    for first, option in options.items():
        is_often = bool({*option.opts} & {*command.often})
        assert (re.search(rf"^  {first}\b", short, re.MULTILINE) is not None) == (is_often or first == "--help-all")
        assert re.search(rf"^  {first}\b", whole, re.MULTILINE)


@pytest.mark.parametrize("name", HOLDERS)
def test_groups_list_their_commands_whole(good, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "80")
    words = " ".join(good(name, "--help").split())
    for other, command in HOLDERS[name].commands.items():
        assert f" {other} {summary(command)}" in words


def test_a_summary_is_the_first_sentence():
    for text, first in (
        ("Do this. Or\nthat. Or more.\n\nAt length.", "Do this."),
        ("Do\nthis\n\nSo.", "Do this."),
        (None, ""),
    ):
        assert summary(click.Command("do", help=text)) == first


def test_examples_are_announced():
    assert help_examples("wekaconf self about") == "\b\nExample:\n  wekaconf self about"
    assert (
        help_examples("wekaconf a\nwekaconf b", "wekaconf c")
        == "\b\nExamples:\n  wekaconf a\n  wekaconf b\n  wekaconf c"
    )


@pytest.mark.parametrize("name", SINGLE)
def test_every_option_says_what_it_does(name):
    """In a sentence that begins with a capital and ends."""
    for parameter in SINGLE[name].params:
        text = parameter.help.partition("  ")[0]
        assert re.fullmatch(r"[A-Z].*[.)]", text), (parameter.name, text)


def test_commands_declare_what_they_did_when_somebody_last_looked():
    """Of each option and argument of click the type, default, show_default, metavar, help and shell_complete, too."""
    assert interface().splitlines() == DECLARED.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SINGLE)
def test_defaults_are_shown(name):
    """Those that are words or numbers; `compare` wants two methods, so the one that others take is of no use there."""
    for parameter in SINGLE[name].params:
        if isinstance(parameter.default, str | tuple) and parameter.default and (name, parameter.name) != COMPARED:
            assert parameter.show_default, (name, parameter.name)


def test_front_page_lists_every_command_whole(good, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = good("--help")
    for name, text in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(text)}$", page, re.MULTILINE)
        assert main.get_command(CONTEXT, name).name == name
    assert 'eval "$(_WEKACONF_COMPLETE=bash_source wekaconf)"' in page


# -- examples ------------------------------------------------------------------------------------------------------


@pytest.fixture
def files(good, tmp_path):
    """What the examples name."""
    data = wc.load_arff(ARFF / "iris.arff")
    (train, new), *_ = splits(data, split=0.5)
    (tmp_path / "uci").mkdir()
    for name in ("iris", "wine", "coins"):
        shutil.copy(ARFF / f"{name}.arff", tmp_path)
        shutil.copy(ARFF / f"{name}.arff", tmp_path / "uci")
    wc.save_arff(tmp_path / "train.arff", data.take(train))
    wc.save_arff(tmp_path / "new.arff", data.take(new))
    good("predict", "-t", "train.arff", "-T", "new.arff", "-o", "old.csv", "-d", "model.wct")
    saved_by_weka("train.arff", "j48.model")
    return tmp_path


def promise_of_iris(good, files):
    """A model that makes a promise, and rows on which it can be checked, with a region."""
    frame = wc.load_arff(ARFF / "iris.arff").to_pandas()
    frame[::2].to_csv(files / "known.csv", index=False)
    frame[1::2].assign(region=["north", "south", "west"] * 25).to_csv(files / "labelled.csv", index=False)
    good("predict", "-t", "known.csv", "--target-error", "0.2", "--confidence", "0.8", "-d", "model.wct")
    scored = "".join(f"{y},a,{p}\n" for y in "aaaaaaaaab" for p in range(50, 100))
    (files / "a.csv").write_text(f"y,said,p\n{scored}")


def saved_by_weka(train, path):
    """A J48 in a file, written by Weka in a process of its own."""
    code = f"""
import jpype
from wekaconf.bridge import _jvm as jvm
jvm.ensure_started()
arguments = jpype.JArray(jpype.JString)(["-t", {train!r}, "-d", {path!r}, "-no-cv"])
jpype.JClass("weka.classifiers.Evaluation").evaluateModel(jpype.JClass("weka.classifiers.trees.J48")(), arguments)
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("name", ["", *HOLDERS, *(name for name in SINGLE if name not in NOT_RUN)])
@pytest.mark.drawn(6)
def test_examples_run(good, files, name):
    page = {"": main, **HOLDERS}.get(name) or SINGLE[name]
    lines = examples(page)
    assert lines
    if name.startswith("study"):
        (files / "study.toml").write_text('data = ["iris.arff"]\nmethods = ["confdtree"]\nfolds = 2\n')
        good("study", "run", "study.toml", "--store", "study.sqlite")
    if name == "check":
        promise_of_iris(good, files)
    if method := {"plot intervals": "confdtree", "plot weights": "shrinkage"}.get(name):
        good("fit", "train.arff", "--method", method, "-d", "model.wct")
    if name == "export":
        wc.load_arff("new.arff").to_pandas().to_csv("rows.csv", index=False)
    for line in lines:
        _, *arguments = shlex.split(line)
        assert " ".join(arguments).startswith(name)
        wanted = [word for word in arguments if re.search(r"\.(csv|png|html|wct|py|json|sql)$", word)]
        assert good(*arguments) or wanted
        assert all((files / path).stat().st_size for path in wanted)


# -- completion ----------------------------------------------------------------------------------------------------


class Bash:
    """An interactive bash that completes the command line; Control-T prints the line as it stands."""

    def __init__(self, folder):
        environment = os.environ | {"PS1": "$ ", "TERM": "dumb"}
        environment["PATH"] = f"{COMMAND.parent}{os.pathsep}{environment['PATH']}"
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)
        self.shown_after("""bind -x '"\\C-t": printf "<%s>\\n" "$READLINE_LINE"'\n""", "$ ")
        self.shown_after('eval "$(_WEKACONF_COMPLETE=bash_source wekaconf)"; echo "<re""ady>"\n', "<ready>")

    def shown_after(self, text, until):
        """What the terminal shows from then on."""
        os.write(self.terminal, text.encode())
        shown, end = "", time.monotonic() + 60
        while until not in shown:
            assert time.monotonic() < end, shown
            if select.select([self.terminal], [], [], 1)[0]:
                shown += os.read(self.terminal, 4096).decode()
        return shown

    def completed(self, line):
        """The line after TAB."""
        shown = self.shown_after(f"{line}\t\x14", ">\r\n")
        os.write(self.terminal, b"\x15")
        return re.search("<(.*)>", shown)[1]


@pytest.fixture(scope="module")
def bash(tmp_path_factory, program):
    program(BASH)
    folder = tmp_path_factory.mktemp("completing")
    (folder / "flowers.arff").write_text("")
    return Bash(folder)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("wekaconf ev", "wekaconf evaluate "),
        ("wekaconf evaluate --stra", "wekaconf evaluate --stratified "),
        ("wekaconf evaluate flo", "wekaconf evaluate flowers.arff "),
        ("wekaconf evaluate x.arff --method conf", "wekaconf evaluate x.arff --method confdtree "),
        ("wekaconf evaluate --learner REP", "wekaconf evaluate --learner REPTree "),
        ("wekaconf evaluate --leave-out h", "wekaconf evaluate --leave-out half "),
        ("wekaconf weka unin", "wekaconf weka uninstall "),
        ("wekaconf list methods boun", "wekaconf list methods boundary_distance "),
        ("wekaconf list learners info_gain_", "wekaconf list learners info_gain_bagging "),
    ],
)
def test_bash_completes(bash, typed, completed):
    assert bash.completed(typed) == completed


def test_names_of_commands_and_data_sets():
    assert main.list_commands(CONTEXT) == list(COMMANDS)
    [names] = [each for each in fetch_command.params if each.name == "names"]
    assert [item.value for item in names.shell_complete(CONTEXT, "solar-flare_")] == ["solar-flare_1", "solar-flare_2"]


# -- what is imported ----------------------------------------------------------------------------------------------

LOADED = """
import sys
sys.argv = ["wekaconf", *sys.argv[1:]]
from wekaconf.cli import run
try:
    run()
finally:
    slow = ("numpy", "wekaconf.experiments.runner", "scipy", "sklearn", "numba", "rich", "jpype")
    print(*(name for name in slow if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "loaded"),
    [(["--help"], ""), (["evaluat"], ""), (["evaluate", "--help"], "numpy"), (["list", "methods"], "numpy rich")],
)
def test_nothing_is_imported_that_is_not_needed(arguments, loaded):
    ended = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1] == loaded


@pytest.mark.parametrize("module", ["wekaconf", "wekaconf.cli"])
def test_module_is_the_command(module):
    ended = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout.split()[-1] == version("wekaconf")


def test_a_group_without_a_command_shows_its_help_and_fails():
    alone, asked = process("study"), process("study", "--help")
    assert (alone.returncode, asked.returncode) == (2, 0)
    assert (alone.stdout + alone.stderr).strip() == asked.stdout.strip()
