"""The commands of the command line, by name, and all that they declare.

``python scripts/make_golden.py`` writes tests/golden/command-line.txt anew, after a change that is meant.
"""

import json
from pathlib import Path

import click

from wekaconf.cli.commands import COMMANDS, main
from wekaconf.cli.wording import summary

DECLARED = Path(__file__).parents[1] / "golden" / "command-line.txt"
TOP = {name: main.get_command(click.Context(main), name) for name in COMMANDS}
HOLDERS = {name: command for name, command in TOP.items() if isinstance(command, click.Group)}
SINGLE = {name: command for name, command in TOP.items() if name not in HOLDERS}
SINGLE |= {f"{of} {name}": command for of, holder in HOLDERS.items() for name, command in holder.commands.items()}


def interface():
    """The commands, their options and arguments, as they are declared; not as click of any version writes them."""
    lines = []
    for name, command in SINGLE.items():
        lines += [f"{name}: {summary(command)}", *(f"  {line}".rstrip() for line in command.help.splitlines())]
        lines += [f"  first: {' '.join(command.often)}"] if command.often else []
        for parameter in command.params:
            lines.append(f"  {' '.join(parameter.opts)} {json.dumps(_declared(parameter), ensure_ascii=False)}")
        lines += [*command.epilog.splitlines(), ""]
    return "\n".join(lines)


def _declared(parameter):
    """What an option or argument takes; without what is so by default."""
    kind, default = parameter.type, parameter.default
    facts = {
        "type": type(kind).__name__,
        "choices": [str(choice) for choice in getattr(kind, "choices", ())],
        "endings": getattr(kind, "endings", ()),
        "default": default if isinstance(default, str | tuple | int | float) else None,
        "metavar": parameter.metavar,
        **{name: getattr(parameter, name, False) for name in ("required", "multiple", "show_default", "hidden")},
        "nargs": parameter.nargs if parameter.nargs != 1 else None,
        "has_callback": parameter.callback is not None,
        "completes": parameter._custom_shell_complete is not None,
        "help": getattr(parameter, "help", None),
    }
    return {name: value for name, value in facts.items() if value}
