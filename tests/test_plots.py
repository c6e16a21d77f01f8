"""Figures as they are written: opened again and looked at."""

import hashlib
import os
import re
import subprocess
import sys
import zlib

import matplotlib
import matplotlib.image
import numpy as np
import pytest
from PIL import Image

from wekaconf.errors import OptionError
from wekaconf.evaluation.risk_coverage import risk_coverage
from wekaconf.evaluation.thresholds import choose_threshold
from wekaconf.report import plots
from wekaconf.report.plots import plot_risk_coverage

RNG = np.random.default_rng(5)
CORRECT = RNG.random(300) < 0.85
COARSE = np.round(RNG.random(300) + CORRECT)
FINE = RNG.random(300) + CORRECT
CURVES = {"leaf_frequency": risk_coverage(COARSE, CORRECT), "boundary $x_1$ & <1>": risk_coverage(FINE, CORRECT)}
MARKS = {"leaf_frequency": choose_threshold(COARSE, CORRECT, keep=0.9).figures.as_dict()}


def colours(path):
    """The colours of a PNG as #rrggbb, to the number of their pixels."""
    pixels = (matplotlib.image.imread(path)[:, :, :3] * 255).round().astype(int) @ (65536, 256, 1)
    distinct, counts = np.unique(pixels, return_counts=True)
    return {f"#{colour:06X}": int(n) for colour, n in zip(distinct, counts, strict=True)}


def test_png_has_the_size_of_a_column_and_a_half_at_300_dots_an_inch(tmp_path):
    path = tmp_path / "curve.PNG"
    plot_risk_coverage(path, CURVES, title="diabetes", marks=MARKS)
    with Image.open(path) as image:
        assert image.width == 6.5 * 300
        assert 3.0 * 300 < image.height < 4.0 * 300
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert set(image.info) == {"dpi"}
    drawn = colours(path)
    for colour in plots.COLOURS[:2]:
        assert drawn[colour] > 500
    assert plots.COLOURS[2] not in drawn


def test_svg_says_what_it_shows(tmp_path):
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, CURVES, title="a $title$", marks=MARKS)
    text = path.read_text()
    said = re.findall(r"<text[^>]*>([^<]*)</text>", text)
    for label, curve in zip(("leaf_frequency", "boundary $x_1$ &amp; &lt;1&gt;"), CURVES.values(), strict=True):
        assert f"{label} (AURC {curve.aurc:.4f})" in said
    assert {"a $title$", "without rejecting", "chosen threshold"} < set(said)
    assert said.count("coverage: answered instances (%)") == 2
    assert {"error among the answered (%)", "accuracy among the answered (%)"} < set(said)
    assert "dc:date" not in text


def test_pdf_has_fonts_that_journals_take_and_no_date(tmp_path):
    path = tmp_path / "curve.pdf"
    plot_risk_coverage(path, CURVES)
    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    streams = [zlib.decompress(part) for part in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", content, re.DOTALL)]
    assert b"/Type3" not in content
    assert b"/TrueType" in content or b"/CIDFontType2" in content
    assert b"Date" not in content
    assert any(b"re" in stream for stream in streams)
    (box,) = re.findall(rb"/MediaBox \[([^\]]*)\]", content)
    assert float(box.split()[2]) == 6.5 * 72


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_same_curves_give_the_same_bytes(tmp_path, kind):
    """In another process too, with another matplotlibrc."""
    paths = [tmp_path / f"{name}.{kind}" for name in ("one", "two", "three")]
    plot_risk_coverage(paths[0], CURVES, marks=MARKS)
    with matplotlib.rc_context({"lines.linewidth": 9, "savefig.bbox": "tight", "svg.hashsalt": None}):
        plot_risk_coverage(paths[1], CURVES, marks=MARKS)
    script = f"import test_plots as t; t.plot_risk_coverage({str(paths[2])!r}, t.CURVES, marks=t.MARKS)"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=os.path.dirname(__file__))
    assert len({hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}) == 1


def test_matplotlib_is_left_as_it_was():
    script = (
        "import sys, wekaconf.report.plots as plots; assert 'matplotlib' not in sys.modules\n"
        "import matplotlib\n"
        "names = set(matplotlib.rcParams) - {'backend'}  # asking for the backend would choose one\n"
        "def settings(): return {name: matplotlib.rcParams[name] for name in names}\n"
        "before = settings()\n"
        "from wekaconf.evaluation.risk_coverage import risk_coverage\n"
        "import tempfile, os\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    plots.plot_risk_coverage(os.path.join(folder, 'a.png'), {'a': risk_coverage([1, 2], [True, False])})\n"
        "assert settings() == before\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["png", "svg"])
@pytest.mark.parametrize(
    ("certainty", "correct"),
    [([], []), ([1.0], [True]), ([1.0, 1.0], [False, False]), ([np.inf, 1.0, -np.inf], [True, True, True])],
    ids=["nothing", "one", "all wrong", "no error"],
)
def test_meagre_curves_are_drawn(tmp_path, kind, certainty, correct):
    path = tmp_path / f"curve.{kind}"
    marks = {"_method": choose_threshold(certainty, correct, keep=0.0).figures.as_dict()}
    plot_risk_coverage(path, {"_method": risk_coverage(certainty, correct)}, marks=marks)
    if kind == "svg":
        assert "_method (AURC " in path.read_text()
    elif certainty:
        assert colours(path)[plots.COLOURS[0]] > 300


def test_more_methods_than_colours_keep_apart(tmp_path):
    n = 2 * len(plots.COLOURS)
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, {f"method {i}": risk_coverage(FINE**i, CORRECT) for i in range(1, n + 1)})
    legend = path.read_text().partition('id="legend_1"')[2]
    styles = re.findall(r'style="fill: none;( stroke-dasharray: [^;]*;)?[^"]*?(stroke: #[0-9a-f]{6})', legend)
    assert len(styles) == n + 1
    assert len(set(styles)) == n + 1


