"""The parts of an evaluation that can be answered in another process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wekaconf.evaluation.cross_validation import n_answers
from wekaconf.evaluation.finished import FinishedPieces, InMemory, Piece, PieceKey
from wekaconf.evaluation.leave_one_out import LeaveOneOut, leaves_out_by_itself
from wekaconf.experiments.runner.plan import Group


@dataclass(frozen=True, eq=False)
class Part:
    """Some splits of one run, to be answered by some methods of a group; a call answers them, in any process.

    Parameters
    ----------
    group : Group
        The group with these splits and methods only.
    run : int
        The number of the run in the whole group.
    methods : tuple of int
        The indices of the methods in the whole group.
    first_fold : int
        The number of the first split in the whole run.
    """

    group: Group
    run: int
    methods: tuple[int, ...]
    first_fold: int

    def __call__(self) -> dict[PieceKey, Piece]:
        """The pieces of the part, with their addresses in the whole group."""
        finished = InMemory()
        self.group.answers(finished)
        return {
            PieceKey(self.run, self.methods[key.method], key.kind, key.place + self.first_fold): piece
            for key, piece in finished.pieces.items()
        }


def missing_parts(group: Group, finished: FinishedPieces, jobs: int) -> Iterator[Part]:
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
            if by_itself[i] and sum(n for (kind, _), n in piece_sizes.items() if kind != "split") < n_answers(splits)
        )
        if whole:
            yield _part(group, run, whole)
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
                    yield _part(group, run, missing[begin], slice(begin, fold))
                begin = fold


def _part(group: Group, run: int, methods: tuple[int, ...], folds: slice | None = None) -> Part:
    """A part of these folds, or of a whole run that leaves one instance out at a time."""
    labels, splits = list(group.methods), group.runs[run]
    methods_of_part = {labels[i]: group.methods[labels[i]] for i in methods}
    runs, known = [splits if folds is None else splits[folds]], None if group.known is None else [group.known[run]]
    group_of_part = replace(group, methods=methods_of_part, runs=runs, known=known)
    return Part(group_of_part, run, methods, 0 if folds is None else folds.start)
