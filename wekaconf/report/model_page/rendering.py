"""The model page: one file that loads nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wekaconf.data.dataset import Dataset
from wekaconf.evaluation.promises import Promise
from wekaconf.evaluation.thresholds import promise_lines
from wekaconf.model.fitted import Model
from wekaconf.model.scheme import label_of
from wekaconf.report.html_page import palette, part, policy, templates
from wekaconf.report.model_page.gathering import Rows, gather
from wekaconf.report.model_page.packing import packed
from wekaconf.report.page.names import ShownNames
from wekaconf.report.titles import model_title
from wekaconf.tree import Forest

PACKAGE = "wekaconf.report.model_page"


@dataclass(frozen=True, eq=False)
class ModelPage:
    """A page for a browser that shows a fitted method and its tree, and answers for instances.

    Parameters
    ----------
    model : Model
    rows : Rows, optional
        Instances that a reader may choose.
    train : Dataset, optional
        The training data, as the method reads them, from which the page draws class densities. Only counts go into the
        page.
    title : str
        The title; empty: the class or the relation, the learner and the method.
    facts : mapping of str to str
        Facts about the model, by their names in the page; left out: its method and its learner.
    """

    model: Model
    rows: Rows | None = None
    train: Dataset | None = None
    title: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)

    def html(self) -> str:
        """The page as HTML.

        Raises
        ------
        OptionError
            jinja2 is not installed.
        """
        environment = templates(PACKAGE, "a page")
        shown = ShownNames()
        method, tree = self.model.method, self.model.method.tree_
        label, learner = label_of(method), f"{tree.learner} {tree.options}".strip()
        choice = self.model.choice
        stands = self.rows is None or self.rows.promise_stands
        promise = next(iter(choice.promises), None) if choice and stands else None
        content = gather(self.model, self.rows, self.train, shown) | {"label": label}
        style = f"{palette()}\n" + part("wekaconf.report", "page_base.css") + part(PACKAGE, "page.css")
        script = part(PACKAGE, "page.js")
        trees = tree.trees if isinstance(tree, Forest) else (tree,)
        n_nodes = sum(member.n_nodes for member in trees)
        size = (f"{len(trees)} trees, " if len(trees) > 1 else "") + f"{n_nodes:,} node{'s' * (n_nodes != 1)}"
        meaning = self.model.certainty_range.meaning
        certainty = {"certainty": meaning} if meaning else {}
        page: str = environment.get_template("page.html").render(
            title=self.title or model_title(self.model, shown),
            file_lines=() if self.rows is None else self.rows.file_lines,
            facts=(dict(self.facts) or {"method": label, "learner": f"{learner}, {size}"}) | certainty,
            n_filters=len(self.model.filters),
            promise_of_curve=promise if isinstance(promise, Promise) and not promise.class_name else None,
            promises=promise_lines(choice, tree.header.class_names) if choice and promise else (),
            policy=policy(style, script),
            style=style,
            script=script,
            content=packed(content),
        )
        return page
