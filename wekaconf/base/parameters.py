"""Parameters of methods and learners, each declared once: name, type, range, default and a line of help.

``share: float = parameter(default=0.5, low=0, high=1, help="Share of the probability that a fine takes.")`` in the
body of a class makes a keyword of its constructor. Constructors, docstrings, checks, the command line and the
documentation read that declaration. A registry finds such classes by name, in every process.
"""

from __future__ import annotations

import inspect
import math
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, dataclass_transform, get_args, get_origin

import numpy as np

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import alternatives, nearest
from wekaconf.base.words import Argument, Owner, Term

_HEADING = re.compile(r"^(\S.*)\n---+$", re.MULTILINE)
_WIDTH = 100


def docstring_of(described: type) -> str:
    """The docstring of a class; empty if it has none of its own: under ``python -OO`` it would inherit ABC's."""
    return inspect.cleandoc(described.__doc__ or "")


def type_in_words(annotation: Any) -> str:
    """A parameter's type in words: its annotation, not evaluated, with the values of a ``Literal`` in braces."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"Literal\[(.*?)\]", r"{\1}", text)


def with_section(text: str, heading: str, entries: Iterable[tuple[str, str]]) -> str:
    """A docstring with one more section, put before the others; unchanged if it has a section of that heading.

    Parameters
    ----------
    text : str
    heading : str
    entries : iterable of (str, str)
        Name and type of each entry, and the paragraph below them.
    """
    text = inspect.cleandoc(text)
    headings = list(_HEADING.finditer(text))
    if any(match[1] == heading for match in headings):
        return text
    position = headings[0].start() if headings else len(text)
    lines = [line for head, below in entries for line in (head, textwrap.indent(textwrap.fill(below, _WIDTH), "    "))]
    section = "\n".join((heading, "-" * len(heading), *lines))
    return "\n\n".join(filter(None, (text[:position].rstrip(), section, text[position:])))


BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class Parameter:
    """One parameter: its default, its type, and the values it may take.

    Parameters
    ----------
    default : object
    help : str
        One line: what it does, in the imperative or as a noun.
    low, high : float
        The range of numbers, ends included unless ``is_open``.
    is_open : bool
        Whether the ends of the range are left out.
    kw_only : bool
        Whether it is given by its name only.
    letters : str
        The option of Weka that sets it, such as ``-C``.
    name : str
        Taken from the class body.
    annotation : object
        The type, taken from the class body.
    """

    default: Any
    help: str
    low: float = -math.inf
    high: float = math.inf
    is_open: bool = False
    kw_only: bool = True
    letters: str = ""
    name: str = ""
    annotation: Any = Any

    @cached_property
    def kinds(self) -> tuple[Any, ...]:
        """The types that the annotation allows, with the values of a ``Literal`` in place of the ``Literal``."""
        union = get_origin(self.annotation) in (UnionType, Union)
        kinds = get_args(self.annotation) if union else (self.annotation,)
        return tuple(part for kind in kinds for part in (get_args(kind) if get_origin(kind) is Literal else (kind,)))

    @property
    def kind(self) -> Any:
        """The kind of the parameter in a signature: by its name only, or also by its position."""
        return inspect.Parameter.KEYWORD_ONLY if self.kw_only else inspect.Parameter.POSITIONAL_OR_KEYWORD

    @property
    def literals(self) -> tuple[Any, ...]:
        """The values that a ``Literal`` names."""
        return tuple(kind for kind in self.kinds if not isinstance(kind, type) and get_origin(kind) is None)

    @property
    def values(self) -> tuple[Any, ...]:
        """All values that are allowed, where they can be listed; else none."""
        listed = (*self.literals, *([True, False] if bool in self.kinds else []))
        is_open = bool({int, float, str} & set(self.kinds))
        return () if is_open else (*listed, *([None] if NoneType in self.kinds else []))

    @property
    def valid(self) -> str:
        """The values that are allowed, in words."""
        if self.values:
            return alternatives(map(written, self.values))
        if str in self.kinds:
            return "a text or several" if self._takes_texts else "a text"
        number = f"{'a number' if float in self.kinds else 'a whole number'} {self.bounds}".rstrip()
        others = [*map(written, self.literals), *(["none"] if NoneType in self.kinds else [])]
        return f"{number}, or {alternatives(others)}" if others else number

    @property
    def bounds(self) -> str:
        """The range, in words; empty if it has no end."""
        if math.isinf(self.high):
            return "" if math.isinf(self.low) else f"{'above' if self.is_open else 'of at least'} {self.low:.12g}"
        if self.is_open:
            return f"between {self.low:.12g} and {self.high:.12g}, both excluded"
        return f"from {self.low:.12g} to {self.high:.12g}"

    def entry(self, name: str, annotation: Any) -> tuple[str, str]:
        """The docstring's entry: a line with name, type, range and default, and the help."""
        details = (type_in_words(annotation), self.bounds, f"default {self.default!r}")
        return f"{name} : {', '.join(filter(None, details))}", self.help

    def checked(self, owner: str, value: Any) -> Any:
        """The value as the parameter stores it.

        Raises
        ------
        OptionError
            The value is of another type or out of range; the message names ``owner``.
        """
        if isinstance(value, np.generic):
            value = value.item()
        for allowed in self.values or self.literals:
            if type(allowed) is type(value) and allowed == value:
                return allowed
        open_kinds = () if self.values else self.kinds
        if value is None and NoneType in open_kinds:
            return None
        if isinstance(value, str) and str in open_kinds:
            return value
        if _is_number(value) and {int, float} & set(open_kinds):
            number = _as_float(value)
            is_inside = self.low < value < self.high if self.is_open else self.low <= value <= self.high
            if is_inside and (float in open_kinds or number.is_integer()):
                return number if float in open_kinds else int(value)
        if self._takes_texts and isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
            return tuple(value)
        got = f"'{written(value)}'"
        if isinstance(value, str):
            words = [*map(written, self.values or self.literals)]
            got = f"the text {got}" if value in words else got + nearest(value, words)
        raise OptionError(Argument(self.name, owner), f" must be {self.valid}, got {got}", of=owner)

    @property
    def _takes_texts(self) -> bool:
        return any(get_origin(kind) in (tuple, Sequence) for kind in self.kinds)

    def read(self, text: str) -> Any:
        """The value of a text on the command line; an invalid text stays as it is, and `checked` refuses it."""
        word = text.lower()
        if word == "none" and NoneType in self.kinds:
            return None
        if word in BOOLEANS and bool in self.kinds:
            return BOOLEANS[word]
        if {int, float} & set(self.kinds):
            for number in (int, float):
                with suppress(ValueError):
                    return number(text)
        return text

    def __str__(self) -> str:
        """The parameter in one line: name, default, help and valid values."""
        return f"{self.name}={written(self.default)}: {self.help} ({self.valid})"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_float(value: float) -> float:
    """The number as a float; infinite for an integer beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def written(value: Any) -> str:
    """A value as it is written on the command line."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def parameter(*, default: Any, help: str, kw_only: bool = True, **limits: Any) -> Any:
    """Declare a parameter in the body of a class; see `Parameter`."""
    return Parameter(default, help, kw_only=kw_only, **limits)


