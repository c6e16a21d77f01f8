"""Data sets fetched by name from a real server on this machine, verified, converted, kept, and found again."""

import csv
import gzip
import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from support.data_server import file, refuse

import wekaconf as wc
from wekaconf.base.errors import FetchError, OptionError
from wekaconf.base.naming import quoted
from wekaconf.cli.progress import ProgressBar
from wekaconf.data.catalogue import _finding as finding
from wekaconf.data.catalogue import entries, entry, values_digest
from wekaconf.data.catalogue._conversion import convert_data
from wekaconf.data.catalogue.online import fetch

DRIVER = Path(__file__).parents[1] / "support" / "catalogue_driver.py"
OPENML = files("sklearn.datasets.tests.data.openml.id_61")
"""What OpenML sends for iris, to the byte, as scikit-learn's tests keep it."""
DESCRIPTION = json.loads(gzip.decompress((OPENML / "api-v1-jd-61.json.gz").read_bytes()))["data_set_description"]
IRIS = gzip.decompress((OPENML / "data-v1-dl-61.arff.gz").read_bytes())
SMALL = b"% of the donor\n@relation r\n@attribute a numeric\n@attribute c {x,y}\n@data\n1,x\n?,y\n3,x\n"
BIG = b"".join(b"%% %d\n" % number for number in range(200_000)) + SMALL


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder for what is fetched; the user's cache is elsewhere, and the current folder is empty."""
    for name in ("cache", "here", "shelf"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEKACONF_DATA", raising=False)
    monkeypatch.chdir(tmp_path / "here")
    return str(tmp_path / "shelf")


def small(address, content=SMALL, **more):
    """An entry for a small set."""
    lines = [line for line in content.splitlines() if line and line[:1] not in b"@%"]
    known = {"name": "small", "instances": len(lines), "attributes": 2, "classes": 2, "source": "UCI"}
    known |= {"address": address, "licence": "free", "checksum": "", "values": "", "conversion": "", "remark": ""}
    return finding.Entry(**known | more)


def sha256(content):
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def names(folder):
    return sorted(os.listdir(folder))


# -- the catalogue ---------------------------------------------------------------------------------------------------


def test_every_entry_is_sound():
    known = entries()
    assert len(known) >= 80 and sorted(known, key=str.lower) == [*known]
    for each in known.values():
        assert each.address.startswith(("https://www.openml.org/api/v1/json/data/", "https://archive.ics.uci.edu/"))
        assert each.is_described == ("openml" in each.address)
        assert not each.is_described or each.address.endswith(f"/{each.source.removeprefix('OpenML ')}")
        assert each.licence in ("CC BY 4.0", "Public")
        assert len(each.values) == 32 and min(each.instances, each.attributes, each.classes) >= 2
        kind, _, digest = each.checksum.partition(":")
        assert not kind or len(digest) == {"sha256": 64, "md5": 32}[kind]


def test_the_replications_find_their_sets():
    from wekaconf.replication.papers import PAPERS, study_of

    for paper in PAPERS:
        assert not {*study_of(paper).data_sets} - {*entries()}, paper


@pytest.mark.parametrize("name", entries())
@pytest.mark.drawn(8)
def test_sizes_and_values_are_those_of_the_reference_copies(uci, name):
    """The copy itself, or the steps that make the set out of the copy of another."""
    each = entry(name)
    begin, _, steps = each.conversion.partition("; ")
    base, steps = {
        "anneal": ("anneal.ORIG", each.conversion),
        "contraceptive-2class": ("cmc", each.conversion),
        "ecoli3": ("ecoli", each.conversion),
        "pima": ("diabetes", each.conversion),
        **{name: ("yeast", steps.partition("; ")[2]) for name in entries() if name.startswith("yeast-")},
    }.get(name, (name, ""))
    assert base == name or begin in ("header yeast", each.conversion)
    data = convert_data(replace(each, conversion=steps), (uci / f"{base}.arff").read_bytes())
    assert values_digest(data) == each.values


@pytest.mark.parametrize("name", ["kr-vs-kp", "letter", "diabetes", "splice", "banknote-authentication"])
def test_checksums_that_openml_publishes_are_those_of_the_reference_copies(uci, name):
    assert entry(name).checksum == sha256((uci / f"{name}.arff").read_bytes())


def test_rows_as_uci_has_them_become_the_reference_copies(uci):
    """The rows are made from the copies: no network here."""
    for name, separator in (("new-thyroid", ","), ("solar-flare_1", " "), ("wdbc", ","), ("yeast", "  ")):
        rows = [row.split(",") for row in (uci / f"{name}.arff").read_text().splitlines() if row and row[0] not in "@%"]
        if name == "yeast":
            rows = [["ADT1_YEAST", *row] for row in rows]
        else:
            rows = [[*(["842302"] if name == "wdbc" else []), row[-1], *row[:-1]] for row in rows]
        content = "*** a comment\n" + "".join(separator.join(row) + "\n" for row in rows)
        assert values_digest(convert_data(entry(name), content.encode())) == entry(name).values


def test_an_unknown_name_gets_the_nearest_one():
    with pytest.raises(OptionError, match=f"no data set {quoted('irs')} in the catalogue; did you mean 'iris'"):
        entry("irs")
    known = r"'acute-\S+', .*, … \(\d\d in all\)"
    with pytest.raises(OptionError, match=rf"^no data set '0' in the catalogue; known are {known}; see 'wekaconf li"):
        entry("0")


# -- fetching -------------------------------------------------------------------------------------------------------


def test_iris_of_openml_is_the_one_of_the_figures(server, place):
    """By its description, and by the checksum that the catalogue has."""
    address = server.serve("/file", file(IRIS))
    answer = json.dumps({"data_set_description": DESCRIPTION | {"url": address}}).encode()
    iris = replace(entry("iris"), address=server.serve("/api", file(answer, Content_Type="application/json")))
    found = fetch(iris, place)
    assert found == (f"{place}/iris.arff", True, ())
    assert Path(found.path).read_bytes() == IRIS
    assert len(wc.load_arff(found.path)) == 150
    assert fetch(iris, place) == (found.path, False, ())
    assert [path for path, _ in server.requests] == ["/api", "/file"]
    assert names(place) == ["iris.arff", "iris.json"]
    record = finding.read_record(place, "iris")
    assert (record["licence"], record["address"], f"sha256:{record['sent']}") == ("Public", address, iris.checksum)


@pytest.mark.parametrize("answer", [b"{}", b"[]", b"no", b"[" * 99_999, b'{"data_set_description": {"id": "61"}}', b""])
def test_a_description_that_is_none(server, place, answer):
    with pytest.raises(FetchError, match="sent no description of a data set"):
        fetch(replace(entry("iris"), address=server.serve("/api", file(answer))), place)


def test_wrong_bytes_are_refused_and_not_kept(server, place):
    address = server.serve("/small", file(SMALL[:-4] + b"9,x\n"), file(SMALL))
    each = small(address, checksum=sha256(SMALL))
    with pytest.raises(FetchError, match=r"sent another file than expected: sha256 .* nothing was kept"):
        fetch(each, place)
    assert names(place) == []
    assert fetch(each, place).is_new


def test_the_first_download_is_remembered(server, place):
    """Where no checksum is known: what comes later must be the same, even after the file itself is gone."""
    each = small(server.serve("/small", file(SMALL)))
    noted = replace(each, remark="Ask the donor.")
    first, remembered = fetch(noted, place).notes
    assert first == "Ask the donor." and remembered.startswith("no checksum of it is known; what came now is")
    record, digest = finding.read_record(place, "small"), hashlib.sha256(SMALL).hexdigest()
    assert record == {
        "source": "UCI", "address": each.address, "licence": "free", "sent": digest, "sha256": digest,
        "fetched": datetime.now(UTC).date().isoformat(), "values": values_digest(wc.load_arff(f"{place}/small.arff")),
    }  # fmt: skip
    os.unlink(f"{place}/small.arff")
    assert fetch(noted, place) == (f"{place}/small.arff", True, ("Ask the donor.",))
    os.unlink(f"{place}/small.arff")
    server.serve("/small", file(SMALL.replace(b"3,x", b"4,x")))
    with pytest.raises(FetchError, match=rf"sends another file than on .* remove {place}/small.json"):
        fetch(each, place)
    os.unlink(f"{place}/small.json")
    assert fetch(each, place).is_new


def test_a_damaged_file_is_fetched_again(server, place):
    each = small(server.serve("/small", file(SMALL)))
    path = Path(fetch(each, place).path)
    path.write_bytes(SMALL[:-4])
    assert finding.unchanged_file(place, "small") is None
    assert fetch(each, place).is_new and path.read_bytes() == SMALL
    for record in ("{", "[]", '{"sha256": 1}'):
        Path(place, "small.json").write_text(record)
        assert finding.read_record(place, "small") == {}
        assert fetch(each, place).is_new and not fetch(each, place).is_new


def test_values_that_are_others_are_told(server, place):
    values = values_digest(wc.load_arff(str(write(place, "copy.arff", SMALL))))
    told = []
    for declared in (b"'Class' { 'x', \"y\"}", b"c {y,x}"):
        content = SMALL.replace(b"c {x,y}", declared)
        each = small(server.serve("/small", file(content)), name=f"s{len(told)}", values=values)
        told.append(fetch(replace(each, checksum=sha256(content)), place).notes)
    assert told[0] == () and told[1][0].startswith("its values, or their order, are not those")


def test_numbers_that_are_equal_have_one_digest():
    """Whatever the signs of zero and of what is no number."""
    data = convert_data(small(""), SMALL.replace(b"1,x", b"0,x"))
    same = replace(data, values=np.array([[-0.0, 0], [-np.nan, 1], [3, -0.0]]))
    assert values_digest(same) == values_digest(data) and re.fullmatch("[0-9a-f]{32}", values_digest(data))
    assert values_digest(data.take([0, 2, 1])) != values_digest(data)


def write(folder, name, content):
    path = Path(folder, name)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<!DOCTYPE html><html>", "web page in place of the file"),
        (b"\n <?xml version='1.0'?><oml:error/>", "web page in place of the file"),
        (b"a,b\n1,2\n", "the file is not what the catalogue says"),
        (b"", "the file is not what the catalogue says"),
        (SMALL[:-4], "expected 3 instances, 2 attributes and 2 classes in the last of them, got 2 instances"),
        (SMALL.replace(b"{x,y}", b"string"), "and 2 classes"),
        (b"\x1f\x8b\x08broken", "gzip file is damaged"),
    ],
)
def test_what_is_not_the_set_is_refused(server, place, content, told):
    with pytest.raises(FetchError, match=told):
        fetch(small(server.serve("/small", file(content))), place)
    assert names(place) == []
    assert fetch(small(server.serve("/small", file(SMALL))), place).is_new


