"""Choosing among records."""

from __future__ import annotations

from collections.abc import Sequence

from wekaconf.replication.runner import Record


def pick(records: Sequence[Record], **facts: object) -> list[Record]:
    """The records of which all of this is true."""
    return [record for record in records if all(record[name] == value for name, value in facts.items())]
