"""Figures of the fault suite: what was done, the target, what was measured."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """One line of the report."""

    fault: str
    database: str
    what: str
    target: str
    measured: str
    ok: bool
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def judge(
    fault: str, database: str, what: str, target: str, measured: str, *, ok: bool, notes: list[str] | None = None
) -> Outcome:
    """Outcome with at most a few notes, so that one fault does not fill the report."""
    return Outcome(fault, database, what, target, measured, ok, tuple((notes or [])[:8]))
