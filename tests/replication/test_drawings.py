"""What the papers' figures look like, against what they looked like when somebody last looked at them."""

import pytest
from support.drawn import DRAWN, FIGURES, described


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_looks_as_it_did(name):
    *_, expected = DRAWN.read_text("utf-8").partition(f"{name}\n")
    assert described(FIGURES[name]) == expected.partition("\n\n")[0].rstrip("\n") + "\n", "see tests/support/drawn.py"
