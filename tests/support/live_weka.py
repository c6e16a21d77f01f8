"""What Weka itself does, asked through its own API: the oracle of parity. ``java`` gives a Java class by its name."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from wekaconf.bridge._instances import from_java, to_java
from wekaconf.data import Attribute, Dataset
from wekaconf.data.arff import load_arff, save_arff
from wekaconf.evaluation.measures import _ranking as ranking
from wekaconf.evaluation.measures import _scoring as scoring
from wekaconf.tree._forest import Forest


def differences(model, mirrored, test):
    """What a mirror answers otherwise than Weka, and its compiled form otherwise than its numpy form, in words."""
    theirs, ours = model.distributions(test), mirrored.predict_proba(test)
    if not np.array_equal(ours, theirs, equal_nan=True):
        yield f"distributions by {np.abs(ours - theirs).max(initial=0)}"
    classified = model.classifications(test)
    if not np.array_equal(mirrored.classify(test), np.where(np.isnan(classified), -1, classified)):
        yield "classifications"
    yield from unlike_forms(mirrored, test)


def in_milliseconds(mirrored):
    """The same tree or forest on numbers in place of dates: Weka prints dates as numbers, and we print dates."""
    if isinstance(mirrored, Forest):
        return replace(mirrored, trees=tuple(map(in_milliseconds, mirrored.trees)))
    attributes = [Attribute(one.name) if one.kind == "date" else one for one in mirrored.header.attributes]
    return replace(mirrored, header=replace(mirrored.header, attributes=tuple(attributes)))


def unlike_forms(mirrored, test):
    """Where the compiled form of routing answers otherwise than the numpy form, in words."""
    start = np.zeros(len(test), dtype=np.int32)
    for tree in mirrored.trees if isinstance(mirrored, Forest) else (mirrored,):
        ours = tree.router.distributions_numpy(test.values, start)
        if not np.array_equal(tree.router.distributions_compiled(test.values, start), ours, equal_nan=True):
            yield "the compiled form from the numpy form"


def weka_folds(java, data, k, seed):
    """Weka's folds as row numbers, which travel as weights: those play no part in the shuffle."""
    instances = to_java(Dataset(data.header, data.values, np.arange(len(data), dtype=np.float64)))
    random = java("java.util.Random")(seed)
    instances.randomize(random)
    if instances.classAttribute().isNominal():
        instances.stratify(k)
    for i in range(k):
        train, test = instances.trainCV(k, i, random), instances.testCV(k, i)
        yield tuple([int(part.instance(row).weight()) for row in range(part.numInstances())] for part in (train, test))


def of_weka(java, class_name, options=""):
    """An object of a class of Weka's, with its options."""
    made = java(class_name)()
    made.setOptions(java("weka.core.Utils").splitOptions(options))
    return made


def built(java, class_name, options, instances):
    """A classifier of Weka's that has learned from instances of Weka's."""
    classifier = of_weka(java, class_name, options)
    classifier.buildClassifier(instances)
    return classifier


def cross_validated(java, classifier, instances, k, seed):
    """The Evaluation that holds what Weka's own cross-validation predicts."""
    evaluation = java("weka.classifiers.Evaluation")(instances)
    evaluation.crossValidateModel(classifier, instances, k, java("java.util.Random")(seed))
    return evaluation


def read_file(java, path):
    """Weka's Instances as its ArffLoader reads them, the last attribute their class."""
    loader = java("weka.core.converters.ArffLoader")()
    loader.setFile(java("java.io.File")(str(path)))
    instances = loader.getDataSet()
    instances.setClassIndex(instances.numAttributes() - 1)
    return instances


def read_by_weka(java, data):
    """Weka's Instances as its ArffLoader reads them from the file that `save_arff` writes; ArffError if it cannot."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder) / "data.arff")
        save_arff(path, data)
        assert load_arff(path, class_attribute=data.class_index + 1) == data
        instances = read_file(java, path)
    instances.setClassIndex(data.class_index)
    return instances


def weka_filter(java, class_name, options, train, test):
    """What a filter of Weka's, fitted on the training data, makes of both."""
    filters, own = java("weka.filters.Filter"), of_weka(java, class_name, options)
    sent = to_java(train)
    own.setInputFormat(sent)
    return [from_java(filters.useFilter(part, own)) for part in (sent, to_java(test))]


def record_predictions(evaluation, instances, proba):
    """Hand the distributions of some of Weka's instances to an Evaluation."""
    for instance, row in zip(instances, proba, strict=True):
        evaluation.evaluateModelOnceAndRecordPrediction(row.tolist(), instance)


def predictions(evaluation):
    """Distributions, classes (−1 when missing) and weights that an Evaluation holds."""
    stored = list(evaluation.predictions())
    actual = np.array([float(one.actual()) for one in stored])
    return (
        np.array([list(one.distribution()) for one in stored]),
        np.where(np.isnan(actual), -1, actual).astype(np.int64),
        np.array([float(one.weight()) for one in stored]),
    )


def both_metrics(evaluation, n_classes):
    """Ours and Weka's: share correct, weighted area, and the area of every class."""
    arrays = predictions(evaluation)
    ours = [scoring.percent_correct(*arrays) / 100, ranking.auc_weighted(*arrays), *ranking.areas_under_roc(*arrays)]
    theirs = [evaluation.pctCorrect() / 100, evaluation.weightedAreaUnderROC()]
    theirs += [evaluation.areaUnderROC(c) for c in range(n_classes)]
    return np.array(ours), np.array(theirs, dtype=np.float64)
