"""Calls through JPype, which python-weka-wrapper3 0.3 and newer use."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jpype
import jpype.config
import numpy as np

from wekaconf.bridge._carrier import JavaError


class JPypeCarrier:
    """The JPype carrier; see `wekaconf.bridge._carrier.Carrier`."""

    def __init__(self) -> None:
        self.name = f"JPype {jpype.__version__}"
        self._facade: Any = None
        self._strings: Any = None

    def is_running(self) -> bool:
        """Whether JPype has started a virtual machine."""
        return bool(jpype.isJVMStarted())

    def start(self, library: Path, class_path: list[str], arguments: list[str]) -> None:
        """Start with the wrapper's settings, so that the wrapper can also be used."""
        import weka.core.jvm as wrapper

        if self.is_running():
            for jar in class_path:
                jpype.addClassPath(jar)
        else:
            jpype.startJVM(*arguments, jvmpath=str(library), classpath=class_path, convertStrings=True, interrupt=False)
            wrapper.started = True
            # Not where others have started Java, who may hold Python's objects there.
            _collect_without_java()
            if threading.current_thread() is not threading.main_thread():
                jpype.JClass("java.lang.Thread").detach()  # else Java would not end before this thread does
        self._facade = jpype.JClass("wekaconf.Facade")
        self._strings = jpype.JArray(jpype.JString)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_leave_java_alone)

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of the facade."""
        try:
            return self._to_python(getattr(self._facade, method)(*map(_to_java, arguments)))
        except jpype.JException as error:
            raise JavaError(str(error.getClass().getName()), str(error.getMessage() or "")) from error
        except RuntimeError as error:  # from JPype, when Java has no memory left for an exception
            raise JavaError("java.lang.VirtualMachineError", f"{error}; give Java a larger heap") from error

    def _to_python(self, value: Any) -> Any:
        if isinstance(value, jpype.JArray):
            return [str(text) for text in value] if type(value) is self._strings else np.array(value)
        return value

    def serve(self, answer: Callable[[bytes], bytes]) -> None:
        """Let Java call this function."""

        @jpype.JImplements("weka.classifiers.trees.Python$Handler")
        class Handler:
            @jpype.JOverride  # type: ignore[untyped-decorator]
            def ask(self, message: Any) -> Any:
                return jpype.JArray.of(np.frombuffer(answer(bytes(memoryview(message))), dtype=np.int8), jpype.JByte)

        self._facade.setHandler(Handler())


def _collect_without_java() -> None:
    """Remove JPype's callback from Python's garbage collection.

    The callback makes Java collect its garbage too if the process has grown, which it does all the time while a tree
    grows: Python then took three times as long. Java collects by itself before its heap is full.
    """
    gc.callbacks[:] = [callback for callback in gc.callbacks if getattr(callback, "__module__", "") != "_jpype"]


def _leave_java_alone() -> None:
    """In a forked process, which has none of Java's threads, stop JPype from waiting for them, now and at exit."""
    _collect_without_java()
    jpype.config.onexit = False


def _to_java(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        kind = jpype.JDouble if value.dtype == np.float64 else jpype.JInt
        return jpype.JArray.of(value, kind)
    if isinstance(value, list):
        return jpype.JArray(jpype.JString)(value)
    return value
