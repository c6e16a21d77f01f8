"""Writing the page of a model, and opening it in a browser."""

from contextlib import contextmanager

from support.growers import grow
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import parse_method
from wekaconf.report._model_page import ModelPage
from wekaconf.report._model_page.gathering import Rows

SIZE = {"width": 1300, "height": 900}
_idle = {}
"""The tab of each browser that is not in use: a new one costs a second of the processor."""


def fitted(text, data, learner="CART"):
    """A method on a tree of its training data."""
    return parse_method(text).fit(grow(data, learner), data)


def rows_of(data, n=1000):
    """The first rows of a page, by their numbers."""
    shown = data.take(slice(n))
    return Rows(shown, [f"row {i + 1}" for i in range(len(shown))])


def written(path, model, rows=None, train=None, **further):
    """The file of the page of a model, or of a fitted method."""
    model = model if isinstance(model, Model) else Model(model)
    path.write_text(ModelPage(model, rows, train, **further).html(), encoding="utf-8")
    return path


@contextmanager
def opened(browser, path, *, unfolds=True):
    """The page, ready and unfolded; afterwards it must not have complained, or asked for anything."""
    page = _idle.pop(browser, None) or new_tab(browser)
    page.set_viewport_size(SIZE)
    page.emulate_media(media="screen", reduced_motion="reduce", color_scheme="light")
    page.complaints, page.asked = [], []
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready], html[data-failed]", state="attached")
    assert page.locator("html[data-failed]").count() == 0, page.complaints
    if unfolds:
        page.evaluate("for (const part of document.querySelectorAll('details.part')) part.open = true")
    yield page
    assert page.complaints == []
    assert page.asked == [path.as_uri()]
    _idle[browser] = page


def new_tab(browser):
    page = browser.new_context(viewport=SIZE).new_page()
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    return page
