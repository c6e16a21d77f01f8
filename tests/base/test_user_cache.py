"""The folder for what is executed when it is read: nobody else can have written it, and what is not used goes."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wekaconf.base.user_cache import STAMP, existing_folder, keep, kept, mark_used, private_folder

DAY = 86_400.0
LARGEST_AGE = 30 * DAY
SHORTLY = 20.0
DIGEST, OTHER = "0123456789abcdef" * 2, "f" * 32
posix = pytest.mark.skipif(os.name == "nt", reason="needs owners and modes of files")
superuser = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can give files away"
)


@pytest.fixture
def caches(tmp_path, monkeypatch):
    """A folder for caches, which XDG_CACHE_HOME names, and an empty home; another folder is the current one."""
    for name in ("caches", "home", "here"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "caches"


def of_home(caches):
    return str(caches.parent / "home" / ".cache" / "wekaconf" / DIGEST)


# -- where -----------------------------------------------------------------------------------------------------------


@posix
def test_new_folders_are_private(caches, monkeypatch):
    assert private_folder(DIGEST) == str(caches / "wekaconf" / DIGEST)
    monkeypatch.delenv("XDG_CACHE_HOME")
    before = os.umask(0)
    try:
        assert private_folder(DIGEST) == of_home(caches)
    finally:
        os.umask(before)
    made = [*caches.rglob("*"), *(caches.parent / "home").rglob("*")]
    assert len(made) == 5 and {path.stat().st_mode & 0o777 for path in made} == {0o700}


def test_a_cache_that_is_named_is_the_only_one(caches, tmp_path):
    assert private_folder(DIGEST, str(tmp_path / "mine")) == str(tmp_path / "mine" / "wekaconf" / DIGEST)
    with pytest.raises(OSError, match="No such file"):
        private_folder(DIGEST, str(tmp_path / "no" / "parent"))
    assert not any(caches.iterdir())


@pytest.mark.parametrize(
    ("platform", "place"), [("darwin", "home/Library/Caches"), ("win32", "local"), ("linux", "home/.cache")]
)
def test_every_system_has_its_own_place(caches, tmp_path, monkeypatch, platform, place):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    monkeypatch.setattr(sys, "platform", platform)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    assert private_folder(DIGEST) == str(tmp_path / place / "wekaconf" / DIGEST)


def make_shared(caches):
    (caches / "wekaconf").mkdir()
    (caches / "wekaconf").chmod(0o770)


def make_shared_inside(caches):
    (caches / "wekaconf" / DIGEST).mkdir(parents=True)
    (caches / "wekaconf").chmod(0o700)
    (caches / "wekaconf" / DIGEST).chmod(0o702)


def make_link(caches):
    (caches / "elsewhere").mkdir(mode=0o700)
    (caches / "wekaconf").symlink_to(caches / "elsewhere")


def make_link_inside(caches):
    (caches / "wekaconf").mkdir(mode=0o700)
    (caches / "elsewhere").mkdir(mode=0o700)
    (caches / "wekaconf" / DIGEST).symlink_to(caches / "elsewhere")


def make_file(caches):
    (caches / "wekaconf").touch()


def give_away(caches):
    os.chown(caches, 54321, -1)


def give_away_inside(caches):
    (caches / "wekaconf" / DIGEST).mkdir(parents=True, mode=0o700)
    (caches / "wekaconf").chmod(0o700)
    os.chown(caches / "wekaconf" / DIGEST, 54321, -1)


@posix
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (make_shared, "may be written by others"),
        (make_shared_inside, "may be written by others"),
        (make_link, "is a link or a file"),
        (make_link_inside, "is a link or a file"),
        (make_file, "is a link or a file"),
        pytest.param(give_away, "belongs to somebody else", marks=superuser),
        pytest.param(give_away_inside, "belongs to somebody else", marks=superuser),
    ],
)
def test_a_folder_of_others_is_passed_over_or_refused(caches, spoil, why):
    spoil(caches)
    last = caches.parent / "home" / ".cache"
    assert private_folder(DIGEST) == str(last / "wekaconf" / DIGEST)
    shutil.rmtree(last)
    last.mkdir()
    spoil(last)
    with pytest.raises(OSError, match=why) as refused:
        private_folder(DIGEST)
    assert refused.value.filename.startswith(str(last))


@superuser
def test_no_folder_is_made_in_the_home_of_somebody_else(caches, monkeypatch):
    """As a superuser would who has kept HOME."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    os.chown(caches.parent / "home", 54321, -1)
    with pytest.raises(OSError, match="belongs to somebody else"):
        private_folder(DIGEST)
    assert not os.listdir(caches.parent / "home")


