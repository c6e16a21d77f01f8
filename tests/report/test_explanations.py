"""Explanations as pictures: their lines, bars and legends."""

import re

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from support.svg_texts import texts_in

import wekaconf as wc
from wekaconf.base.plot_style import COLOURS
from wekaconf.methods.contract._explanation import Account, Step
from wekaconf.report.explanations import WIDTH, ExplainedAnswer, _draw, as_svg


def explained(words, proba):
    """An answer whose account is one step of these words."""
    steps = Step.given(words, np.array(proba), kind="leaf")
    names = tuple("pqrstuvw"[: len(proba)])
    return ExplainedAnswer(1, "", "", {}, Account(names, 0, "", steps, Step("largest", "the largest", 1.0, "largest")))


def test_a_line_of_a_picture_has_92_characters(tmp_path):
    """As many words as fit, here of one letter and a space each."""
    (tmp_path / "v.svg").write_text(as_svg("any", [explained("a " * 99 + "a", [1.0, 0.0])]), "utf-8")
    assert [len(text) for text in texts_in(tmp_path / "v.svg") if text.startswith("a a")] == [len("a " * 45 + "a")]


def test_a_picture_holds_200_lines():
    lines = [" ".join(["a" * 92] * n) for n in (200, 201)]
    assert as_svg("any", [explained(lines[0], [1.0, 0.0])]).count("aaa</text>") == 200
    with pytest.raises(wc.OptionError, match="a picture holds 200 lines, these are 201;"):
        as_svg("any", [explained(lines[1], [1.0, 0.0])])


def test_a_picture_is_as_high_as_its_lines():
    """0.16 inches for each, and for four more in a panel, below a heading."""
    words = [" ".join(["a" * 92] * n) for n in (1, 3)]
    root = as_svg("any", [explained(each, [1.0, 0.0]) for each in words])
    height, width = (float(re.search(rf' {name}="([0-9.]+)pt"', root).group(1)) for name in ("height", "width"))
    assert (width, height) == pytest.approx((72 * WIDTH, 72 * (0.16 * (5 + 7) + 0.3)))
    assert root.count('id="axes_') == 2 and ">any</text>" in root


def test_the_bars_of_a_step_are_its_shares():
    """Side by side right of the line, together a fifth as wide as the lines; a class without a share has none."""
    axes = Figure().subplots()
    rows = [("first", (0.5, 0.0, 1.0)), ("second", None), ("third", (0.0, 0.0, 0.0)), ("fourth", (0.0, 0.25, 0.0))]
    _draw(axes, explained("any", [0.25, 0.75, 0.0]), rows)
    bars = [bar for bar in axes.patches if bar.get_width()]
    drawn = [(bar.get_x(), bar.get_y() + bar.get_height() / 2, bar.get_width(), bar.get_height()) for bar in bars]
    third = 0.2 / 3
    expected = [(1.02, 0, third, 0.7), (1.02 + third, 0, 2 * third, 0.7), (1.02, 3, 0.2, 0.7)]
    np.testing.assert_allclose(drawn, expected)
    assert [to_hex(bar.get_facecolor()).upper() for bar in bars] == [COLOURS[c].upper() for c in (0, 2, 1)]
    assert {text.get_fontsize() for text in axes.texts} == {6}, "92 letters fit into the lines"
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1.24), (3.5, -0.7)) and not axes.axison
    assert [(text.get_text(), text.get_position()) for text in axes.texts] == [
        ("first", (0, 0)), ("second", (0, 1)), ("third", (0, 2)), ("fourth", (0, 3))
    ]  # fmt: skip


def test_the_legend_of_a_picture_has_the_six_likeliest_classes():
    """The most probable first; a class without a share is not among them."""
    legends = []
    for proba in ([0.25, 0.0, 0.75], [0.1, 0.0, 0.2, 0.3, 0.05, 0.15, 0.12, 0.08]):
        axes = Figure().subplots()
        _draw(axes, explained("any", proba), [])
        legends.append([text.get_text() for text in axes.get_legend().get_texts()])
        assert axes.get_title("left") == "row 1: p"
    assert legends == [["r 0.75", "p 0.25"], ["s 0.3", "r 0.2", "u 0.15", "v 0.12", "p 0.1", "w 0.08"]]
