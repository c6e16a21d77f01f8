"""What a person is told of a model: its facts, and how it is printed."""

from dataclasses import replace

import numpy as np
import pytest
from support.written_trees import LE, written_tree

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.data import Attribute, Header
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.model.facts import facts_of, page_facts_of

HEADER = Header("visits", (Attribute("age"), Attribute("back", "nominal", ("no", "yes"))), 1)
TREE, LEAF = written_tree(HEADER, (0, LE, 30, [3, 1], [0, 4])), written_tree(HEADER, [3, 1])
DATA = wc.Dataset(HEADER, np.array([[1.0, 0], [2, 0], [40, 1], [50, 1]] * 10))


def model_of(tree, **more):
    return wc.Model(wc.LeafFrequency.restore({}, tree, {}), **more)


def test_what_is_not_known_is_left_out():
    assert facts_of(model_of(TREE)) == {
        "method": "leaf_frequency", "learner": "J48, 3 nodes", "trained on": "visits", "columns": "age (numeric)",
        "class": "back (no, yes)", "filters": "none", "threshold": "none", "keeps": "no training instances",
    }  # fmt: skip


def test_how_tables_are_read_and_who_made_the_file():
    reading = Reading(id="who", ignore=("a", "b"), na=("-", ""), rename=(("old", "age"), ("older", "age_2")))
    model = model_of(TREE, reading=reading, made="2026-01-01", versions={"wekaconf": "1", "Weka": "", "numpy": "2"})
    facts = facts_of(model)
    assert {name: facts[name] for name in ("identifier", "left out", "missing", "renamed", "made", "versions")} == {
        "identifier": "who", "left out": "a, b", "missing": "-, empty cells alone",
        "renamed": "old = age, older = age_2", "made": "2026-01-01", "versions": "wekaconf 1, numpy 2",
    }  # fmt: skip
    assert [*page_facts_of(model)] == [name for name in facts if name != "threshold"]


@pytest.mark.parametrize(("tree", "size"), [
    (LEAF, "J48, 1 node"),
    (wc.Forest((TREE, LEAF), learner="Bagging", options="-I 2"), "Bagging -I 2, 2 trees, 4 nodes"),
])  # fmt: skip
def test_the_size_of_a_tree_and_of_a_forest(tree, size):
    assert facts_of(model_of(tree))["learner"] == size


def test_the_rule_of_the_method_and_what_is_kept():
    facts = facts_of(wc.fit(DATA, "id3_max", learner="info_gain"))
    assert facts["threshold"] == "0.5, the method's own rule"
    assert facts["keeps"] == "no training instances; ranges and counts of the columns"


def test_filters_and_thresholds_are_printed():
    filters = fit_preprocessing(DATA, "median").filters
    fitted = wc.method("leaf_frequency").fit(TREE, DATA)
    one = wc.Model(fitted, filters)
    two = wc.Model(fitted, filters * 2, wc.choose_threshold([], [], below=0.75))
    assert repr(one) == "Model(LeafFrequency() on 'visits', 1 filter)" and facts_of(one)["filters"] == "1"
    assert repr(two) == "Model(LeafFrequency() on 'visits', 2 filters, rejects below 0.75)"
    promising = replace(model_of(TREE), choice=choice_of("no", "yes"))
    assert repr(promising) == "Model(LeafFrequency() on 'visits', rejects below 0.563291 (no))"
    promised, given = facts_of(promising)["threshold"].split("; ", 1)
    assert promised == "threshold 0.563291: with confidence 90 %, at most 30 % of the answers 'no' given are wrong"
    assert given.endswith("; every answer 'yes' is given, without a promise")


def choice_of(*names):
    """A threshold for the first of two classes."""
    labels = [*names] * 40
    scores = wc.Scores(labels, labels, np.linspace(0.5, 1, 80))
    return scores.choose(wc.Aim("error", {names[0]: 0.3}, confidence=0.9))


def test_a_choice_belongs_to_the_classes_of_the_tree():
    with pytest.raises(OptionError, match="thresholds of other classes than 'no', 'yes'; choose them for this method"):
        model_of(TREE, choice=choice_of("ja", "nein"))
