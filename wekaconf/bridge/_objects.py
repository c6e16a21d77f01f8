"""Weka's objects made from class names and options."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any

from wekaconf.base.errors import BridgeError, OptionError
from wekaconf.base.naming import name_list
from wekaconf.bridge import _jvm as jvm

BACKQUOTED = {
    "\\": "\\\\", "'": "\\'", "\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "%": "\\%", "\x1e": "\\u001E",
}  # fmt: skip
NO_SPACES_IN_JAVA = "\x85\xa0\u2007\u202f"
CONTROLS = "".join(map(chr, range(33)))


def create(class_name: str, options: str, *, value_of: str = "") -> Any:
    """A Weka object with its options set; OptionError, which lists the valid options, if Weka refuses them.

    ``value_of`` is the argument that the options come from, for the error.
    """
    if not isinstance(options, str):
        raise OptionError(
            f"{class_name}: expected the options as one text, such as '-C 0.25 -M 2', got {options!r}",
            value_of="class_name",
        )
    try:
        return jvm.call("create", class_name, options)
    except BridgeError as error:
        valid = ", ".join(synopsis for synopsis, _ in option_list(class_name))
        refusal = f"{class_name} {options}: {_refusal(error)}; valid options are {valid}"
        raise OptionError(refusal, value_of=value_of) from error


def _refusal(error: BridgeError) -> str:
    """Weka's reason to refuse options, without the names that Java gives its errors."""
    message = jvm.reason(error).strip().removesuffix(".")
    number = re.match(r'java\.lang\.NumberFormatException: For input string: "(.*)"', message)
    return message if number is None else f"expected a number, got '{number[1]}'"


def option_list(class_name: str) -> list[tuple[str, str]]:
    """Synopsis and description of each option of a Weka class; headings have no description."""
    texts = jvm.call("options", class_name)
    return [(synopsis.strip(), " ".join(text.split())) for synopsis, text in zip(texts[::2], texts[1::2], strict=True)]


def join_options(options: Sequence[str]) -> str:
    """Options as one text, as Weka's ``Utils.joinOptions`` writes them: quoted if they contain blanks or quotes.

    As in Weka, empty options are lost.
    """
    quoted = (f'"{option.translate(_BACKQUOTES)}"' if _needs_quotes(option) else option for option in options)
    return " ".join(filter(None, quoted)).strip(CONTROLS)


_BACKQUOTES = str.maketrans(BACKQUOTED)


def _needs_quotes(option: str) -> bool:
    return any(c in "\"'" or (c.isspace() and c not in NO_SPACES_IN_JAVA) for c in option)


def check_class_name(class_name: str, kind: str, package: str) -> None:
    """Raise OptionError unless Weka has a class of that full name and kind; the message names similar ones."""
    names = jvm.call("classes", kind, package)
    if class_name in names:
        return
    tail = class_name.rsplit(".", 1)[-1]
    similar = [name for name in names if name.rsplit(".", 1)[1].lower() == tail.lower()]
    similar = similar or difflib.get_close_matches(class_name, names, n=3, cutoff=0.4) or names[:3]
    raise OptionError(
        f"no {kind.rsplit('.', 1)[1].lower()} '{class_name}' in Weka; below {package} there are {len(names)}, "
        f"such as {name_list(similar)}",
        value_of="class_name",
    )


def split_options(owner: str, text: str) -> list[str]:
    """The parts of a text of options; OptionError if a quotation mark is not closed."""
    try:
        parts: list[str] = jvm.call("splitOptions", text)
    except BridgeError as error:
        if jvm.is_refusal(error):
            raise OptionError(f"{owner} {text}: {jvm.reason(error)}", value_of="text") from error
        raise
    return parts


def new_classifier(class_name: str, options: Sequence[str]) -> Any:
    """A classifier of Weka's as an object of python-weka-wrapper3."""
    classifier = create(class_name, join_options(options))
    from weka.classifiers import Classifier

    return Classifier(jobject=getattr(classifier, "java", classifier))
