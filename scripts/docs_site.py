"""Write the pages of the site to build/docs, from which any builder of Markdown makes it; see mkdocs.yml.

They are the files of docs/, the texts of the top folder, and pages made from the code: methods, learners and parameters
are read from the classes' declarations, and the reference has every public name. Links between files of the repository
become links between pages.

Usage: python scripts/docs_site.py
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import wekaconf as wc
from wekaconf import public
from wekaconf.base.parameters import Parameter, parameters, written
from wekaconf.report._references import cite

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "docs"

TEXTS = {
    "README.md": "readme.md",
    "SECURITY.md": "SECURITY.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "DECISIONS.md": "DECISIONS.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "arff/README.md": "bundled-data.md",
}
"""The pages of the site whose files are outside docs/, by their paths in the repository."""

ROOMS = {
    "data": ("Data", "data", "bridge.reading"),
    "trees": ("Trees", "tree", "bridge", "learners", "model.file"),
    "methods": ("What every method can do", "methods"),
    "evaluation": ("Evaluating", "experiments", "evaluation", "report"),
    "files": ("Model files", "model.fitted", "model.file"),
    "errors": ("Errors and notes", "base.errors"),
    "names": ("All names", "model.scheme", "tree.learner"),
}
"""The pages of the reference: title, and the rooms, or modules, whose public names they describe; the last page lists
all names, and describes all others."""


class Purpose(NamedTuple):
    """What some methods are for."""

    title: str
    when: str
    methods: tuple[str, ...]


PURPOSES = (
    Purpose("The tree's own answer", "It is what every other method is compared with.", ("leaf_frequency",)),
    Purpose(
        "Answers pooled with models of other kinds",
        "Start here, unless the answer must be the tree's own.",
        ("second_opinion",),
    ),
    Purpose(
        "Better probabilities",
        "When a ranking, costs or a threshold need finer probabilities than a leaf's frequencies.",
        ("shrinkage", "wpe", "shrinkage_wpe", "m_branch", "ling_yan", "curtailment", "confdtree", "tpce"),
    ),
    Purpose(
        "A certainty beside the tree's answer",
        "When the tree's answers must stay, and you want to know which of them to trust.",
        ("boundary_distance", "kukar_kononenko"),
    ),
    Purpose("Rows of unknown classes", "When rows may be of a class that training lacks.", ("id3_sd", "id3_max")),
)
"""The methods by what they are for."""

EXAMPLE = 129
"""The row of iris that every method answers on its page: a virginica between the two classes."""

NO_PAGE = """\
---
search:
  exclude: true
---
# No such page

The [front page](index.md) lists what there is.
"""
"""Takes the place of the theme's 404.html, whose links lead nowhere when the site is read from disk."""

LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]+)")


