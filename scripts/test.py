"""Set wekaconf up in ``.venv`` with what its tests need and run them: behaviour, style, types, imports.

``python3 scripts/test.py [--all] [--install] [options of pytest]``. Of tests with many cases a drawn part runs, and
some dear tests at one commit in three; ``--all`` runs all. ``--install`` installs Chromium, Xvfb, PostgreSQL and
MariaDB where they are missing, on Debian, as root; then, as where the environment says CI=true, a test that needs them
fails without them, instead of being skipped.
"""

import glob
import os
import shutil
import sys

from _environment import PYTHON, ROOT, hand_over, main, say, set_up

PROCESSES = min((os.cpu_count() or 1) + 2, 4)  # more than cores, since tests wait for processes; each has a Java
ON_ALL_CORES = ["-n", str(PROCESSES), "--dist", "worksteal"]
PACKAGES = {
    "chromium": "chromium",
    "Xvfb": "xvfb",
    "initdb": "postgresql",
    "mariadb-install-db": "mariadb-server-core",
    "mariadb": "mariadb-client-core",
}
"""Of Debian, by the program that is in them."""


def job():
    options = [word for word in sys.argv[1:] if word != "--install"]
    must_have_all = "--install" in sys.argv or bool(os.environ.get("CI"))
    set_up("test")
    if must_have_all:
        install_packages()
        options.append("--no-lack")
    if all(word in ("--all", "--no-lack") or word.startswith("--seed=") for word in options):
        options = [*ON_ALL_CORES, *options]
    say("Running the tests.")
    # else each of some thousand processes that tests start compiles the package again, and each worker all tests
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return hand_over([PYTHON, "-m", "pytest", *options], cwd=ROOT, env=environment)


def install_packages():
    """Install the programs that are missing, where that can be done; the tests tell of those that stay missing."""
    missing = [
        package
        for program, package in PACKAGES.items()
        if not shutil.which(program) and not glob.glob(f"/usr/lib/postgresql/*/bin/{program}")
    ]
    if not missing:
        return
    if not (os.path.exists("/etc/debian_version") and shutil.which("apt-get") and os.geteuid() == 0):
        say(f"Install {' and '.join(missing)}: tests need them, and only root on Debian can have this script do it.")
        return
    say(f"Installing {' and '.join(missing)}.")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", *missing]):
        hand_over(["apt-get", *words], env=quiet)


main(job)
