"""Our methods as classifiers of Weka: equal to what Python answers, whoever in Weka asks."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.command_line import ARFF, ROOT
from support.fresh_python import child
from support.java_classes import of_wrapper

import wekaconf as wc
from wekaconf.base.errors import NotFittedError
from wekaconf.bridge._instances import to_java
from wekaconf.bridge._java import JAR, find_java
from wekaconf.model import scheme

pytestmark = [pytest.mark.jvm, pytest.mark.filterwarnings("ignore::wekaconf.Note")]

PACKAGE = "weka.classifiers.trees."
METHODS = {
    "boundary_distance": "iris", "confdtree": "wine", "confdtree:variant=tdist,routes=false": "wine",
    "curtailment:min_weight=3": "wdbc", "id3_max": "iris", "id3_sd:alpha=0.1": "iris", "kukar_kononenko": "iris",
    "leaf_frequency:laplace=true": "wine", "ling_yan": "iris", "m_branch": "wine", "shrinkage": "credit-g",
    "shrinkage_wpe:numeric=bins": "iris", "tpce": "iris", "wpe:numeric=bins": "wine",
}  # fmt: skip


def class_path():
    import weka.core.jvm as wrapper

    return os.pathsep.join(map(str, [*sorted(Path(wrapper.lib_dir()).glob("*.jar")), JAR]))


def java(*arguments, **environment):
    """What a Java of its own prints; Python answers it through the pipe."""
    home, _ = find_java()
    env = os.environ | {"WEKACONF_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)} | environment
    command = [str(home / "bin" / "java"), "-Djava.awt.headless=true", "-cp", class_path(), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=300, check=False)


def distributions(classifier, data):
    """One by one, since Weka's Evaluation asks for all at once."""
    return np.array([classifier.distribution_for_instance(data.get_instance(i)) for i in range(data.num_instances)])


