"""Result of a lint run, and its text and JSON forms."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names
from metier.skills.model import Diagnostic, Severity

_SENTENCES: Final = Sentences(
    {
        "error": ("error", "错误"),
        "warning": ("warning", "警告"),
        "info": ("info", "提示"),
        "summary": ("{skills}: {counts}", "{skills}：{counts}"),
        "skills": ("{number} skills", "{number} 个技能"),
        "one_skills": ("{number} skill", "{number} 个技能"),
        "errors": ("{number} errors", "{number} 个错误"),
        "one_errors": ("{number} error", "{number} 个错误"),
        "warnings": ("{number} warnings", "{number} 个警告"),
        "one_warnings": ("{number} warning", "{number} 个警告"),
        "remarks": ("{number} remarks", "{number} 条提示"),
        "one_remarks": ("{number} remark", "{number} 条提示"),
    }
)


@dataclass(frozen=True, slots=True)
class LintReport:
    """All findings for one path, sorted by file, line and code.

    `skills` has the ids that would be loaded. `standard` tells for each skill of the agent-skill layout whether the
    open standard's reference validator accepts it; a skill that was not loaded is listed under its folder's name.
    """

    path: Path
    skills: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    standard: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def errors(self) -> int:
        """Number of errors."""
        return self._count("error")

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return self._count("warning")

    @property
    def infos(self) -> int:
        """Number of findings with severity `info`."""
        return self._count("info")

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return self.errors == 0

    def _count(self, severity: Severity) -> int:
        return sum(found.severity == severity for found in self.findings)


def to_text(report: LintReport, *, base: Path, language: Language = "en") -> str:
    """One line per finding and a summary; paths below `base` are relative to it. What to do stands below each."""
    lines = [line for found in report.findings for line in _format_finding(found, base, language)]
    return "\n".join([*lines, _format_summary(report, language)])


def _format_finding(found: Diagnostic, base: Path, language: Language) -> Iterator[str]:
    where = relative_path(found.path, base) + (f":{found.line}" if found.line else "")
    message = found.text(language)
    severity = _SENTENCES.render(found.severity, language)
    yield _escape_control_characters(f"{where}: {severity} {found.code}: {message}")
    if advice := found.advise(language):
        yield _escape_control_characters(f"    {advice}")


def _format_summary(report: LintReport, language: Language) -> str:
    counted = (("errors", report.errors), ("warnings", report.warnings), ("remarks", report.infos))
    counts = join_names((_format_count(noun, number, language) for noun, number in counted), language)
    skills = _format_count("skills", len(report.skills), language)
    return _SENTENCES.render("summary", language, skills=skills, counts=counts)


def _format_count(noun: str, number: int, language: Language) -> str:
    return _SENTENCES.render(f"one_{noun}" if number == 1 else noun, language, number=number)


def _escape_control_characters(text: str) -> str:
    """Escape non-printable characters: file names and values are untrusted and must not control the terminal."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def relative_path(path: Path, base: Path) -> str:
    """The path relative to `base`, or the absolute path if it is not below it."""
    whole, start = Path(os.path.abspath(path)), Path(os.path.abspath(base))  # noqa: PTH100 - Path.absolute keeps '..'
    return str(whole.relative_to(start)) if whole.is_relative_to(start) else str(whole)


def to_json(report: LintReport) -> JsonObject:
    """JSON form of a report; file names that are not UTF-8 are escaped."""
    return {
        "path": escape_surrogates(str(report.path)),
        "ok": report.ok,
        "errors": report.errors,
        "warnings": report.warnings,
        "infos": report.infos,
        "skills": list(report.skills),
        "standard": dict(report.standard),
        "findings": [
            {
                **found.to_json(),
                "path": escape_surrogates(str(found.path)),
                "message": escape_surrogates(found.message),
            }
            for found in report.findings
        ],
    }


def escape_surrogates(text: str) -> str:
    """Write lone surrogates as escapes, so that the text can be printed and stored."""
    return text.encode(errors="backslashreplace").decode()
