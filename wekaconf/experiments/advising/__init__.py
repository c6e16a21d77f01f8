"""Advice on a method for a data set: candidates measured, compared and ranked."""

from wekaconf.experiments.advising.advice import Advice
from wekaconf.experiments.advising.advise import advise

__all__ = ["Advice", "advise"]
