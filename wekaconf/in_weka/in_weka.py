"""Makes our methods into classifiers of Weka, for users of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import name_list
from wekaconf.base.parameters import parameters
from wekaconf.bridge import new_classifier, split_options
from wekaconf.bridge.learners import WekaLearner
from wekaconf.evaluation.aims import Aim, check_aim
from wekaconf.evaluation.thresholds import CALIBRATE, check_calibrate
from wekaconf.in_weka._options import write_options
from wekaconf.in_weka._package import install_package, read_status, uninstall_package, weka_home
from wekaconf.methods.contract import Method
from wekaconf.model import scheme
from wekaconf.report.tables import quote_cell
from wekaconf.tree import Learner

__all__ = ["as_weka", "install_package", "read_status", "uninstall_package", "weka_home"]


def as_weka(
    method: Method | Learner[Any] | str,
    learner: str | Sequence[str] | Learner[Any] | None = None,
    options: str | Sequence[str] = "",
    *,
    reject: float | None = None,
    target_error: float | Mapping[str, float] | None = None,
    confidence: float | None = None,
    calibrate: float = CALIBRATE,
) -> Any:
    """A method as a classifier that Weka can use wherever it uses J48.

    Parameters
    ----------
    method : Method, Learner or str
        The method with its parameters, fitted or not, or as on the command line, ``"confdtree:variant=tdist"``; or a
        learner that is not Weka's own, ``wekaconf.CART()``, which then takes none of the other arguments.
    learner, options
        The learner of the trees that the method reads, see `wekaconf.grow`; left out: that of its paper, else J48.
    reject : float, optional
        Certainty below which the classifier gives no answer, so that Weka counts the instance as unclassified; 0: it
        always gives one. Left out: the method's own rule, if it has one.
    target_error, confidence : optional
        Promise instead, with this probability, such as 0.95, that at most this share of the answers is wrong; or one
        share for the answers that predict each of some classes, ``{"yes": 0.02}``. Instances that are held out show
        below which certainty to reject, as for `wekaconf predict --target-error --confidence`; what is promised is in
        the text of the built classifier. Weka's meta classifiers refuse it.
    calibrate : float
        The share of the training instances that is held out for the promise.

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
        if options or any(given is not None for given in (learner, reject, target_error, confidence)):
            raise OptionError(
                f"as_weka: {owner!r} is a learner, which reads no trees of another one and rejects nothing",
                value_of="learner",
            )
        return new_classifier(_class_name(type(owner)), write_options(owner))
    if not isinstance(owner, Method):
        got = f"the class {owner.__name__}" if isinstance(owner, type) else type(owner).__name__
        raise OptionError(f"as_weka: expected a method such as wekaconf.ConfDTree(), got {got}", value_of="method")
    parts = write_options(owner)
    if target_error is None and confidence is None and calibrate == CALIBRATE:
        parts += _threshold(owner, reject)
    else:
        parts += _promise(owner, reject, target_error, confidence, calibrate)
    if learner is not None:
        grower = scheme.learner_of(learner, options)
        if isinstance(grower, WekaLearner):
            parts += ["-W", grower.class_name, "--", *split_options(grower.name, f"{grower.prefix} {grower.options}")]
        else:
            parts += ["-W", _class_name(type(grower)), "--", *write_options(grower)]
    elif options:
        raise OptionError("as_weka: options are those of a learner; give learner, too", value_of="options")
    return new_classifier(_class_name(type(owner)), parts)


def _threshold(owner: Method, reject: float | None) -> list[str]:
    """Weka's option for a threshold."""
    if reject is None:
        return []
    try:
        aim = Aim("below", reject)
        check_aim(aim, owner.name, owner.certainty_range)
    except OptionError as error:
        raise OptionError("as_weka: reject: ", *error.parts, value_of="reject") from error
    return ["-reject", str(aim.number)]


def _promise(
    owner: Method,
    reject: float | None,
    target_error: float | Mapping[str, float] | None,
    confidence: float | None,
    calibrate: float,
) -> list[str]:
    """Weka's options for a promise."""
    if target_error is None:
        given = "calibrate" if confidence is None else "confidence"
        raise OptionError(
            f"as_weka: {given} belongs to a promise; give target_error, too, such as target_error=0.05", value_of=given
        )
    if confidence is None:
        raise OptionError(
            "as_weka: target_error is a promise, so it needs a confidence; give confidence, too, such as "
            "confidence=0.95",
            value_of="target_error",
        )
    if reject is not None:
        raise OptionError(
            "as_weka: reject is a threshold, and target_error finds one; give one of the two", value_of="reject"
        )
    try:
        aim = Aim.only({"error": target_error}, confidence)
        check_calibrate(calibrate)
    except OptionError as error:
        raise OptionError("as_weka: ", *error.parts, value_of="target_error") from error
    is_taken = "confidence" in parameters(type(owner))
    targets = [f"{name}={target!r}" if name else repr(target) for name, target in aim.targets]
    return ["-target-error", ",".join(quote_cell(target, ",") for target in targets),
            "-promise-confidence" if is_taken else "-confidence", str(aim.confidence),
            "-calibrate", str(calibrate)]  # fmt: skip


def _class_name(cls: type) -> str:
    """The name of the Java class of a method or learner."""
    classes = scheme.class_names()
    for name, each in classes.items():
        if each is cls:
            return name
    names = name_list(name.rpartition(".")[2] for name in classes)
    raise OptionError(f"as_weka: {cls.__name__} has no class in Weka; those that have are {names}", value_of="method")
