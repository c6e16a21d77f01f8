"""Colours, line styles, broken lines and panels of figures, to the digit."""

import warnings

import matplotlib
import numpy as np
import pytest
from matplotlib.lines import Line2D

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import (
    COLOURS,
    DASHES,
    broken,
    check_plot,
    line_styles,
    name_text,
    panels,
    rgb_of,
    save,
    shade,
    text_width,
    tint,
)


def test_colours_are_read_and_mixed_with_white():
    assert rgb_of("#FF8033").tolist() == [1, 128 / 255, 0.2]
    np.testing.assert_allclose(tint("#FF8033", [0, 0.5, 1]), [[1, 1, 1], [1, 383 / 510, 0.6], [1, 128 / 255, 0.2]])
    assert tint("#FF8033", 1).shape == (3,)


@pytest.mark.parametrize(
    ("colour", "lightness", "chroma"),
    [("#FF0000", 0.627955, 0.257683), ("#00FF00", 0.866440, 0.294827), ("#0000FF", 0.452014, 0.313214),
     ("#D55E00", 0.621282, 0.170473), ("#800A05", 0.381793, 0.149561)],
)  # fmt: skip
def test_a_shade_of_the_lightness_and_chroma_of_a_colour_is_the_colour(colour, lightness, chroma):
    """As Ottosson's Oklab has them."""
    np.testing.assert_allclose(shade(colour, lightness, chroma), rgb_of(colour), atol=2e-4)
    assert np.ptp(shade(colour, [0.1, 0.7], 0), axis=1).max() < 1e-6
    cut = shade(colour, 0.9, 0.4)
    assert ((cut >= 0) & (cut < 1 + 1e-9)).all(), "what no screen shows is cut"


def test_grey_stays_grey():
    shades = shade("#808080", [[0.1, 0.7]], [[0.1], [0.0]])
    assert shades.shape == (2, 2, 3)
    np.testing.assert_allclose(shades[0], [[12.92 * 0.001] * 3, [1.055 * 0.343 ** (1 / 2.4) - 0.055] * 3], atol=1e-5)
    np.testing.assert_array_equal(shades[0], shades[1])


def test_curves_of_one_colour_differ_in_their_dashes():
    styles = line_styles(range(60))
    assert [style["color"] for style in styles[:13]] == [*COLOURS, COLOURS[0]]
    assert [style["linestyle"] for style in styles[:6]] == [*DASHES, DASHES[0]]
    assert len({(style["color"], style["linestyle"]) for style in styles}) == 60


@pytest.mark.parametrize(
    ("name", "shown"),
    [("x" * 28, "x" * 28), ("a" * 20 + "b" * 9, "a" * 18 + "…" + "b" * 9), ("a\nb", "a\\nb")],
)
def test_a_long_name_loses_its_middle(name, shown):
    assert name_text(name) == shown


def test_the_longest_name_may_be_another():
    assert name_text("abcdefgh", 7) == "abcd…gh" and name_text("abcdefg", 7) == "abcdefg"


def test_a_text_is_broken_after_semicolons_else_between_words_else_within_them():
    def of(text, line, more=0.0):
        return broken(text, 8, text_width(line, 8) + more)

    assert of("one two; three four", "one two; three four") == "one two; three four"
    assert of("one two; three four", "one two; three fou") == "one two;\nthree four"
    assert of("aa bb cc dd", "aa bb cc", 1) == "aa bb\ncc dd", "into lines of about the same length"
    assert of("aa bb; cc dd ee", "aa bb; c") == "aa bb;\ncc dd\nee"
    assert of("aaaaaaaa", "aaaaa") == "aaaa\naaaa"
    assert of("", "a") == ""
    assert of("aaa", "") == "a\na\na"


def test_width_of_text_in_points():
    assert text_width("mmmm", 16) == pytest.approx(2 * text_width("mmmm", 8))
    assert text_width("$a$", 8) > 2 * text_width("a", 8), "signs are no formula"
    with matplotlib.rc_context({"font.family": "monospace"}):
        assert text_width("iiii", 8) < text_width("mmmm", 8) / 2, "the figures have a font of their own"


def entries(*texts):
    return {text: Line2D([], []) for text in texts}


@pytest.mark.parametrize(
    ("texts", "n_columns", "n_lines"),
    [("a", 1, 1), ("abc", 3, 1), ("abcd", 3, 2), (["a", "b", "w" * 18], 3, 1), (["a", "b", "w" * 19], 2, 2),
     (["w" * 31, "b", "c"], 2, 2), (["w" * 32, "b", "c"], 1, 3), (["one two " * 20, "b"], 1, 3)],
)  # fmt: skip
def test_a_legend_has_up_to_three_columns(texts, n_columns, n_lines):
    figure, axes = panels(2, entries(*texts))
    [legend] = figure.legends
    assert len(axes) == 2 and legend._ncols == n_columns
    assert figure.get_size_inches() == pytest.approx([6.5, 3.0 + 0.16 * n_lines])
    assert [text.get_text().replace("\n", " ").strip() for text in legend.get_texts()] == [
        text.strip() for text in texts
    ]
    assert not any(text.get_parse_math() for text in legend.get_texts())


def test_a_title_takes_a_line_for_each_of_its_own():
    figure, _ = panels(1, {}, "one more\n$two$", width=3.0, height=2.0)
    assert not figure.legends and figure.get_suptitle() == "one more\n$two$"
    assert figure.get_size_inches() == pytest.approx([3, 2.32])
    assert not figure._suptitle.get_parse_math()
    plain, [axes] = panels(1, {})
    assert plain.get_suptitle() == "" and plain.get_size_inches().tolist() == [6.5, 3.0]
    assert axes.get_subplotspec().get_gridspec().get_geometry() == (1, 1)


def test_panels_stand_side_by_side_or_below_one_another():
    _, beside = panels(2, {})
    assert beside[0].get_subplotspec().get_gridspec().get_geometry() == (1, 2)
    _, below = panels(2, {}, ratios=[3, 1])
    grid = below[1].get_subplotspec().get_gridspec()
    assert (grid.get_geometry(), [*grid.get_height_ratios()]) == ((2, 1), [3, 1])


def test_the_ending_is_the_type():
    assert [check_plot(f"a.b.{ending}") for ending in ("PNG", "pdf", "Svg")] == ["png", "pdf", "svg"]
    with pytest.raises(OptionError, match=r"^a\.gif: a figure is a \.png, \.pdf or \.svg file; name it so$") as refused:
        check_plot("a.gif")
    assert refused.value.parameter == "path"


@pytest.mark.parametrize(("ending", "notes"), [("svg", []), ("pdf", ["DejaVu Sans lacks characters of the names"])])
def test_what_a_library_warns_of_is_passed_on(tmp_path, ending, notes):
    """But for the characters that the font lacks, which a viewer of an .svg finds."""

    def draw():
        warnings.warn("an odd layout", RuntimeWarning, stacklevel=1)
        return panels(1, {}, "\u51fa", width=1, height=1)[0]

    path = tmp_path / f"a.{ending}"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        save(path, draw)
    assert [(str(one.message), one.category, one.filename) for one in told[:1]] == [
        ("an odd layout", RuntimeWarning, __file__)
    ]
    assert [str(one.message).partition(", which")[0] for one in told[1:]] == [f"{path}: {note}" for note in notes]
    assert path.stat().st_size > 1000
