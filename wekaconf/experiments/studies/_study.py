"""A study: the data sets, protocols, learners and methods to measure, read from a TOML file."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from glob import escape
from typing import Any

from wekaconf.base.errors import OptionError, spelled_out
from wekaconf.base.files import is_stream
from wekaconf.base.naming import alternatives, name_list, nearest, quoted
from wekaconf.data.catalogue import data_files, find, is_name, is_pattern
from wekaconf.data.table_files import Reading
from wekaconf.evaluation.aims import Aim, RejectCosts
from wekaconf.evaluation.protocol import Protocol
from wekaconf.model.scheme import parse_method, scheme_of

USUAL = "usual"
"""Stands for a learner: the one of each method's paper, else J48."""
PROTOCOL_KEYS = (
    "folds", "runs", "seed", "split", "stratified", "known", "leave_out", "preprocess", "per_fold", "filters", "aim",
    "threshold_from", "confidence", "reject_costs", "calibrate",
)  # fmt: skip
"""Parameters of `Protocol` that TOML can hold; an aim is a text such as "keep 0.9", costs one such as "10:1"."""


@dataclass(frozen=True)
class Study:
    """Data sets × protocols × learners × methods.

    Parameters
    ----------
    data : tuple of str
        Files, folders, and patterns such as ``d/*.arff``: all data files in a folder, or of a pattern, whenever the
        study runs.
    methods : tuple of str
        As on the command line.
    learners : tuple of str
        As on the command line, or "usual": that of the method's paper, else J48. A method whose paper names a learner
        is measured on its trees alone; one that reads single trees is not measured on forests.
    protocols : tuple of mapping
        Values of `Protocol` by their names.
    class_attribute : str
        See `Header.with_class`.
    nominal, numeric, na, ignore : tuple of str
        How the columns of tables are read, see `wekaconf.load_table`; of every data set.
    name : str

    Raises
    ------
    OptionError
        There are no methods or data, one is given twice, a value is unknown or contradicts another.
    """

    data: tuple[str, ...]
    methods: tuple[str, ...]
    learners: tuple[str, ...] = (USUAL,)
    protocols: tuple[Mapping[str, Any], ...] = ({},)
    class_attribute: str = "last"
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    na: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    name: str = "study"

    def __post_init__(self) -> None:
        """Check every name and value."""
        for name in ("data", "methods", "learners", "protocols"):
            values = list(getattr(self, name))
            if not values:
                raise OptionError(parameter=name, expected="at least one", got="none")
            if repeated := [value for value in values if values.count(value) > 1]:
                raise OptionError(f"{repeated[0]!r} is given twice; leave one out", parameter=name)
        for protocol in self.protocols:
            protocol_of(protocol)
        if left_out := set(self.methods).difference(*self.methods_by_learner().values()):
            raise OptionError(
                f"{name_list(sorted(left_out))} reads single trees, and every learner grows forests; add "
                "a learner such as J48",
                parameter="methods",
            )

    def methods_by_learner(self) -> dict[str, list[str]]:
        """The methods that read the trees of each learner; "usual" also for those whose paper names a learner.

        Learners of forests come without the methods that read single trees only.
        """
        methods = {text: parse_method(text) for text in self.methods}
        found = {}
        for learner in dict.fromkeys([*self.learners, USUAL]):
            if learner == USUAL:
                texts = [text for text, each in methods.items() if each.learner or USUAL in self.learners]
            else:
                is_forest = scheme_of(learner).learner.is_ensemble
                texts = [
                    text for text, each in methods.items() if not each.learner and (each.takes_forest or not is_forest)
                ]
            if texts:
                found[learner] = texts
        return found

    @property
    def reading(self) -> Reading:
        """How the columns of tables are read."""
        return Reading(self.nominal, self.numeric, self.na, self.ignore)

    def files(self) -> list[str]:
        """The files of the data sets; OptionError if a file is missing or no file, or its name is not valid text."""
        for path in self.data:
            if not os.path.exists(path) and not is_pattern(path):
                raise OptionError(f"no such file or folder: '{path}'{_path_hint(path)}", parameter="data")
        files = data_files(self.data)
        for file in files:
            if is_stream(file):
                raise OptionError(
                    f"{file}: can be read only once, and a study reads its data again; save them as a file",
                    parameter="data",
                )
            if spelled_out(file) != file:
                raise OptionError(
                    f"{file}: a store keeps this name as text, and it is none in the encoding of names "
                    "here; rename the file or its folder, or set a locale of UTF-8",
                    parameter="data",
                )
        return files

    def content(self) -> dict[str, Any]:
        """The study as its TOML file has it, with whole paths; `study_of` reads it."""
        lists = {key: list(getattr(self, key)) for key in _TEXTS}
        return {
            "name": self.name,
            **{key: texts for key, texts in lists.items() if texts},
            "class": self.class_attribute,
            "protocol": list(self.protocols),
        }


def protocol_of(values: Mapping[str, Any]) -> Protocol:
    """The protocol of a table ``[[protocol]]``."""
    for key in values:
        _check_key(key, PROTOCOL_KEYS, "protocol")
    values = dict(values)
    confidence, costs = values.pop("confidence", None), values.pop("reject_costs", None)
    if isinstance(aim := values.get("aim"), str):
        kind, _, value = aim.partition(" ")
        reject_costs = None if costs is None else RejectCosts.parse(_text("reject_costs", costs))
        values["aim"] = Aim.parse(kind, value, confidence, reject_costs)
    elif confidence is not None or costs is not None:
        raise OptionError(
            'a confidence, or costs, belong to an aim, such as aim = "error 0.05"',
            parameter="reject_costs" if confidence is None else "confidence",
        )
    if isinstance(split := values.get("split"), list):
        values["split"] = tuple(split)
    return Protocol(**values)


