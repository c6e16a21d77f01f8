"""The content of a model's page: all that it needs to answer, and only counts of the training data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import printable
from wekaconf.base.naming import enumeration
from wekaconf.data import Attribute, CostMatrix, Dataset, Header, training_part
from wekaconf.data.dates import ZoneError, zone
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.checks import Drift
from wekaconf.evaluation.measures import risk_coverage
from wekaconf.evaluation.promises import CostLevel, CostPromise, Level, Promise
from wekaconf.evaluation.thresholds import AnsweredRows, Choice, count_by_class, promise_sentence, promised
from wekaconf.methods.boundary_distance import BoundaryDistance
from wekaconf.methods.characteristic import normal_quantile
from wekaconf.methods.contract import Answer, LeavesOneOut, Method
from wekaconf.methods.leaf_frequency import LeafFrequency
from wekaconf.methods.second_opinion import FURTHEST, LEAST, OfTree, SecondOpinion, Sum, inputs
from wekaconf.model.fitted import Model
from wekaconf.report._html_page import ShownNames
from wekaconf.report._model_page.densities import histograms
from wekaconf.tree import Forest, Router, TreeMirror, class_weight

MOST_ROWS = 1000
"""The largest number of instances in a page."""
TYPICAL_DIGITS = 14
"""Significant digits of a typical value: the median of 0.13 and 0.15 is 0.13999999999999999."""
WITHDRAWN = "what was promised of rows like the calibration rows cannot be relied on for this file"
"""What a page says in the place of a promise, where the file shows that it is not like the training data."""
SHAPE = ("parent", "first_child", "n_branches", "split_kind", "split_attribute", "split_point", "split_value")
ROUTED = ("attribute", "limit", "equals", "enters", "down", "up")


@dataclass(frozen=True, eq=False)
class Rows:
    """The instances that a reader may choose.

    Parameters
    ----------
    data : Dataset
        The instances as the method reads them, at most `MOST_ROWS`.
    names : sequence of str
        Names of the instances, such as ``row 17 (patient P085)``.
    drift : Drift, optional
        In what the whole file is not like the training data; None: it is not known.
    file_lines : sequence of str
        The same in words; empty: there is nothing to say.
    outside : mapping of int to str
        What lies beyond the training data, by the place of the instance.
    decimal : str
        The mark before the decimals of numbers in their file.
    """

    data: Dataset
    names: Sequence[str]
    drift: Drift | None = None
    file_lines: Sequence[str] = ()
    outside: Mapping[int, str] = field(default_factory=dict)
    decimal: str = "."

    @property
    def promise_stands(self) -> bool:
        """Whether nothing in the file speaks against a promise; see `Drift`."""
        return self.drift is None or self.drift.promise_stands


def gather(model: Model, rows: Rows | None, train: Dataset | None, shown: ShownNames) -> dict[str, Any]:
    """The content of a page.

    Parameters
    ----------
    model : Model
    rows : Rows, optional
    train : Dataset, optional
        The training data, as the method reads them, for the class densities at the splits.
    shown : ShownNames
        The texts for names in the page.
    """
    tree = model.method.tree_
    trees = tree.trees if isinstance(tree, Forest) else (tree,)
    known = None if train is None else training_part(train)
    decimal = model.reading.marks.decimal if rows is None else rows.decimal
    answer = None if rows is None else model.answer_conformed(rows.data).with_decimal(decimal)
    return {
        "header": _header(tree.header, shown),
        "decimal": decimal,
        "forms": _forms(model, decimal),
        "trees": [_tree(member, model.method, known) for member in trees],
        "votes": tree.votes if isinstance(tree, Forest) else None,
        "method": _method(model, len(trees)),
        "decision": _decision(model),
        "histograms": [] if known is None else [histograms(member, known) for member in trees],
        "start": None if train is None else _typical(train),
        "rows": None if rows is None or answer is None else _rows(model.method, rows, answer, shown),
        "rejecting": _rejecting(model, rows, answer),
        "summary": _summary(model),
    }


def _summary(model: Model) -> dict[str, Any] | None:
    """What the training data had at the ends of each attribute; None if that is unknown, or filters come between."""
    summary = model.summary
    if summary is None or model.filters:
        return None
    return {"least": summary.least, "greatest": summary.greatest, "start": summary.count_start,
            "is_seen": summary.is_seen.astype(np.uint8)}  # fmt: skip


def _typical(train: Dataset) -> NDArray[np.float64]:
    """The values with which a new instance begins: the typical values of the training data."""
    typical = [float(f"{value:.{TYPICAL_DIGITS}g}") for value in train.typical_values()]
    values = np.where(np.isnan(train.values).all(axis=0), np.nan, typical)
    values[train.class_index] = np.nan
    return values


def _header(header: Header, shown: ShownNames) -> dict[str, Any]:
    attributes = [
        {
            "name": shown(attribute.name),
            "kind": attribute.kind,
            "values": [shown(value) for value in attribute.values] if attribute.is_nominal else [],
            **({"zone": clocks} if (clocks := _zone(attribute)) else {}),
        }
        for attribute in header.attributes
    ]
    return {"relation": shown(header.relation), "attributes": attributes, "class_index": header.class_index}


def _zone(attribute: Attribute) -> dict[str, Any] | None:
    """When the clocks of the zone of a date attribute change, see `Zone`; None in UTC, and where only Java knows it."""
    try:
        found = zone(attribute.zone) if attribute.zone else None
    except ZoneError:
        return None
    if found is None or not any(found.ahead):
        return None
    return {"starts": np.array(found.starts, dtype=np.float64), "ahead": np.array(found.ahead)}


def _forms(model: Model, decimal: str) -> dict[str, dict[str, str]]:
    """How the table writes the numbers and dates of a column, by its place; of those after filters the mark alone."""
    forms: dict[str, dict[str, str]] = {}
    reading = Reading() if model.filters else model.reading
    for place, attribute in enumerate(model.method.tree_.header.attributes):
        if attribute.kind == "date" and (pattern := reading.date_form(attribute.name)):
            forms[str(place)] = {"pattern": pattern}
        elif attribute.kind == "numeric" and (form := reading.number_form(attribute.name)):
            forms[str(place)] = asdict(form)
        elif attribute.kind == "numeric" and decimal != ".":
            forms[str(place)] = {"decimal": decimal}
    return forms


def _tree(tree: TreeMirror, method: Method, train: Dataset | None) -> dict[str, Any]:
    """The arrays of the mirror and of its router, with answers only at nodes where instances stop."""
    router = tree.router
    laplace = method.laplace if isinstance(method, LeafFrequency) else None
    if isinstance(method, SecondOpinion) and tree.routing.keeps_counts and not _lacks(method):
        laplace = True
    smoothed = None if laplace is None else tree.with_laplace(laplace).router
    return {
        "n_nodes": tree.n_nodes,
        **{name: getattr(tree, name) for name in SHAPE},
        "split_subset": tree.split_subset,
        **_class_weights(tree, train),
        **{name: getattr(router, name) for name in ROUTED},
        "answer": _at_ends(router, router.answer),
        "part": None if router.part is router.answer else _at_ends(router, router.part),
        "correction": router.correction,
        "own_answer": None if smoothed is None else _at_ends(smoothed, smoothed.answer),
        "own_part": None if smoothed is None or smoothed.part is smoothed.answer else _at_ends(smoothed, smoothed.part),
        "own_correction": -1.0 if smoothed is None else smoothed.correction,
    }


def _class_weights(tree: TreeMirror, train: Dataset | None) -> dict[str, Any]:
    """The class weights of every node, and whether they are counts: the tree's own, else of the training data."""
    if tree.routing.keeps_counts:
        return {"class_weight": tree.class_weight, "keeps_counts": True}
    if train is not None:
        return {"class_weight": class_weight(tree, train), "keeps_counts": True}
    weight = tree.class_weight.copy()
    for first, after in tree.levels[:0:-1]:  # RandomTree keeps the weights of its leaves only
        lacking = ~tree.class_weight[tree.parent[first:after]].any(axis=1)
        np.add.at(weight, tree.parent[first:after][lacking], weight[first:after][lacking])
    return {"class_weight": weight, "keeps_counts": False}


