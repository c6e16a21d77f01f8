"""Values that training did not have, named where sentences about an answer call them missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from wekaconf.base.naming import quoted, shown
from wekaconf.data import NOT_SEEN, Dataset
from wekaconf.data.arrays import TextArray, texts_of
from wekaconf.methods.contract._reasons import Rows, row_indices

LACKS = {"{} is missing": "{} is {}, {}", "{} missing": "{} {}, {}", "the missing value of {}": "{} {}, {}"}
"""How sentences say that an instance has no value of an attribute, and how they name one."""


def name_unseen_values(sentence: str, unseen: Mapping[str, str]) -> str:
    """The sentence with values that training did not have, by attribute, in the place of missing ones."""
    for name, value in unseen.items():
        for lacks, has in LACKS.items():
            pattern = rf"(?<!\S){re.escape(lacks.format(shown(name)))}(?!\w)"
            sentence = has.format(shown(name), quoted(value), NOT_SEEN).join(re.split(pattern, sentence))
    return sentence


def name_all_unseen_values(sentences: Sequence[str] | TextArray, data: Dataset, rows: Rows) -> TextArray:
    """The sentences about some rows of the data, each with the row's values that training did not have."""
    texts = texts_of(sentences)
    for place, row in enumerate(row_indices(rows, len(data)).tolist()):
        if unseen := data.unseen_in(row):
            texts[place] = name_unseen_values(texts[place], unseen)
    return texts
