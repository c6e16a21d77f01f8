"""Messages: one line of visible characters, of bounded length, whatever the names in them are."""

import pickle
import warnings

import pytest

import wekaconf as wc
from wekaconf.base.errors import LONGEST, WekaconfError, tell

HOSTILE = "a\nb\t\x1b[31m\u202e\u2028\0\ud800c"


def every(kind):
    ours = [child for child in kind.__subclasses__() if child.__module__.startswith("wekaconf.")]
    return [kind, *(below for child in ours for below in every(child))]


def made(kind, text):
    try:
        return kind(text, path="f") if issubclass(kind, wc.ArffError | wc.TableError) else kind(text)
    except TypeError:  # it makes its message itself
        return None


@pytest.mark.parametrize("kind", every(WekaconfError))
def test_an_error_is_one_line(kind):
    for text in (HOSTILE, "x" * 10**6, HOSTILE * 10**5):
        error = made(kind, text)
        if error is not None:
            assert str(error).isprintable() and str(error).encode()
            assert len(str(error)) <= LONGEST
            assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_long_message_keeps_its_beginning_and_its_end():
    text = f"here: {'x' * 5000}; do this"
    assert str(wc.OptionError(text)).startswith("here: x")
    assert str(wc.OptionError(text)).endswith("x; do this")
    assert str(wc.OptionError("here: 'é'; do this")) == "here: 'é'; do this"


def test_a_note_is_one_line():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tell(HOSTILE)
    assert str(told[0].message).isprintable()
