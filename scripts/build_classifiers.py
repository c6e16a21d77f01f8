"""Write the Java sources of the methods and of our own learners as Weka classifiers; ``--check`` compares instead.

Every class is made from what its Python class declares: parameters become options and bean properties, choices become
tags, the entry in references.bib becomes the technical information.

Tags, since Java's editor of enums shows the names of constants (``_0_01``, ``class_``), and Weka's own classifiers use
tags. NaN is the empty value of a double property, such as that of ``-reject``, which then leaves the method its own
rule.
"""

from __future__ import annotations

import argparse
import inspect
import itertools
import math
import sys
import textwrap
from pathlib import Path
from types import NoneType

import wekaconf
from wekaconf.base.parameters import Parameter, Parametrised, parameters, written
from wekaconf.learners import learner_class
from wekaconf.methods.contract._method import Method
from wekaconf.model import scheme
from wekaconf.report._references import fields
from wekaconf.tree.learner import Learner

TREES = Path(__file__).resolve().parents[1] / "java" / "src" / "weka" / "classifiers" / "trees"
MADE = "// Written by scripts/build_classifiers.py; change the Python class and run that instead."
FIELDS = ("author", "title", "booktitle", "journal", "publisher", "volume", "number", "pages", "year")
LARGEST_INT = 2**31 - 1


def sources() -> dict[str, str]:
    """The source of every class, by the name of its file."""
    return {
        f"{cls.__name__}.java": method_source(cls) if issubclass(cls, Method) else learner_source(cls)
        for cls in scheme.class_names().values()
    }


def method_source(cls: type[Method]) -> str:
    name, usual = scheme.usual_learner(cls())
    known = learner_class(name)
    class_name = getattr(known, "class_name", known.__name__).removeprefix("weka.classifiers.trees.")
    options = f"{getattr(known, 'prefix', '')} {usual}".split()
    learner = ", ".join([f"new {class_name}()", *map(quoted, options)])
    more = textwrap.indent(f"public {cls.__name__}() {{\n  super({learner});\n}}\n\n", "  ")
    texts = certainty(cls)
    texts += "" if cls.takes_forest else overridden("boolean readsEnsembles()", "return false;")
    texts += demands(cls, "reads_numbers", "readsNumbers")
    more += textwrap.indent(texts, "  ")
    return source(cls, "PostProcessedTree", more)


def learner_source(cls: type[Learner]) -> str:
    return source(cls, "PythonTree", textwrap.indent(demands(cls, "reads_nominal", "readsNominal"), "  "))


def certainty(cls: type[Method]) -> str:
    """What the certainty is, where it lies, and which is too small by the method's own rule."""
    stated = cls.certainty_range
    assert stated.meaning and (stated.low or 0) == 0, f"{cls.__name__}: -reject needs a certainty that is explained"
    texts = overridden("String certainty()", f"return {quoted(f'{stated.meaning}, in {stated}')};")
    if stated.high != 1:
        texts += overridden("double largestCertainty()", f"return {bound(stated.high)};")
    if cls._threshold is not Method._threshold:
        texts += overridden("String usualRejection()", 'return "the rule of the method, where it has one";')
    return texts


def demands(cls: type[Parametrised], question: str, name: str) -> str:
    """What is not read, which depends on the parameters whose values can be listed."""
    listed = {name: one.values for name, one in parameters(cls).items() if one.values}
    refused = {
        values
        for values in itertools.product(*listed.values())
        if not getattr(built(cls, dict(zip(listed, values, strict=True))), question, True)
    }
    if not refused:
        return ""
    matters = [
        place
        for place, values in enumerate(listed.values())
        if any((*one[:place], other, *one[place + 1 :]) not in refused for one in refused for other in values)
    ]
    names = list(listed)
    cases = sorted({tuple(one[place] for place in matters) for one in refused})
    conditions = []
    for case in cases:
        equal = (f'{java(names[at])}.equals("{text}")' for at, text in zip(matters, case, strict=True))
        conditions.append(" && ".join(equal))
    remedies = (
        f"-{names[at]} {written(value)}"
        for place, at in enumerate(matters)
        for value in listed[names[at]]
        if all(case[place] != value for case in cases)
    )
    return overridden(f"boolean {name}()", f"return !({f'{chr(10)}      || '.join(conditions)});") + overridden(
        "String remedy()", f"return {quoted(' or '.join(remedies))};"
    )


def built(cls: type[Parametrised], values: dict[str, object]) -> Parametrised | None:
    try:
        return cls(**values)
    except wekaconf.OptionError:
        return None


def overridden(signature: str, body: str) -> str:
    return f"@Override\nprotected {signature} {{\n  {body}\n}}\n\n"


