"""Rounding before comparing: numpy's where it is defined, nothing lost or warned of where it is not."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekaconf.base.rounding import FROM_HERE_COARSER, SCALE, in_units, most_probable, rounded, sums_are_exact


@given(st.lists(st.floats(-FROM_HERE_COARSER, FROM_HERE_COARSER, exclude_min=True, exclude_max=True)))
def test_equals_numpy_bit_for_bit(numbers):
    assert rounded(numbers).tobytes() == np.round(np.array(numbers, dtype=float), 12).tobytes()


@given(st.lists(st.floats(FROM_HERE_COARSER, allow_nan=False)))
def test_numbers_without_so_many_decimals_stay_as_they_are(numbers):
    numbers = np.array(numbers, dtype=float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rounded(numbers).tobytes() == numbers.tobytes()
        assert rounded(-numbers).tobytes() == (-numbers).tobytes()


def test_every_step_from_there_on_is_more_than_a_unit():
    assert np.spacing(FROM_HERE_COARSER) > 1 / SCALE > np.spacing(np.nextafter(FROM_HERE_COARSER, 0))


@pytest.mark.parametrize("shape", [(0, 3), (4, 1), (2, 3)])
def test_shapes_stay(shape):
    assert rounded(np.zeros(shape)).shape == in_units(np.zeros(shape)).shape == shape
    assert most_probable(np.zeros(shape)).tolist() == [0] * shape[0]


def test_a_tie_goes_to_the_lowest_class():
    third = 1 / 3
    proba = np.array(
        [[third, third + 1e-13, third], [0.1, 0.2, 0.1 + 0.2], [0.3, 0.1, 0.1 + 0.2], [0.2, 0.2 + 2e-12, 0]]
    )
    assert most_probable(proba).tolist() == [0, 2, 0, 1]


@pytest.mark.parametrize(
    ("weights", "is_exact"),
    [([2.0**52, 2.0**52 - 1], True), ([2.0**52, 2.0**52], False), ([0.5, 0.5], False), ([], True), ([2.0, 0.0], True)],
)
def test_up_to_which_weight_sums_are_exact(weights, is_exact):
    assert sums_are_exact(np.array(weights)) == is_exact
