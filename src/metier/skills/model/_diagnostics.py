"""Diagnostics of the reader and the linter."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from metier.skills.model._codes import CODES, Effect, Severity


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: location, code, severity, effect on the skill, message, and a hint how to fix it."""

    code: str
    severity: Severity
    effect: Effect
    message: str
    hint: str
    path: Path
    line: int | None = None
    skill: str | None = None

    def to_json(self) -> dict[str, str | int | None]:
        """JSON form for the CLI and the API."""
        return {
            "code": self.code,
            "severity": self.severity,
            "effect": self.effect,
            "message": self.message,
            "hint": self.hint,
            "path": str(self.path),
            "line": self.line,
            "skill": self.skill,
        }


@dataclass(slots=True)
class Report:
    """Collects the diagnostics of one source while it is read."""

    path: Path
    trusted: bool = False
    _found: list[Diagnostic] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        *,
        hint: str = "",
        path: Path | None = None,
        line: int | None = None,
        part: bool = False,
    ) -> None:
        """Add a finding unless it is there already; severity and effect come from `CODES`.

        With `part` a refusal costs only the tool or file that it is about, which the caller leaves out.
        """
        info = CODES[code]
        severity, effect = info.severity, info.effect
        if self.trusted and info.relaxed_if_trusted:
            severity, effect = "warning", "noted"
        elif part and effect == "refused":
            effect = "repaired"
        finding = Diagnostic(code, severity, effect, message, hint, path or self.path, line)
        if finding not in self._found:
            self._found.append(finding)

    def extend(self, other: "Report") -> None:
        """Add the findings of another report."""
        self._found.extend(other)

    def spare(self) -> "Report":
        """The same findings, where a refusal costs only the part that they are about."""
        made = Report(self.path, self.trusted)
        made._found = [replace(one, effect="repaired") if one.effect == "refused" else one for one in self._found]
        return made

    def has_code(self, code: str) -> bool:
        """Whether a finding with this code stands as it is: not relaxed, nor about a part that was left out."""
        return any(found.code == code for found in self._found)

    @property
    def has_refusal(self) -> bool:
        """Whether a finding so far prevents the skill from being loaded."""
        return any(found.effect == "refused" for found in self._found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def diagnostics_for(self, skill: str | None) -> tuple[Diagnostic, ...]:
        """All findings, labelled with the skill's id."""
        return tuple(replace(found, skill=skill) for found in self._found)
