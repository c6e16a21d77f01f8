"""The page on the house: its picture is that of today's imports, and its walk is the way that a command takes."""

import ast
import re
import sys

import docs_records
import house_picture

from wekaconf.cli import commands
from wekaconf.tree import _router as router

ROOT = docs_records.ROOT
PAGE = (ROOT / "docs" / "maintaining" / "house.md").read_text(encoding="utf-8")
ROOMS = [folder.name for folder in docs_records.room_folders()]


def test_picture_is_up_to_date():
    picture = house_picture.PICTURE.read_text(encoding="utf-8")
    assert house_picture.drawn(house_picture.imports_of_rooms()) == picture, "python scripts/house_picture.py"


def test_tests_lie_in_the_room_of_what_they_test():
    folders = {path.parent.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert folders - {".", "parity", "scripts"} == {*ROOMS}, "tests/<room>/test_<module>.py; flat: what tests the whole"


def test_rooms_enter_one_another_by_their_doors():
    """A module whose name, or whose folder's, begins with an underscore is its room's own."""
    package = ROOT / "wekaconf"
    entered = set()
    for path in package.rglob("*.py"):
        room = path.relative_to(package).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("wekaconf."):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
                entered |= {(room, name) for name in names if name.split(".")[1] != room}
    assert len(entered) > 500
    assert not {(room, name) for room, name in entered if any(part.startswith("_") for part in name.split(".")[1:-1])}
    private = {(room, name) for room, name in entered if name.split(".")[-1].startswith("_")}
    assert not {(room, name) for room, name in private if (ROOT / f"{name.replace('.', '/')}.py").exists()}


def test_implied_arrows_are_left_out():
    imports = {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"a", "b", "c"}}
    arrows = house_picture.not_implied(imports)
    assert arrows == {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"b", "c"}}
    assert house_picture.positions(arrows) == {"a": (0, 0), "b": (-0.5, 1), "c": (0.5, 1), "d": (0, 2)}


def test_a_command_comes_through_the_places_of_the_walk_in_their_order(jvm, compiled, tmp_path, monkeypatch):
    walk = re.findall(r"^\d+\. `([\w/]+)\.py`, `([\w.]+)`", PAGE, re.MULTILINE)
    assert len(walk) == 21
    (tmp_path / "train.csv").write_text("x,y,class\n" + "1,7,p\n2,5,p\n3,6,p\n4,5,q\n5,7,q\n6,6,q\n" * 3)
    (tmp_path / "new.csv").write_text("y,x\n5,1\n6,\n7,6\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(router, "COMPILED_FROM", 1)
    monkeypatch.setattr(router, "rows_so_far", {})
    command = ["predict", "-t", "train.csv", "-T", "new.csv", "-o", "answers.csv"]
    calls = calls_of(lambda: commands.main(command, standalone_mode=False))
    assert (tmp_path / "answers.csv").is_file()
    assert [place for place in calls if place in walk] == walk


def calls_of(run):
    """The functions of the package that a call runs, by file and name, in the order of their first calls."""
    package = f"{ROOT / 'wekaconf'}/"
    calls = {}

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(package):
            calls.setdefault((code.co_filename.removeprefix(package).removesuffix(".py"), code.co_qualname))

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return list(calls)


def test_each_room_is_the_answer_to_one_question():
    questions = re.findall(r"^\d+\. .+\? `(\w+)/`", PAGE, re.MULTILINE)
    assert sorted(questions) == sorted([*ROOMS, "scripts"])
    assert len(questions) <= 15