# -- equal to ours ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "name"), METHODS.items())
def test_evaluation_of_weka_is_ours(weka, method, name):
    """Percent correct exactly, the weighted AUC at 1e-12, every distribution and certainty bit for bit."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    if name == "wdbc":
        data = data.take(slice(0, None, 3))
    sent, classifier = weka.instances(data), wc.as_weka(method, reject=0)
    evaluation = weka.evaluation(sent)
    evaluation.crossvalidate_model(classifier, sent, 4, weka.random(1))
    [(record, _)] = wc.evaluate(data, [method], folds=4, seed=1)
    assert evaluation.percent_correct == record["pooled"]["percent_correct"]
    assert abs(evaluation.weighted_area_under_roc - record["pooled"]["auc_weighted"]) <= 1e-12
    classifier.build_classifier(sent)
    fitted = scheme.parse_method(method)
    fitted.fit(wc.grow(data, *scheme.usual_learner(fitted)), data)
    few = data.take(slice(0, None, 7))
    asked = weka.instances(few)
    of_weka = distributions(classifier, asked)
    assert of_weka.tobytes() == fitted.predict_proba(few).tobytes()
    assert np.array(classifier.distributions_for_instances(asked)).tobytes() == of_weka.tobytes()
    model = wc.mirror(classifier)
    assert model.certainty(few).tobytes() == fitted.certainty(few).tobytes()
    assert model.method.params == fitted.params


@pytest.mark.parametrize("name", ["anneal", "autos", "breast-w", "colic", "glass", "labor", "sonar", "soybean", "zoo"])
@pytest.mark.slow
@pytest.mark.drawn(4)
def test_uci_sets(weka, load_uci, name):
    data = load_uci(name)
    sent = weka.instances(data)
    for method in ("confdtree", "m_branch"):
        evaluation = weka.evaluation(sent)
        evaluation.crossvalidate_model(wc.as_weka(method), sent, 10, weka.random(1))
        [(record, _)] = wc.evaluate(data, [method], seed=1)
        assert evaluation.percent_correct == record["pooled"]["percent_correct"]
        assert abs(evaluation.weighted_area_under_roc - record["pooled"]["auc_weighted"]) <= 1e-12


@pytest.mark.parametrize("learner", ["REPTree", "RandomTree -S 3", "C44", "RandomForest -I 5", "CART prune=none",
                                     "Bagging -I 3 -W weka.classifiers.trees.REPTree", "info_gain"])  # fmt: skip
def test_every_learner(weka, learner, wine):
    classifier, sent = wc.as_weka("confdtree", learner), weka.instances(wine)
    classifier.build_classifier(sent)
    fitted = wc.ConfDTree()
    fitted.fit(wc.grow(wine, learner), wine)
    assert distributions(classifier, sent).tobytes() == fitted.predict_proba(wine).tobytes()


def test_own_learners_are_classifiers_too(weka, iris):
    sent = weka.instances(iris)
    for name, options, learner in (
        ("CART", ["-prune", "none"], wc.CART(prune="none")),
        ("InfoGain", [], wc.InfoGain()),
    ):
        classifier = weka.classifier(PACKAGE + name, options=options)
        assert wc.as_weka(learner).to_commandline() == classifier.to_commandline()
        classifier.build_classifier(sent)
        tree = wc.grow(iris, learner)
        assert distributions(classifier, sent).tobytes() == tree.predict_proba(iris).tobytes()
        assert str(classifier).count("\n") > 5 and classifier.graph.startswith("digraph")
        assert wc.mirror(classifier).method.tree_.n_nodes == tree.n_nodes


def test_a_certainty_that_equals_the_threshold_is_enough(weka, wine):
    sent, certainty = weka.instances(wine), wc.mirror(built(weka, wine, reject=0)).certainty(wine)
    for threshold in np.unique(certainty)[1:4].tolist():
        is_rejected = ~distributions(built(weka, wine, reject=threshold), sent).any(axis=1)
        assert (is_rejected == (certainty < threshold)).all() and (certainty[~is_rejected] == threshold).any()


def built(weka, data, **options):
    """Our classifier in Weka, built."""
    classifier = wc.as_weka("leaf_frequency", **options)
    classifier.build_classifier(weka.instances(data))
    return classifier


def test_rejected_answers_are_unclassified(weka, wine):
    sent = weka.instances(wine)
    evaluation, certain = weka.evaluation(sent), 0.8
    evaluation.crossvalidate_model(wc.as_weka("confdtree", reject=certain), sent, 10, weka.random(1))
    [(_, answers)] = wc.evaluate(wine, ["confdtree"], seed=1)
    given = answers.certainty >= certain
    assert 0 < given.sum() < len(wine)
    assert evaluation.unclassified == (~given).sum()
    assert evaluation.correct == answers.is_correct[given].sum()
    classifier = wc.as_weka("confdtree", reject=certain)
    classifier.build_classifier(sent)
    assert list(of_wrapper(classifier).enumerateMeasures())[-2:] == ["measureMeanCertainty", "measurePercentRejected"]
    distributions(classifier, sent)
    model = wc.mirror(classifier)
    assert model.threshold == certain
    assert of_wrapper(classifier).getMeasure("measureMeanCertainty") == pytest.approx(
        model.certainty(wine).mean(), abs=1e-12
    )
    assert of_wrapper(classifier).getMeasure("measurePercentRejected") == 100 * model.reject(wine).mean()


@pytest.mark.parametrize("method", ["id3_sd:alpha=0.1", "id3_max", "kukar_kononenko:supervised=true"])
def test_the_rule_of_the_method_rejects(weka, method, iris):
    """Unless the user gives a threshold."""
    sent, classifier = weka.instances(iris), wc.as_weka(method)
    evaluation = weka.evaluation(sent)
    evaluation.crossvalidate_model(classifier, sent, 4, weka.random(1))
    [(_, answers)] = wc.evaluate(iris, [method], folds=4, seed=1)
    assert 0 < evaluation.unclassified == answers.rejected.sum()
    assert evaluation.correct == (answers.is_correct & ~answers.rejected).sum()
    classifier.build_classifier(sent)
    is_rejected = ~distributions(classifier, sent).any(axis=1)
    model = wc.mirror(classifier)
    assert model.choice is None and (is_rejected == model.reject(iris)).all()
    assert of_wrapper(classifier).getMeasure("measurePercentRejected") == pytest.approx(100 * is_rejected.mean())


def test_the_scale_of_the_threshold(weka, iris):
    """Told where it is asked for; a value that no certainty has is refused, but for infinity: nothing is answered."""
    tip = str(of_wrapper(wc.as_weka("id3_sd")).rejectTipText())
    assert "The certainty is the smallest two-sided tail probability" in tip and "in [0, 1]" in tip
    assert "NaN: the rule of the method" in tip
    told = wc.as_weka("boundary_distance").to_help()
    assert "The certainty is the distance to the nearest region of another class" in " ".join(told.split())
    for reject in ("7", "-1"):
        with pytest.raises(Exception, match=f"0 rejects nothing, inf everything; got {reject}"):
            weka.classifier(PACKAGE + "ConfDTree", options=["-reject", reject])
    for given, said in (("high", "must be a number, got 'high'"), (7, "got 7"), (-1, "got -1"), (np.nan, "got nan")):
        with pytest.raises(wc.OptionError, match=f"as_weka: reject: .*{said}"):
            wc.as_weka("confdtree", reject=given)
    sent, classifier = weka.instances(iris), wc.as_weka("boundary_distance", reject=np.inf)
    classifier.build_classifier(sent)
    assert not distributions(classifier, sent).any()
    how = r"J48.* is Weka's own; make it with Classifier\('weka.classifiers.trees.J48', options=\['-M', '5'\]\)"
    with pytest.raises(wc.OptionError, match=how):
        wc.as_weka(wc.J48("-M 5"))
    assert " -reject 7 " in wc.as_weka("boundary_distance", reject=7).to_commandline()


# -- as Weka wants its classifiers ------------------------------------------------------------------------------------


def test_sources_are_what_python_declares():
    command = [sys.executable, ROOT / "scripts" / "build_classifiers.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def of_j48():
    return java("weka.classifiers.CheckClassifier", "-W", PACKAGE + "J48").stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ConfDTree", "Curtailment", "MBranch", "LeafFrequency", "LingYan", "Shrinkage"])
@pytest.mark.drawn(3)
def test_check_classifier(of_j48, name):
    """Through the pipe: a report equal to that of J48."""
    assert "yes" in of_j48
    checked = java("weka.classifiers.CheckClassifier", "-W", PACKAGE + name)
    assert checked.stdout.replace(name, "J48") == of_j48


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_options_and_tool_tips(weka):
    for name in (name.rpartition(".")[2] for name in scheme.class_names()):
        options = java("weka.core.CheckOptionHandler", "-W", PACKAGE + name).stdout
        assert options.count("...yes") == 6 and "...no" not in options, options
        tips = java("weka.core.CheckGOE", "-W", PACKAGE + name).stdout
        assert tips.count("...yes") == 2 and "...no" not in tips, tips


def test_parameters_are_options(weka):
    """Every parameter comes through with its value."""
    given = {"min_instances": 7, "z_other": 1.5, "fines": False,
             "level_other": 0.875, "variant": "norm"}  # fmt: skip
    classifier = wc.as_weka(wc.ConfDTree(**given))
    assert " -fines false " in f"{classifier.to_commandline()} "
    classifier.build_classifier(weka.instances(wc.load_arff(ARFF / "iris.arff")))
    assert wc.mirror(classifier).method.params == wc.ConfDTree(**given).params


def test_choices_are_shown_as_they_are_written(weka):
    """In the property editor, which shows a tag's text."""
    classifier = weka.classifier(PACKAGE + "ConfDTree", options=["-variant", "norm"])
    variant = of_wrapper(classifier).getVariant()
    assert [str(tag.getReadable()) for tag in variant.getTags()] == ["comb", "norm", "tdist"]
    assert str(variant.getSelectedTag().getReadable()) == "norm"
    assert "-variant norm " in classifier.to_commandline()
    fitted = wc.as_weka("tpce:alpha=2", wc.InfoGain(min_weight=3))
    fitted.build_classifier(weka.instances(wc.load_arff(ARFF / "iris.arff")))
    assert str(fitted).startswith("TPCE -alpha 2.0 on InfoGain -min_weight 3.0\n")
    assert "-missing" not in weka.classifier(PACKAGE + "CART").to_commandline()  # a choice of one is none


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("ConfDTree", ["-variant", "tdits"], "-variant: expected one of comb, norm, tdist, got 'tdits'"),
        ("ConfDTree", ["-level_other", "1.5"], "-level_other: expected a number from 0 to 1, got 1.5"),
        ("ConfDTree", ["-min_instances", "x"], "-min_instances: expected a whole number, got 'x'"),
        ("ConfDTree", ["-routes", "maybe"], "-routes: expected true or false, got 'maybe'"),
        ("ID3SD", ["-alpha", "2"], "-alpha: expected a number between 0 and 1, both excluded, or none, got 2"),
    ],
)
def test_wrong_options(weka, name, options, said):
    with pytest.raises(Exception, match=said.replace("(", r"\(")):
        weka.classifier(PACKAGE + name, options=options)


