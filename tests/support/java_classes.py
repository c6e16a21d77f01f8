"""Java's classes by name, for tests that ask Weka itself: JPype's own, or the same few abilities through javabridge.

There a call is a ``java.beans.Expression``, which finds the method, static method or constructor by its name and
arguments; one that takes any number of them is given an array. What wekaconf gets from Java, a `Handle`, has these
abilities too, in tests only.

A second set of tests, or a facade of what only tests ask, would be a second truth; so javabridge's opaque objects get
abilities here, and the library's own stay opaque.
"""

import numpy as np

from wekaconf.bridge import _jvm as jvm
from wekaconf.bridge._carrier import JavaError
from wekaconf.bridge._javabridge_carrier import Handle

try:
    import jpype
except ImportError:
    jpype = None

JavaException = jpype.JException if jpype else JavaError

VALUES = {
    "java.lang.Boolean": "booleanValue()Z", "java.lang.Integer": "intValue()I", "java.lang.Long": "longValue()J",
    "java.lang.Double": "doubleValue()D",
}  # fmt: skip
"""What is a value in Python, beside strings; and Java's method that gives it."""

INTS = {"java/lang/Integer": "I", "java/lang/Long": "J", "java/lang/Double": "D"}
"""What an int of Python may be to Java, in the order in which they are tried."""

_public = {}
"""Names that were looked up, by kind and class."""

ARRAYS = {"[B": "byte", "[D": "double", "[I": "int", "[J": "long", "[Z": "boolean"}


def java_class(name):
    """A class of the running virtual machine, by its full name."""
    return jpype.JClass(name) if jpype else JavaClass(name)


def for_wrapper(java):
    """An object of Java, as python-weka-wrapper3 takes it."""
    return java if jpype else java.java


def of_wrapper(thing):
    """The object of Java that one of python-weka-wrapper3's holds."""
    return thing.jobject if jpype else Handle(thing.jobject)


class JavaClass:
    """Called, its constructor; its attributes are static methods and fields; ``[:]`` makes an array of a list."""

    def __init__(self, name):
        self._name = name.replace(".", "/")
        with _Env() as env:
            self._class = Handle(env.find_class(self._name).as_class_object())  # which is released in time

    @property
    def java(self):
        return self._class.java

    def __call__(self, *arguments):
        with _Env() as env:
            return Handle(env.ask(self.java, "new", arguments))

    def __getattr__(self, name):
        with _Env() as env:
            if name in env.public(self.java, "Method"):
                return _method(self.java, name)
            if name in env.public(self.java, "Field"):
                return env.to_python(env.ask(env.ask(self.java, "getField", [name]), "get", [None]))
        raise AttributeError(name)

    def __getitem__(self, _):
        def make(values):
            with _Env() as env:
                return Handle(env.array(env.find_class(self._name), values))

        return make