def test_steps_of_conversion(server, place):
    content = (
        b"@relation r\n@attribute k {p,q,r,s}\n@attribute 'i d' string\n@attribute n numeric\n@attribute v {u,w}\n"
        b"@data\np,a,1,u\nq,b,?,?\nr,'c d',3,w\ns,e,4,u\n"
    )
    steps = "missing ?; drop i d; class k; classes right=r,q left=p"
    each = small(server.serve("/small", file(content)), instances=3, attributes=3, conversion=steps)
    written = Path(fetch(each, place).path).read_text()
    assert written == (
        "@relation small\n\n@attribute n numeric\n@attribute v {'?',u,w}\n@attribute k {right,left}\n\n@data\n"
        "1,u,left\n?,'?',right\n3,w,right\n"
    )
    os.unlink(f"{place}/small.arff")
    assert Path(fetch(each, place).path).read_text() == written
    with pytest.raises(FetchError, match="it has no attribute 'z'"):
        fetch(replace(each, name="other", conversion="drop z"), place)


def test_steps_of_conversion_keep_weights_and_sparse_rows():
    content = (
        b"@relation r\n@attribute k {p,q,r}\n@attribute n numeric\n@attribute v {u,w}\n"
        b"@data\np,1,u,{2}\n{0 q,1 2},{3}\nr,3,?,{4}\n{1 5}\n"
    )
    each = small("", instances=3, attributes=3, conversion="missing ?; class k; classes left=p right=q")
    found = convert_data(each, content)
    assert found.weights.tolist() == [2, 3, 1]
    assert found.sparse_rows.tolist() == [1, 2]
    assert values_digest(found) != values_digest(replace(found, is_sparse=None))
    assert found.values.tolist() == [[1, 1, 0], [2, 1, 1], [5, 1, 0]]


