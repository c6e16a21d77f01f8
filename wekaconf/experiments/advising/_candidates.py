"""The methods that are tried on a data set for a purpose, and the trees that they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives, guess
from wekaconf.base.parameters import parameters
from wekaconf.data import Dataset
from wekaconf.methods.contract import Method
from wekaconf.model.scheme import available_methods, label_of, learner_for, learner_of, method
from wekaconf.report.comparison import with_options
from wekaconf.tree import Learner

PLAIN = "leaf_frequency"
ORDER = (
    PLAIN, "second_opinion", "curtailment", "m_branch", "ling_yan", "confdtree", "shrinkage", "wpe", "shrinkage_wpe",
    "id3_max", "id3_sd", "boundary_distance",
)  # fmt: skip
"""Methods in the order in which they are tried, cheap ones after the first two; others follow, `SLOW` ones last."""
SLOW = ("kukar_kononenko", "tpce")
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    PLAIN: ({}, {"laplace": True}),
    "confdtree": ({}, {"variant": "norm"}, {"variant": "tdist"}),
    "boundary_distance": ({}, {"scaling": "minmax"}),
}
"""Parameters with which a method is tried; at its defaults when left out."""
# A method that reads its own learner's trees (TPCE, ID3-SD) would otherwise be credited with the learner's gain; and a
# user of J48 who wants a ranking is often best served by a forest.
OTHER_LEARNERS = ("C44", "RandomForest")
"""Learners whose plain answers are tried, too, unless the user names a learner: they may help more than a method."""


class Purpose(NamedTuple):
    """Something that a method is used for.

    Parameters
    ----------
    name : str
    title : str
        The purpose in a heading.
    measures : tuple of str
        Measures of `wekaconf.evaluation.summaries`; the first decides.
    """

    name: str
    title: str
    measures: tuple[str, ...]

    @property
    def measure(self) -> str:
        """The measure that decides."""
        return self.measures[0]

    @property
    def is_about_certainty(self) -> bool:
        """Whether the answers are for rejecting those of low certainty."""
        return self.name in ("rejecting", "foreign")


PURPOSES = {
    purpose.name: purpose
    for purpose in (
        Purpose("ranking", "ranking instances", ("auc_weighted", "auc_hand_till")),
        Purpose("probabilities", "trustworthy probabilities", ("brier", "log_loss", "ece")),
        # AURC decides: the AUC of correct against wrong answers looks purer, but a method can win it by making errors
        # that are easy to spot, as `curtailment` does.
        Purpose("rejecting", "rejecting wrong answers", ("aurc", "auc_reliability", "error_at_0.8")),
        Purpose("foreign", "rejecting unknown classes", ("auroc_known",)),
    )
}
"""Every purpose by its name."""


def purpose_of(name: str, *, is_open: bool = False) -> Purpose:
    """The purpose of that name; in an open set, rejecting means rejecting instances of unknown classes.

    Raises
    ------
    OptionError
        There is no such purpose, or unknown classes are to be noticed where there are none.
    """
    if name not in PURPOSES:
        raise OptionError(
            parameter="purpose", expected=alternatives(PURPOSES), got=f"'{name}'", advice=guess(str(name), PURPOSES)
        )
    if name == "foreign" and not is_open:
        raise OptionError(
            "foreign needs an open set; say which classes are known, or leave some out", parameter="purpose"
        )
    return PURPOSES["foreign"] if is_open and name == "rejecting" else PURPOSES[name]


class Candidate(NamedTuple):
    """A method on the trees of a learner.

    Parameters
    ----------
    learner : Learner
    method : Method
        Not fitted.
    """

    learner: Learner[Any]
    method: Method

    @property
    def label(self) -> str:
        """The method as it is written on the command line."""
        return label_of(self.method)

    @property
    def trees(self) -> str:
        """The learner with its options, as they are written on the command line."""
        return with_options({"learner": self.learner.name, "options": self.learner.options})

    @property
    def is_ensemble(self) -> bool:
        """Whether several trees answer."""
        return self.learner.is_ensemble

    def __str__(self) -> str:
        """Method and learner."""
        return f"{self.label} on {self.trees}"

    @property
    def is_plain(self) -> bool:
        """Whether it is the learner's own answer."""
        return self.label == PLAIN


def candidates(
    data: Dataset,
    learner: str | Sequence[str] | Learner[Any] | None,
    options: str,
    *,
    rivals_for: Purpose | None = None,
) -> list[Candidate | str]:
    """Every method on the user's learner, or on the one that its paper uses; the plain tree first, slow methods last.

    If the user names no learner, the plain trees of all learners in use are among the candidates, so that a gain of the
    learner is not taken for a gain of the method. If there is a purpose for rivals, their names come before the slow
    methods, without those that give only a certainty where that does not count.
    """
    if learner is not None or options:
        grower = learner_of("J48" if learner is None else learner, options)
        return _with_rivals([Candidate(grower, each) for each in _methods(data)], rivals_for)
    of_methods = [Candidate(learner_for(each, None), each) for each in _methods(data)]
    learners = {each.trees: each.learner for each in of_methods} | {name: learner_of(name) for name in OTHER_LEARNERS}
    trees_of_plain = of_methods[0].trees
    plain = [Candidate(each, method(PLAIN)) for trees, each in learners.items() if trees != trees_of_plain]
    order = list(learners)
    of_methods = sorted(
        [*of_methods, *plain],
        key=lambda each: (
            each.method.name in SLOW, each.learner.is_ensemble, order.index(each.trees), not each.is_plain,
        ),
    )  # fmt: skip
    return _with_rivals(of_methods, rivals_for)


def _with_rivals(own: Sequence[Candidate], purpose: Purpose | None) -> list[Candidate | str]:
    if purpose is None:
        return [*own]
    from wekaconf.experiments.advising._rivals import RIVALS  # which needs scikit-learn

    names = [name for name, each in RIVALS.items() if purpose.is_about_certainty or not each.has_own_certainty]
    fast, slow = ([each for each in own if (each.method.name in SLOW) is is_slow] for is_slow in (False, True))
    return [*fast, *names, *slow]


def _methods(data: Dataset) -> Iterator[Method]:
    """Every available method with its variants, in the order in which they are tried."""
    has_numbers = any(not each.is_nominal for i, each in enumerate(data.attributes) if i != data.class_index)
    known = available_methods()
    for name in (*ORDER, *(name for name in known if name not in (*ORDER, *SLOW)), *SLOW):
        shared = {"numeric": "bins"} if has_numbers and "numeric" in parameters(known[name]) else {}
        for variant in VARIANTS.get(name, ({},)):
            yield method(name, **shared, **variant)
