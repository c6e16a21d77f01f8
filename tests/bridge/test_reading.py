"""How files become data sets: which columns of several, what is kept of ARFF, and what is said of a wrong file."""

import warnings

import numpy as np
import pytest

import wekaconf as wc
from wekaconf.base.errors import ArffError, OptionError, TableError
from wekaconf.bridge import reading as files
from wekaconf.data.table_files import Reading

ARFF = """@relation r
@attribute id string
@attribute day date 'yyyy-MM-dd X'
@attribute n {p,q}
@attribute x numeric
@attribute c {a,b}
@data
one,'1970-01-02 Z',q,1.5,a
?,?,?,?,b
two,'1970-01-03 Z',p,2,b
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.arff").write_text(ARFF)
    (tmp_path / "wide.csv").write_text("x,junk,k,c\n1,2,3,a\n4,5,6,b\n")
    (tmp_path / "narrow.csv").write_text("x,c\n1,a\n4,b\n")
    return tmp_path


def test_each_data_set_is_read_with_those_columns_that_it_has(here):
    reading = Reading(ignore=("junk", "day"), nominal=("k",), numeric=("x",))
    found = files.readings_of(["wide.csv", "narrow.csv", "r.arff", "absent.csv", "-"], reading)
    parts = {each: (one.ignore, one.nominal, one.numeric) for each, one in found.items()}
    assert parts == {
        "wide.csv": (("junk",), ("k",), ("x",)), "narrow.csv": ((), (), ("x",)), "r.arff": (("day",), (), ("x",)),
        "absent.csv": (("junk", "day"), ("k",), ("x",)), "-": (("junk", "day"), ("k",), ("x",)),
    }  # fmt: skip
    assert files.readings_of(["narrow.csv"], reading) == {"narrow.csv": reading}
    assert files.readings_of(["absent.csv", "-"], reading) == {"absent.csv": reading, "-": reading}
    plain = files.readings_of(["wide.csv", "narrow.csv"], Reading())
    assert plain == {"wide.csv": Reading(), "narrow.csv": Reading()}
    with pytest.raises(OptionError, match=r"no column 'jnuk' in any of the 2 data sets; .*'junk'") as caught:
        files.readings_of(["wide.csv", "narrow.csv"], Reading(ignore=("jnuk",)))
    assert caught.value.parameter == "ignore"


def test_columns_that_are_kept_as_texts(here):
    header = wc.load_arff("r.arff").header
    named = wc.load_table("r.arff", id="id").header
    [loaded] = files.parts_like("r.arff", named, Reading(id="id"), keep=("day", "x"))
    assert loaded.kept == {"id": ["one", None, "two"], "day": ["1970-01-02 Z", None, "1970-01-03 Z"],
                           "x": ["1.5", None, "2"]}  # fmt: skip
    [loaded] = files.parts_like("r.arff", header, keep=None)
    assert list(loaded.kept) == ["id", "day", "n", "x", "c"] and loaded.kept["n"] == ["q", None, "p"]
    [loaded] = files.parts_like("r.arff", header)
    assert loaded.kept == {}
    narrower = wc.load_table("r.arff", ignore=["day"]).header
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a column that is kept is not one too many
        [loaded] = files.parts_like("r.arff", narrower, keep=("day",))
    assert loaded.kept["day"][0] == "1970-01-02 Z" and loaded.data.header == narrower
    with pytest.raises(OptionError, match=r"no attribute 'dya' in r\.arff; .*'day'") as caught:
        [*files.parts_like("r.arff", header, keep=("dya",))]
    assert caught.value.parameter == "keep"


@pytest.mark.parametrize(
    ("given", "parameter", "told"),
    [
        ({"nominal": ("x",)}, "nominal", "r.arff is ARFF, which declares names and kinds of its attributes; change"),
        ({"no_header": True}, "no_header", "r.arff is ARFF, which declares"),
        ({"na": ("x",)}, "na", "r.arff is ARFF, which declares"),
        ({"ignore": ("dya",)}, "ignore", "no attribute 'dya' in r.arff"),
        ({"id": "di"}, "id", "no attribute 'di' in r.arff"),
    ],
)
def test_what_arff_cannot_be_told(here, given, parameter, told):
    with pytest.raises(OptionError, match=told) as caught:
        files.load("r.arff", Reading(**given))
    assert caught.value.parameter == parameter


def test_the_columns_of_a_damaged_file_are_asked_for_in_vain(here):
    (here / "odd.arff").write_text("@relation r\n@attribute x nonsense\n@data\n", encoding="utf-8")
    with pytest.raises(ArffError, match=r"^odd\.arff:2:14: "):
        files.columns_of("odd.arff", Reading())


def test_an_identifier_may_be_missing_where_none_is_needed(here):
    loaded = files.load("r.arff", Reading(id="di", ignore=("day",)), needs_id=False)
    assert [attribute.name for attribute in loaded.data.attributes] == ["id", "n", "x", "c"]
    loaded = files.load("r.arff", Reading(id="id"), class_attribute="n")
    assert loaded.kept == {"id": ["one", None, "two"]} and loaded.data.header.class_attribute.name == "n"
    assert files.load("r.arff", class_attribute=None).data.header.class_index == -1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("w.arff", None),
        ("w.ARFF", None),
        (
            "w.data",
            "a file with this ending is read as ARFF, so if it is a table, give its name the ending .csv or .ts",
        ),
        ("w.xrff", ".xrff files are not read; open it in Weka and save it as ARFF"),
        ("w.JSON", ".json files are not read; open it in Weka and save it as ARFF"),
    ],
)
def test_what_is_no_arff_is_told_by_its_ending(here, name, told):
    (here / name).write_text("a,b\n1,2\n")
    with pytest.raises(ArffError) as caught:
        files.load(name)
    assert ("ending" in str(caught.value) or "not read" in str(caught.value)) == (told is not None)
    assert (told or "") in str(caught.value)
    (here / name).unlink()
    with pytest.raises(ArffError) as caught:
        files.load(name)
    assert "ending" not in str(caught.value)


@pytest.mark.parametrize(
    ("error", "path", "told"),
    [
        (OSError(5, "broken"), "-", "standard input cannot be read: broken; send it a file or a pipe"),
        (OSError("odd"), "-", "standard input cannot be read: odd; send it a file or a pipe"),
        (OSError(5, "broken"), "x.csv", "x.csv: cannot be read: "),
    ],
)
def test_a_stream_that_breaks(monkeypatch, error, path, told):
    def fail(_):
        raise error

    monkeypatch.setattr(files, "read_stream", fail)
    with pytest.raises(TableError) as caught:
        files.load(path)
    assert told in str(caught.value)


def test_a_stream_that_is_no_arff_has_no_ending(monkeypatch):
    monkeypatch.setattr(files, "read_stream", lambda _: b"@relation r\n@attribute x nought\n@data\n")
    with pytest.raises(ArffError) as caught:
        files.load("-")
    assert "nought" in str(caught.value) and "ending" not in str(caught.value)


def test_weka_reads_zones_that_only_it_knows(here, jvm):
    (here / "z.arff").write_text(ARFF.replace("X'", "z'").replace(" Z'", " MSK'"))
    data = wc.load_arff("z.arff", reader="weka", class_attribute="n")
    assert data.header.class_attribute.name == "n"
    assert data.values[2, 1] - data.values[0, 1] == 86_400_000
    assert wc.load_arff("z.arff", reader="weka", class_attribute=None).header.class_index == -1


def test_a_later_file_is_read_as_the_first_but_for_what_is_said_of_it():
    kept = Reading(na=("x",), ignore=("a",), id="k", decimal=",")
    also = files._as_read(kept, Reading(na=("y",), ignore=("b",)))
    assert (also.na, also.ignore, also.decimal) == (("x", "y"), ("a", "b", "k"), ",")
    assert files._as_read(kept, Reading(decimal=".")).decimal == "."


def test_lists_are_asked_for_and_readers_are_two(here):
    for name in ("nominal", "numeric", "na", "ignore"):
        with pytest.raises(OptionError, match=r"expected a list of texts, got the text 'x'; write \['x'\]"):
            wc.load_table("wide.csv", **{name: "x"})
    with pytest.raises(OptionError, match=r"^id: expected the name of a column, got 7$"):
        wc.load_table("wide.csv", id=7)
    with pytest.raises(OptionError, match="expected 'liac' or 'weka', got 'java'"):
        wc.load_arff("r.arff", reader="java")
    np.testing.assert_array_equal(wc.load_table("r.arff").values, wc.load_arff("r.arff").values)
