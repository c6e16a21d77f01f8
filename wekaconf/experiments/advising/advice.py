"""The comparison of methods on a data set, as data, as a table and in sentences."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from typing import Any

from wekaconf.base.naming import some
from wekaconf.base.shell import shell_word
from wekaconf.experiments.advising.purposes import Purpose
from wekaconf.report.comparison.measures import WORDS, written
from wekaconf.report.comparison.sentences import p_text
from wekaconf.report.printing import (
    Block,
    Column,
    Names,
    fold_words,
    print_blocks,
    print_legend,
    print_text,
    screen_width,
)
from wekaconf.report.reject_tables import KNOWN_HEADING, KNOWN_MEANING
from wekaconf.report.tables import HEADINGS, MEANINGS

SHORT = {**HEADINGS, "aurc": "AURC", "error_at_0.8": "error\nat 80 %", "auroc_known": KNOWN_HEADING}
MEANING = {
    **MEANINGS,
    "aurc": "mean error of the answers over all coverages; 0 is best",
    "error_at_0.8": "error at coverage 80 %, where the most certain are answered",
    "auroc_known": KNOWN_MEANING,
}
MARKS = {"plain tree": "P", "better": "v", "worse": "*", "no difference": "", "equal": "=", "not tested": "?"}
"""Every verdict with its mark in the table."""
MARK_MEANINGS = {
    "P": "the plain tree",
    "v": "significantly better than the plain tree, all methods considered",
    "*": "significantly worse",
    "=": "the same as the plain tree on every split",
    "?": "not tested: fewer than two splits where it is defined, or too much alike",
}
MOST_LISTED = 3
"""The largest number of less important methods that a sentence lists by name."""


@dataclass(frozen=True)
class Standing:
    """A method beside the plain tree.

    Parameters
    ----------
    method, learner : str
        As they are written on the command line.
    is_ensemble : bool
        Whether several trees answer.
    means : mapping of str to float
        The purpose's measures, means over the splits; NaN where undefined.
    gain, low, high : float
        How much better than the plain tree in the measure that decides, mean over the splits, positive where better;
        and the interval of the corrected resampled t-test, which holds for this method by itself. NaN if untested.
    p_value : float
        Of that test, two-sided, with Holm's correction for the number of methods; NaN if untested, for example if the
        difference is the same on every split, which leaves the test no variance.
    verdict : {"plain tree", "better", "worse", "no difference", "equal", "not tested"}
        "equal": the same measure on every split, as when a method changes only the certainty.
    """

    method: str
    learner: str
    is_ensemble: bool
    means: Mapping[str, float]
    gain: float
    low: float
    high: float
    p_value: float
    verdict: str

    def __str__(self) -> str:
        """Method and learner."""
        return f"{self.method} on {self.learner}"


@dataclass(frozen=True, repr=False)
class Advice:
    """Which methods are better than the plain tree on a data set, see `wekaconf.advise`.

    Parameters
    ----------
    data_set : str
    n_instances : int
    purpose : Purpose
    protocol : str
        How the methods were measured, in words.
    level : float
        The level of the tests, over all methods together.
    budget, seconds : float
        The seconds allowed, and the seconds taken.
    standings : tuple of Standing
        All methods that were measured, the best first.
    left_out : mapping of str to str
        The methods that were not measured, each with the reason.
    """

    data_set: str
    n_instances: int
    purpose: Purpose
    protocol: str
    level: float
    budget: float
    seconds: float
    standings: tuple[Standing, ...]
    left_out: Mapping[str, str]

    @property
    def plain(self) -> Standing:
        """The plain tree."""
        return next(each for each in self.standings if each.verdict == "plain tree")

    @property
    def better(self) -> tuple[Standing, ...]:
        """The methods that are significantly better than the plain tree, the best first."""
        return tuple(each for each in self.standings if each.verdict == "better")

    @property
    def choice(self) -> Standing:
        """The method to use: the best of those that are significantly better, else the plain tree."""
        return (*self.better, self.plain)[0]

    def command(self, data: str, *, learner: str | None = None, further: str = "", encoding: str = "utf-8") -> str:
        """The command line that uses the choice, for a POSIX shell.

        Parameters
        ----------
        data : str
            The file to train on.
        learner : str, optional
            The learner as the user gave it for all methods; that of the choice when left out.
        further : str
            Other options that the choice was measured with, quoted for a shell, such as ``--preprocess wang2006``.
        encoding : str
            That of the terminal, see `shell_word`.
        """
        return " ".join(self._command_words(data, learner, further, encoding))

    def _command_words(self, data: str, learner: str | None, further: str, encoding: str) -> list[str]:
        """The words of `command`, each quoted."""
        words = ["wekaconf", "predict", "-t", data, "-T", "NEW", "--learner", learner or self.choice.learner]
        words += ["--method", self.choice.method, *shlex.split(further)]
        words += ["--keep", "0.9"] if self._rejects else []
        return [shell_word(word, encoding) for word in words]

    @property
    def _rejects(self) -> bool:
        return self.purpose.name in ("rejecting", "foreign")

    def sentences(self) -> list[str]:
        """The findings in sentences; every number in them is computed."""
        return [*self._verdict(), *self._caution(), *self._left_out()]

    def text(
        self, data: str = "DATA", *, learner: str | None = None, further: str = "", encoding: str = "utf-8"
    ) -> str:
        """The ranking, the findings and the command line, folded to the width of the screen; see `command`."""
        words = self._command_words(data, learner, further, encoding)
        trees = self._learners[0] if len(self._learners) == 1 else "each method on its own learner"
        with redirect_stdout(StringIO()) as printed:
            print_text(
                f"For {self.purpose.title}: {self.data_set}, {self.n_instances} instances; {trees}; "
                f"{self.protocol}, mean over the splits"
            )
            self._print_table()
            for sentence in ("", *self.sentences()):
                print_text(sentence)
            print_text("")
            print_text(f"To use it (NEW: {''.join(self._placeholders())}):")
        folded = " \\\n    ".join(fold_words(words, max(screen_width() - 8, 20)))
        return f"{printed.getvalue()}  {folded}\n"

    def as_dict(self) -> dict[str, Any]:
        """Everything as values for JSON."""
        return {
            "data_set": self.data_set,
            "n_instances": self.n_instances,
            "purpose": self.purpose.name,
            "measure": self.purpose.measure,
            "protocol": self.protocol,
            "level": self.level,
            "budget": self.budget,
            "seconds": self.seconds,
            "choice": {"method": self.choice.method, "learner": self.choice.learner},
            "helps": bool(self.better),
            "standings": [{**asdict(each), "means": dict(each.means)} for each in self.standings],
            "left_out": dict(self.left_out),
            "sentences": self.sentences(),
        }

    def __repr__(self) -> str:
        """The choice."""
        return f"Advice({self.data_set}, {self.purpose.name}: {self.choice}, {self.choice.verdict})"

    def _print_table(self) -> None:
        first, *others = self.purpose.measures
        names = Names.of_no_group([self._name_of(each) for each in self.standings])
        columns = [
            self._column(first),
            Column("gain", ["" if each is self.plain else _signed(each.gain) for each in self.standings]),
            Column("interval", [_interval(each) for each in self.standings]),
            Column("", [MARKS[each.verdict] for each in self.standings], justify="left"),
        ]
        blocks = [Block("", columns)]
        if others:
            blocks.append(Block("", [self._column(name) for name in others]))
        print_blocks(names, blocks)
        legend = {SHORT[name]: MEANING[name] for name in self.purpose.measures if name in MEANING}
        legend["gain"] = f"better than the plain tree by so much in {SHORT[first].replace(chr(10), ' ')}"
        legend["interval"] = f"{100 * (1 - self.level):g} %, corrected resampled t-test, for each method by itself"
        legend |= {mark: meaning for mark, meaning in MARK_MEANINGS.items() if mark in columns[-1].cells}
        print_legend(legend)

    @property
    def _learners(self) -> list[str]:
        return list(dict.fromkeys(each.learner for each in self.standings))

    def _name_of(self, standing: Standing) -> str:
        """The method, with its learner if there are several."""
        return standing.method if len(self._learners) == 1 else str(standing)

    def _column(self, measure: str) -> Column:
        return Column(SHORT[measure], [written(measure, each.means[measure]) for each in self.standings])

    def _placeholders(self) -> Iterator[str]:
        yield "the file that is to be answered"
        if self._rejects:
            yield "; --keep: the share of the correct answers that is to stay"

    def _verdict(self) -> Iterator[str]:
        measure, plain = self.purpose.measure, self.plain
        n_tested = sum(1 for each in self.standings if not math.isnan(each.p_value))
        how = f"(corrected resampled t-test, Holm-corrected for {n_tested} methods, level {self.level:g})"
        if math.isnan(plain.means[measure]):
            yield (
                f"The {WORDS[measure]} is defined on no split, so nothing can be compared. That needs two kinds of "
                "instances among those that are answered: of two classes, or right and wrong answers. Fewer folds have "
                "larger splits."
            )
            return
        if not n_tested:
            yield "Nothing could be tested: that takes two splits on which the measure is defined. Keep the plain tree."
            return
        if measure == "aurc" and plain.means[measure] == 0:
            yield "Nothing is to be rejected here: the plain tree made no error on any split. Keep the plain tree."
        elif not self.better:
            yield (
                f"Nothing helps here: no method is significantly better than the plain tree {how}. Keep the plain tree."
            )
        for each in self.better[:1]:
            yield (
                f"{self._name_of(each)} is significantly better than the plain tree {how}: {WORDS[measure]} "
                f"{written(measure, each.means[measure])} against {written(measure, plain.means[measure])}, "
                f"{p_text(each.p_value)}."
            )
            if each.is_ensemble:
                single = [other for other in self.better if not other.is_ensemble]
                yield (
                    "It asks many trees, so no single path explains an answer. "
                    + (f"Of those that are better and read one tree, {self._name_of(single[0])} is the best."
                       if single else "No method that reads one tree is significantly better.")
                )  # fmt: skip
        ahead = [
            each for each in self.standings[: self.standings.index(self.choice)] if each.verdict == "no difference"
        ]
        if ahead:
            names = [f"{self._name_of(each)} ({p_text(each.p_value)})" for each in ahead]
            yield (
                "Ahead of it on average, but not significantly once the number of methods is considered: "
                f"{some(names, MOST_LISTED)}. More runs tell more."
            )
        if others := [self._name_of(each) for each in self.better[1:]]:
            yield f"Also significantly better: {', '.join(others)}."
        if worse := [self._name_of(each) for each in self.standings if each.verdict == "worse"]:
            yield f"Significantly worse: {', '.join(worse)}."
        if equal := [self._name_of(each) for each in self.standings if each.verdict == "equal"]:
            yield f"The same as the plain tree on every split (=): {some(equal, MOST_LISTED)}."

    def _caution(self) -> Iterator[str]:
        if len(self.better) > 1:
            first, second = map(self._name_of, self.better[:2])
            yield (
                f"The order among those that are better was not tested: {first} may lead {second} by chance, and the "
                "best of many looks better than it is."
            )

    def _left_out(self) -> Iterator[str]:
        late = [scheme for scheme, reason in self.left_out.items() if reason == "the time was over"]
        if late:
            yield f"Not measured within {self.budget:g} s: {', '.join(late)}. A larger budget measures them, too."
        for scheme, reason in self.left_out.items():
            if scheme not in late:
                yield f"Left out: {scheme} ({reason})."


def _signed(gain: float) -> str:
    return "–" if math.isnan(gain) else f"{round(gain, 4) + 0.0:+.4f}"


def _interval(standing: Standing) -> str:
    if standing.verdict in ("plain tree", "equal") or math.isnan(standing.low):
        return ""
    return " to ".join(f"{round(bound, 3) + 0.0:+.3f}" for bound in (standing.low, standing.high))
