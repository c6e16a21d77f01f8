"""Write the data sets of ``arff/`` and their README; ``--check`` compares instead of writing.

Needs wekaconf, which makes the coins. The bytes are the same everywhere: only uniform numbers of a seeded PCG64 are
drawn, and all other distributions are computed from them here.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import re
import sys
import zipfile
from pathlib import Path
from statistics import NormalDist

import numpy as np
from sklearn import datasets

from wekaconf.replication.davidsson1996 import coins as synthetic

FOLDER = Path(__file__).resolve().parents[1] / "arff"
CREDIT_G = "weka/gui/knowledgeflow/templates/credit-g.arff"
CC_BY = "[CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)"
OURS = "GPL-3.0-or-later"


README_HEAD = """\
# Bundled data

Made by `scripts/make_arff.py`, this page too; `--check` makes everything anew and compares byte for byte.
The class is the last attribute and is not counted among the attributes.
"""

README_TAIL = """
* iris, wine, wdbc: names and numbers as scikit-learn (BSD-3-Clause) has them, every digit kept. The classes
  of wdbc carry the letters of the original, M (malignant) and B (benign). Two instances of iris differ from the
  file at UCI, which departs from Fisher's table there.
* credit-g: the file as Weka (GPL-3.0) ships it.
* waveform-synthetic: 21 attributes of a waveform with unit normal noise, then 19 of noise; two decimals.
* missing-weights: nominal and numeric attributes, about a tenth of their cells missing, instance weights 0.5,
  1, 2 and 3, some instances without a class, names with spaces and quotes.
* coins: stands for the coins of Davidsson 1996, which are not public: 7 kinds of Hong Kong (hk_…) and 7 of Canada
  (ca_…), 70 instances each, every attribute normal with a mean and a deviation of its kind. The sizes are near those
  of real coins, the electrical and magnetic readings are made up. Some kinds overlap on one or two attributes, a few
  nearly on all.
"""


def quote(name: str) -> str:
    """``name`` as an ARFF token."""
    if re.fullmatch(r"[\w./-]+", name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff(comment: str, relation: str, attributes: dict[str, list[str] | None], rows: list[str]) -> bytes:
    """The content of an ARFF file; an attribute without values is numeric."""
    lines = [f"% {line}" for line in (comment, "Made by scripts/make_arff.py.")] + [f"@relation {relation}", ""]
    for name, values in attributes.items():
        declared = "numeric" if values is None else "{" + ",".join(quote(value) for value in values) + "}"
        lines.append(f"@attribute {quote(name)} {declared}")
    return "\n".join([*lines, "", "@data", *rows, ""]).encode()


def from_scikit_learn(relation: str, loader: str, class_names: dict[str, str] | None = None) -> bytes:
    """A data set that scikit-learn ships, every digit kept."""
    bunch = getattr(datasets, loader)()
    classes = [(class_names or {}).get(name, name) for name in map(str, bunch.target_names)]
    attributes: dict[str, list[str] | None] = dict.fromkeys(map(str, bunch.feature_names))
    rows = [
        ",".join([*(repr(float(value)) for value in values), quote(classes[target])])
        for values, target in zip(bunch.data, bunch.target, strict=True)
    ]
    return arff(f"From scikit-learn, {loader}.", relation, {**attributes, "class": classes}, rows)


def credit_g() -> bytes:
    """The file in weka.jar, unchanged."""
    spec = importlib.util.find_spec("weka")
    if spec is None or spec.origin is None:
        sys.exit("python-weka-wrapper3 is not installed, and credit-g is in its weka.jar: run scripts/test.py once")
    with zipfile.ZipFile(Path(spec.origin).parent / "lib" / "weka.jar") as jar:
        return jar.read(CREDIT_G)


def normal(generator: np.random.Generator) -> float:
    """A standard normal number."""
    return NormalDist().inv_cdf(generator.random())


def waveform(n_instances: int = 1000, seed: int = 1) -> bytes:
    """Breiman's waveforms with 19 further attributes of noise (Breiman et al. 1984, section 2.6.2)."""
    generator = np.random.Generator(np.random.PCG64(seed))
    position = np.arange(1, 22)
    waves = [np.maximum(6 - np.abs(position - peak), 0) for peak in (7, 15, 11)]
    pairs = [(0, 1), (0, 2), (1, 2)]
    rows = []
    for _ in range(n_instances):
        label = int(3 * generator.random())
        share = generator.random()
        first, second = (waves[wave] for wave in pairs[label])
        signal = [*(share * first + (1 - share) * second), *[0.0] * 19]
        rows.append(",".join([*(f"{round(value + normal(generator), 2) + 0.0:.2f}" for value in signal), str(label)]))
    attributes: dict[str, list[str] | None] = {f"x{number}": None for number in range(1, 41)}
    comment = f"Breiman's waveform generator, {n_instances} instances, PCG64 seed {seed}."
    return arff(comment, "waveform-synthetic", {**attributes, "class": ["0", "1", "2"]}, rows)


