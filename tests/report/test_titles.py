"""The titles of tables: what the records have in common, in words; and the papers below them."""

import pytest
from support.page_opener import fitted
from support.small_data import small

from wekaconf.model.fitted import Model
from wekaconf.report._references import cite
from wekaconf.report._titles import model_title, title_of, training_of

PLAIN = {
    "learner": "J48", "options": "", "protocol": "10-fold cross-validation", "seed": 1, "runs": 1, "reading": None,
    "sees_class": False, "versions": {"wekaconf": "2", "weka": "3.9.6"}, "leave_out": None, "known": None,
    "preprocess": None, "filters": (), "cost_matrix": None, "aim": None, "threshold_from": None,
}  # fmt: skip
AIM = {"aim": "error at most 5 %", "threshold_from": "training"}
IN_WEKA = "J48 of Weka 3.9.6; 10-fold cross-validation, seed 1"


@pytest.mark.parametrize(
    ("records", "title"),
    [
        ([{}], IN_WEKA),
        ([{"options": "-U"}, {"options": "-U"}], IN_WEKA.replace("J48", "J48 -U")),
        ([{"learner": "CART"}], "CART; 10-fold cross-validation, seed 1"),
        ([{"learner": "of_nobody"}], "of_nobody; 10-fold cross-validation, seed 1"),
        ([{}, {"options": "-U"}], "each method on its own learner; 10-fold cross-validation, seed 1"),
        ([{"seed": None, "runs": 2}], "J48 of Weka 3.9.6; 10-fold cross-validation, 2 runs"),
        ([{}, {"sees_class": True}], f"TABLE READING: uses the class of the test instances; {IN_WEKA}"),
        ([{}, {"reading": "table"}], f"TABLE READING; {IN_WEKA}"),
        ([{}, {"reading": "text"}], f"{IN_WEKA}; reading text"),
        ([{"versions": PLAIN["versions"] | {"plugged": "7", "in": "8"}}, {}], f"{IN_WEKA}; with plugged 7, in 8"),
        ([{"leave_out": 2}], f"{IN_WEKA}; open set, 2 of the classes left out"),
        ([{"known": [["a", "b"], ["c"]]}], f"{IN_WEKA}; open set, known: a, b"),
        (
            [{"preprocess": {"name": "median", "fitted_on": "whole set"}, "filters": ("F", "G")}],
            f"{IN_WEKA}; preprocessing median, fitted on the whole set; F, G, fitted on each training set",
        ),
        (
            [{"preprocess": {"name": "median", "fitted_on": "each training set"}, "cost_matrix": "[0 1; 5 0]"}],
            f"{IN_WEKA}; preprocessing median, fitted on each training set; instances weighted by the cost matrix "
            "[0 1; 5 0]",
        ),
    ],
)
def test_a_title_says_what_the_records_have_in_common(records, title):
    records = [PLAIN | more for more in records]
    assert title_of(records) == title_of(records, part="other") == title
    assert title_of(records, part="pooled") == f"{title}; pooled answers"
    assert title_of(records, part="fold_mean", names_aim=True) == f"{title}; mean over folds"


@pytest.mark.parametrize(
    ("other", "threshold"),
    [
        ({}, "; threshold: error at most 5 %, chosen on training rows"),
        ({"aim": "keep 90 % of the correct"}, ""),
        ({"threshold_from": "out-of-fold"}, ""),
        ({"aim": None, "threshold_from": None}, ""),
    ],
)
def test_the_aim_stands_in_a_title_where_all_have_the_same(other, threshold):
    records = [PLAIN | AIM, PLAIN | AIM | other]
    assert title_of(records, names_aim=True) == IN_WEKA + threshold and title_of(records) == IN_WEKA


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (None, ""),
        ("out-of-fold", ", chosen out of fold"),
        ("calibration", ", calibrated on rows held out"),
    ],
)
def test_training_is_told_with_the_threshold(where, words):
    record = PLAIN | AIM | {"options": "-U", "filters": ("F",), "threshold_from": where}
    assert training_of(record) == f"J48 -U; F, fitted on each training set; threshold: error at most 5 %{words}"


@pytest.mark.parametrize(
    ("class_name", "relation", "title"),
    [
        ("outcome", "visits", "Outcome"),
        ("Class", "visits", "Visits"),
        ("class", "", "Class"),
        ("x", "visits", "X"),
    ],
)
def test_a_model_is_named_after_its_class_unless_that_says_nothing(class_name, relation, title):
    train = small(relation=relation, a=[1.0, 2.0] * 4, **{class_name: ["u", "v"] * 4})
    model = Model(fitted("leaf_frequency", train, "info_gain"))
    assert model_title(model) == f"{title}: info_gain with leaf frequency"
    assert model_title(model, lambda name: f"<{name}>") == f"<{title}>: info_gain with leaf frequency"


@pytest.mark.parametrize(
    ("key", "end"),
    [
        ("quinlan1993", "Quinlan, J. Ross: C4.5: Programs for Machine Learning. Morgan Kaufmann, 1993"),
        ("genest1986", "Genest, Christian; Zidek, James V."),
        ("genest1986", "an Annotated Bibliography. Statistical Science, 1986"),
        ("davidsson1996", ": Learning Characteristic Decision Trees. 1996"),
        ("ferri2003", ". Proceedings of the 14th European Conference on Machine Learning (ECML), 2003"),
    ],
)
def test_a_paper_is_cited_in_a_line(key, end):
    assert cite(key).startswith(end) or cite(key).endswith(end)


def test_an_unknown_paper_is_named():
    with pytest.raises(KeyError, match="nobody"):
        cite("nobody")
