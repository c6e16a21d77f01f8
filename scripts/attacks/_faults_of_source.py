"""Small faults that can be planted in a module of ours: mutmut's changes of a node, and three that it does not have.

Planted here, not by mutmut: it switches faults by trampolines, which numba cannot compile, and leaves decorated
functions out. cosmic-ray drops no arguments, and runs the whole suite for each fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import libcst as cst
from libcst import matchers
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

TEXTS = mutators.operator_string
"""The one change of mutmut that is not made: texts are for people, and no test should hold every word of them."""
MODULE = "<module>"
"""The name of what lies outside all functions of a module."""


class Fault(NamedTuple):
    """One small fault.

    Attributes
    ----------
    function : str
        The name of the function that holds it, with those of the classes around it; `MODULE` if there is none.
    before, after : str
        The source of the changed part, in one line, before and after the change.
    nth : int
        Which of the places in this function that have the same ``before`` and ``after``, from 0.
    lines : range
        Lines of the statement that holds it, from 1; of a compound statement those of its head.
    is_at_import : bool
        Whether the part runs when the module is imported, not when the function is called.
    source : str
        The whole module with the fault.
    """

    function: str
    before: str
    after: str
    nth: int
    lines: range
    is_at_import: bool
    source: str


def skip_statement(node: cst.SimpleStatementLine) -> Iterable[cst.SimpleStatementLine]:
    """Leave out a statement that calls or raises something, or ends a step of a loop."""
    if matchers.matches(node, matchers.SimpleStatementLine(body=[matchers.Expr(matchers.Call())])) or isinstance(
        node.body[0], cst.Raise
    ):
        yield node.with_changes(body=[cst.Pass()])


def never_enter(node: cst.If) -> Iterable[cst.If]:
    """Take a condition as not met."""
    condition = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    test = cst.BooleanOperation(condition, cst.And(), cst.Name("False"))
    yield node.with_changes(test=test, whitespace_before_test=cst.SimpleWhitespace(" "))


def drop_operand(node: cst.BinaryOperation) -> Iterable[cst.BaseExpression]:
    """Leave out what is added, subtracted, multiplied with, or divided by."""
    if isinstance(node.operator, cst.Add | cst.Subtract | cst.Multiply | cst.Divide):
        yield node.left.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


OPERATORS: tuple[tuple[type, Any], ...] = (
    *(pair for pair in mutators.mutation_operators if pair[1] is not TEXTS),
    (cst.SimpleStatementLine, skip_statement),
    (cst.If, never_enter),
    (cst.BinaryOperation, drop_operand),
)


NOT_CHANGED = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator, cst.Comment)
STRICT = matchers.Arg(keyword=matchers.Name("strict"))
"""Of ``zip``: it says what is so, and shows only where another fault has been made."""
STATEMENTS = (cst.SimpleStatementLine, cst.BaseSmallStatement, cst.BaseCompoundStatement)


class Place(NamedTuple):
    """A node that can be changed, and how."""

    node: cst.CSTNode
    function: str
    lines: range
    is_at_import: bool
    operators: tuple[Any, ...]


def _places(module: cst.Module, spans: Mapping[cst.CSTNode, CodeRange]) -> Iterator[Place]:
    """Where a fault can be planted, in the order of the source."""

    def below(node: cst.CSTNode, names: tuple[str, ...], lines: range, is_at_import: bool) -> Iterator[Place]:
        if isinstance(node, NOT_CHANGED) or matchers.matches(node, STRICT) or _says_nothing(node, names):
            return
        if isinstance(node, STATEMENTS):
            lines = _head(node, spans)
        operators = tuple(
            change for kind, change in OPERATORS if isinstance(node, kind) and any(True for _ in _changes(change, node))
        )
        if operators:
            yield Place(node, ".".join(names) or MODULE, lines, is_at_import, operators)
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            names = (*names, node.name.value)
        for child in () if isinstance(node, cst.Raise) else node.children:
            is_body = isinstance(node, cst.FunctionDef) and child is node.body
            yield from below(child, names, lines, is_at_import and not is_body)

    return below(module, (), range(1, 2), True)


def _head(node: cst.CSTNode, spans: Mapping[cst.CSTNode, CodeRange]) -> range:
    """The lines of a statement, up to the body if it has one."""
    last, body = spans[node].end.line, getattr(node, "body", None)
    if isinstance(node, cst.BaseCompoundStatement) and isinstance(body, cst.CSTNode):
        last = max(spans[node].start.line, spans[body].start.line - 1)
    return range(spans[node].start.line, last + 1)


def _changes(change: Any, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    for changed in change(node):
        if not changed.deep_equals(node) and _strictness(changed) == _strictness(node):
            yield changed


def _strictness(node: cst.CSTNode) -> list[str]:
    """What a call says of ``strict``."""
    arguments = node.args if isinstance(node, cst.Call) else ()
    return [cst.Module([]).code_for_node(each.value) for each in arguments if matchers.matches(each, STRICT)]


def _says_nothing(node: cst.CSTNode, names: tuple[str, ...]) -> bool:
    """Whether a statement is a text alone, such as a docstring, or for types only."""
    if isinstance(node, cst.Expr):
        return isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)
    if isinstance(node, cst.Assign) and not names:  # an alias of a type
        return matchers.matches(node, matchers.Assign(value=matchers.Subscript())) and _is_type(node.value)
    return isinstance(node, cst.If) and matchers.matches(node.test, matchers.Name("TYPE_CHECKING"))


def _is_type(node: cst.BaseExpression) -> bool:
    """Whether an expression can only be a type: ``tuple[float, ...]``, ``Callable[[int], str]``, ``NDArray[Any]``."""
    known = (
        "tuple",
        "list",
        "dict",
        "set",
        "Callable",
        "Mapping",
        "Sequence",
        "Iterable",
        "Iterator",
        "NDArray",
        "Literal",
    )
    return isinstance(node, cst.Subscript) and any(matchers.matches(node.value, matchers.Name(name)) for name in known)


@cache
def places(path: Path) -> tuple[cst.Module, tuple[Place, ...]]:
    """The parsed module, and where a fault can be planted in it."""
    wrapper = MetadataWrapper(cst.parse_module(path.read_text(encoding="utf-8")))
    return wrapper.module, tuple(_places(wrapper.module, wrapper.resolve(PositionProvider)))


def fault(path: Path, place: int, choose: Any) -> Fault:
    """The fault at a place of a module; ``choose`` takes one of several changes."""
    module, found = places(path)
    chosen = found[place]
    return _planted(module, found, place, choose(list(_changes(choose(chosen.operators), chosen.node))))


def fault_again(path: Path, function: str, before: str, after: str, nth: int) -> Fault | None:
    """The fault that these words name, see `Fault`, wherever it stands by now; None if it can no longer be planted."""
    module, found = places(path)
    for place, each in enumerate(found):
        if each.function == function and _shown(module, each.node) == before:
            for changed in (change for operator in each.operators for change in _changes(operator, each.node)):
                if _shown(module, changed) == after:
                    planted = _planted(module, found, place, changed)
                    if planted.nth == nth:
                        return planted
    return None


def _planted(module: cst.Module, found: tuple[Place, ...], place: int, changed: cst.CSTNode) -> Fault:
    node, function, lines, is_at_import, _ = found[place]
    before, after = _shown(module, node), _shown(module, changed)
    twins = [
        other
        for other, each in enumerate(found[:place])
        if each.function == function and type(each.node) is type(node) and _shown(module, each.node) == before
    ]
    with_fault = module.deep_replace(node, changed)  # type: ignore[arg-type]
    return Fault(function, before, after, len(twins), lines, is_at_import, with_fault.code)  # type: ignore[union-attr]


def _shown(module: cst.Module, node: cst.CSTNode) -> str:
    return " ".join(module.code_for_node(node).split())
