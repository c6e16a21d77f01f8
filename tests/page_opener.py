"""Opening a page of a model in a browser."""

from contextlib import contextmanager


@contextmanager
def opened(browser, path, *, complaints=(), **context):
    """The page, ready; afterwards it must not have complained of anything else, or asked for anything."""
    frame = browser.new_context(viewport={"width": 1300, "height": 900}, **{"reduced_motion": "reduce"} | context)
    page = frame.new_page()
    page.complaints, page.asked = [], []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(path.as_uri())
    try:
        page.wait_for_selector("html[data-ready], html[data-failed]", state="attached")
        assert page.locator("html[data-failed]").count() == 0, page.complaints
        yield page
        assert page.complaints == list(complaints)
        assert page.asked == [path.as_uri()]
    finally:
        frame.close()
