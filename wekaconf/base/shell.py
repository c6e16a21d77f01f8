"""Words of a command line that a person pastes into a shell."""

from __future__ import annotations

import shlex
import sys


def shell_word(text: str, encoding: str = "utf-8") -> str:
    r"""A word as a POSIX shell reads it, quoted if it must be.

    Parameters
    ----------
    text : str
        The word, perhaps a file's name with undecoded bytes.
    encoding : str
        That of the terminal. A word with characters that it cannot show, or with bytes that are no UTF-8, is written in
        octal escapes, as ``$'gr\303\266.arff'``, which bash, zsh, ksh and POSIX 2024 know.
    """
    content = text.encode(errors=sys.getfilesystemencodeerrors())
    if _is_shown(content, encoding):
        return shlex.quote(content.decode())
    # As GNU's ls writes it; "$(printf '…')" would run in older shells, too, but nobody could read it.
    return f"$'{''.join(map(_escaped, content))}'"


def _is_shown(content: bytes, encoding: str) -> bool:
    """Whether the content is text of characters that this encoding has and that can be seen."""
    try:
        text = content.decode()
        text.encode(encoding)
    except UnicodeError:
        return False
    return text.isprintable()


def _escaped(byte: int) -> str:
    """A byte inside ``$'…'``."""
    return chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\{byte:03o}"
