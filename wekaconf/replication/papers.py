"""The papers whose figures are recomputed: the study of each, and its illustrations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.base.plot_style import check_plot
from wekaconf.replication._data_files import find_sets
from wekaconf.replication._study import Illustration, PaperStudy, Request, Results

__all__ = [
    "PAPERS",
    "Request",
    "check_request",
    "illustrations_of",
    "parts_of",
    "replicate",
    "study_of",
]

PAPERS = ("katz2012", "wang2006", "davidsson1996", "toth2006", "costa2013")
"""The papers by their folders, whose modules ``study`` and ``illustrations`` are imported when needed."""


def study_of(paper: str) -> PaperStudy:
    """The study of one of `PAPERS`."""
    study: PaperStudy = import_module(f"wekaconf.replication.{paper}.study").STUDY
    return study


def check_request(study: PaperStudy, request: Request) -> None:
    """Raise OptionError unless the study has the parts and the reading that it is asked for."""
    known_parts = parts_of(study)
    for part in request.parts:
        if part not in known_parts:
            raise OptionError(
                f"no {part} in {study.paper}; what is recomputed is {', '.join(known_parts)}",
                value_of=f"{part.partition(' ')[0]}s",
            )
    if request.reading is not None and request.reading not in study.readings:
        known = f"its readings are {', '.join(study.readings)}" if study.readings else "it has one reading only"
        raise OptionError(f"no reading '{request.reading}' of {study.paper}; {known}", value_of="reading")


def illustrations_of(paper: str) -> Mapping[str, Illustration]:
    """The illustrations of a paper, by part, perhaps with a word behind it, as in `Results`."""
    module = import_module(f"wekaconf.replication.{paper}.illustrations")
    illustrations: Mapping[str, Illustration] = module.ILLUSTRATIONS
    return illustrations


def parts_of(study: PaperStudy) -> tuple[str, ...]:
    """All parts that can be asked for: those that are measured, and illustrations."""
    return (*study.parts, *dict.fromkeys(map(_part, illustrations_of(study.paper))))


def replicate(study: PaperStudy, request: Request) -> Results:
    """The results of a paper's study, with the illustrations that are asked for by name.

    Nothing is measured if only illustrations are asked for.

    Raises
    ------
    OptionError
        See the study; or an illustration needs a data set without a file.
    """
    chosen = {name: one for name, one in illustrations_of(study.paper).items() if _part(name) in request.parts}
    measured = tuple(part for part in request.parts if part in study.parts)
    results = study.run(replace(request, parts=measured)) if measured or not request.parts else Results([], [])
    drawers: dict[str, Callable[[str], Any]] = {}
    for name, one in chosen.items():
        files = find_sets(request.data, [one.data_set])[0].values() if one.data_set else ()
        drawers[name] = partial(_draw, one.draw, tuple(files))
    return replace(results, figures={**results.figures, **drawers})


def _draw(draw: Callable[..., Any], files: tuple[str, ...], path: str) -> None:
    check_plot(path)
    draw(path, *files)


def _part(name: str) -> str:
    return " ".join(name.split()[:2])
