"""The public names, which `wekaconf` hands on."""

from wekaconf.bridge import FittedFilter, about, configure, fit_filter, folds
from wekaconf.bridge.learners import C44, J48, Bagging, RandomForest, RandomTree, REPTree
from wekaconf.data.arff import save_arff
from wekaconf.data.column_map import ColumnMap
from wekaconf.data.dataset import Attribute, Dataset, Header
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
from wekaconf.evaluation.risk_coverage import RiskCoverage, risk_coverage
from wekaconf.evaluation.thresholds import Aim, Choice, choose_threshold
from wekaconf.explanation import Event, Explanation
from wekaconf.learner import Learner, available_learners
from wekaconf.learners.cart import CART
from wekaconf.learners.info_gain import InfoGain, InfoGainBagging
from wekaconf.methods.characteristic.limits import LimitTest
from wekaconf.methods.characteristic.of_classes import CharacteristicLimits, characteristic_limits
from wekaconf.model import Model
from wekaconf.model_file import load_model, save_model
from wekaconf.postprocessor import PostProcessor
from wekaconf.protocol.open_sets import draw_known
from wekaconf.protocol.preprocessing import Preprocessing, fit_preprocessing
from wekaconf.protocol.protocol import Protocol
from wekaconf.protocol.splits import splits
from wekaconf.reading import load_arff
from wekaconf.report.evaluation import Evaluation
from wekaconf.scheme import available_methods, grow, method
from wekaconf.session import evaluate
from wekaconf.tree.forest import Forest
from wekaconf.tree.kinds import Routing, SplitKind
from wekaconf.tree.mirror import TreeMirror

__all__ = [
    "C44",
    "CART",
    "J48",
    "Aim",
    "ArffError",
    "Attribute",
    "Bagging",
    "BridgeError",
    "CharacteristicLimits",
    "Choice",
    "ColumnMap",
    "Dataset",
    "Evaluation",
    "Event",
    "Explanation",
    "FittedFilter",
    "Forest",
    "Header",
    "HeaderMismatchError",
    "InfoGain",
    "InfoGainBagging",
    "Learner",
    "LimitTest",
    "Model",
    "ModelFileError",
    "NotFittedError",
    "Note",
    "OptionError",
    "PostProcessor",
    "Preprocessing",
    "Protocol",
    "REPTree",
    "RandomForest",
    "RandomTree",
    "RiskCoverage",
    "Routing",
    "SplitKind",
    "TreeMirror",
    "WekaconfError",
    "about",
    "available_learners",
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
    "load_model",
    "method",
    "risk_coverage",
    "save_arff",
    "save_model",
    "splits",
]
