"""The classifiers in Weka's model files that hold others: ensembles, choices of columns, and costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from wekaconf.base.naming import quoted
from wekaconf.base.words import ANY_OTHER
from wekaconf.data import CostMatrix, Header
from wekaconf.data.arrays import Int32Array
from wekaconf.learners.foreign._java_stream import JavaObject, RefusedError, StreamError
from wekaconf.learners.foreign._weka_filters import REMOVE, HeaderReader, kept_columns
from wekaconf.learners.foreign._weka_trees import LEARNERS

META = "weka.classifiers.meta."
ENSEMBLES = {f"{META}{name}": name for name in ("Bagging", "RandomCommittee", "RandomSubSpace")}
ENSEMBLES["weka.classifiers.trees.RandomForest"] = "RandomForest"
ATTRIBUTE_SELECTED, FILTERED = f"{META}AttributeSelectedClassifier", f"{META}FilteredClassifier"
COST_SENSITIVE, INPUT_MAPPED = f"{META}CostSensitiveClassifier", "weka.classifiers.misc.InputMappedClassifier"
MOST_TREES = 100_000
MOST_WRAPPERS = 100
"""The largest number of classifiers inside one another."""
MEMBERS = "J48, REPTree, RandomTree or DecisionStump"
"""The trees that an ensemble may consist of."""
READ = (
    "J48, REPTree, RandomTree, DecisionStump, RandomForest, Bagging, RandomCommittee and RandomSubSpace of such trees, "
    "and AttributeSelectedClassifier, CostSensitiveClassifier, InputMappedClassifier and FilteredClassifier of these"
)
"""The classifiers that have a mirror."""


class Member(NamedTuple):
    """A classifier inside another, behind a choice of columns, if any.

    Parameters
    ----------
    classifier : JavaObject
    columns : (n_chosen,) int32 or None
        For each column of the classifier that of the data; None: the same.
    header : Header or None
        The header of the data, where there is a choice of columns.
    """

    classifier: JavaObject
    columns: Int32Array | None = None
    header: Header | None = None

    def tree_header(self, header: Header) -> Header:
        """The header that the tree was grown with; ``header`` is that of the data."""
        if self.columns is None:
            return header
        columns = self.columns.tolist()
        attributes = tuple(header.attributes[column] for column in columns)
        return Header(header.relation, attributes, columns.index(header.class_index))

    def _inside(self) -> Member:
        """The classifier inside a wrapper."""
        return self._replace(classifier=self.classifier.get("m_Classifier", JavaObject))

    def _behind(self, chosen: JavaObject, reader: HeaderReader) -> Member:
        """The same classifier behind a fitted filter that keeps some columns as they are."""
        name = self.classifier.shown_name
        if chosen.name != REMOVE:
            raise RefusedError(
                f"holds a {name} with trees behind {chosen.shown_name}, where only a choice of columns is read; filter "
                f"the training data first; {ANY_OTHER}"
            )
        if any(chosen.fields.get(part) is None for part in ("m_InputFormat", "m_OutputFormat")):
            raise RefusedError(f"holds a {name} that was not trained; build it before saving it")
        before = reader.header(chosen.get("m_InputFormat", JavaObject))
        columns = kept_columns(before, reader.names(chosen.get("m_OutputFormat", JavaObject)))
        reader.budget.declare(len(columns))
        if self.columns is None:
            return self._replace(columns=columns, header=before)
        if len(before.attributes) != len(self.columns):
            raise StreamError("a choice of columns follows one of other columns")
        return self._replace(columns=self.columns[columns])


def members_of(classifier: JavaObject, reader: HeaderReader) -> list[Member]:
    """The trees that a classifier consists of, each behind its choice of columns."""
    members = list(_members(Member(classifier), reader, ""))
    if len({id(member.classifier) for member in members}) < len(members):
        raise StreamError("a tree is there twice")
    return members


def inner_of(classifier: JavaObject) -> JavaObject:
    """The tree or ensemble inside classifiers that hold one other."""
    while classifier.name in (ATTRIBUTE_SELECTED, FILTERED, COST_SENSITIVE, INPUT_MAPPED):
        classifier = classifier.get("m_Classifier", JavaObject)
    return classifier


def _members(member: Member, reader: HeaderReader, ensemble: str) -> Iterator[Member]:
    """The trees inside a classifier; ``ensemble`` is the ensemble that it is a member of, if any."""
    for _ in range(MOST_WRAPPERS):
        outer = member.classifier
        if outer.name == ATTRIBUTE_SELECTED:
            member = _selected(member, reader)
        elif outer.name == FILTERED:
            member = member._behind(outer.get("m_Filter", JavaObject), reader)
        elif outer.name not in (COST_SENSITIVE, INPUT_MAPPED):
            break
        if outer.fields.get("m_MinimizeExpectedCost") is True:
            raise RefusedError(
                f"holds a CostSensitiveClassifier -M inside {f'a {ensemble}' if ensemble else 'a choice of columns'}; "
                "it is read only outside of these, so build them the other way round"
            )
        member = member._inside()
    else:
        raise RefusedError(f"holds more than {MOST_WRAPPERS} classifiers inside one another")
    if outer.name in LEARNERS:
        yield member
        return
    if ensemble:
        raise RefusedError(f"holds a {ensemble} of {outer.shown_name}; its members must be {MEMBERS}")
    if outer.name not in ENSEMBLES:
        raise RefusedError(f"holds a {outer.shown_name}, which has no mirror; only {READ} are read; {ANY_OTHER}")
    learner, inside = ENSEMBLES[outer.name], outer.fields.get("m_Classifiers")
    if isinstance(outer.fields.get("m_ZeroR"), JavaObject):
        raise RefusedError(
            f"holds a {learner} of a ZeroR, since its data had no attribute but the class; ask its class"
        )
    if not isinstance(inside, list) or not inside:
        raise RefusedError(f"holds a {learner} that was not trained; build it before saving it")
    if len(inside) > MOST_TREES:
        raise RefusedError(f"holds {len(inside):,} trees; at most {MOST_TREES:,} are read")
    for one in inside:
        if not isinstance(one, JavaObject):
            raise RefusedError(f"holds a {learner} of something that is no tree; its members must be {MEMBERS}")
        yield from _members(member._replace(classifier=one), reader, learner)


def _selected(member: Member, reader: HeaderReader) -> Member:
    """An AttributeSelectedClassifier behind the columns that it has chosen."""
    selection = member.classifier.fields.get("m_AttributeSelection")
    if not isinstance(selection, JavaObject):
        raise RefusedError("holds an AttributeSelectedClassifier that was not trained; build it before saving it")
    transformer = selection.fields.get("m_transformer")
    chosen = transformer if isinstance(transformer, JavaObject) else selection.get("m_attributeFilter", JavaObject)
    return member._behind(chosen, reader)


def costs_of(wrapper: JavaObject, reader: HeaderReader) -> CostMatrix | None:
    """The costs by which a CostSensitiveClassifier decides; None if it has only weighed its training data by them."""
    if wrapper.fields.get("m_MinimizeExpectedCost") is not True:
        return None
    rows = wrapper.part("m_CostMatrix", "weka.classifiers.CostMatrix").get("m_matrix", list)
    if not rows or not all(isinstance(row, list) and len(row) == len(rows) for row in rows):
        raise StreamError("m_matrix is no square")
    reader.budget.declare(len(rows) ** 2)
    cells = [cell.fields.get("value") if isinstance(cell, JavaObject) else None for row in rows for cell in row]
    if not all(isinstance(cell, float) for cell in cells):
        raise RefusedError("holds a CostSensitiveClassifier -M whose costs depend on attributes; only numbers are read")
    costs = np.array(cells, dtype=np.float64).reshape(len(rows), -1)
    if (costs < 0).any():
        raise RefusedError(
            "holds a CostSensitiveClassifier -M with costs below 0; add the same number to all costs of a row, which "
            "changes no answer, and build it again"
        )
    return CostMatrix(tuple(map(tuple, costs.tolist())))


def mapped_header(wrapper: JavaObject, reader: HeaderReader) -> object:
    """The header of an InputMappedClassifier; RefusedError if Weka takes some of its columns for one another."""
    instances = wrapper.fields.get("m_modelHeader")
    if not isinstance(instances, JavaObject):
        return None
    names = [attribute.name.strip() for attribute in reader.header(instances, needs_class=False).attributes]
    if wrapper.fields.get("m_ignoreCase") is True:
        names = [name.lower() for name in names]
    if len(set(names)) < len(names):
        name = next(name for name in names if names.count(name) > 1)
        raise RefusedError(
            f"holds an InputMappedClassifier that takes several columns for {quoted(name)}; rename them so that "
            "they differ by more than blanks and capitals, and build it again"
        )
    return instances