def source(cls: type[Parametrised], base: str, more: str) -> str:
    known = [Property(one) for one in parameters(cls).values() if len(one.values) != 1]
    title = " ".join(inspect.cleandoc(cls.__doc__ or "").partition("\n\n")[0].split())
    reference = technical(cls.reference) if cls.reference else ""
    parts = [
        MADE,
        "package weka.classifiers.trees;",
        "\n".join(f"import {name};" for name in imports(cls, known)),
        f"/** {comment(title)} */\npublic class {cls.__name__} extends {base}"
        f"{' implements TechnicalInformationHandler' if reference else ''} {{\n"
        "  private static final long serialVersionUID = 1;\n",
    ]
    tags = "".join(one.tags for one in known)
    body = tags + ("\n" if tags else "") + "".join(one.field for one in known) + ("\n" if known else "")
    body += more.replace("\n  \n", "\n\n")
    body += method("public static void main(String[] options)", f"runClassifier(new {cls.__name__}(), options);", "")
    cited = ' + " For more, see\\n\\n" + getTechnicalInformation()' if reference else ""
    body += method("public String globalInfo()", f"return {quoted(title)}{cited};", "")
    body += method("public String getRevision()", f"return {quoted(wekaconf.__version__)};")
    body += reference
    body += method("protected String pythonName()", f"return {quoted(cls.name)};")
    body += method(
        "protected List<String> ownOptions()",
        "List<String> options = new ArrayList<>();\n" + "".join(one.given for one in known) + "return options;",
    )
    body += method(
        "protected List<Option> listOwnOptions()",
        "List<Option> options = new ArrayList<>();\n" + "".join(one.option for one in known) + "return options;",
    )
    body += method(
        "protected void setOwnOptions(String[] options) throws Exception", "".join(one.read for one in known)
    )
    body += "".join(one.accessors for one in known)
    return "\n\n".join(parts) + "\n" + body.rstrip() + "\n}\n"


def imports(cls: type[Parametrised], known: list[Property]) -> list[str]:
    names = ["java.util.ArrayList", "java.util.List", "weka.core.Option"]
    if cls.reference:
        names += ["weka.core.TechnicalInformation", "weka.core.TechnicalInformation.Field",
                  "weka.core.TechnicalInformation.Type", "weka.core.TechnicalInformationHandler"]  # fmt: skip
    if any(one.is_choice for one in known):
        names += ["weka.core.SelectedTag", "weka.core.Tag"]
    return sorted([*names, *(["weka.core.Utils"] if known else [])])


def method(signature: str, body: str, annotation: str = "@Override\n") -> str:
    text = f"{annotation}{signature} {{\n{textwrap.indent(body.rstrip(), '  ')}\n}}\n\n"
    return textwrap.indent(text, "  ").replace("\n  \n", "\n\n")


def technical(key: str) -> str:
    kind, entry = fields(key)
    lines = [f"TechnicalInformation information = new TechnicalInformation(Type.{kind.upper()});"]
    for name in FIELDS:
        if name in entry:
            text = entry[name].replace("--", "-")
            lines.append(f"information.setValue(Field.{name.upper()}, {quoted(text)});")
    return method("public TechnicalInformation getTechnicalInformation()", "\n".join([*lines, "return information;"]))


