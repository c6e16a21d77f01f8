"""The parts of an evaluation that can be answered in another process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from wekaconf.evaluation.cross_validation import n_answers
from wekaconf.evaluation.finished import Finished, InMemory, Key, Piece
from wekaconf.evaluation.leave_one_out import LeaveOneOut, leaves_out_by_itself
from wekaconf.experiments.runner.plan import Group


class Part(NamedTuple):
    """A unit of work: some splits of one run, to be answered by some methods of a group.

    Parameters
    ----------
    run : int
    methods : tuple of int
        The indices of the methods in the group.
    folds : tuple of int, or None
        The first split of the run and the one after the last; None: a whole run that leaves one instance out at a time.
    """

    run: int
    methods: tuple[int, ...]
    folds: tuple[int, int] | None


class PartOutcome(NamedTuple):
    """The answers of a part, and the errors of the methods that failed.

    Parameters
    ----------
    pieces : mapping of Key to Piece
    errors : mapping of int to Exception
        By the index of the method in the group.
    """

    pieces: Mapping[Key, Piece]
    errors: Mapping[int, Exception]


@dataclass(frozen=True, eq=False)
class Work:
    """A part with the data, learner and methods that it needs, to be sent to another process; a call answers it."""

    group: Group
    part: Part

    def __call__(self) -> PartOutcome:
        """Answer the part. Where a method fails, the others answer without it, on trees that are grown again."""
        every = tuple(range(len(self.part.methods)))
        try:
            return PartOutcome(self._pieces(every), {})
        except Exception as error:
            if len(every) == 1:
                return PartOutcome({}, {self.part.methods[0]: error})
        pieces, errors = dict[Key, Piece](), dict[int, Exception]()
        for i in every:
            try:
                pieces |= self._pieces((i,))
            except Exception as error:
                errors[self.part.methods[i]] = error
        return PartOutcome(pieces, errors)

    def _pieces(self, chosen: tuple[int, ...]) -> dict[Key, Piece]:
        finished = InMemory()
        labels = list(self.group.methods)
        replace(self.group, methods={labels[i]: self.group.methods[labels[i]] for i in chosen}).answers(finished)
        first, methods = (self.part.folds or (0, 0))[0], self.part.methods
        return {
            Key(self.part.run, methods[chosen[key.method]], key.what, key.place + first): piece
            for key, piece in finished.pieces.items()
        }

    @property
    def n_answers(self) -> int:
        """Number of answers, summed over the methods of the part."""
        return self.group.n_answers


def missing_work(group: Group, finished: Finished, jobs: int) -> Iterator[Work]:
    """The parts that are not answered yet; at least as many as there are jobs where the splits allow it."""
    methods = list(group.methods.values())
    n_blocks = max(-(-2 * jobs // len(group.runs)), 1)
    is_plain = group.rejection is None and group.prepare is None and group.weigh is None
    for run, splits in enumerate(group.runs):
        sizes = [finished.sizes(run, i) for i in range(len(methods))]
        by_itself = [
            isinstance(splits, LeaveOneOut) and is_plain and leaves_out_by_itself(method) for method in methods
        ]
        whole = tuple(
            i
            for i, piece_sizes in enumerate(sizes)
            if by_itself[i] and sum(n for (what, _), n in piece_sizes.items() if what != "split") < n_answers(splits)
        )
        if whole:
            yield _work(group, Part(run, whole, None))
        if all(by_itself):
            continue
        missing = [
            tuple(
                i
                for i, piece_sizes in enumerate(sizes)
                if not by_itself[i] and piece_sizes.get(("split", fold)) != len(test)
            )
            for fold, (_, test) in enumerate(splits)
        ]
        size = max(-(-len(splits) // n_blocks), 1)
        begin = 0
        for fold in range(1, len(splits) + 1):
            if fold == len(splits) or missing[fold] != missing[begin] or fold - begin == size:
                if missing[begin]:
                    yield _work(group, Part(run, missing[begin], (begin, fold)))
                begin = fold


def _work(group: Group, part: Part) -> Work:
    """The part, with what it needs of its group."""
    labels = list(group.methods)
    splits = group.runs[part.run]
    group_of_part = replace(
        group,
        methods={labels[i]: group.methods[labels[i]] for i in part.methods},
        runs=[splits if part.folds is None else splits[slice(*part.folds)]],
        known=None if group.known is None else [group.known[part.run]],
    )
    return Work(group_of_part, part)
