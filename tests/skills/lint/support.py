"""Skills on disk, and the findings about them."""

from collections.abc import Mapping
from pathlib import Path

from metier.skills import Diagnostic
from metier.skills.lint import LintReport

EXAMPLES = "\n".join(["examples:", *(f"  - ask {number}" for number in range(5))])


def put(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files below `root` and give `root` back."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def skill_md(front: str = "", body: str = "Do it.", *, name: str = "demo") -> str:
    """A SKILL.md that nothing is wrong with, and `front` on top."""
    keys = f"name: {name}\ndescription: What it does and when.\n{front}"
    return f"---\n{keys.rstrip()}\n---\n{body}\n"


def flat_md(front: str = "", body: str = "Do it.", *, name: str = "demo") -> str:
    """A flat skill with enough examples."""
    return skill_md(f"{EXAMPLES}\n{front}", body, name=name)


def found(report: LintReport, code: str) -> list[Diagnostic]:
    """The findings of one code."""
    return [finding for finding in report.findings if finding.code == code]


def codes(report: LintReport) -> set[str]:
    """Every code in the report."""
    return {finding.code for finding in report.findings}
