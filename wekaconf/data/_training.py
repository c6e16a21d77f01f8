"""The instances of a data set that count in training, and whether a tree can be grown on them."""

from __future__ import annotations

from wekaconf.base.errors import OptionError
from wekaconf.base.naming import counted, name_list
from wekaconf.base.words import Setting, Term, UseFilter
from wekaconf.data._dataset import Dataset, header_of
from wekaconf.data._header import WITH_CLASS


def training_part(data: Dataset) -> Dataset:
    """The instances that count in training: those that have a class and a positive weight."""
    if data.is_training_part:
        return data
    return data.take((data.class_values >= 0) & (data.weights > 0))


def check_trainable(train: Dataset) -> None:
    """Raise OptionError unless a tree can be grown on ``train``; the message gives the reason."""
    target, classes = header_of(train).class_attribute, train.class_values
    unfit = [attribute.name for attribute in train.attributes if attribute.kind in ("string", "relational")]
    if unfit:
        problem = f"string and relational attributes cannot be learned from: {name_list(unfit)}"
        advice = "remove them, or make string attributes nominal "
        remedy = UseFilter("weka.filters.unsupervised.attribute.StringToNominal")
        raise OptionError(f"'{train.relation}': {problem}; {advice}", remedy, value_of="train")
    if len(target.values) < 2:
        declared = "only 1 value" if target.values else "no value"
        problem = f"'{train.relation}': class '{target.name}' declares {declared}; a tree needs at least 2"
        remedies: list[str | Term] = [
            ": choose another attribute with ",
            WITH_CLASS,
            ", or add instances of other classes",
        ]
        if n_without := int((classes < 0).sum()):
            have = "has" if n_without == 1 else "have"
            without = f"; {counted(n_without, 'instance')} {have} no class; if one is called NA or null, "
            remedies += [without, Setting("na", ("",)), " takes empty cells alone as missing"]
        raise OptionError(problem, *remedies, value_of="train")
    if not (train.weights[classes >= 0] > 0).any():
        problem = f"has no instance with a class and a positive weight (of {len(train)} to train on)"
        raise OptionError(f"'{train.relation}' {problem}, so there is nothing to learn from", value_of="train")
