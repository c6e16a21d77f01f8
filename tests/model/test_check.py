"""`Model.check`: what `wekaconf check` says, asked from Python, for data sets and frames; groups with more errors."""

import json
import math
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.command_line import ARFF, words
from support.written_trees import EACH, LE, written_tree

import wekaconf as wc
from wekaconf.base.errors import Note, OptionError
from wekaconf.cli.console import ExitCode
from wekaconf.data import Attribute, Header
from wekaconf.data._matching import UnseenCells
from wekaconf.model._check import OTHER_CLASSES, groups_of_columns, groups_of_leaves
from wekaconf.tree._forest import Forest

AIMS = {
    "an error": wc.Aim("error", 0.2, confidence=0.9),
    "an error per class": wc.Aim("error", {"b": 0.3, "a": 0.2}, confidence=0.9),
    "a mean cost": wc.Aim("mean_cost", 0.4, confidence=0.9, reject_costs=wc.RejectCosts(1.0, 0.5)),
    "a threshold": wc.Aim("below", 0.8),
    "none": None,
}

TOWNS = ("Bonn", "Ulm")


def table(seed, n, flipped=0.1):
    """Rows whose class follows from two columns, but for a share of them."""
    rng = np.random.default_rng(seed)
    x, y = rng.random((2, n)).round(4)
    is_b = (x > 0.5) != (rng.random(n) < flipped)
    return pd.DataFrame(
        {"x": x, "y": y, "town": rng.choice(["Ulm", "Bonn"], n), "out": np.where(is_b, "b", "a").astype(str)}
    )


@pytest.fixture(scope="module")
def known():
    return wc.Dataset.from_pandas(table(0, 600), relation="known")


@pytest.fixture
def later(tmp_path, monkeypatch):
    """A later file, with a class that training did not have, and rows without one."""
    monkeypatch.chdir(tmp_path)
    frame = table(1, 300, flipped=0.45)
    frame.loc[:9, "out"] = "c"
    frame.loc[290:, "out"] = None
    frame.to_csv("later.csv", index=False)
    return frame


@pytest.mark.parametrize("aim", AIMS)
def test_it_says_what_the_command_line_says(aim, known, later, run):
    model = wc.fit(known, learner="CART", aim=AIMS[aim])
    model.save("m.wct")
    groups = later["town"].tolist()
    with pytest.warns(Note, match="'c'"):
        check = model.check(later, by=groups)
    whole = ["check", "m.wct", "later.csv", "--by", "town"]
    [record] = json.loads(run(*whole, "--json").out)
    drift = record.pop("drift", None)
    assert record == {
        "model": "m.wct", "data": "later.csv", **json.loads(json.dumps(check.record)),
        "by town": json.loads(json.dumps(check.record_of_groups)),
    }  # fmt: skip
    assert drift["n_rows"] == check.drift.n_rows == 300 and drift["n_outside"] == check.drift.n_outside
    assert check.n_without_class == 10 and len(check) == 290 and check.is_wrong[:10].all()
    told = run(*whole)
    assert told.code == (ExitCode.PROMISE_BROKEN if check.is_broken else ExitCode.DONE)
    for line in (*check.lines, *check.group_lines, *check.other_classes):
        assert words(line) in words(told.out)
    assert check.verdict in str(check) and check.verdict in repr(check)


def test_a_data_set_and_a_frame_are_checked_alike(known, later):
    model = wc.fit(known, learner="CART", aim=AIMS["an error"])
    model.save("m.wct")
    declared = later[later["out"].isin(["a", "b"])]
    read = wc.Dataset.from_pandas(declared, class_attribute="out")
    checks = [model.check(rows) for rows in (declared, read, wc.Dataset.from_pandas(declared, header=model.header))]
    assert checks[0].other_classes == [OTHER_CLASSES] and OTHER_CLASSES in str(checks[0])
    assert not model.check(table(3, 200)).other_classes
    assert checks[0].is_broken and [str(check) for check in checks] == [str(checks[0])] * 3
    assert str(checks[0]).startswith("promised: error at most 20 % with confidence 90 %\n280 rows, ")


def test_rows_that_the_model_has_seen(known):
    model = wc.fit(known, learner="CART", aim=AIMS["an error"])
    with pytest.raises(OptionError, match="the data: 600 rows of 600 grew or calibrated the model"):
        model.check(known)
    new = wc.Dataset.from_pandas(table(3, 200), header=known.header)
    check = model.check(new.join(known.take([0])))
    assert check.n_seen == 1 and "note: the data: 1 of 201 rows repeats one that grew or calibrated" in str(check)
    bare = wc.fit(known, learner="CART", aim=AIMS["an error"], summary=False)
    assert bare.check(new).n_seen is None and "which rows grew or calibrated the model is not" in str(bare.check(new))
    grown = wc.fit(known, learner="CART", summary=False).check(known)
    assert "these are probably the rows that the tree was grown on" in grown.seen