def read_study(path: str | os.PathLike[str]) -> Study:
    """The study in a TOML file.

    Keys: ``data`` (files, folders and patterns, as seen from the file; ``~`` is the home folder), ``methods``,
    ``learners`` ("usual" when left out), ``runs``, ``seed`` and ``folds`` of every protocol, ``class``, ``nominal``,
    ``numeric``, ``na`` and ``ignore`` as the command line takes them, ``name``, and tables ``[[protocol]]``.

    Raises
    ------
    OptionError
        The file is missing or not TOML, a key is unknown or missing, or see `Study`; the message begins with the file.
    """
    path, text = os.fspath(path), b""
    try:
        with open(path, "rb") as file:
            text = file.read()
        content = tomllib.loads(text.decode("utf-8-sig"))  # Windows' editors put a byte-order mark first
    except FileNotFoundError as error:
        raise OptionError(f"{path}: no such file; check the name and the folder", value_of="path") from error
    except (ValueError, RecursionError) as error:  # ValueError also for very long numbers and bytes not in UTF-8
        hint = IN_SINGLE_QUOTES if _BACKSLASH.search(text) else "; docs/experiments.md has an example"
        raise OptionError(f"{path}: is not TOML ({error}){hint}", value_of="path") from error
    try:
        folder = "" if is_stream(path) else os.path.dirname(path)
        return study_of(content, folder, spelled_out(os.path.splitext(os.path.basename(path))[0]))
    except OptionError as error:
        raise OptionError(f"{path}: {error}", value_of="path") from error


IN_SINGLE_QUOTES = r"; write a path with backslashes in single quotes, such as 'C:\data\iris.arff'"
_BACKSLASH = re.compile(rb'"[^"\n]*\\')
"""A backslash in double quotes, where TOML takes it and the next letter as one character."""
_CONTROL = re.compile(r"[\b\t\n\f\r]")
"""What TOML makes of a backslash and b, t, n, f or r."""
_COLUMNS = ("nominal", "numeric", "na", "ignore")
_TEXTS, _NUMBERS = ("data", "methods", "learners", *_COLUMNS), ("runs", "seed", "folds")
_KEYS = (*_TEXTS, *_NUMBERS, "class", "name", "protocol")


def study_of(content: Mapping[str, Any], folder: str = "", name: str = "study") -> Study:
    """The study with the content of a TOML file in this folder, or with that of `Study.content`.

    Raises
    ------
    OptionError
        A key is unknown or missing, or see `Study`.
    """
    for key in content:
        if key in PROTOCOL_KEYS and key not in _KEYS:
            raise OptionError("belongs to a protocol; write it below a line [[protocol]]", parameter=key)
        _check_key(key, _KEYS, "study")
    for key, example in (("data", "iris.arff"), ("methods", "leaf_frequency")):
        if key not in content:
            raise OptionError(parameter=key, expected=f"a list such as {key} = ['{example}']", got="none")
    lists = {key: _texts(key, content[key]) for key in _TEXTS if key in content}
    shared = {key: content[key] for key in _NUMBERS if key in content}
    tables = _tables(content.get("protocol", [{}]))
    texts = {key: _text(key, content[key]) for key in ("class", "name") if key in content}
    return Study(
        data=tuple(_data_path(path_or_name, folder) for path_or_name in lists["data"]),
        methods=lists["methods"],
        learners=lists.get("learners", (USUAL,)),
        protocols=tuple(_with_shared(table, shared) for table in tables),
        class_attribute=texts.get("class", "last"),
        **{key: lists[key] for key in _COLUMNS if key in lists},
        name=texts.get("name", name),
    )


def _data_path(path_or_name: str, folder: str) -> str:
    """The path or pattern, relative to the folder of the study, or the file of the data set of that name."""
    place = os.path.expanduser(path_or_name)
    path = os.path.abspath(os.path.join(folder, place))
    if os.path.exists(path):
        return path
    if is_pattern(place):
        return os.path.abspath(os.path.join(escape(folder), place))
    return os.path.abspath(find(path_or_name)) if is_name(path_or_name) else path


def _path_hint(path: str) -> str:
    """The advice about a path that does not exist: a similar name in its folder, if there is one."""
    if _CONTROL.search(path):
        return IN_SINGLE_QUOTES
    folder, name = os.path.split(path)
    similar = nearest(name, os.listdir(folder)) if os.path.isdir(folder) else ""
    return similar or "; check the name and the folder"


def _with_shared(table: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol, completed by the values for all protocols; a protocol with a split takes no folds from them."""
    return {key: value for key, value in shared.items() if key != "folds" or "split" not in table} | dict(table)


def _tables(value: Any) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise OptionError("expected tables [[protocol]]", parameter="protocol")
    return tuple(value)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise OptionError(parameter=key, expected="a text", got=repr(value))
    return value


def _texts(key: str, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise OptionError(parameter=key, expected="a list of texts", got=repr(value))
    return tuple(texts)


def _check_key(key: str, known: Sequence[str], what: str) -> None:
    if key not in known:
        hint = nearest(key, known) or f"; expected {alternatives(known)}"
        raise OptionError(f"no key {quoted(key)} in a {what}{hint}", value_of="content")
