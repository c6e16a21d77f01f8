"""The steps of an answer as a piece of HTML, for notebooks and files; it has no script and loads nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wekaconf.base.naming import counted, html_name, html_text
from wekaconf.base.plot_style import COLOURS
from wekaconf.data.wording import class_text, number
from wekaconf.methods.contract._explanation.step import Step
from wekaconf.methods.contract._explanation.text import READING, result_text, shown_parts

MOST_CLASSES = 6
"""The largest number of classes whose answers are counted."""
PIECE = "display:inline-block;height:.6em;print-color-adjust:exact"
SWATCH = "display:inline-block;width:.8em;height:.8em;print-color-adjust:exact"
SMALLEST = 0.005
"""The smallest share that gets a bar."""
FIRES = ("route", "fine")
"""Kinds of step in which a method departs from the tree, set in bold."""


def answers_html(
    names: Sequence[str], given: Sequence[int], n: int, reasons: Sequence[str], certainty: Sequence[float]
) -> str:
    """How many of ``n`` answers are given for each class, and a table of the first ones, with reasons and certainties.

    ``given`` are the classes of the answers that are not rejected.
    """
    counts = Counter(given).most_common()
    of_class = [f"{html_name(class_text(names[c]))} {n_of_class:,}" for c, n_of_class in counts[:MOST_CLASSES]]
    of_class += ["…"] if len(counts) > MOST_CLASSES else []
    of_class += [f"rejected {n - len(given):,}"] if n > len(given) else []
    rows = "".join(
        f"<tr><th>{i}</th><td>{html_text(reason)}</td><td>{number(sure)}</td></tr>"
        for i, (reason, sure) in enumerate(zip(reasons, certainty, strict=True))
    )
    left_out = n - len(reasons)
    rows += f"<tr><td colspan='3'>… {left_out:,} more</td></tr>" if left_out else ""
    heads = "".join(f"<th>{head}</th>" for head in ("instance", "reason", "certainty"))
    return (
        f"<table><caption>{counted(n, 'answer')}: {', '.join(of_class)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    )


def account_html(names: Sequence[str], reason: str, steps: Step, certainty: Step) -> str:
    """The reason, which begins with the answer, and `steps_html`."""
    return f'<div class="wekaconf-account"><p>{html_text(reason)}</p>{steps_html(names, steps, certainty)}</div>'


def steps_html(names: Sequence[str], steps: Step, certainty: Step) -> str:
    """A legend, and the steps as nested lists."""
    assert isinstance(certainty.result, float)
    shown = sorted(range(len(names)), key=lambda c: -steps.array[c])[: len(COLOURS)]
    legend = " ".join(
        f'<span style="display:inline-block"><span style="{SWATCH};background:{_color(c)}"></span> '
        f"{html_name(names[c])} {number(steps.array[c])}</span>"
        for c in sorted(shown)
        if steps.array[c] > 0
    )
    below = f"<p>{READING}</p><ul>{_item(names, steps)}</ul>"
    if certainty.kind != "largest":
        below += f"<p>certainty {number(certainty.result)}:</p><ul>{_item(names, certainty)}</ul>"
    return f"<p>{legend}</p><details><summary>How it was computed, step by step</summary>{below}</details>"


def _item(names: Sequence[str], step: Step) -> str:
    """One list item per step of a chain, then a nested list if the last step has several parts."""
    items = []
    while True:
        words = f"<b>{html_text(step.words)}</b>" if step.kind in FIRES else html_text(step.words)
        items.append(words + (f"<br>{_bar(names, step)}" if step.is_new else ""))
        if len(step.parts) != 1:
            break
        step = step.parts[0]
    shown, omitted = shown_parts(step)
    below = "".join(_item(names, part).replace("<li>", f"<li>{weighing}", 1) for weighing, part in shown)
    below += f"<li>{html_text(omitted)}</li>" if omitted else ""
    if below:
        items[-1] += f"<ul>{below}</ul>"
    return "".join(f"<li>{item}</li>" for item in items)


def _bar(names: Sequence[str], step: Step) -> str:
    """The result of a step: a distribution as a bar and in words, or a number."""
    result = result_text(names, step)
    if not isinstance(step.result, tuple):
        return f"<small>= {html_text(result)}</small>"
    total = sum(value for value in step.result if value > 0) or 1.0
    pieces = "".join(
        f'<span style="{PIECE};width:{100 * value / total:.1f}%;background:{_color(c)}"></span>'
        for c, value in enumerate(step.result)
        if value / total >= SMALLEST
    )
    bar = f'<span style="display:inline-block;width:12em;white-space:nowrap" aria-hidden="true">{pieces}</span>'
    return f"{bar} <small>= {html_text(result)}</small>"


def _color(c: int) -> str:
    return COLOURS[c % len(COLOURS)]
