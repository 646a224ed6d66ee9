"""Which skills shaped the answer of a turn, and which cases were looked up for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.telemetry._payloads import SKILL_DETAILS, pick_fields

_ANSWERS: Final = frozenset({"text.done", "table", "chart", "map", "image", "file", "report"})


@dataclass(slots=True)
class AppliedSkills:
    """Follows the events of a turn since it started or was resumed.

    A skill shaped the answer if the model read its instructions before it wrote, or if its plan ran a step. A skill
    that was activated and left again, or that was active while something else answered, did not. A skill whose plan
    was written to a document counts by what was written: `written` is the number of changes.
    """

    details: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    shaped: dict[str, None] = field(default_factory=dict)
    ran_step: bool = False
    was_answered: bool = False
    written: dict[str, int] = field(default_factory=dict)
    cases: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def follow(self, kind: str, data: JsonObject) -> None:
        """Note what one event says about the skills of the turn."""
        if "parent" in data:  # of a sub-agent
            return
        if kind == "skill.activated" and isinstance(data.get("skill"), str):
            self.details[str(data["skill"])] = pick_fields(data, *SKILL_DETAILS)
        elif kind == "context.built":
            self.read = tuple(_skills_of(data)) if data.get("phase") == "work" else ()
        elif kind == "plan.created":
            self.read = tuple(_skills_of(data)) or self.read
        elif kind == "skill.left":
            self.read = tuple(one for one in self.read if one != data.get("skill"))
        elif kind == "step.done":
            self.ran_step = True
            self.shaped |= dict.fromkeys(self.read)
        elif kind == "pause.answered":
            self.was_answered = True
        elif kind == "tool.result":
            self._follow_write(data.get("data"))
        elif kind in _ANSWERS:
            self.shaped |= dict.fromkeys(self.read)

    def _follow_write(self, result: JsonValue) -> None:
        done = result.get("execution") if isinstance(result, Mapping) else None
        if isinstance(done, Mapping) and isinstance(skill := done.get("skill"), str) and skill:
            count = done.get("applied")
            self.written[skill] = self.written.get(skill, 0) + (count if isinstance(count, int) else 0)
            self.shaped |= {skill: None} if self.written[skill] else {}

    def list_applied(self, done: JsonObject) -> Iterator[dict[str, JsonValue]]:
        """Payloads of the skills that shaped the answer, given the data of `turn.done`."""
        last = done.get("skill")
        is_resumed = self.ran_step or (self.was_answered and not self.details and done.get("plan") is not None)
        if not self.shaped and is_resumed and isinstance(last, str):
            self.shaped[last] = None  # a plan resumed here, begun by another process
        for skill in self.shaped:
            known = self.details.get(skill) or {"skill": skill}
            yield {**known, **({"written": self.written[skill]} if skill in self.written else {})}

    def take_cases(self, data: JsonObject) -> dict[str, JsonValue] | None:
        """Payload of the cases that a prompt shows; None if it shows none, or the same as one before."""
        listed = data.get("sections")
        sections = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
        kept = next((one.get("kept") for one in sections if one.get("name") == "cases"), None)
        names = tuple(str(one) for one in kept) if isinstance(kept, Sequence) and not isinstance(kept, str) else ()
        key = str(data.get("skill")), names
        if not names or key in self.cases:
            return None
        self.cases.add(key)
        return {"retriever": "cases", **pick_fields(data, "skill"), "hits": len(names)}


def _skills_of(data: JsonObject) -> Iterator[str]:
    several = data.get("skills")
    if isinstance(several, Sequence) and not isinstance(several, str):
        yield from (one for one in several if isinstance(one, str) and one)
    elif isinstance(skill := data.get("skill"), str) and skill:
        yield skill
