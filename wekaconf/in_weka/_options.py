"""Writes parameters as Weka writes options, and words messages for readers in Weka."""

from __future__ import annotations

from wekaconf.base.parameters import Parametrised, changed, written
from wekaconf.base.words import Argument, Owner, Phrase, SetOption, SetParameter, Setting, Term, UseLearner
from wekaconf.methods.contract import Method
from wekaconf.tree import Learner


def write_options(owner: Parametrised) -> list[str]:
    """The parameters that are not at their defaults: names and values, alternating."""
    texts = {name: "+".join(value) if isinstance(value, tuple) else value for name, value in changed(owner).items()}
    return [part for name, text in texts.items() for part in (f"-{name}", written(text))]


def word_in_weka(term: Term) -> str:
    """A term of a message as Weka calls it: options with a hyphen, methods and learners by their classes."""
    match term:
        case Argument("target_error", of=""):
            return "-target-error"
        case Argument(name, of) if of:
            return f"-{name}"
        case Setting(name, value, of) if of:
            return f"-{name} {value}"
        case SetParameter(_, name, value) | SetOption(_, name, value):
            return f"give the option -{name} {value}"
        case Owner(name):
            return _class_name(name)
        case UseLearner(name, is_read):
            return f"{UseLearner(_class_name(name), is_read)}{' (-W)' if is_read else ''}"
        case Phrase.ESTIMATE:
            return "leave -target-error out"
    return str(term)


def _class_name(name: str) -> str:
    """The name of the class of a method or learner, without its package; another name stays as it is."""
    owner = Method.registry.get(name) or Learner.registry.get(name)
    return name if owner is None else owner.__name__
