"""ARFF: what is read, what is refused and where, and that writing loses nothing."""

import bz2
import gzip
import io
import math
import os
import tarfile
import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.command_line import IRIS

from wekaconf.base.errors import ArffError
from wekaconf.bridge import load_arff_with_weka
from wekaconf.bridge._instances import unpack
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data.arff import load_arff, save_arff
from wekaconf.data.dates import ISO_8601

NAN = math.nan
ONE_NUMBER = "@relation r\n@attribute a numeric\n@data\n"
TWO_NUMBERS = "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n"
ONE_STRING = "@relation r\n@attribute a string\n@data\n"
BAG = "@relation r\n@attribute bag relational\n@attribute x numeric\n@attribute y {p,q}\n@end bag\n@data\n"


@pytest.fixture
def read(tmp_path):
    """What load_arff makes of a text or of bytes."""

    def read(content, **keywords):
        path = tmp_path / "t.arff"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_arff(path, **keywords)

    return read


def cells(data):
    return data.values.tolist()


def same_bits(one, other):
    """Equal, and -0.0 told from 0.0."""
    known = ~np.isnan(one.values)
    return one == other and np.array_equal(np.signbit(one.values)[known], np.signbit(other.values)[known])


# -- what is read ------------------------------------------------------------------------------------------------------


def test_header_in_wekas_grammar(read):
    data = read(
        "% comment\n  @RELATION 'my \"data\\''  % here too\n\n"
        "@attribute\tage\tinteger [1,10] % a range\n@attribute b real [1, 10) {1}\n"
        "@Attribute 'a b'{x, 'y z'\t\"it's\",}\n"
        "@attribute c{p q r}\n@attribute w real {1}\n@ATTRIBUTE ? STRING\n@attribute when date 'dd/MM/yyyy'\n"
        "@DATA\n",
        class_attribute=None,
    )
    assert data.relation == "my \"data'"
    assert data.attributes == (
        Attribute("age"),
        Attribute("b"),
        Attribute("a b", "nominal", ("x", "y z", "it's")),
        Attribute("c", "nominal", ("p", "q", "r")),
        Attribute("w"),
        Attribute("?", "string"),
        Attribute("when", "date", date_format="dd/MM/yyyy"),
    )
    assert data.values.shape == (0, 7)
    assert data.class_index == -1


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("1,2\n?,-3.5e-2\n", [[1, 2], [NAN, -0.035]]),
        ("1 2\n3\t4\n", [[1, 2], [3, 4]]),
        (" 1 , 2 % a\n%b\n\n\t'3',\" 4 \"", [[1, 2], [3, 4]]),
        ("+1,.5\n1.,-Infinity\nNaN,+Infinity\n", [[1, 0.5], [1, math.inf * -1], [NAN, math.inf]]),
        ("{0 1, 1 2}\n{1 2}\n{}\n{0 ?}\n", [[1, 2], [0, 2], [0, 0], [NAN, 0]]),
        ("1,2,{5}\n{1 2},{0.5}\n3 4 {0}\n{} {2}\n5,6", [[1, 2], [0, 2], [3, 4], [0, 0], [5, 6]]),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_rows(read, rows, expected, line_end):
    data = read((TWO_NUMBERS + rows).replace("\n", line_end))
    np.testing.assert_array_equal(data.values, expected)
    assert data.weights.tolist() == ([5, 0.5, 0, 2, 1] if "{5}" in rows else [1] * len(expected))


def test_the_weight_of_a_row_of_one_value(read):
    data = read(ONE_NUMBER + "3 {2}\n4,{5}\n")
    assert (cells(data), data.weights.tolist()) == ([[3], [4]], [2, 5])


def test_quoting_and_escapes(read):
    data = read(
        ONE_STRING + "'a\\'b'\n\"a\\\"b\"\n'?'\n?\n''\n'tab\\tnl\\n\\101\\x\\\\'\na\\b\n'%{},'\na\u00a0b\n?\n''\n"
    )
    met = ("a'b", 'a"b', "?", "", "tab\tnl\nAx\\", "a\\b", "%{},", "a\u00a0b")
    assert data.attributes[0].values == met
    np.testing.assert_array_equal(data.values[:, 0], [0, 1, 2, NAN, 3, 4, 5, 6, 7, NAN, 3])


