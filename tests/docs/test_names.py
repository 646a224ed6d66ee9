"""What the docs name exists: modules, attributes, settings and files of the repository."""

import importlib
import re
from pathlib import Path

from metier.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    path
    for path in (*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"))
    if path.name != "CHANGELOG.md" and path.parent.name != "reference"
]
SETTINGS = {f"METIER_{name.upper()}" for name in Settings.model_fields}
# Variables of the tests, the build and the scripts, which are no settings.
OTHER_VARIABLES: set[str] = set()
SPAN_ATTRIBUTES = ("metier.turn.", "metier.tool.", "metier.gate.", "metier.telemetry.v1", "metier.pause.")


def _quoted(path: Path) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", path.read_text("utf-8")))


def _exists(dotted: str) -> bool:
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for name in parts[end:]:
            if not hasattr(found, name):
                return False
            found = getattr(found, name)
        return True
    return False


def test_every_module_and_attribute_that_a_page_names_exists() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in PAGES
        for name in _quoted(path)
        if re.fullmatch(r"metier(\.\w+)+", name) and not name.startswith(SPAN_ATTRIBUTES)
    }
    groups = {"metier.packs", "metier.embedders", "metier.tools", "metier.toml", "metier.db"}
    assert sorted(found for found in named if found[1] not in groups and not _exists(found[1])) == []


def test_every_setting_that_a_page_names_exists() -> None:
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in PAGES
        for name in re.findall(r"METIER_[A-Z_]*[A-Z]", path.read_text("utf-8"))
    }
    assert sorted(found for found in named if found[1] not in SETTINGS | OTHER_VARIABLES) == []


def test_every_file_of_the_repository_that_a_page_names_exists() -> None:
    pattern = r"(?:src|tests|docs|scripts|web|examples|training|benchmarks)/[\w./-]+\.\w+"
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in PAGES
        for name in _quoted(path)
        if re.fullmatch(pattern, name)
    }
    assert sorted(found for found in named if not (ROOT / found[1]).exists()) == []


def test_every_private_module_that_a_page_names_exists() -> None:
    modules = {path.relative_to(ROOT / "src" / "metier").as_posix() for path in (ROOT / "src").rglob("*.py")}
    named = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in PAGES
        for name in _quoted(path)
        if re.fullmatch(r"[\w/]*_\w+\.py", name) and not name.startswith(("tests/", "scripts/", "benchmarks/"))
    }
    endings = tuple(modules)
    assert sorted(found for found in named if not any(one.endswith(found[1]) for one in endings)) == []
