"""The comparison of methods on a data set, as data, as a table and in sentences."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from typing import Any

from wekaconf.base.naming import counted, enumeration, some
from wekaconf.base.shell import shell_word
from wekaconf.experiments.advising._candidates import Purpose
from wekaconf.experiments.advising._standings import Decision, Standing
from wekaconf.report.comparison import WORDS, value_text
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
from wekaconf.report.tables import HEADINGS, KNOWN_HEADING, KNOWN_MEANING, MEANINGS

SHORT = {**HEADINGS, "aurc": "AURC", "error_at_0.8": "error\nat 80 %", "auroc_known": KNOWN_HEADING}
NAMES = {
    "auc_weighted": "weighted AUC", "brier": "Brier score", "aurc": "AURC", "auroc_known": WORDS["auroc_known"],
}  # fmt: skip
"""Every measure that decides with its name in a decision."""
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
    "=": "the same value as the plain tree's on every split",
    "?": "not tested: fewer than two splits where it is defined, or too much alike",
}
MOST_LISTED = 3
"""The largest number of less important methods that a sentence lists by name."""
MOST_SHOWN = 10
"""The number of methods in the short table, beside the plain tree and the choices."""
MOST_DIGITS = 6
"""The largest number of digits after the point of a gain in a decision."""
OPENINGS = {"all": "", "wekaconf": "Of wekaconf's own methods, ", "one tree": "On one tree, which can be read, "}
"""How a decision begins, by what it chose from."""
TO_USE = {"all": "To use it", "wekaconf": "To use wekaconf's own", "one tree": "On one tree"}


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
        The level of the tests; of those in the table over all methods together.
    budget, seconds : float
        The seconds allowed, and the seconds taken.
    decisions : tuple of Decision
        Out of all methods; then, if that is for a rival, out of this package's own; then, if the last is for an
        ensemble, out of those that read one tree.
    standings : tuple of Standing
        All methods that were measured, the one with the largest gain first.
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
    decisions: tuple[Decision, ...]
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
        """The method to use, out of this package's own: the choice of the first decision that is not for a rival."""
        return next(each.choice for each in self.decisions if not each.choice.is_rival)

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
        return " ".join(self._command_words(self.choice, data, learner, further, encoding))

    def _command_words(
        self, choice: Standing, data: str, learner: str | None, further: str, encoding: str
    ) -> list[str]:
        """The words of the command line that uses one of our methods, each quoted."""
        words = ["wekaconf", "predict", "-t", data, "-T", "NEW", "--learner", learner or choice.learner]
        words += ["--method", choice.method, *shlex.split(further)]
        words += ["--keep", "0.9"] if self.purpose.is_about_certainty else []
        return [shell_word(word, encoding) for word in words]

    def sentences(self) -> list[str]:
        """The decisions, then the other findings, in sentences; every number in them is computed."""
        return [*map(self._decided, self.decisions), *self._findings(), *self._left_out()]

    def text(
        self,
        data: str = "DATA",
        *,
        learner: str | None = None,
        further: str = "",
        encoding: str = "utf-8",
        whole: bool = False,
    ) -> str:
        """The decisions, the command lines, the table and the findings, folded to the width of the screen.

        Parameters
        ----------
        data, learner, further, encoding
            See `command`.
        whole : bool
            Whether the table has all methods and measures, not the best ten methods and the measure that decides.
        """
        shown = self.standings if whole else self._shown()
        measures = self.purpose.measures if whole else self.purpose.measures[:1]
        with redirect_stdout(StringIO()) as printed:
            for decision in self.decisions:
                print_text(self._decided(decision))
            print_text("")
            for part in self._commands(data, learner, further, encoding):
                print_text(part) if isinstance(part, str) else print("  " + " \\\n    ".join(part))
            print_text("")
            trees = self._learners[0] if len(self._learners) == 1 else "each method on its own learner"
            print_text(
                f"For {self.purpose.title}: {self.data_set}, {self.n_instances} instances; {trees}; "
                f"{self.protocol}, mean over the splits"
            )
            self._print_table(shown, measures)
            for sentence in ("", *self._not_shown(shown, measures), *self._findings(), *self._left_out()):
                print_text(sentence)
        return printed.getvalue().rstrip("\n") + "\n"

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
            "choice": _scheme(self.choice),
            "decisions": [
                {
                    **{name: getattr(each, name) for name in ("out_of", "verdict", "gain", "low", "high", "p_value")},
                    "choice": _scheme(each.choice),
                    "leader": _scheme(each.leader),
                    "alike": [_scheme(other) for other in each.alike],
                }
                for each in self.decisions
            ],
            "standings": [{**asdict(each), "means": dict(each.means)} for each in self.standings],
            "left_out": dict(self.left_out),
            "sentences": self.sentences(),
        }

    def __str__(self) -> str:
        """The decisions."""
        return "\n".join(map(self._decided, self.decisions))

    def __repr__(self) -> str:
        """The choice."""
        return f"Advice({self.data_set}, {self.purpose.name}: {self.choice}, {self.decisions[0].verdict})"

    def _print_table(self, shown: Sequence[Standing], measures: Sequence[str]) -> None:
        first, *others = measures

        def column(measure: str) -> Column:
            return Column(SHORT[measure], [value_text(measure, each.means[measure]) for each in shown])

        columns = [
            column(first),
            Column("lead", ["" if each is self.plain else _signed(each.gain) for each in shown]),
            Column("interval", [_interval(each) for each in shown]),
            Column("", [MARKS[each.verdict] for each in shown], justify="left"),
        ]
        blocks = [Block("", columns)]
        if others:
            blocks.append(Block("", [column(name) for name in others]))
        print_blocks(Names.of_no_group([self._name_of(each) for each in shown]), blocks)
        legend = {SHORT[name]: MEANING[name] for name in measures if name in MEANING}
        legend["lead"] = (
            f"advantage over the plain tree in {NAMES[first]}, on the folds that chose; the largest lead flatters, and "
            "the first line says what remains of it on other folds"
        )
        legend["interval"] = f"{100 * (1 - self.level):g} %, corrected resampled t-test, for each method by itself"
        legend |= {mark: meaning for mark, meaning in MARK_MEANINGS.items() if mark in columns[-1].cells}
        print_legend(legend)

    def _shown(self) -> tuple[Standing, ...]:
        """The rows of the short table."""
        if len(self.standings) <= MOST_SHOWN + 2:
            return self.standings
        kept = [*self.standings[:MOST_SHOWN], self.plain, *(each.choice for each in self.decisions)]
        return tuple(each for each in self.standings if each in kept)

    def _not_shown(self, shown: Sequence[Standing], measures: Sequence[str]) -> Iterator[str]:
        n_methods = len(self.standings) - len(shown)
        missing = [counted(n_methods, "method")] if n_methods else []
        missing += [SHORT[name].replace("\n", " ") for name in self.purpose.measures if name not in measures]
        if missing:
            yield f"Not shown without -v: {enumeration(missing)}."

    def _commands(self, data: str, learner: str | None, further: str, encoding: str) -> Iterator[str | list[str]]:
        """The text above each command line, and the lines of the command."""
        keep = "; --keep: the share of the correct answers that is to stay" * self.purpose.is_about_certainty
        choices = [each for each in self.decisions if not each.choice.is_rival]
        for place, decision in enumerate(choices):
            if place and decision.choice is self.plain:
                continue
            meaning = "" if place else f" (NEW: the file that is to be answered{keep})"
            yield f"{TO_USE[decision.out_of]}{meaning}:"
            words = self._command_words(decision.choice, data, learner, further, encoding)
            yield fold_words(words, max(screen_width() - 8, 20))

    @property
    def _learners(self) -> list[str]:
        return list(dict.fromkeys(each.learner for each in self.standings if not each.is_rival))

    def _name_of(self, standing: Standing) -> str:
        """The method, with its learner if there are several."""
        return standing.method if len(self._learners) == 1 else str(standing)

    def _decided(self, decision: Decision) -> str:
        """The decision in one sentence."""
        sentence = f"{OPENINGS[decision.out_of]}{self._use(decision)}"
        return f"{sentence[0].upper()}{sentence[1:]}."

    def _use(self, decision: Decision) -> str:
        from wekaconf.experiments.advising._rivals import RIVALS

        choice, verdict = decision.choice, decision.verdict
        name = NAMES[self.purpose.measure]
        if verdict in ("proven", "not proven"):
            kind = f" ({RIVALS[choice.method].made_of})" if choice.is_rival else ""
            kind += ", an ensemble without a decision path" if choice.is_ensemble and not self.plain.is_ensemble else ""
            doubt = "" if verdict == "proven" else f", not proven with {self.n_instances} rows"
            if doubt and decision.p_value <= self.level:
                doubt += f", as {self._n_tested} methods were tried"
            gain, *interval = self._amounts(decision)
            better = " ".join([f"on folds that did not choose it, {name} better by about {gain}", *interval])
            return f"use {self._name_of(choice)}{kind}: {better} than with the plain tree{doubt}"
        reasons = {
            "not held": f"{self._name_of(decision.leader)} leads, but the leading method gains nothing on folds that "
            f"did not choose it ({' '.join(self._amounts(decision))})",
            "none better": "nothing here is better",
            "no error": "it made no error on any split, so nothing is to be rejected",
            "undefined": f"the {WORDS[self.purpose.measure]} is defined on no split, so nothing can be compared",
            "not tested": "nothing could be tested",
        }
        return f"stay with the plain tree: {reasons[verdict]}"

    def _amounts(self, decision: Decision) -> Iterator[str]:
        """The gain, and its interval if there is one, with as many digits as the interval's width lets them have."""
        half = (decision.high - decision.low) / 2
        digits = max(2, -math.floor(math.log10(half))) if half > 0 else 2
        ends = (decision.gain, decision.low, decision.high)
        while digits < MOST_DIGITS and any(
            value and not math.isnan(value) and not round(value, digits) for value in ends
        ):
            digits += 1
        gain, low, high = (f"{round(value, digits) + 0.0:.{digits}f}" for value in ends)
        yield gain
        if half > 0:
            yield f"({100 * (1 - self.level):g} % {low} to {high})"

    @property
    def _n_tested(self) -> int:
        return sum(1 for each in self.standings if not math.isnan(each.p_value))

    def _findings(self) -> Iterator[str]:
        verdicts = [each.verdict for each in self.standings]
        n_tested = self._n_tested
        if self.decisions[0].verdict == "undefined":
            yield (
                "That measure needs two kinds of instances among those that are answered: of two classes, or right and "
                "wrong answers. Fewer folds have larger splits."
            )
        elif not n_tested:
            yield "A test takes a method beside the plain tree, and two splits on which the measure is defined."
        else:
            better, worse = (verdicts.count(each) or "none" for each in ("better", "worse"))
            yield (
                f"In the table, significantly better than the plain tree: {better} of {counted(n_tested, 'method')}; "
                f"worse: {worse} (corrected resampled t-test, Holm-corrected for {counted(n_tested, 'method')}, level "
                f"{self.level:g})."
            )
        for decision in self.decisions:
            if decision.choice is not self.plain and decision.alike:
                alike = some([self._name_of(each) for each in decision.alike], MOST_LISTED)
                yield (
                    f"Not significantly different from {self._name_of(decision.choice)}, each tested by "
                    f"itself: {alike}."
                )
        if "not proven" in (each.verdict for each in self.decisions):
            yield "More runs tell more."

    def _left_out(self) -> Iterator[str]:
        late = [scheme for scheme, reason in self.left_out.items() if reason == "the time was over"]
        if late:
            yield f"Not measured within {self.budget:g} s: {', '.join(late)}. A larger budget measures them, too."
        for scheme, reason in self.left_out.items():
            if scheme not in late:
                yield f"Left out: {scheme} ({reason})."


def _scheme(standing: Standing) -> dict[str, Any]:
    return {"method": standing.method, "learner": standing.learner, "is_rival": standing.is_rival}


def _signed(gain: float) -> str:
    return "–" if math.isnan(gain) else f"{round(gain, 4) + 0.0:+.4f}"


def _interval(standing: Standing) -> str:
    if standing.verdict in ("plain tree", "equal") or math.isnan(standing.low):
        return ""
    return " to ".join(f"{round(bound, 3) + 0.0:+.3f}" for bound in (standing.low, standing.high))
