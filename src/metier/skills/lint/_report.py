"""What the linter found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from metier.skills._codes import Severity
from metier.skills._diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class LintReport:
    """Every finding about one path, sorted by file, line and code.

    `skills` has the ids that would be loaded. `standard` says for each skill of the agent-skill layout whether the open
    standard's reference accepts it; a skill that was not loaded stands there under its folder's name.
    """

    path: Path
    skills: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    standard: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return self._count("error")

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return self._count("warning")

    @property
    def infos(self) -> int:
        """How many findings are mere remarks."""
        return self._count("info")

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.errors == 0

    def _count(self, severity: Severity) -> int:
        return sum(found.severity == severity for found in self.findings)
