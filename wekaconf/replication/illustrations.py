"""Illustrations of the papers, which show no measurement: examples from a paper's text, or on one data set.

They are no parts of a study, since nothing in them can match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import Any

from wekaconf.base.plot_style import check_plot
from wekaconf.replication.data_files import find_sets
from wekaconf.replication.study import Asked, Results, Study


@dataclass(frozen=True)
class Illustration:
    """A figure of a paper, drawn without measuring anything.

    Parameters
    ----------
    draw : callable
        Takes the name of a file (.png, .pdf or .svg) and the file of the data set, if it needs one.
    data_set : str
        The data set of the figure; empty: it needs none.
    """

    draw: Callable[..., Any]
    data_set: str = ""


def illustrations_of(paper: str) -> Mapping[str, Illustration]:
    """The illustrations of a paper, by part, perhaps with a word behind it, as in `Results`."""
    module = import_module(f"wekaconf.replication.{paper}.illustrations")
    illustrations: Mapping[str, Illustration] = module.ILLUSTRATIONS
    return illustrations


def parts_of(study: Study) -> tuple[str, ...]:
    """All parts that can be asked for: those that are measured, and illustrations."""
    return (*study.parts, *dict.fromkeys(map(_part, illustrations_of(study.paper))))


def run(study: Study, asked: Asked) -> Results:
    """The results of a study, with the illustrations that are asked for by name.

    Nothing is measured if only illustrations are asked for.

    Raises
    ------
    OptionError
        See the study; or an illustration needs a data set without a file.
    """
    chosen = {name: one for name, one in illustrations_of(study.paper).items() if _part(name) in asked.parts}
    measured = tuple(part for part in asked.parts if part in study.parts)
    results = study.run(replace(asked, parts=measured)) if measured or not asked.parts else Results([], [])
    drawers: dict[str, Callable[[str], Any]] = {}
    for name, one in chosen.items():
        files = find_sets(asked.data, [one.data_set])[0].values() if one.data_set else ()
        drawers[name] = partial(_draw, one.draw, tuple(files))
    return replace(results, figures={**results.figures, **drawers})


def _draw(draw: Callable[..., Any], files: tuple[str, ...], path: str) -> None:
    check_plot(path)
    draw(path, *files)


def _part(name: str) -> str:
    return " ".join(name.split()[:2])
