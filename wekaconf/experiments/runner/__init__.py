"""Evaluations: methods measured on one data set, or on many at a time."""

from wekaconf.experiments.runner.measurement import Measurement
from wekaconf.experiments.runner.plan import Plan
from wekaconf.experiments.runner.run import evaluate, measure_each

__all__ = ["Measurement", "Plan", "evaluate", "measure_each"]
