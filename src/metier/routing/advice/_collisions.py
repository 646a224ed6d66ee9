"""Collisions: pairs of skills that take each other's messages, and why."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.routing._eligibility import RoutingConstraints, split_eligible
from metier.routing._message_reading import ExampleOf
from metier.routing._router import Router
from metier.routing._thresholds import CLOSE_MARGIN
from metier.routing.advice._messages import generate_messages
from metier.routing.advice._sentences import AdviceNote
from metier.routing.ranking import to_probability
from metier.routing.text import RoutingText, build_routing_text
from metier.skills import Catalog, Skill
from metier.textsearch import extract_query_terms, fold, has_cjk

# A message that is a close call counts half of one that is lost.
_MIN_WEIGHT: Final = 1.0
_MIN_CHANCE: Final = 0.4
_MAX_NEIGHBOURS: Final = 5
_MAX_EXAMPLES: Final = 10
_MAX_WORDS: Final = 6
_MIN_SHARED_WORDS: Final = 2
# Terms that more than this share of the skills have tell no two of them apart.
_COMMON_SHARE: Final = 0.2
_CONTAINED_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Rivalry:
    """Message of `skill` that goes to `other`, or nearly does (`is_lost` is false)."""

    text: str
    skill: str
    other: str
    is_lost: bool

    def to_note(self) -> AdviceNote:
        code = "went_to" if self.is_lost else "close_to"
        return AdviceNote.of(code, text=self.text, skill=self.skill, other=self.other)


@dataclass(frozen=True, slots=True)
class Collision:
    """Two skills that take each other's messages: the messages, of how many that were tried, and the reasons."""

    first: str
    second: str
    rivalries: tuple[Rivalry, ...]
    tried: int
    reasons: tuple[AdviceNote, ...]

    @property
    def weight(self) -> float:
        """Messages that are lost, and half of those that are a close call."""
        return sum(1.0 if one.is_lost else 0.5 for one in self.rivalries)

    def to_note(self) -> AdviceNote:
        """The collision in one sentence."""
        lost = sum(one.is_lost for one in self.rivalries)
        return AdviceNote.of(
            "collide",
            first=self.first,
            second=self.second,
            lost=lost,
            count=self.tried,
            close=len(self.rivalries) - lost,
        )

    def explain(self, language: Language = "en") -> tuple[str, ...]:
        """The collision as sentences: what happens, why, and the messages."""
        notes = (self.to_note(), *self.reasons, *(one.to_note() for one in self.rivalries))
        return tuple(note.text(language) for note in notes)

    def to_json(self, language: Language = "en") -> JsonObject:
        return {
            "first": self.first,
            "second": self.second,
            "tried": self.tried,
            "messages": [
                {"text": one.text, "skill": one.skill, "goes_to": one.other, "lost": one.is_lost}
                for one in self.rivalries
            ],
            "why": [note.to_json() for note in self.reasons],
            "text": list(self.explain(language)),
        }


def find_collisions(router: Router, catalog: Catalog, *, skills: Iterable[str] = ()) -> tuple[Collision, ...]:
    """Find pairs of skills that take each other's messages, the worst first.

    The messages of a skill are its examples, each ranked as if the skill did not have it, and what its description says
    people ask for. With `skills` only their pairs are looked for: a new skill is compared with its neighbours and not
    all skills with each other.
    """
    offered, _ = split_eligible(catalog, RoutingConstraints(None, router.groups, router.tools))
    known = {skill.id: skill for skill in offered}
    asked = [skill for skill in dict.fromkeys(skills) if skill in known]
    found: dict[tuple[str, str], list[Rivalry]] = defaultdict(list)
    tried: Counter[str] = Counter()
    near: Counter[str] = Counter()
    for skill in asked or known:
        for order, rivalry in _try_messages(router, catalog, known[skill]):
            tried[skill] += 1
            near.update(other for other in order[:3] if other != skill)
            if rivalry is not None:
                found[_name_pair(skill, rivalry.other)].append(rivalry)
    if asked:
        for skill in [other for other, _ in near.most_common() if other not in asked][:_MAX_NEIGHBOURS]:
            for _, rivalry in _try_messages(router, catalog, known[skill]):
                tried[skill] += 1
                if rivalry is not None and rivalry.other in asked:
                    found[_name_pair(skill, rivalry.other)].append(rivalry)
    return _build_collisions(found, tried, [build_routing_text(skill) for skill in offered])


