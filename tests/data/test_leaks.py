"""Columns that alone decide the class are told, and none of the public data sets has one."""

import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.table_files import notes_of

import wekaconf as wc
from wekaconf.base.errors import Note
from wekaconf.data._leaks import NearLeak, deciding_columns, errors_of_columns, near_leak, note_leaks

N = 60
LABEL = np.array(["no", "yes", "no"])[np.arange(N) % 3]
IS_YES = LABEL == "yes"
NOISE = np.random.default_rng(0).permutation(N)


def with_column(cells, label=LABEL):
    frame = pd.DataFrame({"noise": NOISE % 7, "leak": cells, "class": label})
    return wc.Dataset.from_pandas(frame)


@pytest.mark.parametrize(
    "cells",
    [
        np.where(IS_YES, 5.0, 2.0),
        np.where(IS_YES, 100.5 + NOISE, 50.0 - NOISE),
        np.where(IS_YES, "refunded", "kept"),
        np.where(IS_YES, np.array(["a", "b"])[NOISE % 2], np.array(["c", "d", "e"])[NOISE % 3]),
        np.where(IS_YES, NOISE, np.nan),  # only the refunded have a sum
        np.where(IS_YES, np.nan, NOISE),
        pd.Series(pd.Timestamp("2025-01-01") + pd.to_timedelta(NOISE, "D")).where(pd.Series(IS_YES)),
        pd.Series([f"refund {n}" for n in range(N)]).where(pd.Series(IS_YES)),  # a text per row, but only there
        np.where(IS_YES, np.where(NOISE % 2, 5.0, np.nan), 2.0),
    ],
)
def test_columns_that_decide(cells):
    data = with_column(cells)
    assert deciding_columns(data) == ["leak"]
    with pytest.warns(
        Note,
        match=r"t.csv: 'leak' alone gives 100 % of the classes: leaked\? If it .*, ignore=\['leak'\] leaves it out",
    ):
        note_leaks("t.csv", data)


@pytest.mark.parametrize(
    "cells",
    [
        NOISE % 5,
        np.where(np.arange(N) == 1, 2.0, np.where(IS_YES, 5.0, 2.0)),  # one row contradicts
        np.where(IS_YES, 5.0, np.where(np.arange(N) == 0, 5.0, 2.0)),
        [f"P{n}" for n in range(N)],  # names the rows
        np.where(np.arange(N) % 5 == 0, np.nan, np.where(IS_YES, 5.0, 2.0)),  # the missing are of both classes
        np.full(N, np.nan),
        np.full(N, 3.0),
        np.where(IS_YES, 5.0, np.where(NOISE % 2, 2.0, 9.0)),  # the class in the middle: a single cut does not tell
    ],
)
def test_columns_that_do_not(cells):
    assert deciding_columns(with_column(cells)) == []


def test_three_classes_in_intervals():
    label = np.array(["a", "b", "c"])[np.arange(N) % 3]
    assert deciding_columns(with_column(np.select([label == "a", label == "b"], [2.0, 9.0], 5.0), label)) == ["leak"]
    assert deciding_columns(with_column(np.select([label == "a", label == "b"], [2.0, 9.0], 2.0), label)) == []


@pytest.mark.parametrize("values", ["xyz", "yzx", "zxy"])
def test_three_classes_by_values(values):
    label = np.array(["a", "b", "c"])[np.arange(N) % 3]
    assert deciding_columns(with_column(np.array([*values])[np.arange(N) % 3], label)) == ["leak"]


def test_few_rows_tell_nothing():
    data = with_column(np.where(IS_YES, 5.0, 2.0))
    assert deciding_columns(data[:20]) == ["leak"]
    assert deciding_columns(data[:19]) == []
    rare = np.where(np.arange(N) < 5, "yes", "no")
    assert deciding_columns(with_column(np.where(rare == "yes", 5.0, 2.0), rare)) == ["leak"]
    rare = np.where(np.arange(N) < 4, "yes", "no")
    assert deciding_columns(with_column(np.where(rare == "yes", 5.0, 2.0), rare)) == []


def test_a_class_without_rows_changes_nothing_and_one_of_a_single_row_much():
    data = with_column(np.where(IS_YES, 5.0, 2.0))
    *others, target = data.attributes
    wider = wc.Attribute(target.name, "nominal", (*target.values, "maybe"))
    data = wc.Dataset(wc.Header("r", (*others, wider), 2), data.values)
    assert deciding_columns(data) == ["leak"]
    values = data.values.copy()
    values[0, 1:] = 9, 2
    assert deciding_columns(wc.Dataset(data.header, values)) == []


