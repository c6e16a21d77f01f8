"""``wekaconf explain``: the forms, the choice of rows, and odd input."""

import csv
import json
import re
from functools import partial
from html import escape

import pytest
from support.command_line import IRIS
from support.csv_rows import rows_in, rows_of

import wekaconf as wc
from wekaconf.cli.explain import _folded


@pytest.fixture
def saved(jvm, tmp_path):
    """A model file of a method fitted on a bundled set."""

    def saved(method="confdtree", data=IRIS, learner="J48", **params):
        train = wc.load_arff(data)
        wc.Model(wc.method(method, **params).fit(wc.grow(train, learner), train)).save(tmp_path / "m.wct")
        return "m.wct"

    return saved


def told(good, *arguments):
    return json.loads(good("explain", *arguments, "--format", "json"))["instances"]


def test_least_certain_are_those_of_predict(good, saved):
    model = saved()
    first = rows_of(good("predict", "-l", model, "-T", IRIS, "--least-certain", 4))
    assert [str(one["row"]) for one in told(good, "-l", model, "-T", IRIS, "--least-certain", 4)] == [
        row["index"] for row in first
    ]
    assert len(told(good, "-l", model, "-T", IRIS, "--least-certain", 1000)) == 150
    whole = json.loads(good("explain", "-l", model, "-T", IRIS, "--row", 1, "--format", "json"))
    assert whole["method"] == "confdtree"


@pytest.mark.parametrize(
    ("row", "verdict", "kind"),
    [
        (1, "answered; the certainty 1 reaches the threshold 0.9; setosa is right", "answered"),
        (84, "rejected; versicolor would have been right", "rejected"),
    ],
)
def test_the_verdict_comes_first(good, tmp_path, row, verdict, kind):
    """Answered or rejected as predict does, for the same reason, and right or wrong where the class is known."""
    good("predict", "-t", IRIS, "--method", "leaf_frequency", "--below", 0.9, "-d", "m.wct", "-q")
    text = " ".join(good("explain", "-l", "m.wct", "-T", IRIS, "--row", row).split())
    actual = wc.load_arff(IRIS).class_names[int(wc.load_arff(IRIS).class_values[row - 1])]
    said, remarks = verdict.split("; ", 1)
    assert text.startswith(f"row {row}, actual class {actual}: {remarks} {said}")
    good("explain", "-l", "m.wct", "-T", IRIS, "--row", row, "-o", "e.html")
    page = (tmp_path / "e.html").read_text("utf-8")
    assert f'<p class="verdict {kind}"><b>{kind}</b>' in page and f"<p>{remarks}</p>" in page
    [one] = told(good, "-l", "m.wct", "-T", IRIS, "--row", row)
    assert (one["threshold"], one["rejected"], one["correct"]) == (
        0.9, verdict.startswith("rejected"), verdict.endswith("right"))  # fmt: skip
    good("predict", "-l", "m.wct", "-T", IRIS, "-o", "p.csv")
    answer = rows_in("p.csv")[row - 1]
    assert answer["rejected"] == ("yes" if one["rejected"] else "no") and answer["reason"] == one["reason"]
    assert answer["reason"] in text
    assert f"<b>{kind}</b>{escape(answer['reason'].removeprefix(kind))}</p>" in page, "the first word is the badge"


def test_fixed_attributes(good, saved, refused_line):
    """The distance to another class with some values unchanged; infinite if only they could change the answer."""
    model = saved("boundary_distance", learner="CART")
    free = told(good, "-l", model, "-T", IRIS, "--row", 71)[0]
    fixed = told(good, "-l", model, "-T", IRIS, "--row", 71, "--fixed", "petal width (cm)")[0]
    assert free["reason"].endswith(": petal width (cm) 1.8 → 1.75 gives versicolor") and free[
        "certainty"
    ] == pytest.approx(0.05)
    assert fixed["reason"].endswith(": no change gives another class") and fixed["certainty"] == "Infinity"
    words = "--fixed: no attribute 'petal' other than the class; did you mean 'petal width (cm)'?"
    assert refused_line("-l", model, "-T", IRIS, "--row", 1, "--fixed", "petal").startswith(words[:50])
    assert "--fixed goes with boundary_distance" in refused_line(
        "-l", saved(), "-T", IRIS, "--row", 1, "--fixed", "petal width (cm)"
    )


