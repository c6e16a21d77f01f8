"""Strict JSON (RFC 8259): replacements for numbers that it lacks, and for characters that standard output lacks."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Mapping
from typing import Any


def strict(value: Any) -> Any:
    """The same nested value with None for NaN and the texts Infinity and -Infinity for infinite numbers."""
    if isinstance(value, Mapping):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [strict(item) for item in value]
    if not isinstance(value, float) or math.isfinite(value):
        return value
    return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def print_json_text(text: str) -> None:
    """Print JSON to standard output, in ASCII if standard output cannot encode Unicode."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    sys.stdout.write(text if is_unicode else re.sub(r"[^\x00-\x7f]", lambda match: json.dumps(match[0])[1:-1], text))
