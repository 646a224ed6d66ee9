"""Usage counts per skill since the server started, counted from stored events."""

from dataclasses import dataclass, field
from datetime import datetime

from metier.json_values import JsonObject
from metier.store import Event


@dataclass(slots=True)
class _SkillCounts:
    activated: int = 0
    done: int = 0
    failed: int = 0
    violations: int = 0
    last_at: datetime | None = None


@dataclass(slots=True)
class SkillUsage:
    """Counts per skill; register `observe` as an observer of the runtime."""

    since: datetime
    _by_skill: dict[str, _SkillCounts] = field(default_factory=dict)

    def observe(self, event: Event) -> None:
        """Count the event for its skill."""
        skill = event.data.get("skill")
        if not isinstance(skill, str) or event.kind not in (
            "skill.activated",
            "turn.done",
            "turn.failed",
            "tool.violation",
        ):
            return
        uses = self._by_skill.setdefault(skill, _SkillCounts())
        uses.last_at = event.at
        uses.activated += event.kind == "skill.activated"
        uses.done += event.kind == "turn.done"
        uses.failed += event.kind == "turn.failed"
        uses.violations += event.kind == "tool.violation"

    def get_counts(self, skill: str) -> JsonObject:
        """Return the counts of one skill as JSON."""
        uses = self._by_skill.get(skill, _SkillCounts())
        return {
            "since": self.since.isoformat(),
            "activated": uses.activated,
            "turns": uses.done,
            "failed": uses.failed,
            "violations": uses.violations,
            "last_at": uses.last_at.isoformat() if uses.last_at else None,
        }
