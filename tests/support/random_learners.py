"""Random learners with random options: all that Weka or we declare, except J48's ``-R``, which Weka itself refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from numpy.random import Generator


def some(rng: Generator, options: dict[str, Sequence[object] | None], share: float = 0.3) -> str:
    """Some of the options: flags, and options with one of their values."""
    chosen = (
        option if values is None else f"{option} {values[rng.integers(len(values))]}"
        for option, values in options.items()
        if rng.random() < share
    )
    return " ".join(chosen)


SEEDS = (0, 1, 7, -3)
ANY_MODEL = {"-num-decimal-places": (0, 5), "-batch-size": (1,)}
C44 = {"-M": (0, 1, 2, 5, 20), "-B": None, "-J": None, "-L": None, "-doNotMakeSplitPointActualValue": None, **ANY_MODEL}
J48 = {**C44, "-A": None, "-O": None}
J48_PRUNED = {**J48, "-C": (0.001, 0.05, 0.1, 0.25, 0.4, 0.5), "-S": None}
REPTREE = {
    "-M": (0, 1, 2, 8), "-V": (0, 0.001, 0.1), "-N": (2, 3, 5, 20), "-S": SEEDS, "-P": None,
    "-L": (-1, 0, 1, 3), "-I": (0, 0.5, 2), "-R": None, **ANY_MODEL,
}  # fmt: skip
RANDOMTREE = {
    "-K": (0, 1, 2, 100), "-M": (0, 1, 2, 0.5, 7.5), "-V": (0, 0.001, 0.1), "-S": SEEDS, "-depth": (0, 1, 3, 10),
    "-N": (0, 2, 3, 20), "-U": None, "-B": None, **ANY_MODEL,
}  # fmt: skip
BAGS = {"-num-slots": (1, 2), "-print": None}
OUT_OF_BAG = {"-O": None, "-store-out-of-bag-predictions": None, "-output-out-of-bag-complexity-statistics": None}
INFO_GAIN = {
    "cuts": ("class-boundary", "all", "with-x"), "safe_prune": ("true", "false"),
    "min_weight": (0, 1, 2, 3.5, 30), "min_gain": (1e-12, 1e-6, 0.05, 0.5), "laplace": ("true", "false"),
}  # fmt: skip


def j48(rng: Generator) -> str:
    return f"-U {some(rng, J48)}" if rng.random() < 0.4 else some(rng, J48_PRUNED)


BASES: dict[str, Callable[[Generator], str]] = {
    "J48": j48,
    "REPTree": lambda rng: some(rng, REPTREE),
    "RandomTree": lambda rng: some(rng, RANDOMTREE),
    "DecisionStump": lambda rng: some(rng, ANY_MODEL),
}
SELECTIONS = (
    "",
    '-E weka.attributeSelection.CfsSubsetEval -S "weka.attributeSelection.GreedyStepwise -B"',
    '-E weka.attributeSelection.InfoGainAttributeEval -S "weka.attributeSelection.Ranker -N 2"',
    '-E weka.attributeSelection.OneRAttributeEval -S "weka.attributeSelection.Ranker -N 1"',
    '-E weka.attributeSelection.ReliefFAttributeEval -S "weka.attributeSelection.Ranker -T 0.01"',
)
"""Evaluators and searches of AttributeSelectedClassifier; that of information gain takes no weights but 1."""


def bags(rng: Generator) -> str:
    """How an ensemble draws and counts its bags; Weka computes out-of-bag errors only for bags of full size."""
    size = some(rng, OUT_OF_BAG) if rng.random() < 0.3 else some(rng, {"-P": (10, 50, 60, 100)})
    return f"-I {rng.integers(1, 5)} {size} {some(rng, BAGS)}"


def random_forest(rng: Generator) -> str:
    return f"{bags(rng)} {some(rng, {**RANDOMTREE, '-attribute-importance': None}, 0.2)}"


def bagging(rng: Generator) -> str:
    further = some(rng, {"-S": SEEDS, "-represent-copies-using-weights": None, **ANY_MODEL})
    return f"{bags(rng)} {further} {inner(rng, *BASES)}"


def inner(rng: Generator, *bases: str) -> str:
    """A learner of trees inside another; sometimes it chooses columns for one."""
    base = str(rng.choice(bases))
    if rng.random() < 0.1:
        return f"-W weka.classifiers.meta.AttributeSelectedClassifier -- {selected(rng)}"
    return f"-W weka.classifiers.trees.{base} -- {BASES[base](rng)}"


def committee(rng: Generator) -> str:
    base = str(rng.choice(["REPTree", "RandomTree"]))
    return f"{several(rng)} -W weka.classifiers.trees.{base} -- {BASES[base](rng)}"


def sub_space(rng: Generator) -> str:
    return f"{several(rng)} {some(rng, {'-P': (0.1, 0.5, 1, 2, 3)})} {inner(rng, *BASES)}"


def several(rng: Generator) -> str:
    return f"-I {rng.integers(1, 5)} {some(rng, {'-S': SEEDS, '-num-slots': (1, 2), **ANY_MODEL})}"


def selected(rng: Generator) -> str:
    selection = SELECTIONS[rng.integers(len(SELECTIONS))]
    if rng.random() < 0.2:
        return f"{selection} -W weka.classifiers.trees.RandomForest -- {random_forest(rng)}"
    base = str(rng.choice([*BASES]))
    return f"{selection} -W weka.classifiers.trees.{base} -- {BASES[base](rng)}"


def cart(rng: Generator) -> str:
    if rng.random() < 0.6:
        chosen = "prune=none"
    elif rng.random() < 0.5:
        chosen = f"leaves={rng.integers(1, 9)}"
    else:
        chosen = f"prune={rng.choice(['cv', 'test'])} folds={rng.integers(2, 6)} se={rng.choice([0, 1])}"
    return f"{chosen} {named(some(rng, {'min_leaf': (1, 3, 10), 'seed': (0, 1, 5)}))} nominal=one_hot"


def named(options: str) -> str:
    """Options of our own learners, which are written ``name=value``."""
    parts = options.split()
    return " ".join(f"{name}={value}" for name, value in zip(parts[::2], parts[1::2], strict=True))


def info_gain(rng: Generator) -> str:
    return named(some(rng, INFO_GAIN))


def info_gain_bagging(rng: Generator) -> str:
    return named(some(rng, {**INFO_GAIN, "bags": ("k", 1, 4), "votes": ("mean", "hard"), "seed": (0, 1, 9)}))


LEARNERS: dict[str, tuple[float, Callable[[Generator], str]]] = {
    "J48": (5, j48),
    "C44": (1, lambda rng: some(rng, C44)),
    "REPTree": (3, BASES["REPTree"]),
    "RandomTree": (3, BASES["RandomTree"]),
    "RandomForest": (2, random_forest),
    "Bagging": (2, bagging),
    "DecisionStump": (1, BASES["DecisionStump"]),
    "RandomCommittee": (1, committee),
    "RandomSubSpace": (2, sub_space),
    "AttributeSelectedClassifier": (2, selected),
    "CART": (1, cart),
    "info_gain": (2, info_gain),
    "info_gain_bagging": (1, info_gain_bagging),
}
"""Every learner with its relative frequency and a function that draws its options."""


def random_learner(rng: Generator) -> tuple[str, str]:
    """Name and options."""
    names = [*LEARNERS]
    shares = [LEARNERS[name][0] for name in names]
    name = str(rng.choice(names, p=[share / sum(shares) for share in shares]))
    return name, " ".join(LEARNERS[name][1](rng).split())
