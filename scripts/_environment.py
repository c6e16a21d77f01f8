"""Make ``.venv`` and install wekaconf into it, for run.py and test.py.

It uses only the standard library, and can be parsed and loaded by Python 3.6, so that an old Python gets a message.
"""

import contextlib
import errno
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOG = VENV / "setup.log"
EXTRAS = ["", "report,tables", "test"]  # each includes those before it
STAMP = VENV / "setup.stamp"  # a digest of the folder for which .venv was made, then one per set of extras installed
COMPILED = VENV / "compiled.stamp"  # a digest of the sources whose kernels were compiled, and of the stamp

NO_NETWORK = re.compile(
    "NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError"
    "|Max retries exceeded|Connection (refused|broken|aborted)|Network is unreachable|name resolution"
    r"|getaddrinfo failed|requirement hatchling\S* \(from versions: none\)"
)
DISK_FULL = re.compile(r"\[Errno 28\]|No space left on device|Disk quota exceeded")


class SetUpError(Exception):
    """The set-up cannot go on; the message is one sentence that says why and what to do."""


def say(text):
    """Print one line for the user."""
    print(text, file=sys.stderr, flush=True)


def main(job):
    """Exit with the code that ``job`` returns; on a failure print one sentence and exit with a code other than 0."""
    try:
        check_python()
        code = job()
    except SetUpError as error:
        say(error)
        code = 1
    except KeyboardInterrupt:
        say("Interrupted.")
        code = 130
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        say(disk_full() if full else f"The set-up cannot go on: {error}.")
        code = 1
    sys.exit(code)


def check_python():
    """Raise SetUpError unless this Python is new enough and can make virtual environments."""
    version = "{}.{}".format(*sys.version_info[:2])
    if sys.version_info[:2] < OLDEST_PYTHON:
        raise SetUpError(
            "wekaconf needs Python {}.{} or newer, but this is Python {} ({}); use a newer one.".format(
                *OLDEST_PYTHON, version, sys.executable
            )
        )
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise SetUpError(
            f"Python {version} ({sys.executable}) lacks its module venv or ensurepip, without which .venv "
            f"cannot be made; install it (on Debian and Ubuntu: apt install python{version}-venv)."
        )


