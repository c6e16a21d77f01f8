"""Evaluations: methods measured on one data set, or on many at a time."""

from wekaconf.experiments.runner._measurement import Measurement
from wekaconf.experiments.runner._plan import Plan
from wekaconf.experiments.runner._run import evaluate, measure_each

__all__ = ["Measurement", "Plan", "evaluate", "measure_each"]
