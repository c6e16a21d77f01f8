"""Downloads, of OpenML, too, from a server on this machine that cuts, refuses, redirects, stalls, and never ends."""

import hashlib
import json
import random
import ssl
import subprocess
from dataclasses import replace

import pytest
from support.data_server import DataServer, endless, file, redirect, refuse, silent, unmeasured

import wekaconf as wc
from wekaconf.base.errors import FetchError, OptionError
from wekaconf.data.catalogue import _finding as finding
from wekaconf.data.catalogue import entry, online
from wekaconf.data.catalogue.online import UnreachableError, download

CONTENT = random.Random(1).randbytes(300_000)
LARGEST = 1_000_000


def refused(address, largest=LARGEST, kind=FetchError):
    with pytest.raises(kind) as caught:
        download(address, largest)
    assert address in str(caught.value)
    return str(caught.value)


def test_a_file_is_asked_for_once_and_we_say_who_asks(server):
    seen = []
    address = server.serve("/f", file(CONTENT))
    assert download(address, LARGEST, lambda here, total: seen.append((here, total))) == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT)) and sorted(seen) == seen
    (headers,) = server.asked("/f")
    assert headers["User-Agent"].startswith("wekaconf/") and headers["Accept-Encoding"] == "identity"


def test_a_file_may_be_empty(server):
    assert download(server.serve("/f", file(b"")), LARGEST) == b""


def test_a_server_that_cuts_is_asked_once(server):
    text = refused(server.serve("/f", file(CONTENT, until=700), file(CONTENT)))
    assert "the connection was cut after 700 of 300,000 bytes; run fetch again later" in text
    assert len(server.asked("/f")) == 1


def test_a_cut_chunk_is_no_end(server):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"1000\r\nabc")

    text = refused(server.serve("/f", answer))
    assert "the connection was cut after 3 bytes (" in text and text.endswith("; run fetch again later")


@pytest.mark.parametrize(
    ("advice", "statuses"),
    [
        ("run fetch again later", (408, 425, 429, 500, 502, 503, 504)),
        ("fetch it by hand and name the file", (400, 401, 403, 404, 410, 501)),
    ],
)
def test_a_refusal_says_whether_it_may_be_over_later(server, advice, statuses):
    for status in statuses:
        text = refused(server.serve(f"/{status}", refuse(status), file(CONTENT)))
        assert f"answered {status}" in text and text.endswith(f"; {advice}")
        assert len(server.asked(f"/{status}")) == 1


@pytest.mark.parametrize("status", [202, 204, 206])
def test_a_part_of_a_file_is_not_taken_for_the_whole(server, status):
    assert f"answered {status}, which is not the whole file" in refused(server.serve("/f", refuse(status)))
    assert len(server.asked("/f")) == 1


def test_redirects_on_the_web_are_followed(server):
    server.serve("/there", file(CONTENT))
    for status in (301, 302, 303, 307, 308):
        assert download(server.serve("/f", redirect("/there", status)), LARGEST) == CONTENT
    assert len(server.asked("/there")) == 5


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "javascript:1", "/f"])
def test_redirects_off_the_web_or_in_a_circle_are_refused(server, target):
    text = refused(server.serve("/f", redirect(target)))
    assert "302" in text or "refused" in text
    assert len(server.asked("/f")) <= 11


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "/etc/passwd", "x"])
def test_only_web_addresses_are_asked(address):
    assert "refused" in refused(address)


def test_a_silent_server_times_out(server, monkeypatch):
    monkeypatch.setattr(online, "TIMEOUT", 1.0)
    assert "did not answer in time; run fetch again later" in refused(server.serve("/f", silent(4.0)))
    stalled = refused(server.serve("/g", file(CONTENT, until=1000, pause=4.0)))
    assert "nothing came for a while after 1,000 bytes; run fetch again later" in stalled


def test_no_more_than_the_largest_size_is_taken(server):
    unknown = server.serve("/h", unmeasured(CONTENT))
    assert "has more bytes, and at most 299,999 are taken" in refused(unknown, largest=299_999)
    assert download(unknown, 300_000) == CONTENT
    assert "has more bytes, and at most 1,000,000 are taken" in refused(server.serve("/f", endless))
    assert "has 300,000 bytes, and at most 299,999" in refused(server.serve("/g", file(CONTENT)), largest=299_999)
    assert download(server.serve("/g", file(CONTENT)), 300_000) == CONTENT


