"""The process that reads dates as Weka does, or as we do: columns as JSON on standard input, milliseconds on output."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import wekaconf as wc
from wekaconf.bridge import _jvm as jvm
from wekaconf.data.dates import DateFormat

Milliseconds = float | None


def by_weka(pattern: str, texts: Sequence[str]) -> list[Milliseconds]:
    """What an attribute of Weka's makes of each text; those before it decide what the name of a zone means."""
    jvm.ensure_started()
    import jpype

    def read(accepted: Sequence[str | None]) -> list[Milliseconds]:
        attribute = jpype.JClass("weka.core.Attribute")("d", pattern)
        return [None if each is None else parsed(attribute, each) for each in accepted]

    def parsed(attribute: object, text: str) -> Milliseconds:
        try:
            return float(attribute.parseDate(text))  # type: ignore[attr-defined]
        except jpype.JException:
            return None

    first = read(texts)
    return read([None if number is None else text for text, number in zip(texts, first, strict=True)])


def by_us(pattern: str, texts: Sequence[tuple[str, Milliseconds]]) -> list[Milliseconds]:
    """What `load_arff` makes of the texts that Weka accepts, together, and we of each that Weka refuses."""
    rows = "".join(f"'{text}'\n" for text, number in texts if number is not None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "dates.arff")
        path.write_text(f'@relation dates\n@attribute d date "{pattern}"\n@data\n{rows}')
        accepted = iter(wc.load_arff(path, class_attribute=None).values[:, 0].tolist())
    date = DateFormat(pattern)
    return [refused(date, text) if number is None else next(accepted) for text, number in texts]


def refused(date: DateFormat, text: str) -> Milliseconds:
    """None, unless we read the text."""
    try:
        return date.parse(text)
    except ValueError:
        return None


if __name__ == "__main__":
    read = {"weka": by_weka, "ours": by_us}[sys.argv[1]]
    print(json.dumps({pattern: read(pattern, texts) for pattern, texts in json.load(sys.stdin).items()}))
