"""What a page of a model says, and how it reads what is typed: true sentences, the same wherever it is opened."""

import re
from dataclasses import replace

import numpy as np
import pytest
from support.growers import grow
from support.page_opener import fitted, opened, written

import wekaconf as wc
from wekaconf.data import Attribute
from wekaconf.data.wording import apart, cells, number, percent
from wekaconf.methods.second_opinion._sentences import percent_texts
from wekaconf.model.scheme import parse_method
from wekaconf.report._model_page.gathering import Rows
from wekaconf.tree._forest import Forest

DAY = 86_400_000.0
HEBREW = "\u05d4\u05d9\u05d5\u05dd"
SIGNS = {"≤": np.less_equal, ">": np.greater, "<": np.less, "≥": np.greater_equal}


@pytest.fixture(scope="module")
def visits():
    """Dates, an income, a town of twelve values; the class changes at a date, then at an income."""
    rng = np.random.default_rng(4)
    attributes = (
        Attribute(HEBREW, "date", date_format="yyyy-MM-dd HH:mm"),
        Attribute("income"),
        Attribute("town", "nominal", tuple(f"town {i:02}" for i in range(12))),
        Attribute("class", "nominal", ("soon", "late")),
    )
    hours = rng.integers(24 * 19_800, 24 * 20_200, 240) / 24
    income, town = rng.uniform(24_000, 26_000, 240).round(2), rng.integers(0, 12, 240)
    late = (hours > 20_000.5) ^ ((income > 24_828.44) & (town % 3 == 0))
    return wc.Dataset(wc.Header("visits", attributes, 3), np.column_stack((hours * DAY, income, town, late)))


@pytest.fixture(scope="module")
def visits_page(visits, tmp_path_factory):
    names = [f"row {i}" for i in range(len(visits))]
    path = tmp_path_factory.mktemp("words") / "visits.html"
    return written(path, fitted("confdtree", visits, "info_gain"), Rows(visits, names), visits)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Tokyo"])
