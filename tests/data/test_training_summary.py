"""What a model keeps of its training rows: ranges and counts, in memory and in its file, and what lies outside."""

import dataclasses
import json
from contextlib import nullcontext

import numpy as np
import pytest
from reference import training_summary_reference as literal
from support.random_trees import random_dataset, random_header, random_tree

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError
from wekaconf.base.stored import RECORD, arrays_of, declared
from wekaconf.data import ABOVE, BELOW, Attribute, Header, TrainingSummary, counted_as, summarise
from wekaconf.data._matching import UnseenCells
from wekaconf.data.arrays import texts_of
from wekaconf.evaluation.promises import AnswerShares
from wekaconf.model.fitted import Model

NAN, INF = np.nan, np.inf


def drawn(seed, n=90, **how):
    rng = np.random.default_rng(seed)
    return random_dataset(rng, random_header(rng), n, 0.1, **how)


def column_of(numbers, kind="numeric", values=()):
    """A data set of one attribute and a class."""
    header = Header("one", (Attribute("x", kind, values), Attribute("class", "nominal", ("a", "b"))), 1)
    return wc.Dataset(header, np.column_stack([numbers, np.zeros(len(numbers))]))


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_the_literal_ones(seed):
    data = drawn(seed)
    summary, others = summarise(data), drawn(seed, 50).values
    counts = summary.count(others)
    for column, attribute in enumerate(data.attributes):
        cells, kind = data.values[:, column].tolist(), counted_as(data.header, column)
        start, end = summary.count_start[column : column + 2]
        if kind == "numeric":
            assert summary.cuts_of(column).tolist() == literal.cuts(cells)
            assert summary.counts_of(column).tolist() == literal.bin_counts(cells, literal.cuts(cells))
            assert counts[start:end].tolist() == literal.bin_counts(others[:, column].tolist(), literal.cuts(cells))
        elif kind == "nominal":
            assert summary.counts_of(column).tolist() == [cells.count(i) for i in range(len(attribute.values))]
        else:
            assert start == end
        assert summary.n_missing[column] == np.isnan(cells).sum()
    assert summary.n_rows == len(data)


@pytest.mark.parametrize("numbers", [
    [], [NAN, NAN], [3.0], [1, 1, 1], [0, 0, 0, 1], [*range(10)], [*range(11)], [*range(99)], [0] * 95 + [*range(12)],
    [0] * 90 + [*range(10)], [-INF, *range(30), INF, INF, INF, INF, INF, INF, INF], [*([7] * 50), *range(40)],
    [0.0, -0.0, NAN, 5],
], ids=repr)  # fmt: skip
def test_cuts_of_odd_columns(numbers):
    data = column_of(np.array(numbers, dtype=np.float64))
    summary = summarise(data)
    assert summary.cuts_of(0).tolist() == literal.cuts(data.values[:, 0].tolist())
    counts = summary.counts_of(0)
    assert (counts > 0).all() or not np.isfinite(data.values[:, 0]).any()


@pytest.mark.parametrize("seed", range(5))
def test_outside_is_the_literal_one(seed):
    data, rng = drawn(seed, 40), np.random.default_rng(seed)
    others = random_dataset(rng, data.header, 60, 0.1)
    summary = summarise(data)
    outside = summary.outside(others.values)
    for column, attribute in enumerate(data.attributes):
        is_class = column == data.class_index
        expected = [not is_class and literal.is_outside(attribute, value, data.values[:, column].tolist())
                    for value in others.values[:, column].tolist()]  # fmt: skip
        assert (outside.way[:, column] != 0).tolist() == expected
    assert not summary.outside(data.values).rows.any()
    assert (outside.texts != "").tolist() == outside.rows.tolist()


def test_the_way_in_which_a_number_is_outside():
    outside = summarise(column_of([1.0, 2])).outside(column_of([0.5, 1, 2, 2.5, NAN]).values)
    assert outside.way[:, 0].tolist() == [-1, 0, 0, 1, 0] == [BELOW, 0, 0, ABOVE, 0]


def test_a_value_without_rows_of_the_last_attribute():
    """The class comes first here."""
    classes, last = (Attribute(name, "nominal", ("a", "b")) for name in ("class", "x"))
    train = wc.Dataset(Header("r", (classes, last), 0), np.array([[0, 1], [1, 1]]))
    assert summarise(train).outside(np.array([[NAN, 0], [NAN, 1]])).texts.tolist() == [
        "x 'a', not seen in training",
        "",
    ]


