"""Weka's own report and predictions, character for character as live Weka prints them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from support.command_line import ARFF
from support.live_weka import of_weka, record_predictions

import wekaconf as wc
from wekaconf.bridge._instances import to_java
from wekaconf.data import Attribute, Dataset, Header
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.weka_statistics import WekaStatistics
from wekaconf.report import _out_of_fold as out_of_fold
from wekaconf.report import _weka_text as weka_text
from wekaconf.report._java_numbers import java_aligned, java_fixed

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

BUNDLED = ["iris", "wine", "wdbc", "credit-g", "waveform-synthetic", "missing-weights"]
UCI_SETS = ["anneal", "autos", "colic", "heart-c", "labor", "primary-tumor", "soybean", "vehicle", "zoo", "audiology"]
PROTOCOLS = [(10, 1, ""), (3, 7, "-U -A"), (5, 2, "-M 5")]


@pytest.fixture(scope="module")
def version(java):
    """The major version of the running Java, whose numbers are printed."""
    return int(str(java("java.lang.System").getProperty("java.version")).partition(".")[0])


@pytest.fixture
def since_395(weka_version):
    """Weka 3.9.3 prints figures that are not defined as 0, and another relative error on a test file."""
    if weka_version < (3, 9, 5):
        pytest.skip("compares what Weka prints since 3.9.5")


def assert_same_report(version, evaluation, answers):
    figures, names = WekaStatistics.of(answers), answers.class_names
    assert weka_text.summary(figures, version) == str(evaluation.toSummaryString("=== Summary ===\n", False))
    assert weka_text.class_details(figures, names, version) == str(evaluation.toClassDetailsString())
    assert weka_text.matrix(figures, names, version) == str(evaluation.toMatrixString())


def check(java, version, path, k, seed, options, learner="J48", runs=1):
    data = wc.load_arff(path)
    sent, buffer = to_java(data), java("java.lang.StringBuffer")()
    evaluation = java("weka.classifiers.Evaluation")(sent)
    printer = java("weka.classifiers.evaluation.output.prediction.PlainText")()
    printer.setBuffer(buffer)
    printer.setHeader(sent)
    for run in range(runs):
        random = java("java.util.Random")(seed + run)
        own = of_weka(java, f"weka.classifiers.trees.{learner}", options)
        evaluation.crossValidateModel(own, sent, k, random, java("java.lang.Object")[:]([printer]))
    answers = wc.evaluate(
        data, "leaf_frequency", folds=k, seed=seed, runs=runs, options=options, learner=learner
    ).answers[0]
    assert_same_report(version, evaluation, answers)
    assert out_of_fold.weka_predictions(answers, java=version) == str(buffer)
    return answers


def test_columns_stand_where_weka_prints_them(iris):
    answers = wc.evaluate(iris, "leaf_frequency", learner="CART", folds=2).answers[0]
    heading, *rows = weka_text.class_details(WekaStatistics.of(answers), answers.class_names, 25).splitlines()[2:]
    assert heading == (
        "                 TP Rate  FP Rate  Precision  Recall   F-Measure  MCC      ROC Area  PRC Area  Class"
    )
    places = [match.start() for match in re.finditer(r"(?<=  )\S", heading)]
    for row in rows[:-1]:
        assert [match.start() for match in re.finditer(r"\S+", row)] == places


@pytest.mark.parametrize(("place", "name"), [*enumerate(BUNDLED)])
def test_cross_validation(java, version, place, name):
    check(java, version, ARFF / f"{name}.arff", *PROTOCOLS[place % 3])


@pytest.mark.parametrize(("place", "name"), [*enumerate(UCI_SETS)])
def test_cross_validation_on_uci_sets(java, version, uci, place, name):
    check(java, version, uci / f"{name}.arff", *PROTOCOLS[place % 3])


@pytest.mark.parametrize("weight", [1.0095, 1.0105, 1.5])
def test_counts_with_few_hundredths(java, version, iris, tmp_path, weight):
    """Weka prints decimals in the confusion matrix where a count exceeds a whole number by a hundredth or more."""
    replace(iris, weights=np.where(np.arange(len(iris)) == 3, weight, 1.0)).to_arff(tmp_path / "weighted.arff")
    check(java, version, tmp_path / "weighted.arff", 3, 1, "")


def test_several_runs_are_gathered_as_by_one_evaluation(java, version):
    check(java, version, ARFF / "missing-weights.arff", 4, 3, "", runs=3)


def test_instances_that_are_left_unclassified(java, version, uci):
    answers = check(java, version, uci / "audiology.arff", 4, 2, "-U", learner="RandomTree")
    assert WekaStatistics.of(answers).unclassified > 0


def test_many_classes(java, version, uci):
    check(java, version, uci / "letter.arff", 3, 1, "")


# ---- any answers ----


def random_answers(rng, n, k):
    """Answers with weights, missing classes and rows of zeros; and the training set that Weka takes priors from."""
    attributes = (
        Attribute("x"),
        Attribute("class", "nominal", tuple(f"c {c}'" if c % 2 else f"c{c}" for c in range(k))),
    )
    header = Header("r", attributes, 1)
    values = np.zeros((n, 2))
    values[:, 1] = np.where(rng.random(n) < 0.15, np.nan, rng.integers(0, max(k - 1, 1), n))
    weights = rng.choice([[1.0], [1.0, 0.5, 2.25], [0.001, 3.3]][int(rng.integers(3))], n)
    weights = weights * 10.0 ** int(rng.integers(-1, 6))
    data = Dataset(header, values, weights)
    proba = rng.dirichlet(np.full(k, 0.3), n).round(int(rng.integers(1, 4)))
    proba[rng.random(n) < 0.1] = 0.0
    classes = data.class_values
    zero = np.zeros(n, dtype=np.int64)
    known = classes >= 0
    answers = Answers(
        proba=proba, ranking=proba, baseline=proba, certainty=proba.max(axis=1), threshold=np.full(n, np.nan),
        actual=classes, is_foreign=zero > 0, weights=weights, run=zero, fold=zero, instance=np.arange(n),
        class_names=header.class_names, known=np.ones((1, k), dtype=bool),
        training_weight=np.bincount(classes[known], weights[known], minlength=k)[None], choices=(), events={},
    )  # fmt: skip
    return data, answers


@pytest.mark.parametrize("k", [1, 2, 3, 9, 27, 60, 703])
@pytest.mark.parametrize("seed", range(3))
def test_any_answers(java, version, since_395, k, seed):
    """Also the letters of more than 26 classes, fractions, nothing with a class, and one class."""
    rng = np.random.default_rng([seed, k])
    data, answers = random_answers(rng, int(rng.integers(1, 80)), k)
    sent = to_java(data)
    evaluation = java("weka.classifiers.Evaluation")(sent)
    record_predictions(evaluation, sent, answers.proba)
    assert_same_report(version, evaluation, answers)


@pytest.mark.parametrize("k", [2, 27])
def test_answers_of_which_none_has_a_class(java, version, since_395, k):
    data, answers = random_answers(np.random.default_rng(k), 9, k)
    sent = to_java(data)
    evaluation = java("weka.classifiers.Evaluation")(sent)
    unknown = replace(data, values=np.full(data.values.shape, np.nan))
    record_predictions(evaluation, to_java(unknown), answers.proba)
    assert_same_report(version, evaluation, replace(answers, actual=np.full(9, -1)))


def test_quotes(java):
    rng = np.random.default_rng(1)
    quote = java("weka.core.Utils").quote
    for _ in range(500):
        text = "".join(rng.choice(list("ab {}%,'\"\\\t\n\r?\x1e!é"), int(rng.integers(4))))
        assert out_of_fold.weka_quoted(text) == str(quote(text))


def test_numbers(java, version):
    rng = np.random.default_rng(2)
    utils, text = java("weka.core.Utils"), java("java.lang.String")
    numbers = [*rng.random(200), *rng.integers(0, 4000, 200) / 2000, *10.0 ** rng.uniform(-9, 12, 200), 0.0, -0.0625]
    texts = [java_fixed(number, version, places=3) for number in (np.inf, -np.inf, np.nan)]
    assert texts == [str(text.format("%.3f", java("java.lang.Object")[:]([java("java.lang.Double")(number)])))
                     for number in (np.inf, -np.inf, np.nan)]  # fmt: skip
    for number in [*numbers, *(-value for value in numbers[:100])]:
        for width, places in ((12, 4), (3, 0), (6, 2), (2, 3)):
            assert java_aligned(number, width, places, version) == str(utils.doubleToString(number, width, places))
        boxed = java("java.lang.Object")[:]([java("java.lang.Double")(number)])
        assert java_fixed(number, version, places=3) == str(text.format("%.3f", boxed))


# ---- the command line ----


def weka_prints(java, *options):
    """What Weka's own command line prints of J48."""
    j48, words = of_weka(java, "weka.classifiers.trees.J48"), java("java.lang.String")[:]([*map(str, options)])
    return str(java("weka.classifiers.Evaluation").evaluateModel(j48, words))


