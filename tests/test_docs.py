"""README and docs: their code does what they say, the site builds without a warning, and reads from disk."""

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import click
import docs_code
import docs_site
import pytest
from docs_code import ROOT, blocks, faults
from support.needs import CHROMIUM

import wekaconf as wc

BLOCKS = {str(page.relative_to(ROOT)): blocks(page) for page in docs_code.PAGES}
CODE = [block for page in BLOCKS.values() for block in page if block.is_code]
FOLLOWED = [name for name, page in BLOCKS.items() if any(docs_code.runs_here(block, None) for block in page)]
NOT_RUN = [block for block in CODE if block.reason_not_run]
TEMPLATES = [block for page in BLOCKS.values() for block in page if block.title and block.language == "python"]
ON_UCI = [block for block in CODE if block.needs_uci]


# -- the code of the pages --


@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.drawn(4)
def test_the_code_of_a_page_does_what_the_page_says(name, jvm, compiled, tmp_path):
    found = list(faults(BLOCKS[name], tmp_path, None))
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("block", ON_UCI, ids=lambda block: block.place)
@pytest.mark.drawn(1)
def test_code_on_the_uci_sets_does_what_the_page_says(block, jvm, uci, compiled, tmp_path):
    found = list(faults([block], tmp_path, str(uci)))
    assert not found, "\n\n".join(found)


def test_few_blocks_are_not_run_and_each_says_why():
    assert len(NOT_RUN) <= 11
    assert all(len(block.reason_not_run.split()) > 3 for block in NOT_RUN)


@pytest.mark.parametrize("block", NOT_RUN, ids=lambda block: block.place)
def test_a_command_that_is_not_run_can_be_parsed(block):
    for line in block.code.replace("\\\n", " ").splitlines():
        word, *arguments = shlex.split(line, comments=True) or [""]
        if word == "wekaconf":
            parse(arguments)
        elif word in ("python", "python3"):
            assert (ROOT / arguments[0]).is_file(), line


def parse(arguments):
    from wekaconf.cli.commands import main as command

    context = click.Context(command, info_name="wekaconf")
    while isinstance(command, click.Group):
        _, command, arguments = command.resolve_command(context, arguments)
    command.make_context("wekaconf", arguments)


def test_every_block_has_a_language():
    for page in BLOCKS.values():
        for block in page:
            assert block.language in ("sh", "python", "text", "bib", "markdown", "toml"), block.place