def test_values_of_few_rows_tell_nothing():
    """Twelve values have five rows each; thirteen have fewer on the average."""
    for n_of_yes, expected in ((4, ["leak"]), (5, [])):
        values = np.where(IS_YES, NOISE % n_of_yes, 10 + NOISE % 8)
        data = with_column([f"v{value}" for value in values])
        assert len(data.attributes[1].values) == n_of_yes + 8
        assert deciding_columns(data) == expected


def test_rows_without_a_class_tell_nothing():
    data = with_column(np.where(IS_YES, 5.0, 2.0))
    values = data.values.copy()
    values[::4, -1], values[::4, 1] = np.nan, 3.5
    values[0, 1] = 99
    assert deciding_columns(wc.Dataset(data.header, values)) == ["leak"]


def test_random_columns_against_a_slow_search():
    """A column decides if a table of its values, or of runs in its order, never has two classes in one place."""
    rng = np.random.default_rng(1)
    n_deciding = 0
    for _ in range(300):
        classes = np.repeat([0, 1], rng.integers(10, 20, 2))
        cells = classes * rng.integers(2, 4) + rng.integers(0, rng.integers(1, 4), len(classes)).astype(float)
        cells[rng.random(len(cells)) < rng.choice([0, 0.02])] = np.nan
        attributes = (wc.Attribute("x"), wc.Attribute("c", "nominal", ("p", "q")))
        data = wc.Dataset(wc.Header("r", attributes, 1), np.column_stack([cells, classes]))
        missing, known = set(classes[np.isnan(cells)]), [*zip(cells, classes, strict=True)]
        known = sorted((cell, label) for cell, label in known if not np.isnan(cell))
        labels = [label for _, label in known]
        changes = sum(a != b for a, b in pairwise(labels))
        ties = any(a == b and p != q for (a, p), (b, q) in pairwise(known))
        expected = len(missing) < 2 and changes <= 1 and not ties
        n_deciding += expected
        assert (deciding_columns(data) == ["x"]) == expected
    assert 50 < n_deciding < 250


def test_it_is_told_of_tables(write):
    rows = [f"{n % 7},{'5.50' if n % 3 else ''},{'no' if n % 3 else 'yes'}\n" for n in range(30)]
    path = write("x,refund,class\n" + "".join(rows))
    assert notes_of(path) == [
        "'refund' alone gives 100 % of the classes: leaked? If it will not be known before the class, "
        "ignore=['refund'] leaves it out"
    ]
    assert notes_of(path, ignore=["refund"]) == []
    rows = [row.replace(",yes", ",yes,1").replace(",no", ",no,0") for row in rows]
    path = write("x,refund,class,paid\n" + "".join(rows))
    [said] = notes_of(path, class_attribute="class")
    assert said == (
        "each of 'refund', 'paid' alone gives 100 % of the classes: leaked? If they will not be known before the "
        "class, ignore=['refund', 'paid'] leaves them out"
    )


# -- nearly --------------------------------------------------------------------------------------------------------


def errors_by_hand(cells, label):
    """How many rows a column of numbers with two classes, or of texts, answers wrongly by itself."""
    missing = pd.isna(cells)
    error = missing.sum() - pd.Series(label[missing]).value_counts().max() if missing.any() else 0
    cells, label = cells[~missing], label[~missing]
    if cells.dtype == object:
        groups = [label[cells == text] for text in set(cells)]
        return int(error + sum(len(group) - pd.Series(group).value_counts().max() for group in groups))
    cuts = [-np.inf, *np.unique(cells)]
    sides = ([label[cells <= cut], label[cells > cut]] for cut in cuts)
    return int(error + min(sum(len(side) - max(np.unique(side, return_counts=True)[1], default=0) for side in pair)
                           for pair in sides))  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_the_errors_of_a_column_by_hand(seed):
    """By its values, or by the best cut; where a cut of another purity is taken, it errs a little more."""
    rng = np.random.default_rng(seed)
    label = np.where(rng.random(300) < 0.4, "yes", "no")
    texts = np.where(rng.random(300) < 0.9, label, "other").astype(object)
    texts[rng.random(300) < 0.1] = None
    numbers = np.where(label == "yes", 1.0, 0.0) + rng.normal(0, 0.3, 300)
    numbers[rng.random(300) < 0.1] = np.nan
    data = wc.Dataset.from_pandas(pd.DataFrame({"t": texts, "x": numbers, "class": label}))
    found, base = errors_of_columns(data, np.arange(300))
    assert base == min((label == "yes").sum(), (label == "no").sum())
    assert found["t"] == errors_by_hand(texts, label)
    least = errors_by_hand(numbers, label)
    assert least <= found["x"] <= least + 6