@pytest.fixture
def refused_line(complaint):
    """What the command says where it must fail."""
    return partial(complaint, "explain")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give either --row N or --least-certain N"),
        (["--row", "P7"], "--row P7: FILE has rows 1 to 150"),
        (["--row", "1,2"], "--row 1,2: FILE has rows 1 to 150; each --row names one row"),
        (["--row", "1", "2"], "'2' is one name too many; each row has its own --row: --row 1 --row 2"),
        (["--row", 1, "--format", "json", "-o", "a.html"], "--format json contradicts -o a.html; leave one out"),
    ],
)
def test_wrong_options(saved, refused_line, arguments, said):
    assert said.replace("FILE", str(IRIS)) in refused_line("-l", saved(), "-T", IRIS, *arguments).replace("Error: ", "")


def test_a_file_without_rows(saved, refused_line, tmp_path):
    model = saved()
    head = IRIS.read_text().lower().index("@data")
    (tmp_path / "none.arff").write_text(IRIS.read_text()[: head + 6])
    assert refused_line("-l", model, "-T", "none.arff", "--row", 1) == "--row 1: none.arff has no rows"


def test_missing_values_and_identifiers(good, jvm, tmp_path):
    """A row with a missing value is divided, in words; a row goes by its name where the file has one."""
    (tmp_path / "t.csv").write_text(
        "id,x,c\n" + "".join(f"k{i},{'' if i == 7 else i},{'ab'[i > 9]}\n" for i in range(20))
    )
    good("predict", "-t", "t.csv", "-T", "t.csv", "--id", "id", "-d", "m.wct", "-o", "p.csv")
    text = good("explain", "-l", "m.wct", "-T", "t.csv", "--row", 8)
    assert text.startswith("row 8 (k7), actual class a:") and "x is missing, so the branches share the instance" in text
    assert good("explain", "m.wct", "t.csv", "--row", "k7") == text
    good("explain", "-l", "m.wct", "-T", "t.csv", "--row", 8, "-o", "e.html")
    assert "<i>missing</i>" in (tmp_path / "e.html").read_text("utf-8")


def test_a_row_goes_by_its_name_before_its_number(good, refused, tmp_path):
    rows = [f"{12 - i},{i},{'ab'[i > 5]}\n" for i in range(10)]
    (tmp_path / "t.csv").write_text("id,x,c\n" + "".join([*rows, "30,0,a\n", "30,1,a\n"]))
    good("fit", "t.csv", "--learner", "CART", "--id", "id", "-d", "m.wct")
    assert good("explain", "m.wct", "t.csv", "--row", 12).startswith("row 1 (12), ")
    assert good("explain", "m.wct", "t.csv", "--row", 2).startswith("row 2 (11), ")
    assert good("explain", "m.wct", "t.csv", "--row", 4).startswith("row 9 (4), ")
    message = refused("explain", "m.wct", "t.csv", "--row", 30, told=True)
    assert message == "--row 30: t.csv has several rows of that name; give a number: 11, 12"
    message = refused("explain", "m.wct", "t.csv", "--row", "31", told=True)
    assert message.startswith("--row 31: t.csv has rows 1 to 12, none of them named so")


VISITS = ("id", "day", "town", "age, in years", "class")


