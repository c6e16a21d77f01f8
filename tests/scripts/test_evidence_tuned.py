"""The study with parameters that nested cross-validation chooses: the draw, the choice, its records and its section."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from _records import pack, unpack
from evidence import tuned
from evidence.figures import TWINS
from evidence.measuring import study
from evidence.measuring.study import CLOSED, Part
from evidence.page import page
from evidence.records import BASE, Scheme
from evidence.tuning import nested
from evidence.tuning.grids import GRIDS, candidates
from evidence.tuning.nested import MEASURES, TunedPart, best
from opinions.halves import is_design
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from support.small_data import small
from which_method import RECORDS

import wekaconf as wc
from wekaconf.evaluation.protocol.protocol import Protocol
from wekaconf.evaluation.statistics import signed_rank
from wekaconf.evaluation.summary import fold_values
from wekaconf.experiments.advising.rivals import RIVALS, answers_of_rivals
from wekaconf.model.scheme import label_of, parse_method

ARFF = Path(__file__).parents[2] / "arff"
FOREST, M_BRANCH = Scheme("rivals", "random forest"), Scheme("J48", "m_branch")
ABOUT = {"command": "python x --tuned", "versions": {"wekaconf": "0"}, "missing": []}


def noisy(n=80, seed=5, is_missing=lambda _: False):
    """Numbers and a nominal attribute with missing values, and classes that follow them loosely; one is rare."""
    random = np.random.default_rng(seed)
    number = random.normal(size=n)
    target = ["u" if value + random.normal() > 0 else "v" for value in number]
    target[3] = target[11] = "rare"
    return small(
        a=[None if i % 9 == 0 else value for i, value in enumerate(number)],
        b=(("p", "q", "r"), [None if i % 7 == 0 else "pqr"[i % 3] for i in range(n)]),
        c=random.normal(size=n).tolist(),
        target=(("u", "rare", "v", "never"), [None if is_missing(i) else name for i, name in enumerate(target)]),
    )


# -- grids and draw ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", GRIDS, ids=str)
def test_the_first_candidate_is_the_default_and_all_differ(scheme):
    first, *others = candidates(scheme)
    assert others and first not in others and len({json.dumps(each) for each in others}) == len(others)
    if scheme.learner != "rivals":
        assert first["learner"] == scheme.learner
        labels = {label_of(parse_method(scheme.method, **each)) for each in candidates(scheme)}
        assert label_of(parse_method(scheme.method, **first)) == label_of(parse_method(scheme.method))
        assert len(labels) * len(GRIDS[scheme]["learner"]) == len(candidates(scheme))
        return
    defaults = {
        "hierarchical shrinkage": DecisionTreeClassifier(max_leaf_nodes=20),  # imodels' own default
        "random forest": RandomForestClassifier(),
        "gradient boosting": HistGradientBoostingClassifier(),
    }
    known = defaults[scheme.method].get_params() if scheme.method in defaults else {"learner": "J48"}
    assert first == {name: known[name] for name in first}


def test_every_rival_is_tuned():
    assert {scheme.method for scheme in GRIDS if scheme.learner == "rivals"} == set(RIVALS)


def test_the_draw_goes_by_the_digest_of_names():
    sizes = {row["data_set"]: int(row["n_instances"]) for row in unpack(RECORDS)}
    names = nested.drawn(sizes)
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in sizes.keys() - TWINS.keys()}
    others = [digest for name, digest in digests.items() if name not in names and sizes[name] <= 1000]
    assert len(names) == 20 and max(sizes[name] for name in names) <= 1000
    assert min(digests[name] for name in names) > max(others)
    assert not any(map(is_design, names))  # as methods of ours are designed on the others
    assert nested.drawn({"a": 1000, "b": 1001, "pima": 10}) == ["a"]


def test_hours_are_fits_of_all_candidates_on_all_folds():
    """On two cores, of which one is idle while the slowest data set of a scheme is measured."""
    row = {"data_set": "a", "n_instances": "100", "protocol": CLOSED, "learner": "J48", "method": "m_branch"}
    row |= {"fit_seconds": "0.1", "answer_seconds": "0.02", "left_out": ""}
    seconds = 0.12 * 10 * (3 + 1) * len(candidates(M_BRANCH))
    assert nested.hours([row]) == pytest.approx(seconds / 3600)
    three = [row | {"data_set": name} for name in "abc"]
    assert nested.hours(three) == pytest.approx(1.5 * seconds / 3600)
    assert nested.hours([row | {"fit_seconds": "9"}]) == pytest.approx(nested.MOST_SECONDS / 3600)
    given_up = {"fit_seconds": "", "answer_seconds": "", "left_out": f"{study.GIVEN_UP}, together with 2 others"}
    assert nested.hours([row | given_up]) == pytest.approx(nested.MOST_SECONDS / 3600)
    plain = row | {"method": "leaf_frequency", "fit_seconds": "0.01", "answer_seconds": ""}
    assert nested.hours([plain]) == pytest.approx(0.01 * 240 / 3600)  # six candidates
    others = [{"n_instances": "1001"}, {"method": "id3_max"}, {"protocol": study.OPEN}, {"fit_seconds": ""}]
    assert [nested.hours([row | other]) for other in others] == [0, 0, 0, 0]


def test_options_of_a_rival_are_those_of_scikit_learn(iris):
    train, test = (iris.take(rows) for rows in wc.splits(iris, seed=1)[0])
    X, y = train.values[:, :-1], train.class_values
    for name, kind, options in (
        ("random forest", RandomForestClassifier, {"max_features": 0.5, "min_samples_leaf": 3}),
        ("gradient boosting", HistGradientBoostingClassifier, {"learning_rate": 0.03, "min_samples_leaf": 5}),
    ):
        expected = kind(random_state=1, **options).fit(X, y).predict_proba(test.values[:, :-1])
        found = answers_of_rivals(train, test, name, options=options).proba
        np.testing.assert_allclose(found, expected, atol=1e-12)
    shrunk = [answers_of_rivals(train, test, "hierarchical shrinkage", options={"max_leaf_nodes": n}) for n in (20, 2)]
    assert (shrunk[0].proba != shrunk[1].proba).any()
    conformal = answers_of_rivals(train, test, "J48, conformal confidence", options={"learner": "J48 -M 60"})
    assert len(np.unique(conformal.proba, axis=0)) == 1  # a tree of one leaf
    with pytest.raises(wc.OptionError, match="random forest: TypeError"):
        answers_of_rivals(train, test, "random forest", options={"leaves": 3})


# -- the choice ----------------------------------------------------------------------------------------------------


def test_the_best_is_the_first_of_equals_and_never_undefined():
    scores = np.array([[0.2, np.nan, 0.3, np.nan], [0.1, 0.5, 0.3 + 1e-15, np.nan], [0.1, 0.4, 0.1, np.nan]])
    assert best(scores, larger_is_better=True).tolist() == [0, 1, 0, 0]
    assert best(scores, larger_is_better=False).tolist() == [1, 2, 2, 0]


@pytest.mark.parametrize("scheme", [M_BRANCH, Scheme("rivals", "J48, conformal credibility")], ids=str)
def test_a_choice_is_made_on_the_training_part_alone_as_by_hand(scheme):
    """Each candidate by itself on the training rows as a data set of their own, and then on the outer folds."""
    data = noisy()
    outer = wc.splits(data, folds=3)
    found = nested.tuned(scheme, data, outer)

    def asked(given, protocol, each):
        if scheme.learner != "rivals":
            [(_, answers)] = wc.evaluate(
                given, [parse_method(scheme.method, **each)], learner=each["learner"], protocol=protocol
            )
            return fold_values(answers, MEASURES).values
        [(_, template)] = wc.evaluate(given, ["leaf_frequency"], protocol=protocol)
        prepared = protocol.prepare(given)
        answers = nested.cross_validated_rival(scheme.method, prepared, template, options=each)
        return fold_values(answers, MEASURES).values

    outside = [asked(data, Protocol(given=[outer]), each) for each in candidates(scheme)]
    for fold, split in enumerate(outer):
        training = data.take(split[0])
        inside = [asked(training, Protocol(folds=nested.INNER_FOLDS), each) for each in candidates(scheme)]
        for name in MEASURES:
            means = np.round([np.nanmean(values[name]) for values in inside], 12)
            place = int(np.argmax(means if name == "auc_weighted" else -means))
            assert found["chosen"][name][fold] == candidates(scheme)[place]
            for what, i in (("defaults", 0), ("tuned", place)):
                assert found["values"][name][what][fold] == pytest.approx(outside[i][name][fold], rel=1e-8, nan_ok=True)
    assert len({json.dumps(each) for of_folds in found["chosen"].values() for each in of_folds}) > 1


@pytest.mark.parametrize(
    "scheme", [Scheme("J48", "curtailment"), Scheme("rivals", "J48, conformal confidence")], ids=str
)
def test_the_labels_of_a_test_fold_do_not_influence_its_choice(scheme):
    """With other classes in the test rows of the first fold, its choice stays; what it is measured by does not."""
    data = noisy()
    outer = wc.splits(data, folds=3)
    classes = data.class_values.copy()
    rows = outer[0][1]
    classes[rows] = np.where(classes[rows] == 0, 2, 0)
    shown, changed = (
        nested.tuned(scheme, each, outer) for each in (data, data.take(slice(None)).with_class_values(classes))
    )
    for name in MEASURES:
        assert changed["chosen"][name][0] == shown["chosen"][name][0]
    assert changed["values"]["brier"]["tuned"][0] != shown["values"]["brier"]["tuned"][0]
    assert any(changed["chosen"][name][1:] != shown["chosen"][name][1:] for name in MEASURES)


def test_the_defaults_are_the_study_on_the_same_folds(iris):
    """Which is measured by other code."""
    [expected] = study.measure(Part("J48", ("m_branch",), CLOSED), "iris", iris)
    [found] = TunedPart("J48", ("m_branch",), CLOSED).measure("iris", iris)
    for name in MEASURES:
        assert found["values"][name]["defaults"] == expected["values"][name]
    assert found["test_train_ratio"] == expected["test_train_ratio"]
    assert {name: found[name] for name in ("data_set", "n_instances", "n_classes")} == {
        "data_set": "iris", "n_instances": 150, "n_classes": 3,
    }  # fmt: skip
    assert found["seconds"] > 0 and json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    "scheme",
    [BASE, Scheme("J48", "id3_sd"), Scheme("rivals", "J48, conformal confidence"), Scheme("info_gain", "tpce")],
    ids=str,
)
@pytest.mark.parametrize("case", ["few rows", "one class", "missing classes"])
def test_odd_data_have_a_choice(scheme, case):
    data = {
        "few rows": noisy(12),
        "one class": small(a=list(range(14)), target=(("u", "v"), ["u"] * 14)),
        "missing classes": noisy(40, is_missing=lambda i: i % 10 == 0),
    }[case]
    [found] = TunedPart(scheme.learner, (scheme.method,), CLOSED).measure("odd", data)
    if found["left_out"] is not None:
        assert found["left_out"].strip() and found["values"] == {}
        assert case == "one class"  # which J48 does not take
        return
    assert all(each in candidates(scheme) for name in MEASURES for each in found["chosen"][name])
    assert len(found["values"]["brier"]["tuned"]) == 10


def test_too_few_rows_and_too_long_are_left_out_with_a_reason(iris, monkeypatch):
    [found] = TunedPart("J48", ("leaf_frequency",), CLOSED).measure("three", iris.take([0, 60, 120]))
    assert found["values"] == {} and "instances" in found["left_out"]
    monkeypatch.setattr(nested, "MOST_SECONDS", 0.0)
    for learner, method in (("J48", "m_branch"), ("rivals", "J48, sigmoid calibration")):
        [found] = TunedPart(learner, (method,), CLOSED).measure("iris", iris)
        assert found["left_out"] == "more than 600 s of processor time"


@pytest.mark.one_commit_in(3)
def test_it_goes_on_after_a_kill(tmp_path):
    """Killed after the first part of three; it is not measured again, and the others have the values of a whole run."""
    paths = {name: str(ARFF / f"{name}.arff") for name in ("iris", "wine")}
    schemes = [BASE, Scheme("J48", "leaf_frequency:laplace=true"), Scheme("info_gain", "leaf_frequency")]
    chosen = [TunedPart(each.learner, (each.method,), CLOSED) for each in schemes]
    given = {"resume": str(tmp_path / "s"), "chosen": chosen}
    script = f"""
