"""Files are written completely or not at all."""

import errno
import os
import stat
from contextlib import suppress

import pytest

from wekaconf.base import files
from wekaconf.base.errors import OptionError
from wekaconf.base.files import (
    atomic_write,
    is_stream,
    make_folder,
    read_stream,
    remove_unfinished,
    removed_afterwards,
)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", ["before", None])
def test_interrupted_writing_leaves_no_trace(tmp_path, error, before):
    path = tmp_path / "t.csv"
    if before:
        path.write_text(before)

    def write_half():
        with atomic_write(path) as stream:
            stream.write("half")
            stream.flush()
            raise error

    with pytest.raises(error):
        write_half()
    assert [p.read_text() for p in tmp_path.iterdir()] == ([before] if before else [])


def test_an_end_without_unwinding_removes_what_is_unfinished(tmp_path):
    """Also where a file that is to be removed was never made."""
    with atomic_write(tmp_path / "kept"):
        pass
    kept, made, none = (tmp_path / name for name in ("kept", "made", "none"))
    made.touch()
    with removed_afterwards(str(made)), removed_afterwards(str(none)), suppress(FileNotFoundError), \
            atomic_write(kept) as file:  # fmt: skip
        file.write("half")
        assert len(os.listdir(tmp_path)) == 3
        remove_unfinished()
        assert os.listdir(tmp_path) == ["kept"]
    assert (tmp_path / "kept").read_text() == ""
    assert not files._unfinished, "what is finished is not removed later"


def test_atomic_text_and_bytes(tmp_path):
    path = tmp_path / "t.csv"
    with atomic_write(path) as stream:
        stream.write("é\n\r\n")
    assert path.read_bytes() == b"\xc3\xa9\n\r\n"
    with atomic_write(path, "wb") as stream:
        stream.write(b"\xff")
        assert path.read_bytes() == b"\xc3\xa9\n\r\n"
    assert path.read_bytes() == b"\xff"


def test_a_library_error_while_writing_keeps_its_words(tmp_path):
    def fail():
        with atomic_write(tmp_path / "t.csv"):
            raise OSError("the column cannot be encoded")

    with pytest.raises(OSError, match=r"^the column cannot be encoded$"):
        fail()
    assert not [*tmp_path.iterdir()]


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")
def test_permissions_links_and_pipes_stay(tmp_path):
    path, link, fresh = tmp_path / "t.csv", tmp_path / "link.csv", tmp_path / "fresh.csv"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    for target in (link, fresh):
        with atomic_write(target) as stream:
            stream.write("after")
    (tmp_path / "plain").write_text("")
    assert link.is_symlink()
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o640
    assert fresh.stat().st_mode == (tmp_path / "plain").stat().st_mode
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with atomic_write(pipe) as stream:
        stream.write("after")
    assert os.read(reader, 100) == b"after"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_target_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "absent" / "t.csv"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(path):
        pass
    assert caught.value.filename == str(path)
    for name, told in ((None, path.name), ("other", "other")):
        with pytest.raises(OSError, match=r"full") as caught, atomic_write(path.name):
            raise OSError(errno.ENOSPC, "full", name)
        assert caught.value.filename == told


@pytest.mark.skipif(os.name != "posix", reason="pipes, devices and terminals of POSIX")
def test_what_can_be_read_only_once(tmp_path, monkeypatch):
    """A file that is opened under a number, too, since nobody can open it again; a terminal ends with ^D."""
    (tmp_path / "file").write_bytes(b"a,b\n")
    os.mkfifo(tmp_path / "pipe")
    master, terminal = os.openpty()
    os.write(master, b"typed\n\x04")
    with open(tmp_path / "file") as file:
        numbered = f"/dev/fd/{file.fileno()}"
        assert [is_stream(path) for path in ("-", numbered, str(tmp_path / "pipe"), "/dev/null")] == [True] * 4
        assert [is_stream(str(tmp_path / name)) for name in ("file", "", "none")] == [False] * 3
        assert (read_stream(numbered), read_stream(str(tmp_path / "file"))) == (b"a,b\n", None)
    assert read_stream(os.ttyname(terminal)) == b"typed\n"
    os.close(master), os.close(terminal)
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result((stat.S_IFBLK, *[0] * 9)))
    with pytest.raises(OSError, match=r"^it is a device; give a file or a pipe$"):
        read_stream("/dev/null")


def test_a_folder_for_what_is_finished(tmp_path):
    folder = tmp_path / "new" / "inner"
    assert make_folder(folder) == make_folder(str(folder)) == str(folder) and folder.is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(OptionError, match=r"file: is a file; name a folder, which may be new") as refused:
        make_folder(tmp_path / "file")
    assert refused.value.parameter == "path"
