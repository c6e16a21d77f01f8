"""Figures as matplotlib holds them when they are written."""

from contextlib import contextmanager


@contextmanager
def kept_figures():
    """The figures that are written meanwhile."""
    from matplotlib.figure import Figure

    kept, savefig = [], Figure.savefig

    def keep(figure, *arguments, **options):
        kept.append(figure)
        savefig(figure, *arguments, **options)

    Figure.savefig = keep
    try:
        yield kept
    finally:
        Figure.savefig = savefig