def test_rows_without_a_class_are_left_out_where_classes_are_grouped():
    content = b"@relation r\n@attribute k {p,q,r}\n@attribute n numeric\n@data\np,1\n?,2\nr,3\nq,?\n"
    found = convert_data(small("", instances=0, conversion="class k; classes left=p right=q"), content)
    np.testing.assert_array_equal(found.values, [[1, 0], [np.nan, 1]])
    assert found.class_names == ("left", "right")


# -- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def serving(server, place, tmp_path, monkeypatch):
    """Puts a catalogue of these entries in place of ours."""

    def serving(*sets):
        path = tmp_path / "catalogue.csv"
        with path.open("w", newline="") as written:
            writer = csv.DictWriter(written, asdict(sets[0]))
            writer.writeheader()
            writer.writerows(map(asdict, sets))
        monkeypatch.setattr(finding, "CATALOGUE", path)
        entries.cache_clear()
        return str(path)

    yield serving
    entries.cache_clear()


@pytest.fixture
def here(run, place, tmp_path, monkeypatch):
    """Runs a command in an empty folder."""
    monkeypatch.chdir(tmp_path / "here")
    return run


def cached(tmp_path):
    return tmp_path / "cache" / "wekaconf" / "data"


def test_fetch_by_name_and_use(serving, server, here, tmp_path):
    iris = small(server.serve("/iris", file(IRIS)), name="iris", instances=150, attributes=5, classes=3)
    serving(iris, small(server.serve("/gone", refuse(404)), name="gone"))
    assert here("evaluate", "iris").err == "error: iris: not at hand; 'wekaconf fetch uci iris' fetches it\n"
    ended = here("fetch", "uci", "iris")
    assert (ended.code, ended.out) == (0, f"{cached(tmp_path)}/iris.arff\n")
    assert "note: iris: no checksum" in ended.err
    measured = here("evaluate", "iris")
    assert measured.code == 0 and "96.00" in measured.out and f"iris: {cached(tmp_path)}/iris.arff" in measured.err
    assert here("tree", "iris", "-q").err == ""
    planned = here("fetch", "uci", "iris", "iris", "--dry-run").out
    assert planned == f"iris: at hand, UCI, free, the first download's checksum\n  {iris.address}\n"
    assert re.search(r"^iris .* cache$", here("list", "data").out, re.MULTILINE)
    Path("iris").mkdir()  # what is there is meant
    assert "error: iris" in here("tree", "iris").err


