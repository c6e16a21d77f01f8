"""Trees by information gain, grown by an inducer of our own that can withhold an instance's values."""

from wekaconf.learners.info_gain._grow import InfoGain, InfoGainBagging
from wekaconf.learners.info_gain._learning_set import LearningSet, inputs
from wekaconf.learners.info_gain._rules import NOBODY, SMALLEST_GAIN, Cuts, Rules

__all__ = ["NOBODY", "SMALLEST_GAIN", "Cuts", "InfoGain", "InfoGainBagging", "LearningSet", "Rules", "inputs"]
