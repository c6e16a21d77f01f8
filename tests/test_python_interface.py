"""Public names of Python, in the suite's environment alone: other versions write some signatures otherwise."""

from support.python_interface import DECLARED, interface


def test_python_users_call_what_they_did_when_somebody_last_looked():
    """Names, arguments and defaults; of an object as default only that there is one."""
    assert interface().splitlines() == DECLARED.read_text(encoding="utf-8").splitlines()
