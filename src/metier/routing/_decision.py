"""Router result: verdict, ranked candidates, excluded skills, and the reasons for each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Literal, NamedTuple

from metier.language import Language, NoteValue, values_to_json
from metier.routing._sentences import RoutingNote

_LIKELIEST: Final = 3  # of so many together the limit of an offer is told
Verdict = Literal["auto", "suggest", "none"]
Route = Literal["explicit", "list", "sticky", "search", "empty"]
FilterCode = Literal[
    "disabled", "host", "group", "missing_tool", "missing_skill", "required_off", "not_offered", "not_by_name"
]


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature that speaks for or against a candidate: name, value, and the words it rests on.

    `place` among `count` skills, from 1, is told where the value has no scale of its own.
    """

    feature: str
    value: float
    words: tuple[str, ...] = ()
    place: int = 0
    count: int = 0

    def text(self, language: Language = "en") -> str:
        """Sentence in this language."""
        code = f"{self.feature}_first" if self.place == 1 else self.feature
        percent = f"{min(self.value, 1) * 100:.0f}"
        note = RoutingNote.of(code, percent=percent, place=self.place, count=self.count)
        return (
            RoutingNote.of("with_words", text=note, words=self.words).text(language)
            if self.words
            else note.text(language)
        )

    def to_json(self, language: Language = "en") -> dict[str, object]:
        told = {"feature": self.feature, "value": round(self.value, 4), "words": list(self.words)}
        return {**told, **self.rank_to_json(), "text": self.text(language)}

    def rank_to_json(self) -> dict[str, int]:
        """Place and count, without which the sentence cannot be worded again; nothing for a value with a scale."""
        return {"place": self.place, "count": self.count} if self.place else {}


@dataclass(frozen=True, slots=True)
class Candidate:
    """Skill that may be meant; `score` is a calibrated probability, not a raw similarity."""

    skill: str
    score: float
    lexical: float = 0.0
    vector: float | None = None
    trigger_hits: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    why: tuple[Reason, ...] = ()

    def to_json(self, language: Language = "en") -> dict[str, object]:
        return {
            "skill": self.skill,
            "score": round(self.score, 4),
            "lexical": round(self.lexical, 4),
            "vector": None if self.vector is None else round(self.vector, 4),
            "trigger_hits": list(self.trigger_hits),
            "negated": list(self.negated),
            "why": [reason.to_json(language) for reason in self.why],
        }


@dataclass(frozen=True, slots=True)
class Filtered:
    """Skill that was excluded before ranking, and why."""

    skill: str
    code: FilterCode
    values: Mapping[str, NoteValue] = field(default_factory=dict, hash=False)

    def text(self, language: Language = "en") -> str:
        """Sentence in this language."""
        return RoutingNote(self.code, self.values).text(language)

    def to_json(self, language: Language = "en") -> dict[str, object]:
        values = values_to_json(self.values)
        return {"skill": self.skill, "code": self.code, "values": values, "text": self.text(language)}


class VerdictLimits(NamedTuple):
    """Probabilities from which a skill is used, some are offered, and any is assumed to be meant."""

    auto: float
    suggest: float
    meant: float


class SkillRequest(NamedTuple):
    """Part of a message that asks for a skill of its own; `skill` is empty if none fits."""

    skill: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Routing result for one message.

    `skill` is the one to use (verdict `auto`) or to offer first (`suggest`); `skills` has more than one when the
    message asks for several, and `requests` the part that asks for each, in the message's order. `meant` is the
    probability that any skill is meant at all. `message` is the text without a command such as `/skill-id`. `why` lists
    the notes behind the verdict; they are rendered on demand. `limits` are those that the verdict of a search was
    measured by.
    """

    verdict: Verdict
    route: Route
    message: str
    _: KW_ONLY
    skill: str | None = None
    skills: tuple[str, ...] = ()
    requests: tuple[SkillRequest, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    filtered: tuple[Filtered, ...] = ()
    why: tuple[RoutingNote, ...] = ()
    vectors: bool = False
    meant: float | None = None
    limits: VerdictLimits | None = None
    elapsed_ms: float = 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes behind the verdict as English sentences."""
        return tuple(note.text() for note in self.why)

    def to_json(self, language: Language = "en") -> dict[str, object]:
        """Decision as JSON; `why` has the code and the values of each sentence in `notes`."""
        return {
            "verdict": self.verdict,
            "skill": self.skill,
            "skills": list(self.skills),
            "requests": [{"skill": one.skill, "text": one.text} for one in self.requests],
            "route": self.route,
            "message": self.message,
            "candidates": [candidate.to_json(language) for candidate in self.candidates],
            "filtered": [one.to_json(language) for one in self.filtered],
            "notes": [note.text(language) for note in self.why],
            "why": [note.to_json() for note in self.why],
            "vectors": self.vectors,
            "meant": None if self.meant is None else round(self.meant, 4),
            "elapsed_ms": round(self.elapsed_ms, 3),
        }

    def explain(self, language: Language = "en") -> Sequence[str]:
        """Decision as sentences, most important first."""
        lines = [self._render_headline(language), *(note.text(language) for note in self.why)]
        lines += [note.text(language) for note in self._weigh_limits()]
        for candidate in self.candidates:
            lines.append(f"{_percent(candidate.score)}% {candidate.skill}")
            lines += [f"     {reason.text(language)}" for reason in candidate.why]
        for one in self.filtered:
            lines.append(RoutingNote.of("filtered", skill=one.skill, why=one.text(language)).text(language))
        return lines

    def _weigh_limits(self) -> Iterator[RoutingNote]:
        """How likely any skill is, and which limit kept the first one from being used or any from being offered."""
        if self.meant is None:
            return
        is_refused = self.limits is not None and self.verdict == "none" and self.meant < self.limits.meant
        if self.limits is None or not is_refused:
            yield RoutingNote.of("meant", percent=_percent(self.meant))
        if self.limits is None or not self.candidates:
            return
        first, likeliest = self.candidates[0], self.candidates[:_LIKELIEST]
        together = sum(one.score for one in likeliest)
        if is_refused:
            yield RoutingNote.of("not_meant", percent=_percent(self.meant), least=_percent(self.limits.meant))
        elif self.verdict == "none" and together < self.limits.suggest:
            percent, least = _percent(together), _percent(self.limits.suggest)
            yield RoutingNote.of("none_likely", percent=percent, count=len(likeliest), least=least)
        elif self.verdict == "suggest" and first.score < self.limits.auto:
            least = _percent(self.limits.auto)
            yield RoutingNote.of("not_sure", skill=first.skill, percent=_percent(first.score), least=least)

    def _render_headline(self, language: Language) -> str:
        chosen = RoutingNote.of(self.verdict)
        if self.skills:
            chosen = RoutingNote.of("chosen", verdict=chosen, skills=self.skills)
        return RoutingNote.of(
            "head", chosen=chosen, route=RoutingNote.of(self.route), ms=f"{self.elapsed_ms:.1f}"
        ).text(language)


def _percent(probability: float) -> str:
    """Whole percent, rounded down, so that what is below a limit does not read as the limit."""
    return str(int(100 * probability + 1e-9))
