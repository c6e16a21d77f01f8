"""The same frame written as CSV, Excel and Parquet, and handed over as it is, gives equal data sets."""

import math
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wekaconf as wc
from wekaconf.data.cells import is_number

NA = ["-999", "n.a.", "1e3"]
"""Texts that mean missing: two numbers, and a text."""
MISSING_NUMBERS = (-999.0, 1000.0)
FLOATS = st.floats(-1e300, 1e300).map(lambda number: float(f"{number:.15g}")) | st.sampled_from([math.nan, -999.0, 1e3])
"""Of 15 digits, since openpyxl writes no more than 16."""
WHOLE = st.integers(-(2**53), 2**53) | st.sampled_from([-999, 1000, 0])
TEXTS = st.text("abcxyzäß€ ", min_size=1).map(str.strip).filter(bool) | st.sampled_from(
    ["n.a.", "0x10", "a,b", 'a"b', "a\nb"]
)
BOOLEANS = st.booleans()


@st.composite
def frames(draw):
    """Columns of numbers, whole numbers, texts and booleans, and a class; every column holds what makes it such."""
    n_rows = draw(st.integers(2, 12))

    def column(cells):
        return draw(st.lists(cells, min_size=n_rows, max_size=n_rows))

    return pd.DataFrame(
        {
            "float": [0.25, *column(FLOATS)],
            "whole": [1, *column(WHOLE)],
            "text": ["p", *column(TEXTS)],
            "boolean": [True, *column(BOOLEANS)],
            "class": ["a", *column(st.sampled_from(["a", "b"]))],
        }
    )


def written(frame, folder):
    """The paths of the frame's files."""
    frame.to_csv(folder / "f.csv", index=False)
    frame.to_csv(folder / "s.csv", index=False, sep=";", decimal=",")
    frame.to_csv(folder / "u.csv", index=False, encoding="utf-16")
    frame.to_csv(folder / "f.tsv.gz", index=False, sep="\t")
    frame.to_excel(folder / "f.xlsx", index=False)
    frame.to_parquet(folder / "f.parquet")
    pl.from_pandas(frame).write_parquet(folder / "g.parquet")
    return sorted(folder.iterdir())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames())
@pytest.mark.one_commit_in(3)
def test_files_of_one_frame_are_equal(frame):
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = wc.Dataset.from_pandas(frame, class_attribute="class", relation="x")
        cleaned = frame.assign(
            float=frame["float"].mask(frame["float"].isin(MISSING_NUMBERS)),
            whole=frame["whole"].astype("Int64").mask(frame["whole"].isin(MISSING_NUMBERS)),
            text=frame["text"].mask(frame["text"] == "n.a."),
        )
        without = wc.Dataset.from_pandas(cleaned, class_attribute="class", relation="x")
        for path in written(frame, Path(folder)):
            assert wc.load_table(path, class_attribute="class").renamed("x") == expected, path.name
            assert wc.load_table(path, class_attribute="class", na=NA).renamed("x") == without, path.name
            assert wc.load_table(path, header=expected.header) == expected, path.name


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.from_regex(r"[-+]?(0[xX])?[0-9]{1,3}[.,]?[0-9]{0,2}([eE][-+]?[0-9]{1,3})?", fullmatch=True)
        | st.sampled_from(
            ["inf", "-Infinity", "1e400", "-1e999", "0x10", "1_000", "٣", "1e-400", ".5", "5.", "+7", "0b1"]
        ),
        min_size=1,
        max_size=6,
    )
)
def test_texts_are_numbers_where_python_says_so(texts):
    """A column of CSV is numeric if all its cells are, and then just the numbers that Python reads; else it is text."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "t.csv"
        path.write_text("x,c\n" + "".join(f'"{text}",a\n' for text in texts), encoding="utf-8")
        data = wc.load_table(path)
        if all(map(is_number, texts)):
            assert data.attributes[0].kind == "numeric"
            assert data.values[:, 0].tolist() == [float(text) for text in texts]
            as_text = wc.Dataset.from_pandas(pd.DataFrame({"x": texts, "c": "a"}), numeric=["x"])
            assert np.array_equal(as_text.values, data.values)
        else:
            assert [data.attributes[0].values[int(cell)] for cell in data.values[:, 0]] == texts
            with pytest.raises(wc.WekaconfError, match="expected a number, got"):
                wc.load_table(path, numeric=["x"])