def test_what_fails_does_not_stop_the_rest(serving, server, here, tmp_path, monkeypatch):
    serving(small(server.serve("/gone", refuse(404)), name="gone"), small(server.serve("/small", file(SMALL))))
    told = []
    monkeypatch.setattr(ProgressBar, "tell", lambda _, text, share: told.append((text, share)))
    ended = here("fetch", "uci")
    assert told[0] == ("0/2 sets: gone", 0) and told[-1] == ("1/2 sets: small", 1)
    assert ("1/2 sets: small", 0.5) in told and told == sorted(told)
    assert ended.code == 1 and ended.out == f"{cached(tmp_path)}/small.arff\n"
    assert "not fetched: " in ended.err and "answered 404" in ended.err
    assert ended.err.splitlines()[-1] == "error: 1 of 2 data sets could not be fetched: gone"
    server.close()
    assert here("fetch", "uci", "small").code == 0
    ended = here("fetch", "uci")
    assert ended.code == 1 and "no connection" in ended.err.splitlines()[-1]


def test_names_are_checked_before_anything_is_asked(serving, server, here):
    serving(small(server.serve("/small", file(SMALL))))
    assert "did you mean 'small'?" in here("fetch", "uci", "small", "smal").err
    assert "Usage: " in here("fetch", "keel").err
    assert server.requests == []


