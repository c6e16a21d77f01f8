"""The process that opens files of data, studies and stores: reads a path per line of standard input, prints one line.

A file is read, or refused with an error of ours. That takes less than 10 seconds of the processor, and memory in
proportion to the file and to what it holds. What is said about the file is one line of visible characters.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import time
import warnings
import zlib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

import wekaconf as wc
from attacks import raised
from attacks._digest import digest
from attacks._reader import answer_paths, limit_memory
from wekaconf.base.errors import LONGEST
from wekaconf.bridge.reading import load, load_like
from wekaconf.data import arff, load_cost_matrix
from wekaconf.data._file_bytes import largest
from wekaconf.experiments.studies import export, unfinished
from wekaconf.experiments.studies._study import protocol_of, study_of
from wekaconf.report.experimenter import FOLD_ENDINGS

MOST_SECONDS = 10.0
"""Seconds of the processor that a file may take."""
TIMES, FLOOR = 10, 2**27
"""Memory may grow by so many times the size of the file and of what it holds, and by so many bytes besides."""
GZIP = b"\x1f\x8b"


class WrongError(Exception):
    """What a file holds was read, but not as it is."""


def verdict(path: Path, *, is_again: bool = False) -> str:
    """What became of a file, in one word, and the reason; what takes much memory once may be a module."""
    read = READERS[path.name.partition(".")[2]]
    began, before, n_bytes = time.process_time(), restarted_peak(), 0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            n_bytes, told = read(path)
            said = f"reads {told}"
        except wc.WekaconfError as error:
            said = f"refused {type(error).__name__}: {error}"
            messages = [str(error)]
        except WrongError as error:
            return f"wrong {error}"
        except Exception as error:
            return f"raises {raised(error)}"
        else:
            messages = []
    took, more = time.process_time() - began, peak() - before
    messages += [str(note.message) for note in caught if isinstance(note.message, wc.Note)]
    for warning in caught:
        if not isinstance(warning.message, wc.Note) and "wekaconf" in warning.filename:
            return f"warns {warning.category.__name__}: {warning.message}"
    for message in messages:
        if not message.isprintable() or len(message) > LONGEST:
            return f"says {len(message)} characters: {message[:300]!r}"
    if took > MOST_SECONDS:
        return f"slow {took:.1f} s: {said}"
    if more > TIMES * (size_of(path) + n_bytes) + FLOOR:
        if not is_again:
            return verdict(path, is_again=True)
        return f"memory {more / 1e6:,.0f} MB for {size_of(path):,} bytes that hold {n_bytes:,}: {said}"
    return said


def restarted_peak() -> int:
    """The memory of this process now, in bytes, from which its peak is counted on."""
    Path("/proc/self/clear_refs").write_text("5")
    return peak()


def peak() -> int:
    """The largest memory of this process since `restarted_peak`, in bytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0]) * 1024


def size_of(path: Path) -> int:
    """The size of a file; of a gzipped one that of its content, as far as it can be unpacked."""
    content = path.read_bytes()
    if not content.startswith(GZIP):
        return len(content)
    n, unpacker = 0, gzip.GzipFile(fileobj=io.BytesIO(content))
    try:
        while (part := len(unpacker.read(2**20))) and n < largest(len(content)):
            n += part
    except (OSError, EOFError, zlib.error):
        pass
    return max(n, len(content))


# ---- readers: each returns the bytes of what it made, and what it was ----

Read = Callable[[Path], tuple[int, str]]


def of_arff(path: Path) -> tuple[int, str]:
    data = arff.load_arff(path, class_attribute=None)
    return memory_of(data), digest(data)


def memory_of(data: wc.Dataset) -> int:
    """The bytes of a data set's arrays and texts."""
    texts = sum(len(value) + 50 for attribute in data.attributes for value in attribute.values)
    return data.values.nbytes + data.weights.nbytes + texts


def of_table(path: Path) -> tuple[int, str]:
    """Read a table, and once more as its own header says; both must give the same."""
    loaded = load(str(path), class_attribute=None)
    data = loaded.data
    for line in loaded.summary:
        if len(line) > LONGEST:
            raise WrongError(f"summary of {len(line)} characters: {line[:300]!r}")
    again = load_like(str(path), data.header)
    if again != data:
        raise WrongError("with its own header it is read otherwise")
    return 2 * memory_of(data) + PER_COLUMN * len(data.attributes), digest(data)


PER_COLUMN = 2**12
"""Bytes that a column takes in pandas, ten times of which may be used."""


def of_study(path: Path) -> tuple[int, str]:
    """Read a study, write it as a store does, and read that."""
    study = wc.read_study(path)
    content = json.dumps(study.content(), sort_keys=True)
    again = json.dumps(study_of(json.loads(content)).content(), sort_keys=True)
    if again != content:
        raise WrongError(f"{content} comes back as {again}")
    for protocol in study.protocols:
        protocol_of(protocol)
    study.files()
    return len(content), hashlib.sha1(content.encode("utf-8", "surrogatepass")).hexdigest()


def of_store(path: Path) -> tuple[int, str]:
    """Read all that a store holds, and write what it can be exported to; every part is refused or read for itself."""
    n_bytes, refused = 0, set()

    def read(part: Callable[[], Any]) -> Any:
        try:
            return part()
        except wc.WekaconfError as error:
            if not str(error).isprintable() or len(str(error)) > LONGEST:
                raise WrongError(f"message of {len(str(error))} characters: {str(error)[:300]!r}") from error
            refused.add(f"{type(error).__name__}: {error}")
            return None

    def results() -> int:
        return sum(
            getattr(answers, each.name).nbytes
            for _, answers in store.results()
            for each in fields(answers)
            if isinstance(getattr(answers, each.name), np.ndarray)
        )

    with wc.Store(path, must_exist=True) as store:
        for part in (
            store.records, store.begun, store.study, store.data_sets, store.outcomes,
            lambda: unfinished(store), lambda: store.kept_records(b"key"), lambda: str(store.evaluation()),
        ):  # fmt: skip
            read(part)
        n_bytes = read(results) or 0
        if path.read_bytes()[-1] % SELDOM:
            return n_bytes, f"{len(refused)} parts refused: {min(refused, default='')}"
        for text in (lambda: store.evaluation().summary(), lambda: store.evaluation().compare().text()):
            read(text)
        for ending in FOLD_ENDINGS:
            target = path.with_name(f"exported{ending}")
            read(lambda target=target: export(store, str(target)))
            target.unlink(missing_ok=True)
    return n_bytes, f"{len(refused)} parts refused: {min(refused, default='')}"


SELDOM = 4
"""One store of so many is also written to the other formats; which, its last byte says."""


def of_costs(path: Path) -> tuple[int, str]:
    costs = load_cost_matrix(path)
    if wc.CostMatrix.of_text(str(costs)) != costs:
        raise WrongError(f"{costs} is read otherwise")
    return 8 * len(costs.costs) ** 2, str(len(costs.costs))


READERS: dict[str, Read] = {
    "arff": of_arff, "arff.gz": of_arff, "cost": of_costs, "sqlite": of_store, "toml": of_study,
    **dict.fromkeys(("csv", "tsv", "txt", "csv.gz", "tsv.gz", "parquet", "xlsx", "ods"), of_table),
}  # fmt: skip


if __name__ == "__main__":
    limit_memory()
    answer_paths(lambda path: verdict(Path(path)))
