"""``--preprocess`` of ``wekaconf evaluate`` and ``wekaconf tree``."""

import json

import numpy as np
import pytest
from support.command_line import HEADER, MISSING, NAMING, WINE, arff
from support.csv_rows import rows_in

import wekaconf as wc
from wekaconf.evaluation.preprocessing import fit_preprocessing
from wekaconf.report import trees


@pytest.mark.filterwarnings("ignore::wekaconf.Note")
@pytest.mark.parametrize(
    ("ending", "fitted_on", "words"),
    [
        ("", "whole set", "\npreprocessing wang2006, fitted on the whole set; pooled answers\n"),
        (":per-fold", "each training set", "\npreprocessing wang2006, fitted on each training set; "),
    ],
)
def test_evaluate_preprocessed(good, tmp_path, ending, fitted_on, words):
    command = ("evaluate", MISSING, "-q", "-x", 4, "--preprocess", f"wang2006{ending}")
    printed = good(*command, "--records", "r.csv")
    [record] = json.loads(good(*command, "--json"))
    assert record["preprocess"] == {"name": "wang2006", "fitted_on": fitted_on}
    assert words in printed
    [row] = rows_in(tmp_path / "r.csv")
    assert (row["preprocess.name"], row["preprocess.fitted_on"]) == ("wang2006", fitted_on)
    data = wc.load_arff(MISSING)
    protocol = wc.Protocol(folds=4, preprocess="wang2006", per_fold=bool(ending))
    [expected] = wc.evaluate(data, "leaf_frequency", protocol=protocol).records
    assert record["pooled"] == expected["pooled"]
    [plain] = json.loads(good("evaluate", MISSING, "-q", "-x", 4, "--json"))
    assert plain["pooled"] != record["pooled"]


def test_evaluate_preprocessed_on_a_test_file(good, tmp_path):
    """The whole set is both files; fitted on the training set, the test file has no say."""
    arff(tmp_path / "train.arff", HEADER + "".join(f"{x},{y},{c}\n" for x, y, c in [(0, "p", "a"), (10, "q", "b")] * 9))
    arff(tmp_path / "test.arff", HEADER + "1000,p,a\n-900,q,b\n100,p,b\n")
    command = ("evaluate", "train.arff", "-T", "test.arff", "--json", "--preprocess")
    [[whole], [per_fold]] = [json.loads(good(*command, name)) for name in ("wang2006", "wang2006:per-fold")]
    data = wc.load_arff(tmp_path / "train.arff").join(wc.load_arff(tmp_path / "test.arff"))
    rows = [(np.arange(18), np.arange(18, 21))]
    for record, fold in ((whole, False), (per_fold, True)):
        protocol = wc.Protocol(given=[rows], preprocess="wang2006", per_fold=fold)
        [expected] = wc.evaluate(data, "leaf_frequency", protocol=protocol).records
        assert record["pooled"]["brier"] == expected["pooled"]["brier"]
    assert whole["pooled"]["brier"] != per_fold["pooled"]["brier"]
    assert whole["protocol"] == "tested on test"


def test_nothing_left_to_learn_from(refused, tmp_path):
    arff(tmp_path / "d.arff", HEADER.replace("x numeric", "x {1,2,3,4}").replace("{p,q}", "{p,q,r,s}") + NAMING)
    for command in (["evaluate", "-x", "2"], ["tree"], ["predict", "-T", "d.arff", "-t"]):
        message = refused(command[0], *command[1:], "d.arff", "--preprocess", "wang2006")
        assert message.startswith("'d': there are nearly as many values of 'x', 'y' as instances (4)")


def test_tree_preprocessed(good):

    output = fit_preprocessing(wc.load_arff(WINE), "wang2006").output
    told = good("tree", WINE, "--preprocess", "wang2006", "--learner", "J48 -M 5")
    assert told == trees.render_text(wc.grow(output, "J48", "-M 5"))
    assert "'(-inf-" in told
