"""What arrays in a model file are declared to be, and what is said of those that are not."""

import io
import zipfile
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from wekaconf.base import stored as module
from wekaconf.base.stored import (
    PARTS,
    SMALLEST,
    Parts,
    attributes,
    check_starts,
    check_stored,
    declared,
    distributions,
    parts_of,
    stored,
)
from wekaconf.methods.contract._method import Method


@dataclass
class Pair:
    first: Annotated[np.ndarray, stored(np.int32, "n", low=0, below="m")]
    weight: Annotated[np.ndarray, stored((np.float32, np.float64), "n + 1", "2", low=0, allows_inf=True)]


class Base:
    flag_: Annotated[np.ndarray, stored(np.bool_, "m")]
    other: int = 3


class Learned(Base):
    early_: Annotated[np.ndarray, stored(np.int32, "m", is_optional=True)]
    pair_: Annotated[Pair, PARTS]
    share_: Annotated[np.ndarray, distributions("m", "k")]
    free_: Annotated[np.ndarray, stored(np.float64, allows_nan=True)]


def good():
    return {
        "flag_": np.array([True, False]),
        "pair_.first": np.array([0, 1, 1], dtype=np.int32),
        "pair_.weight": np.ones((4, 2)),
        "share_": np.array([[0.25, 0.75, 0.0], [0.0, 0.0, 1.0]]),
        "free_": np.array(np.nan),
    }


def test_what_is_declared_is_found():
    assert set(declared(Learned)) == {"early_", *good()}
    assert attributes(Learned)["pair_"] is Pair
    made = parts_of(Learned, good())
    assert made["pair_"].first.tolist() == [0, 1, 1] and made["flag_"].tolist() == [True, False]
    assert made["early_"].shape == (0,) and made["early_"].dtype == np.int32


def test_sizes_are_found_and_kept():
    sizes = {"k": 3}
    check_stored(Learned, good(), sizes)
    assert sizes == {"k": 3, "m": 2, "n": 3}
    with pytest.raises(ValueError, match=r"share_: expected shape \(2, 4\), got \(2, 3\)"):
        check_stored(Learned, good(), {"k": 4})


def test_a_wrong_length_hides_no_other():
    """The message tells the lengths of all axes, those first seen here too."""
    sizes = {"n": 4}
    with pytest.raises(ValueError, match=r"table: expected shape \(4, 2\), got \(3, 2\)"):
        stored(np.float64, "n", "k").check_layout("table", np.dtype(np.float64), (3, 2), sizes)
    assert sizes == {"n": 4, "k": 2}


@pytest.mark.parametrize(
    ("axes", "shape", "expected"),
    [
        (("n + 1",), (0,), r"\(1,\), got \(0,\)"),
        (("n",), (), r"\(0,\), got \(\)"),
        (("n", "2"), (3,), r"\(0, 2\), got \(3,\)"),
        (("n", "n + 2"), (3, 4), r"\(3, 5\), got \(3, 4\)"),
    ],
)
def test_a_length_that_nothing_has_said_yet_is_none(axes, shape, expected):
    with pytest.raises(ValueError, match=f"table: expected shape {expected}"):
        stored(np.float64, *axes).check_layout("table", np.dtype(np.float64), shape, {})


