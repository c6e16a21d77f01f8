"""Kernels: compiled by numba on first use, and kept for later runs with the same sources.

numba's own cache looks only at a kernel's own file, not at the files of the kernels that it calls, nor at constants
that it takes from other files.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.core import event
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps

from wekaconf.base import user_cache
from wekaconf.base.errors import tell
from wekaconf.tree import first_use

PACKAGE = Path(__file__).parents[1]
CONSTANTS = (bool, int, float, complex, str, bytes, tuple, np.generic, np.dtype)
"""Types of globals whose values numba compiles into a kernel."""
LIBRARIES = ("numba", "llvmlite", "numpy")
ONCE = "compiling, once"
SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
"""Settings of numba that change the compiled code; the processor is part of the files' names."""


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a kernel on first use, and keep the result on disk if there is a safe place."""
    kernel: Callable[..., Any] = numba.njit(nogil=True, error_model="numpy")(function)
    if isinstance(kernel, Dispatcher):  # not so under NUMBA_DISABLE_JIT
        kernel._cache = KernelCache(function)  # type: ignore[attr-defined]
    return kernel


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Inline a kernel that is called so often that passing its arrays would cost as much as its work."""
    kernel: Callable[..., Any] = numba.njit(inline="always", error_model="numpy")(function)
    return kernel


class KernelCache(NullCache):
    """The cache that numba reads before it compiles a kernel, and writes afterwards.

    There is one file per kernel and signature, so that several processes may compile at the same time.

    Parameters
    ----------
    function : callable
        The kernel, not compiled.
    """

    _is_full = False

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str | None:
        """The folder of compiled code; None if it is not kept."""
        return place().folder

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The code compiled for these types of arguments; None if it has to be compiled."""
        target.refresh()
        folder = self.cache_path
        content = folder and user_cache.kept(folder, self._name_for(signature, target))
        if not content:
            return None
        try:
            return CompileResult._rebuild(target, *pickle.loads(content))
        except Exception:  # a kernel that cannot be read is compiled again
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep compiled code."""
        folder = self.cache_path
        if folder is None or KernelCache._is_full or compiled.library.has_dynamic_globals:
            return
        content = dumps(compiled._reduce())
        try:
            user_cache.keep(folder, self._name_for(signature, compiled.target_context), content)
        except OSError as error:
            KernelCache._is_full = True
            tell(_cache_warning(_reason(error)))

    @cached_property
    def functions(self) -> list[Callable[..., Any]]:
        """The kernel and all kernels that it calls."""
        functions = [self._function]
        for function in functions:
            callees = [value.py_func for _, value in _globals(function) if isinstance(value, Dispatcher)]
            functions += [callee for callee in dict.fromkeys(callees) if callee not in functions]
        return functions

    @cached_property
    def _code(self) -> list[str]:
        """Everything that the kernel is compiled from, as it is in memory: a file may have changed since its import."""
        return [part for function in self.functions for part in _parts(function)]

    def _name_for(self, signature: Any, target: Any) -> str:
        # A file per kernel and types, and no index: two processes that change numba's index at once can mix up its
        # entries.
        parts = [repr(signature), *map(repr, target.codegen().magic_tuple()), *self._code]
        return f"{self._function.__name__}-{_digest(parts)}"


def _codes(function: Callable[..., Any]) -> list[CodeType]:
    """The bytecode of a function and of the functions inside it, such as comprehensions."""
    assert isinstance(function, FunctionType)
    codes = [function.__code__]
    for code in codes:
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return codes


def _globals(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Names and values of the globals that a function uses."""
    module_globals = function.__globals__
    names = {name for code in _codes(function) for name in code.co_names if name in module_globals}
    return [(name, module_globals[name]) for name in sorted(names)]


def _parts(function: Callable[..., Any]) -> Iterator[str]:
    """The parts that a function is compiled from, except the other kernels that it calls."""
    yield f"{function.__module__}.{function.__qualname__}{function.__defaults__}"
    for code in _codes(function):
        constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        yield repr([code.co_code, code.co_names, code.co_varnames, constants])
    for name, value in _globals(function):
        if isinstance(value, CONSTANTS):
            yield f"{name}={value!r}"
        elif isinstance(value, np.ndarray):
            yield f"{name}={value.dtype}{value.shape}{value.tobytes()!r}"


class Place(NamedTuple):
    """The place where compiled code is kept.

    Parameters
    ----------
    folder : str or None
        None if it cannot be kept.
    words : str
        The text to show when something is compiled, which says if it cannot be kept.
    """

    folder: str | None
    words: str


@cache
def place() -> Place:
    """Find the folder for code compiled from the present sources by the present libraries."""
    if vars(numba.config)["DISABLE_JIT"]:
        return Place(None, "NUMBA_DISABLE_JIT has numba compile nothing, so everything is slow; unset it")
    digest, refused = digest_of_sources(), ""
    if chosen := vars(numba.config)["CACHE_DIR"]:
        try:
            return Place(user_cache.private_folder(digest, chosen), ONCE)
        except OSError as error:
            refused = _reason(error)
    try:
        folder = user_cache.private_folder(digest)
    except OSError as error:
        return Place(None, _cache_warning(refused or _reason(error)))
    return Place(folder, f"{ONCE}; kept in {folder}, since NUMBA_CACHE_DIR is refused ({refused})" if refused else ONCE)


def _reason(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}"


def _cache_warning(reason: str) -> str:
    return (
        f"compiled code cannot be kept, so that every run compiles anew ({reason}); "
        "set NUMBA_CACHE_DIR to a folder in which you alone can write"
    )


def digest_of_sources() -> str:
    """32 hexadecimal digits: a digest of all files with kernels, of the libraries that compile them, and of Python."""
    parts = [sys.version, *(sys.modules[name].__version__ for name in LIBRARIES)]
    parts += [f"{name}={vars(numba.config)[name]}" for name in SETTINGS]
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8", errors="replace")
        if "wekaconf.tree.compiling import" in source:  # as in this file
            parts += [path.relative_to(PACKAGE).as_posix(), source]
    return _digest(parts)


def _digest(parts: Iterable[str]) -> str:
    encoded = [part.encode() for part in parts]
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in encoded)).hexdigest()[:32]


class _CompilationListener(event.Listener):
    """A listener that announces the kernels that are compiled because one of them is called."""

    def __init__(self) -> None:
        self._depth = self._done = self._total = 0

    def on_start(self, compilation: Any) -> None:
        """The compilation of a kernel begins, perhaps during that of another."""
        kernel = compilation.data["dispatcher"]._cache
        if isinstance(kernel, KernelCache):
            self._depth += 1
            if self._depth == 1:
                self._done, self._total = 0, len(kernel.functions)
                self._tell()

    def on_end(self, compilation: Any) -> None:
        """The compilation of a kernel has ended or failed."""
        if isinstance(compilation.data["dispatcher"]._cache, KernelCache):
            self._depth -= 1
            self._done = min(self._done + 1, self._total - 1) if self._depth else self._total
            self._tell()

    def _tell(self) -> None:
        first_use.announce(place().words, self._done, self._total)


event.register("numba:compile", _CompilationListener())
