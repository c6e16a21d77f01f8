"""Sentences about an answer name a value that training did not have, instead of calling it missing."""

import numpy as np
import pytest

from wekaconf.data import Attribute, Dataset, Header
from wekaconf.data._matching import UnseenCells
from wekaconf.data.arrays import texts_of
from wekaconf.methods.contract._reasons import name_all_unseen_values, name_unseen_values


@pytest.mark.parametrize(("sentence", "expected"), [
    ("ward is missing, so the branches share it", "ward is 'x\\1y', not seen in training, so the branches share it"),
    ("age 3 > 2; ward is missing, and the branch", "age 3 > 2; ward is 'x\\1y', not seen in training, and the branch"),
    ("split by the missing value of ward, ends", "split by ward 'x\\1y', not seen in training, ends"),
    ("ward missing → a known value gives B", "ward 'x\\1y', not seen in training → a known value gives B"),
    ("award is missing, wards missing, the missing value of wards", None),
    ("a.b is missing; axb is missing", "a.b is 'z', not seen in training; axb is missing"),
    ("age is missing; ward = a", None),
])  # fmt: skip
def test_it_is_named_in_the_place_of_a_missing_one(sentence, expected):
    assert name_unseen_values(sentence, {"ward": "x\\1y", "a.b": "z"}) == (expected or sentence)


def test_only_the_rows_that_have_such_a_value_name_it():
    header = Header("r", (Attribute("ward", "nominal", ("a",)), Attribute("class", "nominal", ("no", "yes"))), 1)
    data = Dataset(header, np.full((4, 2), np.nan), unseen={"ward": UnseenCells(np.array([1, 3]), texts_of("pq"))})
    for rows in (slice(0, 4), np.array([3, 0]), slice(1, 2)):
        texts = name_all_unseen_values(["ward is missing"] * len(np.arange(4)[rows]), data, rows)
        known = {1: "ward is 'p', not seen in training", 3: "ward is 'q', not seen in training"}
        assert texts.tolist() == [known.get(row, "ward is missing") for row in np.arange(4)[rows].tolist()]
