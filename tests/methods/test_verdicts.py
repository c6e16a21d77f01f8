"""What reasons begin with: what to do, and the answer."""

import numpy as np
import pytest

from wekaconf.methods.contract._answer import Answer, Reply

REJECTED = "rejected, refer to a human; "
BUT = " would be the answer, but "


class Place:
    """Rows that lie outside, or not."""

    def __init__(self, *rows):
        self.rows = np.array(rows)

    def add_to_reasons(self, reasons, rows):
        for place in np.flatnonzero(self.rows[rows]).tolist():
            reasons[place] += "; outside"


def answer(proba, predicted, certainty, names):
    reply = Reply(np.array([proba]), certainty=np.array([certainty]), predicted=np.array([predicted]))
    return Answer(reply.proba, reply, names, None, lambda _, rows: ["why"] * len(rows), None)


@pytest.mark.parametrize(("proba", "predicted", "certainty", "below", "told"), [
    ([0.832, 0.168], 0, 0.832, None, "ja (83 %)"),
    ([0.18, 0.82], 0, 0.4, None, "ja (18 %, nein 82 %)"),
    ([0.2, 0.5, 0.3], 2, 0.4, None, "'1' (30 %, nein 50 %)"),
    ([0.25, 0.5, 0.25], 1, 0.5, None, "nein (50 %)"),
    ([0.5, 0.5], 0, 0.5, 0.5, "answered ja (50 %)"),
    ([0.996, 0.004], 0, 0.996, 0.75, "answered ja (99.6 %)"),
    ([0.39, 0.61], 1, 0.61, 0.75, f"{REJECTED}nein (61 %){BUT}the certainty 0.61 is below the threshold 0.75"),
    ([0.25, 0.75], 1, 0.75 - 1e-7, 0.75,
     f"{REJECTED}nein (75 %){BUT}the certainty 0.7499999 is below the threshold 0.75"),
    ([0.1, 0.9], 1, 0.9, np.array([0.2, np.inf]), 
     f"{REJECTED}nein (90 %){BUT}the model's threshold rejects every such answer"),
    ([0.1, 0.9], 1, 0.9, np.array([np.inf, 0.2]), "answered nein (90 %)"),
    ([1 + 1e-15, 0.0], 0, 1.0, 0.75, "answered ja (100 %)"),
])  # fmt: skip
def test_reasons_begin_with_what_to_do_and_the_answer(proba, predicted, certainty, below, told):
    names = ("ja", "nein", "1")[: len(proba)]
    given = answer(proba, predicted, certainty, names).of_model(below)
    assert given.reason(0) == f"{told}: why" and given.grounds[0] == "why"
    assert given.is_rejected[0] == told.startswith(REJECTED)


@pytest.mark.parametrize(("below", "lies_outside", "told"), [
    (None, True, f"{REJECTED}ja (83 %){BUT}the row lies outside the training data"),
    (0.8, True, f"{REJECTED}ja (83 %){BUT}the row lies outside the training data"),
    (0.9, True, f"{REJECTED}ja (83 %){BUT}the certainty 0.83 is below the threshold 0.9"),
    (None, False, "answered ja (83 %)"),
])  # fmt: skip
def test_rows_outside_may_be_rejected_whatever_their_certainty(below, lies_outside, told):
    given = answer([0.83, 0.17], 0, 0.83, ("ja", "nein"))
    given = given.of_model(below, lambda: Place(lies_outside), rejects_outside=True)
    assert given.reason(0) == f"{told}: why{'; outside' * lies_outside}"
    assert given.is_rejected[0] == told.startswith(REJECTED)
