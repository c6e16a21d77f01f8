"""The public names, which the package `wekaconf` exports."""

from wekaconf.base.errors import (
    ArffError,
    BridgeError,
    HeaderMismatchError,
    ModelFileError,
    Note,
    NotFittedError,
    OptionError,
    StoreError,
    TableError,
    WekaconfError,
)
from wekaconf.bridge import FittedFilter, about, configure, fit_filter, folds
from wekaconf.bridge.learners import (
    C44,
    J48,
    AttributeSelectedClassifier,
    Bagging,
    DecisionStump,
    RandomCommittee,
    RandomForest,
    RandomSubSpace,
    RandomTree,
    REPTree,
)
from wekaconf.bridge.reading import load_arff, load_table
from wekaconf.data.arff import save_arff
from wekaconf.data.column_map import ColumnMap
from wekaconf.data.cost_matrix import CostMatrix, load_cost_matrix
from wekaconf.data.dataset import Dataset
from wekaconf.data.header import Attribute, Header
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.measures import RiskCoverage, risk_coverage
from wekaconf.evaluation.preprocessing import Preprocessing, fit_preprocessing
from wekaconf.evaluation.protocol import Protocol, draw_known, splits
from wekaconf.evaluation.thresholds import Choice, choose_threshold
from wekaconf.experiments.advising import Advice, advise
from wekaconf.experiments.runner import evaluate
from wekaconf.experiments.store import Store
from wekaconf.experiments.studies import Study, read_study, run_study
from wekaconf.in_weka.in_weka import as_weka
from wekaconf.learners.cart import CART
from wekaconf.learners.info_gain import InfoGain, InfoGainBagging
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.characteristic import ID3SD, CharacteristicLimits, ID3Max, LimitTest, characteristic_limits
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.contract import (
    Account,
    Answer,
    CertaintyRange,
    Event,
    Explanation,
    LeavesOneOut,
    LeftOut,
    Method,
    Reply,
    Step,
)
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch
from wekaconf.methods.second_opinion import SecondOpinion
from wekaconf.methods.smoothing import WPE, Shrinkage, ShrinkageWPE
from wekaconf.methods.transductive import TPCE, KukarKononenko
from wekaconf.model.file import load
from wekaconf.model.fit import fit
from wekaconf.model.fitted import Model
from wekaconf.model.mirroring import mirror
from wekaconf.model.scheme import available_methods, grow, method
from wekaconf.model.scores import Scores
from wekaconf.report.evaluation import Evaluation
from wekaconf.tree import Forest, Learner, Routing, SplitKind, TreeMirror, available_learners

__all__ = [
    "C44",
    "CART",
    "ID3SD",
    "J48",
    "TPCE",
    "WPE",
    "Account",
    "Advice",
    "Aim",
    "Answer",
    "ArffError",
    "Attribute",
    "AttributeSelectedClassifier",
    "Bagging",
    "BoundaryDistance",
    "BridgeError",
    "CertaintyRange",
    "CharacteristicLimits",
    "Choice",
    "ColumnMap",
    "ConfDTree",
    "CostMatrix",
    "Curtailment",
    "Dataset",
    "DecisionStump",
    "Evaluation",
    "Event",
    "Explanation",
    "FittedFilter",
    "Forest",
    "Header",
    "HeaderMismatchError",
    "ID3Max",
    "InfoGain",
    "InfoGainBagging",
    "KukarKononenko",
    "LeafFrequency",
    "Learner",
    "LeavesOneOut",
    "LeftOut",
    "LimitTest",
    "LingYan",
    "MBranch",
    "Method",
    "Model",
    "ModelFileError",
    "NotFittedError",
    "Note",
    "OptionError",
    "Preprocessing",
    "Protocol",
    "REPTree",
    "RandomCommittee",
    "RandomForest",
    "RandomSubSpace",
    "RandomTree",
    "RejectCosts",
    "Reply",
    "RiskCoverage",
    "Routing",
    "Scores",
    "SecondOpinion",
    "Shrinkage",
    "ShrinkageWPE",
    "SplitKind",
    "Step",
    "Store",
    "StoreError",
    "Study",
    "TableError",
    "TreeMirror",
    "WekaconfError",
    "about",
    "advise",
    "as_weka",
    "available_learners",
    "available_methods",
    "characteristic_limits",
    "choose_threshold",
    "configure",
    "draw_known",
    "evaluate",
    "fit",
    "fit_filter",
    "fit_preprocessing",
    "folds",
    "grow",
    "load",
    "load_arff",
    "load_cost_matrix",
    "load_table",
    "method",
    "mirror",
    "read_study",
    "risk_coverage",
    "run_study",
    "save_arff",
    "splits",
]