from evidence.measuring.study import measure_all
from evidence.tuning.nested import TunedPart
def tell(done):
    print(done, flush=True)
measure_all({paths!r}, **{given!r}, on_progress=tell)
"""
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=env, start_new_session=True
    ) as child:
        for line in child.stdout:
            if line.startswith("tuned, leaf_frequency:laplace=true, 1/2"):
                break
        os.killpg(child.pid, signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    kept, missing = study.measure_all(paths, **given, seconds=-1)
    n_kept = Counter(each["method"] for each in kept)
    assert n_kept["leaf_frequency"] == 2 and n_kept["leaf_frequency:laplace=true"] in (1, 2)
    assert len(kept) + len(missing) == 6 and missing
    everything, missing = study.measure_all(paths, **given)
    assert missing == [] and len(everything) == 6
    assert all(each in everything for each in kept)  # with the times that were measured before
    anew, _ = study.measure_all(paths, **given | {"resume": str(tmp_path / "other")})
    assert [each["values"] for each in anew] == [each["values"] for each in everything]


def test_another_grid_is_measured_anew(monkeypatch):
    part = TunedPart("J48", ("m_branch",), CLOSED)
    before = part.parameters()
    monkeypatch.setitem(GRIDS, M_BRANCH, {"learner": ("J48",), "m": (4, 2)})
    assert part.parameters() != before
    assert str(part) != str(Part("J48", ("m_branch",), CLOSED))


# -- records and section -------------------------------------------------------------------------------------------


def made_up(gains, n_sets=20):
    """Records in which tuning adds to the defaults of each scheme; a forest is far above."""
    random = np.random.default_rng(2)
    found = []
    for place in range(n_sets):
        plain = 0.6 + 0.1 * random.random(10)
        for scheme, gain in gains.items():
            noise = 0.001 * random.random(10)
            defaults = plain + (0.2 if scheme == FOREST else 0) + noise
            values = {
                name: {
                    what: (numbers if name == "auc_weighted" else 1 - numbers).tolist()
                    for what, numbers in (("defaults", defaults), ("tuned", defaults + gain * (1 + place / 10)))
                }
                for name in MEASURES
            }
            first, other, *_ = candidates(scheme)
            found.append({
                "data_set": f"set{place}", "seed": 1, "n_instances": 100 + place, "n_classes": 3, "protocol": CLOSED,
                "learner": scheme.learner, "method": scheme.method, "test_train_ratio": 1 / 9, "values": values,
                "chosen": dict.fromkeys(MEASURES, [other] * 7 + [first] * 3), "seconds": 36.0, "left_out": None,
            })  # fmt: skip
    return found


GAINS = {BASE: 0.0, M_BRANCH: 0.02, Scheme("J48", "ling_yan"): -0.02, FOREST: 0.01}


def sentence(text, purpose):
    """The sentence on whether tuning pays, for a purpose."""
    of_purpose = text.partition(f"### Tuned for {purpose}")[2]
    return next(line for line in of_purpose.splitlines() if line.startswith("* Significantly better tuned"))


def test_sentences_are_those_of_the_records():
    rows = tuned.compact(made_up(GAINS))
    assert len(rows) == 2 * 20 * 4
    text = tuned.section(rows, ABOUT)
    for purpose in ("ranking instances", "trustworthy probabilities", "rejecting wrong answers"):
        assert sentence(text, purpose) == (
            "* Significantly better tuned than at the defaults: `m_branch`, *random forest*; worse: `ling_yan`; no "
            "difference found for 1 of 4."
        )
        assert (
            f"* For {purpose}, tuning makes 2 of 4 schemes significantly better and 1 worse; best of the tuned by mean "
            "rank: *random forest* (1.0), on one tree `m_branch` (2.0)."
        ) in text
        assert text.count("better than 3 of 3 tuned schemes on one tree, and worse than 0.") == 3
    for found in tuned.figures(rows):
        assert all(base is None or scheme in found.tuned.forests for scheme, base in found.pairs())
    assert "tested neither against one another nor against the plain tree" in text
    other = tuned.section(tuned.compact(made_up(GAINS | {M_BRANCH: -0.02})), ABOUT)
    assert sentence(other, "ranking instances").startswith(
        "* Significantly better tuned than at the defaults: *random forest*; worse: `m_branch`, `ling_yan`; no"
    )
    assert "on 20 data sets of 100 to 119 instances" in text
    assert "None of them had" not in text and "too few" not in text  # names such as set1 fall into either half
    assert "took 0.4 hours on 2 cores" in text  # 80 times 36 s


def test_the_table_is_computed_from_the_folds():
    made = made_up(GAINS)
    text = tuned.section(tuned.compact(made), ABOUT)
    of_forest = [record["values"]["brier"] for record in made if record["method"] == "random forest"]
    means = [np.mean([np.mean(each[what]) for each in of_forest]) for what in ("tuned", "defaults")]
    of_purpose = text.partition("### Tuned for trustworthy")[2].partition("### ")[0]
    [line] = [line for line in of_purpose.splitlines() if line.startswith("| *random forest* |")]
    second = candidates(FOREST)[1]
    parameters = ", ".join(f"{name}={value}" for name, value in second.items())
    cells = [cell.strip() for cell in line.split("|")][2:-1]
    assert cells[:4] == ["1.00", f"{means[0]:.4f}", f"{means[1]:.4f}", "20/0/0"]
    assert cells[5] == f"70 %: `{parameters}`"


def test_equals_are_named_together():
    """Schemes of the same mean rank, and parameters that equally many folds chose."""
    made = made_up(GAINS)
    of_m_branch = {record["data_set"]: record for record in made if record["method"] == "m_branch"}
    for record in made:
        if record["method"] == "ling_yan":
            first, other, *_ = candidates(Scheme("J48", "ling_yan"))
            record["values"] = of_m_branch[record["data_set"]]["values"]
            record["chosen"] = dict.fromkeys(MEASURES, [other] * 5 + [first] * 5)
    text = tuned.section(tuned.compact(made), ABOUT)
    assert text.count("on one tree `m_branch` (2.5) and `ling_yan` (2.5).") == 3
    lines = [line for line in text.splitlines() if line.startswith("| `ling_yan` |")]
    assert len(lines) == 3
    assert all(line.endswith("| 50 % each: `J48 -M 8, confusion=0.4` and `J48, confusion=0.4` |") for line in lines)


def test_holm_is_over_the_section():
    """Four schemes against themselves and one forest against three, for three purposes."""
    found = tuned.figures(tuned.compact(made_up(GAINS)))
    tested = tuned.verdicts(found)
    assert len(tested) == 3 * (4 + 3)
    by_hand = {}
    for each in found:
        worth = -1 if each.tuned.purpose.name != "ranking" else 1
        for scheme in GAINS:
            pair = (worth * each.tuned.means[scheme], worth * each.defaults.means[scheme])
            by_hand[each.tuned.purpose.name, scheme, None] = signed_rank(*pair).p_value
        for scheme in GAINS.keys() - {FOREST}:
            pair = (worth * each.tuned.means[FOREST], worth * each.tuned.means[scheme])
            by_hand[each.tuned.purpose.name, FOREST, scheme] = signed_rank(*pair).p_value
    assert by_hand.keys() == tested.keys()
    running = 0.0
    for place, key in enumerate(sorted(by_hand, key=by_hand.__getitem__)):
        running = max(running, min(1.0, by_hand[key] * (len(by_hand) - place)))
        assert tested[key].p_value == pytest.approx(running, rel=1e-9)


def test_sets_on_which_boosting_makes_no_cut_are_counted_apart():
    """On 8 of 20 sets it answers by chance, and so is better than no scheme unless they are left out."""
    boosting = Scheme("rivals", "gradient boosting")
    made = made_up(GAINS | {boosting: 0.3})
    for record in made:
        if record["method"] == boosting.method and int(record["data_set"][3:]) < 8:
            record["values"] = {name: dict.fromkeys(("defaults", "tuned"), [0.5] * 10) for name in MEASURES}
    text = tuned.section(tuned.compact(made), ABOUT)
    assert "On 8 data sets of 100 to 107 instances gradient boosting makes no cut, tuned or not." in text
    of_purpose = text.partition("### Tuned for ranking")[2].partition("### ")[0]
    assert (
        "* Tuned *gradient boosting* is significantly better than 0 of 3 tuned schemes on one tree, and worse than 0. "
        "Without the sets that boosting does not cut: 3 and 0 of 3."
    ) in of_purpose
    assert "makes no cut" not in tuned.section(tuned.compact(made_up(GAINS)), ABOUT)


def test_what_was_left_out_is_not_ranked_and_named():
    made = made_up(GAINS)
    for record in made:
        if record["method"] == "ling_yan" and record["data_set"] in ("set0", "set1", "set2"):
            record |= {"values": {}, "left_out": "too odd"}
            del record["chosen"], record["seconds"]
    text = tuned.section(tuned.compact(made), ABOUT)
    assert "on which all 3 schemes of the table have a value" in text
    assert text.count("Measured on less than 90 % of the data sets") == 3 and text.count("| `ling_yan` | 17 |") == 3
    assert "Not measured: `ling_yan` on set0 (too odd), set1 (too odd), set2 (too odd).\n" in text


@pytest.mark.parametrize("schemes", [[BASE], [BASE, M_BRANCH], [BASE, FOREST]], ids=len)
@pytest.mark.filterwarnings("error")
def test_a_part_of_the_schemes_has_a_section(schemes):
    text = tuned.section(tuned.compact(made_up({each: GAINS[each] for each in schemes})), ABOUT)
    n_better = len(schemes) - 1
    assert text.count(f"no difference found for 1 of {len(schemes)}.") == 3
    assert f"tuning makes {n_better} of {len(schemes)} schemes significantly better and 0 worse" in text
    assert text.count("Tuned *random forest* is significantly better than 1 of 1") == (3 if FOREST in schemes else 0)
    assert "Friedman" not in text and "nan" not in text


def test_an_unfinished_part_and_few_sets_are_said():
    missing = [{"learner": "J48", "methods": ["wpe"], "seeds": [1], "data_sets": 17}]
    text = tuned.section(tuned.compact(made_up(GAINS, 3)), ABOUT | {"missing": missing})
    assert "still to be measured are 1 scheme on up to 17 data sets." in text
    assert "3 data sets are too few for any test over them to find a difference" in text


def test_without_records_the_page_says_nothing_of_it():
    rows = unpack(RECORDS)
    about = json.loads(RECORDS.with_name("which-method.json").read_text(encoding="utf-8"))
    assert tuned.section([], ABOUT) == ""
    text = page(rows, about)
    assert "uned" not in text.replace("unpruned", "")
    with_it = page(rows, about, tuned.section(tuned.compact(made_up(GAINS)), ABOUT))
    before, _, rest = with_it.partition("## Tuned\n")
    after = "## What it costs" + rest.partition("## What it costs")[2]
    assert (before + after).replace(", but for those of [tuned parameters](#tuned)", "") == text


def test_records_come_back_from_their_file(tmp_path):
    rows = tuned.compact(made_up(GAINS, 2))
    pack(tmp_path / "rows.csv.gz", rows)
    assert unpack(tmp_path / "rows.csv.gz") == rows


@pytest.mark.parametrize("given", [["--tuned"], ["--tuned", str(ARFF), "--seeds", "2"]])
def test_tuning_needs_a_folder_and_one_seed(given):
    script = Path(study.__file__).parents[2] / "which_method.py"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run([sys.executable, script, *given], check=False, env=env, capture_output=True, text=True)
    assert told.returncode == 2
    assert told.stderr.splitlines()[-1].endswith("--only and --tuned need a FOLDER, and take one seed")
