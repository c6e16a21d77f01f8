"""Hostile names, drawn at random, come back whole from files for programs, and do no harm in what people see."""

import pytest
from support import named_outputs

pytestmark = pytest.mark.jvm


@pytest.mark.drawn(4)
@pytest.mark.parametrize("seed", range(1000))
def test_names_from_strangers_do_no_harm(jvm, seed):
    assert list(named_outputs.draw(seed)) == []


BAD_OUTPUTS = {
    "render_text": (lambda tree: tree.class_names[0] + "\x1b", "trees: text: raw characters"),
    "render_dot": (lambda tree: f'digraph tree {{\n  n0 [label="{tree.class_names[0]}"];\n}}\n"', "trees: dot: line"),
    "render_json": (lambda _tree: "[NaN]", "trees: json: lost"),
    "as_html": (lambda _name, told: f"<p>{told[0].name}</p><b x{len(told[0].name)}>", "html: elements or attributes"),
    "html_of": (
        lambda tree: f"<p>{tree.header.relation}</p><script>{tree.header.relation}</script>",
        "html: other scripts",
    ),
}


@pytest.mark.parametrize("name", BAD_OUTPUTS)
def test_an_output_that_lets_names_through_is_found(jvm, monkeypatch, name):
    wrong, found = BAD_OUTPUTS[name]
    monkeypatch.setattr(named_outputs, name, wrong)
    faults = [*named_outputs.draw(1), *named_outputs.draw(2)]
    assert any(found in fault for fault in faults), faults