def set_up(extra=""):
    """Install wekaconf with ``extra`` in ``.venv``, unless it is installed there already."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    owner, wanted = digest(str(ROOT)), digest(project, extra)
    held = [digest(project, each) for each in EXTRAS[: EXTRAS.index(extra) + 1]]
    stamp = words_of(STAMP)
    if wanted in stamp and words_of(COMPILED) == [compilable()] and not venv_fault(stamp[:1] == [owner]):
        return
    with only_one():
        stamp = words_of(STAMP)
        fault = venv_fault(stamp[:1] == [owner])
        if fault:
            make_venv(fault)
        if fault or wanted not in stamp:
            install(extra, stamp if stamp and not fault else [owner], [owner, *held])
        if words_of(COMPILED) != [compilable()]:
            compile_kernels()


def words_of(path):
    """The words of a file; none if there is no such file."""
    return path.read_text(encoding="utf-8").split() if path.is_file() else []


def compilable():
    """Digest of the sources that are compiled, and of the packages that compile them."""
    sources = sorted((ROOT / "wekaconf").rglob("*.py"))
    return digest(*words_of(STAMP), *(path.read_text(encoding="utf-8") for path in sources))


@contextlib.contextmanager
def only_one():
    """Wait until no other run is setting up this folder."""
    with open(ROOT / ".venv.lock", "w") as lock:
        try:
            import fcntl
        except ImportError:  # Windows
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
        else:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                say("Another run is setting up; waiting for it.")
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def digest(*parts):
    """Digest of ``parts``, this Python's version and the platform."""
    parts += (sys.implementation.cache_tag, sysconfig.get_platform())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def venv_fault(is_current):
    """Why ``.venv`` has to be made again; empty if it can be used.

    SetUpError if it cannot be used and was not made by this script, which then must not remove it.
    """
    if not os.path.lexists(VENV):
        return "it is missing"
    made_here = LOG.is_file() or (VENV.is_dir() and not any(VENV.iterdir()))
    if made_here and not is_current:
        return "it is unfinished, or was made in another folder or by another Python"
    probe = "import importlib.util, sys; print(sys.implementation.cache_tag, bool(importlib.util.find_spec('pip')))"
    try:
        answer = subprocess.run([PYTHON, "-I", "-c", probe], check=True, capture_output=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        if made_here:
            return "its Python does not work"
        raise SetUpError(
            f"{VENV} is not a working environment and was not made by this script; rename or remove it."
        ) from None
    if answer.decode().split() == [sys.implementation.cache_tag, "True"]:
        return ""
    if made_here:
        return "it is damaged"
    raise SetUpError(
        f"{VENV} was made for another Python or lacks pip, and was not made by this script; rename or remove it."
    )


def make_venv(fault):
    """Make ``.venv``, after removing what is there."""
    if os.path.lexists(VENV):
        say(f"Removing .venv: {fault}.")
        if VENV.is_dir() and not VENV.is_symlink():
            shutil.rmtree(VENV)
        else:
            VENV.unlink()
    say(f"Making .venv with Python {sys.version.split()[0]} ({sys.executable}).")
    VENV.mkdir()
    run_logged([sys.executable, "-m", "venv", VENV], "Making .venv")


def install(extra, before, after):
    """Install wekaconf with ``extra``; the stamp is removed meanwhile and then changes from ``before`` to ``after``."""
    target = f".[{extra}]" if extra else "."
    say(f"Installing wekaconf (pip install -e {target}), which takes a few minutes the first time; log: {LOG}")
    STAMP.unlink(missing_ok=True)
    options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    if not sys.flags.dont_write_bytecode:
        options.append("--no-compile")  # each module is compiled when it is first imported, which most never are
    try:
        run_logged([PYTHON, "-m", "pip", "install", *options, "-e", target], "Installing wekaconf")
    except SetUpError:
        if "Installing collected packages" not in LOG.read_text(encoding="utf-8"):
            STAMP.write_text("\n".join(before), encoding="utf-8")  # pip failed before it changed anything
        raise
    STAMP.write_text("\n".join(after), encoding="utf-8")
    say("Installed.")


def compile_kernels():
    """Compile the kernels, which would otherwise be compiled on first use; a failure stops nothing.

    The modules too, which otherwise every process compiles where PYTHONDONTWRITEBYTECODE is set.
    """
    hand_over([PYTHON, "-m", "compileall", "-q", ROOT / "wekaconf"])
    say("Compiling the kernels, which takes about a minute the first time.")
    if hand_over([BIN / "wekaconf", "self", "compile"]):
        say("They will be compiled when they are first used.")
    COMPILED.write_text(compilable(), encoding="utf-8")


def run_logged(command, step, path=LOG):
    """Run ``command`` with its output in the log of that path; if it fails a SetUpError says why."""
    with open(path, "w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, encoding="utf-8", errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            for line in process.stdout:
                log.write(line)
                log.flush()
                if re.match(r"\s*Downloading .* MB\)", line):
                    say("  " + line.strip())
        except BaseException:
            process.terminate()
            raise
        finally:
            process.wait()
    if process.returncode:
        raise SetUpError(failure(step, path))


def failure(step, path):
    """A sentence on a ``step`` that failed with what the log of that path holds."""
    output = path.read_text(encoding="utf-8")
    if DISK_FULL.search(output) or shutil.disk_usage(ROOT).free < 2**20:
        return disk_full()
    if NO_NETWORK.search(output):
        return (
            "The package index cannot be reached: connect to the network (or tell pip about your proxy or "
            f"mirror) and run this again; pip's output is in {path}."
        )
    errors = re.findall(r"\b(?:ERROR|error): (?![\w-]+$)(.*)", output, re.MULTILINE)  # not the tags that pip prints
    reason = f" ({errors[-1].rstrip('.')})" if errors else ""
    return f"{step} failed{reason}; the full output is in {path}."


def disk_full():
    """A sentence on a full disk."""
    return f"The disk is full: wekaconf needs about 1 GB in {ROOT} and some space in {tempfile.gettempdir()}."


def hand_over(command, cwd=None, env=None):
    """Run ``command`` in the foreground and return its exit code."""
    with subprocess.Popen(command, cwd=cwd, env=env) as process:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise
    return code if code >= 0 else 128 - code