def panel_text(path, panel):
    return path.read_text().partition(f'id="axes_{panel}"')[2].partition('id="axes_')[0]


def points(path, panel):
    """Of each line of a panel its points, in an SVG's own units."""
    found = re.findall(r'<g id="line2d_\d+">\s*<path d="([^"]*)" clip-path', panel_text(path, panel))
    return [np.array(re.findall(r"[ML] (\S+) (\S+)", line), dtype=float) for line in found]


def test_lines_lie_where_the_curve_is(tmp_path):
    """Errors 0, 1/3, 1/2 at coverages 1/4, 3/4, 1; the line between is the expectation with ties in random order."""
    path = tmp_path / "curve.svg"
    curve = risk_coverage([3, 2, 2, 1], [True, True, False, False])
    plot_risk_coverage(path, {"method": curve}, marks={"method": {"coverage": 0.5, "error": 0.4}})
    assert "#1f77b4" not in path.read_text()  # matplotlib's own first colour
    for panel, sign in ((1, -1), (2, 1)):
        base, line, before = points(path, panel)[:3]
        assert len({y for _, y in base}) == 1
        left, right = base[0, 0], line[-1, 0]
        share = (line[:, 0] - left) / (right - left)
        error = sign * (line[:, 1] - line[0, 1]) / abs(line[-1, 1] - line[0, 1]) / 2
        np.testing.assert_allclose(share[0], 0.25, atol=1e-4)
        np.testing.assert_allclose(error, curve.errors_at(np.clip(share, 0.25, 1)), atol=2e-3)
        np.testing.assert_allclose(np.interp([0.5, 0.75], share, error), [1 / 4, 1 / 3], atol=2e-3)
        np.testing.assert_allclose(line[-1, 1], base[0, 1], atol=1e-4)
        assert abs(line[0, 1] - line[-1, 1]) > 1.5 * 72  # half of the figure's height
        np.testing.assert_allclose(before, [[left, line[0, 1]], line[0]], atol=1e-4)
        axes = panel_text(path, panel)
        circle = np.array(re.findall(r'<g clip-path[^>]*>\s*<use [^>]*x="(\S+)" y="(\S+)"', axes), dtype=float)[-1]
        np.testing.assert_allclose((circle[0] - left) / (right - left), 0.5, atol=1e-4)
        np.testing.assert_allclose((circle[1] - line[0, 1]) / (line[-1, 1] - line[0, 1]) / 2, 0.4, atol=1e-4)


def test_few_points_are_dots(tmp_path):
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, CURVES)
    dots = [
        len(re.findall(f'<use [^>]*style="fill: {colour.lower()}"', panel_text(path, 1)))
        for colour in plots.COLOURS[:2]
    ]
    assert dots == [len(CURVES["leaf_frequency"]), 0]


def test_risk_without_rejecting_is_grey_only_where_it_is_one(tmp_path):
    path = tmp_path / "curve.svg"
    other = {"other": risk_coverage(FINE, FINE > 1.1)}
    for curves, colours_of_lines in ((CURVES, ["#808080"] * 2), (CURVES | other, map(str.lower, plots.COLOURS[:3]))):
        plot_risk_coverage(path, curves)
        lines = re.findall(
            r"stroke-dasharray: [^;]*; stroke-dashoffset: 0; stroke: (\S+); stroke-width: 0.6", panel_text(path, 1)
        )
        assert lines == list(colours_of_lines)


def test_a_mark_without_an_error_is_not_drawn_and_moves_nothing(tmp_path):
    texts = []
    for error in (0.01, float("nan")):
        path = tmp_path / f"{error}.svg"
        plot_risk_coverage(path, CURVES, marks={"leaf_frequency": {"coverage": 0.5, "error": error}})
        texts.append(path.read_text())
    circles = [text.count("fill-opacity: 0; stroke: #0072b2") for text in texts]
    assert circles[0] > circles[1] == 0
    said = [re.findall(r"<text[^>]*>([^<]*)</text>", text) for text in texts]
    assert said[0] == said[1]


def test_a_figure_has_a_known_ending(tmp_path):
    for name in ("curve.gif", "curve", "png", ".png"):
        with pytest.raises(OptionError, match=r"a figure is a \.png, \.pdf or \.svg file"):
            plot_risk_coverage(tmp_path / name, CURVES)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_drawn_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "curve.svg"
    path.write_text("before")
    with pytest.raises(OptionError, match="no curve to draw"):
        plot_risk_coverage(path, {})
    with pytest.raises(OptionError, match="a mark for 'other', of which there is no curve"):
        plot_risk_coverage(path, CURVES, marks={"other": MARKS["leaf_frequency"]})
    assert path.read_text() == "before"
    with pytest.raises(FileNotFoundError, match="nowhere"):
        plot_risk_coverage(tmp_path / "nowhere" / "curve.svg", CURVES)
    assert [entry.name for entry in tmp_path.iterdir()] == ["curve.svg"]


def test_without_matplotlib_one_is_told_what_to_install(tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not installed')")
    script = (
        "from wekaconf.report.plots import check_plot\n"
        "from wekaconf.errors import OptionError\n"
        "try:\n"
        "    check_plot('a.png')\n"
        "except OptionError as error:\n"
        "    print(error)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert told.stdout == "a figure needs matplotlib; pip install 'wekaconf[report]'\n"