@pytest.mark.parametrize(
    ("options", "misplaced", "learner", "line"),
    [
        ("-variant tdist -U -M 5", "-U -M 5", "J48", "-U -M 5"),
        (f"-W {PACKAGE}REPTree -M 5 -- -L 3", "-M 5", "REPTree", "-M 5 -L 3"),
    ],
)
def test_options_of_the_learner_come_last(weka, options, misplaced, learner, line):
    """The line that is told is taken."""
    with pytest.raises(Exception) as raised:
        weka.classifier(PACKAGE + "ConfDTree", options=options.split())
    told = str(raised.value).partition("ConfDTree: ")[2].splitlines()
    line = f"-W {PACKAGE}{learner} -- {line}"
    assert told == [f"{misplaced} is for {learner}, whose options come last:", line]
    given = of_wrapper(weka.classifier(PACKAGE + "ConfDTree", options=line.split())).getClassifier()
    fresh = weka.classifier(PACKAGE + learner, options=line.split()[3:])
    assert list(given.getOptions()) == list(of_wrapper(fresh).getOptions())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (f"-W {PACKAGE}REPTree -varaint tdist",
         r"ConfDTree: illegal options -varaint tdist; expected -variant, .* -reject, each once, and last those of the "
         rf"learner: -W {PACKAGE}REPTree -- <options of REPTree>$"),
        ("-C 0.1 -fine .2 -fine .3", "ConfDTree: illegal options -C 0.1 -fine .3; expected .* each once"),
        (f"-output-debug-info -W {PACKAGE}REPTree -- -Z", "Illegal options: -Z"),
    ],
)  # fmt: skip
def test_illegal_options(weka, options, said):
    with pytest.raises(Exception) as raised:
        weka.classifier(PACKAGE + "ConfDTree", options=options.split())
    assert re.search(said, " ".join(str(raised.value).split()))


