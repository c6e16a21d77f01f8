"""The actions that our classifiers in Weka request: hold instances out, fit a method, answer, describe a tree."""

from __future__ import annotations

import textwrap
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from wekaconf.base.errors import WekaconfError, one_line, printable
from wekaconf.base.parameters import Parametrised, parameters, read_parameters
from wekaconf.base.words import Argument, Owner, Phrase, SetOption, SetParameter, Setting, Term, UseLearner, worded
from wekaconf.bridge import dataset_of
from wekaconf.bridge.learners import WekaLearner
from wekaconf.data import Dataset, Header, flags_of
from wekaconf.data.arrays import FloatArray
from wekaconf.evaluation.aims import Aim
from wekaconf.evaluation.checks import FileCounts
from wekaconf.evaluation.thresholds import draw_rows, promise_lines
from wekaconf.in_weka._messages import MessageError, pack, unpack
from wekaconf.in_weka.in_weka import write_options
from wekaconf.learners import learner_class
from wekaconf.methods.contract import AnnotatesNodes, Answer, Method
from wekaconf.model import scheme
from wekaconf.model.file import model_bytes, model_of_bytes
from wekaconf.model.fit import fit
from wekaconf.model.fitted import Model
from wekaconf.report import trees
from wekaconf.tree import Forest, Learner, TreeMirror

# A model that Python has forgotten comes again from Java, by the digest of its bytes.
MOST_MODELS = 1000
"""The largest number of models that are kept, the most recently used ones."""
MOST_BYTES = 2**28
"""The largest total size of their files."""
LINE = 100
"""The largest number of characters in a line of what is promised."""

SURE = 0.001
"""The largest p-value of a change that is noted: a cross-validation asks about every fold."""

Parts = dict[str, Any]


def answer(message: bytes | memoryview) -> bytes:
    """The answer to a message from Java; refusals are answers, too."""
    try:
        request = unpack(message)
        action = _ACTIONS[request["action"][0]]
        return pack(action(request))
    except WekaconfError as error:
        return pack({"refused": [" ".join(one_line(worded(error.parts, word_in_weka)).split())]})
    except (MessageError, KeyError, IndexError) as error:
        problem = f"wekaconf does not understand the question ({type(error).__name__}: {error})"
        return pack({"refused": [f"{problem}; install wekaconf and Weka's package wekaconf in the same version"]})


def word_in_weka(term: Term) -> str:
    """A term of a message as Weka calls it: options with a hyphen, methods and learners by their classes."""
    match term:
        case Argument("target_error", of=""):
            return "-target-error"
        case Argument(name, of) if of:
            return f"-{name}"
        case Setting(name, value, of) if of:
            return f"-{name} {value}"
        case SetParameter(_, name, value) | SetOption(_, name, value):
            return f"give the option -{name} {value}"
        case Owner(name):
            return _name_of_class(name)
        case UseLearner(name, is_read):
            return f"{UseLearner(_name_of_class(name), is_read)}{' (-W)' if is_read else ''}"
        case Phrase.ESTIMATE:
            return "leave -target-error out"
    return str(term)


def _name_of_class(name: str) -> str:
    """The name of the class of a method or learner, without its package; another name stays as it is."""
    owner = Method.registry.get(name) or Learner.registry.get(name)
    return name if owner is None else owner.__name__


def _hold_out(request: Parts) -> Parts:
    """The training instances that are held out to calibrate a promise, which is checked first."""
    _aim(request)
    # Java asks, since Weka's learners grow there on what is left; the draw is that of `predict`, and numpy's
    # permutation needs no second form in Java. Instances without a class take part in it.
    is_held_out = draw_rows(int(request["n"][0]), float(request["calibrate"][0]))
    return {"held_out": np.flatnonzero(is_held_out).astype(np.int32)}


def _aim(request: Parts) -> Aim:
    return Aim.parse("error", request["target_error"][0], float(request["confidence"][0]))


def _fit(request: Parts) -> Parts:
    """The model file of a method fitted on the tree and the training data of the message."""
    train = dataset_of(lambda _, name: request[name])
    name = request["method"][0]
    method = scheme.method(name, **_parameters(Method.registry, name, request["params"]))
    promised: Parts = {}
    if "held_out" in request:
        promised = {"aim": _aim(request), "calibrate": flags_of(request["held_out"], len(train))}
    model = fit(train, method, learner=_tree(request, train.header), **promised)
    file = model_bytes(model)
    _kept_models.put(sha256(file).digest(), model, len(file))
    return {"model": file}


def _tree(request: Parts, header: Header) -> TreeMirror | Forest | Learner[Any]:
    """The tree of the message, or the learner of ours that is to grow one."""
    name, *options = request["learner"]
    cls = learner_class(name)
    if issubclass(cls, WekaLearner):
        return cls(options[0]).of_arrays(lambda _, part: request[part], header, weka_version=options[1])
    if "tree" in request:
        return _read(request["tree"]).method.tree_
    return cls(**_parameters(cls.registry, name, options))


