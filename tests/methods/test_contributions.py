"""What each training instance contributes to an answer, and distances with some values unchanged."""

import numpy as np
import pytest
from support.command_line import IRIS, MISSING

import wekaconf as wc


@pytest.mark.parametrize("name", ["shrinkage", "wpe", "shrinkage_wpe", "m_branch", "curtailment", "ling_yan"])
@pytest.mark.parametrize("path", [IRIS, MISSING], ids=lambda path: path.stem)
def test_contributions_add_up(jvm, name, path):
    """With what the estimates add to every class they are the probability of the predicted class."""
    data = wc.load_arff(path)
    method = wc.method(name, **({"numeric": "bins"} if "wpe" in name else {})).fit(wc.grow(data), data)
    asked = data.take(np.arange(0, len(data), 11))
    table, answer = method.influences(asked, data), method.answer(asked)
    assert table.shape == (len(asked), len(data)) and (table >= 0).all()
    for i in range(len(asked)):
        c = int(answer.predicted[i])
        step = answer.explanation.account(i).steps
        assert table[i].sum() + added(step, c, 1.0) == pytest.approx(answer.proba[i, c], abs=1e-12)
        others = (data.class_values != c) | (data.weights == 0)
        assert not table[i][others].any()


def added(step, c, share):
    """What does not come from training instances."""
    values = step.values
    if step.rule == "given":
        return share * step.result[c]
    if step.rule == "frequency":
        return share * values["add"] / values["total"]
    if step.rule == "weighted":
        weights = [weight[c] if isinstance(weight, list) else weight for weight in values["weights"]]
    elif step.rule == "m_estimate":
        weights = [values["m"] / values["total"]]
    else:
        weights = [1 / values["total"] if step.rule == "scaled" else 1.0] * len(step.parts)
    return sum(added(part, c, share * weight) for part, weight in zip(step.parts, weights, strict=True))


@pytest.mark.parametrize("scaling", ["raw", "minmax"])
def test_fixed_distance_is_exact(jvm, scaling, wine):
    """Over all boxes that hold the fixed values, by a loop over boxes; the nearest point keeps them."""
    method = wc.method("boundary_distance", scaling=scaling).fit(wc.grow(wine), wine)
    names = [attribute.name for attribute in wine.attributes]
    for fixed in (["flavanoids"], ["flavanoids", "proline"], ["color_intensity", "hue"]):
        columns = [names.index(name) for name in fixed]
        held = method.with_fixed(*fixed)
        found, predicted = held.nearest(wine), method.predict(wine)
        boxes = method.regions_
        for i, row in enumerate(wine.values):
            distances = []
            for b in range(len(boxes.node)):
                way = np.maximum(np.maximum(boxes.low[b] - row, row - boxes.high[b]), 0)
                way[wine.class_index] = 0
                if boxes.class_index[b] != predicted[i] and not way[columns].any():
                    distances.append(np.sqrt(((way / method.unit_) ** 2).sum()))
            assert found.distance[i] == pytest.approx(min(distances, default=np.inf), rel=1e-12)
            if np.isfinite(found.distance[i]):
                np.testing.assert_array_equal(found.point[i, columns], row[columns])
        assert (found.distance >= method.nearest(wine).distance).all()
    with pytest.raises(wc.OptionError, match="no attribute 'hu' other than the class; did you mean 'hue'"):
        method.with_fixed("hu")
