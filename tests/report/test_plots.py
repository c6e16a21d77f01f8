"""Figures as they are written: opened again and looked at."""

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
from support.fresh_python import child
from support.svg_texts import texts_in

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import COLOURS
from wekaconf.evaluation.measures import calibration_curve, risk_coverage
from wekaconf.evaluation.thresholds import choose_threshold
from wekaconf.report.pictures._calibration import plot_calibration, wilson_interval
from wekaconf.report.pictures._risk_coverage import plot_risk_coverage

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


def test_png_is_one_column_wide_at_300_dots_an_inch(tmp_path):
    path = tmp_path / "curve.PNG"
    plot_risk_coverage(path, CURVES, marks=MARKS)
    with Image.open(path) as image:
        assert image.width == 3.4 * 300
        assert 3.0 * 300 < image.height < 4.2 * 300
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert set(image.info) == {"dpi"}
    drawn = colours(path)
    for colour in COLOURS[:2]:
        assert drawn[colour] > 500
    assert COLOURS[2] not in drawn


def test_svg_says_what_it_shows(tmp_path):
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, CURVES, marks=MARKS)
    said = texts_in(path)
    for label, curve in zip(("leaf frequency", "boundary $x_1$ & <1>"), CURVES.values(), strict=True):
        assert f"{label} (AURC {curve.aurc:.4f})" in said
    assert {"without rejecting", "chosen threshold"} < set(said)
    assert said.count("error among the answered (%)") == 1
    assert {"coverage: answered instances (%;", "below 5 % not drawn)"} < set(said)
    assert "dc:date" not in path.read_text()


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
    assert float(box.split()[2]) == pytest.approx(3.4 * 72)


def draw_each_kind(stem):
    for kind in ("png", "svg", "pdf"):
        plot_risk_coverage(f"{stem}.{kind}", CURVES, marks=MARKS)


def test_the_same_curves_give_the_same_bytes(tmp_path):
    """In another process too, with another matplotlibrc."""
    draw_each_kind(tmp_path / "one")
    with matplotlib.rc_context({"lines.linewidth": 9, "savefig.bbox": "tight", "svg.hashsalt": None}):
        draw_each_kind(tmp_path / "two")
    child(f"import test_plots; test_plots.draw_each_kind({str(tmp_path / 'three')!r})")
    for kind in ("png", "svg", "pdf"):
        contents = [(tmp_path / f"{name}.{kind}").read_bytes() for name in ("one", "two", "three")]
        assert contents[0] == contents[1] == contents[2], kind


def test_matplotlib_is_left_as_it_was():
    script = (
        "import sys, wekaconf.report.pictures._risk_coverage as plots; assert 'matplotlib' not in sys.modules\n"
        "import matplotlib\n"
        "names = set(matplotlib.rcParams) - {'backend'}  # asking for the backend would choose one\n"
        "def settings(): return {name: matplotlib.rcParams[name] for name in names}\n"
        "before = settings()\n"
        "from wekaconf.evaluation.measures import risk_coverage\n"
        "import tempfile, os\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    plots.plot_risk_coverage(os.path.join(folder, 'a.png'), {'a': risk_coverage([1, 2], [True, False])})\n"
        "assert settings() == before\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    theirs = ["-W", "ignore::DeprecationWarning"]  # an old matplotlib beside a new pyparsing
    subprocess.run([sys.executable, "-W", "error", *theirs, "-c", script], check=True)


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
        assert colours(path)[COLOURS[0]] > 300


def test_more_methods_than_colours_keep_apart(tmp_path):
    n = 2 * len(COLOURS)
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, {f"method {i}": risk_coverage(FINE**i, CORRECT) for i in range(1, n + 1)})
    legend = path.read_text().partition('id="legend_1"')[2]
    styles = re.findall(r'style="fill: none;( stroke-dasharray: [^;]*;)?[^"]*?(stroke: #[0-9a-f]{6})', legend)
    assert len(styles) == n + 1
    assert len(set(styles)) == n + 1
    assert len({colour for _, colour in styles[:12]}) == 12


def test_the_thin_line_before_the_first_threshold_is_in_the_legend(tmp_path):
    path, said = tmp_path / "curve.svg", "fewer answers than any threshold can give"
    plot_risk_coverage(path, {"coarse": risk_coverage([1, 1, 0, 0], [True, True, False, True])})
    assert said in path.read_text()
    plot_risk_coverage(path, {"fine": risk_coverage(FINE, CORRECT)})
    assert said not in path.read_text()


