"""scripts/run.py, scripts/test.py and scripts/make_arff.py as a user runs them: in processes of their own.

What gets installed is a small stand-in project, so nothing is fetched.
"""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "wekaconf"
version = "1"
"""

# A build backend without dependencies: the wheel holds a `wekaconf` command and a `pytest` module that print
# their arguments; `wekaconf self compile` tells the file `compiled`, and fails if that is a folder. The file `trouble`,
# when there is one, is run first.
BACKEND = """
import pathlib
import zipfile

FILES = {
    "wekaconf_cli.py": "import sys\\n"
    "def run():\\n"
    "    if sys.argv[1:] == ['self', 'compile']:\\n"
    "        with open(sys.prefix + '/../compiled', 'a') as told:\\n"
    "            told.write('once ')\\n"
    "        return 0\\n"
    "    print(sys.argv[1:])\\n"
    "    return 3\\n",
    "pytest.py": "import os, sys\\nprint(sys.argv[1:], os.getcwd())\\n",
    "wekaconf-1.dist-info/METADATA": "Metadata-Version: 2.1\\nName: wekaconf\\nVersion: 1\\n"
    "Provides-Extra: report\\nProvides-Extra: test\\n",
    "wekaconf-1.dist-info/WHEEL": "Wheel-Version: 1.0\\nGenerator: here\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
    "wekaconf-1.dist-info/entry_points.txt": "[console_scripts]\\nwekaconf = wekaconf_cli:run\\n",
    "wekaconf-1.dist-info/RECORD": "",
}


def build_editable(directory, config_settings=None, metadata_directory=None):
    trouble = pathlib.Path("trouble")
    if trouble.exists():
        exec(trouble.read_text())
    name = "wekaconf-1-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(directory) / name, "w") as wheel:
        for path, text in FILES.items():
            wheel.writestr(path, text)
    return name
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A stand-in project, set up once by run.py, and what that printed."""
    root = tmp_path_factory.mktemp("a folder") / "the project"
    make_project(root)
    return root, run(root, "run.py")


@pytest.fixture
def new_project(tmp_path):
    root = tmp_path / "the project"
    make_project(root)
    return root


def make_project(root):
    (root / "scripts").mkdir(parents=True)
    for name in ("run.py", "test.py", "javabridge.py", "_environment.py"):
        shutil.copy(SCRIPTS / name, root / "scripts")
    (root / "wekaconf").mkdir()
    (root / "wekaconf" / "kernels.py").touch()
    (root / "arff").mkdir()
    (root / "arff" / "iris.arff").touch()
    (root / "arff" / "wine.arff").touch()
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "backend.py").write_text(BACKEND)


def environment(**changes):
    """This process's environment without what steers Python, pip or our scripts, and ``changes``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON", "CI"))}
    return {**kept, "PIP_CONFIG_FILE": os.devnull, **changes}


def run(root, script, *arguments, cwd=None, python=sys.executable, **changes):
    return subprocess.run(
        [python, root / "scripts" / script, *arguments],
        cwd=cwd or root,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def assert_one_sentence(finished, *words):
    last = finished.stderr.splitlines()[-1]
    assert finished.returncode == 1, finished.stderr
    assert "Traceback" not in finished.stderr
    for word in words:
        assert word in last


def test_run_sets_up_and_runs_the_main_job(project):
    root, first = project
    lines = [line.split()[0] for line in first.stderr.splitlines()]
    assert lines == ["Making", "Installing", "Installed.", "Compiling", "Running"]
    arguments = ast.literal_eval(first.stdout)
    assert arguments[0] == "evaluate"
    assert arguments[-2:] == [os.path.join("arff", "iris.arff"), os.path.join("arff", "wine.arff")]
    assert os.path.join("results", "main.csv") in arguments
    assert (root / "results").is_dir()
    assert first.returncode == 3, "the exit code of the command is passed on"


def test_second_run_installs_nothing(project):
    root, _ = project
    stamp = root / ".venv" / "setup.stamp"
    before = stamp.stat().st_mtime_ns
    again = run(root, "run.py")
    assert len(again.stderr.splitlines()) == 1
    assert stamp.stat().st_mtime_ns == before


def test_own_files_replace_the_bundled_ones_and_options_go_along(project, tmp_path):
    root, _ = project
    (tmp_path / "mine.arff").touch()
    finished = run(root, "run.py", "mine.arff", "-x", "5", cwd=tmp_path)
    arguments = ast.literal_eval(finished.stdout)
    assert arguments[-3:] == ["mine.arff", "-x", "5"]
    assert [word for word in arguments if word.endswith(".arff")] == ["mine.arff"]
    assert str(root / "results" / "main.csv") in arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine.csv"], ["mine.csv: is not an ARFF file", "ends in .arff or .arff.gz"]),
        (["nowhere.arff"], ["nowhere.arff: there is no such file"]),
        (["-x", "5", "mine.arff"], ["mine.arff: name your files before the options"]),
        (["mine.arff", "-q", "--seed", "7", "mine.csv"], ["mine.csv: is not an ARFF file"]),
    ],
)
def test_what_is_no_arff_file_is_refused_before_anything_is_run(new_project, tmp_path, arguments, words):
    (tmp_path / "mine.arff").touch()
    (tmp_path / "mine.csv").touch()
    finished = run(new_project, "run.py", *arguments, cwd=tmp_path)
    assert_one_sentence(finished, *words)
    assert not (new_project / ".venv").exists() and finished.stdout == ""