def test_a_date_is_the_same_in_every_time_zone(browser, visits_page, visits, zone):
    """A time is read as Python reads it; what is no such date is refused, and the answer says whose it is."""
    context = browser.new_context(timezone_id=zone, locale="de-DE")
    page = context.new_page()
    page.goto(visits_page.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    page.get_by_text("Values: what if?").click()
    field = page.locator("#attribute-0")
    for text in ("2024-10-04", "2024-10-04 11:59", "2024-10-04T12:01", "2024-10-04T12:00:30.5", "2024-02-29 23:59:59Z"):
        field.fill(text)
        moment = np.datetime64(text.replace(" ", "T").removesuffix("Z"), "ms").astype(float)
        assert page.evaluate("wekaconf.values()[0]") == moment and field.get_attribute("aria-invalid") is None
    field.fill("2024-10-05 11:59")
    told = page.locator("#complaint")
    for text in ("2024-02-30", "2023-02-29", "2024-13-01", "7", "20241004", "10/04/2024", "04.10.2024",
                 "October 4, 2024", "2024-10-04 24:00", "2024-10-04T08:00+02:00"):  # fmt: skip
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "true", text
        assert "expected a date such as 2024-05-31 or" in told.inner_text()
        assert told.inner_text().endswith(f"got “{text}”; the answer is still that for 2024-10-05T11:59:00")
    field.fill("")
    assert told.inner_text() == "" and np.isnan(page.evaluate("wekaconf.values()[0]"))
    context.close()


def test_a_comma_is_decimal_and_never_of_thousands(browser, visits_page):
    with opened(browser, visits_page) as page:
        field = page.locator("#attribute-1")
        for text, value in (("24829", 24829), ("24828,5", 24828.5), (",5", 0.5), ("−2,5e3", -2500), ("+1.", 1),
                            ("0,125", 0.125), ("∞", np.inf)):  # fmt: skip
            field.fill(text)
            assert page.evaluate("wekaconf.values()[1]") == value and not page.locator("#complaint").inner_text()
        for text in ("24,829", "1,234,567", "24,828.5", "24.828,5", "0x10", "1e", "NaN", "2 3"):
            field.fill(text)
            assert page.evaluate("wekaconf.values()[1]") == np.inf
            wanted = "a number without a mark for thousands" if re.search(r"[.,]\d{3}", text) else "a number"
            assert f"expected {wanted}, got “{text}”" in page.locator("#complaint").inner_text()


def test_numbers_and_dates_are_typed_as_the_table_writes_them(run, tmp_path, browser, write):
    rows = [f"{i:02}.03.2025;{1000 + 13 * i:,}|{i % 10};{'ja' if i > 14 else 'nein'}" for i in range(1, 29)]
    cells = "\n".join(rows).replace(",", ".").replace("|", ",")
    write(f"tag;betrag;c\n{cells}\n")
    assert run("fit", "data.csv", "--learner", "CART", "-d", "m.wct").code == 0
    assert run("show", "m.wct", "-T", "data.csv", "-o", "m.html").code == 0
    with opened(browser, tmp_path / "m.html") as page:
        page.evaluate("document.getElementById('untested').open = true")
        day, amount = page.get_by_label("tag"), page.get_by_label("betrag")
        assert amount.input_value() == "1013,1"
        for text, value in (("1.234,5", 1234.5), ("1234,5", 1234.5), ("12.345.678", 12345678), ("1,234", 1.234),
                            ("0,5", 0.5), ("7.25", 7.25), ("−3", -3)):  # fmt: skip
            amount.fill(text)
            assert page.evaluate("wekaconf.values()[1]") == value and not page.locator("#complaint").inner_text()
        amount.fill("1.234")
        assert "expected a number without a mark for thousands" in page.locator("#complaint").inner_text()
        for text in ("31.03.2025", "2025-03-31", "31.3.2025"):
            day.fill("01.01.2020")
            day.fill(text)
            moment = np.datetime64("2025-03-31", "ms").astype(float)
            assert page.evaluate("wekaconf.values()[0]") == moment, text
        day.fill("31.02.2025")
        assert (
            "expected a date such as 2024-05-31, 2024-05-31 14:30 or 31.05.2024"
            in page.locator("#complaint").inner_text()
        )


def test_tests_are_true_as_they_are_read(browser, visits_page, visits):
    """However near a value is to the split point, the sentence about both holds for the digits that are shown."""
    method = fitted("confdtree", visits, "info_gain")
    tree = method.tree_
    points = sorted({p for p, column in zip(tree.split_point, tree.split_attribute, strict=True) if column == 1})
    assert points
    with opened(browser, visits_page) as page:
        rows = (page.locator("#row").select_option(value=str(row)) for row in range(len(visits)))
        next(row for row in rows if "income" in page.locator("#steps").inner_text())
        for point in points[:4]:
            for value in (point, np.nextafter(point, np.inf), point + 0.3, point + 1e-6, point - 1e-6):
                page.locator("#attribute-1").fill(repr(float(value)))
                told = re.findall(r"^income ([\d.]+) (\S) ([\d.]+)$", page.locator("#steps").inner_text(), re.MULTILINE)
                assert told
                assert all(SIGNS[sign](float(own), float(split)) for own, sign, split in told), told
        page.locator("#row").select_option(value="3")
        steps = page.locator("#steps").inner_text()
        assert f"\u2068{HEBREW}\u2069 2024-" in steps and "T00:00:00" not in steps
        assert f"\u2068{HEBREW}\u2069" in page.locator("#tree").text_content()


def test_numbers_are_written_as_python_writes_them(browser, visits_page):
    rng = np.random.default_rng(1)
    values = np.concatenate(
        (10 ** rng.uniform(-4, 8.9, 400), rng.integers(0, 10**8, 50) / 100, [16.825000762939453, 105 / 158])
    )
    pairs = [(x, x + step) for x, step in zip(values, 10 ** rng.uniform(-5, 0, len(values)), strict=True)]
    with opened(browser, visits_page) as page:
        ours = page.evaluate("values => values.map((x) => wekaconf.model.header.text(1, x))", values.tolist())
        both = page.evaluate("pairs => pairs.map((pair) => wekaconf.model.header.texts(1, ...pair))", pairs)
    plain = [text for text in map(number, values.tolist()) if "e" not in text]
    assert len(plain) > 400
    assert [text for text, value in zip(ours, values, strict=True) if "e" not in number(float(value))] == plain
    assert [tuple(texts) for texts, pair in zip(both, pairs, strict=True) if "e" not in str(apart(*pair))] == [
        apart(*pair) for pair in pairs if "e" not in str(apart(*pair))
    ]


def test_shares_are_rounded_as_python_rounds_them(browser, visits_page):
    """In whole per cents, with decimals or with digits; what lies in the middle of two texts becomes the even one."""
    rng = np.random.default_rng(2)
    middles = [i / n for n in (16, 160, 800, 1024, 2000) for i in range(n + 1)]
    shares = [*rng.random(2000).tolist(), *(rng.random(50) / 1000).tolist(), *middles, 1 - 1e-9, 1e-3]
    forms = ({}, {"digits": 2}, {"decimals": 0}, {"decimals": 1}, {"decimals": 2})
    with opened(browser, visits_page) as page:
        for form in forms:
            told = page.evaluate("([shares, form]) => shares.map((p) => wekaconf.percent(p, form))", [shares, form])
            assert told == [percent(share, **form) for share in shares], form
        told = page.evaluate("shares => shares.map(wekaconf.wholePercent)", [*shares, 1 - 1e-15])
        assert told == percent_texts(np.array([*shares, 1 - 1e-15])).tolist()
        assert page.evaluate("wekaconf.percent(0.70004, { digits: 2, border: 0.7 })") == "70 %"
        assert page.evaluate("wekaconf.percent(0.69996, { digits: 2, border: 0.7 })") == "69.996 %"


def test_numbers_have_the_mark_of_the_table_and_dates_are_written_as_in_reasons(run, tmp_path, browser, write):
    """Wherever a value of a row or a test of the tree is shown: points of numbers and dates as typed are nowhere."""
    rng = np.random.default_rng(3)
    amounts, days = rng.uniform(0.5, 9.5, 200).round(2), rng.integers(1, 29, 200)
    late = np.where((amounts > 4.85) ^ ((days > 14) & (amounts > 2.5)), "ja", "nein")
    rows = [f"{day:02}.03.2025;{amount:.2f};{c}" for day, amount, c in zip(days, amounts, late, strict=True)]
    write("\n".join(["tag;betrag;c", *rows]).replace(".", ",").replace(",03,2025", ".03.2025") + "\n")
    assert (
        run("fit", "data.csv", "--learner", "CART", "--method", "confdtree", "--keep", "0.9", "-d", "m.wct").code == 0
    )
    last = "tag;betrag;c\n17.03.2025;12,75;ja\n02.03.2025;3,15;nein\n"
    (tmp_path / "later.csv").write_text(last, encoding="utf-8")
    assert run("show", "m.wct", "-T", "later.csv", "-t", "data.csv", "-o", "m.html").code == 0
    date = re.compile(r"2025-\d\d-\d\d")
    with opened(browser, tmp_path / "m.html") as page:
        page.get_by_role("button", name="Expand all").click()
        page.evaluate("document.getElementById('about').remove()")  # with versions
        page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
        seen = set()
        for row in range(2):
            page.select_option("#row", str(row))
            parts = ["main", "#said"]
            texts = [page.locator(part).inner_text() for part in parts] + page.locator("#tree text").all_text_contents()
            seen |= {*re.findall(r"certainty \d,\d", texts[0]), *re.findall(r"\d,\d+ %", texts[0])}
            for node in range(page.evaluate("wekaconf.drawing.tree.n_nodes")):
                page.locator(f'#tree g.node[data-node="{node}"]').dispatch_event("click")
                texts.append(page.locator("#node").inner_text())
            whole = "\n".join(texts)
            others = re.sub(r":\d\d\.\d+", "", date.sub("", whole))
            assert "03.2025" not in whole and not re.search(r"\d\.\d", others), re.findall(
                r"(?s).{20}\d\.\d.{9}", others
            )
            seen |= {*date.findall(whole), *re.findall(r"\d,\d", others)}
        assert all(any(part in text for text in seen) for part in ("-03-", ",", " %", "certainty"))
        page.select_option("#row", "0")
        assert "betrag 12,75, training at most 9," in page.inner_text("#note")
        assert page.get_by_label("tag").input_value() == "2025-03-17"
        steps = page.locator("#steps").inner_text()
    told = run("explain", "m.wct", "later.csv", "--row", "1").out
    assert date.findall(steps) and {*date.findall(steps)} <= {*date.findall(told)}


@pytest.mark.parametrize("zone", ["", "UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland"])
def test_dates_are_written_and_read_as_by_the_clocks_of_their_zone(browser, visits, tmp_path, zone):
    """Moments of ARFF are those of a zone: the page shows them as Python does, wherever it is opened."""
    day = replace(visits.attributes[0], zone=zone)
    data = replace(visits, header=replace(visits.header, attributes=(day, *visits.attributes[1:])))
    rng = np.random.default_rng(6)
    autumn = 1_729_990_800_000.0  # an hour before the clocks of Berlin go back
    groups = [
        *rng.uniform(-5e12, 5e12, (200, 3)).round(-3).tolist(),
        *rng.uniform(-5e12, 5e12, (50, 2)).round(1).tolist(),
        *(rng.integers(-20_000, 40_000, (50, 2)) * DAY).tolist(),
        *np.float32(rng.integers(0, 40_000, (50, 1)) * DAY).astype(float).tolist(),
        [autumn, autumn + 3_600_000], [autumn + 3_600_000, autumn], [0.25, 0.5], [np.inf, 0.0],
    ]  # fmt: skip
    context = browser.new_context(timezone_id="Asia/Tokyo")
    page = context.new_page()
    page.goto(written(tmp_path / "v.html", fitted("confdtree", data, "info_gain")).as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    told = page.evaluate("groups => groups.map((group) => wekaconf.model.header.texts(0, ...group))", groups)
    assert told == [[*cells(day, *each)] for each in groups]
    page.get_by_text("Values: what if?").click()
    for text in ("2024-10-27T02:30:00", "2024-07-01 12:00", "1850-05-05", "2024-10-27 23:59:59.5"):
        page.locator("#attribute-0").fill(text)
        moment = page.evaluate("wekaconf.values()[0]")
        assert np.datetime64(cells(day, moment)[0]) == np.datetime64(text)
    page.locator("#attribute-0").fill("2024-03-31 02:30")
    assert (page.locator("#attribute-0").get_attribute("aria-invalid") is None) == (zone != "Europe/Berlin")
    context.close()


def test_the_steps_end_at_the_leaf_and_say_whose_they_are(browser, visits, tmp_path):
    """Of ConfDTree the leaf is told before a fine; of a forest the tree; of what the page cannot do, the plain tree."""
    rows = Rows(visits.take(range(3)), ["a", "b", "c"])
    with opened(browser, written(tmp_path / "s.html", fitted("shrinkage", visits, "info_gain"), rows, visits)) as page:
        last = page.locator("#steps li").last.inner_text()
        found = re.match(r"their sum ([\d.]+), divided by that of all classes, ([\d.]+): \w+ ([\d.]+)$", last)
        total, all_classes, share = map(float, found.groups())
        assert total / all_classes == pytest.approx(share, abs=1e-3)
        assert percent(share, 2) in page.locator("#probabilities tbody tr.leading").inner_text()
        assert page.locator("#steps-title").inner_text() == "How it came about"
    trees = tuple(grow(visits.take(np.random.default_rng(i).integers(0, 240, 240)), "info_gain") for i in range(2))
    forest = parse_method("confdtree").fit(Forest(trees), visits)
    with opened(browser, written(tmp_path / "f.html", forest, rows, visits)) as page:
        page.locator("#member").select_option(label="tree 2 of 2")
        assert page.locator("#steps-title").inner_text() == "How it came about in tree 2 of 2"
        assert page.locator("#steps li").filter(has_text=re.compile(r"^leaf: ")).count() == 1
        page.emulate_media(media="print")
        assert page.locator("#row").is_visible() and page.locator("#next").is_hidden()
    with opened(browser, written(tmp_path / "t.html", fitted("tpce", visits, "info_gain"), rows, visits)) as page:
        assert page.locator("#steps-title").inner_text() == "How the plain tree answers"
        text = page.locator("#steps").inner_text()
        assert re.search(r"town = town \d\d, (not )?in \{", text) or "town" not in text