def test_an_option_of_the_learner_on_the_command_line_of_weka():
    printed = java(PACKAGE + "ConfDTree", "-t", ARFF / "iris.arff", "-C", "0.1").stderr
    assert f"\n-W {PACKAGE}J48 -- -C 0.1\n" in printed and "ConfDTree: -C 0.1 is for J48" in printed
    done = java(PACKAGE + "ConfDTree", "-t", ARFF / "iris.arff", "-no-cv", "-W", PACKAGE + "J48", "--", "-C", "0.1")
    assert done.returncode == 0 and "Correctly Classified" in done.stdout, done.stderr


# -- refusals ---------------------------------------------------------------------------------------------------------


def refusal(weka, name, data, options=()):
    """What a classifier says that is built on data."""
    with pytest.raises(Exception) as raised:
        weka.classifier(name, options=list(options)).build_classifier(weka.instances(data))
    return " ".join(str(raised.value).split())


def test_what_cannot_be_learned_from(weka, iris):
    for name in ("WPE", "ShrinkageWPE"):
        said = refusal(weka, PACKAGE + name, iris)
        assert "Cannot handle numeric attributes! Choose -numeric bins, or discretize them." in said
    nominal = "Cannot handle multi-valued nominal attributes! Choose -nominal one_hot of CART, or make them numeric."
    credit = wc.load_arff(ARFF / "credit-g.arff")
    refusing = ["-nominal", "refuse"]
    assert nominal in refusal(weka, PACKAGE + "CART", credit, refusing)
    assert nominal in refusal(weka, PACKAGE + "BoundaryDistance", credit, ["-W", PACKAGE + "CART", "--", *refusing])
    votes = wc.Dataset.from_arrays(np.array([["y", "n"], ["n", "n"], ["y", "y"]]), ["a", "b", "b"])
    binary = "Cannot handle binary attributes! Choose -nominal one_hot of CART, or make them numeric."
    assert binary in refusal(weka, PACKAGE + "CART", votes, refusing)
    assert "Cannot handle numeric class" in refusal(weka, PACKAGE + "ConfDTree", iris.with_class(1))
    said = refusal(weka, PACKAGE + "ConfDTree", iris, ["-W", "weka.classifiers.bayes.NaiveBayes"])
    assert "cannot read what weka.classifiers.bayes.NaiveBayes learns; it reads trees of J48, REPTree" in said
    for member in ("CART", "InfoGain", "RandomForest"):
        options = ["-W", "weka.classifiers.meta.Bagging", "--", "-W", PACKAGE + member]
        said = refusal(weka, PACKAGE + "ConfDTree", iris, options)
        assert f"cannot read what Bagging with weka.classifiers.trees.{member} learns" in said
    said = refusal(weka, PACKAGE + "WPE", iris, ["-W", PACKAGE + "RandomForest"])
    assert "WPE reads one tree, not the many of RandomForest" in said
    said = refusal(weka, PACKAGE + "TPCE", iris, ["-W", PACKAGE + "J48"])
    how = "grow it with the learner InfoGain (-W), or give -inner J48, with which TPCE grows trees of J48"
    assert f"TPCE reads trees of InfoGain, got one of J48; {how}" in said
    said = refusal(weka, PACKAGE + "TPCE", iris, ["-inner", "J48"])
    assert "TPCE reads trees of J48, got one of InfoGain; grow it with the learner J48 (-W), or give -inner" in said
    said = refusal(weka, PACKAGE + "ID3SD", iris, ["-alpha", ".1", "-p_total", ".9"])
    assert "ID3SD: give -alpha or -p_total, from which alpha follows, not both" in said
    said = refusal(weka, PACKAGE + "WPE", iris, ["-numeric", "some"])
    assert "-numeric: expected one of refuse, bins, got 'some'" in said
    with pytest.raises(Exception, match=r"-W: there is no classifier weka\.classifiers\.trees\.Nonsense in this Weka"):
        weka.classifier(PACKAGE + "ConfDTree", options=["-W", PACKAGE + "Nonsense"])


