"""``.pmml``: a TreeModel of PMML 4.4 whose leaves hold what they answer; or a chain of models: trees, sums, their pool.

No output is computed from another, since evaluators fail on that where a row is not answered. So whether an answer is
accepted stands at each leaf, as the confidence of its classes. The last model of a chain may compute, since rows that
are not answered do not come to it.

JPMML is such an evaluator. It is under the AGPL: tests run it, and nothing of it is in the wheel or needed by what is.
"""

from __future__ import annotations

import io
import math
import re
import sys
from importlib.metadata import version
from itertools import pairwise
from xml.sax.saxutils import XMLGenerator

import numpy as np

from wekaconf.base.errors import OptionError, printable
from wekaconf.base.naming import quoted
from wekaconf.base.rounding import most_probable
from wekaconf.data import Attribute
from wekaconf.methods.contract import is_rejected
from wekaconf.model.export._exported_model import LEFT_OUT, ExportedModel, Split
from wekaconf.model.export._exported_parts import LeafSide
from wekaconf.model.export._pmml_pool import (
    IN,
    Element,
    answered,
    distribution,
    element,
    end,
    negated,
    nothing,
    output,
    outputs_of_pool,
    outputs_of_side,
    pool_tables,
    regression,
    start,
    sum_of_terms,
    write,
)

NAMESPACE = "http://www.dmg.org/PMML-4_4"
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def pmml_text(tree: ExportedModel, *, by_majority: bool = False) -> str:
    """The document.

    Parameters
    ----------
    tree : ExportedModel
    by_majority : bool
        Whether a missing value takes the branch of the largest share; else such a row is not answered.

    Raises
    ------
    OptionError
        The tree tests no column, a name is that of an output, or XML cannot hold it; or costs decide the answers.
    """
    if tree.savings is not None:
        raise OptionError(
            "a PMML document gives as certainty the probability of the answer, and costs decide the answers of this "
            "model",
            value_of="model",
        )
    outputs = _outputs(tree)
    _check_names(tree, [attributes["name"] for _, attributes, _ in outputs])
    file = io.StringIO()
    writer = XMLGenerator(file, "utf-8", short_empty_elements=True)
    writer.startDocument()
    start(writer, "PMML", {"xmlns": NAMESPACE, "version": "4.4"})
    about = f"{tree.method} on {tree.learner}, trained on {tree.header.relation}; left out: {', '.join(LEFT_OUT)}"
    application = element("Application", name="wekaconf", version=version("wekaconf"))
    write(writer, ("Header", {"description": printable(about)}, [application]))
    target = tree.header.class_attribute
    write(writer, ("DataDictionary", {}, [_data_field(known) for known in (*tree.columns, target)]))
    fields = [element("MiningField", name=target.name, usageType="target")]
    fields += [_mining_field(column, fill) for column, fill in zip(tree.columns, tree.fills, strict=True)]
    if tree.lookup is not None:
        _write_tree(writer, tree, tree.lookup, fields, outputs, by_majority=by_majority)
    else:
        _write_chain(writer, tree, fields, by_majority=by_majority)
    writer.endElement("PMML")
    return file.getvalue() + "\n"


def _write_tree(
    writer: XMLGenerator, tree: ExportedModel, side: LeafSide, fields: list[Element], outputs: list[Element], *,
    by_majority: bool, is_chained: bool = False,
) -> None:  # fmt: skip
    """A TreeModel whose leaves hold what a side answers; in a chain inner nodes say that a row is not answered."""
    unknown = "lastPrediction" if is_chained else "nullPrediction"
    start(
        writer,
        "TreeModel",
        {
            "functionName": "classification",
            "missingValueStrategy": "defaultChild" if by_majority else unknown,
            "noTrueChildStrategy": "returnNullPrediction",
            "splitCharacteristic": "multiSplit",
        },
    )
    write(writer, ("MiningSchema", {}, fields))
    write(writer, ("Output", {}, outputs))
    _write_nodes(writer, tree, side, by_majority=by_majority, is_chained=is_chained)
    end(writer, "TreeModel")


