"""The explanations of some answers of a file: as text, JSON, or one HTML page."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wekaconf.base.errors import printable
from wekaconf.base.naming import html_name, html_text, shown
from wekaconf.data import NOT_SEEN
from wekaconf.data.wording import apart, class_text, decimal_mark
from wekaconf.methods.contract import Account, is_rejected
from wekaconf.report._html_page import read_asset
from wekaconf.report._titles import model_title
from wekaconf.report.printing import strict

__all__ = ["ENDINGS", "ExplainedAnswer", "as_html", "as_json", "as_text", "model_title"]

ENDINGS = {".txt": "text", ".json": "json", ".html": "html"}
"""The formats by the endings of files."""
PAGE_STYLE = (
    "body{max-width:50rem}ul{padding-left:1.2rem}td,th{padding:.1rem .6rem .1rem 0;text-align:left;font-weight:400}"
    "summary{cursor:pointer}.verdict b{border:1px solid;border-radius:1rem;padding:.05rem .8rem;margin-right:.4rem}"
    ".answered b{background:var(--better);border-color:var(--better);color:var(--page)}"
    ".rejected b{background:var(--rejected);color:var(--on-rejected)}"
    "@media print{details::details-content{content-visibility:visible;block-size:auto}"
    ".answered b{background:none;color:var(--better)}.rejected b{background:none;border-width:2px}}"
)
"""The style of the page, beside the style that all pages share."""


@dataclass(frozen=True)
class ExplainedAnswer:
    """An instance of a file with the explanation of its answer.

    Parameters
    ----------
    row : int
        The number of the instance in the file, from 1.
    name : str
        Identifier of the instance; empty if the file has none.
    actual : str
        Actual class; empty if it is unknown.
    values : mapping of str to str, float or None
        Values by attribute: numbers, names of nominal values, dates as texts; None where missing.
    unseen : collection of str
        The attributes whose values training did not have.
    account : Account
    threshold : float or None
        The certainty below which the predicted class is rejected; None: there is no threshold.
    outside : str
        What lies beyond the training data; empty if nothing does, or it is not known.
    """

    row: int
    name: str
    actual: str
    values: Mapping[str, str | float | None]
    account: Account
    threshold: float | None = None
    unseen: Collection[str] = ()
    outside: str = ""

    @property
    def title(self) -> str:
        """The instance in words: row, name and actual class."""
        name = f" ({shown(self.name)})" if self.name else ""
        return f"row {self.row}{name}" + (f", actual class {class_text(self.actual)}" if self.actual else "")

    @property
    def rejected(self) -> bool | None:
        """Whether the answer is rejected; None without a threshold."""
        if self.threshold is None:
            return None
        return bool(is_rejected(np.array(self.account.certainty.result), self.threshold))

    @property
    def correct(self) -> bool | None:
        """Whether the most probable class is the actual class; None if that is unknown."""
        return self._predicted == self.actual if self.actual else None

    @property
    def _predicted(self) -> str:
        return self.account.class_names[self.account.predicted]

    @property
    def remarks(self) -> str:
        """What the reason does not say: that the certainty is enough, and whether the answer is right, if known."""
        words = []
        if self.threshold is not None and not self.rejected and self.threshold > -np.inf:
            assert isinstance(self.account.certainty.result, float)
            with decimal_mark(self.account.decimal):
                given = apart(self.account.certainty.result, self.threshold)
            words.append("the certainty {} reaches the threshold {}".format(*given))
        if self.correct is not None:
            verb = "would have been" if self.rejected else "is"
            words.append(f"{class_text(self._predicted)} {verb} {'right' if self.correct else 'wrong'}")
        return "; ".join(words)

    def to_dict(self) -> dict[str, Any]:
        """The instance and its explanation as JSON types; numbers may be infinite or NaN."""
        return {
            "row": self.row,
            "id": self.name or None,
            "actual": self.actual or None,
            "values": dict(self.values),
            "rejected": self.rejected,
            "threshold": self.threshold,
            **self.account.to_dict(),
            "correct": self.correct,
            "outside": self.outside or None,
        }


def as_text(method: str, explained: Sequence[ExplainedAnswer], of_file: str = "") -> str:
    """The explanations as text, one paragraph per instance; ``of_file`` is a line on the whole file, which comes first.

    See `wekaconf.report._answer_summary.difference_line`.
    """
    del method
    paragraphs = [printable(of_file)] if of_file else []
    for one in explained:
        heading = printable(": ".join(filter(None, (one.title, one.remarks))))
        paragraphs.append(f"{heading}\n{one.account}")
    return "\n\n".join(paragraphs) + "\n"


def as_json(method: str, explained: Sequence[ExplainedAnswer], of_file: str = "") -> str:
    """The accounts as one JSON object, with a line on the whole file."""
    record = {"method": method, "file": of_file or None, "instances": [one.to_dict() for one in explained]}
    return json.dumps(strict(record), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def as_html(title: str, explained: Sequence[ExplainedAnswer], of_file: str = "") -> str:
    """The accounts as an HTML page without script, which loads nothing from outside, after a line on the whole file."""
    style = read_asset("wekaconf.report", "page_base.css") + PAGE_STYLE
    parts = [f'<div class="warning">{html_text(of_file)}</div>'] if of_file else []
    for one in explained:
        cells = "".join(
            f'<tr><th scope="row">{html_name(name)}</th>'
            f"<td>{_value(value)}{f' ({NOT_SEEN})' if name in one.unseen else ''}</td></tr>"
            for name, value in one.values.items()
        )
        kind = "" if one.rejected is None else "rejected" if one.rejected else "answered"
        badge, reason = f"<b>{kind}</b>" if kind else "", one.account.reason.removeprefix(kind)
        told = f'<p class="verdict {kind}">{badge}{html_text(reason)}</p>'
        told += f"<p>{html_text(one.remarks)}</p>" if one.remarks else ""
        parts.append(
            f"<section><h2>{html_text(one.title)}</h2>{told}{one.account.steps_html}"
            f"<details><summary>The values of the row</summary><table>{cells}</table></details></section>"
        )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html_text(title)}</title><style>{style}</style></head>"
        f"<body><main><h1>{html_text(title)}</h1>{''.join(parts)}</main></body></html>\n"
    )


def _value(value: str | float | None) -> str:
    if value is None:
        return "<i>missing</i>"
    return html_name(value if isinstance(value, str) else f"{value:.15g}")
