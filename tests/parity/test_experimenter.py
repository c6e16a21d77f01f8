"""Our tests of significance, tables and result files against Weka's Experimenter."""

import numpy as np
import pytest
from support.command_line import ARFF
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.bridge._instances import to_java
from wekaconf.evaluation.statistics import paired_t
from wekaconf.report.comparison._compared import MARKS
from wekaconf.report.experimenter import write_experimenter_arff

SETS = ("iris", "wine", "wdbc", "coins", "missing-weights")
SCHEMES = ("leaf_frequency", "leaf_frequency:laplace=true", "m_branch")
COLUMNS = {
    "auc_weighted": "Weighted_avg_area_under_ROC",
    "percent_correct": "Percent_correct",
    "auc_hand_till": "auc_hand_till",
    "brier": "brier",
}
"""Our measures, and the columns of the file that hold the same."""
TESTERS = {"corrected": "PairedCorrectedTTester", "paired": "PairedTTester"}

pytestmark = pytest.mark.filterwarnings("ignore::wekaconf.Note")


def field(java, name):
    """A public field of an object of Java's."""
    return java.getClass().getField(name).get(java)


def weka_tester(java, instances, test):
    """Weka's analyser of results in the layout of `write_experimenter_arff`."""
    made = java(f"weka.experiment.{TESTERS[test]}")()
    made.setInstances(instances)
    made.setDatasetKeyColumns(java("weka.core.Range")("1"))
    made.setRunColumn(1)
    made.setFoldColumn(2)
    made.setResultsetKeyColumns(java("weka.core.Range")("4,5,6"))
    made.setSignificanceLevel(0.05)
    made.setResultMatrix(java("weka.experiment.ResultMatrixPlainText")())
    return made


def measured(names, **protocol):
    found = wc.Evaluation(())
    for name in names:
        found += wc.evaluate(wc.load_arff(ARFF / f"{name}.arff"), SCHEMES, name=name, **protocol)
    return found


@pytest.fixture(scope="module")
def ten_by_ten(jvm, tmp_path_factory):
    """Ten runs of ten folds on five sets, and the file of their figures."""
    found = measured(SETS, runs=10)
    path = tmp_path_factory.mktemp("experimenter") / "results.arff"
    write_experimenter_arff(path, found)
    return found, path


@pytest.fixture
def as_weka_reads(java, ten_by_ten):
    return java("weka.core.converters.ConverterUtils$DataSource").read(str(ten_by_ten[1]))


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTERS)
@pytest.mark.parametrize("measure", COLUMNS)
@pytest.mark.drawn(4)
def test_table_is_that_of_wekas_analyser(java, ten_by_ten, as_weka_reads, measure, test):
    """Means, deviations, p-values and marks of every data set; the marks of an error are the other way round."""
    found, _ = ten_by_ten
    compared = found.compare(measure=measure, test=test)
    column = as_weka_reads.attribute(COLUMNS[measure]).index()
    tester = weka_tester(java, as_weka_reads, test)
    tester.multiResultsetFull(0, column)
    matrix = tester.getResultMatrix()
    assert (matrix.getRowCount(), matrix.getColCount()) == (len(SETS), len(SCHEMES))
    better_if_larger = 1 if compared.larger_is_better else -1
    n_marks = 0
    for i, name in enumerate(SETS):
        assert str(matrix.getRowName(i)).startswith(name)
        specifier = as_weka_reads.instance(i * 100 * len(SCHEMES))
        for j in range(len(SCHEMES)):
            np.testing.assert_allclose(compared.mean[i, j], matrix.getMean(j, i), rtol=0, atol=1e-10)
            if not j:
                continue
            theirs, ours = tester.calculateStatistics(specifier, j, 0, column), compared.tests[i][j]
            numbers = [field(theirs, "differencesProbability"), field(field(theirs, "differencesStats"), "mean")]
            np.testing.assert_allclose([ours.p_value, ours.effect], list(map(float, numbers)), rtol=0, atol=1e-10)
            std = [float(field(field(theirs, stats), "stdDev")) for stats in ("xStats", "yStats")]
            np.testing.assert_allclose(compared.std[i, [j, 0]], std, rtol=0, atol=1e-10)
            assert int(field(theirs, "differencesSignificance")) == ours.sign(0.05)
            # their constants: tie 0, win 1, loss 2; a win of the column is one of the larger value
            shown = {0: 0, 1: 1, 2: -1}[int(matrix.getSignificance(j, i))]
            assert compared.marks[i][j] == MARKS[shown * better_if_larger]
            n_marks += shown != 0
    assert n_marks or measure == "percent_correct", "no mark was compared"


