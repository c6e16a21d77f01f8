"""Makes our methods into classifiers of Weka, for users of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.bridge.learners import WekaLearner
from wekaconf.bridge.objects import new_classifier, split_options
from wekaconf.evaluation.aim import Aim, check_aim
from wekaconf.in_weka.options import options_in_weka
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model import scheme
from wekaconf.tree.learner import Learner


def as_weka(
    method: PostProcessor | Learner[Any] | str,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    *,
    reject: float | None = None,
) -> Any:
    """A method as a classifier that Weka can use wherever it uses J48.

    Parameters
    ----------
    method : PostProcessor, Learner or str
        The method with its parameters, fitted or not, or as on the command line, ``"confdtree:variant=tdist"``; or a
        learner that is not Weka's own, ``wekaconf.CART()``, which then takes none of the other arguments.
    learner, options
        The learner of the trees that the method reads, see `wekaconf.grow`; left out: that of its paper, else J48.
    reject : float, optional
        Certainty below which the classifier gives no answer, so that Weka counts the instance as unclassified; 0: it
        always gives one. Left out: the method's own rule, if it has one.

    Returns
    -------
    weka.classifiers.Classifier
        Of python-weka-wrapper3, not built; its ``build_classifier``, ``Evaluation``, ``FilteredClassifier``,
        ``Experiment`` and the others take it. Its Java class, ``weka.classifiers.trees.ConfDTree`` for
        `wekaconf.ConfDTree`, is found by its name, too: ``Classifier("weka.classifiers.trees.ConfDTree")``.
        `wekaconf.mirror` gives the fitted method of a built one.

    Raises
    ------
    OptionError
        The method or the learner has no class in Weka, or an option is wrong.
    BridgeError
        There is no usable Java.
    """
    owner = scheme.parse_method(method) if isinstance(method, str) else method
    if isinstance(owner, WekaLearner):
        parts = split_options(owner.name, f"{owner.prefix} {owner.options}")
        raise OptionError(
            f"as_weka: {owner!r} is Weka's own; make it with Classifier({owner.class_name!r}, options={parts!r})",
            value_of="method",
        )
    if isinstance(owner, Learner):
        if learner is not None or options or reject is not None:
            raise OptionError(
                f"as_weka: {owner!r} is a learner, which reads no trees of another one and rejects nothing",
                value_of="learner",
            )
        return new_classifier(_class_name(type(owner)), options_in_weka(owner))
    if not isinstance(owner, PostProcessor):
        got = f"the class {owner.__name__}" if isinstance(owner, type) else type(owner).__name__
        raise OptionError(f"as_weka: expected a method such as wekaconf.ConfDTree(), got {got}", value_of="method")
    parts = options_in_weka(owner)
    if reject is not None:
        try:
            aim = Aim("below", reject)
            check_aim(aim, owner.name, owner.certainty_range)
        except OptionError as error:
            raise OptionError("as_weka: reject: ", *error.parts, value_of="reject") from error
        parts += ["-reject", str(aim.number)]
    if learner is not None:
        grower = scheme.learner_of(learner, options)
        if isinstance(grower, WekaLearner):
            parts += ["-W", grower.class_name, "--", *split_options(grower.name, f"{grower.prefix} {grower.options}")]
        else:
            parts += ["-W", _class_name(type(grower)), "--", *options_in_weka(grower)]
    elif options:
        raise OptionError("as_weka: options are those of a learner; give learner, too", value_of="options")
    return new_classifier(_class_name(type(owner)), parts)


def _class_name(cls: type) -> str:
    """The name of the Java class of a method or learner."""
    classes = scheme.class_names()
    for name, each in classes.items():
        if each is cls:
            return name
    names = name_list(name.rpartition(".")[2] for name in classes)
    raise OptionError(f"as_weka: {cls.__name__} has no class in Weka; those that have are {names}", value_of="method")