def test_plain_and_other_rows_are_read_alike(read):
    rows = "1,'x y',p\n?,\"a'b\",'?'\n 2 , z, ?\n"
    header = "@relation r\n@attribute n numeric\n@attribute s string\n@attribute c {p,'?'}\n@data\n"
    assert read(header + rows) == read(header + rows + "% the comment below keeps liac-arff away\n").take([0, 1, 2])
    assert read(header + rows) == read(header + rows + "3,z,p % comment\n").take([0, 1, 2])


@pytest.mark.parametrize("end", ["", "% the comment below keeps liac-arff away\n"])
def test_the_first_character_that_is_no_blank(read, end):
    """It follows the blank in Unicode; a row of it alone is no empty line."""
    data = read("@relation r\n@attribute c {!,a}\n@data\na\n!\n \x01\n ! \n" + end)
    assert data.values.tolist() == [[1], [0], [0]]


def test_rows_are_read_a_few_at_a_time(read, monkeypatch):
    """Strings keep their numbers, and whatever only some rows have changes nothing for the others."""
    header = (
        "@relation r\n@attribute s string\n@attribute x numeric\n@attribute n {p,q}\n@attribute d date yyyy\n@data\n"
    )
    rows = [f"{'abcab'[i % 5]}{i % 3},{i},{'pq'[i % 2]},{2000 + i}" for i in range(40)]
    rows[7], rows[20], rows[33] = (
        "?,?,?,?",
        "a0,{esc},p,2000".replace("{esc}", "1e3"),
        "{0 'new one', 1 5, 3 2001}, {2.5}",
    )
    at_once = read(header + "\n% remark\n".join(rows))
    for size in (1, 4, 9, 100):
        monkeypatch.setattr("wekaconf.data.arff._rows.CELLS_AT_A_TIME", size)
        assert read(header + "\n% remark\n".join(rows)) == at_once


@pytest.mark.one_commit_in(3)
def test_reading_holds_few_texts_at_a_time(tmp_path):
    """A million cells, all different, within five times the room that the file and the numbers take."""
    rng = np.random.default_rng(1)
    lines = [",".join(map(str, row)) for row in rng.integers(10**9, size=(20_000, 50)).tolist()]
    path = tmp_path / "large.arff"
    path.write_text(
        "@relation r\n" + "".join(f"@attribute a{i} numeric\n" for i in range(50)) + "@data\n" + "\n".join(lines)
    )
    tracemalloc.start()
    size = load_arff(path).values.nbytes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * (size + path.stat().st_size)


def test_sparse_rows_give_the_first_nominal_value(read):
    data = read("@relation r\n@attribute a {p,q}\n@attribute d date\n@attribute b {p,q}\n@data\n{}\n{2 q}\n")
    assert cells(data) == [[0, 0, 0], [0, 0, 1]]


def test_an_index_may_begin_with_zeros(read):
    for index in ("1", "01", "0" * 5000 + "1"):
        assert read(TWO_NUMBERS + f"{{{index} 7}}\n").values.tolist() == [[0, 7]]
    with pytest.raises(ArffError, match="is not an attribute index; expected 0 … 1"):
        read(TWO_NUMBERS + f"{{{'0' * 5000}2 7}}\n")


