"""Set wekaconf up beside python-weka-wrapper3 0.2, which goes to Java by javabridge, and run the parity tests there.

``python3.11 scripts/javabridge.py [options of pytest]``. The environment is ``.venv-javabridge``, or the folder that
``WEKACONF_JAVABRIDGE`` names. It needs Python 3.11, a C compiler and a JDK named by ``JAVA_HOME``.
"""

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

import _environment
from _environment import ROOT, SetUpError, digest, hand_over, main, only_one, run_logged, say, words_of

FOLDER = Path(os.environ.get("WEKACONF_JAVABRIDGE") or ROOT / ".venv-javabridge").absolute()
PYTHON = FOLDER / _environment.PYTHON.relative_to(_environment.VENV)
LOG = FOLDER / "setup.log"
STAMP = FOLDER / "setup.stamp"
STEPS = [  # help('wekaconf.bridge._javabridge_carrier') says why
    ["numpy<1.27", "setuptools<70", "wheel", "cython<3"],
    ["--no-build-isolation", "python-javabridge==4.0.5"],
    ["-e", ".[javabridge,report,tables]", "hypothesis>=6.100", "pytest>=8", "pytest-xdist>=3.5"],
]


def job():
    check()
    with only_one():
        set_up()
    say("Running the parity tests on javabridge.")
    return hand_over([PYTHON, "-m", "pytest", "-o", "testpaths=tests/parity", *sys.argv[1:]], cwd=ROOT)


def check():
    """Raise SetUpError for whatever is missing."""
    if sys.version_info[:2] != (3, 11):
        raise SetUpError(
            f"python-javabridge is built with Python 3.11, but this is Python {sys.version.split()[0]} "
            f"({sys.executable}); run python3.11 scripts/javabridge.py."
        )
    home = os.environ.get("JAVA_HOME")
    if not home or not (Path(home) / "include" / "jni.h").is_file():
        found = f"JAVA_HOME names {home}, which has no include/jni.h" if home else "JAVA_HOME is not set"
        raise SetUpError(f"python-javabridge is built with a JDK, but {found}; let JAVA_HOME name the folder of a JDK.")
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if not shutil.which(compiler):
        raise SetUpError(
            f"python-javabridge is built with a C compiler, but there is no {compiler}; install one (on Debian and "
            "Ubuntu: apt install gcc) or name it by CC."
        )


def set_up():
    """Make the environment, unless it was made of the same versions."""
    made = digest((ROOT / "pyproject.toml").read_text(encoding="utf-8"), str(ROOT), str(STEPS))
    if words_of(STAMP) == [made]:
        return
    if FOLDER.is_dir() and any(FOLDER.iterdir()) and not LOG.is_file():
        raise SetUpError(f"{FOLDER} was not made by this script; rename or remove it.")
    say(f"Making {FOLDER}, which takes a few minutes; log: {LOG}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    run_logged([sys.executable, "-m", "venv", FOLDER], f"Making {FOLDER}", LOG)
    for packages in STEPS:
        command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
        run_logged([*command, *packages], f"Installing {packages[-1]}", LOG)
    STAMP.write_text(made, encoding="utf-8")


main(job)