@pytest.mark.parametrize("own", [["--records", "own.csv"], ["--records=own.csv"]])
def test_an_option_of_ones_own_replaces_that_of_the_main_job(project, own):
    """Which the command line would refuse as given twice."""
    root, _ = project
    arguments = ast.literal_eval(run(root, "run.py", *own, "-x", "5", "-s", "2").stdout)
    names = [word.partition("=")[0] for word in arguments]
    assert [names.count(name) for name in ("-x", "-s", "--records")] == [1, 1, 1]
    assert [word for word in arguments if word.endswith(".csv")] == own[-1:]


def test_no_value_of_an_option_is_taken_for_a_file(project, tmp_path):
    root, _ = project
    values = ["--json", "--metric", "brier", "--records", "mine.csv", "--learner=J48 -M 5", "-q"]
    finished = run(root, "run.py", *values, cwd=tmp_path)
    assert ast.literal_eval(finished.stdout)[-len(values) :] == values


def test_run_knows_which_options_take_no_value():
    from wekaconf.cli.evaluate import evaluate_command

    flags = {name for option in evaluate_command.params if getattr(option, "is_flag", False) for name in option.opts}
    (known,) = re.findall(r"^FLAGS = (\{.*?\})", (SCRIPTS / "run.py").read_text(), re.MULTILINE | re.DOTALL)
    assert ast.literal_eval(known) == flags


def test_test_runs_pytest_in_the_root_and_serves_run_too(project, tmp_path):
    root, _ = project
    finished = run(root, "test.py", "-k", "two words", cwd=tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.strip() == f"{['-k', 'two words']} {root}"
    assert "Making" not in finished.stderr
    assert "-e .[test]" in finished.stderr
    assert len(run(root, "run.py").stderr.splitlines()) == 1
    assert len(run(root, "test.py").stderr.splitlines()) == 1


def test_options_of_test_of_its_own_leave_all_processes_at_work(project):
    root, _ = project
    given = {("--all",): ["--all"], ("--seed=abc",): ["--seed=abc"], (): []}
    for words, passed in given.items():
        arguments = ast.literal_eval(run(root, "test.py", *words).stdout.partition("]")[0] + "]")
        assert arguments[0] == "-n" and arguments[2:] == ["--dist", "worksteal", *passed]


@pytest.fixture
def debian(tmp_path):
    """A folder of programs in which apt-get tells a file what it is asked for, and makes the programs of packages."""
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "apt-get").write_text(
        f"""#!/bin/sh
echo "$@" >> {bin}/asked
case "$*" in *chromium*) touch {bin}/chromium; chmod +x {bin}/chromium;; esac
"""
    )
    (bin / "apt-get").chmod(0o755)
    for program in ("sh", "touch", "chmod"):
        (bin / program).symlink_to(shutil.which(program))
    for program in ("initdb", "mariadb", "mariadb-install-db"):  # what is there is not asked for
        (bin / program).touch(mode=0o755)
    return bin


@pytest.mark.skipif(
    not os.path.exists("/etc/debian_version") or os.geteuid() != 0, reason="packages are installed by root on Debian"
)
@pytest.mark.parametrize("steering", [{"CI": "true"}, {}], ids=["CI", "--install"])
def test_test_installs_what_is_missing_once(project, debian, steering):
    root, _ = project
    words = [] if steering else ["--install"]
    for _ in range(2):
        finished = run(root, "test.py", "-x", *words, PATH=str(debian), **steering)
        assert ast.literal_eval(finished.stdout.partition("]")[0] + "]") == ["-x", "--no-lack"]
        (debian / "Xvfb").touch(mode=0o755)
    assert (debian / "asked").read_text().splitlines() == [
        "update -q",
        "install -q -y --no-install-recommends chromium xvfb",
    ]
    assert ast.literal_eval(run(root, "test.py", "-x").stdout.partition("]")[0] + "]") == ["-x"]