def test_hardly_any_instances(weka, iris):
    """On none ConfDTree answers as J48 does, with zeros, which Weka counts as unclassified."""
    sent, classifier, one = weka.instances(iris), wc.as_weka("confdtree"), iris.take(slice(1))
    classifier.build_classifier(weka.instances(iris.take(slice(0))))
    assert not distributions(classifier, sent).any()
    classifier.build_classifier(weka.instances(one))
    fitted = wc.ConfDTree().fit(wc.grow(one), one)
    assert distributions(classifier, sent).tobytes() == fitted.predict_proba(iris).tobytes()
    none = to_java(iris.take(slice(0)))
    assert len(of_wrapper(classifier).distributionsForInstances(none)) == 0


def test_members_tell_what_failed(weka):
    """Bagging on threads loses a member's exception; asked for an answer, the member throws it."""
    options = ["-num-slots", "2", "-I", "4", "-W", PACKAGE + "TPCE", "--", "-W", PACKAGE + "J48"]
    bagging, data = weka.classifier("weka.classifiers.meta.Bagging", options=options), wc.load_arff(ARFF / "iris.arff")
    sent = weka.instances(data)
    bagging.build_classifier(sent)
    with pytest.raises(Exception, match=r"TPCE: TPCE reads trees of InfoGain"):
        bagging.distribution_for_instance(sent.get_instance(0))
    printed = java("weka.classifiers.meta.Bagging", "-t", ARFF / "iris.arff", "-no-cv", *options).stderr
    assert "TPCE: TPCE reads trees of InfoGain, got one of J48" in " ".join(printed.split())


def many_rows(path, n, n_classes=300):
    """Rows of as many classes, which one number tells apart."""
    rows = (f"{row % n_classes},v{row % n_classes}\n" for row in range(n))
    classes = ",".join(f"v{c}" for c in range(n_classes))
    path.write_text(f"@relation r\n@attribute a numeric\n@attribute c {{{classes}}}\n@data\n{''.join(rows)}")
    return path


def told(heap, train, test, **environment):
    """What Weka says of the answers to a file."""
    arguments = ["-t", train, "-T", test, "-v", "-o", "-W", PACKAGE + "J48", "--", "-M", "1"]
    return " ".join(java(f"-Xmx{heap}", PACKAGE + "LeafFrequency", *arguments, **environment).stderr.split())


@pytest.mark.parametrize("heap", ["24m", "36m"])
def test_an_answer_that_java_has_no_memory_for(tmp_path, heap):
    """19 MB: neither for receiving it, nor for reading it."""
    said = told(heap, many_rows(tmp_path / "train.arff", 300), many_rows(tmp_path / "test.arff", 8000))
    assert (
        f"Java ran out of memory (Java heap space) with a heap of {heap[:-1]} MiB; start it with a larger one" in said
    )


@pytest.mark.slow
@pytest.mark.one_commit_in(3)
def test_more_cells_than_an_array_of_java_holds(tmp_path):
    wide, files = 8000, [tmp_path / "train.arff", tmp_path / "test.arff"]
    names = "".join(f"@attribute a{a} numeric\n" for a in range(wide - 1))
    for path, rows in zip(files, ("{0 1}\n{0 2,7999 y}\n" * 4, "{}\n" * 270000), strict=True):
        path.write_text(f"@relation r\n{names}@attribute c {{x,y}}\n@data\n{rows}")
    assert "Exception: the 2160000000 cells of these data are more than one Java array holds; use" in told("1g", *files)