def test_packed_bytes_are_not_the_file(server):
    assert "packed" in refused(server.serve("/g", file(CONTENT, Content_Encoding="gzip")))


def test_nobody_listens(server):
    address = server.serve("/f", file(CONTENT))
    server.close()
    assert "no connection (Connection refused); check the network and run fetch again" in refused(
        address, kind=UnreachableError
    )


def test_a_certificate_must_be_trusted_and_https_stays_https(server, tmp_path, monkeypatch):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    safe = DataServer(context)
    try:
        address = safe.serve("/f", file(CONTENT))
        assert "certificate is not trusted" in refused(address)
        assert safe.requests == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        online._opener.cache_clear()
        assert download(address, LARGEST) == CONTENT
        assert "is not https: refused" in refused(safe.serve("/g", redirect(server.serve("/f", file(CONTENT)))))
        assert server.requests == []
        described = json.dumps({"data_set_description": {"url": "http://127.0.0.1/file"}}).encode()
        found = online._look_up(replace(entry("iris"), address=safe.serve("/api", file(described))))
        assert found[:3] == ("https://127.0.0.1/file", (), "")
    finally:
        safe.close()
        online._opener.cache_clear()


# -- sets of OpenML by number ------------------------------------------------------------------------------------------


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


def fetched_set(folder):
    return online.fetch(finding.openml_entry("62"), str(folder))


def test_class_identifiers_and_ignored_columns_are_as_openml_declares(openml, tmp_path, server):
    openml(ignore_attribute=["legs", "type", "animal; name"])
    found = fetched_set(tmp_path)
    data = wc.load_arff(found.path)
    assert [attribute.name for attribute in data.attributes] == ["weight", "type"]
    assert data.class_names == ("mammal", "bird") and data.values[0].tolist() == [200, 0]
    assert found.notes == ("OpenML calls it zoo, version 1; left out: 'animal; name', 'legs'",)
    record = json.loads((tmp_path / "openml-62.json").read_text())
    assert (record["source"], record["licence"]) == ("OpenML 62", "Public")
    again = fetched_set(tmp_path)
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
    found = fetched_set(tmp_path)
    assert [attribute.name for attribute in wc.load_arff(found.path).attributes] == names
    assert any(note in each for each in found.notes)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": "parquet"}, "openml-62: OpenML has it as parquet, and only ARFF is read"),
        ({"format": ""}, "as a file of unknown format"),
        ({"default_target_attribute": "kind"}, "it has no attribute 'kind'"),
        ({"md5_checksum": "0" * 32}, f"sent another file than expected: md5 {'0' * 32} is known"),
        ({"url": None}, "None"),
    ],
)
def test_what_is_refused(openml, tmp_path, changes, says):
    openml(**changes)
    with pytest.raises(FetchError, match=says):
        fetched_set(tmp_path)
    assert not list(tmp_path.glob("*.arff"))


def test_a_description_may_say_next_to_nothing(server):
    steps, notes = online._declared(finding.openml_entry("62"), {"format": "Sparse_ARFF"})
    assert (steps, notes) == ((), (
        "OpenML calls it , version ",
        "OpenML declares no target, so the last attribute is the class; choose another if that is not meant",
    ))  # fmt: skip
    described = {"url": "http://there/http:/f", "md5_checksum": "AB", "format": "ARFF"}
    address = server.serve("/api", file(json.dumps({"data_set_description": described}).encode()))
    found = online._look_up(replace(finding.openml_entry("62"), address=address))
    assert found == ("http://there/http:/f", ("md5:ab",), "", steps, notes)


@pytest.mark.parametrize(
    ("error", "words"),
    [(OSError(5, "no disk"), "no disk"), (ValueError("so"), "so"), (ValueError(), "ValueError"),
     (ValueError("a\n" + "x" * 118), "a\\n" + "x" * 117)],
)  # fmt: skip
def test_what_a_library_says_is_cut_after_120_characters(error, words):
    assert online._words(error) == words


@pytest.mark.parametrize(("told", "length"), [("12", 12), ("-1", None), ("", None)])
def test_a_length_that_is_none_is_unknown(told, length):
    assert online._length({"Content-Length": told}) == length and online._length({}) is None


def test_a_file_that_is_too_large_names_the_way_round(openml, tmp_path, monkeypatch):
    openml()
    monkeypatch.setattr(online, "LARGEST", 100)
    with pytest.raises(FetchError, match="at most 100 are taken, so nothing was kept; fetch it by hand"):
        fetched_set(tmp_path)


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
