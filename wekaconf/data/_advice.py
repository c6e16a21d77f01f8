"""A summary of a table whose attributes were inferred, and notes on columns that look odd."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from wekaconf.base.errors import TableError, tell
from wekaconf.base.naming import counted, name_list, quoted, shown
from wekaconf.base.words import IgnoreColumn, Setting, Term
from wekaconf.data._cells import TRUTHS, is_number
from wekaconf.data._dataset import Dataset
from wekaconf.data._header import CLASS_ATTRIBUTE, FEW_ROWS, NEARLY_ALL, Attribute, Header, identifies_rows
from wekaconf.data.table_files._base import Reading
from wekaconf.data.table_files._cell_forms import (
    DECIMAL_MARKS,
    MARKS,
    NumberForm,
    date_formats_of,
    form_of,
    is_number_in_some_form,
)
from wekaconf.data.table_files._names import NO_HEADER, place_name, place_names

MANY_VALUES = 50
"""Columns with more distinct texts get a note."""
RARE = 5
"""Classes of fewer rows get a note."""
MOST_NAMED = 5
"""The largest number of texts or classes that a note names."""
_IDENTIFIER_NAME = re.compile(
    r"(^|[\W_])(id|ids|nr|no|number|index|key|uuid|code)($|[\W_])|^unnamed|^column 1$", re.IGNORECASE
)
_DECIMAL_COMMA = re.compile(r"[-+]?(\d+(,\d*)?|,\d+)", re.ASCII)
_NUMBER_WITH_MARKS = re.compile(r"[-+]?(\d{1,3}([., ']\d{3})+|\d+)?([.,]\d*)?", re.ASCII)
_NUMBER_WITH_UNIT = re.compile(
    r"(?P<before>[$€£¥₹]?)\s*[-+]?(\d{1,3}([., ']\d{3})+|\d+)?([.,]\d*)?(?<=[\d.,])\s*"
    r"(?P<after>[^\W\d_]{0,12}|[$€£¥₹%‰°]\w?)"
)
_ODD_NUMBER = re.compile(r"\((?P<negative>.+)\)|(?P<before>.+)[-\u2212]|\u2212(?P<behind>.+)|=\"(?P<formula>.+)\"")
"""Numbers as accounts and typesetters write negative ones, and as formulas that keep a text from being changed."""
_DATE = re.compile(r"(\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./](\d\d|\d{4}))([T ].*)?", re.ASCII)


def check_names(path: str, data: Dataset, names: Sequence[str]) -> None:
    """Raise TableError if the names look like a row of the data.

    That is so where a name is a number above numbers, a date above dates, or a text that stands below it too, and no
    name speaks against it. Many texts that are nearly all distinct tell nothing.
    """
    invented = set(place_names(len(names)))
    looks = [
        _looks_like_a_value(attribute, data.values[:, column])
        for column, attribute in enumerate(data.attributes)
        if attribute.name not in invented
    ]
    if True in looks and False not in looks:
        shown_names = ", ".join(quoted(name) for name in names[:MOST_NAMED])
        raise TableError(
            f"expected a row of column names, got {shown_names}, which looks like a row of data; put names above it, "
            "or give ", NO_HEADER, path=path,
        )  # fmt: skip


def _looks_like_a_value(attribute: Attribute, cells: NDArray[np.float64]) -> bool | None:
    """Whether the name of an attribute could stand in its column; None: it could, as any other text."""
    if attribute.kind == "numeric":
        return is_number(attribute.name) if np.isfinite(cells).any() else None
    if attribute.kind == "date":
        return _is_iso_date(attribute.name)
    if attribute.name in attribute.value_index:
        return True
    n_known = int((~np.isnan(cells)).sum())
    return None if n_known >= FEW_ROWS and len(attribute.values) >= NEARLY_ALL * n_known else False


def note_names(path: str, header: Header, names: Sequence[str]) -> None:
    """Give a `Note` of column names that are guessed, or that may be the values of a first row."""
    if len(names) == 1:
        remedy = "if there are more, put commas, semicolons, tabs or | between the cells of a row"
        tell(f"{path}: found one column, {quoted(names[0])}; {remedy}")
    used = {attribute.name for attribute in header.attributes}
    nameless = [name for place, name in enumerate(names) if place and name == place_name(place) and name in used]
    if nameless:
        tell(f"{path}: no name above {name_list(nameless)}; if the names stand in a lower row, delete what is above it")
    values = [one.name for one in header.attributes if is_number(one.name) or one.name in one.value_index]
    if values:
        tell(f"{path}: the first row was taken as names, {name_list(values)} too; put names above it if it holds none")


def note_class(path: str, header: Header, which: str | int | None, names: Sequence[str], reading: Reading) -> None:
    """Give a `Note` if the file's last or first column, which should be the class, is left out."""
    if which in ("last", "first") and (end := names[-1 if which == "last" else 0]) in reading.left_out:
        change = (
            f"{quoted(end)}, the {which} column, is left out, so the class is {quoted(header.class_attribute.name)}"
        )
        tell(f"{path}: {change}; choose another with ", CLASS_ATTRIBUTE)


