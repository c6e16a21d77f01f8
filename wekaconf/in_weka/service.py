"""The actions that our classifiers in Weka request: fit a method on a tree, answer for instances, describe a tree."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from wekaconf.base.errors import WekaconfError, one_line
from wekaconf.base.parameters import Parametrised, parameters, read_parameters
from wekaconf.base.words import worded
from wekaconf.bridge.instances import dataset_of
from wekaconf.bridge.learners import WekaLearner
from wekaconf.data.dataset import Dataset, flags_of
from wekaconf.in_weka.messages import MessageError, packed, unpacked
from wekaconf.in_weka.options import in_weka, options_in_weka
from wekaconf.methods.contract.annotates_nodes import AnnotatesNodes
from wekaconf.methods.contract.postprocessor import PostProcessor
from wekaconf.model import scheme
from wekaconf.model.file import model_bytes, model_of_bytes
from wekaconf.model.fitted import Model
from wekaconf.report import trees
from wekaconf.tree.forest import Forest
from wekaconf.tree.learner import learner_class
from wekaconf.tree.mirror import TreeMirror

MOST_MODELS = 1000
"""The largest number of fitted methods that are kept, the most recently used ones."""
MOST_BYTES = 2**28
"""The largest total size of their model files."""

Parts = dict[str, Any]


def answer(message: bytes | memoryview) -> bytes:
    """The answer to a message from Java; failures are answers, too."""
    try:
        request = unpacked(message)
        action = _ACTIONS[request["action"][0]]
        return packed(action(request))
    except WekaconfError as error:
        return packed({"refused": [" ".join(one_line(worded(error.parts, in_weka)).split())]})
    except (MessageError, KeyError, IndexError) as error:
        problem = f"wekaconf does not understand the question ({type(error).__name__}: {error})"
        return packed({"refused": [f"{problem}; install wekaconf and Weka's package wekaconf in the same version"]})
    except MemoryError:
        return packed({"refused": ["wekaconf's Python ran out of memory"]})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return packed({"refused": [f"wekaconf failed with {type(error).__name__}: {error}"]})


def _fit(request: Parts) -> Parts:
    """The model file of a method fitted on the tree and the training data of the message."""
    train = dataset_of(lambda _, name: request[name])
    name = request["method"][0]
    method = scheme.method(name, **_parameters(PostProcessor.registry, name, request["params"]))
    fitted = method.fit(_tree(request, train), train)
    model = model_bytes(Model(fitted))
    _fitted_methods.put(sha256(model).digest(), fitted, len(model))
    return {"model": model}


def _tree(request: Parts, train: Dataset) -> TreeMirror | Forest:
    """The tree of the message, or a tree that one of our learners grows."""
    name, *options = request["learner"]
    cls = learner_class(name)
    if issubclass(cls, WekaLearner):
        return cls(options[0]).of_arrays(lambda _, part: request[part], train.header, weka_version=options[1])
    if "tree" in request:
        return _read(request["tree"]).tree_
    return cls(**_parameters(cls.registry, name, options)).grow(train)


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
    """Class distributions and certainty of instances, and the method's own threshold."""
    method = _fitted_method(request)
    if method is None:
        return {"unknown": []}
    header = method.tree_.header
    cells = request["cells"].reshape(-1, len(header.attributes))
    cells[:, header.class_index] = np.nan
    is_sparse = flags_of(request["sparse_rows"], len(cells))
    answers = method.answer(Dataset(header, cells, is_sparse=is_sparse))
    threshold = np.array([np.nan if method.threshold is None else method.threshold])
    return {"distributions": answers.proba.ravel(), "certainty": answers.certainty, "threshold": threshold}


def _describe(request: Parts) -> Parts:
    """The tree as text, with what the method learned at its nodes, and as a graph."""
    method = _fitted_method(request)
    if method is None:
        return {"unknown": []}
    tree = method.tree_
    heading = f"{_owner_text(method)} on {_learner_text(tree)}"
    if isinstance(tree, Forest):
        n_nodes = sum(member.n_nodes for member in tree.trees)
        return {"text": [f"{heading}\n\n{len(tree.trees)} trees, {n_nodes} nodes\n"], "graph": [""]}
    annotation = method.annotation if isinstance(method, AnnotatesNodes) else None
    text = trees.render_text(tree, annotate=annotation, java=int(request["java"][0]))
    return {"text": [f"{heading}\n\n{text}"], "graph": [trees.render_dot(tree)]}


def _owner_text(owner: Parametrised) -> str:
    """A method or learner with its options, as Weka writes them."""
    return " ".join([type(owner).__name__, *options_in_weka(owner)])


def _learner_text(tree: TreeMirror | Forest) -> str:
    """The learner of a tree with its options, as Weka writes them."""
    cls = learner_class(tree.learner)
    if issubclass(cls, WekaLearner):
        return f"{tree.learner} {tree.options}".rstrip()
    return _owner_text(cls.of_options(tree.options))


def _fitted_method(request: Parts) -> PostProcessor | None:
    """The fitted method of a message; None if it is no longer kept and the message does not contain it."""
    key = request["key"]
    method = _fitted_methods.get(key)
    if method is None and "model" in request:
        method = _read(request["model"])
        _fitted_methods.put(key, method, len(request["model"]))
    return method


def _read(model: bytes) -> PostProcessor:
    return model_of_bytes(model, "the model in the classifier").method


class _FittedMethods:
    """The most recently used fitted methods, by the digest of their model files."""

    def __init__(self) -> None:
        self._lock, self._n_bytes = threading.Lock(), 0
        self._models: OrderedDict[bytes, tuple[PostProcessor, int]] = OrderedDict()

    def get(self, key: bytes) -> PostProcessor | None:
        with self._lock:
            if key not in self._models:
                return None
            self._models.move_to_end(key)
            return self._models[key][0]

    def put(self, key: bytes, method: PostProcessor, n_bytes: int) -> None:
        with self._lock:
            if key in self._models:
                self._n_bytes -= self._models.pop(key)[1]
            self._models[key] = method, n_bytes
            self._n_bytes += n_bytes
            while len(self._models) > 1 and (len(self._models) > MOST_MODELS or self._n_bytes > MOST_BYTES):
                self._n_bytes -= self._models.popitem(last=False)[1][1]


_fitted_methods = _FittedMethods()
_ACTIONS: dict[str, Callable[[Parts], Parts]] = {"fit": _fit, "answer": _answer, "describe": _describe}
