"""Promises of our classifiers in Weka: the thresholds and answers of ``predict``, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from support.command_line import ARFF, words
from support.java_classes import of_wrapper
from test_weka_classifiers import PACKAGE, distributions, java

import wekaconf as wc
from wekaconf.evaluation.thresholds import draw_rows

pytestmark = [pytest.mark.jvm, pytest.mark.filterwarnings("ignore::wekaconf.Note")]

PROMISE = ("-target-error", "0.1", "-confidence", "0.9")
WDBC = ARFF / "wdbc.arff"


def built(weka, data, name="MBranch", options=PROMISE):
    classifier = weka.classifier(PACKAGE + name, options=list(options))
    classifier.build_classifier(weka.instances(data))
    return classifier


def without_classes(data, share):
    """The data with a share of the classes missing."""
    values = data.values.copy()
    values[np.random.default_rng(1).random(len(data)) < share, data.header.class_index] = np.nan
    return wc.Dataset(data.header, values)


# -- equal to predict --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "learner", "name", "options"),
    [
        ("m_branch", "J48", "MBranch", ["-W", PACKAGE + "J48"]),
        ("leaf_frequency", "RandomForest", "LeafFrequency", ["-W", PACKAGE + "RandomForest"]),
        ("boundary_distance:scaling=z", "CART", "BoundaryDistance", ["-scaling", "z", "-W", PACKAGE + "CART"]),
        ("wpe:numeric=bins", "J48", "WPE", ["-numeric", "bins"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("target", ["0.06", "M=0.1,B=0.05", "M=0.2", "0.001"])
@pytest.mark.drawn(4)
def test_thresholds_and_answers_are_those_of_predict(weka, good, tmp_path, method, learner, name, options, target):
    data = without_classes(wc.load_arff(WDBC), 0.1)
    wc.save_arff(tmp_path / "train.arff", data)
    good("predict", "-t", "train.arff", "--method", method, "--learner", learner, "--target-error", target,
         "--confidence", "0.9", "--calibrate", "0.4", "--threshold-from", "training", "-d", "m.wct")  # fmt: skip
    model = wc.load(tmp_path / "m.wct")
    classifier = built(weka, data, name, ["-target-error", target, "-confidence", "0.9", "-calibrate", "0.4", *options])
    mirror = wc.mirror(classifier)
    assert mirror.choice == model.choice and mirror.method.params == model.method.params
    np.testing.assert_array_equal(mirror.seen.digests, model.seen.digests)
    wanted = model.predict_proba(data)
    wanted[model.reject(data)] = 0
    assert distributions(classifier, weka.instances(data)).tobytes() == wanted.tobytes()


def test_evaluation_of_weka_holds_out_as_ours(weka):
    data, aim = wc.load_arff(WDBC), wc.Aim("error", 0.1, 0.9)
    evaluated = wc.Protocol(folds=4, seed=1, aim=aim, threshold_from="training")
    evaluation = weka.evaluation(weka.instances(data))
    classifier = weka.classifier(PACKAGE + "MBranch", options=list(PROMISE))
    evaluation.crossvalidate_model(classifier, weka.instances(data), 4, weka.random(1))
    [(_, answers)] = wc.evaluate(data, ["m_branch"], protocol=evaluated)
    assert 0 < evaluation.unclassified == answers.rejected.sum()
    assert evaluation.correct == (answers.is_correct & ~answers.rejected).sum()


def test_the_tree_does_not_grow_on_the_rows_that_calibrate(weka):
    data = wc.load_arff(WDBC)
    tree = wc.grow(data.take(~draw_rows(len(data), 0.3)))
    np.testing.assert_array_equal(wc.mirror(built(weka, data)).method.tree_.class_weight, tree.class_weight)


@pytest.mark.parametrize(
    ("method", "target", "options"),
    [
        ("m_branch", 0.1, ["-target-error", "0.1", "-confidence", "0.9"]),
        ("m_branch", {"M": 0.1, "B": 0.05}, ["-target-error", "M=0.1,B=0.05", "-confidence", "0.9"]),
        ("id3_sd", 0.2, ["-target-error", "0.2", "-confidence", "0.9"]),
    ],
)  # fmt: skip
def test_a_promise_from_python(weka, method, target, options):
    """The arguments of ``as_weka`` are the options of Weka."""
    data = wc.load_arff(WDBC)
    classifier = wc.as_weka(method, "J48 -M 5", target_error=target, confidence=0.9, calibrate=0.4)
    name = type(wc.method(method)).__name__
    by_options = built(weka, data, name, [*options, "-calibrate", "0.4", "-W", PACKAGE + "J48", "--", "-M", "5"])
    assert classifier.to_commandline() == by_options.to_commandline()
    classifier.build_classifier(weka.instances(data))
    assert wc.mirror(classifier).choice == wc.mirror(by_options).choice
    assert wc.mirror(classifier).choice.aim == wc.Aim("error", target, 0.9)


def test_targets_of_classes_with_odd_names(weka):
    data = wc.load_arff(WDBC)
    names = ('a, "b"', "x=1")
    attributes = list(data.attributes)
    attributes[data.class_index] = replace(data.header.class_attribute, values=names)
    data = replace(data, header=replace(data.header, attributes=tuple(attributes)))
    classifier = wc.as_weka("m_branch", target_error=dict.fromkeys(names, 0.1), confidence=0.9)
    classifier.build_classifier(weka.instances(data))
    assert [promise.class_name for promise in wc.mirror(classifier).choice.promises] == [*names]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"confidence": 0.9}, "as_weka: confidence belongs to a promise; give target_error, too"),

        ({"target_error": 0.1}, "as_weka: target_error is a promise, so it needs a confidence"),
        ({"target_error": 0.1, "confidence": 0.9, "reject": 0.5}, "as_weka: reject is a threshold, and target_error"),
        ({"target_error": 0.0, "confidence": 0.9}, "as_weka: target_error must be more than 0 and less than 1"),

        ({"target_error": 0.1, "confidence": 0.9, "calibrate": 30}, "as_weka: calibrate: expected a share of the "),
        ({"method": wc.CART(), "target_error": 0.1, "confidence": 0.9}, "is a learner, which reads no trees of"),
    ],
)  # fmt: skip
def test_promises_that_python_refuses(given, said):
    with pytest.raises(wc.OptionError, match=said):
        wc.as_weka(**{"method": "m_branch"} | given)


# -- what is said ------------------------------------------------------------------------------------------------------


def test_what_is_promised_is_printed(weka):
    classifier = built(weka, wc.load_arff(WDBC))
    [promised] = wc.mirror(classifier).choice.promises
    heading, said, _ = str(classifier).split("\n\n", 2)
    assert heading == "MBranch on J48 -C 0.25 -M 2"
    assert words(said) == (
        f"threshold {promised.threshold:.6g}: with confidence 90 %, at most 10 % of the answers given are wrong; of "
        f"171 calibration rows it answers {promised.answered}, {promised.wrong} of them wrong"
    )
    assert all(len(line) <= 100 for line in said.splitlines())


def test_a_class_without_a_promise(weka):
    classifier = built(weka, wc.load_arff(WDBC), options=["-target-error", "M=0.2", "-confidence", "0.9"])
    assert "\nevery answer 'B' is given, without a promise\n" in str(classifier)


def test_too_few_instances(weka, iris):
    """Nothing is answered, and the output says why and what can be promised."""
    few = iris.take(slice(0, None, 7)).take(slice(20))
    classifier = built(weka, few)
    assert "it takes at least 22 answers without an error, and there are 6 calibration rows, 16 too few" in words(
        classifier
    )
    assert not distributions(classifier, weka.instances(iris)).any()


def test_one_class(weka):
    data = wc.load_arff(WDBC)
    values = data.values.copy()
    values[:, data.header.class_index] = 0
    classifier = built(weka, wc.Dataset(data.header, values))
    assert "of 171 calibration rows it answers 171, 0 of them wrong" in words(classifier)


# -- options -----------------------------------------------------------------------------------------------------------


def test_options_come_back(weka, java):
    """Also of a copy."""
    name, given = "MBranch", ["-target-error", "yes=0.02,no=0.1", "-confidence", "0.95", "-calibrate", "0.25"]
    wrapped = weka.classifier(PACKAGE + name, options=given)
    classifier = of_wrapper(wrapped)
    for each in (classifier, java("weka.classifiers.AbstractClassifier").makeCopy(classifier)):
        written = list(map(str, each.getOptions()))
        assert [part for part in given if part in written] == given
        assert (str(each.getTargetError()), each.getPromiseConfidence(), each.getCalibrate()) == (given[1], 0.95, 0.25)
    wrapped.options = []
    plain = weka.classifier(PACKAGE + name)
    assert list(classifier.getOptions()) == list(of_wrapper(plain).getOptions())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-confidence", "95"], "-confidence: expected a probability between 0 and 1, both excluded, such as 0.95, "),
        (["-confidence", "1"], "both excluded, such as 0.95, got 1"),
        (["-confidence", "high"], "-confidence: expected a number, got 'high'"),
        (["-calibrate", "30"], "-calibrate: expected a share of the training instances, between 0 and 1, "),
        (["-target-errors", "1"], "; expected -m, -target-error, -confidence, -calibrate, -reject, each once"),
    ],
)  # fmt: skip
def test_values_that_are_refused_at_once(weka, options, said):
    with pytest.raises(Exception) as raised:
        weka.classifier(PACKAGE + "MBranch", options=options)
    assert said in words(raised.value)


def refusal(weka, data, options, name="MBranch"):
    """What a classifier says that is built on the data."""
    with pytest.raises(Exception) as raised:
        built(weka, data, name, options)
    return words(raised.value)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("MBranch", ["-target-error", "0.1"], "give MBranch the option -confidence, too, such as -confidence 0.95"),
        ("MBranch", ["-confidence", "0.9"], "-confidence belongs to a promise: give MBranch the option -target-error"),

        ("MBranch", [*PROMISE, "-reject", "0.9"], "-target-error finds one: give MBranch one of the two"),
        ("MBranch", ["-target-error", "2 %", "-confidence", "0.9"], "-target-error expects a share in [0, 1], "),
        ("MBranch", ["-target-error", "0", "-confidence", "0.9"], "-target-error must be more than 0 and less than 1"),
        ("MBranch", ["-target-error", "X=0.1", "-confidence", "0.9"], "-target-error: no class 'X'; there are 'M'"),
    ],
)  # fmt: skip
def test_options_that_are_refused_when_it_is_built(weka, name, options, said):
    assert said in refusal(weka, wc.load_arff(WDBC), options, name)


def test_weights_are_refused(weka):
    data = wc.load_arff(WDBC)
    weighted = wc.Dataset(data.header, data.values, 1.0 + np.arange(len(data)) % 2)
    said = refusal(weka, weighted, PROMISE)
    assert "not binomial; give rows of equal weight, or leave -target-error out" in said


def test_nothing_calibrates(weka, iris):
    assert "there is no calibration row whose class is known, so nothing can be promised" in refusal(
        weka, iris.take(slice(1)), PROMISE
    )


@pytest.mark.parametrize("meta", ["AdaBoostM1", "FilteredClassifier"])
def test_meta_classifiers_are_refused(weka, meta, iris):
    classifier = weka.classifier(f"weka.classifiers.meta.{meta}", options=["-W", PACKAGE + "MBranch", "--", *PROMISE])
    with pytest.raises(Exception) as raised:
        classifier.build_classifier(weka.instances(iris))
    assert (
        "-target-error promises how often MBranch itself errs, on instances drawn as its training instances, and "
        f"{meta} changes these or its answers: leave -target-error out, or use MBranch without {meta}"
    ) in words(raised.value)


def test_a_member_that_is_built_on_a_thread_is_refused(weka, iris):
    """Bagging loses what its threads throw; the member throws it again when it is asked."""
    options = ["-num-slots", "2", "-I", "2", "-W", PACKAGE + "MBranch", "--", *PROMISE]
    bagging, sent = weka.classifier("weka.classifiers.meta.Bagging", options=options), weka.instances(iris)
    bagging.build_classifier(sent)
    with pytest.raises(Exception, match="-target-error promises how often MBranch itself errs"):
        bagging.distribution_for_instance(sent.get_instance(0))


# -- saved -------------------------------------------------------------------------------------------------------------


def test_saved_and_opened_elsewhere(weka, run, tmp_path):
    """By Weka in another process, through the pipe, and by our command line, which knows the promise."""
    from weka.core import serialization

    data = wc.load_arff(WDBC)
    classifier = built(weka, data, options=["-target-error", "0.05", "-confidence", "0.9"])
    serialization.write(str(tmp_path / "own.model"), classifier)
    is_rejected = ~distributions(classifier, weka.instances(data)).any(axis=1)
    assert 0 < is_rejected.sum() < len(data)
    done = java(PACKAGE + "MBranch", "-l", tmp_path / "own.model", "-T", WDBC)
    assert done.returncode == 0, done.stderr
    assert f"UnClassified Instances {is_rejected.sum()} " in words(done.stdout)
    ended = run("predict", "-l", "own.model", "-T", WDBC, "-o", "o.csv")
    assert ended.code == 0 and f"{is_rejected.sum()} rejected" in words(ended.err)
    ended = run("check", "own.model", WDBC)
    assert ended.code == 1 and "569 rows of 569 grew or calibrated the model" in words(ended.err)
