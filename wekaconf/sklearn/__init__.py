"""scikit-learn estimators of the methods, with a reject option, scorers and displays for every classifier."""

from wekaconf.sklearn.classifiers import (
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
    ShrinkageClassifier,
    ShrinkageWPEClassifier,
    TPCEClassifier,
    WPEClassifier,
)

__all__ = [
    "BoundaryDistanceClassifier",
    "CARTClassifier",
    "ConfDTreeClassifier",
    "CurtailmentClassifier",
    "ID3MaxClassifier",
    "ID3SDClassifier",
    "J48Classifier",
    "KukarKononenkoClassifier",
    "LingYanClassifier",
    "MBranchClassifier",
    "ShrinkageClassifier",
    "ShrinkageWPEClassifier",
    "TPCEClassifier",
    "WPEClassifier",
]
