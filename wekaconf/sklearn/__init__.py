"""scikit-learn estimators of the methods, with a reject option, scorers and displays for every classifier."""

from wekaconf.sklearn._classifiers import (
    BoundaryDistanceClassifier,
    CARTClassifier,
    ConfDTreeClassifier,
    CurtailmentClassifier,
    ID3MaxClassifier,
    ID3SDClassifier,
    J48Classifier,
    KukarKononenkoClassifier,
    LingYanClassifier,
    MBranchClassifier,
    SecondOpinionClassifier,
    ShrinkageClassifier,
    ShrinkageWPEClassifier,
    TPCEClassifier,
    WPEClassifier,
)
from wekaconf.sklearn._displays import RiskCoverageDisplay, TreeDisplay
from wekaconf.sklearn._factory import classifier_of
from wekaconf.sklearn._reject_option import RejectOption
from wekaconf.sklearn._scorers import AURCScorer, ErrorAtCoverageScorer
from wekaconf.sklearn._second_opinion import SecondOpinion

__all__ = [
    "AURCScorer",
    "BoundaryDistanceClassifier",
    "CARTClassifier",
    "ConfDTreeClassifier",
    "CurtailmentClassifier",
    "ErrorAtCoverageScorer",
    "ID3MaxClassifier",
    "ID3SDClassifier",
    "J48Classifier",
    "KukarKononenkoClassifier",
    "LingYanClassifier",
    "MBranchClassifier",
    "RejectOption",
    "RiskCoverageDisplay",
    "SecondOpinion",
    "SecondOpinionClassifier",
    "ShrinkageClassifier",
    "ShrinkageWPEClassifier",
    "TPCEClassifier",
    "TreeDisplay",
    "WPEClassifier",
    "classifier_of",
]
