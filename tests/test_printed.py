"""What commands print, whole, against what they printed when somebody last looked at it."""

import pytest
from support.printed import COMMANDS, PRINTED, lay_files, unlike, whole

pytestmark = pytest.mark.jvm


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the commands name, and those that they write."""
    folder = tmp_path_factory.mktemp("printed")
    lay_files(folder)
    return folder


def test_every_file_is_of_a_command():
    assert {path.stem for path in PRINTED.iterdir()} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.drawn(12)
def test_a_command_prints_what_it_did(good, monkeypatch, folder, name):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    if name.startswith(("explain", "show")) and not (folder / f"{name.split('-')[1]}.wct").exists():
        good(*COMMANDS[f"predict-{name.split('-')[1]}"].split())
    expected = (PRINTED / f"{name}.txt").read_text(encoding="utf-8")
    assert not unlike(whole(good, COMMANDS[name], folder), expected), f"{name}: see tests/support/printed.py"
