"""The choice that keeps a promise, as whoever fits makes it."""

from wekaconf.evaluation.thresholds import choices, rejection_of


def choice_promised(method, aim, calibration, growing=None, grow=None):
    """The choice of a fitted method; ``grow`` grows the trees of the folds by which its tests are ordered."""
    [choice] = choices(rejection_of(aim, "out-of-fold"), [method], growing, calibration, grow=grow)
    return choice
