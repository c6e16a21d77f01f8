"""``wekaconf tree``."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import click
import cloup

from wekaconf.base.errors import OptionError
from wekaconf.base.files import write_text
from wekaconf.base.naming import alternatives
from wekaconf.base.plot_style import METADATA, check_plot
from wekaconf.bridge import about
from wekaconf.cli import completion, models, options
from wekaconf.cli.command import command
from wekaconf.cli.file_answers import MARKS, separator_option
from wekaconf.cli.models import allow_plugin
from wekaconf.cli.training import TrainingOptions, grow_model
from wekaconf.cli.values import ENDINGS_OF_PAGES, NamedFile, OneOf, check_output, given_options, whole_number
from wekaconf.data.table_files import PLAIN, Reading
from wekaconf.learners.foreign import is_weka_model
from wekaconf.methods.contract import AnnotatesNodes
from wekaconf.model import scheme
from wekaconf.model.facts import page_facts_of
from wekaconf.report.answers import answer_file
from wekaconf.report.printing import print_json_text
from wekaconf.tree import Annotate, Forest, TreeMirror

FORMATS = {"text": ".txt", "dot": ".dot", "json": ".json"}
"""The formats that can be printed, with the endings of their files."""
TABLES = (".csv", ".xlsx")
"""The endings of files of rules."""
PICTURES = tuple(f".{kind}" for kind in METADATA)
GROWING_OPTIONS = ("method", "preprocess", "filters", "learner", "cost_matrix", "class_attribute")
"""The options that apply only if a tree is grown."""


@command(
    "tree",
    'wekaconf tree iris.arff --learner "J48 -M 5"',
    "wekaconf tree iris.arff --method confdtree -o tree.html",
    "wekaconf tree coins.arff --method id3_max --format dot",
    "wekaconf tree iris.arff --method confdtree -o tree.png",
    "wekaconf tree model.wct -o rules.xlsx",
    "wekaconf tree j48.model",
    often=("-c", "--ignore", "--method", "--learner", "--format", "-o", "--max-depth"),
)
@cloup.argument("data", type=click.Path(), required=False,
                help="ARFF, CSV, TSV, Parquet or Excel file; - for standard input; or a model that wekaconf "
                "(.wct) or Weka has saved.")  # fmt: skip
@cloup.option_group(
    "Data",
    options.letters_of("data", "-t", "--train", "-l", "--load"),
    options.class_attribute,
    options.preprocess(),
    options.filters,
)
@options.tables
@cloup.option_group(
    "Method",
    click.option("--method", metavar="METHOD", shell_complete=completion.methods,
                 help="Print what this method adds to the nodes: the intervals of confdtree, the limits of id3_sd or "
                 "id3_max, the estimates of m_branch or curtailment. A page answers by any method. A model of ours "
                 "that Weka saved shows its own."),
)  # fmt: skip
@options.learner
@cloup.option_group(
    "Output",
    click.option("--format", "form", type=OneOf(list(FORMATS)), metavar="text|dot|json",
                 help="Print the tree as text like Weka's, the default, as a graph for Graphviz, or as JSON."),
    click.option("-o", "--output", type=NamedFile(*FORMATS.values(), *TABLES, *PICTURES, *ENDINGS_OF_PAGES),
                 callback=check_output, metavar="FILE",
                 help=f"Write it into this file; the ending chooses the format: {', '.join(FORMATS.values())}; "
                 f"{alternatives(TABLES)} for the rules as a table, one row per leaf; {alternatives(PICTURES)} for a "
                 "figure, one column of a paper wide if it can be read there; .html for a page in a browser, which "
                 "answers for rows that are typed."),
    separator_option("the data that the tree was grown on"),
    click.option("--max-depth", type=whole_number(0), metavar="N",
                 help="Draw a figure down to this depth. Left out: as deep as a page has room for."),
)  # fmt: skip
@options.one_argument("training", TrainingOptions)
@allow_plugin
@click.pass_context
def tree_command(context: click.Context, /, data: str, method: str | None, form: str | None, output: str | None,
                 separator: str | None, max_depth: int | None, columns: Reading,
                 training: TrainingOptions) -> None:  # fmt: skip
    """Grow a tree on all of DATA and print or draw it, or print the tree that DATA holds."""
    is_picture, is_page = _ends_with(output, PICTURES), _ends_with(output, ENDINGS_OF_PAGES)
    is_table = _ends_with(output, TABLES)
    if max_depth is not None and not is_picture:
        raise click.UsageError("--max-depth belongs to a figure; give one a name with -o, such as -o tree.pdf")
    if separator is not None and not is_table:
        raise click.UsageError("--separator belongs to rules as CSV; give them a name with -o, such as -o rules.csv")
    form = _form(output, form)
    if output is not None and is_picture:
        check_plot(output)
    shown_method = None if method is None else scheme.parse_method(method)
    answers = is_page or is_table
    if shown_method is not None and not answers and not isinstance(shown_method, AnnotatesNodes):
        names = [name for name, known in scheme.available_methods().items() if issubclass(known, AnnotatesNodes)]
        raise click.UsageError(f"--method {method} adds nothing to the nodes of a tree; these do: {', '.join(names)}")
    train, marks = None, PLAIN
    if is_weka_model(data) or data.lower().endswith(".wct"):
        if conflicts := given_options(context, *GROWING_OPTIONS):
            raise click.UsageError(f"{data} holds a tree that is grown already, so it excludes {conflicts[0]}")
        model = models.model_in_file(data, "'tree'")
        shown_method, marks = model.method, model.reading.marks
    else:
        model, train, marks = grow_model(data, columns, shown_method, training)
        tree = model.method.tree_
        if shown_method is not None and not answers and isinstance(tree, Forest):
            raise OptionError(
                f"--method {shown_method.name} is drawn on a single tree, not on a forest of {tree.learner}; leave "
                "--method out, or give a learner that grows one tree"
            )
        model.note_dates()
    if output is not None and is_page:
        from wekaconf.cli.model_pages import write_page
        from wekaconf.report.pages import ModelPage

        write_page(ModelPage(model, train=train, facts=page_facts_of(model)), output)
        return
    if is_table:
        marks = marks if separator is None else MARKS[separator]
        with answer_file(output, marks) as write:
            write(model.rules(marks.decimal))
        return
    tree = model.method.tree_
    annotate = (
        shown_method.annotation if isinstance(shown_method, AnnotatesNodes) and not isinstance(tree, Forest) else None
    )
    if output is not None and is_picture:
        _draw(tree, annotate, output, max_depth)
    else:
        _print(tree, annotate, form, output)


def _ends_with(output: str | None, endings: tuple[str, ...]) -> bool:
    return output is not None and output.lower().endswith(endings)


def _form(output: str | None, form: str | None) -> str:
    """The format of the output: by the ending of its file, which --format must not contradict."""
    ending = "" if output is None else os.path.splitext(output)[1].lower()
    by_ending = next((name for name, known in FORMATS.items() if known == ending), None)
    if form is not None and (by_ending not in (None, form) or ending in (*TABLES, *PICTURES, *ENDINGS_OF_PAGES)):
        raise click.UsageError(f"--format {form} contradicts -o {output}; leave one of them out")
    return form or by_ending or "text"


def _draw(tree: TreeMirror | Forest, annotate: Annotate | None, output: str, max_depth: int | None) -> None:
    """Write a picture of the tree."""
    from wekaconf.report.trees import write_tree

    if isinstance(tree, Forest):
        raise OptionError(
            f"{output}: a figure shows one tree, not a forest of {len(tree.trees)}; write it as "
            f"{alternatives(FORMATS.values())}, or give a learner that grows one tree"
        )
    write_tree(output, tree, annotate=annotate, max_depth=max_depth)


def _print(tree: TreeMirror | Forest, annotate: Annotate | None, form: str, output: str | None) -> None:
    """Print the tree in one of the `FORMATS`, or write it into a file."""
    from wekaconf.report import trees
    from wekaconf.report.trees import JAVA

    java = int(about()["java"].partition(".")[0]) if tree.weka_version else JAVA
    renders: dict[str, Callable[..., str]] = {
        "text": partial(trees.render_text, java=java),
        "dot": trees.render_dot,
        "json": trees.render_json,
    }
    text = renders[form](tree, annotate=annotate)
    if output is not None:
        write_text(output, text)
    elif form == "json":
        print_json_text(text)
    else:
        click.echo(text, nl=False)
