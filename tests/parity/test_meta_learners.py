"""FilteredClassifier, CostSensitiveClassifier and ``--cost-matrix`` against Weka's own, bit for bit."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.csv_rows import rows_in
from support.live_weka import built, cross_validated, of_weka, predictions

import wekaconf as wc
from wekaconf.bridge._instances import to_java
from wekaconf.data import load_cost_matrix
from wekaconf.evaluation.protocol._splits import splits
from wekaconf.model.fit import threshold

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")

ARFF = Path(__file__).parents[2] / "arff"
BUNDLED = ("iris", "wine", "wdbc", "credit-g", "missing-weights", "coins", "waveform-synthetic")
UCI = ("anneal", "autos", "breast-w", "colic", "hepatitis", "labor", "zoo")
META = "weka.classifiers.meta."
BINS = "weka.filters.unsupervised.attribute.Discretize -B 4"
REPLACED = "weka.filters.unsupervised.attribute.ReplaceMissingValues"
MULTI = f'weka.filters.MultiFilter -S 3 -F "{REPLACED}" -F "{BINS}"'
LEARNERS = {
    "J48": "weka.classifiers.trees.J48 -- -M 5",
    "J48 unpruned": "weka.classifiers.trees.J48 -- -U -B -A",
    "REPTree": "weka.classifiers.trees.REPTree -- -S 4",
    "RandomTree": "weka.classifiers.trees.RandomTree -- -K 2 -S 5",
    "RandomForest": "weka.classifiers.trees.RandomForest -- -I 5 -num-slots 2",
    "Bagging": f"{META}Bagging -- -I 4 -W weka.classifiers.trees.J48 -- -U",
}


@pytest.fixture(autouse=True)
def _needs_xml_binding(weka_version):
    if weka_version < (3, 9, 5):
        pytest.skip("FilteredClassifier of older Wekas needs javax.xml.bind, which left Java with version 11")


def scheme_text(name, own, base):
    return f"{META}{name} {own} -W {base}"


def nested(own, name, inner, base):
    """FilteredClassifier around CostSensitiveClassifier."""
    return f"{META}FilteredClassifier {own} -W {META}{name} -- {inner} -W {base}"


def matrix_text(n, rng):
    """Costs, in every second matrix with right answers that are not free."""
    costs = rng.uniform(2, 9, (n, n)).round(3)
    np.fill_diagonal(costs, rng.choice([0, 1.5], n) * rng.integers(2))
    return f"[{'; '.join(' '.join(map(repr, row)) for row in costs.tolist())}]"


def weighted(data, rng):
    return wc.Dataset(data.header, data.values, rng.choice([0.25, 1.0, 1.7, 3.0], len(data)))


def weka_distributions(java, data, k, seed, text):
    return predictions(cross_validated(java, of_weka(java, *text.split(" ", 1)), to_java(data), k, seed))[0]


def ours(data, k, seed, learner, **protocol):
    return wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(folds=k, seed=seed, **protocol), learner=learner)[0]


def bundled(name):
    return wc.load_arff(ARFF / f"{name}.arff")


def check_all(java, data, seed):
    """Both meta learners and both together, over all learners, against Weka; weighted and not."""
    rng = np.random.default_rng(seed)
    for instances in (data, weighted(data, rng)):
        costs = f'-cost-matrix "{matrix_text(data.n_classes, rng)}"'
        for base in LEARNERS.values():
            text = scheme_text("CostSensitiveClassifier", costs, base)
            np.testing.assert_array_equal(
                ours(instances, 3, seed, text).answers.proba, weka_distributions(java, instances, 3, seed, text), text
            )
        for text in (
            scheme_text("FilteredClassifier", f'-F "{BINS}"', LEARNERS["J48"]),
            nested(f'-F "{BINS}"', "CostSensitiveClassifier", costs, LEARNERS["J48 unpruned"]),
            nested(f'-F "{REPLACED}"', "CostSensitiveClassifier", costs, LEARNERS["REPTree"]),
        ):
            np.testing.assert_array_equal(
                ours(instances, 3, seed, text).answers.proba, weka_distributions(java, instances, 3, seed, text), text
            )


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.drawn(4)
def test_equal_to_weka(java, name):
    data = bundled(name)
    some = data.take(np.random.default_rng(1).permutation(len(data))[:300])
    check_all(java, some, 2 + BUNDLED.index(name))


@pytest.mark.parametrize("name", UCI)
def test_equal_to_weka_on_uci_sets(java, load_uci, name):
    check_all(java, load_uci(name), 20 + UCI.index(name))


def trained(java, data, text):
    """A classifier of Weka's, built."""
    return built(java, *text.split(" ", 1), to_java(data))


