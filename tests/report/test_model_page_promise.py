"""The page of a model that promises an error: the bounds around the curve, its sentences, and what it rejects."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.growers import grow
from support.page_opener import opened, rows_of, written
from support.promises import choice_promised

import wekaconf as wc
from wekaconf.data.wording import bound_text, number, percent_bound
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.promises import Level, Promise
from wekaconf.evaluation.thresholds import promise_lines, promise_sentence
from wekaconf.evaluation.thresholds._promised_choice import make_choice
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import parse_method
from wekaconf.report._model_page.gathering import WITHDRAWN, _by_class, _rejecting

ARFF = Path(__file__).parents[2] / "arff"
HOSTILE = "<script>document.title='taken'</script>\u202e"


@pytest.fixture(scope="module")
def parts():
    """Rows that grow the tree, that calibrate, and that the page shows."""
    data = wc.load_arff(ARFF / "wdbc.arff")
    order = np.random.RandomState(2).permutation(len(data))
    return [data.take(order[start:end]) for start, end in ((0, 250), (250, 450), (450, None))]


@pytest.fixture(scope="module")
def method(parts):
    return parse_method("m_branch").fit(grow(parts[0], "CART"), parts[0])


def promising(method, parts, error):
    grown, calibration, _ = parts
    aim = Aim("error", error, confidence=0.95)
    return Model(method, choice=choice_promised(method, aim, calibration, grown))


def place_slider(page, place):
    page.locator("#threshold").evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input')) }", str(place)
    )


def rejected_rows(page):
    """Whether each of the page's rows is marked as rejected."""
    return page.locator("#row").evaluate("""select => [...select.options].map(({ value }) => value).filter(
        (value) => value >= 0).map((value) => {
        select.value = value;
        select.dispatchEvent(new Event("change"));
        return document.querySelector("#verdict .rejected") !== null;
    })""")


def test_every_place_of_the_slider_says_what_it_promises(browser, tmp_path, method, parts):
    model = promising(method, parts, 0.15)
    [promise] = model.choice.promises
    assert promise.is_reached
    bounds = dict(zip((level.threshold for level in promise.levels), promise.bounds.tolist(), strict=True))
    counts = {level.threshold: level[1:] for level in promise.levels} | {
        promise.threshold: (promise.answered, promise.wrong)
    }
    with opened(browser, written(tmp_path / "p.html", model, rows_of(parts[2]))) as page:
        figures = page.locator("#figures")
        rows = f"of 200 calibration rows it answers {promise.answered}, {promise.wrong or 'none'} of them wrong."
        own = (
            f"Rejects below {number(promise.threshold)} (the model's own): of the answers given at most 15 % are "
            f"wrong, with confidence 95 %; {rows}"
        )
        beside = f"Rejects below {number(promise.threshold)} (the model's own): {rows}"
        page.locator("#row").select_option(value=str(int(model.answer(parts[2]).certainty.argmax())))
        assert figures.inner_text() == beside, "the promise stands beside the answer"
        page.get_by_role("button", name="Set all to missing").click()
        assert figures.inner_text() == own
        assert page.locator("#curve path.bound").count() == page.locator("#curve path.promised").count() == 1
        assert len(re.findall("[ML]", page.locator("#curve path.bound").get_attribute("d"))) == len(promise.levels)
        assert page.get_by_label("Lines of the curve").locator("li").count() == 3
        assert rejected_rows(page) == model.reject(parts[2]).tolist()
        assert counts[min(counts)][0] == promise.n
        for place, threshold in enumerate(sorted(counts)):
            place_slider(page, place)
            if threshold == promise.threshold:
                assert figures.inner_text() in (own, beside)
                continue
            answered, wrong = counts[threshold]
            assert figures.inner_text() == (
                f"Rejects below {number(threshold)}: at most {percent_bound(bounds[threshold])} of the answers are "
                f"wrong (an upper bound wherever you put the slider, with confidence 95 %); of 200 calibration rows it "
                f"answers {answered}, {wrong or 'none'} of them wrong."
            )
            assert rejected_rows(page) == model.reject(parts[2], below=threshold).tolist()
        place_slider(page, len(counts))
        assert figures.inner_text() == "Everything is rejected: nothing is answered."
        page.get_by_role("button", name="The model's own threshold").click()
        assert figures.inner_text() in (own, beside)


