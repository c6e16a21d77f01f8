"""Command lines whose whole output is kept in tests/golden/printed/, and how it is compared.

``python scripts/make_golden.py`` writes the files anew, after a change of what is printed that is meant.
"""

import itertools
import re
import shlex
import shutil
from pathlib import Path

import numpy as np

from wekaconf.learners import available_learners
from wekaconf.model.scheme import available_methods

ARFF = Path(__file__).parents[2] / "arff"
PRINTED = Path(__file__).parents[1] / "golden" / "printed"
METHODS, LEARNERS = (
    [name for name, each in available.items() if each.__module__.startswith("wekaconf.")]
    for available in (available_methods(), available_learners())
)
"""Those of the package; tests declare others."""
ONE_HOT = "'CART nominal=one_hot'"
GROWERS = {"tpce": "info_gain", "kukar_kononenko": "info_gain", "boundary_distance": ONE_HOT, "wpe": "C44"}
IN_BINS = {"wpe": ":numeric=bins", "shrinkage_wpe": ":numeric=bins"}
REPLICATED = {"costa2013": "iris wine", "davidsson1996": "iris", "katz2012": "wdbc", "toth2006": "planes",
              "wang2006": "iris"}  # fmt: skip
"""Of each paper, data sets that are at hand."""
PROMISES = {
    "error": "--target-error 0.25 --confidence 0.8",
    "classes": "--target-error class_0=0.6,class_1=0.5,class_2=0.2 --confidence 0.8",
    "cost": "--target-cost 1.6 --cost 5:2 --confidence 0.8",
}
PARTS = {"new": ("missing-weights", slice(0, 150, 6)), "old": ("wine", slice(0, None, 2)),
         "fresh": ("wine", slice(1, None, 2))}  # fmt: skip
"""Files that hold some rows of others."""
STAFF = "--id who --ignore note --type code=nominal --table date_format=dd.MM.yyyy --rename 'weight kg=weight'"
"""How a table of semicolons, decimal commas and dates is read."""
STUDY = """data = ["iris.arff", "wine.arff"]
methods = ["leaf_frequency", "shrinkage"]
learners = ["J48", "REPTree"]
folds = 2
runs = 2
"""
ANSWERED = "-q -t missing-weights.arff -T new.arff"
SETS = "-q iris.arff missing-weights.arff --method leaf_frequency --method shrinkage --method confdtree -x 3"