def missing_weights(n_instances: int = 300, seed: int = 2) -> bytes:
    """Mixed attributes, a tenth of the cells missing, instance weights, awkward names."""
    generator = np.random.Generator(np.random.PCG64(seed))
    colours = ["red", "green", "dark blue", "painter's choice"]
    sizes = ["small", "medium", "large"]
    classes = ["low", "very high", "don't know"]
    rows = []
    for _ in range(n_instances):
        temperature = 20 + 5 * normal(generator)
        flow = 10 * generator.random()
        depth = 100 * generator.random()
        colour = int(4 * generator.random())
        size = int(3 * generator.random())
        label = int(flow + size > 6)
        if colour == 3:
            label = 2 if temperature < 22 else 1
        if generator.random() < 0.15:
            label = int(3 * generator.random())
        cells = [f"{temperature:.1f}", quote(colours[colour]), f"{flow:.2f}", sizes[size], f"{depth:.0f}"]
        cells = ["?" if generator.random() < 0.1 else cell for cell in cells]
        answer = "?" if generator.random() < 0.02 else quote(classes[label])
        weight = ("0.5", "1", "2", "3")[int(4 * generator.random())]
        rows.append(",".join([*cells, answer]) + (f", {{{weight}}}" if weight != "1" else ""))
    attributes = {
        "temperature": None,
        "colour": colours,
        "flow rate": None,
        "size": sizes,
        "depth": None,
        "class": classes,
    }
    comment = f"Generated: missing values, instance weights; {n_instances} instances, PCG64 seed {seed}."
    return arff(comment, "missing-weights", attributes, rows)


def coins() -> bytes:
    """Coins of two countries with normal attributes."""
    data = synthetic.coins()
    rows = [
        ",".join([*(f"{value:.{n}f}" for value, n in zip(row, synthetic.DECIMALS, strict=False)), name])
        for row, name in zip(data.values.tolist(), (data.class_names[c] for c in data.class_values), strict=True)
    ]
    n, seed = synthetic.PER_KIND, synthetic.SEED
    comment = f"Synthetic coins, {n} of each of {data.n_classes} kinds, PCG64 seed {seed}."
    return arff(comment, "coins", {**dict.fromkeys(synthetic.ATTRIBUTES), "class": list(data.class_names)}, rows)


def uci(number: int) -> str:
    """A link to data set ``number`` at UCI."""
    return f"[UCI {number}](https://archive.ics.uci.edu/dataset/{number})"


def files() -> dict[str, bytes]:
    """Every file of the folder by name."""
    entries = [
        ("iris", from_scikit_learn("iris", "load_iris"), f"scikit-learn `load_iris`; {uci(53)}", CC_BY),
        ("wine", from_scikit_learn("wine", "load_wine"), f"scikit-learn `load_wine`; {uci(109)}", CC_BY),
        (
            "wdbc",
            from_scikit_learn("wdbc", "load_breast_cancer", {"malignant": "M", "benign": "B"}),
            f"scikit-learn `load_breast_cancer`; {uci(17)}",
            CC_BY,
        ),
        ("credit-g", credit_g(), f"python-weka-wrapper3: weka.jar, `{CREDIT_G}`; {uci(144)}", CC_BY),
        ("waveform-synthetic", waveform(), "generated (Breiman et al. 1984, section 2.6.2)", OURS),
        ("missing-weights", missing_weights(), "generated", OURS),
        ("coins", coins(), "generated, after Davidsson 1996, section 3.2", OURS),
    ]
    made = {f"{name}.arff": content for name, content, *_ in entries}
    table = [
        "| file | instances | attributes | classes | source | licence | SHA-256 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, content, source, licence in entries:
        head, _, body = content.decode().partition("@data\n")
        declared = re.findall(r"(?m)^@attribute .*", head)
        n_rows = sum(1 for line in body.splitlines() if line and not line.startswith("%"))
        n_classes = declared[-1].count(",") + 1
        digest = hashlib.sha256(content).hexdigest()
        cells = [f"{name}.arff", n_rows, len(declared) - 1, n_classes, source, licence, f"`{digest}`"]
        table.append("| " + " | ".join(map(str, cells)) + " |")
    made["README.md"] = "\n".join([README_HEAD, *table, README_TAIL]).encode()
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files there, write nothing")
    check = parser.parse_args().check
    different = []
    for name, content in files().items():
        path = FOLDER / name
        if not path.is_file() or path.read_bytes() != content:
            different.append(name)
            if not check:
                path.write_bytes(content)
    if check and different:
        sys.exit(f"arff/ is not what scripts/make_arff.py makes: {', '.join(different)}; run it without --check")
    print(f"arff/: {'every file is as made' if check else f'{len(different)} file(s) written'}")


if __name__ == "__main__":
    main()