def test_changed_pyproject_is_installed_again(project):
    root, _ = project
    with (root / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert [line.split()[0] for line in run(root, "run.py").stderr.splitlines()] == [
        "Installing", "Installed.", "Compiling", "Running",
    ]  # fmt: skip


def test_kernels_are_compiled_again_when_a_source_has_changed(project):
    root, _ = project
    (root / "compiled").unlink()
    run(root, "run.py")
    assert not (root / "compiled").exists()
    (root / "wekaconf" / "kernels.py").write_text("changed = True\n")
    for _ in range(2):
        assert run(root, "run.py").returncode == 3
    assert (root / "compiled").read_text() == "once "


def test_kernels_that_cannot_be_compiled_stop_nothing(project):
    root, _ = project
    (root / "compiled").unlink()
    (root / "compiled").mkdir()
    (root / "wekaconf" / "kernels.py").write_text("changed = 'once more'\n")
    finished = run(root, "run.py")
    (root / "compiled").rmdir()
    assert "They will be compiled when they are first used." in finished.stderr.splitlines()
    assert finished.returncode == 3


@pytest.mark.one_commit_in(3)
def test_moved_folder_and_lost_interpreter_are_mended(project, tmp_path):
    root = tmp_path / "moved"
    shutil.copytree(project[0], root, symlinks=True)
    moved = run(root, "run.py")
    assert moved.stderr.startswith("Removing .venv: ")
    assert moved.returncode == 3, moved.stderr
    for python in (root / ".venv").glob("[bS]*/python*"):
        python.unlink()
    mended = run(root, "run.py")
    assert mended.stderr.startswith("Removing .venv: its Python does not work")
    assert mended.returncode == 3, mended.stderr


@pytest.mark.one_commit_in(3)
def test_working_venv_of_the_user_is_used_or_left_alone(new_project):
    venv = new_project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (venv / "keep").touch()
    assert_one_sentence(run(new_project, "run.py"), str(venv), "rename or remove it")
    assert (venv / "keep").exists()
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    (new_project / "trouble").write_text("raise SystemExit('error: not yet')")
    assert_one_sentence(run(new_project, "run.py"), "not yet")
    (new_project / "trouble").unlink()
    used = run(new_project, "run.py")
    assert used.stderr.startswith("Installing"), used.stderr
    assert used.returncode == 3
    assert (venv / "keep").exists()


@pytest.fixture
def failing(project):
    """The stand-in project, which `trouble` or another pyproject.toml may spoil; mended afterwards."""
    root, _ = project
    (root / "pyproject.toml").write_text(PYPROJECT)
    run(root, "run.py")
    (root / "pyproject.toml").write_text(PYPROJECT + "# another digest\n")
    yield root
    (root / "trouble").unlink(missing_ok=True)
    (root / "pyproject.toml").write_text(PYPROJECT)
    assert len(run(root, "run.py").stderr.splitlines()) == 1, "a failed installation leaves .venv as it was"


@pytest.mark.one_commit_in(3)
def test_missing_network(failing):
    (failing / "pyproject.toml").write_text(PYPROJECT.replace("requires = []", 'requires = ["hatchling>=1.27"]'))
    for retries in ("0", "1"):
        finished = run(failing, "run.py", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES=retries)
        assert_one_sentence(finished, "index cannot be reached", "network", str(failing / ".venv" / "setup.log"))


def test_other_failure_of_pip_names_reason_and_log(failing):
    (failing / "pyproject.toml").write_text(PYPROJECT + 'dependencies = ["no-such-package"]\n')
    (failing / "trouble").write_text("raise SystemExit('error: the build is wrong')")
    log = failing / ".venv" / "setup.log"
    finished = run(failing, "test.py", PIP_NO_INDEX="1")
    assert_one_sentence(finished, "Installing wekaconf failed", "the build is wrong", str(log))
    assert "network" not in finished.stderr
    assert "the build is wrong" in log.read_text()


def test_full_disk(failing):
    (failing / "trouble").write_text("import errno, os; raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))")
    assert_one_sentence(run(failing, "run.py"), "The disk is full")


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT to a process group")
@pytest.mark.one_commit_in(3)
def test_interrupted_set_up_starts_afresh(failing):
    trouble = failing / "trouble"
    trouble.write_text("import time; pathlib.Path('reached').touch(); time.sleep(60)")
    process = subprocess.Popen(
        [sys.executable, failing / "scripts" / "run.py"],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (failing / "reached").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in stderr
    trouble.unlink()
    (failing / "pyproject.toml").write_text(PYPROJECT)
    finished = run(failing, "run.py")
    assert finished.stderr.startswith("Removing .venv: it is unfinished")
    assert finished.returncode == 3, finished.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("sys.version_info = (3, 10, 9)", ["needs Python 3.11 or newer", "this is Python 3.10"]),
        ("sys.modules['ensurepip'] = None", ["lacks its module venv or ensurepip", "-venv"]),
        ("sys.modules['venv'] = None", ["lacks its module venv or ensurepip", "-venv"]),
    ],
)
def test_unsuitable_python(new_project, change, words):
    path = new_project / "scripts" / "run.py"
    finished = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import runpy, sys; {change}; sys.path.insert(0, {str(path.parent)!r}); "
            f"runpy.run_path({str(path)!r}, run_name='__main__')",
        ],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert_one_sentence(finished, *words)
    assert not (new_project / ".venv").exists()


