"""The estimators, each made from what its method or its learner declares; classifiers.pyi says so to type checkers."""

from __future__ import annotations

from wekaconf.bridge.learners import J48
from wekaconf.learner import Learner
from wekaconf.learners.cart import CART
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.characteristic.id3_max import ID3Max
from wekaconf.methods.characteristic.id3_sd import ID3SD
from wekaconf.methods.confdtree import ConfDTree
from wekaconf.methods.curtailment import Curtailment
from wekaconf.methods.ling_yan import LingYan
from wekaconf.methods.m_branch import MBranch
from wekaconf.methods.smoothing.shrinkage import Shrinkage
from wekaconf.methods.smoothing.shrinkage_wpe import ShrinkageWPE
from wekaconf.methods.smoothing.wpe import WPE
from wekaconf.methods.transductive.kukar_kononenko import KukarKononenko
from wekaconf.methods.transductive.tpce import TPCE
from wekaconf.sklearn.base import LearnerClassifier, MethodClassifier
from wekaconf.sklearn.j48_options import J48Options
from wekaconf.tree.mirror import TreeMirror


class J48Classifier(LearnerClassifier, declares=J48Options, grows=J48):
    """A tree of Weka's J48."""

    def _learner(self) -> Learner[TreeMirror]:
        return J48Options(**self._declared()).learner()


class CARTClassifier(LearnerClassifier, declares=CART, grows=CART):
    """A tree of scikit-learn's CART, with pruning by cross-validation."""

    def _learner(self) -> Learner[TreeMirror]:
        return CART(**self._declared())


class ConfDTreeClassifier(MethodClassifier, method=ConfDTree):
    """ConfDTree as a scikit-learn classifier."""


class ShrinkageClassifier(MethodClassifier, method=Shrinkage):
    """Shrinkage as a scikit-learn classifier."""


class WPEClassifier(MethodClassifier, method=WPE):
    """WPE as a scikit-learn classifier."""


class ShrinkageWPEClassifier(MethodClassifier, method=ShrinkageWPE):
    """ShrinkageWPE as a scikit-learn classifier."""


class MBranchClassifier(MethodClassifier, method=MBranch):
    """m-Branch as a scikit-learn classifier."""


class LingYanClassifier(MethodClassifier, method=LingYan):
    """Ling and Yan's method as a scikit-learn classifier."""


class CurtailmentClassifier(MethodClassifier, method=Curtailment):
    """Curtailment as a scikit-learn classifier."""


class ID3SDClassifier(MethodClassifier, method=ID3SD):
    """ID3-SD as a scikit-learn classifier."""


class ID3MaxClassifier(MethodClassifier, method=ID3Max):
    """ID3-Max as a scikit-learn classifier."""


class BoundaryDistanceClassifier(MethodClassifier, method=BoundaryDistance):
    """Distance to the decision boundary as a scikit-learn classifier."""


class TPCEClassifier(MethodClassifier, method=TPCE):
    """TPCE as a scikit-learn classifier."""


class KukarKononenkoClassifier(MethodClassifier, method=KukarKononenko):
    """Kukar and Kononenko's reliability as a scikit-learn classifier."""


