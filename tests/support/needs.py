"""A plugin of pytest for what tests need of the machine: its last lines say which tests were not tried, and what helps.

With ``--no-lack``, which the environment variable CI implies, a test fails without what scripts/test.py installs.
"""

import os
import shutil
from collections import Counter
from typing import NamedTuple

import pytest


class Need(NamedTuple):
    """Something that a machine may lack; a program may have several names."""

    name: str
    remedy: str
    programs: tuple[str, ...] = ()
    is_installable: bool = False


INSTALLED = "python3 scripts/test.py --install, as root on Debian, installs it"
CHROMIUM = Need("Chromium", INSTALLED, ("chromium", "chromium-browser", "google-chrome"), is_installable=True)
FIREFOX = Need("Firefox", "install it", ("firefox", "firefox-esr"))
XVFB = Need("Xvfb", INSTALLED, ("Xvfb",), is_installable=True)
POSTGRESQL = Need("PostgreSQL", INSTALLED, ("postgres",), is_installable=True)
MARIADB = Need("MariaDB", INSTALLED, ("mariadbd",), is_installable=True)
UCI = Need("the UCI sets", "let WEKACONF_UCI name their folder")
OLD_WEKAS = Need("older versions of Weka", "let WEKACONF_OLD_WEKAS name a folder of folders with a weka.jar each")
NPM = Need("npm", "install Node.js 20", ("npm",))
NPM_REGISTRY = Need("npm's registry", "connect to the network")
BASH = Need("bash", "install it", ("bash",))
SETPRIV = Need("setpriv", "install util-linux, or run the tests as another user than root", ("setpriv",))

FOR_WANT_OF = "for want of "


def pytest_addoption(parser):
    parser.getgroup("needs", "what tests need of the machine").addoption(
        "--no-lack",
        action="store_true",
        default=bool(os.environ.get("CI")),
        help="fail, instead of skipping, without what scripts/test.py --install installs",
    )


@pytest.fixture(scope="session")
def lacks(pytestconfig):
    """A function that ends the test for want of a `Need`."""

    def lacks(need):
        if pytestconfig.option.no_lack and need.is_installable:
            pytest.fail(f"{need.name} is missing: {need.remedy}", pytrace=False)
        pytest.skip(f"{FOR_WANT_OF}{need.name}: {need.remedy}")

    return lacks


@pytest.fixture(scope="session")
def program(lacks):
    """A function that gives the path of the program of a `Need`."""
    return lambda need: path_of(need) or lacks(need)


@pytest.fixture
def as_user(program):
    """What stands before a command that must respect the rights of folders."""
    return [program(SETPRIV), "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []


def path_of(need):
    """The path of the program of a `Need`; None without it."""
    return next(filter(None, map(shutil.which, need.programs)), None)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = (report.longrepr[2].partition(FOR_WANT_OF)[2] for report in skipped)
    for reason, n_tests in sorted(Counter(filter(None, reasons)).items()):
        name, _, remedy = reason.partition(": ")
        reporter.write_line(f"Tests not tried {FOR_WANT_OF}{name}: {n_tests}; {remedy}.")