def test_a_dry_run_asks_and_makes_nothing(serving, server, here, tmp_path):
    serving(small(server.serve("/small", file(SMALL)), checksum=sha256(SMALL)))
    ended = here("fetch", "uci", "--dry-run")
    assert ended.code == 0 and f"small: to fetch, UCI, free, known checksum\n  {server.begin}/small" in ended.out
    assert server.requests == [] and not cached(tmp_path).exists() and names(".") == []


def test_no_safe_cache_folder(serving, server, here, tmp_path, monkeypatch):
    serving(small(server.serve("/small", file(SMALL))))
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/no")
    monkeypatch.setenv("HOME", "/proc/no")
    ended = here("fetch", "uci")
    assert ended.code == 1 and ended.err.startswith("error: /proc/no") and len(ended.err.splitlines()) == 1
    assert here("list", "data").code == 0


def test_the_list_fits_a_terminal(here, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "wine.arff.gz").write_bytes(gzip.compress(SMALL))
    monkeypatch.setenv("WEKACONF_DATA", f"{tmp_path}/mine")
    page = here("list", "data").out
    assert max(map(len, page.splitlines())) <= 80
    rows = {line.split()[0]: line for line in page.splitlines() if "CC BY" in line or "Public" in line}
    assert [*rows] == [*entries()]
    assert rows["wine"].split() == ["wine", "178", "14", "3", "OpenML", "187", "CC", "BY", "4.0", "folder"]
    assert rows["iris"].endswith("CC BY 4.0")
    listed = {each["name"]: each for each in json.loads(here("list", "data", "--json").out)}
    assert listed["wine"]["file"] == f"{tmp_path}/mine/wine.arff.gz" and listed["iris"]["file"] is None
    assert listed["iris"]["address"] == "https://www.openml.org/api/v1/json/data/61"


# -- finding ---------------------------------------------------------------------------------------------------------


def test_folders_come_first_and_in_their_order(place, tmp_path, monkeypatch):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "two", "a.arff", SMALL)
    monkeypatch.setenv("WEKACONF_DATA", os.pathsep.join([str(tmp_path / "one"), "", str(tmp_path / "two"), "/no"]))
    with pytest.warns(wc.Note, match="WEKACONF_DATA names /no, and there is no such folder"):
        assert finding.find("a") == str(tmp_path / "two" / "a.arff")
    monkeypatch.setenv("WEKACONF_DATA", os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "two")]))
    write(tmp_path / "one", "a.arff.gz", gzip.compress(SMALL))
    assert finding.find("a") == str(tmp_path / "one" / "a.arff.gz")
    with pytest.raises(OptionError, match=r"no data set of that name in .*one or .*two or the fetched sets$"):
        finding.find("qqqq")
    with pytest.raises(OptionError, match="did you mean 'a'"):
        finding.find("A")


