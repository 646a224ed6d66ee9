"""Improvements of a skill's texts: examples and sentences to add, each tried before it is proposed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypedDict

from metier.json_values import JsonObject
from metier.language import Language, choose, language_of
from metier.routing._message_reading import ExampleOf
from metier.routing._router import Router
from metier.routing._thresholds import CLOSE_MARGIN
from metier.routing._trigger_evals import EvalQuery, SkillEval, evaluate_queries, load_queries
from metier.routing.advice._collisions import Collision, Rivalry
from metier.routing.advice._evals import generate_evals
from metier.routing.advice._messages import CandidateMessage, generate_messages
from metier.routing.advice._requests import find_requests
from metier.routing.advice._sentences import AdviceNote, render_boundary
from metier.routing.text import parse_scope
from metier.skills import Catalog, Skill
from metier.textsearch import fold, has_cjk

_GOOD_EXAMPLES: Final = 5
_MIN_WORDS: Final = 6
_MIN_CJK_CHARS: Final = 12
_MAX_BOUNDARIES: Final = 2
_MAX_SHOWN: Final = 5
_POOL: Final = 24
_PAIR: Final = 2
_STOPS: Final = ".!?。！？"


@dataclass(frozen=True, slots=True)
class Improvement:
    """What to change in a skill's texts, and how many of `count` messages are right before and after.

    `description` and `examples` are new texts, empty if none is proposed. `has_evals` says whether the messages come
    from evals of the skill's own or are generated; messages that another skill takes away are among them.
    """

    skill: str
    notes: tuple[AdviceNote, ...]
    count: int
    before: int
    after: int
    description: str = ""
    examples: tuple[str, ...] = ()
    has_evals: bool = True

    def explain(self, language: Language = "en") -> tuple[str, ...]:
        """What is wrong and what to write, as sentences; empty if nothing is."""
        if not self.notes and not self.description and not self.examples:
            return ()
        notes = [AdviceNote.of("skill", skill=self.skill), *self.notes]
        notes += [AdviceNote.of("add_example", text=one) for one in self.examples]
        if self.description:
            notes.append(AdviceNote.of("write_description", text=self.description))
        if self.description or self.examples:
            code = "effect" if self.has_evals else "effect_generated"
            notes.append(AdviceNote.of(code, before=self.before, after=self.after, count=self.count))
        return tuple(note.text(language) for note in notes)

    def to_json(self, language: Language = "en") -> JsonObject:
        return {
            "skill": self.skill,
            "notes": [note.to_json() for note in self.notes],
            "description": self.description,
            "examples": list(self.examples),
            "messages": self.count,
            "right_before": self.before,
            "right_after": self.after,
            "own_evals": self.has_evals,
            "text": list(self.explain(language)),
        }


def suggest_improvement(
    router: Router,
    catalog: Catalog,
    skill: Skill,
    *,
    collisions: Iterable[Collision] = (),
    messages: Sequence[CandidateMessage] = (),
) -> Improvement:
    """Improvement of one skill of the catalog; what makes it found less often is not proposed.

    `messages` are candidates that a model wrote; without them rules make some. They are proposed as examples; a query
    that measures is none of them.
    """
    own = load_queries(skill)
    queries = own or generate_evals(router, catalog, skill).queries
    pairs = [pair for pair in collisions if skill.id in (pair.first, pair.second)]
    trial = _Trial(router, catalog, queries, [one for pair in pairs for one in pair.rivalries])
    asked = frozenset(fold(one.query) for one in queries)
    fresh = [one.text for one in (messages or generate_messages(skill, max_count=_POOL)) if fold(one.text) not in asked]
    rivals = [catalog[pair.second if pair.first == skill.id else pair.first] for pair in pairs]
    measured = trial.evaluate(skill)
    before = after = trial.count_right(skill)
    best = skill
    for change in _list_changes(skill, rivals, fresh):
        candidate = replace(best, **change)
        right = trial.count_right(candidate)
        # More examples are worth having; a longer description only if it helps.
        if right > after or (right == after and "examples" in change):
            best, after = candidate, right
    return Improvement(
        skill.id,
        tuple(_find_flaws(skill, measured, rivals)),
        trial.count,
        before,
        after,
        best.description if best.description != skill.description else "",
        tuple(one for one in best.examples if one not in skill.examples),
        bool(own),
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """Messages that a changed skill is tried with: its queries, and those that it and others take from each other."""

    router: Router
    catalog: Catalog
    queries: Sequence[EvalQuery]
    rivalries: Sequence[Rivalry]

    @property
    def count(self) -> int:
        return len(self.queries) + len(self.rivalries)

    def evaluate(self, skill: Skill) -> SkillEval:
        tried = self._replace(skill)
        return evaluate_queries(lambda message: self.router.route(message, catalog=tried), skill.id, self.queries)

    def count_right(self, skill: Skill) -> int:
        counts = self.evaluate(skill).counts
        tried = self._replace(skill)
        return counts.tp + counts.tn + sum(self._is_won(one, tried) for one in self.rivalries)

    def _is_won(self, one: Rivalry, tried: Catalog) -> bool:
        """Whether the message is found by the skill it is for, as if that skill did not have it as an example."""
        scored = self.router.score_message(one.text, catalog=tried, left_out=ExampleOf(one.skill, one.text))
        if scored is None or scored.order[0] != one.skill:
            return False
        scores = scored.ranking.scores
        return len(scores) < _PAIR or bool(scores[0] - scores[1] >= CLOSE_MARGIN)

    def _replace(self, skill: Skill) -> Catalog:
        return Catalog.from_skills([skill if one.id == skill.id else one for one in self.catalog])


class _Change(TypedDict, total=False):
    """Fields of a skill that a change sets."""

    description: str
    examples: tuple[str, ...]


def _list_changes(skill: Skill, rivals: Sequence[Skill], fresh: Sequence[str]) -> Iterator[_Change]:
    missing = _GOOD_EXAMPLES - len(skill.examples)
    if missing > 0 and fresh:
        yield {"examples": (*skill.examples, *fresh[:missing])}
    boundary = " ".join(filter(None, (_write_boundary(skill, rival) for rival in rivals[:_MAX_BOUNDARIES])))
    if boundary:
        said = skill.description.rstrip()
        stop = "" if not said or said[-1] in _STOPS else choose(language_of(said), en=".", zh="。")
        yield {"description": f"{said}{stop} {boundary}".strip()}


def _write_boundary(skill: Skill, rival: Skill) -> str:
    """Sentence that says what the rival is for, in the language of the description; empty if it is said already."""
    language = language_of(skill.description)
    requests = [one for one in find_requests(parse_scope(rival.description).covered) if one.language == language]
    if not requests or rival.id in skill.description:
        return ""
    return render_boundary(language, request=requests[0].text, form=requests[0].form, skill=rival.id)


def _find_flaws(skill: Skill, measured: SkillEval, rivals: Sequence[Skill]) -> Iterator[AdviceNote]:
    if not _says_enough(skill.description):
        yield AdviceNote("short_description")
    if len(skill.examples) < _GOOD_EXAMPLES:
        yield AdviceNote.of("few_examples", count=len(skill.examples), wanted=_GOOD_EXAMPLES)
    spoken = {language_of(text) for text in (skill.title, skill.description, *skill.examples, *skill.triggers) if text}
    spoken |= {"en" for text in skill.examples if not has_cjk(text)}
    if len(spoken) == 1:
        yield AdviceNote.of("one_language", language=AdviceNote(next(iter(spoken))))
    for confusion in measured.confusions:
        for message in confusion.messages[:_MAX_SHOWN]:
            values = {"text": message, "skill": skill.id, "other": confusion.winner or ""}
            yield AdviceNote("went_to" if confusion.winner else "not_found", values)
    for message in measured.false_alarms[:_MAX_SHOWN]:
        yield AdviceNote.of("false_alarm", text=message, skill=skill.id)
    for rival in rivals:
        yield AdviceNote.of("collides", other=rival.id)


def _says_enough(description: str) -> bool:
    if has_cjk(description):
        return len(description) >= _MIN_CJK_CHARS
    return len(description.split()) >= _MIN_WORDS
