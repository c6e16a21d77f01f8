"""The text of exported files, whole, against what it was when somebody last looked at it."""

import pytest
from support.exported_texts import EXPORTED, texts
from support.printed import unlike


@pytest.fixture(scope="module")
def written():
    """The text of each file by its name."""
    return texts()


def test_every_file_is_of_a_model(written):
    assert {path.name for path in EXPORTED.iterdir()} == set(written)


@pytest.mark.parametrize("name", sorted(path.name for path in EXPORTED.iterdir()))
def test_a_file_is_what_it_was(written, name):
    expected = (EXPORTED / name).read_text(encoding="utf-8")
    assert not unlike(written[name], expected), "see scripts/make_golden.py"
