"""Mirrors of trees that others have grown and saved: scikit-learn's estimators and Weka's model files."""

from wekaconf.learners.foreign._weka_wrappers import COST_SENSITIVE, FILTERED, INPUT_MAPPED
from wekaconf.learners.foreign.weka_models import ENDINGS_OF_WEKA, is_weka_model

__all__ = ["COST_SENSITIVE", "ENDINGS_OF_WEKA", "FILTERED", "INPUT_MAPPED", "is_weka_model"]
