"""Opening a page of a model in a browser."""

from contextlib import contextmanager

SIZE = {"width": 1300, "height": 900}
_idle = {}
"""The tab of each browser that is not in use: a new one costs a second of the processor."""


@contextmanager
def opened(browser, path):
    """The page, ready; afterwards it must not have complained, or asked for anything."""
    page = _idle.pop(browser, None) or new_tab(browser)
    page.set_viewport_size(SIZE)
    page.emulate_media(media="screen", reduced_motion="reduce", color_scheme="light")
    page.complaints, page.asked = [], []
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready], html[data-failed]", state="attached")
    assert page.locator("html[data-failed]").count() == 0, page.complaints
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
