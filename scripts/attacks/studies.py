"""Studies from strangers, as TOML, and the other small files of text that the command line takes; changed and read.

They are lists of data sets and cost matrices. Each is read, or refused with an error of ours; a study comes back from
what a store keeps of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from attacks import Tried
from attacks._changes import GENERAL, NUMBERS, Change, changed
from attacks._reader import Reader
from wekaconf.experiments.studies._study import PROTOCOL_KEYS
from wekaconf.methods.contract._method import Method

READER = Reader("_file_reader.py")
PER_DRAW = 20


def draw(seed: int, tried: Tried) -> Iterator[str]:
    """Write files, and read them as they are and after changes."""
    rng = Random(seed)
    for _ in range(PER_DRAW):
        suffix, write, changes = rng.choice(KINDS)
        good = write(rng)
        for content, what in ((good, "as written"), changed(rng, good, changes)):
            verdict = READER.verdict(content, suffix)
            kind, _, _ = verdict.partition(" ")
            tried["files", suffix] += 1
            tried[f"verdicts on {suffix}", kind] += 1
            if kind not in ("reads", "refused"):
                yield f"{suffix}, {what}: {verdict} {content[:600]!r}"


VALUES = (
    "1", "0", "-1", "10", "2.5", "1e400", "nan", "inf", "true", "false", '""', '"usual"', '"last"', "[]", "[[]]", "{}",
    "[1, 2]", '["a"]', "[0.5, 0.5]", "0.5", "1.0", '"keep 0.9"', '"error 0.1"', '"keep x"', '"cost 2"', "2024-01-01",
    "07:32:00", "2024-01-01T00:00:00Z", "99999999999999999999999", "-9223372036854775808", "0x10", "[true]", '["", ""]',
    '"\\u0000"', '"\\u202e"', '"wang2006"', '"one"', '"training"', "2147483648", '"' + "x" * 3000 + '"', "[" * 300,
    "{a=" * 60, '"../.."', '"/"',
)  # fmt: skip
USUAL = {
    "runs": "2", "seed": "7", "folds": "5", "class": '"last"', "name": '"s"', "nominal": '["a"]',
    "numeric": '["a", "b"]', "na": '["-"]', "ignore": '["id"]',
}  # fmt: skip
OF_PROTOCOLS = {
    "folds": ("2", "10", "1"), "runs": ("1", "3"), "seed": ("0", "-5"), "split": ("0.5", "[0.5, 0.2]", "1.5"),
    "stratified": ("true", "false"), "known": ("2", '"half"', "[0, 1]"), "leave_out": ('"one"', '"each"'),
    "preprocess": ('"wang2006"',), "per_fold": ("true",),
    "filters": ('["weka.filters.unsupervised.attribute.Remove -R 1"]',),
    "aim": ('"keep 0.9"', '"error 0.1"', '"coverage 0.5"', '"error a=0.1,b=0.2"'),
    "threshold_from": ('"training"', '"out-of-fold"'), "confidence": ("0.95", "1"), "calibrate": ("0.3", "0"),
    "reject_costs": ('"10:1"', '"[0 1; 5 0]:1"', '"none.cost:1"', "5"),
}  # fmt: skip
LEARNERS = (
    "usual", "J48", "J48 -U", "REPTree", "J48 -C 2", "CART prune=none", "info_gain", "RandomForest -I 10", "nothing",
    "", "-R", "J48 '", 'J48 -C "', "Bagging -W weka.classifiers.trees.J48 -- -U", "weka.classifiers.meta.Bagging",
    "FilteredClassifier", "J48 " * 50,
)  # fmt: skip
PARAMETERS = ("",) * 20 + (":fine=0.2", ":m=5", ":m=x", ":", ":=", ":m=1,m=2", ":m=nan", ":m=1e999", ":" * 50, ":é=1")
PLACES = (
    "iris.arff", "../arff", ".", "/", "", "iris", "nothing", "~", "\\u0000", "*.arff", "/dev/null", "x" * 300,
    "/etc/passwd",
)  # fmt: skip


def study(rng: Random) -> bytes:
    """A study, mostly a right one."""
    methods = [rng.choice([*Method.registry]) + rng.choice(PARAMETERS) for _ in range(rng.choice((1, 1, 2, 3)))]
    places = [rng.choice(PLACES) if rng.random() < 0.2 else "stranger.toml" for _ in range(rng.choice((1, 1, 1, 2)))]
    lines = [f"data = {_texts(places)}", f"methods = {_texts(methods)}"]
    if rng.random() < 0.6:
        known = LEARNERS[: rng.choice((4, 4, 99))]
        lines.append(f"learners = {_texts([rng.choice(known) for _ in range(rng.choice((1, 1, 2)))])}")
    for key, usual in USUAL.items():
        if rng.random() < 0.15:
            lines.append(f"{key} = {usual if rng.random() < 0.8 else rng.choice(VALUES)}")
    for _ in range(rng.choice((0, 1, 1, 2))):
        lines.append("[[protocol]]")
        for key in rng.sample(PROTOCOL_KEYS, rng.choice((0, 1, 1, 2, 3))):
            lines.append(f"{key} = {rng.choice(OF_PROTOCOLS[key]) if rng.random() < 0.8 else rng.choice(VALUES)}")
    return ("\n".join(lines) + "\n").encode()


def _texts(texts: list[str]) -> str:
    return "[" + ", ".join('"' + text.replace('"', '\\"') + '"' for text in texts) + "]"


_TOKENS = (
    b"[[protocol]]\n", b"[protocol]\n", b"folds = 2\n", b"split = 0.5\n", b"runs = 0\n", b"seed = 'x'\n", b"= ", b"[",
    b"]", b"{", b"}", b"'''", b'"""', b"a.b.c = 1\n", b"data.x = 1\n", b"\\u0000", b"\\", b"# \n", b"[[data]]\n",
    b"aim = 'keep 0.9'\n", b"leave_out = 'one'\n", b"known = [0, 1]\n", b"threshold_from = 'training'\n",
    b"per_fold = true\n", b"filters = ['x']\n", b"preprocess = 'wang2006'\n",
)  # fmt: skip


def token(rng: Random, content: bytes) -> bytes:
    """A token of TOML is put in."""
    place = rng.choice((rng.randrange(len(content) + 1), content.rfind(b"\n") + 1))
    return content[:place] + rng.choice(_TOKENS) + content[place:]


def value(rng: Random, content: bytes) -> bytes:
    """A value is another one."""
    lines = content.split(b"\n")
    place = rng.randrange(len(lines))
    key, equals, _ = lines[place].partition(b"=")
    if equals:
        lines[place] = key + b"= " + rng.choice(VALUES).encode()
    return b"\n".join(lines)


def costs(rng: Random) -> bytes:
    """A cost matrix, mostly a right one."""
    n = rng.choice((1, 2, 2, 3, 5))
    rows = [[b"0" if i == j else rng.choice((b"1", b"5", b"0.5", b"1e3")) for j in range(n)] for i in range(n)]
    if rng.random() < 0.3:
        rows[rng.randrange(n)][rng.randrange(n)] = rng.choice(NUMBERS)
    head = [b"% rows columns"] * (rng.random() < 0.5) + [b"%d %d" % (n, n)]
    return rng.choice((b"\n", b"\n", b"\r\n")).join(
        [*head, *(rng.choice((b" ", b"\t")).join(row) for row in rows), b""]
    )


KINDS: tuple[tuple[str, Callable[[Random], bytes], tuple[Change, ...]], ...] = (
    *[(".toml", study, (*GENERAL, token, token, value, value, value))] * 7,
    (".cost", costs, GENERAL),
)
