"""Model files from strangers: one part of a good file is changed, and a separate process opens it and answers with it.

The process may refuse the file with a ModelFileError, or load it and answer with distributions. It must not crash,
hang, raise anything else, or answer anything else.
"""

from __future__ import annotations

import io
import json
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from support.growers import grow_info_gain
from support.random_trees import made, random_dataset, random_header, random_tree

import wekaconf as wc
import wekaconf.model.scheme  # registers the methods
from attacks._changes import places, unzipped, zipped
from attacks._reader import Reader
from wekaconf.data import ColumnMap
from wekaconf.methods.contract._tree_by_tree import TreeByTree
from wekaconf.tree._forest import COMBINATIONS, Forest
from wekaconf.tree._kinds import Routing

Parts = dict[str, bytes]
Array = np.ndarray[Any, Any]

READER = Reader("_model_reader.py")
RECORD = "record.json"
ODD_NUMBERS = (np.nan, np.inf, -np.inf, -1.0, 0.0, 1.0, 1e300, -1e300, 1e-320, -0.0, 0.5, 2.0**31, -(2.0**30), 3e9)
ODD_VALUES = (
    None, True, -1, 0, 1, 7, 2**31, 2**70, 0.5, 1e308, float("nan"), float("inf"), "", "x", "J48", "none", [], {}, [[]],
    {"x": 1}, ["x"], "\ud800", "x\n\x1b[31m\u202e", "weka.classifiers.trees.J48",
)  # fmt: skip
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("leaf_frequency", {}), ("leaf_frequency", {"laplace": True}), ("confdtree", {}),
    ("confdtree", {"variant": "tdist", "min_instances": 1}), ("shrinkage", {}), ("shrinkage", {"local": "wpe"}),
    ("shrinkage", {"local": "naive_bayes", "weights": "em"}), ("shrinkage_wpe", {"reading": "text"}), ("wpe", {}),
    ("wpe", {"node": "root"}), ("m_branch", {}), ("ling_yan", {}), ("curtailment", {"estimate": "laplace"}),
    ("id3_sd", {"p_total": 0.6}), ("id3_max", {}),
    ("boundary_distance", {"scaling": "z", "norm": "l1"}), ("boundary_distance", {}), ("tpce", {}),
    ("kukar_kononenko", {}), ("kukar_kononenko", {"supervised": True}),
]  # fmt: skip


def draw(seed: int, tried: Counter[tuple[str, str]]) -> Iterator[str]:
    """Change one part of one file."""
    rng = np.random.default_rng(seed)
    name, content = good_files()[rng.integers(len(good_files()))]
    changed, what = CHANGES[rng.integers(len(CHANGES))](rng, unzipped(content))
    tried["files of", name.partition(" {")[0].partition(" of ")[0]] += 1
    verdict = READER.verdict(changed, ".wct")
    kind, _, reason = verdict.partition(" ")
    tried["verdicts", kind] += 1
    if kind not in ("refused", "answers"):
        yield f"{name}, {what}: {kind}: {reason}"


@cache
def good_files() -> list[tuple[str, bytes]]:
    """Descriptions and contents of files: every method on trees of every learner that it reads; one has filters."""
    files = []
    for i, routing in enumerate(Routing):
        rng = np.random.default_rng(i)
        train = random_dataset(rng, random_header(rng, 5, 3), 60, 0.1, weights=True)
        tree = random_tree(rng, train, max_depth=5, routing=routing, subsets=routing.adds_counts)
        info_gain_tree = grow_info_gain(train.take(slice(0, 30)), "laplace=true" if routing.is_laplace else "")
        for name, params in VARIANTS:
            method = made(name, **params)
            if method.learner and method.learner[0] == "info_gain":
                if routing not in (Routing.J48, Routing.J48_LAPLACE):
                    continue
                method.fit(info_gain_tree, train.take(slice(0, 30)))
            elif params.get("laplace") and not routing.keeps_counts:
                continue
            else:
                method.fit(tree, train)
            files.append((f"{name} {params} on {routing}", _saved(method)))
        for votes in COMBINATIONS:
            forest = Forest((tree, tree, random_tree(rng, train, routing=routing)), votes=votes)
            for name in (
                "leaf_frequency",
                *(name for name, known in wc.available_methods().items() if issubclass(known, TreeByTree)),
            ):
                files.append((f"{name} on {votes} forest of {routing}", _saved(made(name).fit(forest, train))))
    files.append(("filters", _saved(made("leaf_frequency").fit(tree, train), filters=_filters(train.header))))
    return files