def test_no_bound_is_rounded_down_and_no_confidence_to_certainty(browser, tmp_path, method, parts):
    levels = (Level(0.9, 600, 0), Level(0.8, 700, 1), Level(0.7, 800, 5), Level(0.6, 880, 60))
    confidence = 0.9999999
    promise = Promise(0.2, 1 - confidence, 0.6, 880, 60, 900, 72, levels)
    model = Model(method, choice=make_choice(Aim("error", 0.2, confidence), [promise], parts[0].class_names))
    with opened(browser, written(tmp_path / "p.html", model, rows_of(parts[2]))) as page:
        told = []
        for place in range(1 + len(levels)):
            place_slider(page, place)
            told.append(f"{page.locator('#promised').text_content()} {page.locator('#figures').inner_text()}".strip())
        assert told[0] == (
            "Nothing is rejected: nothing is promised; of 900 calibration rows it answers 900, 72 of them wrong."
        )
        assert all("ith confidence 99.99999 %" in text for text in told[1:])
        for text, bound in zip(reversed(told[2:]), promise.bounds.tolist(), strict=False):
            assert f"at most {percent_bound(bound)} of the answers" in text
            assert 1 <= float(re.search("at most ([0-9.]+) %", text)[1]) / (100 * bound) < 1.01


def test_where_nothing_can_be_promised_the_page_says_what_can_be(browser, tmp_path, method, parts):
    model = promising(method, parts, 0.001)
    [promise] = model.choice.promises
    assert not promise.is_reached and promise.best is not None
    with opened(browser, written(tmp_path / "p.html", model, rows_of(parts[2]))) as page:
        sentence = promise_sentence(promise, 0.95)
        assert page.locator("#figures").inner_text() == f"Everything is rejected (the model's own): {sentence}."
        assert all(rejected_rows(page))
        assert page.locator("#curve path.bound").count() == 1 and page.locator("path.promised").count() == 0
        assert "by itself" not in page.locator("#source").inner_text()


def test_an_answer_is_rejected_by_the_threshold_of_its_class(browser, tmp_path, method, parts):
    first, second = parts[0].class_names
    for error in ({first: 0.1, second: 0.3}, {first: 0.001, second: 0.3}, {second: 0.2}):
        model = promising(method, parts, error)
        lines = promise_lines(model.choice, parts[0].class_names)
        rejected = model.reject(parts[2])
        with opened(browser, written(tmp_path / "p.html", model, rows_of(parts[2]))) as page:
            assert page.locator("#slider").is_hidden()
            assert page.locator("#rejecting .promises li").all_inner_texts() == lines
            assert "by the threshold of its predicted class" in page.locator("#source").inner_text()
            assert rejected_rows(page) == rejected.tolist()
        assert len(lines) == 2
    assert lines[1] == f"every answer '{first}' is given, without a promise"