@pytest.mark.parametrize("name", ["run.py", "test.py", "javabridge.py", "_environment.py"])
def test_set_up_scripts_parse_on_old_pythons_and_need_nothing_installed(name):
    tree = ast.parse((SCRIPTS / name).read_text(), feature_version=(3, 6))
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names | {"_environment"}


@pytest.mark.parametrize(
    ("version", "words", "steering"),
    [
        ((3, 12, 1), "run python3.11 scripts/javabridge.py", {}),
        ((3, 11, 7), "but JAVA_HOME is not set", {"JAVA_HOME": ""}),
        ((3, 11, 7), "which has no include/jni.h", {"JAVA_HOME": "/nowhere"}),
        ((3, 11, 7), "but there is no no-such-compiler", {"CC": "no-such-compiler -O2"}),
    ],
)
def test_what_the_environment_of_javabridge_lacks(new_project, tmp_path, version, words, steering):
    (tmp_path / "jdk" / "include").mkdir(parents=True)
    (tmp_path / "jdk" / "include" / "jni.h").touch()
    path = new_project / "scripts" / "javabridge.py"
    code = f"import runpy, sys; sys.version_info = {version}; sys.path.insert(0, {str(path.parent)!r}); "
    code += f"runpy.run_path({str(path)!r}, run_name='__main__')"
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment(**{"JAVA_HOME": str(tmp_path / "jdk")} | steering),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert_one_sentence(finished, words)
    assert not (new_project / ".venv-javabridge").exists()


@pytest.mark.one_commit_in(3)
def test_wekaconf_is_imported_beside_its_clone(tmp_path):
    """Where a folder that is called wekaconf too, the clone, lies in the current one: `import` looks there first."""
    from wekaconf import __version__ as version

    clone, bin = tmp_path / "wekaconf", tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    (clone / "wekaconf").mkdir(parents=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", "wekaconf/__init__.py"):
        shutil.copy(SCRIPTS.parent / name, clone / name)

    def told(*command, cwd):
        done = subprocess.run(command, cwd=cwd, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, cwd, done.stderr)
        return done.stdout.split()

    build = "import sys; from hatchling import build; print(build.build_editable(sys.argv[1]))"
    *_, wheel = told(sys.executable, "-c", build, tmp_path, cwd=clone)
    told(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    told(bin / "pip", "install", "--no-index", "--no-deps", wheel, cwd=tmp_path)
    for folder in (tmp_path, clone, clone / "wekaconf"):
        assert told(bin / "python", "-c", "import wekaconf; print(wekaconf.__version__)", cwd=folder) == [version]


def test_bundled_data_are_as_made():
    check = [sys.executable, SCRIPTS / "make_arff.py", "--check"]
    finished = subprocess.run(check, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


def test_a_changed_data_set_is_noticed(tmp_path):
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPTS / "make_arff.py", tmp_path / "scripts")
    shutil.copytree(SCRIPTS.parent / "arff", tmp_path / "arff")
    with (tmp_path / "arff" / "iris.arff").open("a") as file:
        file.write("5,3,1,0.2,setosa\n")
    check = [sys.executable, tmp_path / "scripts" / "make_arff.py", "--check"]
    finished = subprocess.run(check, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert "makes: iris.arff;" in finished.stderr
