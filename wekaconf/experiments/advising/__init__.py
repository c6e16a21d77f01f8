"""Advice on a method for a data set: candidates measured, compared and ranked."""

from wekaconf.experiments.advising._advice import Advice
from wekaconf.experiments.advising._advise import advise

__all__ = ["Advice", "advise"]