def learned(*, init: Literal[False] = False) -> Any:
    """Mark an attribute as made by fitting, not a parameter."""
    del init
    return _LEARNED


_LEARNED = object()


# Declared as in data classes: a signature with annotated types would name every parameter three times, and heirs would
# repeat their base.
@dataclass_transform(kw_only_default=True, field_specifiers=(parameter, learned))
class Parametrised:
    """Base of classes with a name and declared parameters: methods and learners."""

    name: ClassVar[str]
    _class_parameters: ClassVar[dict[str, Parameter]] = {}
    __signature__: ClassVar[inspect.Signature] = inspect.Signature()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        marked = {name: value for name, value in vars(cls).items() if value is _LEARNED or isinstance(value, Parameter)}
        for name in marked:
            delattr(cls, name)
        cls._class_parameters = {name: value for name, value in marked.items() if isinstance(value, Parameter)}
        for name in cls._class_parameters:
            if name not in cls.__annotations__:
                raise TypeError(f"{cls.__qualname__}.{name}: a parameter needs a type, such as {name}: float")
        declarations = [
            (name, declared, base.__annotations__[name]) for name, (base, declared) in _declarations(cls).items()
        ]
        cls.__signature__ = inspect.Signature(
            sorted(
                (
                    inspect.Parameter(name, declared.kind, default=declared.default, annotation=kind)
                    for name, declared, kind in declarations
                ),
                key=attrgetter("kind"),
            )
        )
        if declarations and cls.__doc__:
            entries = (declared.entry(name, kind) for name, declared, kind in declarations)
            cls.__doc__ = with_section(cls.__doc__, "Parameters", entries)

    def __init__(self, *positional: Any, **values: Any) -> None:
        known = parameters(type(self))
        places = [name for name, declared in known.items() if not declared.kw_only and name not in values]
        values |= zip(places, positional, strict=False)
        if positional := positional[len(places) :]:
            names = ", ".join(f"{name}=…" for name in known)
            rule = f"takes its parameters by name, {type(self).__name__}({names})" if known else "takes no parameter"
            raise TypeError(f"{type(self).__name__} {rule}, got {positional[0]!r} without a name")
        for name in values:
            if name not in known:
                hint = nearest(name, known) or f"; its parameters are: {', '.join(known) or 'none'}"
                raise OptionError(Owner(self.name), f" has no parameter '{name}'{hint}", of=self.name)
        for name, declared in known.items():
            setattr(self, name, declared.checked(self.name, values[name]) if name in values else declared.default)
        self._check_parameters()

    def _check_parameters(self) -> None:
        """Raise OptionError where parameters contradict one another."""

    @property
    def params(self) -> dict[str, Any]:
        """The parameters and their values."""
        return {name: getattr(self, name) for name in parameters(type(self))}

    def __repr__(self) -> str:
        """The constructor's call, without the parameters that are at their defaults."""
        arguments = ", ".join(f"{name}={_python_text(value)}" for name, value in changed(self).items())
        return f"{type(self).__name__}({arguments})"

    def _repr_html_(self) -> str:
        """Name, purpose and parameters as notebooks show them, those not at their defaults in bold."""
        known, rows = parameters(type(self)), []
        for name, value in self.params.items():
            declared, text = known.get(name), escape(written(value))
            cell = text if declared is not None and value == declared.default else f"<b>{text}</b>"
            rows.append(f"<tr><th>{name}</th><td>{cell}</td><td>{escape(declared.help) if declared else ''}</td></tr>")
        purpose = docstring_of(type(self)).split("\n\n")[0]
        table = f"<table><tbody>{''.join(rows)}</tbody></table>" if rows else ""
        named = ": ".join(filter(None, (f"<b>{escape(self.name)}</b>", escape(purpose))))
        return f"<div>{named}</div>{table}"


