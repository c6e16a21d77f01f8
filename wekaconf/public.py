"""The public names, which `wekaconf` hands on."""

from wekaconf.arff import save_arff
from wekaconf.bridge import FittedFilter, about, configure, fit_filter, folds
from wekaconf.characteristic.limits import CharacteristicLimits, LimitTest, characteristic_limits
from wekaconf.column_map import ColumnMap
from wekaconf.dataset import Attribute, Dataset, Header
from wekaconf.errors import (
    ArffError,
    BridgeError,
    HeaderMismatchError,
    ModelFileError,
    Note,
    NotFittedError,
    OptionError,
    WekaconfError,
)
from wekaconf.evaluation.reject import Aim, Choice, RiskCoverage, choose_threshold, risk_coverage
from wekaconf.model_file import load_filters, load_model, save_model
from wekaconf.postprocessor import Event, Explanation, PostProcessor
from wekaconf.preprocessing import Preprocessing, fit_preprocessing
from wekaconf.scheme import available_methods, draw_known, evaluate, grow, load_arff, method, splits
from wekaconf.tree import Forest, Routing, SplitKind, TreeMirror

__all__ = [
    "Aim",
    "ArffError",
    "Attribute",
    "BridgeError",
    "CharacteristicLimits",
    "Choice",
    "ColumnMap",
    "Dataset",
    "Event",
    "Explanation",
    "FittedFilter",
    "Forest",
    "Header",
    "HeaderMismatchError",
    "LimitTest",
    "ModelFileError",
    "NotFittedError",
    "Note",
    "OptionError",
    "PostProcessor",
    "Preprocessing",
    "RiskCoverage",
    "Routing",
    "SplitKind",
    "TreeMirror",
    "WekaconfError",
    "about",
    "available_methods",
    "characteristic_limits",
    "choose_threshold",
    "configure",
    "draw_known",
    "evaluate",
    "fit_filter",
    "fit_preprocessing",
    "folds",
    "grow",
    "load_arff",
    "load_filters",
    "load_model",
    "method",
    "risk_coverage",
    "save_arff",
    "save_model",
    "splits",
]
