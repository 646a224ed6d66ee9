"""Result of a lint run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from metier.skills.model import Diagnostic, Severity


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
