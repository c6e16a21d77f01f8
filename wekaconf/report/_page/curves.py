"""The three pictures of a data set: risk and coverage, calibration, and ROC with its blocks of equal scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.cross_validation import Answers
from wekaconf.evaluation.measures import CalibrationCurve, Roc
from wekaconf.report._html_page import ShownNames
from wekaconf.report._page.frame import Axis, Frame, thin
from wekaconf.report.pictures._answer_curves import (
    calibration_of,
    class_weights,
    n_instances,
    risk_coverage_of,
    roc_of,
)  # fmt: skip
from wekaconf.report.pictures._calibration import wilson_interval
from wekaconf.report.pictures._risk_coverage import drawn_shares
from wekaconf.report.pictures._roc import drawn_classes

MOST_CLASSES = 3
"""The largest number of classes of a data set whose ROC curves are drawn."""
N_SHARES = 200
"""Number of shares of the instances at which a risk-coverage curve is read, beside its points."""
FINE = 2e-4
"""The tolerance of thinning for curves in [0, 1]."""
DOT, LARGEST_DOT = 9, 26
"""Radius of the dot for no answers, and the difference to the dot for all answers."""


@dataclass(frozen=True, eq=False)
class Curves:
    """The curves of one scheme on one data set.

    Parameters
    ----------
    risk : (n_points, 2) float64
        Coverage and error.
    aurc : float
    calibration : CalibrationCurve
    n_instances : int
        Number of different instances behind the calibration curve.
    roc : mapping of str to Roc
        ROC curves by the name of the class.
    """

    risk: FloatArray
    aurc: float
    calibration: CalibrationCurve
    n_instances: int
    roc: Mapping[str, Roc]


def curves_of(answers: Answers, shown: ShownNames) -> Curves:
    """The curves of a method's scored answers, all runs together."""
    risk, points = risk_coverage_of(answers), np.zeros((0, 2))
    if len(risk):
        shares = drawn_shares(risk, N_SHARES)
        points = thin(np.column_stack((shares, risk.errors_at(shares))), FINE)
    drawn = drawn_classes(class_weights(answers))[:MOST_CLASSES]
    roc = {shown(answers.class_names[c]): roc_of(answers, c) for c in drawn}
    return Curves(points, risk.aurc, calibration_of(answers), n_instances(answers), roc)


