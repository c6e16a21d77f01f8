"""What commands print, whole, against what they printed when somebody last looked at it."""

import re
import shlex

import pytest
from support.printed import COMMANDS, PRINTED, REPLICATED, lay_files, unlike, whole

from wekaconf.replication.papers import PAPERS

pytestmark = pytest.mark.jvm
OF_A_MODEL = ("explain-", "show-", "page-", "export-")
"""How the names of commands begin that read the model which the command of predict with the same method writes."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the commands name, and those that they write."""
    folder = tmp_path_factory.mktemp("printed")
    lay_files(folder)
    return folder


def test_every_file_is_of_a_command():
    assert {path.stem for path in PRINTED.iterdir()} == set(COMMANDS)


def test_every_paper_is_replicated():
    assert set(REPLICATED) == set(PAPERS)


def test_no_command_fails():
    assert not any(re.search("^error: ", path.read_text("utf-8"), re.MULTILINE) for path in PRINTED.iterdir())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_what_it_did(run, monkeypatch, folder, name):
    def printed(*words):
        ended = run(*words)
        assert ended.code == 0, ended.err
        return ended.out, ended.err

    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    if name.startswith(OF_A_MODEL) and not (folder / f"{name.split('-')[1]}.wct").exists():
        printed(*shlex.split(COMMANDS[f"predict-{name.split('-')[1]}"]))
    expected = (PRINTED / f"{name}.txt").read_text(encoding="utf-8")
    assert not unlike(whole(printed, COMMANDS[name], folder), expected), f"{name}: see tests/support/printed.py"
