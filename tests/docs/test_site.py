"""The docs site builds without warnings, holds every page, and can be searched in Chinese and English."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md"))


def _build(folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(folder / "mkdocs.yml")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    built = _build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"


def test_every_page_is_in_the_navigation_and_on_the_site(site: Path) -> None:
    listed = set(re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed == set(PAGES)
    assert all((site / page).with_suffix(".html").is_file() for page in PAGES)


def test_the_search_index_holds_both_languages(site: Path) -> None:
    index = json.dumps(json.loads((site / "search.json").read_text("utf-8")), ensure_ascii=False)
    assert "示例消息" in index
    assert "Example messages" in index


def test_a_link_to_a_missing_page_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[gone](gone.md)\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text("site_name: x\nstrict: true\ntheme: {name: material, font: false}\n", "utf-8")
    assert _build(tmp_path).returncode != 0


def test_a_page_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'(?:src|href)="(https?://[^"]+)"', page.read_text("utf-8"))
        assert not [url for url in loaded if re.search(r"\.(js|css|woff2?|ttf)(\?|$)|fonts\.", url)]
