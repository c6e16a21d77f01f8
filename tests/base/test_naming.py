"""Names in messages: shortened, listed, guessed, and as HTML."""

import pytest

from wekaconf.base.naming import (
    alternatives,
    closest,
    counted,
    enumeration,
    html_name,
    html_text,
    name_list,
    nearest,
    quoted,
    shown,
    some,
)

MANY = [f"n{place:02d}" for place in range(13)]


def test_a_long_name_keeps_its_beginning_and_its_end():
    assert shown("x" * 60) == "x" * 60
    assert quoted("a" * 46 + "b" * 15) == f"'{'a' * 45}…{'b' * 14}'"


def test_one_is_counted_without_an_s():
    assert [counted(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]


def test_lists_of_names():
    assert [alternatives("abc"[:n]) for n in (1, 2, 3)] == ["a", "a or b", "a, b or c"]
    assert [enumeration("abc"[:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]
    assert [some("abcdefg"[:n]) for n in (5, 6, 7)] == [
        "a, b, c, d, e",
        "a, b, c, d, e, f",
        "a, b, c, d, e and 2 others",
    ]
    assert [some("abc"[:n], 1) for n in (2, 3)] == ["a, b", "a and 2 others"]


def test_of_more_than_twelve_names_the_closest_are_listed():
    assert name_list(iter(MANY[:12])) == ", ".join(f"'{name}'" for name in MANY[:12])
    assert name_list(MANY) == "'n00', 'n01', 'n02', 'n03', 'n04', … (13 in all)"
    assert name_list([*MANY, "a", "abxy"], "abcd") == "'abxy', … (15 in all)", "half of the letters"
    assert name_list([*(f"abcd{n}" for n in range(6)), *MANY], "abcd").count("'abcd") == 5


@pytest.mark.parametrize(
    ("name", "found"), [("AGE", "Age"), ("sexx", "sex"), ("abcde", "abcxy"), ("abcdef", ""), ("", "")]
)
def test_the_name_that_was_probably_meant(name, found):
    """Three of five letters are near enough."""
    valid = ["Age", "sex", "abcxy"]
    assert closest(name, valid) == found
    assert nearest(name, valid) == (f"; did you mean '{found}'?" if found else "")


def test_names_from_right_to_left():
    assert html_text("age <גיל> 3") == "age &lt;<bdi>גיל</bdi>&gt; 3"
    assert html_text("שם משפחה = ב") == "<bdi>שם משפחה</bdi> = <bdi>ב</bdi>"
    assert (html_name("a & גיל"), html_name("a & b")) == ("<bdi>a &amp; גיל</bdi>", "a &amp; b")
    assert html_text("a\x00") == html_name("a\x00") == "a\\x00"
