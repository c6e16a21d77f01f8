"""The rules of a model as a table."""

import re

import numpy as np
import pytest
from support.written_trees import EACH, LE, LT, written_tree

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.data import Attribute, Header
from wekaconf.evaluation.aims import Aim
from wekaconf.tree import Routing

HEADER = Header(
    "visits",
    (Attribute("age"), Attribute("seen", "date"), Attribute("sex", "nominal", ("f", "m")),
     Attribute("back", "nominal", ("no", "yes"))),
    3,
)  # fmt: skip
OPERATORS = {"<=": np.less_equal, "<": np.less, ">=": np.greater_equal, ">": np.greater}
DAY = 20222 * 86_400_000


def test_a_row_per_leaf_with_the_narrowest_tests():
    tree = written_tree(
        HEADER, (0, LE, 60, (0, LE, 40.5, [9, 1], (1, LE, DAY, [3, 2], [1, 4])), (2, EACH, None, [0, 5], [0.5, 2]))
    )
    rules = wc.fit(None, learner=tree).rules().to_pandas()
    assert list(rules.columns) == ["condition", "class", "rows", "wrong", "probability"]
    assert rules.to_numpy().tolist() == [
        ["age <= 40.5", "no", 10, 1, 0.9],
        ["age <= 60 and age > 40.5 and seen <= 2025-05-14", "no", 5, 2, 0.6],
        ["age <= 60 and age > 40.5 and seen > 2025-05-14", "yes", 5, 1, 0.8],
        ["age > 60 and sex = f", "yes", 5, 0, 1],
        ["age > 60 and sex = m", "yes", 2.5, 0.5, 0.8],
    ]
    alone = wc.fit(None, learner=written_tree(HEADER, [3, 1])).rules()
    assert alone.to_pandas().to_numpy().tolist() == [["every row", "no", 4, 1, 0.75]]


def test_costs_decide_the_class_of_a_rule():
    costs = Aim("cost", (np.array([[0, 1], [5, 0]]), 3))
    model = wc.fit(None, learner=written_tree(HEADER, (0, LE, 60, [3, 1], [9, 0])), aim=costs)
    assert model.rules().to_pandas().to_numpy().tolist() == [
        ["age <= 60", "yes", 4, 3, 0.25, "yes"], ["age > 60", "no", 9, 0, 1, "yes"]
    ]  # fmt: skip


def test_rows_that_a_reptree_does_not_remember_are_not_counted():
    tree = written_tree(HEADER, (0, LT, 60, [3, 1], [0, 9]), routing=Routing.REPTREE)
    rules = wc.fit(None, learner=tree).rules().to_pandas()
    assert rules[["rows", "wrong"]].isna().all(axis=None) and rules["class"].tolist() == ["no", "yes"]


@pytest.mark.parametrize("method", ["leaf_frequency", "m_branch", "curtailment"])
@pytest.mark.parametrize("learner", ["J48", "REPTree", "CART", "info_gain"])
def test_every_row_is_answered_by_its_rule(jvm, wine, method, learner):
    if method != "leaf_frequency" and learner == "REPTree":
        learner = "RandomTree"
    surest = wc.fit(wine, method, learner=learner).rules().to_pandas()["probability"].max()
    model = wc.fit(wine, method, learner=learner, aim=Aim("below", surest))
    rules, answer = model.rules().to_pandas(), model.answer(wine)
    frame = wine.to_pandas()
    n_alike = np.zeros(len(wine), dtype=int)
    for rule in rules.itertuples():
        holds = np.ones(len(wine), dtype=bool)
        for test in rule.condition.split(" and "):
            name, operator, point = re.fullmatch(r"(.+) (<=|<|>=|>) (\S+)", test).groups()
            column = frame[name].to_numpy(dtype=np.float32 if learner == "CART" else np.float64)
            holds &= OPERATORS[operator](column, float(point))
        n_alike += holds
        assert {answer.labels[i] for i in np.flatnonzero(holds)} <= {rule[2]}
        assert answer.certainty[holds] == pytest.approx(rule.probability)
        assert {bool(each) for each in answer.is_rejected[holds]} <= {rule.answered == "no"}
    assert (n_alike == 1).all() and rules["rows"].sum() == len(wine)
    assert set(rules["answered"]) == ({"yes", "no"} if rules["probability"].nunique() > 1 else {"yes"})


def test_what_has_no_rules_of_its_own(jvm, wine):
    with pytest.warns(wc.Note, match="confdtree answers by the values of each row, not by the leaf alone"):
        rules = wc.fit(wine, "confdtree", aim=Aim("below", 0.9)).rules()
    assert [each.name for each in rules.attributes] == ["condition", "class", "rows", "wrong", "probability"]
    with pytest.raises(OptionError, match="rules are those of one tree"):
        wc.fit(wine, learner="RandomForest -I 3").rules()
