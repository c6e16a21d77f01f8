"""Parameters are declared once: what a declaration allows, how it reads, and what constructors make of it."""

import inspect
import math
from typing import Literal

import numpy as np
import pytest
from support.parameter_values import OTHER_VALUES
from support.random_trees import made

import wekaconf as wc
from wekaconf.base.errors import OptionError
from wekaconf.base.parameters import (
    Parameter,
    Parametrised,
    Registry,
    docstring_of,
    learned,
    parameter,
    parameters,
    read_parameters,
    written,
)
from wekaconf.methods.contract._method import Method

METHODS = sorted(Method.registry)


class Thing(Parametrised):
    name = "thing"
    count: int = parameter(default=2, low=1, help="How many.")
    share: float = parameter(default=0.5, low=0, high=1, help="How much.")
    inside: float | None = parameter(default=None, low=0, high=1, is_open=True, help="Or none.")
    above: float = parameter(default=1.0, low=0, is_open=True, help="Of any size.")
    free: float = parameter(default=0.0, help="Any number.")
    mode: Literal["plain", "other"] = parameter(default="plain", help="One of two.")
    maybe: bool | None = parameter(default=None, help="Yes, no, or neither.")
    label: str = parameter(default="", help="Any text.")
    labels: str | tuple[str, ...] = parameter(default="", help="Any text, or several.")
    bags: int | Literal["k", "all"] = parameter(default="k", low=2, help="A number, or a word.")
    kept_: float = learned()


class Heir(Thing):
    name = "heir"
    share: float = parameter(default=0.25, low=0, high=0.5, help="Less.")
    extra: bool = parameter(default=False, help="More.")


THING = parameters(Thing)


# ---- what a declaration allows ----

GOOD = [
    ("count", 7, 7),
    ("count", 3.0, 3),
    ("count", np.int64(4), 4),
    ("count", np.float32(4), 4),
    ("share", 1, 1.0),
    ("share", 0, 0.0),
    ("share", np.float32(0.25), 0.25),
    ("inside", None, None),
    ("inside", 0.5, 0.5),
    ("above", 5e-324, 5e-324),
    ("above", 10**30, 1e30),
    ("free", -(10**400), -math.inf),
    ("free", -math.inf, -math.inf),
    ("mode", "other", "other"),
    ("mode", np.str_("other"), "other"),
    ("maybe", np.True_, True),
    ("maybe", False, False),
    ("maybe", None, None),
    ("label", "a+b", "a+b"),
    ("labels", "a", "a"),
    ("labels", ["a", "b"], ("a", "b")),
    ("labels", (), ()),
    ("bags", 5, 5),
    ("bags", "all", "all"),
]
BAD = [
    ("count", 0, "a whole number of at least 1, got '0'"),
    ("count", 2.5, "a whole number of at least 1, got '2.5'"),
    ("count", math.inf, "a whole number of at least 1, got 'inf'"),
    ("count", True, "a whole number of at least 1, got 'true'"),
    ("count", "3", "a whole number of at least 1, got '3'"),
    ("count", None, "a whole number of at least 1, got 'none'"),
    ("share", 1.0001, "a number from 0 to 1, got '1.0001'"),
    ("share", math.nan, "a number from 0 to 1, got 'nan'"),
    ("share", 10**400, f"a number from 0 to 1, got '{10**400}'"),
    ("share", [0.5], "a number from 0 to 1, got '[0.5]'"),
    ("inside", 0, "a number between 0 and 1, both excluded, or none, got '0'"),
    ("inside", 1.0, "a number between 0 and 1, both excluded, or none, got '1.0'"),
    ("above", 0, "a number above 0, got '0'"),
    ("above", -(10**400), f"a number above 0, got '{-(10**400)}'"),
    ("free", "0", "a number, got '0'"),
    ("mode", "othr", "plain or other, got 'othr'; did you mean 'other'?"),
    ("mode", "OTHER", "plain or other, got 'OTHER'; did you mean 'other'?"),
    ("mode", "x", "plain or other, got 'x'"),
    ("mode", 1, "plain or other, got '1'"),
    ("maybe", 1, "true, false or none, got '1'"),
    ("maybe", "none", "true, false or none, got the text 'none'"),
    ("maybe", "no", "true, false or none, got 'no'; did you mean 'none'?"),
    ("label", 3, "a text, got '3'"),
    ("label", ("a",), "a text, got '('a',)'"),
    ("labels", ("a", 3), "a text or several, got '('a', 3)'"),
    ("labels", 3, "a text or several, got '3'"),
    ("bags", 1, "a whole number of at least 2, or k or all, got '1'"),
    ("bags", "al", "a whole number of at least 2, or k or all, got 'al'; did you mean 'all'?"),
]


