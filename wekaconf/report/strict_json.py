"""Numbers that strict JSON (RFC 8259) does not have, and characters that standard output does not have."""

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
    """Print JSON to standard output, in ASCII if that holds no Unicode."""
    is_unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    sys.stdout.write(text if is_unicode else re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text))