def panel_text(path, panel):
    return re.split('id="(?:axes|legend)_', path.read_text().partition(f'id="axes_{panel}"')[2])[0]


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
    base, line, before = points(path, 1)[:3]
    assert len({y for _, y in base}) == 1
    left, right = base[0, 0], line[-1, 0]
    share = (line[:, 0] - left) / (right - left)
    error = (line[0, 1] - line[:, 1]) / abs(line[-1, 1] - line[0, 1]) / 2
    np.testing.assert_allclose(share[0], 0.25, atol=1e-4)
    np.testing.assert_allclose(error, curve.errors_at(np.clip(share, 0.25, 1)), atol=2e-3)
    np.testing.assert_allclose(np.interp([0.5, 0.75], share, error), [1 / 4, 1 / 3], atol=2e-3)
    np.testing.assert_allclose(line[-1, 1], base[0, 1], atol=1e-4)
    assert abs(line[0, 1] - line[-1, 1]) > 1.5 * 72  # half of the figure's height
    np.testing.assert_allclose(before, [[left, line[0, 1]], line[0]], atol=1e-4)
    circles = re.findall(r'x="(\S+)" y="(\S+)" style="fill-opacity: 0; stroke: #0072b2', panel_text(path, 1))
    circle = np.array(circles, dtype=float)[-1]
    np.testing.assert_allclose((circle[0] - left) / (right - left), 0.5, atol=1e-4)
    np.testing.assert_allclose((circle[1] - line[0, 1]) / (line[-1, 1] - line[0, 1]) / 2, 0.4, atol=1e-4)


def test_few_points_are_dots(tmp_path):
    path = tmp_path / "curve.svg"
    plot_risk_coverage(path, CURVES)
    dots = [len(re.findall(f'<use [^>]*style="fill: {colour.lower()}"', panel_text(path, 1))) for colour in COLOURS[:2]]
    assert dots == [len(CURVES["leaf_frequency"]), 0]


def test_risk_without_rejecting_is_grey_only_where_it_is_one(tmp_path):
    path = tmp_path / "curve.svg"
    other = {"other": risk_coverage(FINE, FINE > 1.1)}
    coloured = [colour.lower() for colour in COLOURS[:3]]
    for curves, colours_of_lines in ((CURVES, ["#808080"] * 2), (CURVES | other, coloured)):
        plot_risk_coverage(path, curves)
        lines = re.findall(
            r"stroke-dasharray: [^;]*; stroke-dashoffset: 0; stroke: (\S+); stroke-width: 0.8", panel_text(path, 1)
        )
        assert lines == colours_of_lines


def test_a_mark_without_an_error_is_not_drawn_and_moves_nothing(tmp_path):
    paths = [tmp_path / "drawn.svg", tmp_path / "undrawn.svg"]
    for error, path in zip((0.01, float("nan")), paths, strict=True):
        plot_risk_coverage(path, CURVES, marks={"leaf_frequency": {"coverage": 0.5, "error": error}})
    circles = [path.read_text().count("fill-opacity: 0; stroke: #0072b2") for path in paths]
    assert circles[0] > circles[1] == 0
    said = [texts_in(path) for path in paths]
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
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not installed', name='matplotlib')")
    script = (
        "from wekaconf.base.plot_style import check_plot\n"
        "from wekaconf.base.errors import OptionError\n"
        "try:\n"
        "    check_plot('a.png')\n"
        "except OptionError as error:\n"
        "    print(error)\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, env=environment, capture_output=True, text=True, cwd=tmp_path
    )
    assert told.stdout == "a figure needs matplotlib, which is not installed; pip install 'wekaconf[report]'\n"


def test_curves_begin_where_enough_is_answered_and_the_axis_says_so(tmp_path):
    """The most certain one of fifty is wrong; that is no reason to squash the rest."""
    path = tmp_path / "curve.svg"
    correct = np.ones(50, dtype=bool)
    correct[[0, 20, 30]] = False
    curve = risk_coverage(-np.arange(50.0), correct)
    plot_risk_coverage(path, {"method": curve})
    base, line = points(path, 1)[:2]
    assert "below 5 % not drawn)" in texts_in(path)
    left, right = base[0, 0], line[-1, 0]
    begin = (line[0, 0] - left) / (right - left)
    np.testing.assert_allclose(begin, 0.05, atol=1e-4)
    zero = line[-1, 1] + (base[0, 1] - line[-1, 1])
    unit = (line[0, 1] - line[-1, 1]) / (curve.error_at(0.05) - curve.error[-1])
    top = min(y for _, y in np.vstack((line, base)))
    assert abs(zero - line[-1, 1]) < 1e-3 and unit < 0
    np.testing.assert_allclose((top - line[-1, 1]) / unit + curve.error[-1], curve.error_at(0.05), atol=2e-3)
    frame = re.search(r'<g id="patch_2">\s*<path d="M (\S+) (\S+)\s*L (\S+) (\S+)\s*L (\S+) (\S+)', path.read_text())
    upper, lower = float(frame[6]), float(frame[2])
    for one in points(path, 1):
        assert (one[:, 1] >= upper).all() and (one[:, 1] <= lower).all()