def write_pages(folder: Path) -> None:
    """Write the pages, and what they show, in place of what the folder holds."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(ROOT / "docs", folder)
    texts = {f"docs/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in folder.rglob("*.md")}
    texts |= {path: (ROOT / path).read_text("utf-8") for path in TEXTS}
    texts |= {"docs/methods.md": "\n".join(methods_page()), "docs/404.md": NO_PAGE}
    texts |= {f"docs/reference/{page}.md": text for page, text in reference_pages().items()}
    for path, text in texts.items():
        page = site_path(path)
        target = folder / page
        target.parent.mkdir(exist_ok=True)
        here = (ROOT / path).parent
        links = LINK.sub(lambda link, here=here, page=page: link[1] + linked(here, page, link[2]), text)
        target.write_text(links, encoding="utf-8", newline="\n")


def site_path(path: str) -> str:
    """The page of a file of the repository."""
    return TEXTS.get(path) or path.removeprefix("docs/")


def linked(here: Path, page: str, target: str) -> str:
    """The link from a page of the site to ``target``, which is written relative to the folder ``here``."""
    path = (here / target).resolve()
    if not path.is_relative_to(ROOT) or not path.exists():
        return target
    return "../" * page.count("/") + site_path(path.relative_to(ROOT).as_posix())


def methods_page() -> Iterator[str]:
    """Every registered method, by purpose: what it does, when, an example, its paper; then every learner."""
    yield (
        "# Methods and learners\n\n"
        "Made from what each method declares; `wekaconf list methods NAME` and `wekaconf list learners NAME` print the "
        f"same. Each example is the reason that the method gives for row {EXAMPLE + 1} of `arff/iris.arff`, a "
        "virginica, on the tree that `info_gain` grows on all other rows. [Which method](which-method.md) helps for "
        "what was measured on many data sets.\n"
    )
    methods, reasons = wc.available_methods(), example_reasons()
    for title, when, names in PURPOSES:
        yield f"## {title}\n\n{when}\n"
        for name in names:
            method = methods[name]
            paper = f" Paper: {cite(method.reference)}." if method.reference else ""
            about = f"Certainty: {method.certainty_range.meaning}, in {method.certainty_range}.{paper}"
            yield from section(name, method, f"{about}\n\nExample: *{reasons[name]}*.")
    yield "## Learners\n"
    for name, learner in wc.available_learners().items():
        yield from section(name, learner)


def example_reasons() -> dict[str, str]:
    """The reason that each method gives for the row of the example."""
    iris = wc.load_arff(ROOT / "arff" / "iris.arff")
    train = iris.take(np.delete(np.arange(len(iris.values)), EXAMPLE))
    tree = wc.InfoGain().grow(train)
    bins = {"numeric": "bins"}
    return {
        name: wc.method(name, **(bins if "numeric" in parameters(cls) else {}))
        .fit(tree, train)
        .answer(iris.take([EXAMPLE]))
        .reason(0)
        for name, cls in wc.available_methods().items()
    }


def section(name: str, cls: type[Any], about: str = "") -> Iterator[str]:
    """Heading, docstring, and table of parameters."""
    yield f"### {name}\n\n`wc.{cls.__name__}` in Python. {about}\n"
    yield from docstring(cls)
    known = parameters(cls)
    if known:
        yield "| parameter | default | values | what it does |\n|---|---|---|---|"
        yield from map(row, known.values())
        yield ""


def row(parameter: Parameter) -> str:
    """A parameter as a row of the table."""
    cells = (f"`{parameter.name}`", f"`{written(parameter.default) or '(empty)'}`", parameter.valid, parameter.help)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def docstring(thing: type[Any]) -> Iterator[str]:
    """The directive that makes mkdocstrings print the docstring of a class, without heading, members and parameters."""
    hidden = ("show_root_heading", "show_root_toc_entry", "members", "show_bases", "show_docstring_parameters")
    yield f"::: {thing.__module__}.{thing.__qualname__}"
    yield f"    options: {{{', '.join(f'{name}: false' for name in hidden)}}}\n"


def reference_pages() -> dict[str, str]:
    """The public names, except methods and learners, each on the page of its room."""
    have_pages = {*wc.available_methods().values(), *wc.available_learners().values()}
    page_of = {f"wekaconf.{room}.": page for page, (_, *rooms) in ROOMS.items() for room in rooms}
    texts = {page: f"# {title}\n" for page, (title, *_) in ROOMS.items()}
    texts["names"] += "\n".join(names_table())
    for name in public.__all__:
        thing = getattr(public, name)
        if thing in have_pages:
            continue
        rooms = [room for room in page_of if f"{thing.__module__}.".startswith(room)]
        directive = f"\n::: {thing.__module__}.{thing.__qualname__}\n"
        if thing is public.Dataset:  # part of its methods are in a base class, to keep files short
            directive += "    options: {inherited_members: true}\n"
        texts[page_of[max(rooms, key=len)] if rooms else "names"] += directive
    return texts


def names_table() -> Iterator[str]:
    """Every public name as a row: a link to its description, and the first line of its docstring."""
    pages = {cls: f"../methods.md#{name}" for name, cls in wc.available_methods().items()}
    pages |= {cls: f"../methods.md#{name.lower()}" for name, cls in wc.available_learners().items()}
    yield "\nAs they are called in Python, after `import wekaconf as wc`.\n\n| name | is |\n|---|---|"
    for name in sorted(public.__all__, key=str.lower):
        thing = getattr(public, name)
        target = f"({pages[thing]})" if thing in pages else f"[{thing.__module__}.{thing.__qualname__}]"
        yield f"| [`wc.{name}`]{target} | {thing.__doc__.strip().splitlines()[0]} |"
    yield ""


if __name__ == "__main__":
    write_pages(PAGES)
