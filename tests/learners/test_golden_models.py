"""Weka's ``.model`` files without Weka: golden files of other versions, and files from strangers."""

import gzip
import struct
import time
from pathlib import Path

import numpy as np
import pytest

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.learners.foreign._java_stream import MAGIC, contents

FOLDER = Path(__file__).parents[1] / "golden" / "models"
GOLDEN = sorted(path for path in FOLDER.glob("*.model") if "weka-3.6" not in path.name)
J48 = FOLDER / "weka-3.9.5-j48.model"


@pytest.fixture(scope="module")
def data():
    return wc.load_arff("arff/missing-weights.arff")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_answers_of_other_versions_of_weka(path, data):
    wanted = np.array(
        [[float.fromhex(share) for share in row.split()] for row in path.with_suffix(".txt").read_text().splitlines()]
    )
    mirror = wc.mirror(path)
    assert mirror.header == data.header
    np.testing.assert_array_equal(mirror.predict_proba(data)[: len(wanted)], wanted)


def test_versions_that_are_tried():
    assert {path.name.split("-")[1] for path in GOLDEN} == {"3.9.3", "3.9.5"}


def test_weka_3_6_is_refused_by_name():
    with pytest.raises(wc.ModelFileError, match=r"j48\.model: was saved by Weka 3\.6 or older; build the classifier"):
        wc.mirror(FOLDER / "weka-3.6.14-j48.model")


@pytest.mark.parametrize("name", ["confdtree", "shrinkage", "m_branch", "curtailment", "ling_yan", "leaf_frequency"])
def test_methods_read_the_mirror_of_a_file(name, data, tmp_path):
    method = wc.method(name).fit(wc.mirror(J48), data)
    wc.Model(method).save(tmp_path / "m.wct")
    np.testing.assert_array_equal(wc.load(tmp_path / "m.wct").predict_proba(data), method.predict_proba(data))


# ---- damaged files ----


def refusal(tmp_path, content):
    """The message about a file with this content, which must come in ten seconds of the processor."""
    path = tmp_path / "stranger.model"
    path.write_bytes(content)
    began = time.thread_time()
    with pytest.raises(wc.ModelFileError) as caught:
        wc.mirror(path)
    assert time.thread_time() - began < 10
    message = str(caught.value)
    assert message.startswith(f"{path}: ") and len(message) < 600
    return message.removeprefix(f"{path}: ")


def test_weights_that_no_tree_has_are_refused(tmp_path):
    tree, content = wc.mirror(J48), J48.read_bytes()
    leaf = int(np.flatnonzero((tree.split_attribute < 0) & (tree.total > 1))[0])
    weight = struct.pack(">d", tree.class_weight[leaf].max())
    assert weight in content
    told = refusal(tmp_path, content.replace(weight, struct.pack(">d", -5.0)))
    assert "expected weights of at least 0" in told


def test_every_cut(tmp_path):
    content = J48.read_bytes()
    _, header = contents(content, 2)
    assert header.name == "weka.core.Instances"
    path, told = tmp_path / "cut.model", set()
    for length in range(0, len(content), 13):
        path.write_bytes(content[:length])
        try:
            wc.mirror(path)  # the second object is whole, or the tree has a header of its own
        except wc.ModelFileError as error:
            told.add(str(error).partition("damaged (")[2][:15])
    assert "it is cut short" in told


def test_what_follows_the_header_is_not_read(tmp_path):
    path = tmp_path / "longer.model"
    path.write_bytes(J48.read_bytes() + b"\x7d")
    assert wc.mirror(path).header.relation == wc.mirror(J48).header.relation


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it does not begin as what Java serialises"),
        (MAGIC, "it holds no classifier"),
        (MAGIC + b"\x70", "it holds no classifier"),
        (MAGIC + b"\x71\xff\xff\xff\xff", "leads nowhere"),
        (MAGIC + b"\x7d", "unexpected byte 0x7d"),
        (MAGIC + b"\x7a\xff\xff\xff\xff", "cut short"),
        (MAGIC + b"\x7c" + b"\x7f" + b"\xff" * 7, "cut short"),
        (MAGIC + b"\x74\0\1\xff", "not in Java's UTF-8"),
        (b"\x1f\x8bnot gzip", "its bytes are damaged"),
        (gzip.compress(bytes(50_000_000)), "it would unpack to more than the 4 MB that a file of its size may"),
    ],
)
def test_what_is_no_model(tmp_path, content, words):
    assert words in refusal(tmp_path, content)