def test_a_quote_that_is_not_closed_takes_little_memory(read):
    tracemalloc.start()
    with pytest.raises(ArffError, match="4:1: the quote ' is not closed"):
        read("@relation r\n@attribute a string\n@data\n'" + "…" * 2_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40e6


def test_relational_bags_are_checked_and_kept_as_text(read):
    data = read(BAG + "'1,p\\n2,q'\n\"3,q\"\n?\n'3,q'\n''\n")
    (bag,) = data.attributes
    assert bag.inner == (Attribute("x"), Attribute("y", "nominal", ("p", "q")))
    assert bag.values == ("1,p\n2,q", "3,q", "")
    np.testing.assert_array_equal(data.values[:, 0], [0, 1, NAN, 1, 2])
    with pytest.raises(ArffError, match=r"bag of 'bag':2: value 'r' is not among the 2 declared for 'y'"):
        read(BAG + "'1,p\\n2,r'\n")


def test_relational_attributes_twenty_deep_are_read(read):
    """Those beside each other are not deep."""
    bags = "".join(f"@attribute b{i} relational\n@attribute x numeric\n@end b{i}\n" for i in range(22))
    assert len(read(f"@relation r\n{bags}@data\n").attributes) == 22
    opened = "".join(f"@attribute b{i} relational\n" for i in range(20))
    closed = "".join(f"@end b{i}\n" for i in reversed(range(20)))
    assert len(read(f"@relation r\n{opened}@attribute x numeric\n{closed}@data\n").attributes) == 1


def test_class_attribute(read):
    assert read(TWO_NUMBERS).class_index == 1
    assert [read(TWO_NUMBERS, class_attribute=which).class_index for which in ("a", None)] == [0, -1]


def test_encodings(read):
    text = "@relation r\n@attribute a {é,b}\n@data\né\n"
    assert read(text).attributes == read("\ufeff" + text).attributes
    with pytest.warns(UserWarning, match="Windows-1252"):
        assert read(text.encode("latin-1")).attributes[0].values == ("é", "b")


def test_gzip_is_known_by_its_content(read):
    assert cells(read(gzip.compress((ONE_NUMBER + "1\n").encode()))) == [[1]]


def test_ten_thousand_attributes_in_linear_time(read):
    header = "@relation r\n" + "".join(f"@attribute 'a {i}' numeric\n" for i in range(10_000)) + "@data\n"
    start = time.thread_time()
    data = read(header + (",".join(["1.5"] * 10_000) + "\n") * 20 + "{9999 2}\n")
    assert data.values.shape == (21, 10_000)
    assert data.values.sum() == 20 * 15_000 + 2
    assert time.thread_time() - start < 15


# -- what is refused ---------------------------------------------------------------------------------------------------


def a_tar_archive():
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        tar.add(IRIS, "iris.arff")
    return archive.getvalue()


REFUSED = {
    "empty": ("", "1: the file is empty; expected @relation"),
    "comments only": ("% a\n% b\n", "the file ends before @relation"),
    "no relation": ("@attribute a numeric\n@data\n", "1:1: expected @relation and a name, got '@attribute'"),
    "no name": ("@relation\n@attribute a numeric\n@data\n", "1: expected the name of the relation, got nothing"),
    "name of two words": ("@relation my data\n@data\n", "1:14: 'data' after the name; quote"),
    "no data": ("@relation r\n@attribute a numeric\n", "the file ends before @data; add an @data line and the rows"),
    "a brace for a name": ("@relation {r}\n@data\n", "1: expected the name of the relation, got '{'"),
    "cut short": ("@relation r\n@attribute a num", "2:14: attribute 'a' has the unknown type 'num'"),
    "text after data": ("@relation r\n@attribute a numeric\n@data 1\n", "3:7: '1' after @data"),
    "attribute twice": (
        "@relation r\n@attribute a real\n@attribute a {x}\n@data\n",
        "3: attribute 'a' is declared twice",
    ),
    "value twice": ("@relation r\n@attribute a {x,y,x}\n@data\n", "2: value 'x' of 'a' is declared twice"),
    "no type": ("@relation r\n@attribute a\n@data\n", "2: attribute 'a' has no type"),
    "unknown type": (
        "@relation r\n@attribute a float\n@data\n",
        "2:14: attribute 'a' has the unknown type 'float'; use numeric,",
    ),
    "a name with blanks": (
        "@relation r\n@attribute age in years numeric\n@data\n",
        "2:16: attribute 'age' has the unknown type 'in'; a name with blanks stands in quotes",
    ),
    "the word nominal before values": (
        "@relation r\n@attribute c Nominal {x}\n@data\n",
        "2:14: attribute 'c' has the unknown type 'Nominal'; a nominal attribute has only its values in that place, "
        "such as {a,b}",
    ),
    "a name with blanks before values": (
        "@relation r\n@attribute my class {x}\n@data\n",
        "2:15: attribute 'my' has the unknown type 'class'; a name with blanks stands in quotes",
    ),
    "a word for nominal alone": (
        "@relation r\n@attribute c factor\n@data\n",
        "2:14: attribute 'c' has the unknown type 'factor'; a nominal attribute has only its values in that place",
    ),
    "a word for nominal before another": (
        "@relation r\n@attribute c factor x\n@data\n",
        "2:14: attribute 'c' has the unknown type 'factor'; use numeric, real, integer, {values}, string, date or",
    ),
    "open range": ("@relation r\n@attribute a real [1,10\n@data\n", "2:19: '[1' after the type"),
    "text after range": ("@relation r\n@attribute a real [1,10] b)\n@data\n", "2:26: 'b)' after the type"),
    "text after type": ("@relation r\n@attribute a real 5\n@data\n", "2:19: '5' after the type"),
    "open values": ("@relation r\n@attribute a {x,\ny}\n@data\n", "2: the values of 'a' must end with }"),
    "brace in values": ("@relation r\n@attribute a {x{y}\n@data\n", "2:16: brace among the values"),
    "commas, which are blanks there": ("@relation r\n@attribute a, real, 5\n@data\n", "2:21: '5' after the type"),
    "deep bags": (
        "@relation r\n" + "@attribute a relational\n" * 1000 + "@data\n",
        "22: relational attributes within one another, more than 20 deep",
    ),
    "attribute weight": ("@relation r\n@attribute a real {2}\n@data\n", "2:19: attribute weights are not supported"),
    "unknown keyword": ("@relation r\n@attribut a real\n@data\n", "2:1: expected @attribute or @data, got '@attribut'"),
    "date letter": ("@relation r\n@attribute a date yyyy-ww\n@data\n", "2: the letter 'w' of the date format"),
    "other end": (
        "@relation r\n@attribute a relational\n@attribute b real\n@end b\n",
        "4: expected @end a, got @end b",
    ),
    "no end": (
        "@relation r\n@attribute a relational\n@attribute b real\n@data\n",
        "4:1: expected @attribute or @end a, got '@data'",
    ),
    "empty bag": (
        "@relation r\n@attribute a relational\n@end a\n",
        "3: no attributes are declared in 'a'; add @attribute lines before @end",
    ),
    "too many": (TWO_NUMBERS + "1,2\n1,2,3\n", "6: expected 2 values, got 3"),
    "too few": (TWO_NUMBERS + "1,2\n1\n", "6: expected 2 values, got 1"),
    "empty value": (TWO_NUMBERS + "1,,2\n", "5:3: empty value; write ?"),
    "empty first value": (TWO_NUMBERS + " ,1,2\n", "5:2: empty value; write ?"),
    "empty last value": (TWO_NUMBERS + "1,2,\n", "5:4: empty value at the end"),
    "open quote": (ONE_STRING + "'abc\n", "4:1: the quote ' is not closed"),
    "text after quote": (ONE_STRING + "'abc'd\n", "4:6: text after a closing quote"),
    "quote in a word": (ONE_STRING + "don't\n", "4:1: quote inside a value"),
    "brace in a row": (TWO_NUMBERS + "1,{2,3\n", "5:3: brace among the values"),
    "not a number": (ONE_NUMBER + "1\nabc\n", "5: value 'abc' of 'a' is not a number"),
    "undeclared": (
        "@relation r\n@attribute handicapped {y,n}\n@data\ny\n'5% d'\n",
        "5: value '5% d' is not among the 2 declared for 'handicapped' ('y', 'n'); correct it or add it to the @attr",
    ),
    "a blank that is none to Weka": (ONE_NUMBER + "\u00a07\n", "4: value '\\xa07' of 'a' is not a number"),
    "quoted ?": (ONE_NUMBER + "'?'\n", "4: value '?' of 'a' is not a number"),
    "negative weight": (ONE_NUMBER + "1,{-2}\n", "4: the weight '-2' is not a number from 0 to 1e+100; correct it"),
    "text after weight": (ONE_NUMBER + "1,{2} 3\n", "4:3: brace among the values"),
    "index out of range": (ONE_NUMBER + "{1 2}\n", "4:2: '1' is not an attribute index; expected 0 … 0"),
    "quoted index": (ONE_NUMBER + "{'5' 2}\n", "4:2: '5' is not an attribute index; expected 0 … 0"),
    "index in double quotes": (ONE_NUMBER + '{ "5" 2}\n', "4:3: '5' is not an attribute index; expected 0 … 0"),
    "index alone in a row": (ONE_NUMBER + "{0}\n", "4:2: a sparse row must hold pairs"),
    "index falling": (TWO_NUMBERS + "{1 2, 0 3}\n", "5:7: index 0 after 1; indices must rise"),
    "index alone": (TWO_NUMBERS + "{0 1, 1}\n", "5:7: a sparse row must hold pairs"),
    "nothing but a weight": (ONE_NUMBER + ",{2}\n", "4:1: empty value; write ?"),
    "weight too large to be summed": (ONE_NUMBER + "1,{1e101}\n", "4: the weight '1e101' is not a number from 0"),
    "word as attribute weight": (
        "@relation r\n@attribute a real {x}\n@data\n",
        "2:19: attribute weights are not supported",
    ),
    "open sparse row": (TWO_NUMBERS + "{0 1, 1 2\n", "5: a sparse row must end with }"),
    "sparse string left out": (
        "@relation r\n@attribute a string\n@data\n{0 x}\n{}\n",
        "5: a sparse row must not leave out 'a'",
    ),
    "NUL": (ONE_STRING + "a\0b\n", "4: NUL byte"),
    "UTF-16": (ONE_NUMBER.encode("utf-16"), "1: NUL byte"),
    "sparse rows without end": (
        "@relation r\n" + "".join(f"@attribute a{i} numeric\n" for i in range(3000)) + "@data\n" + "{}\n" * 3000,
        "3002: unpacked it is more than 67 MB",
    ),
    "zip": (
        b"PK\x03\x04 something",
        "or another zip archive; give a workbook its ending, such as .xlsx; a model is no data",
    ),
    "bzip2": (bz2.compress(ONE_NUMBER.encode()), "this is a file that bzip2 packed; unpack it, or pack it with gzip"),
    "tar": (a_tar_archive(), "this is a tar archive; unpack it"),
    "packed tar": (gzip.compress(a_tar_archive()), "this is a tar archive; unpack it"),
    "not a date": (
        "@relation r\n@attribute a date\n@data\ntomorrow\n",
        "4: the date 'tomorrow' does not follow the format",
    ),
    "cut gzip": (gzip.compress(ONE_NUMBER.encode() * 99)[:-9], "the gzip file is damaged or cut short"),
    "gzip with a tail": (gzip.compress(ONE_NUMBER.encode()) + b"tail", "the gzip file is damaged or cut short"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_place(read, name, tmp_path):
    content, expected = REFUSED[name]
    with pytest.raises(ArffError) as caught:
        read(content)
    assert str(caught.value).startswith(f"{tmp_path / 't.arff'}:")
    assert expected in str(caught.value)
    assert caught.value.path == str(tmp_path / "t.arff")
    place = expected.split(": ")[0].split(":")
    if place[0].isdigit():
        assert [caught.value.line, caught.value.column][: len(place)] == list(map(int, place))


@pytest.mark.parametrize(
    "number", ["1_000", "inf", "nan", "infinity", "1e", ".", "e5", "1,5e", "0x1", "１", "--1", "1d"]
)
def test_numbers_only_python_knows_are_refused(read, number):
    with pytest.raises(ArffError, match=r"is not a number|expected 1 values"):
        read(ONE_NUMBER + number + "\n")


def test_a_comma_in_a_declaration_is_a_blank_as_it_is_to_weka(read):
    data = read("@relation, r\n@attribute, a, {x, y}\n@attribute ,b numeric,\n@data,\ny,2\n")
    assert data == read("@relation r\n@attribute a {x,y}\n@attribute b numeric\n@data\ny,2\n")


@pytest.mark.parametrize("name", ["a\u202eb", "\x1b[31m", "x\u2028y", "long " * 400])
def test_messages_are_short_and_of_visible_characters(read, name):
    head = f"@relation r\n@attribute '{name}' {{p}}\n@attribute d date 'Q{name}'\n@data\n"
    for text in (
        head,
        head.replace("date", "numeric {2}"),
        f"{name}\n",
        f"@relation r\n@attribute '{name}' {{p}}\n@data\nx\n",
    ):
        with pytest.raises(ArffError) as caught:
            read(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 600


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ArffError, match=r"absent\.arff: no such file"):
        load_arff(tmp_path / "absent.arff")
    with pytest.raises(ArffError, match="this is a folder"):
        load_arff(tmp_path)
    with pytest.raises(ArffError, match="cannot be read"):
        load_arff("a\0b")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_unreadable_file(tmp_path):
    path = tmp_path / "closed.arff"
    path.write_text(ONE_NUMBER)
    path.chmod(0)
    user = os.geteuid()
    if user == 0:  # whom no permissions bind
        os.seteuid(54321)
    try:
        with pytest.raises(ArffError, match=r"closed.arff: no permission to read this file$"):
            load_arff(path)
    finally:
        os.seteuid(user)


@pytest.mark.parametrize(
    "row",
    ["'" + "a" * 10**6, "'" + "\\" * 10**6, "1," + " " * 10**6 + "x", "1" * 10**6 + "x", "," * 10**5, "'a'" * 10**5],
)
def test_long_malformed_rows_take_linear_time(read, row):
    start = time.thread_time()
    with pytest.raises(ArffError) as caught:
        read(ONE_NUMBER + row + "\n")
    assert time.thread_time() - start < 10
    assert len(str(caught.value)) < 1000


# -- writing -----------------------------------------------------------------------------------------------------------

TEXTS = st.text(
    st.one_of(st.sampled_from("ab ?%{},'\"\\\n\t\r\0\x1f\x85\xa0\u2028é名😀@["), st.characters(codec="utf-8")),
    max_size=6,
)
DATE_FORMATS = st.sampled_from(
    [
        ISO_8601,
        "yyyy-MM-dd'T'HH:mm:ss.SSS",
        "EEEE, d MMMM yyyy hh:mm:ss a Z",
        "yyyyMMddHHmmss",
        "dd/MMM/yyyy 'at' H:m:s XXX",
    ]
)


@st.composite
def attributes(draw, n_instances, kinds):
    """An attribute and its column."""
    name, kind = draw(TEXTS), draw(st.sampled_from(kinds))
    if kind == "nominal":
        values = tuple(draw(st.lists(TEXTS, min_size=1, max_size=4, unique=True)))
        column = [draw(st.sampled_from([NAN, *range(len(values))])) for _ in range(n_instances)]
        return Attribute(name, kind, values), column
    if kind == "numeric":
        return Attribute(name), [draw(st.floats()) for _ in range(n_instances)]
    if kind == "date":
        seconds = st.one_of(st.integers(-(10**9), 4 * 10**9), st.just(NAN))
        return Attribute(name, kind, date_format=draw(DATE_FORMATS)), [
            1000.0 * draw(seconds) for _ in range(n_instances)
        ]
    inner = ()
    texts = TEXTS
    if kind == "relational":
        inner = (Attribute(draw(TEXTS), "nominal", ("p", "q r")), Attribute(name + "x"))
        texts = st.sampled_from(["", "p,1", "'q r',2\np,?", "{1 3},{2}"])
        if inner[0].name == inner[1].name:
            inner = inner[:1]
            texts = st.sampled_from(["", "p"])
    cells = [draw(st.one_of(st.none(), texts)) for _ in range(n_instances)]
    values = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    return Attribute(name, kind, values, inner=inner), [NAN if c is None else values.index(c) for c in cells]


@st.composite
def datasets(draw, kinds=("numeric", "nominal", "date", "string", "relational")):
    n_instances = draw(st.integers(0, 4))
    pairs = attributes(n_instances, kinds)
    columns = draw(st.lists(pairs, min_size=1, max_size=5, unique_by=lambda pair: pair[0].name))
    values = np.array([column for _, column in columns], dtype=float).reshape(len(columns), n_instances).T
    positive = st.floats(0, 1e100)
    weights = [draw(st.one_of(st.just(1.0), positive)) for _ in range(n_instances)]
    return Dataset(Header(draw(TEXTS), tuple(attribute for attribute, _ in columns)), values, np.array(weights))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=datasets(), ending=st.sampled_from([".arff", ".arff.gz"]))
def test_writing_and_reading_is_the_identity(tmp_path, data, ending):
    path = tmp_path / f"t{ending}"
    save_arff(path, data)
    assert path.read_bytes().startswith(b"\x1f\x8b") == (ending == ".arff.gz")
    assert same_bits(load_arff(path, class_attribute=None), data)


def test_the_same_data_gives_the_same_bytes(tmp_path):
    data = Dataset(Header("r", (Attribute("a"),)), np.array([[0.1], [-0.0], [5.0], [-math.inf], [NAN]]))
    save_arff(tmp_path / "t.arff", data)
    assert (tmp_path / "t.arff").read_text().endswith("@attribute a numeric\n\n@data\n0.1\n-0\n5\n-Infinity\n?\n")
    save_arff(tmp_path / "one.arff.gz", data)
    save_arff(tmp_path / "two.arff.gz", data)
    assert (tmp_path / "one.arff.gz").read_bytes() == (tmp_path / "two.arff.gz").read_bytes()


@pytest.mark.parametrize(
    ("attributes", "cell", "message"),
    [
        ((), 1, "no attributes are declared"),
        ((Attribute("a", "date", date_format="yyyy"),), 1.5, r"1.5 ms cannot be written exactly in the format 'yyyy'"),
        ((Attribute("a", "date", date_format=ISO_8601),), math.inf, "cannot be written exactly"),
    ],
)
def test_what_arff_cannot_hold_is_not_written(tmp_path, attributes, cell, message):
    path = tmp_path / "t.arff"
    path.write_text("before")
    with pytest.raises(ArffError, match=message):
        save_arff(path, Dataset(Header("r", attributes), np.full((2, len(attributes)), cell)))
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["t.arff"]


# -- parity with Weka --------------------------------------------------------------------------------------------------


def test_the_same_as_weka_on_the_uci_sets(uci, jvm):
    paths = sorted(uci.glob("*.arff"))
    assert paths
    different = [path.name for path in paths if not same_bits(load_arff(path), load_arff_with_weka(path))]
    assert different == []


def test_reading_with_weka_leaves_no_file(jvm, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert same_bits(load_arff_with_weka(IRIS), load_arff(IRIS))
    assert not list(tmp_path.iterdir())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=datasets(kinds=("numeric", "nominal", "date", "string")))
def test_weka_reads_what_we_write(jvm, tmp_path, data):
    path = tmp_path / "t.arff"
    save_arff(path, data)
    assert same_bits(load_arff_with_weka(path, class_attribute=None), data)


@pytest.mark.parametrize(
    "rows",
    [
        "1,'x y',p\n?,\"a'b\",'?'\n 2 , z, ?\n",
        "1 x p\n2\ty\tp % comment\n% comment\n\n3,'\\n\\t\\101\\\\\\'',p\n",
        "{0 1, 1 x, 2 '?'},{3}\n{1 y} {0.25}\n4,'',p,{0}\n",
        "NaN,a\\b,p\n-Infinity,\"'\",p\n' 7 ',\u00a0,p\n-0.0,\u540d,p\n1e400,\u2028,p\n",
    ],
)
def test_weka_reads_the_same_rows(jvm, tmp_path, rows):
    path = tmp_path / "t.arff"
    head = "@RELATION 'a \"b'\n@attribute\t'n n'\tinteger [1,10] % c\n@attribute s STRING\n@attribute c{p '?'}\n@data\n"
    path.write_text(head + rows, encoding="utf-8")
    assert same_bits(load_arff(path), load_arff_with_weka(path))


def weka_alone(jvm, path):
    """The data set as Weka reads it, without our own check first."""
    return unpack(jvm.call("readArff", str(path)))


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.sampled_from("@dat %{},'\"?\\\n\t01.e"), max_size=30),
    start=st.sampled_from(["", "{", "{0 1,1 a,2 ", "1,a,"]),
)
def test_any_rows_are_refused_or_read_as_weka_reads_them(jvm, tmp_path, text, start):
    path = tmp_path / "t.arff"
    head = "@relation r\n@attribute a numeric\n@attribute b {a,t,''}\n@attribute c string\n@data\n"
    path.write_text(head + start + text)
    try:
        data = load_arff(path, class_attribute=None)
    except ArffError:
        return
    assert same_bits(data, weka_alone(jvm, path))


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.sampled_from("ab %{},'\"?\\\t1[]"), max_size=20),
    kind=st.sampled_from(["{", " {a,'", " real", " string", ""]),
)
def test_any_attribute_is_refused_or_read_as_weka_reads_it(jvm, tmp_path, text, kind):
    path = tmp_path / "t.arff"
    path.write_text(f"@relation r\n@attribute a{kind}{text}\n@data\n")
    try:
        data = load_arff(path, class_attribute=None)
    except ArffError:
        return
    assert same_bits(data, weka_alone(jvm, path))