def _write_chain(writer: XMLGenerator, tree: ExportedModel, fields: list[Element], *, by_majority: bool) -> None:
    """A MiningModel: a segment per side, and one that pools them; a row that the tree does not answer skips that."""
    start(writer, "MiningModel", {"functionName": "classification"})
    write(writer, ("MiningSchema", {}, fields))
    start(writer, "Segmentation", {"multipleModelMethod": "modelChain"})
    told: list[Element] = []
    segments = [*enumerate(tree.sides)] + ([] if tree.decider is None else [(len(tree.sides), tree.decider)])
    is_answered = element("True")
    for i, side in segments:
        start(writer, "Segment", {"id": str(i + 1)})
        write(writer, element("True"))
        outputs = outputs_of_side(str(i), tree.class_names, is_tree=isinstance(side, LeafSide))
        told += [element("MiningField", name=attributes["name"]) for _, attributes, _ in outputs]
        if isinstance(side, LeafSide):
            _write_tree(writer, tree, side, fields, outputs, by_majority=by_majority, is_chained=True)
            is_answered = element("SimplePredicate", field=answered(str(i)), operator="greaterThan", value="0.5")
        else:
            write(writer, regression(fields, outputs, *sum_of_terms(side, tree.columns, tree.class_names, str(i))))
        end(writer, "Segment")
    start(writer, "Segment", {"id": str(len(segments) + 1)})
    write(writer, is_answered)
    last = outputs_of_pool(tree, None if tree.decider is None else str(len(tree.sides)))
    write(writer, regression([*fields[:1], *told], last, *pool_tables(tree)))
    end(writer, "Segment")
    if is_answered[0] != "True":
        start(writer, "Segment", {"id": str(len(segments) + 2)})
        write(writer, negated(is_answered))
        write(writer, nothing(fields[:1], tree.class_names[0]))
        end(writer, "Segment")
    end(writer, "Segmentation")
    end(writer, "MiningModel")


def _check_names(tree: ExportedModel, outputs: list[str]) -> None:
    """Raise OptionError if the document could not hold the tree."""
    if not tree.columns:
        raise OptionError(
            "the tree is a single leaf, so a PMML document would have no input",
            value_of="model",
        )
    known = (*tree.columns, tree.header.class_attribute)
    for name in (attribute.name for attribute in known):
        if not name or name in outputs or name.startswith(IN):
            raise OptionError(
                f"a PMML document cannot have a field of the name {quoted(name)}; rename that column",
                value_of="model",
            )
    for text in (text for attribute in known for text in (attribute.name, *attribute.values)):
        if NOT_IN_XML.search(text):
            raise OptionError(f"XML does not allow a character of {quoted(text)}", value_of="model")


def _data_field(attribute: Attribute) -> Element:
    if attribute.is_nominal:
        values = [element("Value", value=value) for value in attribute.values]
        return "DataField", {"name": attribute.name, "optype": "categorical", "dataType": "string"}, values
    return element("DataField", name=attribute.name, optype="continuous", dataType="double")


def _mining_field(column: Attribute, fill: float) -> Element:
    attributes = {"name": column.name, "invalidValueTreatment": "asMissing"}
    if math.isinf(fill):
        raise OptionError(
            f"the filters replace missing values of {quoted(column.name)} by ±∞, which PMML cannot",
            value_of="model",
        )
    if not math.isnan(fill):
        attributes |= {"missingValueTreatment": "asValue"}
        attributes |= {"missingValueReplacement": column.values[int(fill)] if column.is_nominal else repr(fill)}
    return element("MiningField", **attributes)


def _outputs(tree: ExportedModel) -> list[Element]:
    outputs = [output("predicted", "predictedValue"), output("certainty", "probability")]
    if tree.thresholds is not None:
        outputs.append(output("accepted", "confidence"))
    return outputs + distribution(tree.class_names)


