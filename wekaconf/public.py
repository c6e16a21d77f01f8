"""The public names, which the package `wekaconf` exports."""

from wekaconf.base.errors import (
    ModelFileError,
    Note,
    OptionError,
    WekaconfError,
)
from wekaconf.bridge import about, configure, folds
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
from wekaconf.data import Attribute, CostMatrix, Dataset, Header
from wekaconf.data.arff import save_arff
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.measures import risk_coverage
from wekaconf.evaluation.preprocessing import Preprocessing
from wekaconf.evaluation.protocol import Protocol
from wekaconf.evaluation.thresholds import Choice, choose_threshold
from wekaconf.experiments.advising import advise
from wekaconf.experiments.runner import evaluate
from wekaconf.experiments.store import Store
from wekaconf.experiments.studies import read_study, run_study
from wekaconf.in_weka.in_weka import as_weka
from wekaconf.learners import available_learners
from wekaconf.learners.cart import CART
from wekaconf.learners.info_gain import InfoGain, InfoGainBagging
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.characteristic import ID3SD, ID3Max
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.contract import (
    Answer,
    Method,
)
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch
from wekaconf.methods.second_opinion import SecondOpinion
from wekaconf.methods.smoothing import WPE, Shrinkage, ShrinkageWPE
from wekaconf.methods.transductive import TPCE, KukarKononenko
from wekaconf.model.file import load, mirror
from wekaconf.model.fit import fit
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import available_methods, grow, method
from wekaconf.model.scores import Scores
from wekaconf.report.evaluation import Evaluation
from wekaconf.tree import Forest, Learner, TreeMirror

__all__ = [
    "C44",
    "CART",
    "ID3SD",
    "J48",
    "TPCE",
    "WPE",
    "Aim",
    "Answer",
    "Attribute",
    "AttributeSelectedClassifier",
    "Bagging",
    "BoundaryDistance",
    "Choice",
    "ConfDTree",
    "CostMatrix",
    "Curtailment",
    "Dataset",
    "DecisionStump",
    "Evaluation",
    "Forest",
    "Header",
    "ID3Max",
    "InfoGain",
    "InfoGainBagging",
    "KukarKononenko",
    "LeafFrequency",
    "Learner",
    "LingYan",
    "MBranch",
    "Method",
    "Model",
    "ModelFileError",
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
    "Scores",
    "SecondOpinion",
    "Shrinkage",
    "ShrinkageWPE",
    "Store",
    "TreeMirror",
    "WekaconfError",
    "about",
    "advise",
    "as_weka",
    "available_learners",
    "available_methods",
    "choose_threshold",
    "configure",
    "evaluate",
    "fit",
    "folds",
    "grow",
    "load",
    "load_arff",
    "load_table",
    "method",
    "mirror",
    "read_study",
    "risk_coverage",
    "run_study",
    "save_arff",
]
