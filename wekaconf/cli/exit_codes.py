"""The exit codes of commands; of a command that a signal ends it is 128 and the signal's number."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command ends with."""

    DONE = 0
    ERROR = 1
    """Of data, a file, Java, or a value."""
    USAGE = 2
    """The command line cannot be read."""
    UNLIKE_TRAINING = 3
    """With --strict file: the file is not like the training data."""
    PROMISE_BROKEN = 4
    """The rows show that the promise does not hold."""