def _parameters(registry: Mapping[str, type[Parametrised]], name: str, options: list[str]) -> Parts:
    """The parameters in Weka's options, in which ``-name`` and value alternate."""
    owner = registry[name]
    pairs = zip(options[::2], options[1::2], strict=True)
    texts = {option.removeprefix("-"): text for option, text in pairs}
    declared = parameters(owner)
    parts = [f"{option}={text}" for option, text in texts.items() if str not in declared[option].kinds]
    classes = {cls.__name__: cls.name for cls in scheme.class_names().values()}
    plain = {
        option: classes.get(text.rpartition(".")[2], text) if declared[option].kinds == (str,) else text
        for option, text in texts.items()
        if str in declared[option].kinds
    }
    return read_parameters(owner, parts, f"{owner.__name__} {' '.join(options)}") | plain


def _answer(request: Parts) -> Parts:
    """Class distributions and certainty of instances, which answers are rejected, below what, and a note of them."""
    model = _model(request)
    if model is None:
        return {"unknown": []}
    header = model.method.tree_.header
    cells = request["cells"].reshape(-1, len(header.attributes))
    cells[:, header.class_index] = np.nan
    is_sparse = flags_of(request["sparse_rows"], len(cells))
    answers = model.answer_conformed(Dataset(header, cells, is_sparse=is_sparse))
    return {
        "distributions": answers.proba.ravel(),
        "certainty": answers.certainty,
        "rejected": answers.is_rejected.astype(np.int32),
        "threshold": np.array([np.nan if model.threshold is None else model.threshold]),
        "note": [_note(model, cells, answers)],
    }


def _note(model: Model, cells: FloatArray, answers: Answer) -> str:
    """That a promise rejects all instances, or in what they are not like the training data, in lines.

    Empty for a single instance, and if it is not sure.
    """
    if len(cells) > 1 and model.choice is not None and answers.is_rejected.all():
        return (
            f"none of {len(cells)} rows: all are rejected, so the figures that Weka prints,\n"
            "such as a Kappa of 1, are of no answer"
        )
    if model.summary is None or len(cells) < 2:
        return ""
    counts = FileCounts(model.summary, model.answer_shares)
    counts.add(model.summary.outside(cells))
    counts.add_answers(answers.certainty, answers.predicted)
    drift = model.drift_of(counts)
    if not drift.far and not any(change.p <= SURE for change in drift.told):
        return ""
    return "\n".join(textwrap.fill(printable(line), LINE, subsequent_indent="  ") for line in drift.lines)


def _describe(request: Parts) -> Parts:
    """The tree as text, with what is promised and what the method learned at its nodes, and as a graph."""
    model = _model(request)
    if model is None:
        return {"unknown": []}
    method, tree = model.method, model.method.tree_
    heading = f"{_owner_text(method)} on {_learner_text(tree)}"
    if model.choice is not None and model.choice.promises:
        lines = [*promise_lines(model.choice, tree.header.class_names), *filter(None, [model.majority_line])]
        heading += "\n\n" + "\n".join(textwrap.fill(line, LINE, subsequent_indent="  ") for line in lines)
    if isinstance(tree, Forest):
        n_nodes = sum(member.n_nodes for member in tree.trees)
        return {"text": [f"{heading}\n\n{len(tree.trees)} trees, {n_nodes} nodes\n"], "graph": [""]}
    annotation = method.annotation if isinstance(method, AnnotatesNodes) else None
    text = trees.render_text(tree, annotate=annotation, java=int(request["java"][0]))
    return {"text": [f"{heading}\n\n{text}"], "graph": [trees.render_dot(tree)]}


def _owner_text(owner: Parametrised) -> str:
    """A method or learner with its options, as Weka writes them."""
    return " ".join([type(owner).__name__, *write_options(owner)])


def _learner_text(tree: TreeMirror | Forest) -> str:
    """The learner of a tree with its options, as Weka writes them."""
    cls = learner_class(tree.learner)
    if issubclass(cls, WekaLearner):
        return f"{tree.learner} {tree.options}".rstrip()
    return _owner_text(cls.of_options(tree.options))


def _model(request: Parts) -> Model | None:
    """The model of a message; None if it is no longer kept and the message does not contain it."""
    key = request["key"]
    model = _kept_models.get(key)
    if model is None and "model" in request:
        model = _read(request["model"])
        _kept_models.put(key, model, len(request["model"]))
    return model


def _read(file: bytes) -> Model:
    return model_of_bytes(file, "the model in the classifier")


class _KeptModels:
    """The most recently used models, by the digest of their files."""

    def __init__(self) -> None:
        self._lock, self._n_bytes = threading.Lock(), 0
        self._models: OrderedDict[bytes, tuple[Model, int]] = OrderedDict()

    def get(self, key: bytes) -> Model | None:
        with self._lock:
            if key not in self._models:
                return None
            self._models.move_to_end(key)
            return self._models[key][0]

    def put(self, key: bytes, model: Model, n_bytes: int) -> None:
        with self._lock:
            if key in self._models:
                self._n_bytes -= self._models.pop(key)[1]
            self._models[key] = model, n_bytes
            self._n_bytes += n_bytes
            while len(self._models) > 1 and (len(self._models) > MOST_MODELS or self._n_bytes > MOST_BYTES):
                self._n_bytes -= self._models.popitem(last=False)[1][1]


_kept_models = _KeptModels()
_ACTIONS: dict[str, Callable[[Parts], Parts]] = {
    "hold_out": _hold_out,
    "fit": _fit,
    "answer": _answer,
    "describe": _describe,
}