@pytest.mark.parametrize("place", [".", "sub", "../here/sub"])
def test_never_below_the_current_folder(caches, monkeypatch, place):
    """What was unpacked there may come from anybody."""
    (caches.parent / "here" / "sub").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    assert private_folder(DIGEST) == of_home(caches)
    monkeypatch.setenv("XDG_CACHE_HOME", os.path.abspath(place))
    assert private_folder(DIGEST) == of_home(caches)
    assert not os.listdir(caches.parent / "here" / "sub")


@pytest.mark.parametrize("here", ["home", ".", "/"])
def test_a_user_may_work_at_home(caches, monkeypatch, here):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.chdir(caches.parent / here)
    assert private_folder(DIGEST) == of_home(caches)


def test_the_current_folder_may_be_gone(caches):
    os.rmdir(os.getcwd())
    assert private_folder(DIGEST) == str(caches / "wekaconf" / DIGEST)


@superuser
def test_no_home_at_all():
    """A user whom the system does not know, without HOME."""
    code = "import os; from wekaconf.base import user_cache; os.setuid(54321); user_cache.private_folder('0' * 32)"
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ended.stderr.splitlines()[-1].endswith("is not absolute: '~/.cache'")


@posix
def test_a_folder_that_was_made_before_is_found_and_none_is_made(caches):
    """A link or a file in its place is passed over."""
    assert existing_folder("models") is None and not any(caches.rglob("*"))
    at_home = caches.parent / "home" / ".cache" / "wekaconf" / "models"
    at_home.mkdir(parents=True)
    assert existing_folder("models") == str(at_home)
    assert private_folder("models") == existing_folder("models") == str(caches / "wekaconf" / "models")
    (caches / "wekaconf" / "models").rmdir()
    (caches / "wekaconf" / "models").symlink_to(at_home)
    assert existing_folder("models") == str(at_home)
    (caches / "wekaconf" / "models").unlink()
    (caches / "wekaconf" / "models").touch()
    assert existing_folder("models") == str(at_home)


@superuser
def test_a_folder_of_somebody_else_is_not_found(caches):
    os.chown(private_folder("models"), 54321, -1)
    assert existing_folder("models") is None


# -- what ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(caches):
    return private_folder(DIGEST)


def test_what_is_kept_is_found(folder):
    assert kept(folder, "code") is None
    for content in (b"one", b"", b"two"):
        keep(folder, "code", content)
        assert kept(folder, "code") == content
    assert kept(folder, "other") is None
    assert sorted(os.listdir(folder)) == ["code", STAMP]


@pytest.mark.parametrize(
    "spoil", [lambda b: b[:-1], lambda b: b[:40] + b"\0" + b[41:], lambda b: b"", lambda b: b[:20]]
)
def test_damage_is_noticed(folder, spoil):
    keep(folder, "code", b"what was compiled")
    path = Path(folder, "code")
    path.write_bytes(spoil(path.read_bytes()))
    assert kept(folder, "code") is None
    keep(folder, "code", b"what was compiled")
    assert kept(folder, "code") == b"what was compiled"


def test_a_file_under_another_name_is_not_taken(folder):
    keep(folder, "code", b"what was compiled")
    os.rename(Path(folder, "code"), Path(folder, "other"))
    assert kept(folder, "other") is None


@posix
def test_a_link_is_not_followed(folder, tmp_path):
    keep(folder, "code", b"what was compiled")
    os.rename(Path(folder, "code"), tmp_path / "code")
    Path(folder, "code").symlink_to(tmp_path / "code")
    assert kept(folder, "code") is None


@superuser
def test_a_file_of_somebody_else_is_not_taken(folder):
    keep(folder, "code", b"what was compiled")
    os.chown(Path(folder, "code"), 54321, -1)
    assert kept(folder, "code") is None


