"""The papers whose figures are recomputed, and the study of each."""

from __future__ import annotations

from importlib import import_module

from wekaconf.base.errors import OptionError
from wekaconf.replication._study import PaperStudy, Request

__all__ = ["PAPERS", "Request", "check_request", "study_of"]

PAPERS = ("katz2012", "wang2006", "davidsson1996", "toth2006", "costa2013")
"""The papers by their folders, whose modules ``study`` are imported when needed."""


def study_of(paper: str) -> PaperStudy:
    """The study of one of `PAPERS`."""
    study: PaperStudy = import_module(f"wekaconf.replication.{paper}.study").STUDY
    return study


def check_request(study: PaperStudy, request: Request) -> None:
    """Raise OptionError unless the study has the parts and the reading that it is asked for."""
    for part in request.parts:
        if part not in study.parts:
            raise OptionError(
                f"no {part} in {study.paper}; what is recomputed is {', '.join(study.parts)}",
                value_of=f"{part.partition(' ')[0]}s",
            )
    if request.reading is not None and request.reading not in study.readings:
        known = f"its readings are {', '.join(study.readings)}" if study.readings else "it has one reading only"
        raise OptionError(f"no reading '{request.reading}' of {study.paper}; {known}", value_of="reading")
