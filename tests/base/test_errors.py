"""Messages: one line of visible characters, of bounded length, whatever the names in them are."""

import ast
import pickle
import re
import shlex
import warnings
from functools import cache
from pathlib import Path
from typing import get_args

import click
import pytest
from support.command_interface import SINGLE

import wekaconf as wc
from wekaconf.base.errors import LONGEST, ArffError, Note, TableError, WekaconfError, tell
from wekaconf.base.words import (
    Argument,
    IgnoreColumn,
    Owner,
    Phrase,
    RenameColumns,
    SetOption,
    SetParameter,
    Setting,
    Term,
    UseFilter,
    UseLearner,
    worded,
)
from wekaconf.cli.evaluate import evaluate_command
from wekaconf.cli.wording import TABLE_KEYS, in_command_words
from wekaconf.in_weka._service import word_in_weka
from wekaconf.sklearn._base import in_arguments

HOSTILE = "a\nb\t\x1b[31m\u202e\u2028\0\ud800c"


def every(kind):
    ours = [child for child in kind.__subclasses__() if child.__module__.startswith("wekaconf.")]
    return [kind, *(below for child in ours for below in every(child))]


def made(kind, text):
    try:
        return kind(text, path="f") if issubclass(kind, ArffError | TableError) else kind(text)
    except TypeError:  # it makes its message itself
        return None


@pytest.mark.parametrize("kind", every(WekaconfError))
def test_an_error_is_one_line(kind):
    for text in (HOSTILE, "x" * 10**6, HOSTILE * 10**5):
        error = made(kind, text)
        if error is not None:
            assert str(error).isprintable() and str(error).encode()
            assert len(str(error)) <= LONGEST
            assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_long_message_keeps_its_beginning_and_its_end():
    text = f"here: {'x' * 5000}; do this"
    assert str(wc.OptionError(text)).startswith("here: x")
    assert str(wc.OptionError(text)).endswith("x; do this")
    assert str(wc.OptionError("here: 'é'; do this")) == "here: 'é'; do this"


def test_the_longest_message_that_is_told_whole():
    assert str(wc.OptionError("x" * 1000)) == "x" * 1000
    cut = str(wc.OptionError("x" * 1001))
    assert len(cut) <= 1000 and " … " in cut
    assert str(wc.OptionError("a" * 670 + "b" * 331)) == "a" * 666 + " … " + "b" * 330


def test_a_note_is_one_line():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tell(HOSTILE)
    assert str(told[0].message).isprintable()


# -- one language, four readers ---------------------------------------------------------------------------------------

DISCRETIZE = "weka.filters.unsupervised.attribute.Discretize"
TERMS = [
    # the term; in Python, on the command line, of WPEClassifier, in Weka; "": as in Python
    (Argument("keep"), "keep", "--keep", "", ""),
    (Argument("target_error"), "target_error", "--target-error", "", "-target-error"),
    (Argument("class_attribute", python="with_class"), "with_class", "--class", "", ""),
    (Argument("folds", "CART"), "folds", "", "", "-folds"),
    (Argument("header"), "header", "", "", ""),
    (Setting("threshold_from", "training"), "threshold_from='training'", "--threshold-from training", "", ""),
    (Setting("na", ("?", "it's")), "na=['?', \"it's\"]", "--table na='?' --table na=\"it's\"", "", ""),
    (Setting("inner", "J48", "tpce"), "inner=J48", "", "inner='J48'", "-inner J48"),
    (Owner("wpe"), "wpe", "", "WPEClassifier", "WPE"),
    (Owner("info_gain"), "info_gain", "", "", "InfoGain"),
    (Owner("their.Learner"), "their.Learner", "", "", ""),
    (SetParameter("wpe", "numeric", "bins"), "give wpe the parameter numeric='bins'", "write wpe:numeric=bins",
     "write WPEClassifier(numeric='bins')", "give the option -numeric bins"),
    (SetOption("CART", "nominal", "one_hot"), "give the option nominal=one_hot",
     'give --learner "CART nominal=one_hot"', "give learner='CART nominal=one_hot'",
     "give the option -nominal one_hot"),
    (UseLearner("J48"), "use the learner J48", "", "give learner='J48'", ""),
    (UseLearner("info_gain", is_read=True), "grow it with the learner info_gain", "", "give learner='info_gain'",
     "grow it with the learner InfoGain (-W)"),
    (UseFilter(DISCRETIZE, "wang2006"), f"with the filter {DISCRETIZE}",
     f"with --preprocess wang2006 or --filter {DISCRETIZE}", "as pandas.cut does", ""),
    (UseFilter("weka.filters.X"), "with the filter weka.filters.X", "with --filter weka.filters.X", "", ""),
    (IgnoreColumn("nr"), "ignore=['nr'] leaves it out",
     "--ignore 'nr' leaves it out, --id 'nr' keeps it for the output", "X.drop(columns=['nr']) leaves it out", ""),
    (RenameColumns((("A b", "a"), ("c", "d"))), "give rename={'A b': 'a', 'c': 'd'}",
     "give --rename 'A b=a' --rename c=d", "", ""),
    (Phrase.AS_LEARNER, "name it as the learner", "give it with --learner", "", ""),
    (Phrase.AS_METHOD, "name it as the method", "give it with --method", "", ""),
    (Phrase.ONE_LEARNER, "give one learner to use it for all", "--learner NAME sets one for all", "", ""),
    (Phrase.OTHER_DEPTH, "max_depth sets another depth",
     "--max-depth sets another depth, and -o tree.dot writes all of it", "", ""),
    (Phrase.ESTIMATE, "leave the confidence out for an estimate", "", "", "leave -target-error out"),
    (Phrase.UNSEEN_AS_MISSING, "treat unseen values as missing", "leave --strict values out", "", ""),
]  # fmt: skip