def test_before_it_is_built(weka):
    classifier, sent = wc.as_weka("confdtree"), weka.instances(wc.load_arff(ARFF / "iris.arff"))
    assert str(classifier) == "ConfDTree: no classifier built yet"
    with pytest.raises(Exception, match="ConfDTree: no classifier built yet"):
        classifier.distribution_for_instance(sent.get_instance(0))
    with pytest.raises(NotFittedError, match="not trained"):
        wc.mirror(classifier)
    with pytest.raises(wc.OptionError, match="no class in Weka"):
        wc.as_weka("confdtree", wc.InfoGainBagging())
    for given, got in ((3, "got int"), (wc.ConfDTree, "got the class ConfDTree")):
        with pytest.raises(wc.OptionError, match=f"expected a method such as wekaconf.ConfDTree.., {got}"):
            wc.as_weka(given)
    with pytest.raises(wc.OptionError, match="is a learner, which reads no trees"):
        wc.as_weka(wc.CART(), "J48")
    with pytest.raises(wc.OptionError, match="as_weka: options are those of a learner; give learner, too"):
        wc.as_weka("confdtree", options="-U")


# -- in the hands of Weka ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [
    "weka.classifiers.meta.Bagging -I 3 -num-slots 2", "weka.classifiers.meta.AdaBoostM1 -I 3",
    "weka.classifiers.meta.FilteredClassifier -F weka.filters.unsupervised.attribute.Standardize",
    "weka.classifiers.meta.MultiClassClassifier", "weka.classifiers.meta.CVParameterSelection -P \"z_other 1 2 2\"",
])  # fmt: skip
def test_meta_classifiers(weka, options, iris):
    from weka.core.classes import split_options

    name, *parts = split_options(options)
    sent = weka.instances(iris)
    evaluation = weka.evaluation(sent)
    evaluation.crossvalidate_model(weka.classifier(name, options=[*parts, "-W", PACKAGE + "ConfDTree"]), sent, 3,
                                   weka.random(1))  # fmt: skip
    assert evaluation.percent_correct > 85


@pytest.mark.parametrize("meta", [
    ["weka.classifiers.meta.AdaBoostM1", "-I", "2"],
    ["weka.classifiers.meta.CostSensitiveClassifier", "-M", "-cost-matrix", "[0 1 1; 1 0 1; 1 1 0]"],
])  # fmt: skip
def test_meta_classifiers_take_rejections_for_the_first_class(weka, meta, wine):
    """Of which docs/in-weka.md warns, and the classifier too."""
    others = wine.take(wine.class_values > 0)
    options = [*meta[1:], "-W", PACKAGE + "ConfDTree", "--", "-reject", "0.9"]
    classifier = weka.classifier(meta[0], options=options)
    classifier.build_classifier(weka.instances(wine))
    answered = np.array(classifier.distributions_for_instances(weka.instances(others)))
    assert answered.any(axis=1).all()
    plain = wc.ConfDTree().fit(wc.grow(wine), wine).predict(others)
    assert (answered.argmax(axis=1) == 0).sum() > (plain == 0).sum() + 3


ADA_BOOST, COSTLY = "AdaBoostM1", "CostSensitiveClassifier with -M"
EQUAL_COSTS = ["-M", "-cost-matrix", "[0 1 1; 1 0 1; 1 1 0]"]


@pytest.mark.parametrize(
    ("meta", "options", "said"),
    [
        (["AdaBoostM1", "-I", "3"], ["ID3SD", "--", "-alpha", "0.1"], [("ID3SD", "0.1", ADA_BOOST)]),
        (["CostSensitiveClassifier", *EQUAL_COSTS], ["ID3Max"], [("ID3Max", "0.5", COSTLY)]),
        (["AdaBoostM1", "-I", "3"], ["ID3SD", "--", "-alpha", "0.1", "-reject", "0"], []),
        (["Bagging", "-I", "3"], ["ConfDTree", "--", "-reject", "0.9"], []),
    ],
)  # fmt: skip
@pytest.mark.drawn(2)
def test_a_warning_where_rejections_are_taken_for_the_first_class(meta, options, said):
    """Once, however many members are built, and only where answers are rejected."""
    command = [f"weka.classifiers.meta.{meta[0]}", "-t", ARFF / "iris.arff", "-x", "3", "-v", *meta[1:]]
    done = java(*command, "-W", PACKAGE + options[0], *options[1:])
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line.startswith("Warning: ")]
    assert warnings == [
        f"Warning: {name} gives no answer below the certainty {below}, which {owner} takes for the first class, "
        f"setosa; give {name} the option -reject 0, so that it always predicts"
        for name, below, owner in said
    ]


