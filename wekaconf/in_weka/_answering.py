"""Answers our classifiers in Weka: whatever fails is told, the import of the service at the first question for one."""

from __future__ import annotations

import sys
import traceback

from wekaconf.in_weka._messages import packed


def answer(message: bytes | memoryview) -> bytes:
    """The answer to a message from Java, or why there is none."""
    try:
        from wekaconf.in_weka import _service as service

        return service.answer(message)
    except MemoryError:
        return packed({"refused": ["wekaconf's Python ran out of memory"]})
    except (Exception, SystemExit) as error:
        traceback.print_exc(file=sys.stderr)
        return packed({"refused": [f"wekaconf failed with {type(error).__name__}: {error}"]})