@pytest.mark.parametrize(("n", "named"), [(3, ""), (5, "; and 2 more")])
def test_three_attributes_outside_are_named(n, named):
    header = Header("wide", (*(Attribute(f"x{i}") for i in range(n)), Attribute("class", "nominal", ("a", "b"))), n)
    outside = summarise(wc.Dataset(header, np.zeros((4, n + 1)))).outside(np.ones((1, n + 1)))
    reasons = texts_of(["why", "x1 1, training at most 0: why"])
    outside.add_to_reasons(reasons[:1], np.arange(1))
    outside.add_to_reasons(reasons[1:], np.arange(1))
    first, second, third = (f"x{i} 1, training at most 0" for i in range(3))
    assert reasons[0] == f"why; outside training: {first}; {second}; {third}{named}"
    assert reasons[1] == f"{second}: why; outside training: {first}; {third}{named}", "not twice"


def test_a_row_outside_says_by_how_much():
    header = Header("calls", (
        Attribute("tenure"), Attribute("calls"), Attribute("region", "nominal", ("north", "south", "west")),
        Attribute("since", "date", date_format="yyyy-MM-dd"), Attribute("class", "nominal", ("no", "yes")),
    ), 4)  # fmt: skip
    train = wc.Dataset(header, np.array([[119, 0, 0, 0, 0], [3, 8, 1, 86_400_000, 1.0]]))
    asked = np.array([[43435, 8, 0, 9e12, NAN], [3, -1, 2, 0, NAN], [2.5, 1000, NAN, 0, NAN], [NAN, NAN, NAN, NAN, 0]])
    unseen = {"region": UnseenCells(np.array([2]), np.array(["Mars"], dtype=object))}
    assert summarise(train).outside(asked, unseen).texts.tolist() == [
        "tenure 43435, training at most 119",
        "calls -1, training at least 0; region 'west', not seen in training",
        "tenure 2.5, training at least 3; calls 1000, training at most 8; region 'Mars', not seen in training",
        "",
    ]


@pytest.mark.parametrize(("n", "more"), [(5, []), (6, ["  … and 1 more"])])
def test_five_rows_outside_are_printed(n, more):
    header = Header("x", (Attribute("x"), Attribute("class", "nominal", ("a", "b"))), 1)
    heading, *lines = str(summarise(wc.Dataset(header, np.zeros((4, 2)))).outside(np.ones((n, 2)))).splitlines()
    assert heading == f"{n} of {n} rows outside training:"
    assert lines == [*(f"  {row}: x 1, training at most 0" for row in range(5)), *more]


def test_rows_outside_are_a_table_for_notebooks():
    header = Header("x", (Attribute("<x>"), Attribute("class", "nominal", ("a", "b"))), 1)
    summary, row = summarise(wc.Dataset(header, np.zeros((4, 2)))), "<td>&lt;x&gt; 1, training at most 0</td></tr>"
    assert summary.outside(np.array([[0.0, 0], [1, 0]]))._repr_html_() == (
        f"<table><caption>1 of 2 rows outside training</caption><tbody><tr><th>1</th>{row}</tbody></table>"
    )
    many = summary.outside(np.ones((7, 2)))._repr_html_()
    assert many.count(row) == 5 and many.endswith("<tr><td></td><td>… and 2 more</td></tr></tbody></table>")
    assert str(summary.outside(np.zeros((2, 2)))) == "none of 2 rows outside training"


def test_further_rows_widen_the_ranges_only():
    counted, also = column_of([1.0, 2, 3]), column_of([0.0, 9])
    summary = summarise(counted, also)
    assert (summary.least[0], summary.greatest[0], summary.n_rows) == (0, 9, 3)
    assert summary.counts.tolist() == summarise(counted).counts.tolist()
    counted, also = (column_of(numbers, "nominal", ("u", "v", "w")) for numbers in ([0.0, 0], [1.0]))
    assert summarise(counted, also).is_seen.tolist() == [True, True, False]
    with pytest.raises(HeaderMismatchError):
        summarise(counted, column_of([1.0]))


def test_undeclared_values_are_kept_by_row(tmp_path):
    known = wc.load_arff("arff/iris.arff").header
    header = dataclasses.replace(known, attributes=(Attribute("kind", "nominal", ("a", "b")), *known.attributes[:2],
                                                    known.attributes[4]), class_index=3)  # fmt: skip
    names = [attribute.name for attribute in header.attributes[:3]]
    rows = [["a", 1, 2], ["z", 1, 2], ["", 1, 2], ["y", 1, 2]]
    from wekaconf.bridge.reading import parts_like
    from wekaconf.data import join_parts

    table = tmp_path / "t.csv"
    table.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]))
    arff = tmp_path / "t.arff"
    cells = "\n".join(",".join(str(cell) or "?" for cell in row) for row in rows)
    arff.write_text(f"@relation t\n@attribute kind {{z,a,y}}\n@attribute '{names[1]}' numeric\n"
                    f"@attribute '{names[2]}' numeric\n@data\n{cells}\n")  # fmt: skip
    for path in (table, arff):
        with pytest.warns(wc.Note, match="2 such values are treated as missing"):
            [part] = parts_like(str(path), header)
        assert {name: (found.rows.tolist(), found.texts.tolist()) for name, found in part.data.unseen.items()} == {
            "kind": ([1, 3], ["z", "y"])
        }
        twice = join_parts([part, part])
        assert twice.data.unseen["kind"].rows.tolist() == [1, 3, 5, 7]
        assert twice.take(np.arange(8) > 2).data.unseen["kind"].rows.tolist() == [0, 2, 4]


