"""The options of Weka's J48 that most users set, as parameters.

A search wants values, not texts of options. What is at its default is left out, so that the tree is the one that Weka
grows without it.
"""

from __future__ import annotations

from typing import ClassVar

from wekaconf.base.parameters import Parametrised, parameter, parameters
from wekaconf.bridge.learners import J48


class J48Options(Parametrised):
    """Options of J48 with names of their own; those at their defaults are left to Weka."""

    name: ClassVar[str] = "J48Classifier"
    confidence: float = parameter(
        default=0.25, low=0, high=1, is_open=True,
        help="Confidence for pruning (Weka's -C): the smaller, the more is pruned. Not used without pruning.",
    )  # fmt: skip
    min_instances: int = parameter(default=2, low=1, help="Smallest weight of instances in a leaf (-M).")
    pruned: bool = parameter(default=True, help="Whether to prune the tree; False is Weka's -U.")
    laplace: bool = parameter(default=False, help="Whether to smooth the leaves' distributions by Laplace (-A).")
    options: str = parameter(default="", help='Other options as Weka writes them, such as "-B -S".')

    def learner(self) -> J48:
        """J48 with these options."""
        known = parameters(J48Options)
        texts = {
            "pruned": "-U",
            "confidence": f"-C {self.confidence!r}" if self.pruned else "",
            "min_instances": f"-M {self.min_instances}",
            "laplace": "-A",
            "options": self.options,
        }
        return J48(
            " ".join(text for name, text in texts.items() if getattr(self, name) != known[name].default and text)
        )