def command(*words):
    return evaluate_command.make_context("evaluate", ["iris.arff", *words])


def in_estimator(error, declares="wpe", has_learner=True):
    with pytest.raises(wc.OptionError) as raised, in_arguments("WPEClassifier", declares, has_learner=has_learner):
        raise error
    return str(raised.value)


def test_a_note_is_attributed_to_the_line_that_led_to_it():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tell("here")
    [note] = caught
    lines = Path(note.filename).read_text(encoding="utf-8").splitlines()
    assert (note.filename, lines[note.lineno - 1].strip()) == (__file__, 'tell("here")')


def test_every_term_is_worded():
    assert {type(term) for term, *_ in TERMS} == {*get_args(Term)}
    assert {term for term, *_ in TERMS if isinstance(term, Phrase)} == {*Phrase}


@pytest.mark.parametrize(("term", "python", "typed", "estimator", "weka"), TERMS)
def test_a_term_has_words_for_every_reader(term, python, typed, estimator, weka):
    error = wc.OptionError("so: ", term)
    assert str(error) == f"so: {python}"
    with command("--class", "last"):
        assert in_command_words(error) == in_command_words(Note("so: ", term)) == f"so: {typed or python}"
    assert worded(error.parts, word_in_weka) == f"so: {weka or python}"
    assert in_estimator(error) == f"so: {estimator or python}"


def test_the_estimator_of_a_learner_takes_its_options_itself():
    assert in_estimator(wc.OptionError(UseLearner("J48")), has_learner=False) == "use J48Classifier"
    advice = wc.OptionError(SetOption("CART", "nominal", "one_hot"))
    assert in_estimator(advice, "CART", has_learner=False) == "write WPEClassifier(nominal='one_hot')"


@pytest.mark.parametrize(
    ("error", "python", "typed"),
    [
        (wc.OptionError("so", parameter="folds"), "folds: so", "-x: so, the default"),
        (wc.OptionError("so", parameter="keep"), "keep: so", "--keep: so"),
        (wc.OptionError(Argument("keep"), " must be so"), "keep must be so", "--keep must be so"),
        (wc.OptionError("no method 'x'", value_of="method"), "no method 'x'", "--method: no method 'x'"),
        (wc.OptionError("a.arff: so", value_of="test"), "a.arff: so", "a.arff: so"),
        (wc.OptionError("so", of="wpe"), "wpe: so", "--method: wpe: so"),
        (wc.OptionError(Owner("wpe"), " has none", of="wpe"), "wpe has none", "--method: wpe has none"),
        (wc.OptionError("so", of="tpce"), "tpce: so", "tpce: so"),
        (wc.OptionError("so", of="CART"), "CART: so", "--learner: CART: so"),
        (
            wc.OptionError(parameter="seed", expected="1", got="2", advice="write 1"),
            "seed: expected 1, got 2; write 1",
            "--seed: expected 1, got 2; write 1",
        ),
    ],
)
def test_an_error_names_what_it_is_about(error, python, typed):
    assert str(error) == python
    with command("--method", "wpe:numeric=bins", "--learner", "CART se=0", "--seed", "2", "--keep", "1"):
        assert in_command_words(error) == typed


