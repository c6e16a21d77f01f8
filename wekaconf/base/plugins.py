"""Methods and learners of other packages: found by entry points, imported only when somebody asks for one by name.

A name that a user gives imports the package. A name in a file does not, or a stranger's model could run any package
that is installed. Two packages with one name are an error only when somebody asks for it, so that neither can break
other commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from wekaconf.base.errors import OptionError

Kind = Literal["method", "learner"]
USUAL_VERSIONS = ("wekaconf", "weka", "wrapper", "bridge", "java", "numpy", "scikit-learn", "python")
"""The versions that every record has; beside them stand those of the packages of its method and its learner."""


@dataclass(frozen=True)
class Plugin:
    """A method or a learner that a package claims to have, and that nobody has imported yet.

    Parameters
    ----------
    kind : {"method", "learner"}
    name : str
        The name by which it is asked for.
    package, version : str
        The distribution that claims the name.
    entry : EntryPoint
        Where its class is.
    """

    kind: Kind
    name: str
    package: str
    version: str
    entry: EntryPoint

    def __str__(self) -> str:
        """The package and its version."""
        return f"{self.package} {self.version}"

    def load(self, contract: type[Any]) -> type[Any]:
        """Import the class, which registers itself.

        Raises
        ------
        OptionError
            The import fails, or what is imported is no subclass of ``contract`` that has the name.
        """
        what = f"{self.kind} '{self.name}' of the package {self}"
        try:
            cls = self.entry.load()
        except (Exception, SystemExit) as error:  # whatever the code of a stranger raises
            problem = f"{what} cannot be imported: {type(error).__name__}: {error}"
            advice = "tell those who maintain it, or install another version of it"
            raise OptionError(f"{problem}; {advice}", value_of=self.kind) from error
        if not (isinstance(cls, type) and issubclass(cls, contract) and getattr(cls, "name", "") == self.name):
            expected = f"a subclass of {contract.__name__} with name='{self.name}'"
            raise OptionError(f"{what}: {self.entry.value} is not {expected}", value_of=self.kind)
        return cls


@cache
def plugins(kind: Kind) -> Mapping[str, tuple[Plugin, ...]]:
    """The claims of the installed packages, by name, in the order of the names; imports none of them."""
    found: dict[str, list[Plugin]] = {}
    for entry in entry_points(group=f"wekaconf.{kind}s"):
        if entry.dist is not None:
            claim = Plugin(kind, entry.name, entry.dist.name, entry.dist.version, entry)
            found.setdefault(entry.name, []).append(claim)
    return {name: tuple(sorted(found[name], key=str)) for name in sorted(found)}


def claims_of(kind: Kind, name: str) -> tuple[Plugin, ...]:
    """The packages that claim a name."""
    return plugins(kind).get(name, ())


def load_plugin(kind: Kind, name: str, contract: type[Any]) -> type[Any] | None:
    """The class that an installed package has under a name, imported; None if no package claims the name.

    Raises
    ------
    OptionError
        Several packages claim the name, or see `Plugin.load`.
    """
    claims = claims_of(kind, name)
    if len(claims) > 1:
        both = f"the packages {' and '.join(map(str, claims))} both have one"
        raise OptionError(f"{kind} '{name}': {both}; uninstall all but one of them", value_of=kind)
    return claims[0].load(contract) if claims else None


def plugin_of(kind: Kind, cls: type[Any]) -> Plugin | None:
    """The installed package that a class comes from; None if it is ours, or of no package that claims its name."""
    top = cls.__module__.partition(".")[0]
    if top == "wekaconf":
        return None
    return next((claim for claim in claims_of(kind, cls.name) if claim.entry.module.partition(".")[0] == top), None)


def packages_of(**classes: type[Any]) -> dict[str, str]:
    """The packages that a method or a learner comes from, and their versions: ``packages_of(method=cls)``."""
    found = (plugin_of(kind, cls) for kind, cls in classes.items())  # type: ignore[arg-type]
    return {plugin.package: plugin.version for plugin in found if plugin is not None}