class _Env:
    """The calls that a thread can make while it is attached."""

    def __enter__(self):
        self._carrier = jvm.ensure_started()
        self._env = self._carrier._javabridge.attach()
        return self

    def __exit__(self, *_):
        self._carrier._javabridge.detach()

    def find_class(self, name):
        found = self._env.find_class(name)
        self._carrier._raise_pending(self._env)
        return found

    def ask(self, java, name, arguments, ints=tuple(INTS)):
        """The object that a method gives; of a class, a static method, or its constructor, ``new``."""
        expression, make = self._expression()
        sent = self.array(self._object(), arguments, ints[0])
        made = self._env.new_object(expression, make, java, self._env.new_string(name), sent)
        try:
            return self.call(made, "getValue()Ljava/lang/Object;")
        except JavaError as error:
            if error.class_name == "java.lang.NoSuchMethodException" and len(ints) > 1:
                return self.ask(java, name, arguments, ints[1:])
            raise

    def _object(self):
        return self._env.find_class("java/lang/Object")

    def _expression(self):
        kind = self._env.find_class("java/beans/Expression")
        signature = "(Ljava/lang/Object;Ljava/lang/String;[Ljava/lang/Object;)V"
        return kind, self._env.get_method_id(kind, "<init>", signature)

    def call(self, java, signature):
        """An instance method without arguments, by its name and signature."""
        name, _, types = signature.partition("(")
        method = self._env.get_method_id(self._env.get_object_class(java), name, f"({types}")
        result = self._env.call_method(java, method)
        self._carrier._raise_pending(self._env)
        return result

    def array(self, kind, values, ints="java/lang/Integer"):
        made = self._env.make_object_array(len(values), kind)
        for i, value in enumerate(values):
            if value is not None:
                self._env.set_object_array_element(made, i, self._to_java(value, ints))
        return made

    def _to_java(self, value, ints):
        if isinstance(value, bool | np.bool_):
            return self._boxed("java/lang/Boolean", "Z", bool(value))
        if isinstance(value, int | np.integer):
            return self._boxed(ints, INTS[ints], float(value) if INTS[ints] == "D" else int(value))
        if isinstance(value, float):
            return self._boxed("java/lang/Double", "D", float(value))
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return self.array(self._env.find_class("java/lang/String"), value)
        if isinstance(value, list | np.ndarray):
            return self._env.make_double_array(np.array(value, dtype=np.float64))
        return self._env.new_string(value) if isinstance(value, str) else getattr(value, "java", value)

    def _boxed(self, name, kind, value):
        owner = self._env.find_class(name)
        return self._env.call_static_method(
            owner, self._env.get_static_method_id(owner, "valueOf", f"({kind})L{name};"), value
        )

    def to_python(self, java):
        if java is None:
            return None
        kind = self.class_name(java)
        if kind == "java.lang.String":
            return self._carrier._text(self._env, java)
        return self.call(java, VALUES[kind]) if kind in VALUES else Handle(java)

    def class_of(self, java):
        return self.call(java, "getClass()Ljava/lang/Class;")

    def class_name(self, java):
        return self._carrier._text(self._env, self.call(self.class_of(java), "getName()Ljava/lang/String;"))

    def public(self, owner, kind):
        """The names of the public methods or fields of a class."""
        key = kind, self._carrier._text(self._env, self.call(owner, "getName()Ljava/lang/String;"))
        if key not in _public:
            found = self._env.get_object_array_elements(self.call(owner, f"get{kind}s()[Ljava/lang/reflect/{kind};"))
            names = (self.call(one, "getName()Ljava/lang/String;") for one in found)
            _public[key] = {self._carrier._text(self._env, name) for name in names}
        return _public[key]

    def elements(self, array):
        kind = ARRAYS.get(self.class_name(array), "object")
        elements = getattr(self._env, f"get_{kind}_array_elements")(array)
        return [self.to_python(one) for one in elements] if kind == "object" else elements.tolist()


def _method(java, name):
    def call(*arguments):
        with _Env() as env:
            return env.to_python(env.ask(java, name, arguments))

    return call


# ---- what a Handle can do in tests ----


def _attribute(self, name):
    with _Env() as env:
        if name in env.public(env.class_of(self.java), "Method"):
            return _method(self.java, name)
    raise AttributeError(name)


def _iterate(self):
    with _Env() as env:
        if env.class_name(self.java).startswith("["):
            yield from env.elements(self.java)
            return
    kept = self if hasattr(self, "toArray") else JavaClass("java.util.Collections").list(self)
    yield from kept.toArray()


def _length(self):
    with _Env() as env:
        if env.class_name(self.java).startswith("["):
            return len(env.elements(self.java))
    if not hasattr(self, "size"):
        raise TypeError("this object of Java has no length")
    return self.size()


if jpype is None:
    Handle.jobject = Handle.java  # what wekaconf is given as an object of python-weka-wrapper3's
    Handle.__getattr__, Handle.__iter__ = _attribute, _iterate
    Handle.__len__, Handle.__bool__ = _length, lambda self: True
    Handle.__str__ = lambda self: str(JavaClass("java.lang.String").valueOf(self))
    Handle.__getitem__ = lambda self, place: _method(self.java, "get")(place)
    Handle.__setitem__ = lambda self, place, value: _method(self.java, "set")(place, value)