def test_what_cannot_be_checked(known):
    model = wc.fit(known, learner="CART", aim=AIMS["an error"])
    new = wc.Dataset.from_pandas(table(3, 20), header=known.header)
    with pytest.raises(OptionError, match=r"the data: no row has a class, .* expected it in the column 'out'"):
        model.check(new.without_class_values())
    with pytest.raises(OptionError, match="by: expected one text per row, 20, got 3"):
        model.check(new, by=["a", "b", "c"])
    with pytest.raises(OptionError, match="different weights"):
        model.check(wc.Dataset(new.header, new.values, np.arange(1.0, 21)))
    with pytest.raises(OptionError, match="expected a Dataset, got list"):
        model.check([[1, 2]])
    costly = wc.Aim("mean_cost", 0.001, confidence=0.9, reject_costs=wc.RejectCosts(1.0, 0.3))
    unreached = wc.fit(known, learner="CART", aim=costly)
    assert str(unreached.check(new)).startswith("promised: nothing\n20 rows, none answered\nmean cost per row 0.3\n")
    assert unreached.check(new).record["mean_cost"] == pytest.approx(0.3)


def test_whether_rows_grew_a_forest_is_not_known():
    data = wc.Dataset.from_pandas(table(2, 60))
    tree = wc.CART().grow(data)
    for grown, is_known in ((tree, True), (wc.Forest((tree, tree), learner="Bagging", options=""), False)):
        check = wc.Model(wc.method("leaf_frequency").fit(grown, data)).check(data)
        assert check.n_seen is None and ("they show nothing about others" in check.seen) == is_known


def test_the_answer_knows_what_is_rejected_and_what_lies_outside(known, later):
    model = wc.fit(known, learner="CART", aim=AIMS["an error per class"])
    later.loc[0, "x"], later.loc[1, "town"] = 99.0, "Rom"
    with pytest.warns(Note, match="'Rom'"):
        answer = model.answer(later.drop(columns="out"))
    frame = model.answer_frame(later.drop(columns="out"))
    assert answer.is_rejected.tolist() == frame["rejected"].tolist()
    assert answer.outside.rows.tolist() == (frame["outside"] != "").tolist() and answer.outside.rows[:2].all()
    own = wc.fit(known, "id3_max", learner="info_gain")
    assert own.answer(known).is_rejected.tolist() == own.reject(known).tolist()
    assert own.method.answer(known).is_rejected.tolist() == own.reject(known).tolist()
    assert not wc.fit(known, learner="CART").answer(known).is_rejected.any()
    with pytest.raises(OptionError, match="there are no training data to compare with"):
        _ = own.method.answer(known).outside


def test_a_data_set_remembers_values_that_its_header_lacks(known, later):
    """As a frame does, which holds them."""
    model = wc.fit(known, learner="CART")
    later.loc[[1, 5], "town"] = "Rom"
    later.drop(columns="out").to_csv("new.csv", index=False)
    with pytest.warns(Note, match="'Rom'"):
        read = wc.load_table("new.csv", header=model)
    with pytest.warns(Note, match="'Rom'"):
        frame = wc.Dataset.from_pandas(later.drop(columns="out"), header=model.header)
    for data in (read, frame, later.drop(columns="out")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Note)
            outside = model.outside(data).rows
        assert np.flatnonzero(outside).tolist()[:2] == [1, 5]
    for part, rows in (
        (read.take([5, 0, 1]), [0, 2]), (read[5], [0]), (read.take(slice(2, 9)), [3]), (read.take([7]), []),
        (read.take([1, 1]), [0, 1]), (read.take([1]).join(read.take([0, 5])), [0, 2]),
    ):  # fmt: skip
        assert sorted(part.unseen["town"].rows.tolist() if part.unseen else []) == rows
        assert np.flatnonzero(model.outside(part).rows & np.isnan(part.values[:, 2])).tolist() == rows


def test_groups_are_named_by_their_column(known, later):
    model = wc.fit(known, learner="CART", aim=AIMS["an error"])
    declared = later[later["out"].isin(["a", "b"])].reset_index(drop=True)
    declared.loc[0, "town"] = None
    texts = ["(missing)", *declared["town"][1:]]
    expected = model.check(declared, by=texts).group_lines
    assert any(line.startswith("'(missing)': 1 row") for line in expected)
    for data in (declared, pl.from_pandas(declared), wc.Dataset.from_pandas(declared, class_attribute="out")):
        assert model.check(data, by="town").group_lines == expected
    with pytest.raises(OptionError, match="by: no column 'twon'; did you mean 'town'"):
        model.check(declared, by="twon")


