"""Weka's meta learners, which filter, weigh or match the data for another learner, split into their parts.

They are no learners here: a tree of theirs reads other data than they do, and everything here takes a tree with the
data as the tree reads them. Taken apart, filters and costs go where those of the user go, and no method can be fitted
on the wrong data. A seed that FilteredClassifier draws from the unfiltered data of a fold would have to travel to the
learner, so what is ``Randomizable`` is refused there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.words import Argument, Setting
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._filters import MULTI_FILTER
from wekaconf.bridge._objects import create, join_options, split_options
from wekaconf.data import CostMatrix, load_cost_matrix
from wekaconf.tree.learner import learner_class

FILTERED, COST_SENSITIVE, INPUT_MAPPED = "FilteredClassifier", "CostSensitiveClassifier", "InputMappedClassifier"
PACKAGES = {
    FILTERED: "weka.classifiers.meta.",
    COST_SENSITIVE: "weka.classifiers.meta.",
    INPUT_MAPPED: "weka.classifiers.misc.",
}
"""The learners that can be taken apart, with their packages."""


class LearnerParts(NamedTuple):
    """The parts of a learner of Weka's.

    Parameters
    ----------
    filters : tuple of str
        Weka's filters with their options, fitted on the training data one after the other.
    cost_matrix : CostMatrix or None
        The costs that weigh the filtered training instances.
    learner : str
        Name of the learner that grows the trees.
    options : str
        Options of that learner.
    """

    filters: tuple[str, ...]
    cost_matrix: CostMatrix | None
    learner: str
    options: str


def is_meta_learner(name: str) -> bool:
    """Whether a name, with or without its package, is that of a learner that can be taken apart."""
    bare = name.rpartition(".")[2]
    return bare in PACKAGES and name in (bare, PACKAGES[bare] + bare)


def take_apart(name: str, options: str | Sequence[str]) -> LearnerParts:
    """The parts of a learner; a learner that is no meta learner is its only part.

    Parameters
    ----------
    name : str
        Weka's name of a class, with or without its package.
    options : str or sequence of str
        Options as Weka writes them.

    Raises
    ------
    OptionError
        Weka refuses the options, or they ask for something unsupported; the message says what to write instead.
    """
    if not is_meta_learner(name):
        text = options if isinstance(options, str) else join_options(options)
        return LearnerParts((), None, name, text)
    name = name.rpartition(".")[2]
    parts = split_options(name, options) if isinstance(options, str) else list(options)
    end = parts.index("--") if "--" in parts else len(parts)
    meta_options, base_options = parts[:end], parts[end + 1 :]
    cost_matrix = _cost_matrix(meta_options) if name == COST_SENSITIVE else None
    create(PACKAGES[name] + name, join_options(parts), value_of="options")  # Weka checks the options
    base_name = _value(meta_options, "-W")
    if not base_name:
        raise OptionError("expected the learner of its trees, such as -W weka.classifiers.trees.J48", of=name)
    base = take_apart(base_name, base_options)
    if name == INPUT_MAPPED:
        _check_columns_match(meta_options)
        return base
    if name == FILTERED:
        _check_seed_is_kept(base_name, base)
        return base._replace(filters=(*_filters(_value(meta_options, "-F")), *base.filters))
    if base.cost_matrix is not None:
        raise OptionError("there is another one in it, so instances would be weighted twice; give one matrix", of=name)
    if base.filters:
        raise OptionError(
            f"filters before a learner are fitted on instances that are not weighted yet; put the two the "
            f"other way round, {FILTERED} -F … -W {PACKAGES[COST_SENSITIVE]}{COST_SENSITIVE} -- …",
            of=name,
        )
    return base._replace(cost_matrix=cost_matrix)


def _value(options: Sequence[str], flag: str) -> str:
    """The value after a flag; empty if there is no such flag."""
    return options[options.index(flag) + 1] if flag in options[:-1] else ""


def _filters(text: str) -> tuple[str, ...]:
    """The filter of a FilteredClassifier, or the filters in its MultiFilter."""
    if not text:
        raise OptionError('expected a filter, such as -F "weka.filters.supervised.attribute.Discretize"', of=FILTERED)
    class_name, *options = split_options(FILTERED, text)
    if class_name == MULTI_FILTER:
        inner_texts = [value for flag, value in pairwise(options) if flag == "-F"]
        return tuple(part for inner in inner_texts for part in _filters(inner))
    if class_name in jvm.call("classes", "weka.core.Randomizable", "weka.filters"):
        raise OptionError(
            f"it gives {class_name} a seed drawn from the data, which cannot be repeated here; give the filter by "
            "itself, ",
            Setting("filters", (text,)),
            ", which keeps its own seed",
            of=FILTERED,
        )
    if "-spread-attribute-weight" in options:
        raise OptionError(f"attributes have no weights here; leave -spread-attribute-weight of {text} out", of=FILTERED)
    return (text,)


def _check_seed_is_kept(name: str, base: LearnerParts) -> None:
    if not is_meta_learner(name) and _is_random(name):
        raise OptionError(
            f"it gives {base.learner} a seed drawn from the data, which cannot be repeated here; give the filter with ",
            Argument("filters"),
            f' and "{f"{base.learner} {base.options}".strip()}" as the learner, which keeps its own seed -S',
            of=FILTERED,
        )


def _check_columns_match(options: Sequence[str]) -> None:
    """Raise OptionError for options of InputMappedClassifier that match columns otherwise than is done here."""
    for flag, reason in (("-I", "their names are compared as they are written"), ("-L", "a model is read with mirror")):
        if flag in options:
            raise OptionError(
                f"columns are matched here for every learner, and {reason}; leave {flag} out", of=INPUT_MAPPED
            )


def _is_random(name: str) -> bool:
    class_name = getattr(learner_class(name), "class_name", name)
    return class_name in jvm.call("classes", "weka.core.Randomizable", "weka.classifiers")


def _cost_matrix(options: Sequence[str]) -> CostMatrix:
    if "-M" in options:
        raise OptionError(
            "-M (least expected cost) changes the answers and not the tree; leave it out to weigh the training "
            "instances, or name the learner inside it, and decide by the same costs with ",
            Argument("cost"),
            " and its matrix; CostMatrix.least_costly gives Weka's own class for distributions",
            of=COST_SENSITIVE,
        )
    if text := _value(options, "-cost-matrix"):
        return CostMatrix.of_text(text)
    if path := _value(options, "-C"):
        return load_cost_matrix(path)
    raise OptionError(
        'expected a matrix, by -C FILE or -cost-matrix "[0 1; 5 0]"; one that would be looked '
        "for by the name of the data (-N) is not read",
        of=COST_SENSITIVE,
    )
