"""Cost matrices and their files: what is read, what is refused, and what follows for weights and answers."""

import numpy as np
import pytest
from support.small_data import small

import wekaconf as wc
from wekaconf.data import load_cost_matrix


def of(letters, weights=None, declared="ab"):
    """Instances of these classes; ? for a missing one."""
    return small(
        weights=weights, x=range(len(letters)), y=(declared, [None if letter == "?" else letter for letter in letters])
    )


def written(tmp_path, text):
    path = tmp_path / "small.cost"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


GOOD = [
    "2 2\n0 1\n5 0\n",
    "% Rows\tColumns\n2\t2\n% Matrix elements\n0\t1\t\n5.0\t.0\t\n",
    "\n\n  2   2 \r\n% between\r\n\r\n0 1e0\r\n+5 -0",
    "\ufeff2 2\n0 1\n5 0",
    b"% caf\xe9\n2 2\n0 1\n5 0",
]


@pytest.mark.parametrize("text", GOOD)
def test_a_file_is_read(tmp_path, text):
    assert load_cost_matrix(written(tmp_path, text)) == wc.CostMatrix([[0, 1], [5, 0]])


BAD = {
    "": "expected the number of rows and columns",
    "0 1\n5 0\n": r":1: expected the number of rows and, equal to it, of columns, such as '2 2', got '0 1'",
    "2 3\n0 1 2\n5 0 2\n": r":1: expected the number of rows and, equal to it, of columns",
    "two two\n0 1\n5 0\n": ":1: expected the number of rows",
    "2 2\n0 1\n": ":2: expected 2 rows of costs, got 1",
    "2 2\n0 1\n5 0\n% more\n1 1\n2 2\n": ":5: expected 2 rows of costs, got 4",
    "2 2\n0\n5 0\n": ":2: expected 2 costs, got 1",
    "0 0\n": "expected as many columns as rows",
    "999999999 999999999\n": "expected 999999999 rows of costs, got 0",
    "2 2\n0 a1*2\n5 0\n": r":2: expected a number as the cost, got 'a1\*2'; costs that depend on attributes",
    "2 2\n0 NaN\n5 0\n": ":2: expected a number as the cost, got 'NaN'",
    "2 2\n0 1e999\n5 0\n": "small.cost: expected finite numbers",
    "2 2\n0 -1\n5 0\n": "small.cost: the mistake in row 1, column 2 costs -1, less than the right answer .*, 0;",
    "2 2\n3 1\n2 0\n": "small.cost: the mistake in row 2, column 1 costs 2, less than the right answer .*, 3;",
    "2 2\n0 0\n0 0\n": "small.cost: no mistake costs anything",
    "2 2\n4 1\n4 1\n": "small.cost: no mistake costs anything",
    b"\x00\x01\xff\xfe": "expected the number of rows",
}


@pytest.mark.parametrize("text", BAD, ids=repr)
def test_what_is_no_matrix_is_refused_with_its_line(tmp_path, text):
    with pytest.raises(wc.OptionError, match=BAD[text]) as refused:
        load_cost_matrix(written(tmp_path, text))
    assert str(refused.value).startswith(str(tmp_path / "small.cost"))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing.cost", "no such file; check the name and the folder"),
        (".", "cannot be read: Is a directory"),
        ("a\0b", "cannot be read: .*null"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path, name, why):
    with pytest.raises(wc.OptionError, match=why):
        load_cost_matrix(f"{tmp_path}/{name}")


def test_a_long_number_that_is_none_is_refused_at_once(tmp_path):
    """It would take hours if every way to divide the digits were tried."""
    path = written(tmp_path, f"2 2\n0 {'0' * 900_000}x\n1 0\n")
    with pytest.raises(wc.OptionError, match="expected a number as the cost"):
        load_cost_matrix(path)


def test_a_file_without_end():
    with pytest.raises(wc.OptionError, match=r"more than"):
        load_cost_matrix("/dev/zero")


@pytest.mark.parametrize("costs", [
    None, "[0 1; 5 0]", [], [[]], np.empty((0, 0)), [0, 1], [[0, 1]], [[0, 1], [2]], [[0, "x"], [1, 0]],
    [[0, np.nan], [1, 0]],
])  # fmt: skip
def test_what_is_no_matrix_is_refused(costs):
    with pytest.raises(wc.OptionError, match=r"^cost matrix: expected"):
        wc.CostMatrix(costs)


@pytest.mark.parametrize("text", ["", "[]", "0 1; 5 0", "[0 1; 5]", "[0 1; 5 a1]", "[0 1; 5 0] 3", "[[0 1]; [5 0]]"])
def test_what_is_no_matrix_on_one_line_is_refused(text):
    with pytest.raises(wc.OptionError, match=r"^cost matrix: "):
        wc.CostMatrix.read(f" {text}") if text.startswith("[") else wc.CostMatrix.of_text(text)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_given_names_of_classes_beat_those_of_the_columns(library):
    costs = pytest.importorskip(library).DataFrame({"a": [0, 5], "b": [1, 0]})
    assert wc.CostMatrix(costs).class_names == ("a", "b") and wc.CostMatrix(costs, ("x", "y")).class_names == ("x", "y")