def note_class_missing(path: str, header: Header, words: Mapping[str, Sequence[str]]) -> None:
    """Give a `Note` of the words in the class that were taken as missing, since they may name a class."""
    if header.class_index >= 0 and (found := words.get(header.class_attribute.name)):
        means = f"{name_list(found)} in the class {quoted(header.class_attribute.name)} was taken as missing"
        tell(f"{path}: {means}; if that is a class, ", Setting("na", ("",)), " takes empty cells alone as missing")


def note_columns(path: str, data: Dataset, reading: Reading, *, declares_types: bool) -> None:
    """Give a `Note` per column that seems to hold identifiers, free text, or misread numbers or dates.

    Values that differ only in how they are spelt, and classes with hardly any rows, get one, too.
    """
    for column, attribute in enumerate(data.attributes):
        cells = data.values[:, column]
        known = cells[~np.isnan(cells)]
        if column == data.class_index:
            if attribute.is_nominal:
                _note_spellings(path, attribute)
                _note_rare(path, attribute, known)
            continue
        name, advice = quoted(attribute.name), IgnoreColumn(shown(attribute.name))
        if attribute.is_nominal:
            is_chosen = attribute.name in reading.nominal
            if not is_chosen and (content := _misread_content(attribute, reading, declares_types=declares_types)):
                tell(f"{path}: {name} holds ", *content)
            elif identifies_rows(len(attribute.values), len(known)):
                tell(f"{path}: nearly every row has a text of its own in {name}; ", advice)
            elif len(attribute.values) > MANY_VALUES:
                tell(f"{path}: {name} has {len(attribute.values)} distinct texts; ", advice)
            else:
                _note_spellings(path, attribute)
        elif attribute.kind == "numeric" and _numbers_rows(attribute.name, known):
            tell(f"{path}: {name} nearly numbers the rows; ", advice)


def _note_rare(path: str, target: Attribute, known: NDArray[np.float64]) -> None:
    """Give a `Note` of classes that hardly any row has, or of a column that has too many values for a class."""
    if len(known) < FEW_ROWS:
        return
    name, rows = quoted(target.name), counted(len(known), "row")
    n_rows = np.bincount(known.astype(np.intp), minlength=len(target.values)).tolist()
    rare = [(n, value) for n, value in zip(n_rows, target.values, strict=True) if 0 < n < RARE]
    if 2 * len(target.values) > len(known):
        tell(f"{path}: {name} has {len(target.values)} classes in {rows}; choose another with ", CLASS_ATTRIBUTE)
    elif rare:
        few = ", ".join(f"{quoted(value)} ({n})" for n, value in rare[:MOST_NAMED])
        more = f" and {len(rare) - MOST_NAMED} more" if len(rare) > MOST_NAMED else ""
        tell(f"{path}: few of the {rows} have the class {few}{more}; a tree can hardly learn classes so rare")


def _note_spellings(path: str, attribute: Attribute) -> None:
    """Give a `Note` per kind of values that seem to mean the same: the first of them, and the number of such groups."""
    distinct: Sequence[str] = attribute.values
    for differ, spelling in _SPELLINGS.items():
        alike: dict[str, list[str]] = {}
        for value in distinct:
            alike.setdefault(spelling(value), []).append(value)
        if groups := [values for values in alike.values() if len(values) > 1]:
            more = f", and {len(groups) - 1} more such" if len(groups) > 1 else ""
            tell(
                f"{path}: {quoted(attribute.name)}: {name_list(groups[0])} differ only in {differ}{more}; each is a "
                "value of its own; write them alike if they mean the same"
            )
        distinct = [values[0] for values in alike.values()]


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "the Unicode characters that make up a letter": partial(unicodedata.normalize, "NFC"),
    "case or blanks": lambda value: " ".join(unicodedata.normalize("NFC", value).casefold().split()),
    "how they write true and false": lambda value: TRUTHS.get(value.lower(), value),
}
"""How values may be written that mean the same, by what they differ in."""


