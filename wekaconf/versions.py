"""The versions of all that a result depends on."""

from __future__ import annotations

import numpy as np

from wekaconf import bridge


def versions() -> dict[str, str]:
    """Versions of all that a result depends on: wekaconf, weka, java, bridge, wrapper, numpy, scikit-learn, python."""
    import platform
    from importlib.metadata import version

    about = bridge.about()
    return {
        "wekaconf": version("wekaconf"),
        "weka": about["weka"],
        "wrapper": version("python-weka-wrapper3"),
        "bridge": about["bridge"],
        "java": about["java"],
        "numpy": np.__version__,
        "scikit-learn": version("scikit-learn"),
        "python": platform.python_version(),
    }