@pytest.mark.parametrize(("key", "given", "held"), GOOD)
def test_values_are_held_in_the_declared_type(key, given, held):
    value = getattr(Thing(**{key: given}), key)
    assert value == held and type(value) is type(held)


@pytest.mark.parametrize(("key", "given", "told"), BAD, ids=lambda part: str(part)[:40])
def test_other_values_are_refused(key, given, told):
    with pytest.raises(OptionError) as refused:
        Thing(**{key: given})
    assert str(refused.value) == f"thing: {key} must be {told}"


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"low": 1234567}, "of at least 1234567"),
        ({"low": 0.1234567, "is_open": True}, "above 0.1234567"),
        ({"low": -1234567, "high": 1234567}, "from -1234567 to 1234567"),
        ({"low": 0.1234567, "high": 0.7654321, "is_open": True}, "between 0.1234567 and 0.7654321, both excluded"),
        ({}, ""),
    ],
)
def test_ranges_are_told_with_their_digits(limits, told):
    assert Parameter(0.5, "A number.", **limits).bounds == told


def test_every_type_is_tried():
    assert {key for key, *_ in GOOD} == {key for key, *_ in BAD} == set(THING)


# ---- constructors ----


def test_a_constructor_takes_keywords_only_and_has_a_signature():
    signature = inspect.signature(Thing)
    assert list(signature.parameters) == list(THING)
    assert {key: one.default for key, one in signature.parameters.items()} == Thing().params
    assert {one.kind for one in signature.parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert signature.parameters["share"].annotation is float
    names = ", ".join(f"{name}=…" for name in THING)
    with pytest.raises(TypeError) as refused:
        Thing(3)
    assert str(refused.value) == f"Thing takes its parameters by name, Thing({names}), got 3 without a name"


def test_what_a_class_declares_comes_first_and_replaces_what_its_base_declares():
    assert list(parameters(Heir)) == ["share", "extra", *(key for key in THING if key != "share")]
    assert Heir().params == {**Thing().params, "share": 0.25, "extra": False}
    assert Thing(share=0.75).share == 0.75
    with pytest.raises(OptionError, match=r"^heir: share must be a number from 0 to 0.5, got '0.75'$"):
        Heir(share=0.75)
    assert list(inspect.signature(Heir).parameters) == list(parameters(Heir))
    assert "extra" not in parameters(Thing)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("shares", "; did you mean 'share'?"),
        ("Count", "; did you mean 'count'?"),
        ("kept_", "; its parameters are: count, share, inside, above, free, mode, maybe, label, labels, bags"),
        ("x", "; its parameters are: count, share, inside, above, free, mode, maybe, label, labels, bags"),
    ],
)
def test_unknown_names_get_the_nearest_or_all(name, told):
    with pytest.raises(OptionError) as refused:
        Thing(**{name: 1})
    assert str(refused.value) == f"thing has no parameter '{name}'{told}"


def test_a_docstring_tells_of_the_parameters_before_its_other_sections():
    class Told(Thing):
        """A thing.

        It is long.

        Notes
        -----
        None.
        """

        size: int = parameter(default=3, low=1, high=9, help="How large. Very " + 99 * "a ")
        order: "int | Literal['k', 'all']" = parameter(default="k", low=2, help="A number, or a word.")

    begin, notes = inspect.getdoc(Told).split("\n\nNotes\n-----\n")
    assert notes == "None."
    first, second, section = begin.split("\n\n")
    assert (first, second) == ("A thing.", "It is long.")
    heading, line, *entries = section.split("\n")
    assert (heading, line) == ("Parameters", "----------")
    assert entries[0] == "size : int, from 1 to 9, default 3"
    assert entries[1].startswith("    How large. Very") and max(map(len, entries)) <= 104
    named = [entry for entry in entries if not entry.startswith(" ")]
    assert [entry.partition(" : ")[0] for entry in named] == list(parameters(Told))
    for entry in (
        "share : float, from 0 to 1, default 0.5",
        "inside : float | None, between 0 and 1, both excluded, default None",
        "mode : {'plain', 'other'}, default 'plain'",
        "order : int | {'k', 'all'}, of at least 2, default 'k'",
    ):
        assert entry in named
    assert entries[entries.index("mode : {'plain', 'other'}, default 'plain'") + 1] == "    One of two."