def _saved(method: wc.Method, filters: tuple[ColumnMap, ...] = ()) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.wct"
        wc.Model(method, filters=filters).save(path)
        return path.read_bytes()


def _filters(header: wc.Header) -> tuple[ColumnMap, ...]:
    """Two filters: one cuts numbers into the bins that nominal attributes declare, the other fills missing values."""
    n = len(header.attributes)
    is_cut = np.array([a.is_nominal and i != header.class_index for i, a in enumerate(header.attributes)])
    before = tuple(
        wc.Attribute(a.name) if cut else a for a, cut in zip(header.attributes, is_cut.tolist(), strict=True)
    )
    n_cuts = [len(a.values) - 1 if cut else 0 for a, cut in zip(header.attributes, is_cut.tolist(), strict=True)]
    start = np.concatenate(([0], np.cumsum(n_cuts))).astype(np.int32)
    cuts = np.concatenate([np.sort(np.random.default_rng(k).normal(size=k)) for k in n_cuts])
    source = np.arange(n, dtype=np.int32)
    raw = wc.Header(header.relation, before, header.class_index)
    cut = ColumnMap(raw, header, source, np.full(n, np.nan), start, cuts, is_cut)
    none = np.zeros(n + 1, dtype=np.int32)
    fill = np.where(source == header.class_index, np.nan, 0.0)
    return cut, ColumnMap(header, header, source, fill, none, np.zeros(0), np.zeros(n, dtype=bool))


# ---- changes ----


def _bytes_of(array: Array) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array)
    return stream.getvalue()


def _array_of(part: bytes) -> Array:
    return np.lib.format.read_array(io.BytesIO(part))


def _any_array(rng: np.random.Generator, parts: Parts) -> tuple[str, Array]:
    names = sorted(set(parts) - {f"{RECORD}.npy"})
    name = names[rng.integers(len(names))]
    return name, _array_of(parts[name])


Change = Callable[[np.random.Generator, Parts], tuple[bytes, str]]