def test_a_folder_that_was_removed_is_made_again(folder, caches):
    keep(folder, "code", b"what was compiled")
    for name in os.listdir(folder):
        os.unlink(Path(folder, name))
    os.rmdir(folder)
    assert kept(folder, "code") is None
    keep(folder, "code", b"what was compiled")
    assert kept(folder, "code") == b"what was compiled"


# -- how long --------------------------------------------------------------------------------------------------------


def aged(folder, seconds, *, stamp=True):
    """The folder, made and last used so long ago."""
    Path(folder).mkdir(mode=0o700, exist_ok=True)
    then = time.time() - seconds
    Path(folder, "code").write_bytes(b"code")
    if stamp:
        Path(folder, STAMP).touch()
        os.utime(Path(folder, STAMP), (then, then))
    os.utime(folder, (then, then))
    return Path(folder)


def test_unused_folders_go(folder, monkeypatch):
    neighbours = Path(folder).parent
    old = [
        aged(neighbours / OTHER, LARGEST_AGE + SHORTLY),
        aged(neighbours / ("e" * 32), LARGEST_AGE + SHORTLY, stamp=False),
    ]
    half_removed = aged(neighbours / f"{'d' * 32}.12ab", LARGEST_AGE + SHORTLY)
    used = aged(neighbours / ("a" * 32), LARGEST_AGE - SHORTLY)
    written = aged(neighbours / ("b" * 32), LARGEST_AGE + SHORTLY)
    Path(written, "more").touch()
    began = aged(neighbours / ("c" * 32), LARGEST_AGE + SHORTLY)
    os.utime(began / STAMP)
    moved = []
    monkeypatch.setattr(os, "rename", lambda *paths, rename=os.rename: moved.append(Path(paths[0])) or rename(*paths))
    mark_used(folder)
    assert {*moved} == {*old, half_removed}
    assert not any(path.exists() for path in (*old, half_removed))
    assert sorted(path.name[0] for path in neighbours.iterdir()) == ["0", "a", "b", "c"]
    assert all((path / "code").exists() for path in (used, written, began))


def test_a_folder_that_is_used_while_it_goes_comes_back(folder, monkeypatch):
    old = aged(Path(folder).parent / OTHER, LARGEST_AGE + SHORTLY)

    def rename(source, target, rename=os.rename):
        os.utime(Path(source, STAMP))
        rename(source, target)

    monkeypatch.setattr(os, "rename", rename)
    mark_used(folder)
    assert sorted(os.listdir(old)) == sorted(["code", STAMP])
    assert sorted(os.listdir(old.parent)) == [DIGEST, OTHER]


def test_what_is_not_ours_stays(folder, tmp_path):
    neighbours = Path(folder).parent
    target = aged(tmp_path / "target", LARGEST_AGE + SHORTLY)
    link = neighbours / OTHER
    link.symlink_to(target)
    others = [aged(neighbours / name, LARGEST_AGE + SHORTLY) for name in ("models", "f" * 33, f"{'f' * 32}.1-kept")]
    holds_a_folder = aged(neighbours / ("e" * 32), LARGEST_AGE + SHORTLY)
    (holds_a_folder / "inner").mkdir()
    (holds_a_folder / "inner" / "file").touch()
    holds_a_link = aged(neighbours / ("d" * 32), LARGEST_AGE + SHORTLY)
    (holds_a_link / "link").symlink_to(target)
    os.utime(holds_a_link, (0, 0))
    mark_used(folder)
    assert link.is_symlink() and all((path / "code").exists() for path in (target, *others))
    assert [path.name for path in neighbours.glob("*/inner/file")] == ["file"]
    assert not holds_a_link.exists()


def test_use_is_noted_and_neighbours_are_looked_at_once_a_day(folder):
    keep(folder, "code", b"what was compiled")
    stamp, old = Path(folder, STAMP), Path(folder).parent / OTHER
    for hours, goes in ((23, False), (25, True)):
        aged(old, LARGEST_AGE + SHORTLY)
        then = time.time() - hours * 3600
        os.utime(stamp, (then, then))
        assert kept(folder, "code") == b"what was compiled"
        assert (time.time() - stamp.stat().st_mtime < 60) == goes
        assert old.exists() != goes
