"""What the router says: ranked candidates, one verdict, and the reason for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["auto", "suggest", "none"]
Route = Literal["explicit", "list", "sticky", "search", "empty"]
FilterCode = Literal["disabled", "host", "group", "missing_tool", "missing_skill", "not_offered"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature of the decision: its name, its value, and a sentence."""

    feature: str
    value: float
    text: str

    def to_json(self) -> dict[str, object]:
        return {"feature": self.feature, "value": round(self.value, 4), "text": self.text}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A skill that may be meant. `score` is a calibrated probability, not a raw similarity."""

    skill: str
    score: float
    lexical: float = 0.0
    vector: float | None = None
    trigger_hits: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    why: tuple[Reason, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "skill": self.skill,
            "score": round(self.score, 4),
            "lexical": round(self.lexical, 4),
            "vector": None if self.vector is None else round(self.vector, 4),
            "trigger_hits": list(self.trigger_hits),
            "negated": list(self.negated),
            "why": [reason.to_json() for reason in self.why],
        }


@dataclass(frozen=True, slots=True)
class Filtered:
    """A skill that was not offered at all, and why."""

    skill: str
    code: FilterCode
    text: str

    def to_json(self) -> dict[str, object]:
        return {"skill": self.skill, "code": self.code, "text": self.text}


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome for one message.

    `skill` is the one to use (verdict `auto`) or to offer first (`suggest`); `skills` has more than one when the
    message asks for several. `meant` is the probability that any skill is meant at all. `message` is what is left once
    a command such as `/skill-id` is taken off.
    """

    verdict: Verdict
    route: Route
    message: str
    skill: str | None = None
    skills: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    filtered: tuple[Filtered, ...] = ()
    notes: tuple[str, ...] = ()
    vectors: bool = False
    meant: float | None = None
    elapsed_ms: float = 0.0

    def to_json(self) -> dict[str, object]:
        return {
            "verdict": self.verdict,
            "skill": self.skill,
            "skills": list(self.skills),
            "route": self.route,
            "message": self.message,
            "candidates": [candidate.to_json() for candidate in self.candidates],
            "filtered": [one.to_json() for one in self.filtered],
            "notes": list(self.notes),
            "vectors": self.vectors,
            "meant": None if self.meant is None else round(self.meant, 4),
            "elapsed_ms": round(self.elapsed_ms, 3),
        }

    def explain(self) -> Sequence[str]:
        """The decision in sentences, most important first."""
        chosen = f"{self.verdict}: {', '.join(self.skills)}" if self.skills else self.verdict
        lines = [f"{chosen} ({self.route}, {self.elapsed_ms:.1f} ms)", *self.notes]
        if self.meant is not None:
            lines.append(f"{self.meant:.2f} any skill is meant")
        for candidate in self.candidates:
            lines.append(f"{candidate.score:.2f} {candidate.skill}")
            lines += [f"     {reason.text}" for reason in candidate.why]
        return [*lines, *(f"not offered: {one.skill} ({one.text})" for one in self.filtered)]