def test_names_and_counts_from_strangers(browser, tmp_path, parts):
    grown = parts[0]
    label = replace(grown.header.class_attribute, values=(HOSTILE, "</script><img src=x onerror=alert(1)>"))
    attributes = tuple(label if each == grown.header.class_attribute else each for each in grown.attributes)
    header = replace(grown.header, attributes=attributes)
    parts = [replace(part, header=header) for part in parts]
    method = parse_method("m_branch").fit(grow(parts[0], "CART"), parts[0])
    for error in ({HOSTILE: 0.1}, {HOSTILE: 0.001, label.values[1]: 0.3}):
        path = written(tmp_path / "h.html", promising(method, parts, error), rows_of(parts[2]))
        with opened(browser, path) as page:
            assert "<script>" in page.locator(".promises").inner_text()
            assert "\u202e" not in page.locator("body").inner_text()
            assert page.locator("script").count() == 2 and page.locator("img").count() == 0
    aim = Aim("error", 0.05, confidence=0.95)
    for promise in (
        Promise(0.05, 0.05, np.inf, 0, 0, 0, 0, ()),
        Promise(0.05, 0.05, np.inf, 0, 0, 9, 9, (Level(0.9, 0, 0), Level(0.5, 3, 3))),
        Promise(0.05, 0.05, -np.inf, 90, 0, 90, 0, (Level(-np.inf, 90, 0),)),
    ):
        model = Model(method, choice=make_choice(aim, [promise], header.class_names))
        with opened(browser, written(tmp_path / "h.html", model, rows_of(parts[2].take(range(3))))) as page:
            assert re.match("(Everything|Nothing) is rejected", page.locator("#figures").inner_text())
            assert rejected_rows(page) == [not promise.is_reached] * 3


def test_the_lowest_place_is_the_level_that_answers_every_calibration_row(method):
    promise = Promise(0.05, 0.05, np.inf, 0, 0, 90, 19, (Level(0.9, 60, 9), Level(0.6, 90, 19)))
    aim = Aim("error", 0.05, confidence=0.95)
    rejecting = _rejecting(Model(method, choice=make_choice(aim, [promise], ("a", "b"))), None, None)
    assert rejecting["thresholds"].tolist() == [0.9, 0.6]
    np.testing.assert_array_equal(rejecting["promise"]["bounds"], promise.bounds)


def test_places_go_down_to_no_threshold_and_answer_something(method):
    levels = (Level(0.95, 0, 0), Level(0.9, 60, 0), Level(0.6, 80, 9))
    promise = Promise(0.05, 0.05, 0.8, 70, 0, 90, 19, levels)
    aim = Aim("error", 0.05, confidence=0.95)
    rejecting = _rejecting(Model(method, choice=make_choice(aim, [promise], ("a", "b"))), None, None)
    assert rejecting["thresholds"].tolist() == [0.9, 0.8, 0.6, -np.inf]
    assert rejecting["accepted"].tolist() == [60, 70, 80, 90] and rejecting["wrong"].tolist() == [0, 0, 9, 19]
    bounds = promise.bounds
    np.testing.assert_array_equal(rejecting["promise"]["bounds"], [bounds[1], np.nan, bounds[2], np.nan])


def test_counts_of_each_class_are_known_at_every_place_or_nowhere():
    curve = [(0.9, 5, 1, 3, 0), (0.7, 6, 1, 3, 0), (0.5, 9, 2, 4, 1)]
    found = _by_class(curve, np.array([0.9, 0.5]), 2)
    assert found["class_accepted"].tolist() == [5, 3, 9, 4] and found["class_wrong"].tolist() == [1, 0, 2, 1]
    for lines, places in ((curve, [0.9, 0.6]), (curve, []), ([], [0.9]), ([(0.9, 5, 1, 3)], [0.9])):
        assert [len(each) for each in _by_class(lines, np.array(places), 2).values()] == [0, 0]


@pytest.mark.parametrize("aim", [Aim("error", 0.15, 0.95), Aim("mean_cost", 0.9, 0.95, wc.RejectCosts(6, 1))])
def test_what_is_withdrawn_keeps_thresholds_and_counts(method, parts, aim):
    model = Model(method, choice=choice_promised(method, aim, parts[1], parts[0]))
    whole, stands, left = (
        _rejecting(model, rows, None)
        for rows in (None, SimpleNamespace(promise_stands=True), SimpleNamespace(promise_stands=False))
    )
    kind = "cost" if aim.kind == "mean_cost" else "promise"
    assert set(stands) == set(whole) and np.isfinite(stands[kind]["bounds"]).any()
    assert set(whole) - set(left) == ({"promised", "cost"} if kind == "cost" else {"promised"})
    for name in ("threshold", "aim", "source", "thresholds", "accepted", "wrong", "class_accepted", "class_wrong"):
        np.testing.assert_array_equal(left[name], whole[name])
    assert whole["source"] == "calibration"
    if kind == "promise":
        assert left["promise"]["refusal"] == WITHDRAWN and whole["promise"]["refusal"] == ""
        assert left["promise"]["target"] == 0.15 and np.isnan(left["promise"]["bounds"]).all()
        assert left["promise"]["bounds"].shape == whole["promise"]["bounds"].shape