class Property:
    """A parameter as a bean property and an option of Weka's."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter, self.name, self.variable = parameter, parameter.name, java(parameter.name)
        self.capital = self.variable[0].upper() + self.variable[1:]
        self.is_choice = bool(parameter.values) and set(parameter.values) != {True, False}
        self.constant = f"TAGS_{self.name.upper()}"
        kinds = set(parameter.kinds)
        if self.is_choice:
            self.type = "String"
        elif kinds == {bool}:
            self.type = "boolean"
        elif kinds == {int}:
            self.type = "long" if LARGEST_INT < parameter.high < math.inf else "int"
        elif kinds == {float}:
            self.type = "double"
        else:
            self.type = "String"
        self.is_number_or_none = self.type == "String" and NoneType in kinds and not self.is_choice

    @property
    def bean(self) -> str:
        """The name that java.beans.Introspector gives it."""
        return self.capital if len(self.capital) > 1 and self.capital[:2].isupper() else self.variable

    @property
    def default(self) -> str:
        value = self.parameter.default
        if self.type == "String":
            return quoted(written(value))
        if self.type == "double":
            return bound(value)
        return f"{written(value)}{'L' if self.type == 'long' else ''}"

    @property
    def field(self) -> str:
        return f"  private {self.type} {self.variable} = {self.default};\n"

    @property
    def tags(self) -> str:
        """The values of a choice."""
        if not self.is_choice:
            return ""
        values = ", ".join(quoted(written(value)) for value in self.parameter.values)
        return f"  public static final Tag[] {self.constant} = Options.tags({values});\n"

    @property
    def shown(self) -> str:
        """The value as a text."""
        if self.type == "String":
            return self.variable
        return f"Options.text({self.variable})" if self.type == "double" else f"String.valueOf({self.variable})"

    @property
    def given(self) -> str:
        add = f'options.add("-{self.name}");\noptions.add({self.shown});\n'
        if self.type == "String" and not self.is_number_or_none and not self.is_choice:
            return f"if (!{self.variable}.isEmpty()) {{\n{textwrap.indent(add, '  ')}}}\n"
        return add

    @property
    def option(self) -> str:
        lines = textwrap.wrap(f"{self.parameter.help} (default: {written(self.parameter.default) or 'none'})", 70)
        said = '\n    + "\\n'.join(quoted("\t" + line)[1:] for line in lines)
        valid = "|".join(map(written, self.parameter.values)) or ("text" if self.type == "String" else "number")
        valid = "number|none" if self.is_number_or_none else valid
        return f'options.add(new Option("{said},\n    "{self.name}", 1, "-{self.name} <{valid}>"));\n'

    @property
    def read(self) -> str:
        texts = {
            "boolean": "Options.flag", "int": "Options.whole", "long": "Options.longWhole", "double": "Options.number",
        }  # fmt: skip
        text = f'Utils.getOption("{self.name}", options)'
        if self.is_choice:
            return f'{self.variable} = Options.choice({self.constant}, {self.default}, "{self.name}", {text});\n'
        if self.type == "String":
            value = f"Options.text({self.default}, {text})"
        else:
            value = f'{texts[self.type]}({self.default}, "{self.name}", {text})'
        return f"set{self.capital}({value});\n"

    @property
    def accessors(self) -> str:
        one, check = self.parameter, ""
        tip = method(f"public String {self.bean}TipText()", f"return {quoted(one.help)};", "")
        if self.is_choice:
            value = f'Options.choice({self.constant}, {self.default}, "{self.name}",\n    selected'
            return (
                method(
                    f"public SelectedTag get{self.capital}()",
                    f"return Options.selected({self.constant}, {self.variable});", "",
                )
                + method(
                    f"public void set{self.capital}(SelectedTag selected)",
                    f"{self.variable} = {value}.getSelectedTag().getReadable());", "",
                )
                + tip
            )  # fmt: skip
        if self.is_number_or_none or (self.type in ("int", "long", "double") and one.bounds):
            name = "checkOrNone" if self.is_number_or_none else "check"
            limits = f"{bound(one.low)}, {bound(one.high)}, {written(one.is_open)}"
            check = f'Options.{name}("{self.name}", {self.variable}, {limits},\n    {quoted(one.valid)});\n'
        return (
            method(f"public {self.type} get{self.capital}()", f"return {self.variable};", "")
            + method(
                f"public void set{self.capital}({self.type} {self.variable})",
                f"{check}this.{self.variable} = {self.variable};", "",
            )
            + tip
        )  # fmt: skip


def bound(value: float) -> str:
    """The end of a range as a double in Java."""
    return f"Double.{'POSITIVE' if value > 0 else 'NEGATIVE'}_INFINITY" if math.isinf(value) else repr(float(value))


def java(name: str) -> str:
    """A name as Java writes it: minInstances."""
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    pieces = textwrap.wrap(escaped, 90, drop_whitespace=False, break_long_words=False, replace_whitespace=False) or [""]
    return "\n    + ".join(f'"{piece}"' for piece in pieces)


def comment(text: str) -> str:
    return text.replace("*/", "* /")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the sources in java/, write nothing")
    check = parser.parse_args().check
    wanted = sources()
    written_before = {path.name for path in TREES.glob("*.java") if path.read_text("utf-8").startswith(MADE)}
    differing = sorted(
        name for name in wanted.keys() | written_before
        if not (TREES / name).exists() or name not in wanted or (TREES / name).read_text("utf-8") != wanted[name]
    )  # fmt: skip
    if check:
        if differing:
            sys.exit(f"run scripts/build_classifiers.py: {', '.join(differing)} differ from what Python declares")
        print(f"{len(wanted)} classes are what Python declares")
        return
    for name in written_before - wanted.keys():
        (TREES / name).unlink()
    for name in differing:
        if name in wanted:
            (TREES / name).write_text(wanted[name], encoding="utf-8", newline="\n")
    print(f"{len(wanted)} classes, {len(differing)} of them changed; run scripts/build_jar.py next")


if __name__ == "__main__":
    main()