@pytest.mark.filterwarnings("error")
def test_a_kept_attribute_that_the_model_does_not_know(tmp_path):
    """In ARFF; it goes with the answers, is none of the data, and nothing is said of it."""
    from wekaconf.bridge.reading import parts_like

    attributes = "@relation t\n@attribute x numeric\n@attribute y numeric\n@attribute c {a,b}\n"
    train, asked = tmp_path / "train.arff", tmp_path / "asked.arff"
    train.write_text(f"{attributes}@data\n1,2,a\n3,4,b\n")
    asked.write_text(f"{attributes}@attribute who string\n@data\n1,2,?,ann\n3,4,?,bob\n")
    header = wc.load_arff(train).header
    [part] = parts_like(str(asked), header, keep=("who",))
    assert part.data.header == header and part.kept == {"who": ["ann", "bob"]}


def saved(tmp_path, *, changes=None, record=None):
    """The path of a model with a summary, perhaps with other arrays, or a record, in its file."""
    data = drawn(1, weights=True)
    method = wc.method("leaf_frequency").fit(random_tree(np.random.default_rng(1), data), data)
    path = tmp_path / "m.wct"
    Model(method, summary=summarise(data)).with_answer_shares(method.answer(data), data).save(path)
    with np.load(path) as parts:
        arrays = dict(parts)
    arrays.update(changes(arrays) if changes else {})
    kept = json.loads(arrays[RECORD].tobytes()) | (record or {})
    arrays[RECORD] = np.frombuffer(json.dumps(kept).encode(), np.uint8)
    with open(path, "wb") as file:
        np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return path, data


def test_a_summary_comes_back(tmp_path):
    path, data = saved(tmp_path)
    model = wc.load(path)
    for name, array in arrays_of(summarise(data)).items():
        np.testing.assert_array_equal(getattr(model.summary, name), array)
    answer = model.answer(data)
    assert model.answer_shares.n_rows == len(data)
    counts = model.answer_shares.counts
    assert counts.sum(axis=1).tolist() == np.bincount(answer.predicted, minlength=3).tolist()
    assert model.answer_shares.count(answer.certainty, answer.predicted).tolist() == counts.tolist()
    assert model.answer_shares.wrong.sum() == (answer.predicted != data.class_values).sum()
    model.save(path)
    assert wc.load(path).summary.counts.tolist() == model.summary.counts.tolist()


def test_a_model_without_a_summary_opens_as_before(tmp_path):
    names = [f"summary/{name}" for name in declared(TrainingSummary)]
    names += [f"answer_shares/{name}" for name in declared(AnswerShares)]
    without = {"has_summary": False, "has_answer_shares": False}
    path, data = saved(tmp_path, changes=lambda _: dict.fromkeys(names), record=without)
    model = wc.load(path)
    assert model.summary is None
    assert model.answer_shares is None
    assert len(model.predict(data)) == len(data)


def but(name, place, value):
    def changes(arrays):
        array = arrays[name].copy()
        array[place] = value
        return {name: array}

    return changes


@pytest.mark.parametrize(("changes", "match"), [
    (lambda _: {"summary/counts": None}, "'summary/counts' is missing"),
    (lambda _: {"answer_shares/cuts": None}, "'answer_shares/cuts' is missing"),
    (lambda arrays: {"summary/more": arrays["summary/cuts"]}, "'summary/more' is not expected"),
    (lambda arrays: {"summary/least": arrays["summary/least"][:-1]}, r"summary/least: expected shape"),
    (but("summary/cut_start", 0, 1), "cut_start: expected to go up from 0"),
    (but("summary/cut_start", -1, 9999), "cut_start: expected to go up from 0"),
    (but("summary/count_start", 1, 9999), "count_start: expected to go up from 0"),
    (but("summary/cuts", 0, NAN), "cuts: has values that are not numbers"),
    (but("summary/counts", 0, -1), "counts: expected values from 0"),
    (but("summary/counts", 0, 50), "expected counts of 90 rows, got"),
    (but("summary/n_rows", 0, 50), "expected counts of 50 rows, got 90"),
    (but("summary/count_start", 1, 0), "expected .* counts, got 0"),
    (but("summary/n_missing", 0, 50), "expected counts of 90 rows"),
    (but("summary/greatest", slice(None), -99.0), "has no range from"),
    (but("summary/least", -1, 0.0), "has no range from 0 to nan"),
    (but("answer_shares/cuts", slice(None), 0.5), "cuts of the certainties: expected them in ascending order"),
    (but("answer_shares/wrong", 0, -1), "wrong: expected values from 0"),
    (lambda arrays: {"answer_shares/wrong": arrays["answer_shares/wrong"][:, 1:]}, "wrong: expected shape"),
])  # fmt: skip
def test_a_summary_that_cannot_be_is_refused(tmp_path, changes, match):
    path, _ = saved(tmp_path, changes=changes)
    with pytest.raises(wc.ModelFileError, match=match):
        wc.load(path)


