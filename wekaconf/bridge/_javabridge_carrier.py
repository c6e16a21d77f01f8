"""Calls through javabridge, which python-weka-wrapper3 0.2 (Weka 3.9.6) uses.

python-javabridge 4.0.5 is compiled on installation, which needs numpy 1. With Python 3.11, a C compiler and a JDK named
by ``JAVA_HOME``, in a fresh environment (``scripts/javabridge.py`` makes one of a clone, and tests it)::

    pip install "numpy<1.27" "setuptools<70" wheel "cython<3"
    pip install --no-build-isolation python-javabridge==4.0.5
    pip install "wekaconf[javabridge]"

A virtual machine started by ``weka.core.jvm.start`` keeps Python from ending until ``weka.core.jvm.stop``; one started
by wekaconf does not.

It is supported because trees of python-weka-wrapper3 0.2 were asked for, and costs this file,
``scripts/javabridge.py``, the tests' ``java_classes.py`` and a part of continuous integration.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from wekaconf.base.errors import BridgeError
from wekaconf.bridge._carrier import JavaError

STATIC = 8
"""The bit of ``java.lang.reflect.Modifier``."""


class Handle:
    """An opaque Java object. It is released before Python shuts down, since javabridge could not free it afterwards.

    Parameters
    ----------
    java : object
        The object of javabridge.
    """

    def __init__(self, java: Any) -> None:
        self._owner = weakref.finalize(self, lambda _: None, java)

    @property
    def java(self) -> Any:
        """The object of javabridge; None during shutdown."""
        finalizer = self._owner.peek()
        return finalizer and finalizer[2][0]


class JavabridgeCarrier:
    """The javabridge carrier; see `wekaconf.bridge._carrier.Carrier`.

    Parameters
    ----------
    java_home : Path
        The folder from which Java is loaded when javabridge is imported, which is before `start`.
    source : str
        Where the folder was found, for messages.

    Raises
    ------
    BridgeError
        Java cannot be loaded, or python-javabridge is not installed or does not fit the installed numpy.
    """

    def __init__(self, java_home: Path, source: str) -> None:
        os.environ["CP_JAVA_HOME"] = str(java_home)
        try:
            import javabridge
        except OSError as error:
            raise BridgeError(
                f"Java did not start (from {source}, {java_home}): {error}; name another with java_home or JAVA_HOME"
            ) from error
        except ImportError as error:
            raise BridgeError(
                f"python-javabridge, which python-weka-wrapper3 {version('python-weka-wrapper3')} needs, cannot be "
                f"imported ({error}); build it as help('wekaconf.bridge._javabridge_carrier') says, or install "
                "python-weka-wrapper3 0.3.3 or newer, which does not need it"
            ) from error
        self.name = f"javabridge {version('python-javabridge')}"
        self._javabridge = javabridge
        self._methods: dict[str, tuple[Any, str]] = {}

    def is_running(self) -> bool:
        """Whether javabridge has started a virtual machine."""
        return bool(self._javabridge.jutil._javabridge.get_vm().is_active())

    def start(self, library: Path, class_path: list[str], arguments: list[str]) -> None:  # noqa: ARG002
        """Start so that the wrapper can also be used; Java is loaded from the constructor's folder, not ``library``."""
        import weka.core.jvm as wrapper

        if self.is_running():
            self._javabridge.attach()
            self._append(class_path)
        else:
            self._start([*self._javabridge.JARS, *class_path], arguments)
            self._javabridge.attach()
            wrapper.started = True
        self._find_methods()

    def call(self, method: str, *arguments: Any) -> Any:
        """Call a static method of the facade."""
        method_id, kind = self._methods[method]
        env = self._javabridge.attach()
        try:
            try:
                result = env.call_static_method(self._facade, method_id, *(self._to_java(env, a) for a in arguments))
            except MemoryError:
                self._raise_pending(env)
                raise
            self._raise_pending(env)
            return self._to_python(env, result, kind)
        finally:
            self._javabridge.detach()

    def serve(self, answer: Callable[[bytes], bytes]) -> None:  # noqa: ARG002
        """Let Java start a process of this Python, since javabridge offers it no way to call a function."""
        self.call("setPython", sys.executable)

    def _start(self, class_path: list[str], arguments: list[str]) -> None:
        """Start from a daemon thread, so that javabridge's thread is one, too, and Python can exit without waiting."""

        def start() -> None:
            with suppress(RuntimeError):
                self._javabridge.start_vm(list(arguments), class_path, run_headless=True)
                self._javabridge.detach()

        starter = threading.Thread(target=start, daemon=True)
        starter.start()
        starter.join()
        if not self.is_running():
            raise RuntimeError("javabridge could not create the virtual machine; Java says why on standard error")

    def _append(self, class_path: list[str]) -> None:
        """Add jars to the class path of the system class loader, by the method that java.lang.instrument requires."""
        env = self._javabridge.get_env()
        loader = self._javabridge.static_call(
            "java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;"
        )
        append = self._javabridge.make_call(loader, "appendToClassPathForInstrumentation", "(Ljava/lang/String;)V")
        for jar in class_path:
            append(env.new_string(jar))

    def _find_methods(self) -> None:
        """Look up the static methods of the facade and their signatures."""
        env, call = self._javabridge.get_env(), self._javabridge.call
        self._string = env.find_class("java/lang/String")
        self._get_bytes = env.get_method_id(self._string, "getBytes", "(Ljava/lang/String;)[B")
        self._facade = env.find_class("wekaconf/Facade")
        if self._facade is None:
            raise RuntimeError("the running virtual machine does not find wekaconf.Facade")
        methods = call(self._facade.as_class_object(), "getMethods", "()[Ljava/lang/reflect/Method;")
        for method in env.get_object_array_elements(methods):
            if not call(method, "getModifiers", "()I") & STATIC:
                continue
            name = call(method, "getName", "()Ljava/lang/String;")
            signature = self._javabridge.static_call(
                "java/lang/invoke/MethodType",
                "methodType",
                "(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
                call(method, "getReturnType", "()Ljava/lang/Class;"),
                call(method, "getParameterTypes", "()[Ljava/lang/Class;"),
            )
            descriptor = call(signature, "toMethodDescriptorString", "()Ljava/lang/String;")
            method_id = env.get_static_method_id(self._facade, name, descriptor)
            self._methods[name] = method_id, descriptor.rpartition(")")[2]

    def _raise_pending(self, env: Any) -> None:
        """Raise the exception that Java threw, since javabridge's exception would print the stack trace."""
        thrown = env.exception_occurred()
        if thrown is None:
            return
        env.exception_clear()
        java_class = self._javabridge.make_call(thrown, "getClass", "()Ljava/lang/Class;")()
        name = self._javabridge.make_call(java_class, "getName", "()Ljava/lang/String;")()
        message = self._javabridge.make_call(thrown, "getMessage", "()Ljava/lang/String;")()
        raise JavaError(self._text(env, name), self._text(env, message) if message else "")

    def _text(self, env: Any, string: Any) -> str:
        """A Java string as a Python string; javabridge's conversions lose astral characters or a leading U+FEFF."""
        encoded = env.call_method(string, self._get_bytes, env.new_string("UTF-16LE"))
        return str(env.get_byte_array_elements(encoded).tobytes(), "utf-16-le")

    def _to_java(self, env: Any, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            make = env.make_double_array if value.dtype == np.float64 else env.make_int_array
            return make(np.ascontiguousarray(value))
        if isinstance(value, str):
            return env.new_string(value)
        if isinstance(value, list):
            array = env.make_object_array(len(value), self._string)
            for i, text in enumerate(value):
                env.set_object_array_element(array, i, env.new_string(text))
            return array
        return value.java if isinstance(value, Handle) else value

    def _to_python(self, env: Any, value: Any, kind: str) -> Any:
        if value is None:
            return None
        match kind:
            case "[D":
                return env.get_double_array_elements(value)
            case "[I":
                return env.get_int_array_elements(value)
            case "[Ljava/lang/String;":
                return [self._text(env, string) for string in env.get_object_array_elements(value)]
        return Handle(value)
