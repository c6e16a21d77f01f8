"""Elements of a PMML document, and its parts for sums and pools: a chain of models, each of which is a segment.

A sum is a RegressionModel whose softmax is the distribution, and so is the pool: its predictors are the logarithms of
what the earlier segments say.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from wekaconf.data import Attribute
from wekaconf.model.export._exported_model import ExportedModel
from wekaconf.model.export._exported_parts import LineTerm, SumSide

IN = "wekaconf:"
"""How the names of fields inside the chain begin."""
NEVER = -1e6
"""The intercept of a class whose probability is 0."""
CONTINUOUS = {"optype": "continuous", "dataType": "double"}
TEXT = {"optype": "categorical", "dataType": "string"}
SMALLEST = 1e-300
"""A probability whose logarithm is a number."""
Element = tuple[str, dict[str, str], list["Element"]]
"""A tag, attributes, and the elements inside; the attribute without a name is text inside."""


def apply(function: str, *inside: Element) -> Element:
    """A function of what is inside."""
    return "Apply", {"function": function}, [*inside]


def constant(value: float) -> Element:
    """A number; its text is what lies inside."""
    return "Constant", {"dataType": "double", "": repr(value)}, []


def field_ref(name: str) -> Element:
    """The value of a field."""
    return element("FieldRef", field=name)


def said(side: str, c: int) -> str:
    """The field for what a side says of a class."""
    return f"{IN}{side}:{c}"


def answered(side: str) -> str:
    """The field that is 1 where a tree answers, and 0 where a value on the path is missing."""
    return f"{IN}{side}:answered"


def decided(side: str) -> str:
    """The field for the class of a side."""
    return f"{IN}{side}:class"


def regression(
    fields: Sequence[Element], outputs: Sequence[Element], derived: Sequence[Element], tables: Sequence[Element]
) -> Element:
    """A RegressionModel whose softmax is the distribution."""
    attributes = {"functionName": "classification", "normalizationMethod": "softmax"}
    inside: list[Element] = [("MiningSchema", {}, [*fields]), ("Output", {}, [*outputs])]
    inside += [("LocalTransformations", {}, [*derived])] if derived else []
    return "RegressionModel", attributes, [*inside, *tables]


def sum_of_terms(
    side: SumSide, columns: Sequence[Attribute], class_names: Sequence[str], name: str
) -> tuple[list[Element], list[Element]]:
    """The derived fields and the tables of a regression; a missing value adds nothing, so the start holds its row."""
    derived: list[Element] = []
    predictors: list[list[Element]] = [[] for _ in class_names]
    start = list(side.start)
    for i, term in enumerate(side.terms):
        column = columns[term.column].name
        field = f"{IN}{name}:term {i}"
        if isinstance(term, LineTerm):
            derived.append(_deviation(term, column, field))
            for of_class, slope in zip(predictors, term.slope, strict=True):
                of_class.append(element("NumericPredictor", name=field, coefficient=repr(slope)))
            continue
        start = [one + missing for one, missing in zip(start, term.missing, strict=True)]
        if term.ends is None:
            field, values = column, columns[term.column].values
        else:
            derived.append(_intervals(term.ends, column, field))
            values = tuple(map(str, range(len(term.adds))))
        for c, of_class in enumerate(predictors):
            of_class += [
                element("CategoricalPredictor", name=field, value=value, coefficient=repr(row[c] - term.missing[c]))
                for value, row in zip(values, term.adds, strict=True)
            ]
    tables: list[Element] = [
        ("RegressionTable", {"intercept": repr(max(one, NEVER)), "targetCategory": name_of_class}, of_class)
        for one, name_of_class, of_class in zip(start, class_names, predictors, strict=True)
    ]
    return derived, tables


def _deviation(term: LineTerm, column: str, field: str) -> Element:
    """The number in deviations, held between two ends; 0 where it is missing."""
    deviation = apply("/", apply("-", field_ref(column), constant(term.center)), constant(term.spread))
    held = apply("max", apply("min", deviation, constant(term.furthest)), constant(-term.furthest))
    return (
        "DerivedField",
        {"name": field, **CONTINUOUS},
        [apply("if", apply("isMissing", field_ref(column)), constant(0.0), held)],
    )


def _intervals(ends: Sequence[float], column: str, field: str) -> Element:
    """The number of ends that are smaller, as a text; missing where the number is.

    0 is larger than -0 for JPMML, so no end is that.
    """
    lows, highs = (None, *(end + 0.0 for end in ends)), (*(end + 0.0 for end in ends), math.inf)
    bins: list[Element] = [
        ("DiscretizeBin", {"binValue": str(i)}, [interval])
        for i, bounds in enumerate(zip(lows, highs, strict=True))
        for interval in _interval(*bounds)
    ]
    derived = ("Discretize", {"field": column, "dataType": "string"}, bins)
    return "DerivedField", {"name": field, "optype": "categorical", "dataType": "string"}, [derived]


def _interval(low: float | None, high: float) -> list[Element]:
    """The numbers above one and up to another, as intervals with at least one margin; None: no number is too small."""
    smallest = repr(-sys.float_info.max)
    if low is None and high == math.inf:
        return [*_interval(None, 0.0), *_interval(0.0, math.inf)]
    if low is not None and low >= high:
        return []
    left = {"leftMargin": smallest if low == -math.inf else repr(low)} if low is not None else {}
    right = {"rightMargin": smallest if high == -math.inf else repr(high)} if high < math.inf else {}
    begins = "closed" if low == -math.inf else "open"
    ends = "Closed" if -math.inf < high < math.inf else "Open"
    return [element("Interval", closure=begins + ends, **left, **right)]


def output(name: str, feature: str, value: str | None = None, **more: str) -> Element:
    """A result of a model: a text if it is a class, else a number, which may be about a class, the ``value``."""
    attributes = {"name": name, "feature": feature} | ({} if value is None else {"value": value})
    return element("OutputField", **attributes, **(TEXT if feature == "predictedValue" else CONTINUOUS), **more)


def distribution(class_names: Sequence[str]) -> list[Element]:
    """The probability of each class."""
    return [output(f"distribution_{name}", "probability", name) for name in class_names]


def outputs_of_side(side: str, class_names: Sequence[str], *, is_tree: bool) -> list[Element]:
    """What a side tells the last segment: its distribution, and of a tree its class and whether it answers."""
    hidden = {"isFinalResult": "false"}
    outputs = [output(said(side, c), "probability", name, **hidden) for c, name in enumerate(class_names)]
    if is_tree:
        outputs.append(output(answered(side), "confidence", class_names[0], **hidden))
        outputs.append(output(decided(side), "predictedValue", **hidden))
    return outputs


def outputs_of_pool(model: ExportedModel, decider: str | None) -> list[Element]:
    """The answer; that of the decider if there is one."""
    shares = distribution(model.class_names)
    if decider is None:
        outputs = [output("predicted", "predictedValue"), output("certainty", "probability"), *shares]
    else:
        of_class = [
            apply("if", _is_class("predicted", name), field_ref(f"distribution_{name}"), constant(0.0))
            for name in model.class_names
        ]
        outputs = [
            _computed("predicted", TEXT, field_ref(decided(decider))),
            *shares,
            _computed("certainty", CONTINUOUS, apply("max", *of_class)),
        ]
    if model.thresholds is None:
        return outputs
    accepted = [
        apply("if", apply("and", _is_class("predicted", name), _reaches(threshold)), constant(1.0), constant(0.0))
        for name, threshold in zip(model.class_names, model.thresholds, strict=True)
    ]
    return [*outputs, _computed("accepted", CONTINUOUS, apply("max", *accepted))]


def _computed(name: str, kind: Mapping[str, str], expression: Element) -> Element:
    return "OutputField", {"name": name, "feature": "transformedValue", **kind}, [expression]


def _is_class(field: str, name: str) -> Element:
    return apply("equal", field_ref(field), ("Constant", {"dataType": "string", "": name}, []))


def _reaches(threshold: float) -> Element:
    """Whether the certainty is not below a threshold; the largest certainty is 1."""
    return apply("greaterOrEqual", field_ref("certainty"), constant(min(max(threshold, -1.0), 2.0)))


def negated(is_answered: Element) -> Element:
    """Whether a row is not answered, from whether it is."""
    tag, attributes, _ = is_answered
    return element(tag, **attributes | {"operator": "lessThan"})


def nothing(fields: Sequence[Element], name: str) -> Element:
    """A model that answers nothing, not even a class of this name, since evaluators give what the last segment does."""
    attributes = {"functionName": "classification", "noTrueChildStrategy": "returnNullPrediction"}
    root: Element = ("Node", {}, [element("True"), ("Node", {"score": name}, [element("False")])])
    return "TreeModel", attributes, [("MiningSchema", {}, [*fields]), root]


def pool_tables(model: ExportedModel) -> tuple[list[Element], list[Element]]:
    """The logarithms of what the sides say, and the tables whose softmax is the pool."""
    weights, least = ((1.0,), 0.0) if model.pool is None else (model.pool.weights, model.pool.least)
    derived: list[Element] = []
    tables: list[Element] = []
    for c, name_of_class in enumerate(model.class_names):
        predictors = []
        for i, weight in enumerate(weights):
            log = f"{IN}log {i}:{c}"
            held = apply("max", field_ref(said(str(i), c)), constant(max(least, SMALLEST)))
            derived.append(("DerivedField", {"name": log, **CONTINUOUS}, [apply("ln", held)]))
            predictors.append(element("NumericPredictor", name=log, coefficient=repr(weight)))
        tables.append(("RegressionTable", {"intercept": "0.0", "targetCategory": name_of_class}, predictors))
    return derived, tables


def element(tag: str, **attributes: str) -> Element:
    """An element with nothing inside."""
    return tag, attributes, []


def start(writer: XMLGenerator, tag: str, attributes: dict[str, str]) -> None:
    """Begin an element, whose inside follows."""
    writer.startElement(tag, AttributesImpl(attributes))


def end(writer: XMLGenerator, tag: str) -> None:
    """End an element, and the line."""
    writer.endElement(tag)
    writer.ignorableWhitespace("\n")


def write(writer: XMLGenerator, whole: Element) -> None:
    """Write an element with all inside."""
    tag, attributes, inside = whole
    text = attributes.get("", "")
    start(writer, tag, {name: value for name, value in attributes.items() if name})
    writer.characters(text)
    for each in inside:
        write(writer, each)
    end(writer, tag)
