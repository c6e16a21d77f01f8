"""What a person wants to know about a fitted model: names and texts."""

from __future__ import annotations

from wekaconf.data.table_files import Reading, found_forms
from wekaconf.data.wording import percent
from wekaconf.evaluation.thresholds import promise_lines
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import label_of
from wekaconf.tree import Forest

MOST_COLUMNS = 12
"""Number of columns that are named."""


def facts_of(model: Model) -> dict[str, str]:
    """The facts about a model, as pairs of name and text."""
    method, header, tree = model.method, model.header, model.method.tree_
    trees = tree.trees if isinstance(tree, Forest) else (tree,)
    n_nodes = sum(member.n_nodes for member in trees)
    size = (f"{len(trees)} trees, " if isinstance(tree, Forest) else "") + f"{n_nodes:,} node{'s' * (n_nodes != 1)}"
    columns = [attribute for i, attribute in enumerate(header.attributes) if i != header.class_index]
    named = ", ".join(f"{column.name} ({column.kind})" for column in columns[:MOST_COLUMNS])
    facts = {
        "method": label_of(method),
        "learned": method.in_words,
        "learner": f"{tree.learner} {tree.options}".strip() + f", {size}",
        "trained on": header.relation,
        "columns": named + (f", … ({len(columns)} in all)" if len(columns) > MOST_COLUMNS else ""),
        "class": f"{header.class_attribute.name} ({', '.join(header.class_names)})",
        **_reading(model.reading),
        "filters": str(len(model.filters)) if model.filters else "none",
        "threshold": _threshold(model),
        "to beat": model.majority_line,
        "keeps": _kept(model),
        "made": model.made,
        "versions": ", ".join(f"{name} {number}" for name, number in model.versions.items() if number),
    }
    return {name: text for name, text in facts.items() if text}


def page_facts_of(model: Model) -> dict[str, str]:
    """The facts about a model that its page does not say elsewhere."""
    return {name: text for name, text in facts_of(model).items() if name != "threshold"}


def _kept(model: Model) -> str:
    """What of the data is in the model file."""
    parts = [f"{model.method.n_kept or 'no'} training instances"]
    if model.summary is not None:
        parts.append("ranges and counts of the columns")
    if len(model.seen.digests):
        parts.append(
            f"digests of {len(model.seen.digests)} rows, by which whoever has a row can ask whether it took part"
        )
    if model.class_sets is not None:
        parts.append(f"scores of {model.class_sets.n_rows} calibration rows")
    return "; ".join(parts)


def _reading(reading: Reading) -> dict[str, str]:
    """The options with which tables are read; only those that were set."""
    parts = {
        "identifier": [reading.id] if reading.id else [],
        "left out": reading.ignore,
        "missing": [text or "empty cells alone" for text in reading.na],
    }
    parts |= {"renamed": [f"{old} = {new}" for old, new in reading.rename], "read": found_forms(reading)}
    return {name: ", ".join(texts) for name, texts in parts.items() if texts}


def _threshold(model: Model) -> str:
    if model.choice is None:
        threshold = model.method.threshold
        return "none" if threshold is None else f"{threshold:g}, the method's own rule"
    if model.choice.promises:
        return "; ".join(promise_lines(model.choice, model.header.class_names))
    aim, figures = model.choice.aim, model.choice.figures
    text = f"{model.choice.threshold:g}, {'as given' if aim.kind == 'below' else f'wanted: {aim}'}"
    if figures.n == 0:
        return text
    if not figures.accepted:
        return f"{text}; when it was chosen it rejected everything"
    return (
        f"{text}; when it was chosen it answered {percent(figures.coverage, decimals=1)}, kept "
        f"{percent(figures.kept_correct, decimals=1)} of the correct and erred in "
        f"{percent(figures.error, decimals=2)} of its answers"
    )
