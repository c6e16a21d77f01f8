"""``wekaconf explain``: the forms, the choice of rows, the training instances that count most, and odd input."""

import csv
import json
import re
from functools import partial
from html import escape

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from support.command_line import ARFF
from support.csv_rows import rows_in, rows_of
from support.svg_texts import texts_in

import wekaconf as wc
from wekaconf.base.plot_style import COLOURS
from wekaconf.methods.contract._explanation import Account, Step
from wekaconf.report.explanations import WIDTH, Explained, _draw, as_svg

IRIS, WINE, MISSING = (ARFF / f"{name}.arff" for name in ("iris", "wine", "missing-weights"))


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


def test_training_instances_that_count_most(good, saved, refused_line):
    """The instance itself is among the training data, and none resembles it more."""
    model = saved("shrinkage_wpe", WINE, numeric="bins")
    [one] = told(good, "-l", model, "-T", WINE, "-t", WINE, "--row", 76)
    most = one["training_instances"]
    assert most[0]["row"] == 76 and len(most) == 5
    assert [m["contribution"] for m in most] == sorted((m["contribution"] for m in most), reverse=True)
    text = good("explain", "-l", model, "-T", WINE, "-t", WINE, "--row", 76)
    assert f"the training instances that count most for class_1: row 76 ({most[0]['contribution']:.3g})" in text
    assert "are not sums over training instances" in refused_line("-l", saved(), "-T", IRIS, "-t", IRIS, "--row", 1)


def test_training_instances_that_do_not_count_are_not_told(good, tmp_path):
    """Of two leaves of three instances each, those of the other leaf say nothing, nor those of another class."""
    (tmp_path / "t.csv").write_text("x,y,c\n" + "p,u,a\np,u,a\np,v,b\nq,u,b\nq,v,b\nq,v,b\n")
    good("fit", "t.csv", "--learner", "info_gain", "--method", "wpe", "-d", "m.wct")
    [one] = told(good, "m.wct", "t.csv", "-t", "t.csv", "--row", 1)
    told_of = one["training_instances"]
    assert {each["row"] for each in told_of} <= {1, 2} and all(each["contribution"] > 0 for each in told_of)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give either --row N or --least-certain N"),
        (["--row", "P7"], "--row P7: FILE has rows 1 to 150"),
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


def test_a_picture_tells_the_certainty_and_any_name(run, visits, tmp_path):
    """The limits that reject are in it, lines are set in, and a font that lacks a character is no warning."""
    ended = run("explain", "-l", visits("id3_sd"), "-T", "v.csv", "--row", 6, "-o", "v.svg")
    assert ended.err.splitlines()[-1] == "v.svg: 1 answer explained" and "Warning" not in ended.err, ended.err
    picture = (tmp_path / "v.svg").read_text("utf-8")
    assert ">certainty " in picture and "lies furthest from the mean of the leaf" in picture
    assert "town = 東京" in picture and ">\u00a0\u00a0\u00a0town = Bern" in picture


def test_a_line_of_a_picture_has_92_characters(tmp_path):
    """As many words as fit, here of one letter and a space each."""
    steps = Step.given("a " * 99 + "a", np.array([1.0, 0.0]), kind="leaf")
    account = Account(("p", "q"), 0, "", steps, Step("largest", "the largest", 1.0, "largest"))
    (tmp_path / "v.svg").write_text(as_svg("any", [Explained(1, "", "", {}, account)]), "utf-8")
    assert [len(text) for text in texts_in(tmp_path / "v.svg") if text.startswith("a a")] == [len("a " * 45 + "a")]


def explained(words, proba):
    """An answer whose account is one step of these words."""
    steps = Step.given(words, np.array(proba), kind="leaf")
    names = tuple("pqrstuvw"[: len(proba)])
    return Explained(1, "", "", {}, Account(names, 0, "", steps, Step("largest", "the largest", 1.0, "largest")))


def test_a_picture_holds_200_lines():
    lines = [" ".join(["a" * 92] * n) for n in (200, 201)]
    assert as_svg("any", [explained(lines[0], [1.0, 0.0])]).count("aaa</text>") == 200
    with pytest.raises(wc.OptionError, match="a picture holds 200 lines, these are 201;"):
        as_svg("any", [explained(lines[1], [1.0, 0.0])])


def test_a_picture_is_as_high_as_its_lines():
    """0.16 inches for each, and for four more in a panel, below a heading."""
    words = [" ".join(["a" * 92] * n) for n in (1, 3)]
    root = as_svg("any", [explained(each, [1.0, 0.0]) for each in words])
    height, width = (float(re.search(rf' {name}="([0-9.]+)pt"', root).group(1)) for name in ("height", "width"))
    assert (width, height) == pytest.approx((72 * WIDTH, 72 * (0.16 * (5 + 7) + 0.3)))
    assert root.count('id="axes_') == 2 and ">any</text>" in root


def test_the_bars_of_a_step_are_its_shares():
    """Side by side right of the line, together a fifth as wide as the lines; a class without a share has none."""
    axes = Figure().subplots()
    rows = [("first", (0.5, 0.0, 1.0)), ("second", None), ("third", (0.0, 0.0, 0.0)), ("fourth", (0.0, 0.25, 0.0))]
    _draw(axes, explained("any", [0.25, 0.75, 0.0]), rows)
    bars = [bar for bar in axes.patches if bar.get_width()]
    drawn = [(bar.get_x(), bar.get_y() + bar.get_height() / 2, bar.get_width(), bar.get_height()) for bar in bars]
    third = 0.2 / 3
    expected = [(1.02, 0, third, 0.7), (1.02 + third, 0, 2 * third, 0.7), (1.02, 3, 0.2, 0.7)]
    np.testing.assert_allclose(drawn, expected)
    assert [to_hex(bar.get_facecolor()).upper() for bar in bars] == [COLOURS[c].upper() for c in (0, 2, 1)]
    assert {text.get_fontsize() for text in axes.texts} == {6}, "92 letters fit into the lines"
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 1.24), (3.5, -0.7)) and not axes.axison
    assert [(text.get_text(), text.get_position()) for text in axes.texts] == [
        ("first", (0, 0)), ("second", (0, 1)), ("third", (0, 2)), ("fourth", (0, 3))
    ]  # fmt: skip


