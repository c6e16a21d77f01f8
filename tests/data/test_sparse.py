"""Sparse instances: which rows are, what keeps them so, and what tells them from dense ones."""

import copy
import hashlib
import pickle
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import ArffError
from wekaconf.data import Attribute, CostMatrix, Dataset, Header
from wekaconf.data.arff import load_arff, save_arff
from wekaconf.data.catalogue import values_digest
from wekaconf.data.dates import DateFormat
from wekaconf.experiments.advising._advise import _GrownOnce
from wekaconf.learners import learner_class

HEAD = "@relation s\n@attribute a0 numeric\n@attribute a1 numeric\n@attribute a2 numeric\n@attribute c {x,y}\n@data\n"
ROWS = "{0 1,3 x}\n{1 5,3 x}\n{2 7,3 x}\n{0 9,1 9,2 9,3 x}\n{3 y}\n{0 6,1 7,2 9,3 y}\n{3 y}\n{2 6,3 y}\n"


@pytest.fixture
def read(tmp_path):
    def read(text, **keywords):
        path = tmp_path / "t.arff"
        path.write_text(text)
        return load_arff(path, **keywords)

    return read


@pytest.fixture
def mixed(read):
    """Rows 0 and 2 are sparse."""
    return read(HEAD + "{0 1,3 y}\n1,2,3,y\n{1 ?},{2}\n0,0,0,x\n")


def sparse(data):
    return data.sparse_rows.tolist()


# -- reading and writing -----------------------------------------------------------------------------------------------


def test_rows_in_braces_are_sparse(mixed):
    assert sparse(mixed) == [0, 2]
    assert mixed.is_sparse.tolist() == [True, False, True, False]
    assert mixed.is_sparse.flags.writeable is False


def test_a_dense_file_has_no_sparse_rows(read):
    data = read(HEAD + "1,2,3,x\n0,0,0,y\n")
    assert data.is_sparse is None
    assert sparse(data) == []


def test_what_was_read_is_written(read, tmp_path):
    rows = "{0 1,3 y}\n1,2,3,y\n{1 ?},{2}\n0,0,0,x\n{}\n{3 ?}\n"
    data = read(HEAD + rows)
    save_arff(tmp_path / "w.arff", data)
    assert (tmp_path / "w.arff").read_text().partition("@data\n")[2] == rows
    assert load_arff(tmp_path / "w.arff") == data


def test_explicit_zeros_and_first_values_are_left_out(read, tmp_path):
    data = read(HEAD + "{0 0,1 -0.0,2 3,3 x}\n")
    assert not np.signbit(data.values).any()
    save_arff(tmp_path / "w.arff", data)
    assert (tmp_path / "w.arff").read_text().endswith("@data\n{2 3}\n")


def test_strings_are_written_even_if_they_are_the_first(read, tmp_path):
    text = "@relation r\n@attribute s string\n@attribute n {'a b',c}\n@attribute x numeric\n@data\n"
    data = read(text + "{0 first,2 1}\n{0 'it\\'s',1 c}\n{0 first}\n{0 ?}\n", class_attribute=None)
    save_arff(tmp_path / "w.arff", data)
    assert load_arff(tmp_path / "w.arff", class_attribute=None) == data
    assert "{0 first,2 1}\n{0 'it\\'s',1 c}\n{0 first}\n{0 ?}\n" in (tmp_path / "w.arff").read_text()


def test_a_date_that_is_left_out_needs_no_format(read, tmp_path):
    """1970-01-01T00:00Z, which a format of years would round; a date that is written is still refused."""
    day = DateFormat("yyyy").parse("1970")
    header = Header("r", (Attribute("d", "date", date_format="yyyy"), Attribute("x")))
    for value, fits in ((0.0, True), (day + 1, False)):
        data = Dataset(header, [[value, 1.0]], is_sparse=[True])
        if fits:
            save_arff(tmp_path / "w.arff", data)
            assert load_arff(tmp_path / "w.arff", class_attribute=None) == data
        else:
            with pytest.raises(ArffError, match="finer format"):
                save_arff(tmp_path / "w.arff", data)


