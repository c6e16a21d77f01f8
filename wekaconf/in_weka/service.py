"""What Weka's classifiers of ours ask: to fit a method on a tree, to answer for instances, to describe itself."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import numpy as np

from wekaconf.base.errors import WekaconfError
from wekaconf.base.naming import in_weka
from wekaconf.base.parameters import Parametrised, parameters, read_parameters
from wekaconf.bridge.instances import dataset_of
from wekaconf.bridge.learners import WekaLearner
from wekaconf.data.dataset import Dataset, flags_of
from wekaconf.in_weka.messages import MessageError, packed, unpacked
from wekaconf.in_weka.options import options_in_weka
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
"""How many fitted methods are kept at most, those that were asked last."""
MOST_BYTES = 2**28
"""How large their model files may be together."""

Parts = dict[str, Any]


def answer(message: bytes | memoryview) -> bytes:
    """What a message of Java is answered; failures are answers, too."""
    try:
        asked = unpacked(message)
        action = _ACTIONS[asked["action"][0]]
        with in_weka():
            return packed(action(asked))
    except WekaconfError as error:
        return packed({"refused": [" ".join(str(error).split())]})
    except (MessageError, KeyError, IndexError) as error:
        said = f"wekaconf does not understand the question ({type(error).__name__}: {error})"
        return packed({"refused": [f"{said}; install wekaconf and Weka's package wekaconf in the same version"]})
    except MemoryError:
        return packed({"refused": ["wekaconf's Python ran out of memory"]})
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return packed({"refused": [f"wekaconf failed with {type(error).__name__}: {error}"]})


def _fit(asked: Parts) -> Parts:
    """The model file of a method fitted on the tree and the training data of the message."""
    train = dataset_of(lambda _, name: asked[name])
    method = scheme.method(asked["method"][0], **_given(PostProcessor.registry, asked["method"][0], asked["params"]))
    fitted = method.fit(_tree(asked, train), train)
    model = model_bytes(Model(fitted))
    _kept.put(sha256(model).digest(), fitted, len(model))
    return {"model": model}


def _tree(asked: Parts, train: Dataset) -> TreeMirror | Forest:
    """The tree of the message, or one that a learner of ours grows."""
    name, *options = asked["learner"]
    known = learner_class(name)
    if issubclass(known, WekaLearner):
        return known(options[0]).of_arrays(lambda _, part: asked[part], train.header, weka_version=options[1])
    if "tree" in asked:
        return _read(asked["tree"]).tree_
    return known(**_given(known.registry, name, options)).grow(train)


def _given(registry: Mapping[str, type[Parametrised]], name: str, options: list[str]) -> Parts:
    """Parameters out of Weka's options: ``-name`` and value alternate."""
    known = registry[name]
    pairs = zip(options[::2], options[1::2], strict=True)
    texts = {option.removeprefix("-"): text for option, text in pairs}
    declared = parameters(known)
    parts = [f"{option}={text}" for option, text in texts.items() if str not in declared[option].kinds]
    classes = {cls.__name__: cls.name for cls in scheme.class_names().values()}
    plain = {
        option: classes.get(text.rpartition(".")[2], text) if declared[option].kinds == (str,) else text
        for option, text in texts.items()
        if str in declared[option].kinds
    }
    return read_parameters(known, parts, f"{known.__name__} {' '.join(options)}") | plain


def _answer(asked: Parts) -> Parts:
    """Class distributions and certainty of instances, and the method's own threshold."""
    method = _asked_for(asked)
    if method is None:
        return {"unknown": []}
    header = method.tree_.header
    cells = asked["cells"].reshape(-1, len(header.attributes))
    cells[:, header.class_index] = np.nan
    is_sparse = flags_of(asked["sparse_rows"], len(cells))
    answered = method.answer(Dataset(header, cells, is_sparse=is_sparse))
    own = np.array([np.nan if method.threshold is None else method.threshold])
    return {"distributions": answered.proba.ravel(), "certainty": answered.certainty, "threshold": own}


def _describe(asked: Parts) -> Parts:
    """The tree with what was learned, for people, and as a graph."""
    method = _asked_for(asked)
    if method is None:
        return {"unknown": []}
    tree = method.tree_
    heading = f"{_in_weka(method)} on {_in_weka_of(tree)}"
    if isinstance(tree, Forest):
        n_nodes = sum(member.n_nodes for member in tree.trees)
        return {"text": [f"{heading}\n\n{len(tree.trees)} trees, {n_nodes} nodes\n"], "graph": [""]}
    annotation = method.annotation if isinstance(method, AnnotatesNodes) else None
    text = trees.render_text(tree, annotate=annotation, java=int(asked["java"][0]))
    return {"text": [f"{heading}\n\n{text}"], "graph": [trees.render_dot(tree)]}


def _in_weka(owner: Parametrised) -> str:
    return " ".join([owner.called(), *options_in_weka(owner)])


def _in_weka_of(tree: TreeMirror | Forest) -> str:
    """The learner of a tree with its options."""
    known = learner_class(tree.learner)
    if issubclass(known, WekaLearner):
        return f"{tree.learner} {tree.options}".rstrip()
    return _in_weka(known.of_options(tree.options))


def _asked_for(asked: Parts) -> PostProcessor | None:
    """The fitted method of a message, None if it was let go of and the message does not bring it."""
    key = asked["key"]
    method = _kept.get(key)
    if method is None and "model" in asked:
        method = _read(asked["model"])
        _kept.put(key, method, len(asked["model"]))
    return method


def _read(model: bytes) -> PostProcessor:
    return model_of_bytes(model, "the model in the classifier").method


class _Kept:
    """The fitted methods that were asked last."""

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


_kept = _Kept()
_ACTIONS: dict[str, Callable[[Parts], Parts]] = {"fit": _fit, "answer": _answer, "describe": _describe}
