"""Small doors for the tests of the reader: files onto disk, one skill out of a folder, codes out of a report."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from metier.skills import Catalog, Diagnostic, Skill, SkillLibrary
from metier.skills.model import Report

HERE = Path("SKILL.md")


def put(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below `root`, which is given back."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def skill_md(name: str, extra: str = "", *, description: str = "What it does and when.", body: str = "Go.") -> str:
    """A SKILL.md with more front matter lines in `extra`."""
    return f"---\nname: {name}\ndescription: {description}\n{extra}---\n\n{body}\n"


def catalog_of(root: Path, files: Mapping[str, str | bytes]) -> Catalog:
    """The catalog of a folder with these files."""
    return SkillLibrary.from_folders(put(root / "skills", files)).catalog()


def only(root: Path, files: Mapping[str, str | bytes]) -> Skill:
    """The one skill of a folder with these files."""
    catalog = catalog_of(root, files)
    assert len(catalog) == 1, codes(catalog.diagnostics)
    return next(iter(catalog))


def codes(findings: Iterable[Diagnostic]) -> list[str]:
    """The codes, in the order in which they were found."""
    return [found.code for found in findings]


def report() -> Report:
    """An empty report on a SKILL.md."""
    return Report(HERE)
