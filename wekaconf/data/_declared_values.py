"""Which declared value a cell means; exported modules of Python hold this code, too."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from wekaconf.data._cells import BOOLEANS, is_number


def places_meant(texts: Iterable[str], values: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """The declared values that cells mean, whatever file or table they are from.

    A cell means the value with its very text; else those with its text but for blanks around it; else those that write
    its number, as 1 and 1.0 do; else those with its truth value: true and false in any case, 1 and 0.

    Parameters
    ----------
    texts : iterable of str
        The cells; a number as CSV holds it, a boolean as true or false.
    values : sequence of str
        The declared values of an attribute.

    Yields
    ------
    tuple of int
        Places in ``values``; none: the value is not declared; several: nothing tells which of them is meant. Cost:
        linear.
    """
    exact = {value: (place,) for place, value in enumerate(values)}
    tables: list[tuple[Callable[[str], Hashable], Places]] = []  # made for the first cell with another text
    for text in texts:
        if text in exact:
            yield exact[text]
            continue
        if not tables:
            tables = [(key_of, _places_by(key_of, values)) for key_of in (str.strip, _number)]
            tables.append((_truth, _truths(values)))
        yield next((places[key] for key_of, places in tables if (key := key_of(text)) in places), ())


Places = Mapping[Hashable, tuple[int, ...]]
"""Places of declared values by what they say."""


def _places_by(key_of: Callable[[str], Hashable], values: Sequence[str]) -> Places:
    places: dict[Hashable, tuple[int, ...]] = {}
    for place, value in enumerate(values):
        if (key := key_of(value)) is not None:
            places[key] = (*places.get(key, ()), place)
    return places


def _number(text: str) -> Decimal | None:
    """The number that a text writes, exactly, since codes may be longer than float64 holds; None: it writes none.

    A digest such as 0e1234567890123456789 has an exponent that no number has.
    """
    try:
        number = Decimal(text) if is_number(text) else None
    except ArithmeticError:
        return None
    return None if number is None or number.is_nan() else number


def _word(text: str) -> bool | None:
    word = text.strip().lower()
    return word == BOOLEANS[True] if word in BOOLEANS else None


def _truth(text: str) -> bool | None:
    number = _number(text)
    return bool(number) if number in (0, 1) else _word(text)


def _truths(values: Sequence[str]) -> Places:
    """The places of true and false; 0 and 1 are these where they are all that is declared."""
    pair = _places_by(_truth, values)
    return _places_by(_word, values) or (pair if len(pair) == len(values) == 2 else {})