def test_counts_by_class_and_group_are_of_what_is_not_promised(known):
    """A class that is never answered is left out."""
    header = Header("known", (*known.attributes[:-1], Attribute("out", "nominal", ("a", "never", "b"))), 3)
    three = wc.Dataset(header, known.values * [1, 1, 1, 2])
    later = wc.Dataset.from_pandas(table(3, 200), header=header)
    for aim, by_class, promised in (
        (AIMS["an error"], ["a", "b"], [""]), (wc.Aim("error", {"b": 0.3}, confidence=0.9), ["a"], ["b"]),
        (AIMS["an error per class"], [], ["b", "a"]), (None, ["a", "b"], []),
    ):  # fmt: skip
        check = wc.fit(three, learner="CART", aim=aim).check(later, by="town")
        assert [each.name for each in check.by_class] == by_class
        assert [each["name"] for each in check.record["by predicted class"]] == by_class
        assert [each.name for each in check.promises] == promised
        of_groups = [f"{town}, answers {name}" if name else town for name in promised or [""] for town in TOWNS]
        assert [each["name"] for each in check.record_of_groups] == of_groups
        counted = [each.n for each in check.counts + check.group_counts]
        assert counted == ([] if aim else [200, *(int((table(3, 200)["town"] == town).sum()) for town in TOWNS)])


@pytest.mark.parametrize(("unknown", "told"), [
    ("c", "1 row has a class that training did not declare, where every answer is wrong; it knows 'a', 'b'"),
    (None, "1 further row has no class yet: 1 answered, 0 rejected"),
])  # fmt: skip
def test_one_row_is_spoken_of_in_the_singular(known, unknown, told):
    rows = table(3, 20)
    rows.loc[0, "out"] = unknown
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Note)
        check = wc.fit(known, learner="CART").check(rows)
    assert told in str(check).split("\n")


def test_classes_that_are_written_otherwise_are_named(known, later):
    model = wc.fit(known, learner="CART", aim=AIMS["an error"])
    coded = later.assign(out=(later["out"] == "a").astype(int).astype(str))
    with pytest.warns(Note):
        check = model.check(coded)
    assert check.n_unknown == len(check) == 300 and check.is_broken
    assert check.other_classes == ["no row has a class of training, which knows 'a', 'b'; perhaps they are written "
                                   "otherwise here"]  # fmt: skip
    check = model.check(later)
    unknown = ~model.answer(later[290:]).is_rejected
    assert f"10 further rows have no class yet: {unknown.sum()} answered, {10 - unknown.sum()} rejected" in check.lines


def test_answers_can_be_pickled(known, later):
    model = wc.fit(known, "shrinkage:numeric=bins", learner="CART", aim=AIMS["a threshold"])
    answer = model.answer(later.drop(columns="out"))
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(answer))))
    for part in ("proba", "ranking", "scores", "certainty", "predicted", "labels", "is_rejected"):
        np.testing.assert_array_equal(getattr(again, part), getattr(answer, part))
    assert again.reasons[:] == answer.reasons[:] and again.outside.texts.tolist() == answer.outside.texts.tolist()
    assert again.labels.tolist() == answer.columns(reasons=False)["predicted"]
    with pytest.raises(OptionError, match="answers that were pickled keep no explanation"):
        _ = again.explanation


def test_the_identifiers_of_a_model_are_no_surprise_in_a_frame(known, later):
    table = table_with_names()
    table.to_csv("named.csv", index=False)
    model = wc.fit(wc.load_table("named.csv", id="name"), learner="CART")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Note)
        for frame in (table, pl.from_pandas(table)):
            assert len(model.answer(frame).labels) == 60


def table_with_names():
    return table(5, 60).assign(name=[f"n{row}" for row in range(60)])[["name", "x", "y", "town", "out"]]


def test_the_classes_of_which_nothing_could_be_shown_are_named(known):
    aim = wc.Aim("error", {"a": 0.3, "b": 0.0001}, confidence=0.9)
    model = wc.fit(known, learner="CART", aim=aim)
    new = wc.Dataset.from_pandas(table(3, 200), header=known.header)
    assert model.check(new).heading == f"{aim}; it could not be shown of 'b'"