def test_a_given_header_is_that_of_the_file(data):
    assert wc.mirror(J48, header=data.header).header == data.header
    with pytest.raises(HeaderMismatchError, match=r"j48\.model: the given header"):
        wc.mirror(J48, header=data.without([data.attributes[0].name]).header)


def test_a_name_that_two_attributes_have(tmp_path):
    content = J48.read_bytes().replace(b"\0\5depth", b"\0\5class")
    assert refusal(tmp_path, content).startswith("damaged or invalid (")


def test_no_file_and_a_folder(tmp_path):
    for path, words in (
        (tmp_path / "none.model", "no such file; check the name and the folder"),
        (tmp_path, "it is not a regular file"),
        (tmp_path / ("m" * 256), "cannot be read: File name too long"),
        ("", "^'': no such file"),
    ):
        for read in (wc.mirror, wc.load):
            with pytest.raises(wc.ModelFileError, match=words):
                read(path)


# ---- hostile files ----


def described(name, fields=b"", n_fields=0, flags=2, base=b"\x70"):
    """The description of a class."""
    return b"\x72" + text(name) + bytes(8) + bytes([flags]) + struct.pack(">H", n_fields) + fields + b"\x78" + base


def text(string):
    return struct.pack(">H", len(string)) + string.encode()


def an_object(name, **how):
    return b"\x73" + described(name, **how)


HOSTILE = {
    "nested arrays": MAGIC + b"\x75" + described("[LX;") + b"\0\0\0\1" + b"\x75\x71\0\x7e\0\0\0\0\0\1" * 60_000,
    "nested objects": MAGIC + b"\x73" + described("X", b"L\0\1a\x74\0\1a", 1) + b"\x73\x71\0\x7e\0\0" * 100_000,
    "nested descriptions": MAGIC + b"\x72\0\1X" + bytes(8) + b"\2\0\0" + (b"\x72\0\1X" + bytes(8) + b"\2\0\0") * 50_000,
    "bases of bases": MAGIC + b"\x73" + (b"\x72\0\1X" + bytes(8) + b"\2\0\0\x78") * 50_000 + b"\x70",
    "nested blocks": MAGIC + an_object("java.util.HashMap", flags=3) + b"\x73\x71\0\x7e\0\0" * 100_000,
    "nested maps": MAGIC + an_object("java.util.HashMap", flags=3) + b"\x77\x01\0"
        + b"\x73\x71\0\x7e\0\0\x71\0\x7e\0\1" * 60_000,
    "a huge array of doubles": MAGIC + b"\x75" + described("[D") + b"\x7f\xff\xff\xff" + bytes(100),
    "a huge array of objects": MAGIC + b"\x75" + described("[LX;") + b"\x7f\xff\xff\xff" + b"\x70" * 100,
    "an array of negative length": MAGIC + b"\x75" + described("[LX;") + b"\xff\xff\xff\xff",
    "a class that is its own base": MAGIC + b"\x73" + described("X", base=b"\x71\0\x7e\0\0"),
    "an object that is its own class": MAGIC + b"\x73\x71\0\x7e\0\0",
    "a text as class": MAGIC + b"\x74\0\1a\x73\x71\0\x7e\0\0",
    "a field of unknown type": MAGIC + an_object("X", fields=b"Q\0\1a", n_fields=1),
    "very many fields": MAGIC + an_object("X", fields=b"I\0\0" * 65_535, n_fields=65_535),
    "a form of its own": MAGIC + an_object("X", flags=4),
    "very many empty objects": MAGIC + b"\x75" + described("[LX;") + struct.pack(">i", 50_000) + an_object("X")
        + b"\x73\x71\0\x7e\0\2" * 49_999,
    "a long name": MAGIC + an_object("X" * 60_000),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_streams(name, tmp_path):
    assert refusal(tmp_path, HOSTILE[name])