def test_what_an_error_is_about_comes_back_from_a_worker():
    error = wc.OptionError(Setting("na", ("?",)), parameter="seed", expected="1", got="2", advice="write 1")
    copy = pickle.loads(pickle.dumps(error))
    assert vars(copy) == vars(error) and copy.args == error.args
    table = TableError("so: ", Argument("keep"), path="t.csv", line=3)
    assert vars(pickle.loads(pickle.dumps(table))) == vars(table)


# -- every raise ------------------------------------------------------------------------------------------------------

PACKAGE = Path(wc.__file__).parent
ABOUT_NO_ARGUMENT = {
    "base/errors.py": "a package is not installed",
    "methods/contract/_answer.py": "answers that were pickled, or are no model's",
    "base/parameters.py": "a class that is being defined, and texts that the caller words",
    "cli/self.py": "kernels cannot be kept here",
    "cli/evaluation_options.py": "sums up the errors of data sets",
    "cli/models.py": "names an option itself that two commands have",
    "cli/study.py": "sums up the errors of evaluations",
    "cli/replicate.py": "sums up the errors of data sets",
    "cli/tree.py": "names its options itself",
    "cli/values.py": "names the option itself, while the command line is read",
    "evaluation/cross_validation/_validation.py": "splits and data that do not fit",
    "experiments/workers/_pool.py": "a worker has another version",
}
"""The modules that raise an OptionError which names no argument, method or learner, and why."""