def test_saved_and_opened_elsewhere(weka, tmp_path, wine):
    """By Weka's own command line in another process, through the pipe, and by Python without Java."""
    from weka.core import serialization

    classifier, sent = wc.as_weka("confdtree:variant=tdist"), weka.instances(wine)
    classifier.build_classifier(sent)
    path = str(tmp_path / "conf.model")
    serialization.write(path, classifier)
    wanted = distributions(classifier, sent)
    assert wc.mirror(path).predict_proba(wine).tobytes() == wanted.tobytes()
    done = java(PACKAGE + "ConfDTree", "-l", path, "-T", ARFF / "wine.arff", "-p", "0", "-distribution")
    assert done.returncode == 0, done.stderr
    of_weka = [line.split()[-1].replace("*", "") for line in done.stdout.splitlines() if ":" in line]
    assert len(of_weka) == len(wine)
    printed = np.array([list(map(float, row.split(","))) for row in of_weka])
    np.testing.assert_allclose(printed, wanted, atol=5e-4)
    again = serialization.read(path)
    assert distributions(weka.classifier(jobject=again), sent).tobytes() == wanted.tobytes()


def test_in_the_hands_of_meta_classifiers_that_have_a_mirror_or_none(weka, tmp_path, iris):
    from weka.core import serialization

    sent, path = weka.instances(iris), tmp_path / "meta.model"
    options = ["-F", "weka.filters.supervised.attribute.Discretize", "-W", PACKAGE + "WPE", "--", "-reject", "0.9"]
    filtered = weka.classifier("weka.classifiers.meta.FilteredClassifier", options=options)
    filtered.build_classifier(sent)
    serialization.write(str(path), filtered)
    wanted = distributions(filtered, sent)
    for model in (wc.mirror(filtered), wc.mirror(path, train=iris)):
        answered = model.predict_proba(iris)
        answered[model.reject(iris)] = 0
        assert 0 < model.reject(iris).sum() < len(iris) and answered.tobytes() == wanted.tobytes()
    bagging = weka.classifier("weka.classifiers.meta.Bagging", options=["-I", "2", "-W", PACKAGE + "MBranch"])
    bagging.build_classifier(sent)
    serialization.write(str(path), bagging)
    with pytest.raises(wc.OptionError, match=r"Bagging has no mirror with members of .*MBranch; they must be J48"):
        wc.mirror(bagging)
    with pytest.raises(wc.ModelFileError, match=r"holds a Bagging of .*MBranch; its members must be J48"):
        wc.mirror(path)


def test_a_model_from_a_stranger(weka, tmp_path):
    """The model file inside is checked as any other."""
    from weka.core import serialization

    sent = weka.instances(wc.load_arff(ARFF / "iris.arff"))
    classifier = wc.as_weka("confdtree")
    classifier.build_classifier(sent)
    path = tmp_path / "conf.model"
    serialization.write(str(path), classifier)
    content = path.read_bytes()
    at = content.index(b"PK\x03\x04")
    path.write_bytes(content[:at] + b"XXXX" + content[at + 4 :])
    with pytest.raises(wc.ModelFileError, match="not a model that wekaconf saved, or damaged"):
        wc.mirror(path)
    done = java(PACKAGE + "ConfDTree", "-l", path, "-T", ARFF / "iris.arff", "-p", "0")
    assert "the model in the classifier: not a model that wekaconf saved, or damaged" in done.stdout + done.stderr


STARTED_BY_THE_WRAPPER = """
import logging, sys, weka.core.jvm as wrapper
wrapper.start(logging_level=logging.ERROR)
import wekaconf as wc
wc.about()
from weka.classifiers import Classifier, Evaluation
from weka.core import serialization
from weka.core.classes import Random
from weka.core.converters import load_any_file
data = load_any_file(sys.argv[1])
data.class_is_last()
members = ["-I", "4", "-num-slots", "2", "-W", "weka.classifiers.trees.ConfDTree"]
alone = Classifier("weka.classifiers.trees.ConfDTree")
many = Classifier("weka.classifiers.meta.Bagging", options=members)
for classifier in (alone, many):
    evaluation = Evaluation(data)
    evaluation.crossvalidate_model(classifier, data, 5, Random(1))
    print(evaluation.percent_correct > 90)
    classifier.build_classifier(data)
    serialization.write(sys.argv[2], classifier)
    again = Classifier(jobject=serialization.read(sys.argv[2]))
    row = data.get_instance(70)
    print((again.distribution_for_instance(row) == classifier.distribution_for_instance(row)).all())
wrapper.stop()
"""


@pytest.mark.one_commit_in(3)
def test_in_a_virtual_machine_that_the_wrapper_has_started(tmp_path):
    """There our jar has a class loader of its own; by name, in threads of Bagging and from a file they are found."""
    assert child(STARTED_BY_THE_WRAPPER, ARFF / "iris.arff", tmp_path / "own.model") == "True\n" * 4


SIX_DECIMALS = 5.001e-7
"""How far a number may be from one that Weka has written into an ARFF file."""


