"""The steps of an answer as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wekaconf.base.errors import printable
from wekaconf.data.wording import class_share, number
from wekaconf.methods.contract._explanation.step import Step

MOST_CLASSES = 4
"""Number of classes of a distribution that are named, the most probable first."""
MOST_PARTS = 8
"""Number of parts of a step that are shown, those with the largest weights."""
READING = "Each line follows from the lines below it:"


def account_text(names: Sequence[str], reason: str, steps: Step, certainty: Step) -> str:
    """The reason, which begins with the answer, and one line per step."""
    assert isinstance(certainty.result, float)
    lines = [reason, READING, *step_lines(names, steps)]
    if certainty.kind != "largest":
        lines += [f"certainty {number(certainty.result)}:", *step_lines(names, certainty)]
    return "\n".join(map(printable, lines))


def _outline(step: Step, depth: int) -> Iterator[tuple[int, str, Step | None]]:
    """One line per step: its indentation, its words, and the step, which is None for a line about omitted parts.

    A single part of a step stands below it; several parts are indented, each with its weight.
    """
    while True:
        yield depth, step.words, step
        if len(step.parts) != 1:
            break
        step = step.parts[0]
    shown, omitted = shown_parts(step)
    for weighing, part in shown:
        (_, words, first), *rest = _outline(part, depth + 1)
        yield depth + 1, weighing + words, first
        yield from rest
    if omitted:
        yield depth + 1, omitted, None


def step_lines(names: Sequence[str], step: Step) -> Iterator[str]:
    """The lines of `_outline`, each with its result if that is new."""
    for depth, words, line_step in _outline(step, 1):
        result = f" = {result_text(names, line_step)}" if line_step is not None and line_step.is_new else ""
        yield "  " * depth + words + result


def shown_parts(step: Step) -> tuple[list[tuple[str, Step]], str]:
    """The parts to show, each with the words for its weight that stand before it, and a line about the omitted ones."""
    parts = _weighed_parts(step)
    order = list(range(len(parts)))
    if len(order) > MOST_PARTS:
        order = sorted(order, key=lambda i: -parts[i][0])[:MOST_PARTS]
    n_omitted = len(parts) - len(order)
    line = f"and {n_omitted} more"
    if n_omitted and parts[order[-1]][0] != 1:
        line += f", with weights up to {number(max(weight for i, (weight, _) in enumerate(parts) if i not in order))}"
    pattern = "to the power {}: " if step.rule == "pooled" else "{} × "
    weighed = [(pattern.format(number(parts[i][0])) if parts[i][0] != 1 else "", parts[i][1]) for i in order]
    return weighed, line if n_omitted else ""


def _weighed_parts(step: Step) -> list[tuple[float, Step]]:
    """The parts with their weights, 1 where they have none; among weights by class, that of the most probable class.

    Nested sums, one per test of a tree, become one sum over the leaves.
    """
    if step.rule not in ("weighted", "pooled"):
        return [(1.0, part) for part in step.parts]
    parts = []
    for weight, part in zip(step.values["weights"], step.parts, strict=True):
        size = weight[int(step.array.argmax())] if isinstance(weight, list) else weight
        if step.kind == part.kind == "test" and part.rule == "weighted":
            parts += [(size * below, leaf) for below, leaf in _weighed_parts(part)]
        else:
            parts.append((size, part))
    return parts


def result_text(names: Sequence[str], step: Step) -> str:
    """A distribution by its most probable classes, or a number."""
    if not isinstance(step.result, tuple):
        return number(step.result)
    order = sorted(range(len(names)), key=lambda c: -step.array[c])
    shown = [class_share(names[c], step.result[c]) for c in order[:MOST_CLASSES] if step.result[c] > 0]
    n_more = sum(1 for c in order[MOST_CLASSES:] if step.result[c] > 0)
    return ", ".join(shown) + (f", {n_more} more" if n_more else "") if shown else "nothing"