@cache
def sources():
    return [
        (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


def is_call(node, *names):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def raised(tree):
    """The calls of ``raise OptionError(…)``, and the names of the constants that hold an argument."""
    nodes = [*ast.walk(tree)]
    constants = {
        node.targets[0].id for node in nodes if isinstance(node, ast.Assign) and is_call(node.value, "Argument")
    }
    return [node.exc for node in nodes if isinstance(node, ast.Raise) and is_call(node.exc, "OptionError")], constants


def test_every_error_says_what_it_is_about():
    plain, found = set(), {path: raised(tree) for path, tree in sources()}
    constants = set().union(*(names for _, names in found.values()))
    for path, (calls, _) in found.items():
        for call in calls:
            begins = call.args[0] if call.args else None
            is_named = is_call(begins, "Argument", "Owner", "argument_of") or (
                isinstance(begins, ast.Name) and begins.id in constants
            )
            if not is_named and not {"parameter", "of", "value_of"} & {keyword.arg for keyword in call.keywords}:
                plain.add(path)
    assert plain == {*ABOUT_NO_ARGUMENT}


def test_what_errors_are_about_exists():
    """Arguments of functions, and fields of classes, which are parameters of methods or options, too."""
    known, named = set(), set()
    for _, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                known.add(node.arg)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                known.add(node.target.id)
            elif is_call(node, "OptionError"):
                values = [keyword.value for keyword in node.keywords if keyword.arg in ("parameter", "value_of")]
                named.update(value.value for value in values if isinstance(value, ast.Constant))
            elif is_call(node, "Argument", "Setting") and isinstance(node.args[0], ast.Constant):
                named.add(node.args[0].value)
    assert named <= known, named - known


# -- all advice, by both front ends ------------------------------------------------------------------------------------

FRONT_ENDS = ("cli", "sklearn", "in_weka", "report", "replication")
"""Rooms whose words are their own, or are printed as they are."""
PYTHON_ONLY = {
    "aim", "certainty", "chow", "class_sets_for", "costs", "coverage", "given", "header", "labels", "level",
    "max_heap", "names", "outside", "per_fold", "proba", "protocol", "reader", "test_train_ratio",
    "threshold", "unseen", "values",
}  # fmt: skip
"""Arguments that the command line makes itself, or that only Python takes."""
SPEAKS = re.compile(r"(?<![\w.=-])[a-z_]{2,}=(?=[\w'\"\[{]|$)|\bwekaconf\.[a-z]|\bwith_class|(?<![\w-])--[a-z]")
"""What only Python's readers or only those of the command line can write."""
MAY_SPEAK = {
    "base/parameters.py": "classes that are being defined, and parameters as both write them",
    "base/plugins.py": "a package's class",
    "base/words.py": "the words of terms in Python",
    "bridge/_javabridge_carrier.py": "a module",
    "bridge/_jvm.py": "says for whom each of its words is",
    "bridge/live_classifiers.py": "an object of Python",
    "data/_conversions.py": "a module that nothing has imported",
    "data/_dataset.py": "an object of Python",
    "data/dates.py": "a module that nothing has imported",
    "evaluation/aims/_aim.py": "a share per class, as both write it",
    "evaluation/cross_validation/_validation.py": "splits, which the command line makes itself",
    "evaluation/protocol/_protocol.py": "splits, which the command line makes itself",
    "experiments/advising/_advice.py": "commands to type",
    "experiments/runner/_plan.py": "a protocol, which the command line makes itself",
    "experiments/store/_store.py": "a command to type",
    "experiments/workers/_dask.py": "a command of Dask",
    "learners/foreign/_weka_filters.py": "says for whom its words are",
    "learners/foreign/weka_models.py": "says for whom its words are",
    "model/scores.py": "an object of Python",
    "methods/second_opinion/_out_of_fold.py": "a tree, which the command line grows itself",
    "methods/contract/_method.py": "a tree, which the command line grows itself",
    "model/file.py": "the command line tells the two kinds of model apart",
    "model/fit.py": "a promise, which fit makes itself",
    "model/fitted.py": "an object of Python",
    "model/scheme.py": "an object of Python, and a command to type",
    "tree/compiling.py": "the code of another process",
}
"""The modules whose texts hold such words, and why."""


def library():
    return ((path, tree) for path, tree in sources() if path.partition("/")[0] not in FRONT_ENDS)


def arguments_named():
    """The arguments, of no method or learner, that messages of the library name."""
    for _, tree in library():
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "parameter" and isinstance(node.value, ast.Constant):
                yield node.value.value
            n_plain = 1 if is_call(node, "Argument") else 2 if is_call(node, "Setting") else 0
            is_plain = (
                n_plain and len(node.args) <= n_plain and not any(keyword.arg == "of" for keyword in node.keywords)
            )
            if is_plain and isinstance(node.args[0], ast.Constant):
                yield node.args[0].value


OTHER_NAMES = {
    "method": "methods", "reject_costs": "cost", "options": "learner", "resume": "store",
}  # fmt: skip
"""The options of arguments that have another name in Python."""
IN_OPTIONS = dict.fromkeys(TABLE_KEYS, "--table") | {"nominal": "--type", "numeric": "--type"}
"""The arguments that are parts of an option's value."""


def options_for(argument):
    name = OTHER_NAMES.get(argument, argument)
    return [
        (command, option)
        for command in SINGLE.values()
        for option in command.params
        if isinstance(option, click.Option) and option.name in (argument, name)
    ]


def test_arguments_without_an_option_are_those_of_python():
    assert {name for name in arguments_named() if not options_for(name)} - {*IN_OPTIONS} == PYTHON_ONLY


def test_all_advice_is_worded_by_both_front_ends():
    """Every argument that a message names is an option of some command, and a setting is read as it is advised."""
    for name in (
        {*arguments_named()} - PYTHON_ONLY - {*IN_OPTIONS}
    ):  # no cases, which every worker would look for in all modules
        for command, option in options_for(name):
            value = ("it's", "a b") if option.multiple else "a b"
            with click.Context(command, help_option_names=["-h", "--help"]) as context:  # which the command keeps
                argument, setting = (in_command_words(Note(term)) for term in (Argument(name), Setting(name, value)))
            assert argument in option.opts
            assert str(Argument(name)) == name
            assert str(Setting(name, value)) == (f"""{name}=["it's", 'a b']""" if option.multiple else f"{name}='a b'")
            if not option.is_flag and option.nargs == 1:
                read, _, _ = command.make_parser(context).parse_args(shlex.split(setting))
                assert read[option.name] == ([*value] if option.multiple else value), (command.name, setting)


@pytest.mark.parametrize("name", IN_OPTIONS)
def test_advice_on_a_part_of_an_option_is_read_as_it_is_advised(name):
    values = ("it's", "a b") if name in ("na", "nominal", "numeric") else "a b"
    with click.Context(SINGLE["fit"]) as context:
        setting = shlex.split(in_command_words(Note(Setting(name, values))))
        read, _, _ = SINGLE["fit"].make_parser(context).parse_args([*setting])
    texts = (values,) if isinstance(values, str) else values
    found = read["types" if IN_OPTIONS[name] == "--type" else "table"]
    assert setting[0] == IN_OPTIONS[name]
    assert found == [f"{text}={name}" if setting[0] == "--type" else f"{name}={text}" for text in texts]


def test_no_other_text_speaks_the_language_of_one_front_end():
    speaking = set()
    for path, tree in library():
        if path.startswith("model/export/") or path.endswith("html.py"):
            continue  # code in other languages
        nodes = [*ast.walk(tree)]
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = (
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        )
        if any(" " in text and SPEAKS.search(text) for text in texts):
            speaking.add(path)
    assert speaking == {*MAY_SPEAK}
