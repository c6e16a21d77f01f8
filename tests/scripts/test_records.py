"""Tables of records."""

import _records


def test_records_come_back_the_same_bytes(tmp_path):
    rows = [{"a": "1", "b": ""}, {"a": "ä", "b": '"'}]
    _records.pack(tmp_path / "x.csv.gz", rows)
    before = (tmp_path / "x.csv.gz").read_bytes()
    assert _records.unpack(tmp_path / "x.csv.gz") == rows
    _records.pack(tmp_path / "x.csv.gz", iter(rows))
    assert (tmp_path / "x.csv.gz").read_bytes() == before