def _name_pair(skill: str, other: str) -> tuple[str, str]:
    return (skill, other) if skill < other else (other, skill)


def _try_messages(router: Router, catalog: Catalog, skill: Skill) -> Iterator[tuple[Sequence[str], Rivalry | None]]:
    """Order of the skills for each message of one, and the rival that takes it."""
    for text, example in _list_messages(skill):
        scored = router.score_message(text, catalog=catalog, left_out=example)
        if scored is None:
            continue
        order, scores = scored.order, scored.ranking.scores
        # A message that says too little is near to nothing, and the first of all skills takes nothing away.
        is_near = to_probability(router.heads[scored.mode](scored.signals).shift(scored.offset).right) >= _MIN_CHANCE
        if order[0] != skill.id and is_near:
            yield order, Rivalry(text, skill.id, order[0], is_lost=True)
        elif order[0] == skill.id and len(order) > 1 and scores[0] - scores[1] < CLOSE_MARGIN:
            yield order, Rivalry(text, skill.id, order[1], is_lost=False)
        else:
            yield order, None


def _list_messages(skill: Skill) -> Iterator[tuple[str, ExampleOf | None]]:
    text = build_routing_text(skill)
    examples = [one for one in text.examples if fold(one) not in text.triggers][:_MAX_EXAMPLES]
    yield from ((one, ExampleOf(skill.id, one)) for one in examples)
    yield from ((one.text, None) for one in generate_messages(skill))


def _build_collisions(
    found: Mapping[tuple[str, str], Sequence[Rivalry]], tried: Mapping[str, int], texts: Sequence[RoutingText]
) -> tuple[Collision, ...]:
    by_skill = {text.skill: text for text in texts}
    terms = {text.skill: frozenset(extract_query_terms(" ".join(text.about))) for text in texts}
    holders = Counter(term for held in terms.values() for term in held)
    common = frozenset(term for term, count in holders.items() if count > max(2, _COMMON_SHARE * len(texts)))
    pairs = [
        Collision(
            first,
            second,
            tuple(rivalries),
            tried[first] + tried[second],
            tuple(_explain_pair(by_skill[first], by_skill[second], {one: terms[one] - common for one in by_skill})),
        )
        for (first, second), rivalries in found.items()
    ]
    kept = [pair for pair in pairs if pair.weight >= _MIN_WEIGHT]
    return tuple(sorted(kept, key=lambda pair: (-pair.weight, pair.first, pair.second)))


def _explain_pair(first: RoutingText, second: RoutingText, terms: Mapping[str, frozenset[str]]) -> Iterator[AdviceNote]:
    triggers = tuple(one for one in first.triggers if one in second.triggers)
    if triggers:
        yield AdviceNote.of("same_trigger", words=triggers[:_MAX_WORDS])
    examples = [one for one in first.examples if one in second.examples and fold(one) not in triggers]
    if examples:
        yield AdviceNote.of("same_example", text=examples[0])
    shared = terms[first.skill] & terms[second.skill]
    if len(shared) >= _MIN_SHARED_WORDS:
        yield AdviceNote.of("same_words", words=_list_words(first, second, shared)[:_MAX_WORDS])
    for one, other in ((first, second), (second, first)):
        own = terms[one.skill]
        if own and len(own & terms[other.skill]) >= _CONTAINED_SHARE * len(own):
            yield AdviceNote.of("contained", skill=one.skill, other=other.skill)
    if not triggers and not examples and len(shared) < _MIN_SHARED_WORDS:
        yield AdviceNote("near_meaning")
    for one in (first, second):
        if not one.examples:
            yield AdviceNote.of("no_examples", skill=one.skill)
    if not first.excluded and not second.excluded:
        yield AdviceNote("no_boundary")


def _list_words(first: RoutingText, second: RoutingText, terms: frozenset[str]) -> tuple[str, ...]:
    """Shared terms in the order of the first text; Chinese ones as the longest runs that both texts have."""
    text, other = (fold(" ".join(one.about)) for one in (first, second))
    words = [term for term in extract_query_terms(text) if term in terms and not has_cjk(term)]
    return tuple(dict.fromkeys((*_find_common_runs(text, other, terms), *words)))


def _find_common_runs(text: str, other: str, terms: frozenset[str]) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and has_cjk(text[end]) and text[at : end + 1] in other:
            end += 1
        run = text[at:end]
        if any(run[start : start + 2] in terms for start in range(len(run) - 1)):
            yield run
        at = max(end, at + 1)