def _at_ends(router: Router, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where((router.attribute < 0)[:, None], rows, 0.0)


def _method(model: Model, n_trees: int) -> dict[str, Any]:
    method, certainty = model.method, model.certainty_range
    threshold, lacks = method.threshold, _lacks(method)
    return {
        "name": method.name,
        "shown": method.display_name,
        "params": method.params,
        "threshold": threshold,
        "quantile": normal_quantile(threshold) if threshold is not None and 0 < threshold < 1 else None,
        "certainty": {
            "high": certainty.high,
            "is_probability": certainty.is_probability,
            "meaning": certainty.meaning,
        },
        "learned": _learned(method, n_trees),
        "opinions": _opinions(method) if isinstance(method, SecondOpinion) else None,
        "is_computed": not lacks,
        "lacks": lacks,
    }


def _opinions(method: SecondOpinion) -> dict[str, Any]:
    """The sides of a pool that a page computes: the tree, and sums of terms."""
    sides: list[dict[str, Any]] = []
    for side in method.members_.values():
        if isinstance(side, OfTree):
            sides.append({"words": side.words, "start": None, "terms": []})
        elif isinstance(side, Sum):
            terms = [{"column": i, "furthest": FURTHEST, **side.term(i)._asdict()} for i in inputs(side.header)]
            sides.append({"words": side.words, "start": side.start, "terms": terms})
    return {"least": LEAST, "sides": sides}


def _decision(model: Model) -> dict[str, Any] | None:
    """The costs that decide the answers, a row per actual class; None: the most probable class is the answer."""
    costs = None if model.choice is None else model.choice.aim.counted_costs
    if costs is None or not isinstance(costs.answers, CostMatrix):
        return None
    return {"savings": costs.savings, "costs": np.array(costs.answers.costs), "rejection": costs.rejection}


def _lacks(method: Method) -> str:
    """Why a page cannot compute what the method answers; empty if it can."""
    if isinstance(method, SecondOpinion):
        others = [name for name, side in method.members_.items() if not isinstance(side, OfTree | Sum)]
        return f"asks {enumeration(others)}, which the page does not hold" if others else ""
    # Their trees are grown in Python alone: a page would need the training rows, and the learner a second time.
    return "grows trees for each row, which a page does not" if isinstance(method, LeavesOneOut) else ""


def _learned(method: Method, n_trees: int) -> list[dict[str, NDArray[Any]]]:
    """The arrays that the method learned on each tree; none if it keeps its training instances."""
    by_tree: list[dict[str, NDArray[Any]]] = [{} for _ in range(n_trees)]
    if isinstance(method, LeavesOneOut):
        return by_tree
    if isinstance(method, SecondOpinion):
        return [{name: array for name, array in method.learned().items() if "/" not in name}]
    for name, array in method.learned().items():
        number, _, rest = name.rpartition("/")
        by_tree[int(number or 0)][rest] = array
    for arrays in by_tree:
        arrays.pop("class_weight_", None)
    if isinstance(method, BoundaryDistance):
        by_tree[0]["single_class"] = method.regions_.single_class
    return by_tree


def _rows(method: Method, rows: Rows, answer: Answer, shown: ShownNames) -> dict[str, Any]:
    content: dict[str, Any] = {
        "names": [shown(name) for name in rows.names],
        "values": rows.data.without_class_values().values,
        "actual": rows.data.class_values,
        "outside": [[row, shown(text)] for row, text in rows.outside.items()],
        "unseen": [[row, column, shown(text)] for row, column, text in _unseen(rows.data)],
    }
    if _lacks(method):
        content |= {
            "proba": answer.proba,
            "certainty": answer.certainty,
            "predicted": answer.predicted,
            "reasons": [printable(reason) for reason in answer.grounds[np.arange(len(answer))]],
        }
    return content


def _unseen(data: Dataset) -> Iterator[tuple[int, int, str]]:
    """Row, column and text of each value that training did not have, and that no filter replaced."""
    for column, attribute in enumerate(data.attributes):
        if attribute.name in data.unseen:
            cells = data.unseen[attribute.name]
            for row, text in zip(cells.rows.tolist(), cells.texts.tolist(), strict=True):
                if np.isnan(data.values[row, column]):
                    yield row, column, text


def _rejecting(model: Model, rows: Rows | None, answer: Answer | None) -> dict[str, Any]:
    """The threshold and the risk-coverage curve: out of fold if the model holds it, else that of the rows."""
    if model.choice is not None and model.choice.promises:
        promised = _promised(model.choice, model.header.class_names)
        is_withdrawn = model.promises and rows is not None and not rows.promise_stands
        return _withdrawn(promised) if is_withdrawn else promised
    curve, source = () if model.choice is None else model.choice.curve, "out-of-fold"
    by_class = () if model.choice is None else model.choice.class_curve
    n_classes = model.header.n_classes
    if not curve and rows is not None and answer is not None:
        actual, source = rows.data.class_values, "rows"
        known = actual >= 0
        answered = AnsweredRows(
            answer.certainty, answer.predicted == actual, rows.data.weights, answer.predicted, actual
        ).take(known)
        row_curve = risk_coverage(*answered.predicting(None))
        curve = tuple(zip(row_curve.threshold, row_curve.accepted, row_curve.wrong, strict=True))
        by_class = count_by_class(answered, row_curve.threshold.tolist(), n_classes)
    columns = np.array(curve, dtype=np.float64).reshape(-1, 3)
    return {
        "threshold": model.threshold,
        "aim": "" if model.choice is None else str(model.choice.aim),
        "source": source if len(columns) else "",
        "thresholds": columns[:, 0],
        "accepted": columns[:, 1],
        "wrong": columns[:, 2],
        **_by_class(by_class, columns[:, 0], n_classes),
    }


def _by_class(
    curve: Sequence[Sequence[float]], thresholds: NDArray[np.float64], n_classes: int
) -> dict[str, NDArray[np.float64]]:
    """The weights of accepted and of wrong answers of each class at the places of the slider; empty if unknown."""
    at = {threshold: counts for threshold, *counts in curve if len(counts) == 2 * n_classes}
    is_known = len(thresholds) > 0 and all(threshold in at for threshold in thresholds.tolist())
    counts = np.array([at[threshold] for threshold in thresholds.tolist()] if is_known else []).reshape(-1, 2)
    return {"class_accepted": counts[:, 0], "class_wrong": counts[:, 1]}


def _promised(choice: Choice, class_names: Sequence[str]) -> dict[str, Any]:
    """The threshold, or one per class, and the curve of a promise for all answers, with its bounds if of an error."""
    assert choice.aim.confidence is not None
    promise = choice.promises[0]
    by_class = np.array(choice.class_thresholds) if choice.class_thresholds else None
    columns = np.array(_places(promise) if by_class is None else [], dtype=np.float64).reshape(-1, 4)
    content = {
        "threshold": choice.threshold,
        "aim": str(choice.aim),
        "source": "calibration",
        "thresholds": columns[:, 0],
        "accepted": columns[:, 1],
        "wrong": columns[:, 2],
        **_by_class(choice.class_curve, columns[:, 0], len(class_names)),
        "promised": [_promised_of(choice, name) for name in class_names],
    }
    if isinstance(promise, CostPromise):
        costs = {"confidence": choice.aim.confidence, "most": promise.costs.rejection, "bounds": columns[:, 3]}
        return content | {"cost": costs}
    return content | {
        "promise": {
            "confidence": choice.aim.confidence,
            "target": promise.target,
            "bounds": columns[:, 3],
            "refusal": "" if promise.is_reached else printable(promise_sentence(promise, choice.aim.confidence)),
            "class_thresholds": by_class,
        }
    }


def _withdrawn(promised: dict[str, Any]) -> dict[str, Any]:
    """The same thresholds and counts without the promise, which does not hold for the rows of the page."""
    content = {name: value for name, value in promised.items() if name not in ("promised", "cost")}
    if "promise" in promised:
        unknown = np.full(len(promised["thresholds"]), np.nan)
        content["promise"] = promised["promise"] | {"refusal": WITHDRAWN, "bounds": unknown}
    return content


def _promised_of(choice: Choice, class_name: str) -> str:
    """What is promised of the answers of a class, in a sentence; empty if nothing is."""
    assert choice.aim.confidence is not None
    for promise in choice.promises:
        name = "" if isinstance(promise, CostPromise) else promise.class_name
        if promise.is_reached and name in ("", class_name):
            text = promised(promise, choice.aim.confidence)
            return printable(f"{text[0].upper()}{text[1:]}.")
    return ""


def _places(promise: Promise | CostPromise) -> list[tuple[float, int, int, float]]:
    """The thresholds of a slider, descending, with what they answer, and wrongly, and the bounds.

    The last answers every calibration row; it is none at all, −∞, only where no other answers all.
    """
    levels: Sequence[Level | CostLevel] = promise.levels
    places = {
        level.threshold: (level.answered, level.wrong, bound)
        for level, bound in zip(levels, promise.bounds.tolist(), strict=True)
    }
    if promise.is_reached:
        places.setdefault(promise.threshold, (promise.answered, promise.wrong, np.nan))
    if all(answered < promise.n for answered, _, _ in places.values()):
        places[-np.inf] = (promise.n, promise.n_wrong, np.nan)
    return [(threshold, *places[threshold]) for threshold in sorted(places, reverse=True) if places[threshold][0]]
