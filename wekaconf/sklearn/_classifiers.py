"""The estimators, each made from what its method or its learner declares; _classifiers.pyi says so to type checkers.

A constructor written by hand would declare every parameter a second time. ``scripts/make_stubs.py`` writes the stub;
the classes themselves as generated source would be 700 lines to review in place of its 250.
"""

from __future__ import annotations

from wekaconf.bridge.learners import J48
from wekaconf.learners.cart import CART
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.characteristic import ID3SD, ID3Max
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch
from wekaconf.methods.second_opinion import SecondOpinion
from wekaconf.methods.smoothing import WPE, Shrinkage, ShrinkageWPE
from wekaconf.methods.transductive import TPCE, KukarKononenko
from wekaconf.sklearn._base import LearnerClassifier, MethodClassifier


class J48Classifier(LearnerClassifier):
    """A tree of Weka's J48."""

    declares = J48


class CARTClassifier(LearnerClassifier):
    """A tree of scikit-learn's CART, with pruning by cross-validation."""

    declares = CART


class ConfDTreeClassifier(MethodClassifier):
    """ConfDTree as a scikit-learn classifier."""

    declares = ConfDTree


class ShrinkageClassifier(MethodClassifier):
    """Shrinkage as a scikit-learn classifier."""

    declares = Shrinkage


class WPEClassifier(MethodClassifier):
    """WPE as a scikit-learn classifier."""

    declares = WPE


class ShrinkageWPEClassifier(MethodClassifier):
    """ShrinkageWPE as a scikit-learn classifier."""

    declares = ShrinkageWPE


class MBranchClassifier(MethodClassifier):
    """m-Branch as a scikit-learn classifier."""

    declares = MBranch


class LingYanClassifier(MethodClassifier):
    """Ling and Yan's method as a scikit-learn classifier."""

    declares = LingYan


class CurtailmentClassifier(MethodClassifier):
    """Curtailment as a scikit-learn classifier."""

    declares = Curtailment


class ID3SDClassifier(MethodClassifier):
    """ID3-SD as a scikit-learn classifier."""

    declares = ID3SD


class ID3MaxClassifier(MethodClassifier):
    """ID3-Max as a scikit-learn classifier."""

    declares = ID3Max


class BoundaryDistanceClassifier(MethodClassifier):
    """Distance to the decision boundary as a scikit-learn classifier."""

    declares = BoundaryDistance


class TPCEClassifier(MethodClassifier):
    """TPCE as a scikit-learn classifier."""

    declares = TPCE


class KukarKononenkoClassifier(MethodClassifier):
    """Kukar and Kononenko's reliability as a scikit-learn classifier."""

    declares = KukarKononenko


class SecondOpinionClassifier(MethodClassifier):
    """A tree pooled with models of other kinds, as a scikit-learn classifier."""

    declares = SecondOpinion