def test_scipys_sparse_matrices_are_dense():
    data = Dataset.from_arrays(scipy.sparse.csr_array(np.eye(3)), ["a", "b", "a"])
    assert data.is_sparse is None


# -- a data set --------------------------------------------------------------------------------------------------------


def test_what_keeps_them(mixed):
    doubled = replace(mixed, weights=2 * mixed.weights)
    by_cost = CostMatrix([[0, 1], [5, 0]]).weigh(mixed)
    for same in (
        mixed.renamed("other"), mixed.with_class("a0"), mixed.without_class_values(), mixed.with_class_values(0),
        mixed.with_known_classes([0]), mixed.without(["a1"]), mixed.conform(mixed.header), mixed[:], doubled, by_cost,
        mixed.without(["c"]).conform(mixed.header), mixed.without(["a0", "c"]).conform(mixed.without(["a0"]).header),
        copy.deepcopy(mixed), pickle.loads(pickle.dumps(mixed)),
    ):  # fmt: skip
        assert sparse(same) == [0, 2]


def test_instances_taken_and_joined(mixed):
    assert sparse(mixed.take([3, 2, 2, 0])) == [1, 2, 3]
    assert mixed.take([1, 3]).is_sparse is None
    assert sparse(mixed.take(mixed.values[:, 0] > 0)) == [0]
    dense = replace(mixed, is_sparse=None)
    assert sparse(dense.join(mixed, dense.take([0]), mixed)) == [4, 6, 9, 11]
    assert dense.join(dense).is_sparse is None


def test_sparse_instances_differ_from_dense_ones(mixed):
    dense = replace(mixed, is_sparse=None)
    assert mixed != dense
    assert dense == replace(mixed, is_sparse=[False] * 4)
    assert mixed == replace(dense, is_sparse=[True, False, True, False])


def test_sparse_instances_have_no_negative_zeros(mixed):
    values = np.full((4, 4), -0.0)
    made = replace(mixed, values=values)
    assert np.signbit(made.values).tolist() == [[False] * 4, [True] * 4, [False] * 4, [True] * 4]
    assert np.signbit(values).all()


def test_one_bool_per_instance(mixed):
    with pytest.raises(ValueError, match=r"is_sparse: expected \(4,\), got \(3,\)"):
        replace(mixed, is_sparse=[True, False, True])


# -- what tells them from dense ones -----------------------------------------------------------------------------------


def test_advice_grows_a_tree_on_each(jvm, read):
    data = read(HEAD + ROWS)
    grown = _GrownOnce(learner_class("RandomTree")("-S 3"))
    dense = replace(data, is_sparse=None)
    one, other = grown(data), grown(dense)
    assert one is grown(data.take(range(8)))
    assert other is grown(dense.take(range(8)))
    assert (one.split_attribute[0], other.split_attribute[0]) == (1, 0)


def test_a_store_of_dense_data_does_not_answer_for_sparse_ones(jvm, tmp_path):
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 5, 60).astype(float).tolist() for name in "xyz"}
    data = small(**columns, c=rng.choice(["a", "b"], 60).tolist())
    of_sparse = replace(data, is_sparse=np.ones(len(data)))
    store = tmp_path / "s.sqlite"
    results = [
        wc.evaluate(each, "leaf_frequency", folds=4, learner="RandomTree", resume=where).answers[0].proba
        for each, where in ((data, store), (of_sparse, store), (data, store), (of_sparse, None))
    ]
    np.testing.assert_array_equal(results[0], results[2])
    np.testing.assert_array_equal(results[1], results[3])
    assert not np.array_equal(results[0], results[1])


def test_digests_of_dense_data_are_as_before():
    data = small(x=[0.0, 1, None], c=list("aba"))
    kinds = repr([("numeric", ()), ("nominal", ("a", "b"))]).encode()
    before = hashlib.sha256(kinds + np.array([[0, 0], [1, 1], [np.nan, 0]]).astype("<f8").tobytes()).hexdigest()[:32]
    assert values_digest(data) == before
    assert values_digest(replace(data, is_sparse=[True, False, False])) != before