def _commands():
    """Each command line by the name of the file that holds its output; ``{x}`` is a file that it writes."""
    for name in METHODS:
        fitted = f"--method {name}{IN_BINS.get(name, '')} --learner {GROWERS.get(name, 'J48')}"
        yield f"methods-{name}", f"list methods {name}"
        yield f"predict-{name}", f"predict {ANSWERED} {fitted} --with all --keep 0.8 -d {name}.wct"
        yield f"explain-{name}", f"explain -q -l {name}.wct -T new.arff --least-certain 4"
        yield f"explain-{name}-json", f"explain -q -l {name}.wct -T new.arff --row 2 --format json"
        yield f"show-{name}", f"show -q {name}.wct"
    for name in ("confdtree", "curtailment", "id3_max", "id3_sd", "m_branch"):
        yield f"tree-{name}", f"tree -q missing-weights.arff --method {name}"
    for name in ("confdtree", "second_opinion", "shrinkage_wpe"):
        yield f"explain-{name}-html", f"explain -q -l {name}.wct -T new.arff --row 3 -o {{e.html}}"
    for name in ("boundary_distance", "confdtree", "id3_sd", "ling_yan", "m_branch", "shrinkage_wpe"):
        yield f"page-{name}", f"show -q {name}.wct -T new.arff -o {{m.html}}"
    for name, form in itertools.product(("leaf_frequency", "m_branch"), ("json", "pmml", "py", "sql")):
        yield f"export-{name}-{form}", f"export -q {name}.wct -o {{m.{form}}}"
    for name in LEARNERS:
        yield f"learners-{name}", f"list learners {name}"
        data = "iris" if name in ("AttributeSelectedClassifier", "CART") else "missing-weights"  # these take no weights
        small = " -I 2 -depth 3" if name == "RandomForest" else ""
        yield f"tree-of-{name}", f"tree -q {data}.arff --learner '{name}{small}'"
    for name, form in itertools.product(("J48", "REPTree", "CART"), ("dot", "json")):
        yield f"tree-of-{name}-{form}", f"tree -q iris.arff --learner {name} --format {form}"
    for form in ("text", "latex", "csv", "html"):
        yield f"compare-{form}", f"compare {SETS} --format {form} --std"
    yield "compare-brier", f"compare {SETS} --metric brier --test wilcoxon --pooled --base shrinkage"
    yield "evaluate", f"evaluate {SETS}"
    yield "evaluate-json", f"evaluate {SETS} --json"
    yield "evaluate-per-fold", f"evaluate {SETS} --per-fold {{folds.csv}} --cost 10:1"
    yield (
        "evaluate-notes",
        "evaluate missing-weights.arff new.arff --method confdtree -x 3 --preprocess median --keep 0.9",
    )
    yield (
        "evaluate-weka",
        "evaluate -q new.arff --learner DecisionStump --method leaf_frequency -x 3 --format weka --predictions {p.txt}"
        "\nevaluate iris.arff --method id3_sd --learner C44 --split 0.9 --runs 2 --format weka --predictions {q.txt}",
    )
    yield "evaluate-open", "evaluate -q iris.arff --method id3_sd --method leaf_frequency --leave-out one --split 0.5"
    yield (
        "reject",
        "evaluate --rejecting -q wine.arff --method id3_sd --method leaf_frequency -x 3 --risk-coverage {c.csv}",
    )
    yield ("study-report", f"evaluate {SETS} --store s.sqlite\nstudy report -q --store s.sqlite -o {{r.html}}")
    for paper, names in REPLICATED.items():
        chosen = " ".join(f"--set {name}" for name in names.split())
        written = " ".join(f"{{out/{paper}/{name}}}" for name in ("cells.csv", "beside.csv", "findings.txt"))
        yield f"replicate-{paper}", f"study replicate {paper} --data . {chosen} --quick -q -v -o out #{written}"
    for name, aim in PROMISES.items():
        yield (
            f"promise-{name}",
            f"fit old.arff --method ling_yan {aim} --calibrate 0.5 -d p.wct\nshow p.wct\n"
            "predict p.wct fresh.arff --least-certain 5\ncheck p.wct fresh.arff",
        )
    yield (
        "class-sets",
        "fit old.arff --method shrinkage --class-sets 0.9 -d c.wct\nshow c.wct\n"
        "predict c.wct fresh.arff --least-certain 5\npredict c.wct old.arff --least-certain 1",
    )
    yield (
        "table",
        f"fit staff.csv {STAFF} --method second_opinion --keep 0.9 -d t.wct\n"
        "predict t.wct staff-new.csv --path --reject outside --reject 4 --with ward -o {t.csv}\n"
        "check t.wct staff-new.csv --by ward\ncheck t.wct staff-new.csv --by ward --json\n"
        "explain t.wct staff-new.csv --row 2\nshow t.wct",
    )
    yield (
        "table-tree",
        f"tree staff.csv {STAFF} --learner 'REPTree -P'\n"
        f"evaluate staff.csv {STAFF} --method wpe:numeric=bins --method kukar_kononenko -x 2 "
        "--metric auc_mean --metric ece",
    )
    yield (
        "costs",
        "fit old.arff --method shrinkage --cost '[0 1 2; 3 0 1; 9 4 0]:0.4' --filter "
        "'weka.filters.unsupervised.attribute.Discretize -B 3' --learner 'CART prune=none' -d k.wct\nshow k.wct\n"
        "predict k.wct fresh.arff --least-certain 4 --strict columns,values\nexplain k.wct fresh.arff --row 3",
    )
    yield (
        "scores",
        "predict -t old.arff -T fresh.arff --method curtailment --learner REPTree -o a.csv --log-json {l.json}\n"
        "check a.csv --scores --target-error 0.3 --confidence 0.7\ncheck a.csv --scores --below 0.5 --target-error 0.3 "
        "--confidence 0.7 --json\ncheck a.csv --scores --keep 0.8\ncheck a.csv --scores --cost 4:1\n"
        "check a.csv --scores --target-coverage 0.7\ncheck a.csv --scores --below class_0=0.5,class_1=0.7",
    )
    yield "latex", f"evaluate {SETS} --keep 0.8 --format latex --metric percent_correct --metric log_loss"
    yield (
        "split",
        "evaluate wine.arff --method tpce --split 0.8 --stratified --preprocess wang2006:per-fold "
        "--target-error 0.5 --confidence 0.6 --records {r.csv} --predictions {q.csv}",
    )
    yield (
        "known",
        "evaluate wine.arff --known class_0,class_1 --method id3_max --method boundary_distance -T fresh.arff "
        "--rejecting --records {k.json}",
    )
    yield (
        "compare-many",
        f"compare {SETS} --method ling_yan --bayes 0.01 --runs 2 --preprocess median --per-fold {{f.csv}}",
    )
    yield (
        "study",
        "study run study.toml --store t.sqlite\nstudy status --store t.sqlite\n"
        "study export --store t.sqlite -o {e.csv}\nstudy run --store t.sqlite --again",
    )
    yield (
        "forest",
        "fit old.arff --method leaf_frequency --learner RandomForest' -I 3 -depth 3' --class-sets classes=0.8 "
        "--target-coverage 0.8 -d f.wct\nexplain f.wct fresh.arff --row 2\n"
        "explain f.wct fresh.arff --row 2 -o {f.html}\npredict f.wct fresh.arff --least-certain 3\nshow f.wct",
    )
    yield "advise-exportable", "advise -q wine.arff -x 3 --exportable --for probabilities --learner C44 -v"
    yield "advise", "advise -q iris.arff -x 3"
    yield "advise-json", "advise -q missing-weights.arff -x 2 --for ranking --json"
    yield "folds", "weka folds -q iris.arff -x 3"
    yield "list-data", "list data"


