"""scripts/count.py: what counts as a line of code, as prose, and as used by another room."""

import count

SOURCE = '''"""Docstring."""

# comment
x = """a
text"""  # two lines of code


def f():
    """Docstring
    of two lines."""
    return (
        1
    )
'''
PAGE = """# Two words

Three more words.

| a | table |
|---|---|

```sh
echo code
```
<!-- unseen -->
"""


def test_lines_of_code_are_without_docstrings_comments_and_blanks():
    assert count.code_lines(SOURCE) == 6


def test_prose_is_without_tables_code_and_comments():
    assert count.words(PAGE) == (6, len(PAGE.split()))


def test_the_project_is_counted():
    assert all(count.lines_per_room(part) for part in count.PARTS)
    assert "wekaconf.base.errors" in count.modules_used_elsewhere()["base"]
    assert count.options_per_command()["evaluate"] > count.options_per_command()["weka status"]
