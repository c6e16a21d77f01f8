"""The papers whose figures are recomputed, and the study of each."""

from __future__ import annotations

from importlib import import_module

from wekaconf.base.errors import OptionError
from wekaconf.replication.illustrations import parts_of
from wekaconf.replication.study import Asked, Study

PAPERS = ("katz2012", "wang2006", "davidsson1996", "toth2006", "costa2013")
"""The papers by the names of their folders; the module ``study`` in each holds its STUDY, imported when needed."""


def study_of(paper: str) -> Study:
    """The study of one of `PAPERS`."""
    study: Study = import_module(f"wekaconf.replication.{paper}.study").STUDY
    return study


def check(study: Study, asked: Asked) -> None:
    """Raise OptionError unless the study has the parts and the reading that it is asked for."""
    known_parts = parts_of(study)
    for part in asked.parts:
        if part not in known_parts:
            raise OptionError(
                f"no {part} in {study.paper}; what is recomputed is {', '.join(known_parts)}",
                value_of=f"{part.partition(' ')[0]}s",
            )
    if asked.reading is not None and asked.reading not in study.readings:
        known = f"its readings are {', '.join(study.readings)}" if study.readings else "it has one reading only"
        raise OptionError(f"no reading '{asked.reading}' of {study.paper}; {known}", value_of="reading")