def test_the_legend_of_a_picture_has_the_six_likeliest_classes():
    """The most probable first; a class without a share is not among them."""
    legends = []
    for proba in ([0.25, 0.0, 0.75], [0.1, 0.0, 0.2, 0.3, 0.05, 0.15, 0.12, 0.08]):
        axes = Figure().subplots()
        _draw(axes, explained("any", proba), [])
        legends.append([text.get_text() for text in axes.get_legend().get_texts()])
        assert axes.get_title("left") == "row 1: p"
    assert legends == [["r 0.75", "p 0.25"], ["s 0.3", "r 0.2", "u 0.15", "v 0.12", "p 0.1", "w 0.08"]]


def test_long_names_are_shortened(good, run, tmp_path):
    name = "n" * 5000
    lines = [f"{i},{name if i % 3 else 'm'},{name[: i > 9]}k" for i in range(30)]
    (tmp_path / "l.csv").write_text(f"{name}x,{name}s,class\n" + "\n".join(lines) + "\n")
    good("predict", "-t", "l.csv", "-T", "l.csv", "-d", "l.wct", "--method", "id3_max", "-o", "p.csv")
    assert len(good("explain", "-l", "l.wct", "-T", "l.csv", "--row", 1)) < 2000


@pytest.mark.parametrize("name", ["shrinkage", "wpe", "shrinkage_wpe", "m_branch", "curtailment", "ling_yan"])
@pytest.mark.parametrize("path", [IRIS, MISSING], ids=lambda path: path.stem)
def test_contributions_add_up(jvm, name, path):
    """With what the estimates add to every class they are the probability of the predicted class."""
    data = wc.load_arff(path)
    method = wc.method(name, **({"numeric": "bins"} if "wpe" in name else {})).fit(wc.grow(data), data)
    asked = data.take(np.arange(0, len(data), 11))
    table, answer = method.influences(asked, data), method.answer(asked)
    assert table.shape == (len(asked), len(data)) and (table >= 0).all()
    for i in range(len(asked)):
        c = int(answer.predicted[i])
        step = answer.explanation.account(i).steps
        assert table[i].sum() + added(step, c, 1.0) == pytest.approx(answer.proba[i, c], abs=1e-12)
        others = (data.class_values != c) | (data.weights == 0)
        assert not table[i][others].any()


def added(step, c, share):
    """What does not come from training instances."""
    values = step.values
    if step.rule == "given":
        return share * step.result[c]
    if step.rule == "frequency":
        return share * values["add"] / values["total"]
    if step.rule == "weighted":
        weights = [weight[c] if isinstance(weight, list) else weight for weight in values["weights"]]
    elif step.rule == "m_estimate":
        weights = [values["m"] / values["total"]]
    else:
        weights = [1 / values["total"] if step.rule == "scaled" else 1.0] * len(step.parts)
    return sum(added(part, c, share * weight) for part, weight in zip(step.parts, weights, strict=True))


@pytest.mark.parametrize("scaling", ["raw", "minmax"])
def test_fixed_distance_is_exact(jvm, scaling, wine):
    """Over all boxes that hold the fixed values, by a loop over boxes; the nearest point keeps them."""
    method = wc.method("boundary_distance", scaling=scaling).fit(wc.grow(wine), wine)
    names = [attribute.name for attribute in wine.attributes]
    for fixed in (["flavanoids"], ["flavanoids", "proline"], ["color_intensity", "hue"]):
        columns = [names.index(name) for name in fixed]
        held = method.with_fixed(*fixed)
        found, predicted = held.nearest(wine), method.predict(wine)
        boxes = method.regions_
        for i, row in enumerate(wine.values):
            distances = []
            for b in range(len(boxes.node)):
                way = np.maximum(np.maximum(boxes.low[b] - row, row - boxes.high[b]), 0)
                way[wine.class_index] = 0
                if boxes.class_index[b] != predicted[i] and not way[columns].any():
                    distances.append(np.sqrt(((way / method.unit_) ** 2).sum()))
            assert found.distance[i] == pytest.approx(min(distances, default=np.inf), rel=1e-12)
            if np.isfinite(found.distance[i]):
                np.testing.assert_array_equal(found.point[i, columns], row[columns])
        assert (found.distance >= method.nearest(wine).distance).all()
    with pytest.raises(wc.OptionError, match="no attribute 'hu' other than the class; did you mean 'hue'"):
        method.with_fixed("hu")


@pytest.mark.parametrize(("rows", "message"), [
    (("--row", "1", "2"), "'2' is one name too many; each row has its own --row: --row 1 --row 2"),
    (("--row", "1,2"), "--row 1,2: {} has rows 1 to 150; each row has its own --row"),
])  # fmt: skip
def test_several_rows_have_an_option_each(refused, saved, rows, message):
    assert refused("explain", saved(), IRIS, *rows, codes=(1, 2)).rstrip().endswith(message.format(IRIS))