@pytest.mark.parametrize("n", [2, 3, 5, 12, 40])
def test_files_and_weights_are_those_of_weka(java, tmp_path, n):
    """Many classes, one of them absent and one without costs, since sums depend on their order."""
    rng = np.random.default_rng(n)
    header = wc.Header("many", (wc.Attribute("c", "nominal", tuple(map(str, range(n)))),), 0)
    cells = rng.integers(0, max(n - 1, 2), (500, 1)).astype(float)
    data = wc.Dataset(header, cells, rng.uniform(0, 3, 500))
    costs = wc.CostMatrix.of_text(matrix_text(n, rng))
    if n > 3:
        costs = wc.CostMatrix([[0.0] * n, *costs.costs[1:]]) if costs.costs[0][0] == 0 else costs
    made = java("weka.classifiers.CostMatrix").parseMatlab(str(costs))
    path = tmp_path / "weka.cost"
    writer = java("java.io.FileWriter")(str(path))
    made.write(writer)
    writer.close()
    assert load_cost_matrix(path) == costs
    assert str(wc.CostMatrix.of_text(str(made.toMatlab()))) == str(costs)
    theirs = made.applyCostMatrix(to_java(data), None)
    np.testing.assert_array_equal(costs.weigh(data).weights, [one.weight() for one in theirs])


@pytest.mark.parametrize("name", ["credit-g", "missing-weights"])
def test_least_costly_is_the_answer_of_minus_m(java, name):
    data = bundled(name)
    costs = matrix_text(data.n_classes, np.random.default_rng(len(name)))
    text = scheme_text("CostSensitiveClassifier", f'-M -cost-matrix "{costs}"', LEARNERS["J48"])
    proba = ours(data, 3, 1, "J48 -M 5").answers.proba
    theirs = weka_distributions(java, data, 3, 1, text)
    np.testing.assert_array_equal(np.eye(data.n_classes)[wc.CostMatrix.of_text(costs).least_costly(proba)], theirs)
    if name == "credit-g":
        assert (proba.argmax(axis=1) != theirs.argmax(axis=1)).any()


def test_a_class_that_costs_nothing(java):
    data = bundled("waveform-synthetic")
    text = scheme_text("CostSensitiveClassifier", '-cost-matrix "[0 1 2; 0 0 0; 3 1 0]"', LEARNERS["J48"])
    np.testing.assert_array_equal(ours(data, 3, 1, text).answers.proba, weka_distributions(java, data, 3, 1, text))


def test_filters_taken_apart_are_those_given_beside(java, weka_version):
    if weka_version < (3, 9, 6):
        pytest.skip("MultiFilter has no seed before Weka 3.9.6")
    data = bundled("missing-weights")
    text = scheme_text("FilteredClassifier", f"-F {json.dumps(MULTI)}", LEARNERS["J48"])
    apart, beside = ours(data, 3, 1, text), ours(data, 3, 1, "J48 -M 5", filters=[REPLACED, BINS])
    assert {**apart.record} == {**beside.record}
    np.testing.assert_array_equal(apart.answers.proba, weka_distributions(java, data, 3, 1, text))
    np.testing.assert_array_equal(apart.answers.proba, beside.answers.proba)
    mixed = ours(
        data,
        3,
        1,
        ["FilteredClassifier", "-F", BINS, "-W", "weka.classifiers.trees.J48", "--", "-M", "5"],
        filters=[REPLACED],
    )
    assert {**mixed.record} == {**beside.record}


def test_methods_learn_from_the_weights(java):
    """As if the instances of each training set had been weighted by hand; the answered ones keep their weights."""
    data, costs = bundled("credit-g"), wc.CostMatrix([[0, 1], [5, 0]])
    folds = splits(data, folds=3)
    found = wc.evaluate(data, ["shrinkage", "m_branch"], protocol=wc.Protocol(given=[folds], cost_matrix=costs))
    assert {result.record["cost_matrix"] for result in found} == {"[0 1; 5 0]"}
    for result in found:
        proba = []
        for train, test in folds:
            weighed = costs.weigh(data.take(train))
            tree = wc.grow(weighed)
            proba.append(wc.method(result.record["method"]).fit(tree, weighed).predict_proba(data.take(test)))
        np.testing.assert_array_equal(result.answers.proba, np.concatenate(proba))
        assert (result.answers.weights == 1).all()