def weka_reports(java, *options):
    """The same from the title of the evaluation on."""
    printed = weka_prints(java, "-v", "-o", *options)
    return printed[printed.index("===") :]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(["-x", "5"], ["-x", "5"]), (["--split", "0.66", "-s", "3"], ["-split-percentage", "66", "-s", "3"])],
)
@pytest.mark.parametrize("name", ["credit-g", "missing-weights"])
def test_format_weka(java, good, name, ours, theirs):
    path = ARFF / f"{name}.arff"
    heading, _, report = good("evaluate", path, "--format", "weka", *ours).partition("\n\n")
    assert heading.startswith(f"{name}, leaf_frequency; J48 of Weka ")
    assert report == weka_reports(java, "-t", path, *theirs)


def test_format_weka_of_a_test_file(java, good, tmp_path, since_395):
    data = wc.load_arff(ARFF / "missing-weights.arff")
    wc.save_arff(tmp_path / "train.arff", data.take(slice(0, 200)))
    wc.save_arff(tmp_path / "test.arff", data.take(slice(200, None)))
    train, test = str(tmp_path / "train.arff"), str(tmp_path / "test.arff")
    report = good("evaluate", train, "-T", test, "--format", "weka").partition("\n\n")[2]
    assert report == weka_reports(java, "-t", train, "-T", test)


def test_predictions_as_text(java, good, tmp_path):
    path = str(ARFF / "missing-weights.arff")
    good("evaluate", path, "-x", "4", "--predictions", "p.txt", "-q")
    printed = weka_prints(java, "-t", path, "-x", "4", "-p", "0")
    assert (tmp_path / "p.txt").read_text() == printed[printed.index("    inst#") :]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "weka", "--metric", "brier"], "--format weka excludes --metric"),
        (["--format", "weka", "--known", "setosa,virginica"], "--format weka excludes --known"),
        (["--predictions", "p.xlsx"], r"expected a name that ends in \.csv or \.txt"),
    ],
)
def test_refusals(complaint, options, message):
    assert re.search(message, complaint("evaluate", ARFF / "iris.arff", *options))


def test_an_open_set_has_no_such_report(iris):
    found = wc.evaluate(iris, "leaf_frequency", protocol=wc.Protocol(folds=3, known=iris.class_names[::2]))
    with pytest.raises(wc.OptionError, match="has no place for an open set"):
        found.weka_summary()
