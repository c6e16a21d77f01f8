"""Figure 6 of Katz et al. 2012: the gain over J48 by training size, drawn from our records."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wekaconf.base.naming import counted
from wekaconf.base.plot_style import COLOURS, DASHES, GREY, panels, save
from wekaconf.replication.katz2012.measurement import TIES, VARIANTS
from wekaconf.replication.katz2012.record_table import GROUPS, Measured

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLES = {"ties-half": "a tie counts ½", "ties-zero": "a tie counts 0"}


def draw(path: str | os.PathLike[str], measured: Measured) -> None:
    """Draw the mean gain in AUC over the data sets of each group, per variant, for both ways to count ties.

    Parameters
    ----------
    path : path
        A .png, .pdf or .svg file. The same records give the same bytes.
    measured : Measured
        Records by training size.

    Raises
    ------
    OptionError
        See `wekaconf.base.plot_style.check_plot`.
    OSError
        The file cannot be written.
    """
    save(path, lambda: _figure(measured))


def _figure(measured: Measured) -> Figure:
    from matplotlib.lines import Line2D

    styles = {
        (variant, group): {"color": colour, "linestyle": dash, "marker": "o", "markersize": 2.5}
        for variant, colour in zip(VARIANTS, COLOURS, strict=False)
        for group, dash in zip(GROUPS, DASHES, strict=False)
        if measured.sets_by_size(group)
    }
    legend = {
        f"{variant}, {group} ({counted(len(measured.sets_by_size(group)), 'set')})": Line2D([], [], **style)
        for (variant, group), style in styles.items()
    }
    figure, axes = panels(2, legend, "Katz et al. 2012, Figure 6: mean gain in AUC of ConfDTree over J48, our records")
    axes[1].sharey(axes[0])  # before anything is drawn, so that the range holds both panels
    for axis, (reading, ties) in zip(axes, TIES.items(), strict=True):
        axis.axhline(0, color=GREY, linewidth=0.6, zorder=1)
        for (variant, group), style in styles.items():
            gains = [measured.gains_by_size(name, variant, f"auc{ties}") for name in measured.sets_by_size(group)]
            axis.plot(measured.sizes, sum(gains) / len(gains), **style)
        axis.set(xlabel="instances to train on, %", ylabel="gain in AUC, %", xticks=measured.sizes)
        axis.set_title(TITLES[reading], fontsize=8)
    return figure