def changed(owner: Parametrised) -> dict[str, Any]:
    """The parameters that are not at their defaults, and their values."""
    known = parameters(type(owner))
    return {name: value for name, value in owner.params.items() if value != known[name].default}


def _python_text(value: Any) -> str:
    """A value as Python code writes it."""
    is_infinite = isinstance(value, float) and not math.isfinite(value)
    return f"float('{value}')" if is_infinite else repr(value)


_declared: dict[type, Mapping[str, Parameter]] = {}
"""Parameters by class, kept because evaluating annotations takes time."""


def parameters(cls: type[Parametrised]) -> Mapping[str, Parameter]:
    """The parameters that a class and its bases declare, by name; the class's own come first."""
    if cls not in _declared:
        _declared[cls] = {
            name: replace(declared, name=name, annotation=_evaluated_annotation(base, name))
            for name, (base, declared) in _declarations(cls).items()
        }
    return _declared[cls]


def _declarations(cls: type) -> dict[str, tuple[type, Parameter]]:
    """The parameters of a class and its bases, each with the class that declares it; the class's own come first."""
    declarations: dict[str, tuple[type, Parameter]] = {}
    for base in cls.__mro__:
        for name, declared in vars(base).get("_class_parameters", {}).items():
            declarations.setdefault(name, (base, declared))
    return declarations


def _evaluated_annotation(cls: type, name: str) -> Any:
    annotation = cls.__annotations__[name]
    return eval(annotation, vars(sys.modules[cls.__module__])) if isinstance(annotation, str) else annotation


def read_parameters(cls: type[Parametrised], parts: Iterable[str], *written_as: str | Term) -> dict[str, Any]:
    """The parameters that texts such as ``fine=0.2`` set.

    Parameters
    ----------
    cls : type
        The class whose parameters they are.
    parts : iterable of str
    *written_as : str or Term
        The whole text that the user wrote, for messages.

    Raises
    ------
    OptionError
        A text has no ``=``, or sets a parameter a second time. The constructor checks names and values.
    """
    known = parameters(cls)
    valid = ", ".join(known) or "none"
    values: dict[str, Any] = {}
    for part in parts:
        name, equals, value = (text.strip() for text in part.partition("="))
        if not equals:
            raise OptionError(*written_as, f": expected parameter=value, got '{part}'; the parameters are: {valid}")
        if name in values:
            raise OptionError(*written_as, f": '{name}' is given twice; leave one out")
        values[name] = known[name].read(value) if name in known else value
    return values


T = TypeVar("T", bound=Parametrised)


class Registry(MutableMapping[str, type[T]]):
    """Classes by name: ours, and those of others that have been imported.

    Ours register when `wekaconf.methods` or `wekaconf.learners` is imported: whoever knows one knows them all.
    """

    def __init__(self) -> None:
        self._classes, self._shells = dict[str, type[T]](), list[type[T]]()

    def _complete(self) -> dict[str, type[T]]:
        self._classes |= {cls.name: cls for cls in self._shells if "name" in vars(cls)}
        return self._classes

    def __getitem__(self, name: str) -> type[T]:
        return self._complete()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def __setitem__(self, name: str, cls: type[T]) -> None:
        """Register a class under a name, which becomes its attribute ``name``.

        Raises
        ------
        OptionError
            The name is not one word, or another class has it. A class of the same module and qualified name is
            replaced, as when a notebook cell runs again.
        """
        # As cloudpickle makes a class of __main__ in another process: empty, and filled later.
        if not name and cls.__module__ == "__main__" and not any(map(callable, vars(cls).values())):
            self._shells.append(cls)
            return
        if name.split() != [name]:
            raise OptionError(
                f'class {cls.__qualname__}: expected a name of one word, such as name="{cls.__name__.lower()}", got '
                f"'{name}'; the base of several classes passes is_registered=False"
            )
        holder = self._classes.get(name, cls)  # without a look-up: our own modules register while they are imported
        if (holder.__module__, holder.__qualname__) != (cls.__module__, cls.__qualname__):
            raise OptionError(
                f"class {cls.__qualname__}: '{name}' is the name of {holder.__module__}.{holder.__qualname__}; choose "
                "another"
            )
        cls.name = name
        self._classes[name] = cls

    def __delitem__(self, name: str) -> None:
        del self._classes[name]