def test_columns_that_are_known_in_few_rows():
    columns = {"x": np.where(IS_YES, NOISE, np.nan), "t": np.where(IS_YES, "paid", None), "n": np.full(N, np.nan)}
    empty = wc.Dataset.from_pandas(pd.DataFrame({**columns, "e": pd.Categorical([None] * N, ["a"]), "class": LABEL}))
    assert errors_of_columns(empty, np.arange(N)) == ({"x": 0, "t": 0}, 20)


def nearly(n_wrong, n_wrong_of_next, n=400, n_rare=100):
    """A table with a column that contradicts the class in so many rows of each class, and another one that does."""
    label = np.where(np.arange(n) < n_rare, "yes", "no")

    def column(wrong):
        is_yes = label == "yes"
        flipped = np.isin(np.arange(n), [*range(wrong // 2), *range(n - (wrong + 1) // 2, n)])
        return np.where(is_yes != flipped, "paid", "open")

    return pd.DataFrame({"a": column(n_wrong), "b": column(n_wrong_of_next), "class": label})


@pytest.mark.parametrize(
    ("n_wrong", "n_wrong_of_next", "is_told"),
    [(1, 40, True), (25, 50, True), (25, 49, False), (26, 90, False), (6, 25, False), (6, 26, True), (2, 2, False)],
)
def test_one_column_that_leaves_few_errors_and_others_many(n_wrong, n_wrong_of_next, is_told):
    data = wc.Dataset.from_pandas(nearly(n_wrong, n_wrong_of_next))
    expected = NearLeak("a", 1 - n_wrong / 400, 1 - n_wrong_of_next / 400)
    assert near_leak(data) == near_leak(data._of_columns([2, 0, 1], 0)) == (expected if is_told else None)


def test_a_changed_cell_does_not_hide_a_leak(write):
    frame = nearly(0, 60)
    frame.loc[5, "a"] = "open"
    [said] = notes_of(write(frame.to_csv(index=False)))
    assert said == (
        "'a' alone is right about the class of 99.8 % of the rows, the next column of 85.0 %: leaked? If it will not "
        "be known before the class, ignore=['a'] leaves it out"
    )
    assert notes_of(write(frame.drop(columns="a").to_csv(index=False))) == []


def test_few_rows_few_columns_and_rare_classes_tell_nothing():
    assert near_leak(wc.Dataset.from_pandas(nearly(1, 8, n=49, n_rare=20))) is None
    assert near_leak(wc.Dataset.from_pandas(nearly(1, 8, n=50, n_rare=20))) is not None
    assert near_leak(wc.Dataset.from_pandas(nearly(1, 40)[["a", "class"]])) is None
    assert near_leak(wc.Dataset.from_pandas(nearly(0, 4, n=400, n_rare=4))) is None
    assert near_leak(wc.Dataset.from_pandas(nearly(0, 4, n=400, n_rare=5))) is not None
    named = nearly(1, 40).assign(a=[f"n{row}" for row in range(400)])
    assert near_leak(wc.Dataset.from_pandas(named)) is None


def test_numbers_of_any_size_and_rows_without_a_class():
    frame = nearly(1, 60)
    frame["a"] = np.where(frame["a"] == "paid", 1e300, -1e300)
    frame.loc[7, "a"] = np.nan
    frame.loc[[8, 9], "class"] = None
    assert near_leak(wc.Dataset.from_pandas(frame)).name == "a"
    many = pd.concat([nearly(1, 60)] * 60, ignore_index=True)
    assert near_leak(wc.Dataset.from_pandas(many)).name == "a"


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
def test_three_classes_have_three_intervals(kind):
    rng = np.random.default_rng(1)
    label = rng.integers(0, 3, 300)
    cells = label + rng.normal(0, 0.15, 300) if kind == "numeric" else np.array(["p", "q", "r"])[label]
    frame = pd.DataFrame({"noise": rng.integers(0, 4, 300), "leak": cells, "class": np.array(["a", "b", "c"])[label]})
    frame.loc[0, "leak"] = frame.loc[frame["class"] != frame.loc[0, "class"], "leak"].iloc[0]
    assert near_leak(wc.Dataset.from_pandas(frame)).name == "leak"


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "arff").glob("*.arff")), ids=lambda path: path.stem
)
def test_bundled_sets_have_none(path):
    """But for the coins, of which the diameter tells nearly all."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        note_leaks(path.name, wc.load_arff(path))
    assert [str(each.message).split()[1] for each in told] == ["'diameter'"] * (path.stem == "coins")


@pytest.mark.uci
@pytest.mark.one_commit_in(3)
def test_public_sets_have_none(uci):
    """Of 101 sets; the search takes milliseconds per set."""
    for path in sorted(uci.glob("*.arff")):
        data = wc.load_arff(path)
        if data.header.class_attribute.is_nominal:
            assert deciding_columns(data) == [], path.name