@pytest.mark.parametrize("text", ["a.arff", "a.CSV", "a/b", "./a", "", "a.arff.gz"])
def test_what_is_a_path_is_not_looked_up(place, text):
    assert not finding.is_name(text)


def test_names_stand_for_files_in_every_command(here, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    write(tmp_path / "mine", "flowers.arff", IRIS)
    monkeypatch.setenv("WEKACONF_DATA", f"{tmp_path}/mine")
    ended = here("evaluate", "flowers", "-T", "flowers")
    assert ended.code == 0 and "98.00" in ended.out
    for arguments in (["predict", "-t", "flowers", "-T", "flowers"], ["weka", "folds", "flowers"], ["tree", "flowers"]):
        ended = here(*arguments)
        assert ended.code == 0 and f"flowers: {tmp_path}/mine/flowers.arff\n" in ended.err
    ended = here("evaluate", "--rejecting", "flowers", "flower", "nothing/such.arff")
    assert ended.code == 1 and "left out: flower: there is no such file" in ended.err
    assert "did you mean 'flowers'?" in ended.err and "nothing/such.arff: no such file" in ended.err


# -- other processes -------------------------------------------------------------------------------------------------


def start(path, *arguments, **more):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, DRIVER, path, *arguments], **streams | more)


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come to that")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_download_begins_anew(serving, server, place, tmp_path, number):
    half = len(BIG) // 2
    path = serving(small(server.serve("/small", file(BIG, until=half, pause=20.0), file(BIG)), BIG))
    process = start(path, "fetch", "uci", "small")
    until(lambda: server.asked("/small"))
    time.sleep(0.5)  # the half that came is read
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    if number != signal.SIGKILL:
        assert (process.returncode, out) == (128 + number, "")
        assert f"what is finished is in {cached(tmp_path)}; run the same command again to go on" in err
    assert names(cached(tmp_path)) == []
    assert fetch(entry("small"), str(cached(tmp_path))).is_new
    assert len(server.asked("/small")) == 2
    assert (cached(tmp_path) / "small.arff").read_bytes() == BIG
    assert names(cached(tmp_path)) == ["small.arff", "small.json"]


def test_two_at_once_leave_one_whole_file(serving, server, place, tmp_path):
    asked = threading.Barrier(2)
    path = serving(small(server.serve("/small", lambda handler: (asked.wait(60), file(BIG)(handler))), BIG))
    both = [start(path, "fetch", "uci") for _ in range(2)]
    ended = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {out for out, _ in ended} == {f"{cached(tmp_path)}/small.arff\n"}
    assert finding.unchanged_file(str(cached(tmp_path)), "small")
    assert (cached(tmp_path) / "small.arff").read_bytes() == BIG
    assert names(cached(tmp_path)) == ["small.arff", "small.json"]


def test_a_full_disk(serving, server, place, tmp_path):
    path = serving(small(server.serve("/small", file(BIG)), BIG))
    limit = 100_000
    ended = start(
        path, "fetch", "uci",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )  # fmt: skip
    out, err = ended.communicate(timeout=120)
    assert (ended.returncode, out) == (1, "") and "File too large" in err and len(err.splitlines()) == 1
    assert names(cached(tmp_path)) == []
    assert fetch(entry("small"), str(cached(tmp_path))).is_new


def test_rows_without_a_header_begin_with_the_first_character():
    bupa = small("", instances=0, conversion="header liver-disorders")
    rows = convert_data(bupa, b"85,92,45,27,31,0.0,1\n* said of the rows\n\n64 59 32 23 7 0.5 2\n").values.tolist()
    assert rows == [[85, 92, 45, 27, 31, 0, 0], [64, 59, 32, 23, 7, 0.5, 1]]
    assert convert_data(bupa, b"@relation other\n@DATA\n85,92,45,27,31,0.0,1\n").values.tolist() == rows[:1]
