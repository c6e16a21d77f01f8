"""The page of benchmarks, which is written section by section."""

import re

import benchmark


def test_benchmarks_are_written_section_by_section():
    row = benchmark.Row("a claim", ours=0.5, other=1.0, wanted=1.5)
    page = "# Benchmarks\n\nIntroduction.\n\n## one\n\nold\n\n## two\n\nkept\n"
    written = benchmark.written(page, "one", [row], "today")
    assert written.startswith("# Benchmarks\n\nIntroduction.\n\n## one\n\nMeasured today.\n\n| what | ours |")
    assert "| a claim | 500 ms | 1 s | at least 1.5 × | **2.0 ×** |\n\n## two\n\nkept\n" in written
    assert "old" not in written
    assert benchmark.written(page, "three", [row], "today").startswith(page + "\n## three\n")


def test_every_benchmark_has_its_section():
    sections = re.findall(r"^## (\w+)$", benchmark.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sections == list(benchmark.ROWS)
