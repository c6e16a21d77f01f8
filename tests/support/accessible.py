"""What axe-core finds wrong with a page: contrast, names of controls, landmarks, order of headings."""

from functools import cache
from importlib.resources import files

import pytest

RUN = """axe.run({{resultTypes: ["violations"]}}).then((found) => {done}(
    found.violations.map((each) => [each.id, each.nodes.map((node) => node.target.join(" ")).slice(0, 3)])))"""


@cache
def _axe():
    pytest.importorskip("axe_playwright_python")
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page):
    """The rules that a page of playwright's breaks, with some of the elements."""
    page.evaluate(_axe())
    return page.evaluate(f"new Promise((done) => {RUN.format(done='done')})")


def violations_in_firefox(firefox):
    """The same of a page in `support.firefox`."""
    return firefox.evaluate(f"{_axe()}; {RUN.format(done='arguments[arguments.length - 1]')}")