COMMANDS = dict(_commands())
CHANGING = re.compile(r"sha256-[\w+/=]+|\d{4}-\d\d-\d\dT\S+|\d+\.\d+\.\d+|(?<=seconds\": )[\d.e-]+")
"""Digests of scripts, dates, versions and durations."""
LONG = re.compile(r"<(?:script|style)>.*?</(?:script|style)>|[\w+/=]{200,}", re.DOTALL)
"""What is the same on every page, and what is packed."""
NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e[-+]?\d+)?")


def lay_files(folder):
    """Put what the command lines name into a folder."""
    for name in ("iris", "wine", "wdbc", "missing-weights"):
        shutil.copy(ARFF / f"{name}.arff", folder)
    for name, (source, rows) in PARTS.items():
        header, at, lines = (ARFF / f"{source}.arff").read_text(encoding="utf-8").partition("@data\n")
        chosen = lines.splitlines(keepends=True)[rows]
        (folder / f"{name}.arff").write_text(header + at + "".join(chosen), encoding="utf-8")
    _lay_table(folder)
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")


def _lay_table(folder):
    """Write staff.csv, and staff-new.csv with a new ward, values beyond training, and a column more."""
    rng = np.random.default_rng(7)
    lines = []
    for i in range(90):
        age, weight, day = int(rng.integers(20, 60)), rng.normal(70, 12), int(rng.integers(1, 28))
        ill = "yes" if age + weight / 4 + rng.normal(0, 6) > 60 else "no"
        ward, code = "NASD"[int(rng.integers(4))], f"0{int(rng.integers(1, 4))}"
        cells = [f"P{i:02}", "" if i % 13 == 5 else age, f"{weight:.1f}".replace(".", ","), f"{day:02}.03.2024",
                 ward, code, f"call {i}", ill]  # fmt: skip
        lines.append(";".join(map(str, cells)))
    head = "who;age;weight kg;seen;ward;code;note;ill"
    (folder / "staff.csv").write_text("\n".join([head, *lines[:65]]) + "\n", encoding="utf-8")
    new = [f"{line};x" for line in [*lines[65:], "P99;71;140,0;01.06.2024;Q;02;late;no"]]
    (folder / "staff-new.csv").write_text("\n".join([f"{head};more", *new]) + "\n", encoding="utf-8")


def whole(run, command, folder):
    """What a command, or several in turn, print and write, without what changes from run to run.

    ``run`` gives what a command prints on standard output, and on standard error.
    """
    printed = [
        part for line in command.splitlines() for part in run(*shlex.split(re.sub(r"[{}]", "", line), comments=True))
    ]
    written = re.findall(r"\{(.*?)\}", command)
    files = [f"\n{name}\n{(folder / name).read_text(encoding='utf-8')}" for name in written]
    return CHANGING.sub("…", LONG.sub("…", "".join([*printed, *files])))


def unlike(printed, expected):
    """The first line that differs, and how; numbers with a point may differ in the tenth digit."""
    ours, theirs = printed.splitlines(), expected.splitlines()
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        pairs = list(zip(NUMBER.findall(one), NUMBER.findall(other), strict=False))
        if NUMBER.sub("#", one) != NUMBER.sub("#", other) or not all(
            np.isclose(float(a), float(b), rtol=1e-9, atol=1e-12) for a, b in pairs
        ):
            return f"line {number}: {one!r} instead of {other!r}"
    return "" if len(ours) == len(theirs) else f"{len(ours)} lines instead of {len(theirs)}"
