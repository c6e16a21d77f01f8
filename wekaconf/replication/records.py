"""Selection of records by their facts."""

from __future__ import annotations

from collections.abc import Sequence

from wekaconf.replication.runner import Record


def pick(records: Sequence[Record], **facts: object) -> list[Record]:
    """The records with all of these facts."""
    return [record for record in records if all(record[name] == value for name, value in facts.items())]