def test_weka_tells_a_scheme_with_costs_from_one_without(java, tmp_path):
    data, costs = wc.load_arff(ARFF / "iris.arff"), wc.CostMatrix.of_text("[0 1 9; 1 0 1; 9 1 0]")
    found = [
        wc.evaluate(data, "leaf_frequency", protocol=wc.Protocol(folds=5, cost_matrix=each)) for each in (None, costs)
    ]
    write_experimenter_arff(tmp_path / "r.arff", found[0] + found[1])
    read = java("weka.core.converters.ConverterUtils$DataSource").read(str(tmp_path / "r.arff"))
    tester = weka_tester(java, read, "corrected")
    tester.multiResultsetFull(0, read.attribute("brier").index())
    matrix = tester.getResultMatrix()
    assert matrix.getColCount() == 2
    means = [float(matrix.getMean(column, 0)) for column in range(2)]
    np.testing.assert_allclose(means, [each[0].record["fold_mean"]["brier"] for each in found], rtol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 10, 100])
@pytest.mark.parametrize("test", TESTERS)
def test_random_values(java, n, test):
    """Also with differences that are all equal, all zero, or tiny."""
    random = np.random.default_rng(n)
    ratio = 1 / 9 if test == "corrected" else 0.0
    drawn = random.normal(0.8, 0.1, (40, 2, n))
    drawn[:10] = drawn[:10].round(1)
    drawn[10, 1], drawn[11, 1] = drawn[10, 0], drawn[11, 0] + 0.25
    drawn[12:20, 1] = drawn[12:20, 0] + random.normal(0, 1e-6, (8, n))
    stats_of = {
        "corrected": lambda: java("weka.experiment.PairedStatsCorrected")(0.05, 1 / 9),
        "paired": lambda: java("weka.experiment.PairedStats")(0.05),
    }
    for first, second in drawn:
        theirs = stats_of[test]()
        for x, y in zip(first.tolist(), second.tolist(), strict=True):
            theirs.add(x, y)
        theirs.calculateDerived()
        ours = paired_t(first, second, test_train_ratio=ratio)
        assert abs(ours.p_value - float(field(theirs, "differencesProbability"))) <= 1e-10
        assert ours.sign(0.05) == int(field(theirs, "differencesSignificance"))


@pytest.mark.parametrize("name", ["iris", "wine", "credit-g"])
def test_figures_are_those_of_wekas_experimenter(java, tmp_path, name):
    """Weka runs J48 itself, twice over ten folds, and every column that both files have is the same."""
    data = wc.load_arff(ARFF / f"{name}.arff")
    evaluator = java("weka.experiment.ClassifierSplitEvaluator")()
    evaluator.setClassifier(java("weka.classifiers.trees.J48")())
    listener = java("weka.experiment.CSVResultListener")()  # which writes all digits; the one for ARFF writes six
    listener.setOutputFile(java("java.io.File")(str(tmp_path / "weka.csv")))
    producer = java("weka.experiment.CrossValidationResultProducer")()
    producer.setSplitEvaluator(evaluator)
    producer.setInstances(to_java(data))
    producer.setResultListener(listener)
    producer.preProcess()
    for run in (1, 2):
        producer.doRun(run)
    producer.postProcess()
    write_experimenter_arff(tmp_path / "ours.arff", wc.evaluate(data, "leaf_frequency", runs=2))
    ours = wc.load_arff(tmp_path / "ours.arff")
    theirs = rows_in(tmp_path / "weka.csv")
    common = [attribute.name for attribute in ours.attributes if attribute.name in theirs[0]]
    assert len(common) == 6 + 21
    for place, attribute in enumerate(ours.attributes):
        column = ours.values[:, place]
        if attribute.name in ("Key_Run", "Key_Fold"):
            assert [attribute.values[int(cell)] for cell in column] == [row[attribute.name] for row in theirs]
        elif attribute.name in common and not attribute.name.startswith("Key_"):
            cells = [float(row[attribute.name].replace("?", "nan")) for row in theirs]
            np.testing.assert_allclose(column, cells, rtol=1e-13, atol=0, err_msg=attribute.name)


def test_one_pair_is_a_sure_difference_to_weka_alone(java):
    theirs = java("weka.experiment.PairedStats")(0.05)
    theirs.add(0.8, 0.7)
    theirs.calculateDerived()
    assert float(field(theirs, "differencesProbability")) == 0
    assert np.isnan(paired_t([0.8], [0.7]).p_value)
