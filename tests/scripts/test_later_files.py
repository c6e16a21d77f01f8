"""The script that counts which damaged files are told: its damage, its trials and the sentences of its page."""

import numpy as np
import pytest
from later_files import page, records
from later_files.damage import DAMAGES, SIZES, columns_for, damaged
from later_files.trials import UNDAMAGED, Cell, cells_of

import wekaconf as wc

CREDIT = wc.load_arff("arff/credit-g.arff")


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.name)
def test_damage_hits_one_column_and_grows_with_its_size(damage):
    column, before = columns_for(damage, CREDIT)[-1], CREDIT.values
    changed = []
    for size in SIZES:
        after = damaged(damage, size, CREDIT, column, np.random.default_rng(0)).values
        if damage.selects_rows:
            changed.append(len(before) - len(after))
        else:
            is_same = np.nan_to_num(after, nan=-1) == np.nan_to_num(before, nan=-1)
            assert np.delete(is_same, column, axis=1).all()
            changed.append(np.abs(np.nan_to_num(after - before, nan=1e9)[:, column]).sum())
    assert 0 < changed[0] < changed[1] < changed[2]


def test_columns_that_say_nothing_are_not_damaged():
    identifier = wc.Attribute("id", "nominal", tuple(map(str, range(40))))
    attributes = (
        wc.Attribute("constant"),
        wc.Attribute("number"),
        identifier,
        wc.Attribute("class", "nominal", ("a", "b")),
    )
    values = np.column_stack([np.zeros(40), np.arange(40.0), np.arange(40.0), np.zeros(40)])
    data = wc.Dataset(wc.Header("few", attributes, 3), values)
    assert {damage.name: columns_for(damage, data) for damage in DAMAGES if columns_for(damage, data) != [1]} == {
        "other mix": [], "a value lost": []
    }  # fmt: skip


def test_a_set_is_tried_with_all_kinds_of_damage():
    cells = cells_of("credit-g", CREDIT, 3, 1)
    assert {(cell.kind, cell.size) for cell in cells} == {
        (UNDAMAGED, ""), *((damage.name, size) for damage in DAMAGES for size in SIZES)
    }  # fmt: skip
    assert [cell.n for cell in cells] == [3] + [1] * (len(cells) - 1)
    assert all(cell.told == cell.named == 1 for cell in cells if cell.size == "large")


def test_records_come_back(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "RECORDS", tmp_path / "r.csv")
    cells = [Cell("iris", "moved", "small", 10, 4, 3, 2), Cell("iris", UNDAMAGED, "", 34, 1)]
    for cell in cells:
        records.add([cell])
    assert records.read() == cells


def test_the_records_hold_what_is_claimed():
    """All large damage of thirty sets is told, and of 1,000 undamaged halves not more than one in twenty."""
    cells = records.read()
    halves = [cell for cell in cells if cell.kind == UNDAMAGED]
    assert (len(halves), sum(cell.n for cell in halves)) == (30, 1000)
    assert sum(cell.told for cell in halves) <= 50
    assert sum(cell.far for cell in halves) <= 50
    assert all(cell.told == cell.n for cell in cells if cell.size == "large")
    assert page.large(cells).endswith("missed: none.")
    far = [Cell("iris", UNDAMAGED, "", 50, 1, 0, 2), Cell("sick", UNDAMAGED, "", 50, 1, 0, 3), halves[2]]
    assert page.undamaged(far).endswith(" Of the others 5, 3.7 %, have rows far outside (iris, sick).")
    assert "1 of 10 (moved, iris)" in page.large([Cell("iris", "moved", "large", 10, 9, 9)])
