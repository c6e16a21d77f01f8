"""Compile java/ and pack wekaconf/bridge/wekaconf.jar; ``--check`` compares instead of writing.

The jar is the same byte for byte wherever it is built with the same major version of the JDK: entries are
sorted, stored uncompressed and dated 1980-01-01. Its manifest holds a digest of the sources, so a stale jar is
noticed without a JDK.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from _sources import digest_of

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "java" / "src"
JAR = ROOT / "wekaconf" / "bridge" / "wekaconf.jar"


def source_files() -> list[Path]:
    return sorted(SOURCES.rglob("*.java"))


def source_digest() -> str:
    return digest_of(source_files(), SOURCES)


def manifest_value(jar: Path, key: str) -> str:
    text = zipfile.ZipFile(jar).read("META-INF/MANIFEST.MF").decode()
    return re.search(rf"^{key}: (.*)$", text, re.MULTILINE).group(1).strip()


def jdk_major(javac: str) -> str:
    printed = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True)
    return re.search(r"(\d+)", printed.stdout + printed.stderr).group(1)


def weka_jar() -> Path:
    spec = importlib.util.find_spec("weka")
    if spec is None:
        sys.exit("weka.jar not found: run this with the project's environment (.venv/bin/python)")
    return Path(spec.submodule_search_locations[0]) / "lib" / "weka.jar"


def bases_first(names: list[str]) -> list[str]:
    """The classes in an order in which each can be defined, nested ones before theirs."""
    sources = "".join(path.read_text("utf-8") for path in source_files())
    extends = dict(re.findall(r"^\S.*class (\w+) extends (\w+)", sources, re.MULTILINE))
    return sorted(names, key=lambda name: (extends.get(name) in names, "$" not in name, name))


def build(javac: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = [javac, "--release", "11", "-encoding", "UTF-8", "-Xlint:all,-serial", "-Werror", "-g:source,lines"]
        command += ["-cp", str(weka_jar()), "-d", folder, *map(str, source_files())]
        subprocess.run(command, check=True)
        classes = sorted(Path(folder).rglob("*.class"), key=lambda path: path.relative_to(folder).as_posix())
        manifest = (
            "Manifest-Version: 1.0\n"
            f"Build-Jdk-Major: {jdk_major(javac)}\n"
            f"Source-Digest-1: {source_digest()[:32]}\n"
            f"Source-Digest-2: {source_digest()[32:]}\n"
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as jar:
            jar.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF"), manifest)
            beside = [path.stem for path in classes if path.parent.as_posix().endswith("weka/classifiers/trees")]
            jar.writestr(zipfile.ZipInfo("wekaconf/classifiers.txt"), "\n".join(bases_first(beside)))
            for path in classes:
                jar.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())
        return packed.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the committed jar, write nothing")
    check = parser.parse_args().check
    javac = shutil.which("javac")
    if check:
        if manifest_value(JAR, "Source-Digest-1") + manifest_value(JAR, "Source-Digest-2") != source_digest():
            sys.exit("wekaconf.jar was not built from the sources in java/: run scripts/build_jar.py")
        if javac is None:
            print("the jar holds the digest of the sources; there is no JDK here to build it again")
            return
        built = build(javac)
        if jdk_major(javac) != manifest_value(JAR, "Build-Jdk-Major"):
            print("the sources compile; the jar was built by another JDK, so the bytes are not compared")
        elif built != JAR.read_bytes():
            sys.exit("java/ builds another jar than wekaconf/bridge/wekaconf.jar: run scripts/build_jar.py")
        else:
            print("the jar is what the sources build, byte for byte")
        return
    if javac is None:
        sys.exit("no javac on PATH: install a JDK of version 11 or newer")
    JAR.write_bytes(build(javac))
    print(f"{JAR.relative_to(ROOT)}: {JAR.stat().st_size} bytes, JDK {jdk_major(javac)}")


if __name__ == "__main__":
    main()