def test_thresholds_count_instances_and_not_costs(java):
    data, costs = bundled("credit-g"), wc.CostMatrix([[0, 1], [5, 0]])
    certainty, is_correct = [], []
    for inner, rest in wc.folds(data, 10, 1):
        tree = wc.grow(costs.weigh(data.take(inner)))
        answer = wc.LeafFrequency().fit(tree, costs.weigh(data.take(inner))).answer(data.take(rest))
        certainty.append(answer.certainty)
        is_correct.append(answer.predicted == data.take(rest).class_values)
    expected = wc.choose_threshold(np.concatenate(certainty), np.concatenate(is_correct), target_error=0.3)
    weighed = costs.weigh(data)
    fitted = wc.LeafFrequency().fit(wc.grow(weighed), weighed)
    assert threshold(fitted, data, wc.Aim("error", 0.3), cost_matrix=costs) == expected


def test_one_left_out_has_weights_of_its_own(java):
    """The shorter way to leave-one-out would keep the weights of all instances."""
    data = bundled("iris").take(slice(None, None, 5))
    costs = wc.CostMatrix([[0, 1, 1], [2, 0, 9], [1, 1, 0]])
    short = wc.evaluate(data, "tpce", protocol=wc.Protocol(folds="loo", cost_matrix=costs))[0].answers
    for row in (0, 11, 29):
        train = costs.weigh(data.take(np.delete(np.arange(len(data)), row)))
        tree = wc.InfoGain().grow(train)
        alone = wc.TPCE().fit(tree, train).predict_proba(data.take([row]))
        np.testing.assert_allclose(short.proba[short.instance == row], alone, atol=1e-12)


@pytest.mark.parametrize("learner", ["CART nominal=one_hot", "info_gain", "RandomForest"])
def test_every_learner_heeds_the_weights(java, learner):
    data, costs = bundled("credit-g"), wc.CostMatrix([[0, 1], [9, 0]])
    plain, weighed = (ours(data, 3, 1, learner, cost_matrix=each).answers for each in (None, costs))
    assert (weighed.predicted == 1).mean() > 1.2 * (plain.predicted == 1).mean()