def test_a_section_of_ones_own_stays():
    class Told(Thing):
        """A thing.

        Parameters
        ----------
        all of them
        """

    assert inspect.getdoc(Told) == "A thing.\n\nParameters\n----------\nall of them"
    assert Thing.__doc__ is None


def test_a_class_without_parameters():
    class Bare(Parametrised):
        name = "bare"

    assert Bare().params == {} and repr(Bare()) == "Bare()"
    with pytest.raises(OptionError, match=r"^bare has no parameter 'x'; its parameters are: none$"):
        Bare(x=1)
    with pytest.raises(TypeError, match=r"^Bare takes no parameter, got 3 without a name$"):
        Bare(3)


def test_several_parameters_may_be_checked_together():
    class Choosy(Thing):
        def _check_parameters(self):
            if self.count > 5 and self.label:
                raise OptionError("too much")

    assert Choosy(count=6).count == 6
    with pytest.raises(OptionError, match="too much"):
        Choosy(count=6, label="x")


def test_a_declaration_is_no_value_of_the_class():
    assert not {*THING, "kept_"} & set(dir(Thing))
    assert "kept_" not in THING


def test_a_parameter_without_a_type_is_an_error_of_its_class():
    with pytest.raises(TypeError, match=r"Untyped\.size: a parameter needs a type, such as size: float$"):

        class Untyped(Thing):
            size = parameter(default=1.0, help="Anything.")


# ---- words ----


def test_a_declaration_in_a_line():
    assert str(THING["share"]) == "share=0.5: How much. (a number from 0 to 1)"
    assert str(THING["maybe"]) == "maybe=none: Yes, no, or neither. (true, false or none)"


def test_all_values_where_they_can_be_listed():
    listed = {key: one.values for key, one in THING.items() if one.values}
    assert listed == {"mode": ("plain", "other"), "maybe": (True, False, None)}


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("count", "7", 7),
        ("count", "7.5", 7.5),
        ("share", "1e-3", 0.001),
        ("share", "inf", math.inf),
        ("share", "half", "half"),
        ("inside", "NONE", None),
        ("free", "none", "none"),
        ("mode", "none", "none"),
        ("mode", "1", "1"),
        ("maybe", "True", True),
        ("maybe", "None", None),
        ("label", "true", "true"),
        ("label", "3", "3"),
        ("bags", "all", "all"),
        ("bags", "4", 4),
    ],
)
def test_texts_are_read_by_the_declared_type(key, text, value):
    read = THING[key].read(text)
    assert read == value and type(read) is type(value)


def test_texts_of_the_command_line():
    given = read_parameters(Thing, ["share=0.2", " mode = other ", "label=a=b", "sharp=1"], "the whole")
    assert given == {"share": 0.2, "mode": "other", "label": "a=b", "sharp": "1"}
    with pytest.raises(
        OptionError, match=r"^the whole: expected parameter=value, got 'share'; the parameters are: count,"
    ):
        read_parameters(Thing, ["share"], "the whole")
    with pytest.raises(OptionError, match=r"^the whole: 'share' is given twice; leave one out$"):
        read_parameters(Thing, ["share=1", "share=1"], "the whole")


@pytest.mark.parametrize(("key", "given", "held"), GOOD)
def test_what_is_written_is_read_as_it_was(key, given, held):
    if isinstance(held, tuple):
        return
    [(read_key, read)] = read_parameters(Thing, [f"{key}={written(held)}"], "the whole").items()
    assert read_key == key and Thing(**{key: read}).params == Thing(**{key: given}).params


# ---- what a repr prints can be typed back ----


