"""A registry of classes by name, which in every process finds what our packages define."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import Parametrised

T = TypeVar("T", bound=Parametrised)


class Registry(MutableMapping[str, type[T]]):
    """Classes by name: ours, and those of others that have been imported.

    The first look-up imports ours: a process that has unpickled one class knows no other module.

    Parameters
    ----------
    *homes : str
        The modules and packages whose import, with all that is directly inside, registers our classes.
    """

    def __init__(self, *homes: str) -> None:
        self._homes, self._classes = homes, dict[str, type[T]]()
        self._shells: list[type[T]] = []

    def _complete(self) -> dict[str, type[T]]:
        for home in self._homes:
            _import_all(home)
        self._classes |= {cls.name: cls for cls in self._shells if "name" in vars(cls)}
        return self._classes

    def __getitem__(self, name: str) -> type[T]:
        return self._complete()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._complete())

    def __len__(self) -> int:
        return len(self._complete())

    def __setitem__(self, name: str, cls: type[T]) -> None:
        """Register a class under a name, which becomes its attribute ``name``.

        Raises
        ------
        OptionError
            The name is not one word, or another class has it. A class of the same module and qualified name is
            replaced, as when a notebook cell runs again.
        """
        if not name and _is_shell(cls):
            self._shells.append(cls)
            return
        if name.split() != [name]:
            raise OptionError(
                f'class {cls.__qualname__}: expected a name of one word, such as name="{cls.__name__.lower()}", got '
                f"'{name}'; the base of several classes passes is_registered=False"
            )
        holder = self._classes.get(name, cls)  # without a look-up: our own modules register while they are imported
        if (holder.__module__, holder.__qualname__) != (cls.__module__, cls.__qualname__):
            raise OptionError(
                f"class {cls.__qualname__}: '{name}' is the name of {holder.__module__}.{holder.__qualname__}; choose "
                "another"
            )
        cls.name = name
        self._classes[name] = cls

    def __delitem__(self, name: str) -> None:
        del self._classes[name]


def _is_shell(cls: type) -> bool:
    """Whether this is a class of ``__main__`` as cloudpickle makes it in another process: empty, and filled later."""
    return cls.__module__ == "__main__" and not any(callable(value) for value in vars(cls).values())


@cache
def _import_all(home: str) -> None:
    """Import a module, and every module and package directly inside if it is a package."""
    for module in iter_modules(getattr(import_module(home), "__path__", ())):
        import_module(f"{home}.{module.name}")
