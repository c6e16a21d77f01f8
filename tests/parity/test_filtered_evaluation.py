"""``--filter`` and ``Protocol(filters=…)`` against Weka's FilteredClassifier, bit for bit."""

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_in
from support.live_weka import cross_validated, predictions

import wekaconf as wc
from wekaconf.bridge import fit_filter
from wekaconf.bridge._instances import to_java
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.evaluation.protocol._splits import splits

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

FILTERS = {
    "bins": "weka.filters.unsupervised.attribute.Discretize -B 4",
    "entropy": "weka.filters.supervised.attribute.Discretize -R first-last",
    "components": "weka.filters.unsupervised.attribute.PrincipalComponents -R 0.95",
    "replaced": "weka.filters.unsupervised.attribute.ReplaceMissingValues",
    "removed": "weka.filters.unsupervised.attribute.Remove -R 1",
    "standardised": "weka.filters.unsupervised.attribute.Standardize",
    "binary": "weka.filters.unsupervised.attribute.NominalToBinary",
    "selected": "weka.filters.supervised.attribute.AttributeSelection",
}
NOT_WITH_WEIGHTS = {"components", "entropy", "selected"}
"""Weka refuses these filters where weights differ, or where a class is missing."""
CASES = [(name, what) for name in ("iris", "credit-g", "missing-weights") for what in FILTERS]


def filtered_classifier(java, *texts):
    made = java("weka.classifiers.meta.FilteredClassifier")()
    one = texts[0] if len(texts) == 1 else " ".join(["weka.filters.MultiFilter", *(f'-F "{text}"' for text in texts)])
    made.setOptions(java("java.lang.String")[:](["-F", one, "-W", "weka.classifiers.trees.J48"]))
    return made


def weka_distributions(java, data, k, seed, *texts):
    return predictions(cross_validated(java, filtered_classifier(java, *texts), to_java(data), k, seed))[0]


def ours(data, k, seed, *texts, **options):
    return wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(folds=k, seed=seed, filters=texts, **options))[0]


@pytest.mark.parametrize(("name", "what"), CASES)
def test_equal_to_filtered_classifier(java, name, what):
    data = wc.load_arff(ARFF / f"{name}.arff")
    if name == "missing-weights" and what in NOT_WITH_WEIGHTS:
        with pytest.raises(wc.OptionError, match="cannot be applied to 'missing-weights"):
            ours(data, 3, 2, FILTERS[what])
        return
    record, answers = ours(data, 3, 2, FILTERS[what])
    np.testing.assert_array_equal(answers.proba, weka_distributions(java, data, 3, 2, FILTERS[what]))
    assert record["filters"] == [FILTERS[what]]


def test_several_filters_one_after_the_other(java):
    data = wc.load_arff(ARFF / "credit-g.arff")
    texts = FILTERS["removed"], FILTERS["binary"], FILTERS["bins"]
    np.testing.assert_array_equal(ours(data, 3, 1, *texts)[1].proba, weka_distributions(java, data, 3, 1, *texts))


def test_each_fold_has_filters_of_its_own(wine):
    """Cut points of all instances would be those of the test instances, too."""
    whole = fit_filter(wine, *FILTERS["entropy"].split(" ", 1)).output
    runs = [splits(wine, folds=5)]
    honest = wc.evaluate(wine, "leaf_frequency", protocol=wc.Protocol(given=runs, filters=[FILTERS["entropy"]]))[0]
    leaking = wc.evaluate(whole, "leaf_frequency", protocol=wc.Protocol(given=runs))[0]
    assert not np.array_equal(honest.answers.proba, leaking.answers.proba)


def test_filters_follow_the_preprocessing():
    data = wc.load_arff(ARFF / "missing-weights.arff")
    both = ours(data, 3, 1, FILTERS["bins"], preprocess="median", per_fold=True)[1].proba
    median = fit_preprocessing(data, "median").output
    assert not np.array_equal(both, ours(data, 3, 1, FILTERS["bins"])[1].proba)
    assert both.shape == ours(median, 3, 1, FILTERS["bins"])[1].proba.shape


def test_an_open_set_fits_on_the_known_classes(iris):
    found = ours(iris, 3, 1, FILTERS["entropy"], known=iris.class_names[:2])
    assert found.record["outcomes"] and not found.answers.proba[:, 2].any()


@pytest.mark.parametrize("what", ["bins", "standardised"])
def test_predict_equals_filtered_classifier(run, good, java, tmp_path, what, wine):
    train, test = wine.take(np.arange(0, 178, 2)), wine.take(np.arange(1, 178, 2))
    wc.save_arff("train.arff", train)
    wc.save_arff("test.arff", test)
    dump = ["-d", "m.wct"] if what == "bins" else []
    good("predict", "-t", "train.arff", "-T", "test.arff", "--filter", FILTERS[what], "-o", "a.csv", *dump)
    model = filtered_classifier(java, FILTERS[what])
    model.buildClassifier(to_java(wc.load_arff("train.arff")))
    theirs = np.array([list(model.distributionForInstance(one)) for one in to_java(wc.load_arff("test.arff"))])
    rows = rows_in("a.csv")
    proba = [[float(row[f"distribution_{name}"]) for name in wine.class_names] for row in rows]
    np.testing.assert_allclose(proba, theirs, rtol=1e-11)
    if dump:
        good("predict", "-l", "m.wct", "-T", "test.arff", "-o", "b.csv")
        assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
        code, _, err = run("predict", "-l", "m.wct", "-T", "test.arff", "--filter", FILTERS[what])
        assert code == 2 and "-l takes a model that is fitted already, so it excludes --filter" in err


def test_a_filter_that_lives_in_java_is_not_saved(run, tmp_path):
    path = ARFF / "wine.arff"
    code, _, err = run(
        "predict", "-t", path, "-T", path, "--filter", FILTERS["standardised"], "-d", "m.wct", "-o", "a.csv"
    )
    assert code == 1 and "Standardize" in err and "Traceback" not in err
    assert not (tmp_path / "m.wct").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weka.filters.NoSuchFilter", "NoSuchFilter"),
        ("weka.filters.unsupervised.attribute.Discretize -Z 3", "-Z"),
        ("weka.filters.unsupervised.attribute.Remove -R last", "it changes or removes the class, class"),
        ("weka.filters.unsupervised.instance.RemoveWithValues -S 5 -C 1", "those that are asked about must stay"),
        ("", "filter"),
    ],
)
def test_refusals(run, text, message):
    code, _, err = run("evaluate", ARFF / "iris.arff", "-x", 3, "--filter", text)
    assert code == 1 and message in err and "Traceback" not in err


@pytest.mark.parametrize("filters", [FILTERS["bins"], [1]])
def test_filters_are_a_list_of_texts(filters):
    with pytest.raises(wc.OptionError, match="expected a list of filters, each a text"):
        wc.Protocol(filters=filters)