def test_repr_shows_what_differs_from_the_default():
    assert repr(Thing()) == repr(Thing(count=2, share=0.5)) == "Thing()"
    assert repr(Thing(share=0.1, mode="other", maybe=False)) == "Thing(share=0.1, mode='other', maybe=False)"
    assert repr(Thing(free=-math.inf)) == "Thing(free=float('-inf'))"


def test_a_notebook_shows_purpose_and_parameters():
    class Small(Parametrised):
        """A <small> thing.

        More of it.
        """

        name = "small"
        size: float = parameter(default=0.5, help="How <much>.")
        label: str | None = parameter(default=None, help="Any.")

    def rows(size, label):
        return f"<tr><th>size</th><td>{size}</td><td>How &lt;much&gt;.</td></tr>" + (
            f"<tr><th>label</th><td>{label}</td><td>Any.</td></tr>"
        )

    head = "<div><b>small</b>: A &lt;small&gt; thing.</div><table><tbody>"
    assert Small()._repr_html_() == f"{head}{rows('0.5', 'none')}</tbody></table>"
    assert Small(size=2, label="<b>")._repr_html_() == f"{head}{rows('<b>2.0</b>', '<b>&lt;b&gt;</b>')}</tbody></table>"
    assert type("Bare", (Parametrised,), {"name": "bare"})()._repr_html_() == "<div><b>bare</b></div>"


@pytest.mark.parametrize(("key", "given", "held"), GOOD)
def test_repr_of_any_value_can_be_typed_back(key, given, held):
    thing = Thing(**{key: given})
    assert getattr(eval(repr(thing), {"Thing": Thing}), key) == held
    assert eval(repr(thing), {"Thing": Thing}).params == thing.params


@pytest.mark.parametrize("name", METHODS)
def test_repr_of_every_method_can_be_typed_back(name):
    """As `from wekaconf import *` has the names, with every parameter changed, one by one and together."""
    names = {public: getattr(wc, public) for public in wc.__all__}
    cls = Method.registry[name]
    assert eval(repr(cls()), names).params == cls().params
    changed = set()
    for key, values in OTHER_VALUES[name].items():
        for given in values:
            value, others = given if isinstance(given, tuple) else (given, {})
            method = made(name, **{key: value, **others})
            again = eval(repr(method), names)
            assert type(again) is cls
            assert again.params == method.params
            assert {of: type(value) for of, value in again.params.items()} == {
                of: type(value) for of, value in method.params.items()
            }
            changed |= {of for of, value in method.params.items() if value != parameters(cls)[of].default}
    assert changed == set(parameters(cls))


# ---- the declarations of the methods ----


@pytest.mark.parametrize("name", METHODS)
def test_the_ends_of_every_range_are_as_declared(name):
    """Both ends are allowed unless they are left out; the next number beyond is not."""
    cls = Method.registry[name]
    for declared in parameters(cls).values():
        for end, beyond in ((declared.low, -math.inf), (declared.high, math.inf)):
            if math.isinf(end):
                continue
            outside = end if declared.is_open else math.nextafter(end, beyond)
            with pytest.raises(OptionError, match=f"{name}: {declared.name} must be"):
                cls(**{declared.name: outside})
            if not declared.is_open:
                assert declared.checked(name, end) == end


def test_a_parameter_without_its_name_is_refused():
    with pytest.raises(TypeError, match=r"BoundaryDistance takes its parameters by name, BoundaryDistance\(scaling=…"):
        wc.BoundaryDistance("minmax")


def test_an_empty_class_of_another_process_is_known_once_it_is_filled():
    """cloudpickle makes the classes of a notebook so."""
    registry = Registry()
    registry[""] = shell = type("Later", (), {"__module__": "__main__"})
    assert len(registry) == 0
    shell.name = "later"
    assert registry["later"] is shell and [*registry] == ["later"]
    for odd in (type("Here", (), {}), type("Full", (), {"__module__": "__main__", "run": print})):
        with pytest.raises(OptionError, match="expected a name of one word"):
            registry[""] = odd


def test_a_class_without_a_docstring_has_an_empty_one():
    assert docstring_of(type("Bare", (Thing,), {"name": "bare", "__doc__": None})) == ""
