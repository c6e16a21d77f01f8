"""Advice for options and classes that users know from Weka's command line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

OPTIONS = {
    "-t": (("", "'wekaconf fit FILE' trains on a file"),),
    "-T": (("", "'wekaconf predict MODEL FILE' answers for the rows of another file"),),
    "-l": (("", "'wekaconf predict MODEL FILE' answers with a model, 'wekaconf tree MODEL' prints its tree"),),
    "-d": (("", "'wekaconf fit' saves a model"),),
    "-p": (
        ("predictions", "--predictions FILE.txt writes every answer as Weka's -p does"),
        ("with_columns", "the answers are what 'predict' writes, and --with all adds the columns of the file"),
        ("", "'wekaconf evaluate --predictions FILE.txt' writes every answer as Weka's -p does"),
    ),
    "-o": (("records", "--records FILE writes the figures into a file"), ("dump", "-d FILE names the model")),
    "-i": (("evaluate", "--format weka prints the figures of every class"),),
    "-g": (("tree", "--format dot prints the graph"), ("", "'wekaconf tree FILE --format dot' prints the graph")),
    "-m": (("cost_matrix", "--cost-matrix FILE weighs the training instances by a cost matrix"),),
    "-F": (("filters", '--filter "weka.filters.…" names a filter with its options'),),
    "-W": (("learner", '--learner "weka.classifiers.trees.J48 -C 0.1" names a learner with its options'),),
    "-split-percentage": (("split", "--split 0.66 trains on 66 % of the instances"),),
    "-no-cv": (("", "'wekaconf fit' and 'wekaconf tree' train on a whole file"),),
    "-classifications": (("predictions", "--predictions FILE writes every answer, as CSV or .txt"),),
}
"""For each of Weka's general options: pairs of a command or parameter ("" stands for all) and the advice for it."""
LEARNERS = (
    "J48", "REPTree", "RandomTree", "DecisionStump", "RandomForest", "Bagging", "RandomCommittee", "RandomSubSpace",
    "AttributeSelectedClassifier",
)  # fmt: skip
"""The names of Weka's learners without their packages."""
LONG_OPTIONS = tuple(name for name in OPTIONS if len(name) > 2)
"""Options that click would read as a letter and its value."""


def advise_on_option(option: str, names: Collection[str | None], typed: Sequence[str]) -> str:
    """The advice for one of Weka's general options; empty for other options.

    Parameters
    ----------
    option : str
    names : collection of str
        The names of the command and of its parameters.
    typed : sequence of str
        The words after the command.
    """
    if option == "-W" and any(word.partition("=")[0] == "--learner" for word in typed):
        return ""  # -W may be an option of the learner
    return next((text for name, text in OPTIONS.get(option, ()) if not name or name in names), "")


def advise_on_scheme(name: str) -> str:
    """The advice for a class of Weka's, or a learner's name, in place of the command; empty for other names."""
    if not name.startswith(("weka.classifiers.", "weka.Run")) and name not in LEARNERS:
        return ""
    learner = "weka.classifiers.trees.J48" if name == "weka.Run" else name
    return f"write 'wekaconf evaluate FILE --learner \"{learner} …\"', or --method NAME for a method"
