"""The choice that keeps a promise, as whoever fits makes it, and tables to promise something of."""

import numpy as np
import pandas as pd

from wekaconf.evaluation.thresholds import choices, rejection_of


def choice_promised(method, aim, calibration, growing=None, grow=None):
    """The choice of a fitted method; ``grow`` grows the trees of the folds by which its tests are ordered."""
    [choice] = choices(rejection_of(aim, "out-of-fold"), [method], growing, calibration, grow=grow)
    return choice


def frame_of(seed, n, noise=0.1):
    """Two numbers that tell the class, but for some noise, and a region that does not."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": random.normal(size=n).round(3),
            "y": random.normal(size=n).round(3),
            "region": random.choice(["north", "south"], n),
        }
    )
    is_yes = (frame["x"] + frame["y"] > 0) ^ (random.random(n) < noise)
    return frame.assign(out=np.where(is_yes, "yes", "no"))


def lay_tables():
    """Tables in the current folder: 900 rows to train on, others to calibrate and check, and some that have drifted."""
    frame_of(1, 900).to_csv("train.csv", index=False)
    frame_of(2, 400).to_csv("new.csv", index=False)
    frame_of(3, 300).to_csv("calibration.csv", index=False)
    frame_of(4, 400, noise=0.45).to_csv("drifted.csv", index=False)
