"""CART splits nominal attributes on one of their values without being asked, in every front end."""

import csv
import warnings

import numpy as np
import pandas as pd
import pytest

import wekaconf as wc
from wekaconf.base.errors import Note

COLOURS = ("blue", "green", "red")


def table(n=120, seed=0):
    """Rows whose class follows from a colour of three, and from a number where it is red."""
    rng = np.random.default_rng(seed)
    colour, number = rng.integers(0, 3, n), rng.integers(0, 50, n)
    label = (colour == 0) | ((colour == 2) & (number > 20))
    return pd.DataFrame(
        {"colour": np.array(COLOURS)[colour], "number": number, "smokes": rng.random(n) < 0.5,
         "class": np.where(label, "yes", "no")}
    )  # fmt: skip


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table().to_csv("known.csv", index=False)
    return wc.load_table("known.csv")


def test_the_default_is_the_option_that_was_needed(known):
    trees = [wc.CART(**given).grow_without_notes(known) for given in ({}, {"nominal": "one_hot"})]
    first, second = (tree.to_arrays()[1] for tree in trees)
    assert {"colour", "number"} == {known.attributes[i].name for i in set(trees[0].split_attribute) if i >= 0}
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)
    with pytest.raises(wc.OptionError, match="'colour', 'smokes' are nominal"):
        wc.CART(nominal="refuse").grow_without_notes(known)


def test_only_attributes_of_three_or_more_values_are_told(known):
    with pytest.warns(
        Note, match=r"known: 1 nominal attribute has more than two values; .* from the others \(nominal=one_hot\)"
    ):
        wc.grow(known, "CART")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wc.grow(known.without(["colour"]), "CART")


def test_a_saved_model_answers_rows_with_the_original_columns(known, run):
    ended = run("predict", "-t", "known.csv", "--learner", "CART", "-d", "m.wct")
    assert ended.code == 0 and "note: known: 1 nominal attribute has more than two values" in ended.err
    new = table(40, 1)
    new[["smokes", "number", "colour"]].to_csv("new.csv", index=False)
    assert run("predict", "-q", "-l", "m.wct", "-T", "new.csv", "-o", "a.csv").code == 0
    with open("a.csv", encoding="utf-8") as stream:
        predicted = [row["predicted"] for row in csv.DictReader(stream)]
    tree = wc.CART().grow_without_notes(known)
    expected = tree.predict(wc.Dataset.from_pandas(new, header=known.header))
    assert predicted == [known.class_names[i] for i in expected]
    assert np.mean(np.array(predicted) == new["class"]) > 0.9
