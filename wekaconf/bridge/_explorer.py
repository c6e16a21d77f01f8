"""Weka's Explorer in a window of this process."""

from __future__ import annotations

import time

from wekaconf.base.errors import BridgeError
from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._instances import to_java
from wekaconf.data import Dataset

POLLING = 0.1
"""Seconds between two looks whether the window is still open."""


def explore(data: Dataset | None = None) -> None:
    """Open the Explorer and wait until it is closed.

    Parameters
    ----------
    data : Dataset, optional
        The data set that the Explorer shows at first.

    Raises
    ------
    BridgeError
        There is no display, no usable Java, or Java is running without windows already.
    """
    jvm.want_windows()
    if not jvm.call("openExplorer", None if data is None else to_java(data))[0]:
        raise BridgeError(
            "there is no display to show Weka's Explorer on; start it on a desktop, or over ssh -X with DISPLAY set"
        )
    try:
        while jvm.call("isExplorerOpen")[0]:
            time.sleep(POLLING)
    finally:
        jvm.call("closeWindows")