def test_templates_are_in_the_style_of_the_house(tmp_path):
    assert not list(docs_code.Follower(TEMPLATES, tmp_path, None).follow())
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [Path(sys.executable).with_name("ruff"), *command, *(block.title for block in TEMPLATES)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


# -- links --


@pytest.mark.parametrize("path", [*docs_code.PAGES, *map(ROOT.joinpath, docs_site.TEXTS)], ids=lambda path: path.name)
def test_links_lead_to_files_of_the_clone(path):
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


# -- README --


def test_readme_is_short_and_names_every_method():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 150
    rows = {name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert rows == set(wc.available_methods())


def test_what_stood_in_a_page_that_went_is_found_by_the_table_of_moved_headings():
    with (ROOT / "docs" / "maintaining" / "moved.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert len({row[:2] for row in rows}) == len(rows)
    folder = ROOT / "docs"
    pages = {page.relative_to(folder).as_posix(): page for page in folder.rglob("*.md")}
    places = {name: {"", *map(anchor, headings(page))} for name, page in pages.items()}
    for page, heading, now in rows:
        name, _, place = now.partition("#")
        assert now.startswith("gone: ") or place in places[name], (page, heading, now)


def headings(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#{1,6} (.*)$", text, re.MULTILINE)


def anchor(heading):
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading.replace("`", "")).strip().lower())


def test_terms_give_the_certainty_of_every_method():
    text = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.*?) \| (\S+ \S+) \|$", text, re.MULTILINE)
    told = {name: (meaning, bounds) for names, meaning, bounds in rows for name in re.findall(r"\w+", names)}
    ranges = {name: method.certainty_range for name, method in wc.available_methods().items()}
    assert told == {name: (bounds.meaning, str(bounds)) for name, bounds in ranges.items()}


def test_every_method_has_one_purpose():
    named = [name for purpose in docs_site.PURPOSES for name in purpose.methods]
    assert sorted(named) == sorted(wc.available_methods())


def test_every_command_is_named():
    from wekaconf.cli.commands import COMMANDS

    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`wekaconf (\w+)`", text)) == set(COMMANDS)


def test_the_changelog_is_one_page_until_a_release():
    """Later changes are files of their own, in docs/changes/."""
    assert len((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split()) <= 1200


# -- the site --


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site as ``mkdocs build --strict`` makes it of the pages that were written, and what that said."""
    folder = tmp_path_factory.mktemp("site")
    docs_site.write_pages(folder / docs_site.PAGES.relative_to(ROOT))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    mkdocs = shutil.which("mkdocs", path=Path(sys.executable).parent)
    assert mkdocs, f"mkdocs is not installed beside {sys.executable}: install the docs extra"
    done = subprocess.run(
        [mkdocs, "build", "--strict"], cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site", done.stdout + done.stderr


class Page(HTMLParser):
    """The links of a page, what it fetches by itself, and the places that links may name."""

    def __init__(self, path):
        super().__init__()
        self.links, self.fetched, self.places = [], [], {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.places |= {known[name] for name in ("id", "name") if known.get(name)}
        if tag in ("a", "area"):
            self.links.append(known.get("href"))
        elif tag == "link" and known.get("rel") not in ("canonical", "next", "prev"):
            self.fetched.append(known.get("href"))
        self.fetched += [known[name] for name in ("src", "srcset", "data", "poster") if known.get(name)]
        self.fetched += re.findall(r"url\(([^)]*)\)", known.get("style") or "")


@pytest.fixture(scope="module")
def pages(site):
    """Every page of the site, with the one for addresses that do not exist."""
    return {path: Page(path) for path in site[0].rglob("*.html")}


def test_pages_are_written_in_place_of_older_ones_and_need_no_hook(tmp_path):
    (tmp_path / "removed.md").touch()
    docs_site.write_pages(tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    assert written >= {"readme.md", "methods.md", "404.md", "reference/names.md", "maintaining/house.md"}
    assert "removed.md" not in written
    assert "hooks" not in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for name in written:  # links between files of the repository have become links between pages
        links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", (tmp_path / name).read_text(encoding="utf-8"))
        missing = [link for link in links if not (tmp_path / name).parent.joinpath(link).exists()]
        assert not missing, name


@pytest.mark.one_commit_in(3)
def test_the_site_builds_without_a_warning_and_every_page_is_in_the_menu(site):
    assert "WARNING" not in site[1]
    assert "not included in the" not in site[1]
    assert len(list(site[0].rglob("*.html"))) > len(BLOCKS)


def test_every_link_leads_somewhere(pages):
    broken = set()
    for path, page in pages.items():
        for link in filter(None, page.links):
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("https", "http"), link
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            is_there = unquote(parts.fragment) in pages[target].places if target in pages else target.is_file()
            if not is_there:
                broken.add((path.name, link))
    assert not broken


def test_error_targets_are_one_click_from_the_front_page(site, pages):
    assert "rejecting.html#an-error-target" in pages[site[0] / "index.html"].links


def test_pages_fetch_nothing_from_elsewhere(site, pages):
    for path, page in pages.items():
        for address in page.fetched:
            parts = urlsplit(address)
            assert parts.scheme == "data" or not (parts.scheme or parts.netloc), (path.name, address)
            assert parts.scheme or (path.parent / unquote(parts.path)).exists(), (path.name, address)
    for style in site[0].rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        outside = [url for url in re.findall(r"url\(([^)]*)\)", text) if re.match(r"['\"]?(https?:)?//", url)]
        assert not outside and "@import" not in text, style


@pytest.mark.parametrize(("words", "page"), [("curtailment", "methods.html"), ("error target", "rejecting.html")])
def test_search_finds_the_page_on_a_matter_first_from_disk(words, page, site, program):
    """In a browser where there is one; pages on disk may fetch nothing, so the index is a script."""
    assert (site[0] / "search" / "search_index.js").is_file()
    done = subprocess.run(
        [program(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
         f"file://{site[0]}/index.html?q={quote(words)}"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    found = re.findall(r'<a href="([^"]*)" class="md-search-result__link"', done.stdout)
    assert found, done.stderr
    assert Path(urlsplit(found[0]).path).name == page, found


def test_the_lists_are_made_from_what_is_declared(site):
    text = (site[0] / "methods.html").read_text(encoding="utf-8")
    for name, method in wc.available_methods().items():
        assert f'id="{name}"' in text
        assert all(f"<code>{parameter}</code>" in text for parameter in wc.method(name).params), method
    assert ">Parameters:<" not in text, "which the tables show"
    assert all(f'id="{name.lower()}"' in text for name in wc.available_learners())
