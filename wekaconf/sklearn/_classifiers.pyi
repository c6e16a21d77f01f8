# Written by scripts/make_stubs.py.
from collections.abc import Sequence
from typing import Literal

from wekaconf.sklearn._base import LearnerClassifier, MethodClassifier
from wekaconf.tree._mirror import TreeMirror
from wekaconf.tree.learner import Learner

class J48Classifier(LearnerClassifier):
    options: str | Sequence[str]
    confidence_factor: float
    min_num_obj: int
    unpruned: bool
    collapse_tree: bool
    subtree_raising: bool
    binary_splits: bool
    use_laplace: bool
    use_mdl_correction: bool
    do_not_make_split_point_actual_value: bool
    def __init__(
        self,
        *,
        options: str | Sequence[str] = "",
        confidence_factor: float = 0.25,
        min_num_obj: int = 2,
        unpruned: bool = False,
        collapse_tree: bool = True,
        subtree_raising: bool = True,
        binary_splits: bool = False,
        use_laplace: bool = False,
        use_mdl_correction: bool = True,
        do_not_make_split_point_actual_value: bool = False,
    ) -> None: ...
    def _learner(self) -> Learner[TreeMirror]: ...

class CARTClassifier(LearnerClassifier):
    prune: Literal["cv", "test", "none"]
    prune_by: Literal["gini", "error"]
    se: float
    folds: int
    test_share: float
    seed: int
    leaves: int | None
    min_leaf: int
    nominal: Literal["one_hot", "refuse"]
    def __init__(
        self,
        *,
        prune: Literal["cv", "test", "none"] = "cv",
        prune_by: Literal["gini", "error"] = "gini",
        se: float = 0.0,
        folds: int = 10,
        test_share: float = 0.33,
        seed: int = 1,
        leaves: int | None = None,
        min_leaf: int = 1,
        nominal: Literal["one_hot", "refuse"] = "one_hot",
    ) -> None: ...
    def _learner(self) -> Learner[TreeMirror]: ...

class ConfDTreeClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    variant: Literal["comb", "norm", "tdist"]
    min_instances: int
    z_assigned: float
    z_other: float
    level_assigned: float
    level_other: float
    fine: float
    routes: bool
    fines: bool
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        variant: Literal["comb", "norm", "tdist"] = "comb",
        min_instances: int = 5,
        z_assigned: float = 2.0,
        z_other: float = 1.0,
        level_assigned: float = 0.995,
        level_other: float = 0.9,
        fine: float = 0.1,
        routes: bool = True,
        fines: bool = True,
    ) -> None: ...

class ShrinkageClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    local: Literal["laplace", "wpe", "naive_bayes"]
    weights: Literal["diw", "em", "uniform"]
    iterations: int
    tolerance: float
    reading: Literal["honest", "text"]
    numeric: Literal["refuse", "bins"]
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        local: Literal["laplace", "wpe", "naive_bayes"] = "laplace",
        weights: Literal["diw", "em", "uniform"] = "diw",
        iterations: int = 1,
        tolerance: float = 1e-06,
        reading: Literal["honest", "text"] = "honest",
        numeric: Literal["refuse", "bins"] = "bins",
    ) -> None: ...

class WPEClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    node: Literal["leaf", "root"]
    numeric: Literal["refuse", "bins"]
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        node: Literal["leaf", "root"] = "leaf",
        numeric: Literal["refuse", "bins"] = "bins",
    ) -> None: ...

class ShrinkageWPEClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    weights: Literal["diw", "em", "uniform"]
    iterations: int
    tolerance: float
    reading: Literal["honest", "text"]
    numeric: Literal["refuse", "bins"]
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        weights: Literal["diw", "em", "uniform"] = "diw",
        iterations: int = 1,
        tolerance: float = 1e-06,
        reading: Literal["honest", "text"] = "honest",
        numeric: Literal["refuse", "bins"] = "bins",
    ) -> None: ...

class MBranchClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    m: float
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        m: float = 4.0,
    ) -> None: ...

class LingYanClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    confusion: float
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        confusion: float = 0.4,
    ) -> None: ...

class CurtailmentClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    min_weight: float
    estimate: Literal["frequency", "laplace"]
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        min_weight: float = 10.0,
        estimate: Literal["frequency", "laplace"] = "frequency",
    ) -> None: ...

class ID3SDClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    alpha: float | None
    p_total: float | None
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        alpha: float | None = None,
        p_total: float | None = None,
    ) -> None: ...

class ID3MaxClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    closed: Literal["both", "lower", "upper", "neither"]
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        closed: Literal["both", "lower", "upper", "neither"] = "both",
    ) -> None: ...

class BoundaryDistanceClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    scaling: Literal["raw", "minmax", "z"]
    norm: Literal["l2", "l1", "linf"]
    nominal: float
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        scaling: Literal["raw", "minmax", "z"] = "raw",
        norm: Literal["l2", "l1", "linf"] = "l2",
        nominal: float = 1.0,
    ) -> None: ...

class TPCEClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    cuts: Literal["class-boundary", "with-x", "all"] | None
    alpha: float
    inner: str
    batch: bool
    seed: int
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        cuts: Literal["class-boundary", "with-x", "all"] | None = None,
        alpha: float = 1.0,
        inner: str = "info_gain",
        batch: bool = False,
        seed: int = 1,
    ) -> None: ...

class KukarKononenkoClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    supervised: bool
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        supervised: bool = False,
    ) -> None: ...

class SecondOpinionClassifier(MethodClassifier):
    learner: str | Learner[TreeMirror] | LearnerClassifier | None
    sides: str | tuple[str, ...]
    answers: Literal["likeliest", "tree"]
    folds: int
    penalty: float
    seed: int
    def __init__(
        self,
        *,
        learner: str | Learner[TreeMirror] | LearnerClassifier | None = None,
        sides: str | tuple[str, ...] = "laplace+naive_bayes+logistic",
        answers: Literal["likeliest", "tree"] = "likeliest",
        folds: int = 3,
        penalty: float = 1.0,
        seed: int = 1,
    ) -> None: ...