def test_a_promise_of_a_class_is_about_the_answers_that_predict_it(known):
    model = wc.fit(known, learner="CART", aim=wc.Aim("error", {"a": 0.3, "b": 0.25}, confidence=0.9))
    new = wc.Dataset.from_pandas(table(3, 200), header=known.header)
    answer = model.answer(new)
    is_wrong = answer.predicted != new.class_values
    for promise in model.check(new).promises:
        rows = ~answer.is_rejected & (answer.predicted == known.class_names.index(promise.name))
        assert (promise.answered, promise.wrong) == (rows.sum(), (rows & is_wrong).sum())


def test_a_class_written_otherwise_is_said_beside_the_counts():
    data = wc.load_arff(ARFF / "iris.arff")
    model = wc.fit(data, "m_branch", learner="CART")
    later = data.to_pandas()
    later["class"] = later["class"].astype(str).replace("setosa", "SETOSA")
    with pytest.warns(wc.Note):
        told = str(model.check(later))
    assert "50 rows have a class that training did not declare, where every answer is wrong; it knows 'setosa'" in told


# -- the groups of rows in which check looks for errors ----------------------------------------------------------------


HEADER = Header("visits", (
    Attribute("age"), Attribute("beds"), Attribute("seen", "date"), Attribute("ward", "nominal", ("eye", "ear")),
    Attribute("letter", "string", ("a",)), Attribute("back", "nominal", ("no", "yes")),
), 5)  # fmt: skip
DAY = 86_400_000.0


def test_values_ranges_and_missing_values():
    rows = np.array([[20 + i, i % 10, DAY * i, i % 2, 0, i % 2] for i in range(12)], dtype=float)
    rows[0, 0], rows[[1, 2, 4], 3] = math.nan, math.nan
    unseen = {"ward": UnseenCells(np.array([2, 4]), np.array(["palliative", "day"], dtype=object))}
    groups = groups_of_columns(wc.Dataset(HEADER, rows, unseen=unseen))
    where = {name: np.flatnonzero(of).tolist() for name, of in groups.items()}
    assert where == {
        "age <= 23": [1, 2, 3], "age > 23 and <= 26": [4, 5, 6], "age > 26 and <= 29": [7, 8, 9], "age > 29": [10, 11],
        "age missing": [0],
        "beds = 0": [0, 10], "beds = 1": [1, 11], **{f"beds = {n}": [n] for n in range(2, 10)}, "beds missing": [],
        "seen <= 1970-01-03": [0, 1, 2], "seen > 1970-01-03 and <= 1970-01-06": [3, 4, 5],
        "seen > 1970-01-06 and <= 1970-01-09": [6, 7, 8], "seen > 1970-01-09": [9, 10, 11], "seen missing": [],
        "ward = day": [4], "ward = palliative": [2], "ward = eye": [0, 6, 8, 10], "ward = ear": [3, 5, 7, 9, 11],
        "ward missing": [1],
    }  # fmt: skip


def test_quartiles_that_are_equal_bound_one_range():
    ages = [0] * 30 + [*range(1, 13)]
    groups = groups_of_columns(wc.Dataset(Header("visits", (Attribute("age"),)), np.array([ages], dtype=float).T))
    assert {name: int(of.sum()) for name, of in groups.items()} == {
        "age <= 0": 30, "age > 0 and <= 2": 2, "age > 2": 10, "age missing": 0,
    }  # fmt: skip


def test_leaves_and_the_largest_part_of_a_row():
    tree = written_tree(HEADER, (0, LE, 30, [9, 1], (3, EACH, None, [0, 5], [0.5, 2])))
    rows = np.full((4, 6), math.nan)
    rows[:, 0], rows[:, 3] = [20, 40, 40, math.nan], [0, 1, math.nan, math.nan]
    groups = groups_of_leaves(tree, wc.Dataset(HEADER, rows))
    assert {name: np.flatnonzero(of).tolist() for name, of in groups.items()} == {
        "leaf age <= 30": [0, 3], "leaf age > 30 and ward = ear": [1], "leaf age > 30 and ward = eye": [2],
    }  # fmt: skip
    assert groups_of_leaves(Forest((tree, tree)), wc.Dataset(HEADER, rows)) == {}


def test_check_names_where_errors_gather(wine):
    is_later = np.arange(len(wine)) % 2 == 1
    model = wc.fit(wine.take(~is_later), learner="CART")
    later = wine.take(is_later)
    alcohol = later.values[:, 0]
    values = later.values.copy()
    moved = alcohol > np.median(alcohol)
    values[moved, -1] = (values[moved, -1] + 1) % 3
    column = wine.attributes[0].name
    check = model.check(wc.Dataset(wine.header, values))
    assert check.gathering.told[0].name.startswith(("leaf ", f"{column} > "))
    assert check.gathering_lines[0] in str(check)
    assert check.record["errors_gather"]["n_tests"] == len(check.gathering.groups)