@dataclass(frozen=True)
class Line:
    """The line of one scheme in a picture: a path, and by the kind of the picture dots (x, y, radius), bars or boxes.

    ``largest_box`` describes the largest box in words.
    """

    scheme: int
    path: str
    dots: Sequence[tuple[int, int, int]] = ()
    bars: str = ""
    boxes: str = ""
    largest_box: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture with lines of several schemes.

    Parameters
    ----------
    title, description : str
        Texts for readers who cannot see the picture; the description gives its content.
    heading : str
        The text above the picture.
    frame : Frame
    lines : sequence of Line
    has_diagonal : bool
    """

    title: str
    description: str
    heading: str
    frame: Frame
    lines: Sequence[Line]
    has_diagonal: bool = False


def pictures_of(data_set: str, schemes: Sequence[str], curves: Mapping[int, Curves]) -> list[Picture]:
    """The pictures of a data set.

    Parameters
    ----------
    data_set : str
    schemes : sequence of str
    curves : mapping of int to Curves
        Curves by the index of the scheme.
    """
    pictures = [_risk_picture(data_set, schemes, curves), _calibration_picture(data_set, schemes, curves)]
    classes = dict.fromkeys(name for scheme_curves in curves.values() for name in scheme_curves.roc)
    return [*pictures, *(_roc_picture(data_set, schemes, curves, name) for name in classes)]


def _risk_picture(data_set: str, schemes: Sequence[str], curves: Mapping[int, Curves]) -> Picture:
    errors = np.concatenate([100 * each.risk[:, 1] for each in curves.values()])
    frame = Frame(
        Axis.around("answered instances (%)", [0, 100]),
        Axis.around("wrong among the answered (%)", np.append(errors * 1.05, 1.0), low=0),
    )
    lines = []
    for place, each in curves.items():
        [(x, y), *_] = frame.places(*(100 * each.risk.T)) or [(0, 0)]
        lines.append(Line(place, frame.path(*(100 * each.risk.T)), bars=f"M0 {y}H{x}" if x else ""))
    description = best_and_worst(schemes, {place: each.aurc for place, each in curves.items()}, "Area below the curve")
    return Picture(f"Risk and coverage on {data_set}", description, "Risk and coverage", frame, lines)


def _calibration_picture(data_set: str, schemes: Sequence[str], curves: Mapping[int, Curves]) -> Picture:
    frame = Frame(
        Axis.around("probability of the answer (%)", [0, 100]), Axis.around("correct among these answers (%)", [0, 100])
    )
    lines = []
    for place, each in curves.items():
        counted = each.calibration.weight > 0
        confidence, accuracy = (
            100 * array[counted] for array in (each.calibration.confidence, each.calibration.accuracy)
        )
        share = each.calibration.weight[counted] / each.calibration.weight.sum()
        low, high = wilson_interval(accuracy / 100, share * each.n_instances)
        radii = np.rint(DOT + LARGEST_DOT * np.sqrt(share)).astype(int)
        dots = [(x, y, int(r)) for (x, y), r in zip(frame.places(confidence, accuracy), radii, strict=True)]
        ends = zip(frame.places(confidence, 100 * low), frame.places(confidence, 100 * high), strict=True)
        bars = "".join(f"M{x} {y}V{upper}" for (x, y), (_, upper) in ends)
        lines.append(Line(place, frame.path(confidence, accuracy), dots, bars))
    errors = {place: each.calibration.ece for place, each in curves.items()}
    description = best_and_worst(schemes, errors, "Calibration error")
    return Picture(f"Calibration on {data_set}", description, "Calibration", frame, lines, has_diagonal=True)


def _roc_picture(data_set: str, schemes: Sequence[str], curves: Mapping[int, Curves], name: str) -> Picture:
    frame = Frame(
        Axis.around("others ranked as high (%)", [0, 100]), Axis.around("of the class ranked as high (%)", [0, 100])
    )
    lines = []
    for place, each in curves.items():
        if name in each.roc:
            roc = each.roc[name]
            path, largest_box = frame.path(100 * roc.false, 100 * roc.true), _largest_box(schemes[place], roc)
            boxes = frame.boxes([tuple(100 * corner for corner in box) for box in roc.blocks])  # type: ignore[misc]
            lines.append(Line(place, path, boxes=boxes, largest_box=largest_box))
    areas = {line.scheme: curves[line.scheme].roc[name].area for line in lines}
    description = best_and_worst(schemes, areas, "Area below the curve", larger=True)
    title = f"ROC of class {name} on {data_set}"
    return Picture(title, description, f"ROC, class {name}", frame, lines, has_diagonal=True)


def _largest_box(scheme: str, roc: Roc) -> str:
    """The content of the largest block of equal scores, in words; empty if there is none."""
    if not roc.blocks:
        return ""
    left, low, right, high = roc.blocks[0]
    n_of_class, n_others = (high - low) * roc.n_of_class, (right - left) * roc.n_others
    return (
        f"{scheme}: the largest block of equal scores holds {n_of_class:.6g} of {roc.n_of_class:.6g} instances of the "
        f"class and {n_others:.6g} of {roc.n_others:.6g} others"
    )


def best_and_worst(schemes: Sequence[str], values: Mapping[int, float], what: str, *, larger: bool = False) -> str:
    """The values of the best and of the worst scheme, in one sentence; empty if there is none."""
    known = {place: value for place, value in values.items() if not np.isnan(value)}
    if not known:
        return ""
    order = sorted(known, key=lambda place: known[place], reverse=larger)
    ends = [f"{known[place]:.4f} ({schemes[place]})" for place in (order[0], order[-1])]
    return f"{what}: {f'from {ends[0]} to {ends[1]}' if len(known) > 1 else ends[0]}."