def _write_nodes(
    writer: XMLGenerator, tree: ExportedModel, side: LeafSide, *, by_majority: bool, is_chained: bool
) -> None:
    """The nodes, each inside the one above it."""
    waiting: list[tuple[int, Element] | None] = [(0, element("True"))]
    while waiting:
        item = waiting.pop()
        if item is None:
            end(writer, "Node")
            continue
        at, predicate = item
        split, attributes = tree.nodes[at], {"id": str(at)}
        waiting.append(None)
        if split is None:
            _write_leaf(writer, tree, side, at, predicate, is_chained=is_chained)
            continue
        if by_majority:
            most = max(range(len(split.shares)), key=split.shares.__getitem__)
            attributes["defaultChild"] = str(split.branches[most])
        start(writer, "Node", attributes | ({"score": tree.class_names[0]} if is_chained else {}))
        write(writer, predicate)
        for name in tree.class_names if is_chained else ():
            write(writer, element("ScoreDistribution", value=name, recordCount="1", confidence="0", probability="1"))
        tests = _predicates(split, tree.columns[split.column])
        waiting += [(child, test) for child, test in zip(split.branches, tests, strict=True)][::-1]


def _write_leaf(
    writer: XMLGenerator, tree: ExportedModel, side: LeafSide, leaf: int, predicate: Element, *, is_chained: bool
) -> None:
    """A leaf without its end; the confidence says whether its answer is accepted, in a chain that it is one."""
    answer = side.answers[leaf]
    predicted = int(most_probable(np.array([answer]))[0])
    confidence = {"confidence": "1"} if is_chained else {}
    if tree.thresholds is not None and not is_chained:
        rejected = is_rejected(np.array([max(answer)]), tree.thresholds[predicted])[0]
        confidence = {"confidence": str(int(not rejected))}
    start(writer, "Node", {"id": str(leaf), "score": tree.class_names[predicted]})
    write(writer, predicate)
    for name, p in zip(tree.class_names, answer, strict=True):
        write(writer, element("ScoreDistribution", value=name, recordCount=repr(p), **confidence, probability=repr(p)))


def _predicates(split: Split, column: Attribute) -> list[Element]:
    """The test of each branch, unknown where the cell is missing."""
    tests: list[list[Element]] = [[] for _ in split.branches]
    if split.operator == "in":
        for value, branch in zip(column.values, split.branch_of_value, strict=True):
            tests[branch].append(_simple(column, "equal", value))
    elif split.operator == "bins":
        for branch, ends in zip(split.branch_of_value, pairwise((math.nan, *split.points, math.inf)), strict=True):
            tests[branch].append(_between(column, *ends))
    else:
        tests = [[_between(column, math.nan, split.limit)], [_between(column, split.limit, math.inf)]]
        if math.isnan(split.limit):
            tests = [[], [_between(column, math.nan, math.inf)]]
    return [_compound("or", test) if test else _never(column) for test in tests]


def _between(column: Attribute, low: float, high: float) -> Element:
    """Whether a number is above ``low``, NaN: at any, and at most ``high``."""
    smallest = repr(-sys.float_info.max)
    sides = []
    if low == -math.inf:
        sides.append(_simple(column, "greaterOrEqual", smallest))
    elif not math.isnan(low):
        sides.append(_never(column) if low == math.inf else _simple(column, "greaterThan", repr(low + 0.0)))
    if high == -math.inf:
        sides.append(_simple(column, "lessThan", smallest))
    elif high < math.inf:
        sides.append(_simple(column, "lessOrEqual", repr(high + 0.0)))
    if sides:
        return _compound("and", sides)
    return _compound("or", [_simple(column, "lessOrEqual", "0.0"), _simple(column, "greaterThan", "0.0")])


def _never(column: Attribute) -> Element:
    """A test that no known cell passes."""
    value = column.values[0] if column.is_nominal else "0.0"
    return _compound("and", [_simple(column, "equal", value), _simple(column, "notEqual", value)])


def _simple(column: Attribute, operator: str, value: str) -> Element:
    return element("SimplePredicate", field=column.name, operator=operator, value=value)


def _compound(operator: str, tests: list[Element]) -> Element:
    return tests[0] if len(tests) == 1 else ("CompoundPredicate", {"booleanOperator": operator}, tests)