def _misread_content(attribute: Attribute, reading: Reading, *, declares_types: bool) -> tuple[str | Term, ...]:
    """The message on what a column of texts seems to hold, with a remedy; empty if it seems to hold just texts."""
    values = attribute.values
    if reading.told_form is not None and (others := _not_in_form(values, reading.told_form)):
        return (f"numbers not all written as {reading.told_form}, such as {quoted(others[0])}, so it is read as text; "
                "write all of them alike",)  # fmt: skip
    if mixed := _numbers_and_others(values) or _odd_numbers(values):
        return mixed
    if any(_DATE.fullmatch(value) for value in values[:: max(len(values) // 2, 1)]):
        if others := _few_others(values, _is_iso_date):
            it = "it" if len(others) == 1 else "them"
            problem = f"dates, but for {_named_texts(others)}, so it is read as text; correct {it}, or "
            return problem, *_na_remedy(others)
        if len({datetime.fromisoformat(value).tzinfo is None for value in values if _is_iso_date(value)}) > 1:
            return ("dates with and without a time zone, read as text; give all of them one",)
        if all(map(_DATE.fullmatch, values)):
            return f"dates such as {quoted(values[0])}, read as text; ", *_date_remedy(values)
    if others := _few_others(values, is_number):
        where = Setting("numeric", (shown(attribute.name),)), " says where the first stands"
        remedy = where if len(others) > MOST_NAMED else _na_remedy(others)
        return f"numbers, but for {_named_texts(others)}, so it is read as text; ", *remedy
    if any("," in value for value in values) and (others := _few_others(values, _DECIMAL_COMMA.fullmatch)):
        exceptions = f"but for {_named_texts(others)}"
        return (f"numbers with a decimal comma, {exceptions}, so it is read as text; write all of them alike",)
    if any(values) and all(map(_NUMBER_WITH_MARKS.fullmatch, values)):
        if with_marks := [value for value in values if not is_number(value)]:
            return f"numbers such as {quoted(with_marks[0])}, read as text; ", *_marks_remedy(with_marks[0])
        if not declares_types:
            numeric = Setting("numeric", (shown(attribute.name),))
            return "numbers that are stored as text; ", numeric, " reads them as numbers"
    if unit := _unit(values):
        form = "write the numbers alone, with a decimal point and no other marks"
        return (f"numbers with {quoted(unit)}, such as {quoted(values[0])}, read as text; {form}",)
    return ()


def _not_in_form(values: Sequence[str], form: NumberForm) -> list[str]:
    """The values that are numbers in another form than the one that was named; none where other texts stand beside."""
    are_numbers = bool(values) and all(map(is_number_in_some_form, values))
    return [value for value in values if form.number(value) is None] if are_numbers else []


def _numbers_and_others(values: Sequence[str]) -> tuple[str | Term, ...]:
    """The message on numbers that can be read beyond doubt but for a few texts; empty if they are none."""
    first = next((value for value in values if any(map(str.isdecimal, value))), "")
    if not is_number_in_some_form(first):
        return ()
    written = [value for value in values if any(map(str.isdecimal, value))]
    others = _few_others(values, set(written).__contains__)
    if not others or form_of(written) is None:
        return ()
    problem = f"numbers such as {quoted(written[0])}, but for {_named_texts(others)}, so it is read as text; "
    return problem, *_na_remedy(others)


def _odd_numbers(values: Sequence[str]) -> tuple[str | Term, ...]:
    """The message on numbers with an odd sign, or in formulas; empty if there are none, or other texts beside."""
    odd = {value: plain for value in values if (plain := _without_oddity(value)) != value}
    if not odd or not all(is_number_in_some_form(odd.get(value, value)) for value in values):
        return ()
    value, plain = next(iter(odd.items()))
    return (f"numbers such as {quoted(value)}, read as text; write that as {quoted(plain)}",)


def _without_oddity(text: str) -> str:
    """The number of a text as other texts write it; the text itself if it is written as usual."""
    match = _ODD_NUMBER.fullmatch(text)
    if match is None:
        return text
    return match["formula"] or "-" + (match["negative"] or match["before"] or match["behind"]).strip()


def _marks_remedy(text: str) -> tuple[str | Term, ...]:
    """The options that read numbers whose mark may be a decimal one or stand between thousands."""
    mark = next((mark for mark in MARKS if mark in text), "")
    if not mark:
        return ("float64 holds numbers up to 1.8e308",)
    between = (Setting("thousands", mark), " reads the mark as one between thousands")
    return (*between, ", ", Setting("decimal", mark), " as a decimal one") if mark in DECIMAL_MARKS else between


def _date_remedy(values: Sequence[str]) -> tuple[str | Term, ...]:
    """The options that read dates of which day, month or century may be either; else the form to write."""
    if formats := date_formats_of(values):
        first, *others = (Setting("date_format", each) for each in formats)
        return ("say what they are: ", first, *(part for other in others for part in (" or ", other)))
    return ("write all of them as 2024-12-31 or 2024-12-31T10:30:00Z",)


def _unit(values: Sequence[str]) -> str:
    """The unit or currency that stands beside a number in every value; empty if there is none."""
    first = _NUMBER_WITH_UNIT.fullmatch(values[0]) if len(values) > 1 else None
    if first is None:
        return ""
    before, after = units = first.group("before", "after")
    matches = map(_NUMBER_WITH_UNIT.fullmatch, values)
    return before or after if all(match and match.group("before", "after") == units for match in matches) else ""


def _few_others(values: Sequence[str], is_typical: Callable[[str], object]) -> list[str]:
    """The values that are not typical, if they are fewer than half of the typical ones; else none."""
    others = [value for value in values if not is_typical(value)]
    return others if 2 * len(others) < len(values) - len(others) else []


def _is_iso_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _named_texts(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return ", ".join(map(quoted, texts[:MOST_NAMED])) + more


def _na_remedy(texts: Sequence[str]) -> tuple[str | Term, ...]:
    na = Setting("na", tuple(map(shown, texts[:MOST_NAMED])))
    return na, f" makes {'this' if len(texts) == 1 else 'these'} missing"


def _numbers_rows(name: str, known: NDArray[np.float64]) -> bool:
    """Whether whole numbers are nearly all distinct, and ascend, leave few gaps, or have the name of an identifier."""
    if len(known) < FEW_ROWS or (np.floor(known) != known).any():
        return False
    distinct = np.unique(known)
    if len(distinct) < NEARLY_ALL * len(known):
        return False
    leaves_few_gaps = distinct[-1] - distinct[0] < 1.2 * len(known)
    return bool(leaves_few_gaps or (np.diff(known) > 0).all() or _IDENTIFIER_NAME.search(name))


def summary(
    data: Dataset, beginning: str, left_out: Sequence[str], forms: Sequence[str], words: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """A summary of a table in three lines: file and class, attributes by kind, missing cells; in four with forms.

    Parameters
    ----------
    data : Dataset
    beginning : str
        The file and its size.
    left_out : sequence of str
        Columns that are no attributes.
    forms : sequence of str
        Which columns of texts were read as numbers or dates.
    words : mapping of str to sequence of str
        The words that were taken as missing, by the column.
    """
    others = [attribute for column, attribute in enumerate(data.attributes) if column != data.class_index]
    target = ""
    if data.class_index >= 0:
        attribute = data.header.class_attribute
        target = f"; class {quoted(attribute.name)}" + (
            f": {_first_names([*map(shown, attribute.values)])}" if attribute.is_nominal else f", {attribute.kind}"
        )
    kinds = []
    for kind in ("numeric", "nominal", "date"):
        names = [
            quoted(attribute.name) + (f" ({counted(len(attribute.values), 'value')})" if kind == "nominal" else "")
            for attribute in others
            if attribute.kind == kind
        ]
        if names:
            kinds.append(f"{len(names)} {kind}: {_first_names(names)}")
    n_missing = int(np.isnan(data.values).sum())
    n_columns = int(np.isnan(data.values).any(axis=0).sum())
    gaps = f"missing: {counted(n_missing, 'cell')} in {counted(n_columns, 'column')}" if n_missing else "missing: none"
    if words:
        places = [f"{', '.join(found)} in {quoted(name)}" for name, found in words.items()]
        gaps += f" ({_first_names(places)})"
    out = "; left out: " + _first_names([*map(quoted, left_out)]) if left_out else ""
    read = [f"read: {_first_names(forms)}"] if forms else []
    return beginning + target, "; ".join(kinds) or "no columns beside the class", gaps + out, *read


def _first_names(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
