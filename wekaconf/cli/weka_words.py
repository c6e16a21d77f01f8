"""What users of Weka's command line type, and what to write here instead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

OPTIONS = {
    "-t": (
        ("data", "give the file without -t"),
        ("", "'wekaconf predict -t FILE' trains on a file"),
    ),
    "-T": (("", "'wekaconf predict -T FILE' answers for the instances of another file"),),
    "-l": (
        ("model", "give the file without -l"),
        ("", "'wekaconf predict -l FILE' answers with a model, 'wekaconf tree FILE' prints its tree"),
    ),
    "-d": (("", "'wekaconf predict -d FILE' saves a model"),),
    "-p": (
        ("predictions", "--predictions FILE.txt writes every answer as Weka's -p does"),
        ("with_columns", "the answers are what 'predict' writes, and --with all adds the columns of the file"),
        ("", "'wekaconf evaluate --predictions FILE.txt' writes every answer as Weka's -p does"),
    ),
    "-o": (("csv_path", "--csv FILE writes the figures into a file"),),
    "-i": (("evaluate", "--format weka prints the figures of every class"),),
    "-g": (("tree", "--format dot prints the graph"), ("", "'wekaconf tree FILE --format dot' prints the graph")),
    "-m": (("cost_matrix", "--cost-matrix FILE weighs the training instances by a cost matrix"),),
    "-F": (("filters", '--filter "weka.filters.…" names a filter with its options'),),
    "-W": (("learner", '--learner "weka.classifiers.trees.J48 -C 0.1" names a learner with its options'),),
    "-split-percentage": (("split", "--split 0.66 trains on 66 % of the instances"),),
    "-no-cv": (("", "'wekaconf predict' and 'wekaconf tree' train on a whole file"),),
    "-classifications": (("predictions", "--predictions FILE writes every answer, as CSV or .txt"),),
}
"""By each of Weka's general options: what to do in a command of that name or with that parameter, or in all."""
LONG = tuple(name for name in OPTIONS if len(name) > 2)
"""Those that our commands would take for a letter and its value."""


def advice(option: str, names: Collection[str | None], typed: Sequence[str]) -> str:
    """What to do instead of giving one of Weka's general options; nothing for what is none.

    Parameters
    ----------
    option : str
    names : collection of str
        Those of the command that was given it, and of its parameters.
    typed : sequence of str
        The words after the command.
    """
    if option == "-W" and any(word.partition("=")[0] == "--learner" for word in typed):
        return ""  # which may be an option of the learner
    return next((text for name, text in OPTIONS.get(option, ()) if not name or name in names), "")


def for_scheme(name: str) -> str:
    """What to do instead of naming a class of Weka's as the command; nothing for what is none."""
    if not name.startswith(("weka.classifiers.", "weka.Run")):
        return ""
    learner = "weka.classifiers.trees.J48" if name == "weka.Run" else name
    return f"write 'wekaconf evaluate FILE --learner \"{learner} …\"', or --method NAME for a method"