@pytest.fixture
def visits(good, tmp_path):
    """A table with dates, missing values, a class with a comma, and a name that the font of pictures lacks."""
    towns = ["東京", "Bern", "Lima"]
    rows = [(f"v{i}", "" if i == 4 else f"2024-{i % 12 + 1:02}-{i % 27 + 1:02}", "" if i == 5 else towns[i % 3],
             40 + i * 7 % 31, "late, again" if (i % 12 > 6) == (i % 3 > 0) else "soon") for i in range(90)]  # fmt: skip
    with open(tmp_path / "v.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([VISITS, *rows])

    def fitted(method, learner="J48", options="-M 1 -U"):
        good("predict", "-t", "v.csv", "-T", "v.csv", "--id", "id", "--method", method,
             "--learner", f"{learner} {options}", "-d", "v.wct", "-o", "p.csv")  # fmt: skip
        return "v.wct"

    return fitted


def test_dates_are_told_as_dates_and_values_as_what_they_are(good, visits):
    """Neither a test, nor a limit, nor JSON tells a date in milliseconds; a missing value is null."""
    model = visits("id3_sd")
    text = good("explain", "-l", model, "-T", "v.csv", "--row", 1, "--row", 9)
    assert re.search(r"day is 2024-01-01, so (<=|>) 2024-\d\d-\d\d", text) and "e+12" not in text
    first, without_day = told(good, "-l", model, "-T", "v.csv", "--row", 1, "--row", 5)
    assert first["values"] == {"day": "2024-01-01", "town": "東京", "age, in years": 40.0}
    assert without_day["values"] == {"day": None, "town": "Bern", "age, in years": 68.0}


def test_a_batch_is_answered_together_and_the_rows_that_are_wanted_are_explained(good, tmp_path):
    data = wc.load_arff(IRIS)
    train, new = data.take(slice(0, None, 10)), data.take(slice(5, None, 25))
    model = wc.Model(wc.method("tpce", batch=True).fit(wc.grow(train, "info_gain"), train))
    model.save("m.wct")
    wc.save_arff("new.arff", new)
    answer = model.answer(new)
    assert answer.certainty[3] != model.answer(new.take([3])).certainty[0]
    rows = told(good, "m.wct", "new.arff", "--row", 4, "--row", 2)
    assert [one["row"] for one in rows] == [4, 2]
    assert [one["certainty"] for one in rows] == answer.certainty[[3, 1]].tolist()
    assert [one["reason"] for one in rows] == [answer.reasons[i] for i in (3, 1)]


def test_each_class_has_the_threshold_of_its_answers(good):
    targets = "setosa=0.3,versicolor=0.4,virginica=0.35"
    good("fit", IRIS, "--learner", "CART", "--target-error", targets, "--confidence", "0.8", "-d", "m.wct")
    model = wc.load("m.wct")
    assert len(set(model.thresholds_by_class)) > 1
    rows = told(good, "m.wct", IRIS, "--row", 1, "--row", 51, "--row", 101)
    assert [one["threshold"] for one in rows] == list(model.thresholds_by_class)


def test_what_is_folded_stands_below_its_line(good, saved, monkeypatch, tmp_path):
    """On the screen; a file has the whole lines."""
    monkeypatch.setenv("COLUMNS", "30")
    command = ("explain", saved("leaf_frequency", learner="CART"), IRIS, "--row", 71)
    shown = good(*command)
    assert good(*command, "-o", "e.txt") == "" and max(map(len, shown.splitlines())) <= 30
    written = (tmp_path / "e.txt").read_text(encoding="utf-8")
    assert max(map(len, written.splitlines())) > 30 and written.split() == shown.split()
    assert _folded("  one two three four five six seven") == "  one two three four five six\n      seven"
    assert _folded("one\ttwo") == "one\ttwo" and _folded("") == ""


def test_long_names_are_shortened(good, run, tmp_path):
    name = "n" * 5000
    lines = [f"{i},{name if i % 3 else 'm'},{name[: i > 9]}k" for i in range(30)]
    (tmp_path / "l.csv").write_text(f"{name}x,{name}s,class\n" + "\n".join(lines) + "\n")
    good("predict", "-t", "l.csv", "-T", "l.csv", "-d", "l.wct", "--method", "id3_max", "-o", "p.csv")
    assert len(good("explain", "-l", "l.wct", "-T", "l.csv", "--row", 1)) < 2000
