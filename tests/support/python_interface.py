"""What Python users call: public names, their arguments and defaults, and what classes of ours have.

``python scripts/make_golden.py`` writes tests/golden/python.txt anew, after a change that is meant.
"""

import importlib
import inspect
from enum import Enum
from pathlib import Path

DECLARED = Path(__file__).parents[1] / "golden" / "python.txt"
MODULES = ("wekaconf", "wekaconf.sklearn", "wekaconf.testing")

OF_SKLEARN = ("set_fit_request", "set_predict_request", "set_score_request")
"""What scikit-learn adds to its classes."""


def interface():
    """The names of each module, in order, with their arguments; types are left out, which mypy looks at."""
    lines = []
    for name in MODULES:
        module = importlib.import_module(name)
        lines += [name, *(line for each in sorted(module.__all__) for line in _declared(each, getattr(module, each)))]
    return "\n".join(lines) + "\n"


def _declared(name, found):
    if not callable(found):
        return [f"  {name}"]
    is_enum = inspect.isclass(found) and issubclass(found, Enum)
    lines = [f"  {name}{'' if is_enum else _arguments(found)}"]  # how an Enum is asked is Python's to say
    if inspect.isclass(found):
        ours = [cls for cls in reversed(found.__mro__) if cls.__module__.startswith("wekaconf")]
        members = {member for cls in ours for member in vars(cls) if not member.startswith(("_", *OF_SKLEARN))}
        lines += [f"    {member}{_arguments(getattr(found, member))}" for member in sorted(members)]
    return lines


def _arguments(found):
    """Names and defaults; nothing of what cannot be called."""
    if not callable(found):
        return f" = {found!r}" if isinstance(found, str | int | float) else ""
    signature = inspect.signature(found)
    parameters = [_without_type(each) for each in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def _without_type(parameter):
    is_function = callable(parameter.default) and parameter.default is not parameter.empty
    return parameter.replace(annotation=parameter.empty, default=_Function() if is_function else parameter.default)


class _Function:
    """A default that is a function, whose own text tells where it lies in memory."""

    def __repr__(self):
        return "…"