FILTERED = "FilteredClassifier"
THREE = '-cost-matrix "[0 1 1; 5 0 1; 1 1 0]"'
COSTLY, MAPPED = "CostSensitiveClassifier", "InputMappedClassifier"
COSTS = '-cost-matrix "[0 1; 5 0]"'
J48 = "weka.classifiers.trees.J48"
RESAMPLE = "weka.filters.supervised.instance.Resample"
FOREST = "weka.classifiers.trees.RandomForest"
REFUSED = {
    f"{FILTERED} -F {RESAMPLE} -W {J48}": "it gives weka.filters.supervised.instance.Resample a seed",
    f'{FILTERED} -F "{BINS}" -W {FOREST} -- -I 3': f'filters and "{FOREST} -I 3" as the learner',
    f'{FILTERED} -F "{BINS} -spread-attribute-weight" -W {J48}': "attributes have no weights here",
    f"{FILTERED} -W {J48}": "expected a filter, such as -F",
    f'{FILTERED} -F "{BINS}"': "expected the learner of its trees",
    f'{FILTERED} -F "{BINS}" -W weka.classifiers.bayes.NaiveBayes': "no learner 'weka.classifiers.bayes.NaiveBayes'",
    f'{FILTERED} -F "weka.filters.NoSuch" -W {J48}': "valid options are -F",
    f'{FILTERED} -F "{BINS} -W {J48}': "Quote parse error",
    f"{COSTLY} {COSTS} -M -W {J48}": r"-M \(least expected cost\).*CostMatrix.least_costly",
    f"{COSTLY} -W {J48}": "expected a matrix, by -C FILE",
    f"{COSTLY} -C nothing.cost -W {J48}": "nothing.cost: no such file",
    f'{COSTLY} -cost-matrix "[0 a1; 5 0]" -W {J48}': "expected a number as the cost, got 'a1'",
    f"{COSTLY} {THREE} -W {J48}": "expected 2 rows and columns, one per class of 'german_credit'",
    f"{COSTLY} {COSTS} -Q 3 -W {J48}": "Illegal options: -Q 3",
    f'{COSTLY} {COSTS} -W {META}{FILTERED} -- -F "{BINS}" -W {J48}': "put the two the other way round",
    f"{COSTLY} {COSTS} -W {META}{COSTLY} -- {COSTS} -W {J48}": "weighted twice",
    f'{META}Bagging -W {META}{FILTERED} -- -F "{BINS}" -W {J48}': "no mirror behind .*Discretize, which",
    f"{MAPPED} -I -W {J48}": "their names are compared as they are written; leave -I out",
    f'{FILTERED} -F " " -W {J48}': "Invalid filter specification",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_done_as_weka_does_it_is_refused(jvm, text):
    with pytest.raises(wc.OptionError, match=REFUSED[text]):
        ours(bundled("credit-g"), 2, 1, text)


def test_a_matrix_is_given_once(jvm):
    costs = wc.CostMatrix([[0, 1], [5, 0]])
    with pytest.raises(wc.OptionError, match=r"^cost_matrix: the learner, CostSensitiveClassifier, has one"):
        ours(bundled("credit-g"), 2, 1, f"{COSTLY} {COSTS} -W {J48}", cost_matrix=costs)
    with pytest.raises(wc.OptionError, match=r"^cost_matrix: an open set"):
        wc.Protocol(known=["good"], cost_matrix=costs)
    with pytest.raises(wc.OptionError, match=r"^cost_matrix: expected a CostMatrix"):
        wc.Protocol(cost_matrix=[[0, 1], [5, 0]])


def test_a_tree_alone_cannot_filter(jvm):
    with pytest.raises(
        wc.OptionError, match=r"^learner: FilteredClassifier filters the training data, and the tree alone"
    ):
        wc.grow(bundled("iris"), f'{FILTERED} -F "{BINS}" -W {J48}')


@pytest.mark.parametrize("base", [f"{J48} -- -M 5", "weka.classifiers.trees.DecisionStump"])
def test_a_tree_of_costs_or_of_mapped_columns(java, base):
    data = bundled("credit-g")
    for text in (scheme_text("CostSensitiveClassifier", COSTS, base), f"weka.classifiers.misc.{MAPPED} -M -W {base}"):
        theirs = trained(java, data, text)
        expected = [list(theirs.distributionForInstance(one)) for one in to_java(data.without_class_values())]
        np.testing.assert_array_equal(wc.grow(data, text).predict_proba(data), expected)


# ---- command line ----


@pytest.fixture
def costs(tmp_path):
    path = tmp_path / "credit.cost"
    path.write_text("% Rows\tColumns\n2\t2\n% Matrix elements\n0\t1\n5\t0\n")
    return path


def test_evaluate(java, good, costs):
    data = bundled("credit-g")
    written = ["--predictions", "p.csv", "--json"]
    out = good("evaluate", ARFF / "credit-g.arff", "-x", 3, "--learner", "J48 -M 5", "--cost-matrix", costs, *written)
    assert json.loads(out)[0]["cost_matrix"] == "[0 1; 5 0]"
    got = [[float(row[f"distribution_{name}"]) for name in data.class_names] for row in rows_in("p.csv")]
    text = scheme_text("CostSensitiveClassifier", f"-C {costs}", LEARNERS["J48"])
    np.testing.assert_allclose(got, weka_distributions(java, data, 3, 1, text), rtol=1e-11)


@pytest.mark.parametrize("own", ["", "--filter"])
def test_predict(java, good, costs, own):
    """A model holds the filters and the tree of the weighted instances."""
    data, path = bundled("missing-weights"), ARFF / "missing-weights.arff"
    costs.write_text(f"{data.n_classes} {data.n_classes}\n" + "0 1 2\n3 0 1\n1 9 0\n"[: data.n_classes * 6])
    inner = f"{META}{COSTLY} -- -C {costs} -W {J48} -- -U"
    scheme = f'{META}{FILTERED} -F "{BINS}" -W {inner}'
    words = ["--filter", BINS, "--learner", "J48 -U", "--cost-matrix", costs] if own else ["--learner", scheme]
    good("predict", "-t", path, "-T", path, *words, "-o", "out.csv", "-d", "m.wct")
    model = wc.load("m.wct")
    theirs = trained(java, data, scheme)
    expected = [list(theirs.distributionForInstance(one)) for one in to_java(data.without_class_values())]
    np.testing.assert_array_equal(model.predict_proba(data), expected)
    assert len(model.filters) == 1 and model.method.tree_.options == "-U"
    good("predict", "-l", "m.wct", "-T", path, "-o", "again.csv")
    assert Path("out.csv").read_text() == Path("again.csv").read_text()


def test_complaints_name_the_option(refused, costs):
    said = refused("evaluate", ARFF / "iris.arff", "--cost-matrix", costs)
    assert said.startswith("--cost-matrix: expected 3 rows and columns, one per class")

    Path("m.wct").write_text("")
    said = refused("predict", "-l", "m.wct", "-T", ARFF / "iris.arff", "--cost-matrix", costs, codes=(2,))
    assert "excludes --cost-matrix" in said
    said = refused("tree", ARFF / "credit-g.arff", "--cost-matrix", costs, "--learner", f"{COSTLY} {COSTS} -W {J48}")
    assert said.startswith("--cost-matrix: the learner, CostSensitiveClassifier, has one")
