"""Limits of classes, whatever learner predicts them, against the literal reference and by hand."""

from dataclasses import replace

import numpy as np
import pytest
from reference.davidsson1996_reference import Davidsson1996
from support.random_trees import random_dataset, random_header, random_tree
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, OptionError
from wekaconf.methods.characteristic._of_classes import characteristic_limits

TRAIN = small(
    x=[1, 2, 3, 10, 10, 10, 50],
    c=(("red", "green", "blue"), ["red", "red", "green", "blue", "blue", None, "red"]),
    **{"class": (("p", "q", "none", "one"), ["p", "p", "p", "q", "q", "q", "one"])},
)


def asked(*rows, classes=None):
    classes = [np.nan] * len(rows) if classes is None else classes
    return replace(TRAIN, values=[[*row, c] for row, c in zip(rows, classes, strict=True)], weights=None)


@pytest.mark.parametrize("seed", range(24))
def test_equals_the_reference_on_one_leaf_a_class(seed):
    """The limits of a class are those of a leaf with its instances; ``parent`` those of a root with all."""
    rng = np.random.default_rng(seed)
    header = random_header(rng, n_attributes=2 + seed % 3, n_classes=3)
    train = random_dataset(rng, header, 60, 0.1, weights=seed % 2 == 0, classes=[0, 2] if seed % 4 == 0 else None)
    test = random_dataset(rng, header, 40, 0.1 * (seed % 3))
    method = ("sd", "max")[seed % 2]
    options = {"zero_variance": ("exact", "accept")[seed // 2 % 2], "ordered": "n1" if seed % 3 else ""}
    if method == "sd":
        options |= {"trim": 0.2 * (seed % 3), "limits": ("normal", "tolerance")[seed // 3 % 2], "alpha": 0.2}
    else:
        options |= {"closed": ("both", "lower")[seed // 4 % 2]}
    limits = characteristic_limits(train, method=method, **options)
    predicted = rng.integers(0, 3, len(test))
    certainty, accepts = limits.certainty(test, predicted), limits.accepts(test, predicted)
    for c in range(3):
        own = train.take(train.class_values == c)
        leaf = random_tree(rng, train, max_depth=0)
        reference = Davidsson1996(leaf, own, f"id3_{method}", **options)
        for i in np.flatnonzero(predicted == c):
            expected = reference.certainty(test.values[i].tolist()) if len(own) else 0.0
            assert certainty[i] == pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert accepts[i] == (certainty[i] >= (0.2 if method == "sd" else 0.5))


def test_by_hand():
    limits = characteristic_limits(TRAIN, method="max")
    rows = [[2, 0], [2, 2], [4, 0], [np.nan, 0], [2, np.nan]]
    assert limits.accepts(asked(*rows), ["p"] * 5).tolist() == [True, False, False, True, True]
    assert limits.accepts(asked(*rows), [0] * 5).tolist() == [True, False, False, True, True]
    limits = characteristic_limits(TRAIN)
    assert limits.certainty(asked([2, 0], [3, 0]), ["p", "p"]).tolist() == pytest.approx([1, 0.3173105])
    assert limits.threshold == 0.05


def test_a_certainty_that_is_the_threshold_is_accepted():
    limits, data = characteristic_limits(TRAIN), asked([3, 0])
    [certainty] = limits.certainty(data, ["p"])
    for threshold, is_accepted in ((certainty, True), (np.nextafter(certainty, 1), False)):
        assert replace(limits, threshold=threshold).accepts(data, ["p"]).tolist() == [is_accepted]


@pytest.mark.parametrize("method", ["sd", "max"])
@pytest.mark.parametrize("zero_variance", ["exact", "accept", "parent"])
def test_a_class_without_instances_accepts_nothing(method, zero_variance):
    limits = characteristic_limits(TRAIN, method=method, zero_variance=zero_variance)
    assert limits.certainty(asked([2, 0], [np.nan, np.nan]), ["none", "none"]).tolist() == [0, 0]
    assert limits.certainty(asked([2, 0]), [-1]).tolist() == [0]
    assert not limits.accepts(asked([2, 0]), [-1]).any()


@pytest.mark.parametrize("method", ["sd", "max"])
def test_zero_variance(method):
    asked_of = asked([10, 2], [11, 2], [200, 2])
    expected = {"exact": [1, 0, 0], "accept": [1, 1, 1], "parent": [1, 1, 0]}
    for zero_variance, accepted in expected.items():
        limits = characteristic_limits(TRAIN, method=method, zero_variance=zero_variance)
        assert limits.accepts(asked_of, ["q"] * 3).tolist() == accepted
    limits = characteristic_limits(TRAIN, method=method, zero_variance="exact")
    assert limits.accepts(asked([50, 0], [49, 0], [50, 1]), ["one"] * 3).tolist() == [True, False, False]


def test_a_limit_beyond_the_largest_number_is_infinite_without_a_warning():
    data = small(x=[1.7e308, 1e308, 1.2e308], **{"class": (("p", "q"), ["p", "p", "p"])})
    method = wc.method("id3_sd", alpha=0.05).fit(random_tree(np.random.default_rng(1), data, max_depth=0), data)
    [test] = method.limit_tests(0)
    assert test.upper == np.inf and np.isfinite(test.lower)


def test_alpha_from_a_total_probability():
    assert characteristic_limits(TRAIN, p_total=0.9).threshold == pytest.approx(0.1)
    assert characteristic_limits(TRAIN, alpha=0.3).threshold == 0.3


def test_classes_of_the_test_data_make_no_difference():
    limits = characteristic_limits(TRAIN)
    rows = [[2, 0], [3, 0], [9, 2]]
    plain = limits.certainty(asked(*rows), ["p", "p", "q"])
    assert limits.certainty(asked(*rows, classes=[3, 1, 0]), ["p", "p", "q"]).tolist() == plain.tolist()


def test_training_instances_without_a_class_or_weight_are_left_out():
    values = np.vstack((TRAIN.values, [[500, 0, np.nan], [500, 0, 0]]))
    more = replace(TRAIN, values=values, weights=np.append(np.ones(8), 0))
    rows = asked([2, 0], [3.4, 0], [9, 2])
    for method in ("sd", "max"):
        certainty = [
            characteristic_limits(data, method=method, zero_variance="parent").certainty(rows, ["p", "p", "q"]).tolist()
            for data in (TRAIN, more)
        ]
        assert certainty[0] == certainty[1]


@pytest.mark.parametrize("method", ["sd", "max"])
@pytest.mark.parametrize("ordered", ["", "none"])
def test_an_attribute_that_declares_no_value_is_not_tested(method, ordered):
    empty = {"none": ((), [None] * 4)}
    train = small("class", x=[1, 2, 10, 12], **{"class": ["p", "p", "q", "q"]}, **empty)
    test = small("class", x=[1, 2, 10, 40], **{"class": ["p", "p", "q", "q"]}, **empty)
    limits = characteristic_limits(train, method=method, ordered=ordered)
    plain = characteristic_limits(without_last(train), method=method)
    assert limits.certainty(test, [0, 1, 1, 1]).tolist() == plain.certainty(without_last(test), [0, 1, 1, 1]).tolist()


def without_last(data):
    header = replace(data.header, attributes=data.attributes[:-1])
    return replace(data, header=header, values=data.values[:, :-1])


def test_no_instances():
    limits = characteristic_limits(TRAIN)
    nothing = TRAIN.take([])
    assert limits.certainty(nothing, []).shape == limits.accepts(nothing, []).shape == (0,)
    none = characteristic_limits(nothing)
    assert none.certainty(asked([2, 0]), ["p"]).tolist() == [0]


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (["p"], r"predicted: expected one class per instance, shape \(2,\), got \(1,\)"),
        ([["p"], ["q"]], r"got \(2, 1\)"),
        ("pp", r"got \(\)"),
        (["p", "Q"], "predicted: 'Q' is not a class; give one of 'p', 'q', 'none', 'one'"),
        ([0, 4], r"predicted: expected indices from −1 \(none\) to 3, got 4"),
        ([-2, 0], "got -2"),
        ([0.0, 1.0], "predicted: expected class indices or class names, got float64"),
        ([True, False], "expected class indices or class names, got bool"),
        (["p", None], "expected class indices or class names, got object"),
    ],
)
def test_wrong_predictions(predicted, message):
    with pytest.raises(OptionError, match=message):
        characteristic_limits(TRAIN).accepts(asked([2, 0], [3, 0]), predicted)


def test_other_header():
    with pytest.raises(HeaderMismatchError):
        characteristic_limits(TRAIN).accepts(small(x=[1], **{"class": ["p"]}), ["p"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "id3"}, "characteristic_limits: method must be sd or max, got 'id3'"),
        (
            {"alpha": 2},
            "characteristic_limits: alpha must be a number between 0 and 1, both excluded, or none, got '2'",
        ),
        ({"p_total": 0}, "characteristic_limits: p_total must be a number between 0 and 1, both excluded, or none"),
        ({"confidence": 1}, "characteristic_limits: confidence must be a number between 0 and 1, both excluded, got"),
        ({"limits": "Tolerance"}, "limits must be normal or tolerance, got 'Tolerance'; did you mean 'tolerance'"),
        ({"trim": 1.5}, "characteristic_limits: trim must be a number from 0 to 1, got '1.5'"),
        ({"trim": 1}, "characteristic_limits: trim must be smaller than 1, which would remove all instances"),
        ({"alpha": 0.1, "p_total": 0.1}, "characteristic_limits: give alpha or p_total"),
        ({"closed": "left"}, "characteristic_limits: closed must be both, lower, upper or neither, got 'left'"),
        ({"closed": "lower"}, "closed is a parameter of method 'max', not of 'sd'"),
        ({"method": "max", "alpha": 0.1}, "alpha is a parameter of method 'sd', not of 'max'"),
        ({"method": "max", "p_total": 0.1}, "p_total is a parameter of method 'sd', not of 'max'"),
        ({"method": "max", "limits": "tolerance"}, "limits is a parameter of method 'sd', not of 'max'"),
        ({"method": "max", "trim": 0.1}, "trim is a parameter of method 'sd', not of 'max'"),
        ({"ordered": "x"}, r"characteristic_limits: ordered must name nominal attributes \(one of 'c'\), got 'x'"),
        ({"ordered": 3}, "characteristic_limits: ordered must be a text or several, got '3'"),
        ({"ordered": ["c", 1]}, "characteristic_limits: ordered must be a text or several, got"),
        ({"zero_variance": 0}, "characteristic_limits: zero_variance must be exact, accept or parent, got '0'"),
    ],
)
def test_parameters_out_of_range(options, message):
    with pytest.raises(OptionError, match=message):
        characteristic_limits(TRAIN, **options)
