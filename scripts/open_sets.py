"""Find out what notices an unknown class best: a tree with limits, or an outlier detector of scikit-learn.

``nice -n 15 python scripts/open_sets.py [--kept FOLDER]`` with the folder of UCI sets in WEKACONF_UCI measures one data
set after the other, small ones first, in about 20 minutes of one core; a run that was interrupted goes on where it was.
Then it writes docs/records/open-sets.csv.gz, one row per class left out and scheme, and docs/records/
open-sets-curves.csv.gz, one row per data set and scheme, draws docs/assets/open-sets/curves.svg, and
`scripts/docs_records.py --write` writes the sentences of docs/open-sets.md.

The plan, written before the first figure was looked at (what was timed was not):

Sets. All of the folder with nominal classes, at most 6,000 rows and at least three classes of at least 20 rows, but for
those that hold rows of another. Rows without a class are left out, and so is a nominal attribute in which most rows
have a value of their own, a name.

Rule. Each class of at least 20 rows is left out once, and all other classes are known, those with fewer rows, too. Five
seeds each draw two thirds of every class to train on, without the class left out; the other third, of that class, too,
is tested on.

Schemes. One tree: `id3_sd` and `id3_max` on trees like those of their paper, `id3_sd` on J48 at its defaults, and by
its certainty alone Laplace's correction on J48. Detectors, fitted on all known classes together, at
the defaults of scikit-learn: isolation forest, local outlier factor, one-class SVM, and that with nu = 0.05, which is
meant to reject 5 %. They see numbers scaled, nominal values one-hot, and both imputed, all of it fitted on training
rows. Beside them the largest probability of a random forest of scikit-learn, which also reads one-hot values.

Measures. The curve of the share of unknown rows that are rejected over that of known rows that are, in which equal
scores are in random order; the area below it, the same as AUROC known/unknown; and its cost: the share of the unknown
rows that are missed, that is answered, where 5 % of the known ones are rejected. This threshold is read from the test
rows, of every scheme alike. A figure of a data set is the mean over its classes of the mean over the seeds.

Test. Wilcoxon's signed-rank test over the data sets, of `id3_sd` against each of the eight other schemes in both
measures: 16 p-values, Holm-corrected together, level 0.05. (There was a tenth scheme, `combined`, a method that has
left the package since, and with it its rows and its two tests.)

Default. `id3_sd` is named for unknown classes today. It stays so unless another scheme that reads one tree is
significantly better in area and not significantly worse in cost; of several, the one of the largest mean area takes
its place. Where `id3_sd` is not significantly better than Laplace's correction in area, and no other takes its place,
no method is advised. A detector, or the forest, that is significantly better than `id3_sd` in area and not
significantly worse in cost is named first wherever unknown classes are asked for, as what to use beside the tree.

Told beside, without a test: sets of numbers alone and the others; what each scheme rejects by its own rule.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from pathlib import Path

from _records import begun, pack, unpack, write_about
from unknown_classes import records
from unknown_classes.page import draw_curves
from unknown_classes.trials import SEEDS, data_sets, left_out_of, measured, split

from wekaconf.base.files import atomic_write


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kept", type=Path, default=Path("/tmp/open-sets"), help="where the figures of a set are kept")
    kept: Path = parser.parse_args().kept
    kept.mkdir(parents=True, exist_ok=True)
    about = begun(kept)
    warnings.simplefilter("ignore")
    found: list[records.OfSet] = []
    for name, data in data_sets().items():
        path = kept / f"{name}.json"
        if not path.exists():
            begin = time.process_time()
            of_classes = {
                data.class_names[unknown]: [measured(split(data, unknown, seed), seed) for seed in SEEDS]
                for unknown in left_out_of(data)
            }
            with atomic_write(path, "w") as file:
                json.dump(records.of_set(name, data, of_classes), file)
            print(f"{name}: {len(of_classes)} classes, {time.process_time() - begin:.0f} s", flush=True)
        found.append(json.loads(path.read_text(encoding="utf-8")))
    pack(records.FIGURES, [row for of_set in found for row in of_set["figures"]])
    pack(records.CURVES, [row for of_set in found for row in of_set["curves"]])
    write_about(records.ABOUT, about)
    draw_curves(unpack(records.CURVES))


if __name__ == "__main__":
    main()