def test_long_names_are_broken_into_lines_and_nothing_leaves_the_figure(tmp_path):
    """The picture has a white border, as it has with short names."""
    method = "confdtree:variant=comb,min_instances=5,level_assigned=0.995,z_assigned=2.0,z_other=1.0,fine=0.25"
    long = {method + ",routes=false": CURVES["leaf_frequency"], "w" * 150: list(CURVES.values())[1]}
    curve = {"a": calibration_curve(*PROBLEM), method * 2: calibration_curve(*PROBLEM)}
    for name, draw in (("curve", lambda path: plot_risk_coverage(path, long)),
                       ("calibration", lambda path: plot_calibration(path, curve))):  # fmt: skip
        draw(tmp_path / f"{name}.png")
        pixels = matplotlib.image.imread(tmp_path / f"{name}.png")[:, :, :3]
        border = (pixels[:6], pixels[-6:], pixels[:, :6], pixels[:, -6:])
        assert all((part == 1).all() for part in border)
        draw(tmp_path / f"{name}.svg")
        said = texts_in(tmp_path / f"{name}.svg")
        assert "\N{NO-BREAK SPACE}" not in "".join(said)
    pieces = [text for text in said if set(text) <= set(method + "CDT ()") and len(text) > 20]
    assert len(pieces) > 1


# -- calibration ---------------------------------------------------------------------------------------------------

PROBLEM = (
    np.column_stack((RNG.random(400) / 2 + 0.5, np.zeros(400))),
    (RNG.random(400) < 0.4).astype(np.int64),
    np.ones(400),
)


def test_wilson_is_that_of_scipy():
    from scipy.stats import binomtest

    for n in (1, 2, 7, 40, 1000):
        share = np.arange(n + 1) / n
        low, high = wilson_interval(share, np.full(n + 1, float(n)))
        for k in range(0, n + 1, max(1, n // 9)):
            expected = binomtest(k, n).proportion_ci(0.95, method="wilson")
            np.testing.assert_allclose([low[k], high[k]], expected, atol=1e-12)
        assert (low <= share).all() and (share <= high).all() and low[0] == 0 and high[-1] == 1


def bars(path):
    """Of each vertical line of the reliability diagram its x and its two ends, in percent."""
    text = panel_text(path, 1)
    lines = re.findall(r'<path d="M (\S+) (\S+)\s+L (\S+) (\S+)\s*" clip-path[^>]*stroke-width: 0.7', text)
    found = np.array(lines, dtype=float)
    diagonal = points(path, 1)[0]
    (left, bottom), (right, top) = diagonal
    return np.column_stack((found[:, 0] - left, found[:, 1] - bottom, found[:, 3] - bottom)) * (
        100 / np.array([right - left, top - bottom, top - bottom])
    )


@pytest.mark.parametrize("n_instances", [None, 100])
def test_error_bars_are_wilsons_of_the_instances(tmp_path, n_instances):
    curve = calibration_curve(*PROBLEM)
    plot_calibration(tmp_path / "c.svg", {"method": curve}, n_instances=n_instances)
    counted = curve.weight > 0
    n = curve.weight[counted] * ((n_instances or 400) / 400)
    low, high = wilson_interval(curve.accuracy[counted], n)
    expected = np.column_stack((curve.confidence[counted], low, high)) * 100
    np.testing.assert_allclose(bars(tmp_path / "c.svg"), expected, atol=1e-3)


def test_calibration_says_what_it_shows(tmp_path):
    path = tmp_path / "c.svg"
    curve = calibration_curve(*PROBLEM)
    plot_calibration(path, {"method": curve})
    said = texts_in(path)
    assert {
        f"method (ECE {curve.ece:.4f})", "perfect calibration", "95 % interval (Wilson)",
        "1, 10, 50 % of the answers", "correct among these answers (%)", "share (%)",
    } < set(said)  # fmt: skip


def test_areas_of_dots_are_those_of_the_legend(tmp_path):
    """A bin of half the answers has a dot as large as the legend's of 50 %."""
    path = tmp_path / "c.svg"
    proba = np.column_stack((np.repeat([0.95, 0.65, 0.55], [50, 40, 10]), np.zeros(100)))
    plot_calibration(path, {"method": calibration_curve(proba, np.zeros(100, dtype=np.int64), np.ones(100))})
    circles = re.findall(r'd="(M [^"]*?C [^"]*)"', path.read_text())
    diameters = [
        np.ptp(np.array(re.findall(r"\S+", re.sub("[MCz]", "", circle)), dtype=float)[::2]) for circle in circles
    ]
    distinct = sorted(set(np.round(diameters, 3)))
    assert len(circles) == 6 and len(distinct) == 4  # 40 % has no dot in the legend, 1 % none in the diagram
    np.testing.assert_allclose(np.square(distinct), 6 + 90 * np.array([0.01, 0.1, 0.4, 0.5]), rtol=1e-3)


@pytest.mark.filterwarnings("error")
def test_meagre_calibration_is_drawn(tmp_path):
    nothing = calibration_curve(np.zeros((0, 2)), np.zeros(0, dtype=np.int64), np.zeros(0))
    sure = calibration_curve(np.array([[1.0, 0.0]]), np.array([0]), np.ones(1))
    plot_calibration(tmp_path / "c.png", {"nothing": nothing, "sure": sure})
    assert colours(tmp_path / "c.png")[COLOURS[1]] > 300
    with pytest.raises(OptionError, match="no curve to draw"):
        plot_calibration(tmp_path / "c.png", {})