def with_arrays(data, **changes):
    """The summary of a data set with other arrays."""
    return TrainingSummary.from_arrays(data.header, arrays_of(summarise(data)) | changes)


def test_a_summary_counts_up_to_the_largest_exact_number():
    data = column_of([1.0])
    for n, are_too_many in ((2**53, False), (2**53 + 2, True)):
        with pytest.raises(ValueError, match=r"n_rows: expected values from 0") if are_too_many else nullcontext():
            assert with_arrays(data, n_rows=np.array([n]), counts=np.array([n])).count_column(0, np.ones(3)) == [3]


def test_cuts_are_distinct_and_within_the_range():
    data = column_of([1.0, 2, 3])
    assert with_arrays(data, cuts=np.array([1.0, 3])).cuts_of(0).tolist() == [1, 3]
    for cuts, match in (([2.0, 2], "expected them in ascending order"), ([0.5, 2], "expected them between 1 and 3"),
                        ([2, 3.5], "expected them between 1 and 3")):  # fmt: skip
        with pytest.raises(ValueError, match=match):
            with_arrays(data, cuts=np.array(cuts))


def test_only_a_date_has_a_last_one():
    data = column_of([1.0, 2], "date")
    assert with_arrays(data, latest=np.array([5.0, NAN])).latest[0] == 5
    with pytest.raises(ValueError, match=r"class.*: has a last date, and is no date"):
        with_arrays(data, latest=np.array([5.0, 0]))


@pytest.mark.parametrize(
    ("data", "changes", "problem"),
    [
        (column_of([1.0, 2]), {"n_missing": [0, 3]}, "'class' .*: expected counts of 2 rows, got 3"),
        (column_of([1.0, 2]), {"n_missing": [1, 0]}, "'x' numeric: expected counts of 2 rows, got 3"),
        (
            column_of([0.0, 1], "nominal", ("u", "v")),
            {"cuts": [1.0], "cut_start": [0, 1, 1]},
            "'x' .*: expected 2 counts",
        ),
        (
            column_of([0.0, 1], "nominal", ("u", "v")),
            {"least": [0, NAN], "greatest": [1, NAN]},
            "'x' .* range from 0 to 1",
        ),
        (column_of([1.0, 2]), {"least": [NAN, NAN]}, "'x' numeric: has no range from nan to 2"),
        (column_of([1.0, 2]), {"n_missing": [0, 2]}, None),
    ],
)
def test_counts_and_ranges_that_cannot_be(data, changes, problem):
    kinds = {name: array.dtype for name, array in arrays_of(summarise(data)).items()}
    arrays = {name: np.array(array, dtype=kinds[name]) for name, array in changes.items()}
    with pytest.raises(ValueError, match=problem) if problem else nullcontext():
        with_arrays(data, **arrays)


def test_the_last_date_of_all_rows_is_kept():
    dates, later = column_of([5.0, NAN, 3.0], "date"), column_of([4.0, 9.0], "date")
    np.testing.assert_array_equal(summarise(dates).latest, [5, NAN])
    np.testing.assert_array_equal(summarise(dates, later).latest, [9, NAN])
    np.testing.assert_array_equal(summarise(column_of([1.0, 2])).latest, [NAN, NAN])


def test_a_value_of_a_single_row_was_seen():
    data = column_of([0.0, 1, 1], "nominal", ("u", "v"))
    with pytest.raises(ValueError, match="counts of values that training did not have"):
        with_arrays(data, is_seen=np.array([False, True]))


def test_a_summary_of_other_attributes_makes_no_model():
    data = drawn(1)
    method = wc.method("leaf_frequency").fit(random_tree(np.random.default_rng(1), data), data)
    with pytest.raises(HeaderMismatchError, match="the summary of the training data"):
        Model(method, summary=summarise(column_of([1.0])))


def test_a_summary_holds_no_row_and_stays_small():
    data = drawn(2, 5000)
    arrays = arrays_of(summarise(data)).values()
    assert sum(array.nbytes for array in arrays) < 200 * len(data.attributes)
    texts = column_of([0.0, 1], "string", ("of one", "of another"))
    assert summarise(texts).header.attributes[0] == Attribute("x", "string")