@pytest.mark.parametrize(
    ("name", "array", "match"),
    [
        ("flag_", np.ones(2), "flag_: expected bool, got float64"),
        ("flag_", np.array([2, 0], np.uint8).view(bool), "flag_: has values that are neither false nor true"),
        ("flag_", np.ones(0, bool), r"pair_.first: expected values from 0 to -1|share_: expected shape \(0"),
        (
            "pair_.first",
            np.array([0, 1, 2], np.int32),
            "pair_.first: expected values from 0 to 1, got some from 0 to 2",
        ),
        ("pair_.first", np.array([0, -1, 1], np.int32), "pair_.first: expected values from 0 to 1, got some from -1"),
        ("pair_.first", np.zeros((3, 1), np.int32), r"pair_.first: expected shape \(0,\), got \(3, 1\)"),
        ("pair_.weight", np.ones((4, 3)), r"pair_.weight: expected shape \(4, 2\), got \(4, 3\)"),
        ("pair_.weight", np.ones((0, 2)), r"pair_.weight: expected shape \(4, 2\), got \(0, 2\)"),
        ("pair_.weight", np.ones((4, 2), np.float16), "pair_.weight: expected float32 or float64, got float16"),
        ("pair_.weight", np.full((4, 2), np.nan), "pair_.weight: has values that are not numbers"),
        ("pair_.weight", np.full((4, 2), -np.inf), "pair_.weight: expected values from 0"),
        ("share_", np.full((2, 3), 0.5), "share_: expected rows that sum to 1"),
        ("share_", np.array([[2.0, -1.0, 0.0]] * 2), "share_: expected values from 0 to 1"),
        ("share_", np.full((2, 3), np.inf), "share_: has infinite values"),
        ("share_", np.full((2, 3), np.nan), "share_: has values that are not numbers"),
        ("free_", np.array([1.0]), r"free_: expected shape \(\), got \(1,\)"),
        ("free_", np.array(np.inf), "free_: has infinite values"),
    ],
)
def test_what_is_not_as_declared(name, array, match):
    with pytest.raises(ValueError, match=match):
        check_stored(Learned, good() | {name: array}, {"k": 3})


def test_rows_sum_to_one_within_1e_9():
    for excess, is_refused in ((9e-10, False), (-9e-10, False), (1.1e-9, True), (-1.1e-9, True)):
        with pytest.raises(ValueError, match="expected rows that sum to 1") if is_refused else nullcontext():
            distributions("n", "k").check_values("p", np.array([[0.5, 0.5], [0.5, 0.5 + excess]]), {})
    distributions("n", "k").check_values("p", np.array([[1 + 9e-10, 0]]), {})


def test_the_largest_number_of_parts(monkeypatch):
    monkeypatch.setattr(module, "MOST_PARTS", 2)
    for n, is_refused in ((2, False), (3, True)):
        np.savez(file := io.BytesIO(), **{f"part{place}": np.zeros(1) for place in range(n)})
        with pytest.raises(ValueError, match="it holds 3 parts; at most 2") if is_refused else nullcontext():
            Parts(file)


@pytest.mark.parametrize("record", [b"{}", b"", b"\x93NUMPY\x03\x00"])
def test_a_part_that_is_no_array(record):
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("record.json.npy", record)
    with pytest.raises(ValueError, match=r"^a part does not begin with the header of an array$"):
        Parts(file).record()


def test_no_more_and_no_fewer():
    for name in good():
        with pytest.raises(ValueError, match=f"'{name}' is missing"):
            check_stored(Learned, {key: array for key, array in good().items() if key != name}, {"k": 3})
    with pytest.raises(ValueError, match="'more_' is not expected"):
        check_stored(Learned, good() | {"more_": np.zeros(1)}, {"k": 3})


def test_infinite_where_it_may_be():
    check_stored(Learned, good() | {"pair_.weight": np.full((4, 2), np.inf, np.float32)}, {"k": 3})


@pytest.mark.parametrize("starts", [[0, 2, 5], [0, 0, 5], [0, 5, 5], [0, 1, 5], [0, 4, 5]])
def test_runs_that_follow_one_another(starts):
    check_starts("starts", np.array(starts), 5)


@pytest.mark.parametrize("starts", [[1, 2, 5], [1, 0, 5], [0, 2, 4], [0, 2, 6], [0, 3, 2, 5], [0, 5, 4]])
def test_runs_that_do_not_follow_one_another(starts):
    with pytest.raises(ValueError, match="starts: expected to go up from 0 to 5"):
        check_starts("starts", np.array(starts), 5)


def test_no_positive_number_is_smaller_than_the_smallest():
    assert SMALLEST > 0 == SMALLEST / 2


@pytest.mark.parametrize("name", sorted(Method.registry))
def test_methods_declare_what_they_learn(name):
    """All but what follows from the rest, which has no declaration because no file holds it."""
    known = Method.registry[name]
    followed = {"regions_", "paths_", "members_"}
    annotated = {key for base in known.__mro__ for key in vars(base).get("__annotations__", {})}
    hints = {key for key in annotated if key.endswith("_") and not key.startswith("_")}
    assert hints - followed - {"tree_"} == set(attributes(known))
