"""The replication of Tóth and Pataki 2006: which measurements make which section and figure."""

from __future__ import annotations

from collections.abc import Mapping

from wekaconf.replication._data_files import choose_sets, load_set
from wekaconf.replication._runner import Record
from wekaconf.replication._study import PaperMeasurement, PaperStudy, Request, Results, compare_wanted
from wekaconf.replication.toth2006.figures import figures
from wekaconf.replication.toth2006.findings import findings
from wekaconf.replication.toth2006.measurement import (
    PAPER,
    SHAPES,
    measure_by_rule,
    measure_out_of_fold,
    measure_plane,
    measure_sequences,
    measure_training_rows,
)
from wekaconf.replication.toth2006.tables import READINGS, our_figures, tables_beside

PLANES, BREAST_W = "planes", "breast-w"
PARTS_OF_PLANES = ("section 3.1", "figure 8", "figure 9", "figure 10", "figure 11")
PARTS_OF_BREAST_W = ("section 3.2", "figure 12", "figure 13")
SIZES = "figure 2"
"""The part that is measured as it is drawn, and has no records."""
N_PLANES, N_CROSS_VALIDATIONS, N_CHOICES = 10, 5, 100
N_QUICK_CHOICES = 5


def measure(name: str, path: str, *, seed: int, n_runs: int, n_choices: int) -> list[Record]:
    """Records of section 3.2 as described, of single trees on the training rows, and by cross-validation."""
    data = load_set(name, path)
    return [
        *measure_by_rule(name, data, range(seed, seed + n_choices)),
        *measure_sequences(name, data),
        *measure_training_rows(name, data),
        *measure_out_of_fold(name, data, range(seed, seed + n_runs)),
    ]


def measure_planes(seed: int, n_runs: int) -> list[Record]:
    """Records of section 3.1 on synthetic sets, which need no file."""
    return [record for shape in SHAPES for i in range(n_runs) for record in measure_plane(shape, seed + i)]


class Toth2006(PaperStudy):
    """Sections 3.1 and 3.2 with Figures 2 and 8 to 13; Figure 13's caption is lost in the text at hand.

    Cost: three minutes; twenty seconds with ``quick``.
    """

    paper = PAPER
    title = "Tóth and Pataki 2006: distance to the boundary, sections 3.1 and 3.2, Figures 2 and 8 to 13"
    parts = (SIZES, *PARTS_OF_PLANES, *PARTS_OF_BREAST_W)
    readings = tuple(READINGS)
    data_sets = (BREAST_W,)

    def measurements(self, request: Request) -> list[PaperMeasurement]:
        """Synthetic sets, and breast-w.

        ``runs`` is the number of synthetic sets of each shape, 10 when left out, of cross-validations, 5 when left out,
        and of seeds by which a tree is chosen, 100 when left out. The data set "planes" needs no file.
        """
        sets = choose_sets(PAPER, (PLANES, *self.data_sets), request.sets)
        seed, found = request.seed, list[PaperMeasurement]()
        if PLANES in sets and any(map(request.wants, PARTS_OF_PLANES)):
            found.append(
                PaperMeasurement(PLANES, measure_planes, (), {"seed": seed, "n_runs": request.n_runs(N_PLANES)})
            )
        if BREAST_W in sets and any(map(request.wants, (SIZES, *PARTS_OF_BREAST_W))):
            has_records = any(map(request.wants, PARTS_OF_BREAST_W))
            n_runs, n_choices = request.n_runs(N_CROSS_VALIDATIONS), request.n_runs(N_CHOICES, N_QUICK_CHOICES)
            parameters = {"seed": seed, "n_runs": n_runs, "n_choices": n_choices}
            found.append(PaperMeasurement(PAPER, measure if has_records else None, (BREAST_W,), parameters))
        return found

    def results(self, request: Request, records: Mapping[str, list[Record]], paths: Mapping[str, str]) -> Results:
        """Figures, tables, sentences and drawings."""
        all_records = [record for each in records.values() for record in each]
        drawers = figures(request.seed if PLANES in records else None, paths.get(BREAST_W))
        return Results(
            all_records,
            compare_wanted(PAPER, request, our_figures(all_records, request.reading or self.readings[0])),
            beside=list(tables_beside(all_records)),
            findings=list(findings(all_records)),
            figures={name: draw for name, draw in drawers.items() if request.wants(" ".join(name.split()[:2]))},
        )


STUDY = Toth2006()