def test_the_text_of_a_matrix_is_read_back():
    costs = wc.CostMatrix([[0, 0.1, 1e300], [5, 0, 1 / 3], [2, 2**50, -0.0]])
    assert str(costs) == "[0 0.1 1e+300; 5 0 0.3333333333333333; 2 1125899906842624 0]"
    assert wc.CostMatrix.of_text(str(costs)) == costs
    assert hash(wc.CostMatrix(np.eye(2)[::-1])) == hash(wc.CostMatrix([[0, 1], [1, 0]]))


def test_weights_follow_the_rows_and_keep_their_sum():
    """Class a costs 1, class b 5; with 3 and 1 instances all weights sum to 8, so half a weight per cost."""
    weighed = wc.CostMatrix([[0, 1], [5, 0]]).weigh(of("aaab"))
    np.testing.assert_array_equal(weighed.weights, [0.5, 0.5, 0.5, 2.5])


def test_right_answers_that_are_not_free_are_taken_off():
    data = of("aab", [1.0, 2.0, 0.5])
    paid, free = wc.CostMatrix([[2, 4], [5, 3]]), wc.CostMatrix([[0, 1], [3, 0]])
    np.testing.assert_array_equal(paid.weigh(data).weights, free.weigh(data).weights)


def test_instances_without_a_class_are_left_out():
    data = of("a?b?", [1.0, 9.0, 1.0, 9.0])
    assert wc.CostMatrix([[0, 1], [1, 0]]).weigh(data) == data.take([0, 2])
    assert len(wc.CostMatrix([[0, 1], [1, 0]]).weigh(data.take([1, 3]))) == 0
    assert wc.CostMatrix([[0, 1], [1, 0]]).weigh(of("ab", [0.0, 0.0])) == of("ab", [0.0, 0.0])


def test_what_cannot_be_weighed_is_refused():
    with pytest.raises(wc.OptionError, match=r"expected 3 rows and columns, one per class of 'small' .*, got 2"):
        wc.CostMatrix([[0, 1], [5, 0]]).weigh(of("ab", declared="abc"))
    with pytest.raises(wc.OptionError, match=r"'small' no finite weights; expected a cost above 0"):
        wc.CostMatrix([[0, 0], [5, 0]]).weigh(of("aa"))
    with pytest.raises(wc.OptionError, match=r"none near 1e308"):
        wc.CostMatrix([[0, 1e308], [5, 0]]).weigh(of("ab" * 20))
    with pytest.raises(wc.OptionError, match=r"class 'y' is numeric; a tree needs a nominal class"):
        wc.CostMatrix([[0, 1], [5, 0]]).weigh(small(x=[1], y=[2]))
    with pytest.raises(wc.OptionError, match=r"expected a Dataset"):
        wc.CostMatrix([[0, 1], [5, 0]]).weigh([0, 1])


def test_the_least_costly_answer():
    costs = wc.CostMatrix([[0, 1], [5, 0]])
    proba = [[0.9, 0.1], [0.8, 0.2], [1, 0], [5 / 6, 1 / 6]]
    np.testing.assert_allclose(costs.expected_costs(proba), [[0.5, 0.9], [1, 0.8], [0, 1], [5 / 6, 5 / 6]])
    np.testing.assert_array_equal(costs.least_costly(proba)[:3], [0, 1, 0])
    for wrong in ([0.5, 0.5], np.ones((2, 3))):
        with pytest.raises(wc.OptionError, match=r"^proba: expected"):
            costs.expected_costs(wrong)


def test_what_counts_as_free():
    """Weka's tolerance of 1e-6: a right answer that costs less is free, and a mistake may save as much."""
    data = of("aab")
    for right, ratio in ((0.99e-6, (1 + 0.99e-6) / 1e-3), (1e-6, 1 / (1e-3 - 1e-6)), (-1e-6, 1 / (1e-3 + 1e-6))):
        weights = wc.CostMatrix([[right, 1], [1e-3, 0]]).weigh(data).weights
        assert weights[0] / weights[2] == pytest.approx(ratio, rel=1e-12)
    saving = wc.CostMatrix([[0, 1], [-1e-6, 0]])
    assert saving.weigh(data).weights.tolist() == pytest.approx([1.5, 1.5, 0], rel=1e-5, abs=0)
    with pytest.raises(wc.OptionError, match=r"row 2, column 1 costs -1\.0001e-06, less than the right answer"):
        wc.CostMatrix([[0, 1], [-1.0001e-6, 0]])
    with pytest.raises(wc.OptionError, match="no mistake costs anything"):
        wc.CostMatrix([[0, -1e-7], [0, 0]])
    assert wc.CostMatrix([[0, 1e-300], [0, 0]])


def test_the_largest_file(tmp_path):
    matrix, most = "2 2\n0 1\n5 0\n", 2**24
    assert str(load_cost_matrix(written(tmp_path, matrix + " " * (most - len(matrix))))) == "[0 1; 5 0]"
    with pytest.raises(wc.OptionError, match=r"expected a cost matrix, got more than 16777216 characters"):
        load_cost_matrix(written(tmp_path, matrix + " " * (most - len(matrix) + 1)))
