"""What runs the code of README and docs."""

import docs_code
import pytest
from docs_code import ROOT, Block, agrees, blocks, faults


@pytest.fixture
def page(tmp_path, monkeypatch):
    """Makes a page of a text, in a stand-in for the project."""
    monkeypatch.setattr(docs_code, "ROOT", tmp_path)
    (tmp_path / "arff").mkdir()

    def page(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        return path

    return page


def test_what_is_printed_otherwise_is_a_fault_and_can_be_written(page, tmp_path):
    path = page("```python\nn = 2\nprint(n)\n```\n\n```text\n3\n```\n\n1.  ```sh\n    echo a b; echo c\n    ```\n"
                "    ```text\n    a …\n    c\n    ```\n"
                "```sh\nseq 2\n```\n```text\n```\n")  # fmt: skip
    folders = [tmp_path / str(n) for n in range(3)]
    for folder in folders:
        folder.mkdir()
    first, second = faults(blocks(path), folders[0], None)
    assert first.startswith("page.md:2\nn = 2\nprint(n)\nthe page shows:\n3\n")
    assert second.startswith("page.md:18\nseq 2\n")
    assert docs_code.rewrite(path, folders[1], None) == 2
    assert "```text\n2\n```" in path.read_text()
    assert path.read_text().endswith("```text\n1\n2\n```\n")
    assert not list(faults(blocks(path), folders[2], None))


@pytest.mark.parametrize("code", ["sh\nfalse", "python\n1 / 0", "sh\nno-such-command | cat"])
def test_code_that_fails_is_a_fault(page, tmp_path, code):
    (tmp_path / "folder").mkdir()
    (fault,) = faults(blocks(page(f"```{code}\n```\n")), tmp_path / "folder", None)
    assert "failed" in fault


def test_a_block_that_is_left_out_says_why(page):
    (block,) = blocks(page("<!-- not run: it takes an hour -->\n```sh\nfalse\n```\n"))
    assert block.reason_not_run == "it takes an hour"
    assert block.code == "false\n"
    assert not docs_code.runs_here(block, None)


@pytest.mark.parametrize(("says", "is_so"), [("a…c\n", True), ("a\n…\nd\n", True), ("…b\n", False), ("a\nb\n", False)])
def test_dots_stand_for_anything(says, is_so):
    block = Block(ROOT, 1, "sh", "", "", printed=Block(ROOT, 2, "text", "", says))
    assert agrees("a \nb\nc\n" if "c" in says else "a\nb\nd\n" if "d" in says else "a\nb\nc\n", block) == is_so