def test_experimenter(weka, tmp_path, wine):
    """Its results per fold are ours, and the certainty is among the measures."""
    from weka.core.converters import load_any_file
    from weka.experiments import SimpleCrossValidationExperiment

    path, runs, folds = str(tmp_path / "results.arff"), 2, 5
    schemes = [wc.as_weka("confdtree"), weka.classifier(PACKAGE + "J48")]
    experiment = SimpleCrossValidationExperiment(
        datasets=[str(ARFF / "wine.arff")], classifiers=schemes, runs=runs, folds=folds, result=path
    )
    experiment.setup()
    experiment.run()
    results = wc.Dataset.from_weka(load_any_file(path))
    column = {attribute.name: place for place, attribute in enumerate(results.attributes)}
    [(_, ours), (_, plain)] = wc.evaluate(wine, ["confdtree", "leaf_frequency"], folds=folds, runs=runs, seed=1)
    assert "measureMeanCertainty" in column and len(results) == 2 * runs * folds
    for answers, rows in ((ours, results.values[: runs * folds]), (plain, results.values[runs * folds :])):
        split = answers.run * folds + answers.fold
        wanted = [100 * answers.is_correct[split == i].mean() for i in range(runs * folds)]
        np.testing.assert_allclose(rows[:, column["Percent_correct"]], wanted, rtol=0, atol=SIX_DECIMALS)
    mean = [ours.certainty[ours.run * folds + ours.fold == i].mean() for i in range(runs * folds)]
    measured = results.values[: runs * folds, column["measureMeanCertainty"]]
    np.testing.assert_allclose(measured, mean, rtol=0, atol=SIX_DECIMALS)


MANY_FITS = """
import gc, sys
import wekaconf as wc
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
wc.configure(max_heap="64m")
sent = to_java(wc.load_arff(sys.argv[1]))
def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * 4 // 1024
for i in range(141):
    classifier = wc.as_weka("confdtree").jobject
    jvm.call("build", classifier, sent)
    jvm.call("distributions", classifier, sent)
    if i == 70:
        before = resident()
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the resident memory from /proc")
@pytest.mark.one_commit_in(3)
def test_many_fits_leave_nothing_behind():
    """In a heap of 64 MiB; Python's side grows by less than 8 MiB in the second half of 140 fits."""
    assert int(child(MANY_FITS, ARFF / "wine.arff")) < 8


# -- bad input --------------------------------------------------------------------------------------------------------


def odd(name):
    """A data set that is odd in one way."""
    x, y = wc.Attribute("x"), wc.Attribute("-W", "nominal", ("-variant tdist", 'it\'s "two"'))
    values = np.array([[1.0, 0, 0], [2, 1, 1], [3, 0, 0], [4, 1, 1]] * 5)
    header = wc.Header("odd", (x, y, wc.Attribute("c c", "nominal", ("a", "b"))), 2)
    weights = np.ones(len(values))
    if name == "a string attribute":
        header = wc.Header("odd", (x, wc.Attribute("s", "string", ("u", "v")), header.attributes[2]), 2)
    if name == "no class":
        header = wc.Header("odd", header.attributes, -1)

    if name == "classes missing":
        values[::3, 2] = np.nan
    if name == "all classes missing":
        values[:, 2] = np.nan
    if name == "weights of zero":
        weights[::2] = 0
    if name == "all weights zero":
        weights[:] = 0
    return wc.Dataset(header, values, weights)


@pytest.mark.parametrize("name", ["names like options", "classes missing", "weights of zero", "all weights zero"])
def test_odd_data_are_learned_from(weka, name):
    """As Python learns from them, where it does; where it refuses, in its words."""
    data = odd(name)
    sent, classifier = weka.instances(data), wc.as_weka("m_branch")
    try:
        fitted = wc.MBranch()
        fitted.fit(wc.grow(data), data)
    except wc.OptionError:
        classifier.build_classifier(sent)
        assert np.isfinite(distributions(classifier, sent)).all()
        return
    classifier.build_classifier(sent)
    assert distributions(classifier, sent).tobytes() == fitted.predict_proba(data).tobytes()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a string attribute", "Cannot handle string attributes"),
        ("no class", "Class attribute not set"),
        ("all classes missing", ""),
    ],
)
def test_odd_data_are_refused_as_by_j48(weka, name, said):
    sent = weka.instances(odd(name))
    told = []
    for classifier in ("J48", "ConfDTree"):
        try:
            weka.classifier(PACKAGE + classifier).build_classifier(sent)
            told.append("")
        except Exception as error:
            told.append(str(error).replace("ConfDTree", "J48"))
    assert said in told[0] and told[0] == told[1]
