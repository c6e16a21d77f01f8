"""Sets of OpenML by number, from a real server on this machine."""

import hashlib
import json

import pytest
from support.data_server import file

import wekaconf as wc
from wekaconf.base.errors import FetchError, OptionError
from wekaconf.data.catalogue import _finding as finding
from wekaconf.data.catalogue import online
from wekaconf.data.catalogue.online import Patience

HASTY = Patience(timeout=2.0, attempts=2, first_wait=0.02, longest_wait=1.0)
ARFF = b"""% from a donor
@relation zoo
@attribute 'animal; name' string
@attribute legs numeric
@attribute type {mammal,bird}
@attribute weight numeric
@data
bear,4,mammal,200
wren,2,bird,?
"""
DESCRIPTION = {
    "id": "62", "name": "zoo", "version": "1", "format": "ARFF", "licence": "Public", "status": "active",
    "default_target_attribute": "type", "row_id_attribute": "animal; name",
    "md5_checksum": hashlib.md5(ARFF, usedforsecurity=False).hexdigest(),
}  # fmt: skip


@pytest.fixture
def openml(server, monkeypatch):
    """A function that has the server describe set 62, with changes, and send its file."""
    monkeypatch.setattr(finding, "OPENML", f"{server.begin}/api/")

    def described(content=ARFF, **changes):
        description = {**DESCRIPTION, "url": server.serve("/file.arff", file(content)), **changes}
        server.serve("/api/62", file(json.dumps({"data_set_description": description}).encode()))

    return described


def fetched(folder):
    return online.fetch(finding.openml_entry("62"), str(folder), patience=HASTY)


def test_class_identifiers_and_ignored_columns_are_as_openml_declares(openml, tmp_path, server):
    openml(ignore_attribute=["legs"])
    found = fetched(tmp_path)
    data = wc.load_arff(found.path)
    assert [attribute.name for attribute in data.attributes] == ["weight", "type"]
    assert data.class_names == ("mammal", "bird") and data.values[0].tolist() == [200, 0]
    assert found.notes == ("OpenML calls it zoo, version 1; left out: 'animal; name', 'legs'",)
    record = json.loads((tmp_path / "openml-62.json").read_text())
    assert (record["source"], record["licence"]) == ("OpenML 62", "Public")
    again = fetched(tmp_path)
    assert not again.is_new and len(server.requests) == 2


@pytest.mark.parametrize(
    ("changes", "names", "note"),
    [
        ({"row_id_attribute": None}, ["animal; name", "legs", "weight", "type"], "OpenML calls it zoo, version 1"),
        ({"default_target_attribute": "legs"}, ["type", "weight", "legs"], "OpenML calls it zoo"),
        ({"default_target_attribute": None}, ["legs", "type", "weight"], "no target, so the last attribute is"),
        ({"default_target_attribute": "type,legs"}, ["legs", "weight", "type"], "several targets, of which 'type' is"),
        ({"status": "deactivated"}, ["legs", "weight", "type"], "has set it to 'deactivated'"),
        ({"md5_checksum": ""}, ["legs", "weight", "type"], "no checksum of it is known"),
    ],
)  # fmt: skip
def test_what_a_description_may_lack(openml, tmp_path, changes, names, note):
    openml(**changes)
    found = fetched(tmp_path)
    assert [attribute.name for attribute in wc.load_arff(found.path).attributes] == names
    assert any(note in each for each in found.notes)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": "parquet"}, "openml-62: OpenML has it as parquet, and only ARFF is read"),
        ({"format": ""}, "as a file of unknown format"),
        ({"default_target_attribute": "kind"}, "it has no attribute 'kind'"),
        ({"md5_checksum": "0" * 32}, "sent another file than expected"),
        ({"url": None}, "None"),
    ],
)
def test_what_is_refused(openml, tmp_path, changes, says):
    openml(**changes)
    with pytest.raises(FetchError, match=says):
        fetched(tmp_path)
    assert not list(tmp_path.glob("*.arff"))


def test_a_file_that_is_too_large_names_the_way_round(openml, tmp_path, monkeypatch):
    openml()
    monkeypatch.setattr(online, "LARGEST", 100)
    with pytest.raises(FetchError, match="at most 100 are taken, so nothing was kept; fetch it by hand"):
        fetched(tmp_path)


@pytest.mark.parametrize("number", ["0", "iris", "-1", "1.5", "", "../../etc", "٣"])
def test_only_numbers_name_sets(number):
    with pytest.raises(OptionError, match="expected the number of a data set at OpenML"):
        finding.openml_entry(number)


def test_a_set_that_is_not_at_hand_says_how_to_fetch_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(OptionError, match="openml-61: not at hand; 'wekaconf fetch openml 61' fetches it"):
        finding.find("openml-61")


def test_command_line(run):
    planned = run("fetch", "openml", "61", "--dry-run").out
    assert planned.startswith("openml-61: to fetch, OpenML 61, OpenML's own checksum\n  https://www.openml.org/api")
    unnamed = run("fetch", "openml")
    assert unnamed.code == 2 and "name the sets of OpenML by their numbers" in " ".join(unnamed.err.split())
    wrong = run("fetch", "openml", "iris", "--dry-run")
    assert wrong.code in (1, 2) and "the number of a data set at OpenML" in " ".join(wrong.err.split())
