"""Pages for everybody: axe-core finds nothing, print is read without backgrounds, names may be of any script."""

import re
from contextlib import contextmanager
from itertools import product

import numpy as np
import pytest
from support.accessible import violations, violations_in_firefox
from support.command_line import ARFF
from support.firefox import Firefox
from support.needs import FIREFOX
from support.page_opener import fitted, opened, rows_of, written

import wekaconf as wc
from wekaconf.base.plot_style import COLOURS
from wekaconf.data import Attribute
from wekaconf.evaluation.aims import Aim
from wekaconf.model.fit import threshold
from wekaconf.model.fitted import Model
from wekaconf.report._html_page import DARK_COLOURS, read_asset
from wekaconf.tree._forest import Forest

WDBC = ARFF / "wdbc.arff"
HEBREW, ARABIC = "\u05dc\u05d0 \u05d9\u05d3\u05d5\u05e2", "\u0645\u0631\u064a\u0636"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # with a non-joiner
FAMILY = "\U0001f469\u200d\U0001f467"  # an emoji of two, with a joiner


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("accessible")


@pytest.fixture(scope="module")
def pages(folder, iris):
    """Pages with all panels: a threshold out of fold, a promise, a forest, a change; and one of explanations."""
    data = wc.load_arff(WDBC)
    method = fitted("confdtree", data)
    kept = Model(method, choice=threshold(method, data, Aim("keep", 0.9), learner="CART"))
    promised = wc.fit(data, "second_opinion", learner="CART", aim=Aim("error", 0.1, 0.9), calibrate=0.3)
    kept.save(folder / "kept.wct")
    tree = wc.CART().grow(iris)
    forest = wc.method("leaf_frequency").fit(Forest((tree, tree)), iris)
    return {
        "kept": written(folder / "kept.html", kept, rows_of(data), data, facts={"Method": "confdtree"}),
        "promised": written(folder / "promised.html", promised, rows_of(data), data),
        "forest": written(folder / "forest.html", forest, rows_of(iris), iris),
        "changed": written(folder / "changed.html", fitted("boundary_distance", iris), rows_of(iris), iris),
    }


@pytest.fixture
def explanations(good, folder, pages):
    path = folder / "explained.html"
    good("explain", folder / "kept.wct", WDBC, "--least-certain", 3, "-o", path)
    return path


@pytest.mark.one_commit_in(3)
def test_axe_finds_nothing_in_chromium(browser, pages, explanations):
    page = browser.new_context().new_page()
    page.goto(pages["kept"].as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    found = {"folded": violations(page)}
    looks = ((1280, "light"), (390, "dark"))  # colours do not depend on the width
    for (name, path), (width, colours) in product([*pages.items(), ("explained", explanations)], looks):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        page.goto(path.as_uri())
        if name != "explained":
            page.wait_for_selector("html[data-ready]", state="attached")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        found[name, width, colours] = violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert {where: what for where, what in found.items() if what} == {}
    page.context.close()


@pytest.mark.slow
def test_axe_finds_nothing_in_firefox(program, pages, explanations):
    with Firefox(program(FIREFOX)) as firefox:
        for path, width in product([*pages.values(), explanations], (1280, 500)):
            firefox.open(path.as_uri(), size=(width, 844))
            firefox.evaluate(
                "for (const part of document.querySelectorAll('details')) part.open = true; arguments[0]()"
            )
            assert violations_in_firefox(firefox) == [], (path.name, width)


# -- colours -------------------------------------------------------------------------------------------------------


def test_rejected_has_a_colour_of_its_own():
    style = read_asset("wekaconf.report", "page_base.css")
    [rejected] = re.findall(r"--rejected: (#\w{6});", style)
    others = re.findall(r"--(?:better|worse|link|warning): (#\w{6})", style)
    assert rejected.lower() not in {colour.lower() for colour in (*COLOURS, *DARK_COLOURS, *others)}


def contrast(colours):
    """The ratio of the luminances of two colours as a browser writes them."""

    def luminance(colour):
        channels = np.array([float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]])
        linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    low, high = sorted(map(luminance, colours))
    return high / low


def test_on_paper_the_verdict_is_read_without_backgrounds(browser, pages, explanations):
    for path, badges in ((pages["kept"], "#verdict .tag"), (explanations, ".verdict b")):
        with opened(browser, path) if path != explanations else plainly(browser, path) as page:
            for scheme in ("light", "dark"):
                page.emulate_media(media="print", color_scheme=scheme)
                for colour, background in page.locator(badges).evaluate_all(
                    "all => all.map((each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor])"
                ):
                    assert background == "rgba(0, 0, 0, 0)" and contrast([colour, "rgb(255, 255, 255)"]) > 4.5


@contextmanager
def plainly(browser, path):
    """A page without a script, opened."""
    page = browser.new_page()
    page.goto(path.as_uri())
    yield page
    page.close()


# -- names ---------------------------------------------------------------------------------------------------------


def named(names, attribute="x"):
    """Rows whose class follows from one number."""
    header = wc.Header("data", (Attribute(attribute), Attribute("class", "nominal", names)), 1)
    numbers = np.arange(40.0)
    return wc.Dataset(header, np.column_stack((numbers, (numbers > 19) ^ (numbers % 9 == 0))))


def explained(folder, browser, data):
    model = fitted("m_branch", data)
    path = folder / "named.html"
    account = model.answer(data).explanation.account(3)
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{account._repr_html_()}', encoding="utf-8")
    return plainly(browser, path)


def test_names_from_right_to_left_leave_colours_and_numbers_where_they_are(browser, folder):
    with explained(folder, browser, named((HEBREW, ARABIC))) as page:
        swatches = page.locator(".wekaconf-account > p > span > span").evaluate_all(
            "all => all.map((each) => [each.getBoundingClientRect().x, getComputedStyle(each).backgroundColor])"
        )
        names = page.locator(".wekaconf-account > p > span > bdi").evaluate_all(
            "all => all.map((each) => [each.getBoundingClientRect().x, each.textContent])"
        )
    assert [name for _, name in sorted(names)] == [HEBREW, ARABIC]
    assert [colour for _, colour in sorted(swatches)] == ["rgb(0, 114, 178)", "rgb(213, 94, 0)"]
    places = [x for pair in zip(sorted(swatches), sorted(names), strict=True) for x, _ in pair]
    assert places == sorted(places)


def test_a_long_class_name_does_not_widen_a_page(browser, folder):
    with explained(folder, browser, named(("n" * 300, " ".join(["long name"] * 40)))) as page:
        page.set_viewport_size({"width": 390, "height": 800})
        page.add_style_tag(content="body { overflow-wrap: anywhere }")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", [PERSIAN, FAMILY])
def test_joiners_in_names_are_kept_and_found(browser, folder, name):
    data = named((name, "other"), attribute=f"a {name}")
    with explained(folder, browser, data) as page:
        assert "\\u200" not in page.inner_text("body") and name in page.inner_text("body")
    with opened(browser, written(folder / "joined.html", fitted("leaf_frequency", data), rows_of(data))) as page:
        assert "\\u200" not in page.inner_text("body")
        for text in (name, re.sub("[\u200c\u200d]", "", name)):
            page.locator("#search").fill(text)
            assert not page.locator("#found").inner_text().startswith("0"), text