def _with_array(change: Callable[[np.random.Generator, Array], tuple[Array, str]]) -> Change:
    """A change of one array."""

    def of_parts(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
        name, array = _any_array(rng, parts)
        changed, what = change(rng, array.copy())
        return zipped({**parts, name: _bytes_of(changed)}), f"{name} {what}"

    return of_parts


@_with_array
def one_number(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """One element becomes an odd number."""
    if not array.size:
        return array, "left"
    flat, place = array.ravel(), rng.integers(array.size)
    number = ODD_NUMBERS[rng.integers(len(ODD_NUMBERS))]
    with np.errstate(all="ignore"):
        flat[place] = np.array(number).astype(array.dtype)
    return flat.reshape(array.shape), f"[{place}] = {flat[place]}"


@_with_array
def one_step(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """One element grows or shrinks by 1, grows by half, or becomes the next smaller double."""
    if not array.size:
        return array, "left"
    flat, place = array.ravel(), rng.integers(array.size)
    if array.dtype.kind == "b":
        flat[place] = ~flat[place]
    elif array.dtype.kind == "f":
        flat[place] = (flat[place] + 1, flat[place] * 1.5, np.nextafter(flat[place], -np.inf))[rng.integers(3)]
    else:
        flat[place] += array.dtype.type(1) if rng.random() < 0.5 else -array.dtype.type(1)
    return flat.reshape(array.shape), f"[{place}] = {flat[place]}"


@_with_array
def all_numbers(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """Every element changes."""
    if array.dtype.kind == "b":
        return ~array, "inverted"
    number = ODD_NUMBERS[rng.integers(len(ODD_NUMBERS))]
    with np.errstate(all="ignore"):
        changed = (
            np.full(array.shape, np.array(number).astype(array.dtype)),
            (-array.astype(np.float64)).astype(array.dtype),
            (array * np.float64(1e12)).astype(array.dtype),
            array[..., ::-1] if array.ndim else array,
        )
    place = rng.integers(len(changed))
    return changed[place].copy(), ("filled", "negated", "times 1e12", "reversed")[place]


@_with_array
def order(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """The elements are in another order."""
    if not array.ndim or not len(array):
        return array, "left"
    if rng.random() < 0.5:
        return rng.permutation(array), "permuted"
    first, second = rng.integers(len(array), size=2)
    array[[first, second]] = array[[second, first]]
    return array, f"{first} and {second} exchanged"


@_with_array
def shape(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """The elements are in another shape, or there are more or fewer of them."""
    shapes = [
        array.ravel(), array[None], array[..., None], array.T, array.reshape(-1)[:0], array.reshape(-1)[0:1],
        np.concatenate((array, array)) if array.ndim else array, array[:-1] if array.ndim else array,
        np.concatenate((array, array[-1:])) if array.ndim else array, np.asfortranarray(array),
        np.concatenate((array, array), axis=1) if array.ndim == 2 else array,
        np.zeros((0, 0), dtype=array.dtype), np.zeros(1_000_000, dtype=array.dtype),
    ]  # fmt: skip
    changed = shapes[rng.integers(len(shapes))]
    return changed, f"of shape {changed.shape}"


@_with_array
def kind(rng: np.random.Generator, array: Array) -> tuple[Array, str]:
    """The elements are of another type."""
    types = [*"?bihlBIefdD", ">i4", ">f8", "S3", "<U2", "V4", "M8[s]"]
    dtype = types[rng.integers(len(types))]
    with np.errstate(all="ignore"):
        changed = array.astype(np.float64).astype(dtype) if dtype != "V4" else np.zeros(array.shape, "V4")
    return changed, f"as {dtype}"


def taken_from_another(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
    """One array takes the place of another."""
    (name, _), (source, _) = _any_array(rng, parts), _any_array(rng, parts)
    return zipped({**parts, name: parts[source]}), f"{name} is {source}"


def members(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
    """A part is dropped, doubled, renamed or added."""
    name, array = _any_array(rng, parts)
    which = rng.integers(4)
    if which == 0:
        del parts[name]
    elif which == 1:
        parts["learned/more_.npy"] = _bytes_of(array)
    elif which == 2:
        parts[f"x{name}"] = parts.pop(name)
    else:
        stream = io.BytesIO(zipped(parts))
        with zipfile.ZipFile(stream, "a") as archive, warnings.catch_warnings(action="ignore"):
            archive.writestr(name, parts[name])
        return stream.getvalue(), f"{name} twice"
    return zipped(parts), f"{name} {('dropped', 'and one more', 'renamed')[which]}"


def raw_bytes(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
    """Bytes of a part are changed, cut off or added; the zip file around them is made again."""
    name = sorted(parts)[rng.integers(len(parts))]
    part, which = bytearray(parts[name]), rng.integers(4)
    place = int(rng.integers(len(part)))
    if which == 0:
        part[place] ^= int(rng.integers(1, 256))
    elif which == 1:
        del part[place:]
    elif which == 2:
        part += bytes(8)
    else:  # the header announces more, or less, than there is
        end = part.index(b"\n")
        part[:end] = part[:end].replace(b"(", b"(9", 1)[:end]
    return zipped({**parts, name: bytes(part)}), f"{name} byte {place}, change {which}"


def zip_bytes(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
    """Bytes of the whole file are changed or cut off."""
    content = bytearray(zipped(parts))
    place = int(rng.integers(len(content)))
    if rng.random() < 0.2:
        return bytes(content[:place]), f"cut off at {place}"
    content[place] ^= int(rng.integers(1, 256))
    return bytes(content), f"byte {place}"


def record(rng: np.random.Generator, parts: Parts) -> tuple[bytes, str]:
    """One value of the record becomes an odd one, is dropped, or is doubled."""
    content = json.loads(_array_of(parts[f"{RECORD}.npy"]).tobytes())
    ways = list(places(content))
    *way, last = ways[rng.integers(len(ways))]
    holder: Any = content
    for step in way:
        holder = holder[step]
    which = rng.integers(4)
    if which == 0:
        del holder[last]
    elif which == 1 and isinstance(holder, list):
        holder.insert(last, holder[last])
    elif which == 2 and isinstance(holder[last], int | float) and not isinstance(holder[last], bool):
        holder[last] += int(rng.choice([-1, 1, 2**31]))
    else:
        holder[last] = ODD_VALUES[rng.integers(len(ODD_VALUES))]
    text = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
    return zipped({**parts, f"{RECORD}.npy": _bytes_of(text)}), f"record {[*way, last]}, change {which}"


CHANGES: list[Change] = [
    one_number, one_number, one_number, one_step, one_step, one_step, all_numbers, order, shape, kind,
    taken_from_another, members, raw_bytes, zip_bytes, record, record,
]  # fmt: skip