def test_a_promised_mean_cost(browser, tmp_path, parts, method):
    """The curve of the calibration rows without bounds, the sentence, and the rows that are rejected."""
    grown, calibration, rows = parts
    aim = Aim("mean_cost", 0.9, 0.95, wc.RejectCosts(6, 1))
    model = Model(method, choice=choice_promised(method, aim, calibration, grown))
    [promise] = model.choice.promises
    assert promise.is_reached
    [line] = promise_lines(model.choice, rows.class_names)
    with opened(browser, written(tmp_path / "cost.html", model, rows_of(rows))) as page:
        assert page.locator(".promises li").all_inner_texts() == [line]
        own = "(the model's own: mean cost at most 0.9 with confidence 95 %, costs 6:1): answers "
        assert own in page.locator("#figures").inner_text()
        assert "took no part in training" in page.locator("#source").inner_text()
        assert page.locator("#rejecting .legend").count() == 0
        assert rejected_rows(page) == model.reject(rows).tolist()
        sure = "With confidence 95 %, the mean cost per row is at most"
        assert page.locator("#promised").inner_text() == f"{sure} 0.9."
        thresholds = page.evaluate("Array.from(wekaconf.rejecting.thresholds)")
        bounds = {level.threshold: bound for level, bound in zip(promise.levels, promise.bounds.tolist(), strict=True)}
        told = 0
        for place, at in enumerate(reversed(thresholds)):
            if at == promise.threshold:
                continue
            place_slider(page, place)
            bound = bounds.get(at, np.nan)
            wanted = f"{sure} {bound_text(bound)} (an upper bound wherever you put the slider)." if bound < 1 else ""
            assert page.locator("#promised").is_hidden(), "the bound is said beside the slider"
            assert page.locator("#figures").inner_text().endswith(wanted or "are wrong.")
            told += bool(wanted)
        assert told > 3


def test_what_is_promised_stands_beside_the_verdict(browser, tmp_path, parts, method):
    """At the model's own threshold its promise, elsewhere nothing; with a threshold per class that of the class."""
    grown, calibration, rows = parts
    one = promising(method, parts, 0.12)
    with opened(browser, written(tmp_path / "one.html", one, rows_of(rows))) as page:
        page.locator("#row").select_option(value=str(int(one.answer(rows).certainty.argmax())))
        promised = page.locator("#promised")
        assert promised.inner_text() == "With confidence 95 %, at most 12 % of the answers given are wrong."
        thresholds = page.evaluate("Array.from(wekaconf.rejecting.thresholds)")
        for place, at in enumerate([*reversed(thresholds), np.inf]):
            place_slider(page, place)
            assert promised.is_hidden() == (at != one.choice.threshold)
    aim = Aim("error", {"B": 0.3, "M": 0.001}, confidence=0.95)
    by_class = Model(method, choice=choice_promised(method, aim, calibration, grown))
    predicted = by_class.method.predict(rows)
    assert [promise.is_reached for promise in by_class.choice.promises] == [True, False]
    with opened(browser, written(tmp_path / "class.html", by_class, rows_of(rows))) as page:
        for name, wanted in (
            ("B", "With confidence 95 %, at most 30 % of the answers 'B' given are wrong."),
            ("M", ""),
        ):
            row = int(np.flatnonzero(predicted == rows.class_names.index(name))[0])
            page.locator("#row").select_option(value=str(row))
            assert page.locator("#promised").text_content() == wanted
            assert (page.locator("#verdict .tag").first.inner_text() == "rejected") or wanted
