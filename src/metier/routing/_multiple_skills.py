"""Chooses one skill, several or none from the decisions on a message and on its parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.routing._decision import Candidate, Decision, SkillRequest, Verdict
from metier.routing._sentences import RoutingNote
from metier.routing.text import RequestPart

# Minimum probability of a part's skill when another part's is certain. Measured with these values over the shipped
# packs: 149 of 165 messages for two are taken for two, two of 158 for one that look like two.
_MIN_PROBABILITY: Final = 0.45
_SURE_PROBABILITY: Final = 0.8
_CERTAIN_PROBABILITY: Final = 0.98
_CERTAIN_WHOLE: Final = 0.93
_UNMARKED_PENALTY: Final = 0.05
_TRIGGER_BONUS: Final = 0.1
# A skill that ranks low for the whole message needs a higher probability.
_LOW_RANK_PENALTY: Final = 0.2
_HIGH_RANK_PLACES: Final = 4
_NEAR_PLACES: Final = 3
_LIKELY_IN_GROUP: Final = 0.65
_SURE_AMONG: Final = 0.8
# For parts that have nothing in common.
_LIKELY_UNLIKE: Final = 0.5
_SURE_AMONG_UNLIKE: Final = 0.8
_FOREIGN_AMONG: Final = 0.5
# For parts that a word tells apart, each of which begins a request of its own.
_LIKELY_AMONG_TOLD: Final = 0.7
_LIKELY_TOLD: Final = 0.4
_MIN_WORDS_TOLD: Final = 0.33
_TWO: Final = 2
# Share of a part's telling words that its skill must have if nothing else speaks for it.
_MIN_WORDS: Final = 0.25


@dataclass(frozen=True, slots=True)
class ScoredDecision:
    """Decision with the reranked skills, the probability of the first (`right`) and of the first three (`among`).

    `has_trigger`: the text has a trigger of the first skill; `triggered_count`: how many skills have one in it;
    `is_known`: the text says the same as an example of the first skill.
    """

    decision: Decision
    order: tuple[str, ...] = ()
    right: float = 0.0
    among: float = 0.0
    has_trigger: bool = False
    triggered_count: int = 0
    is_known: bool = False

    @property
    def is_taken(self) -> bool:
        """Whether the first skill would be taken unasked."""
        return self.decision.verdict == "auto"

    @property
    def is_sure(self) -> bool:
        """Whether the text is an example of the first skill, or the skill would be taken almost certainly."""
        return self.is_known or (self.is_taken and self.right >= _CERTAIN_WHOLE)

    @property
    def may_be_several(self) -> bool:
        """False if one skill is certain and no other skill's trigger is present, or if the text is one of its examples.

        A limit of 0.98 misses none of our messages for two and spares most messages for one the cost of splitting.
        """
        if self.is_known:
            return False
        return bool(self.order) and (self.right < _CERTAIN_PROBABILITY or self.triggered_count > 1)


def judge_parts(
    whole: ScoredDecision, parts: Sequence[RequestPart], judge: Callable[[RequestPart], ScoredDecision]
) -> Sequence[tuple[RequestPart, ScoredDecision]]:
    """Decide on the parts, returned in message order.

    The shortest part goes first, and it stops once two skills are out of reach, as with "and then call back".
    """
    found: dict[int, ScoredDecision] = {}
    hopeless, are_asides = 0, _are_asides(parts)
    for at in sorted(range(len(parts)), key=lambda at: len(parts[at].text)):
        found[at] = judge(parts[at])
        hopeless += not (
            _is_foreign(parts[at], found[at])
            or _is_meant(whole, parts[at], found[at])
            or _is_told_apart(parts[at], found[at])
            or are_asides
        )
        if whole.decision.verdict != "none" and 1 < len(parts) < hopeless + _TWO:
            break
    return [(parts[at], found[at]) for at in sorted(found)]


def choose_skills(
    whole: ScoredDecision, parts: Sequence[tuple[RequestPart, ScoredDecision]], groups: Mapping[str, str]
) -> Decision:
    """Choose several skills if the parts mean several; otherwise the skill of the one part that is a request.

    A part that asks for a thing of its own which no skill fits is a request without a skill.
    """
    chosen = _choose_by_part(whole, parts, groups)
    unfit, order = _list_unfit(whole, parts, chosen), [part for part, _ in parts]
    is_sure = len(chosen) > 1 and max(judged.right for _, judged in chosen.values()) >= _SURE_PROBABILITY
    if is_sure and all(_has_own_evidence(judged) for _, judged in chosen.values()):
        return _combine(chosen, unfit, order)
    if unlike := _choose_unlike(parts, groups):
        return _combine(unlike, _list_unfit(whole, parts, unlike), order)
    if told := _choose_told_apart(parts):
        return _combine(told, _list_unfit(whole, parts, told), order)
    if asides := _choose_asides(parts):
        return _combine(asides, [part for part, judged in parts if (part, judged) not in asides.values()], order)
    if is_sure:
        note = RoutingNote.of("may_be_several", skills=tuple(chosen))
        return replace(whole.decision, why=(*whole.decision.why, note))
    if unfit and all(_is_taken(judged) for _, judged in chosen.values()):
        return _combine(chosen, unfit, order)
    return _decide_by_one_part(whole, parts) or whole.decision


def _choose_unlike(
    parts: Sequence[tuple[RequestPart, ScoredDecision]], groups: Mapping[str, str]
) -> dict[str, tuple[RequestPart, ScoredDecision]]:
    """Skills of parts that a word such as 另外 tells apart and that have nothing to do with one another.

    Each is likely, of a group of its own, and not even near for the others: then they need not be certain, the user is
    asked. Empty if there are not at least two.
    """
    likely = {
        judged.decision.skill: (part, judged)
        for part, judged in parts
        if judged.decision.skill is not None
        and part.marked
        and not part.is_item
        and (judged.right >= _LIKELY_UNLIKE or judged.among >= _SURE_AMONG_UNLIKE)
    }
    if len({groups[skill] or skill for skill in likely}) < len(likely):
        return {}
    return likely if _are_unlike(tuple(judged for _, judged in likely.values())) else {}


def _choose_told_apart(
    parts: Sequence[tuple[RequestPart, ScoredDecision]],
) -> dict[str, tuple[RequestPart, ScoredDecision]]:
    """Skills of the parts that a word such as 然后 tells apart, if every part has its own; the user is asked.

    None of them needs to be certain: two orders that lead to different skills are two tasks more often than one. Empty
    if a part leads nowhere, or if one skill is near for two parts: that one may do both.
    """
    likely = {judged.order[0]: (part, judged) for part, judged in parts if _is_told_apart(part, judged)}
    if not 1 < len(likely) == len(parts):
        return {}
    near = [one for _, judged in likely.values() for one in judged.order[:_TWO]]
    is_likely = max(judged.right for _, judged in likely.values()) >= _LIKELY_TOLD
    return likely if is_likely and len(near) == len(set(near)) else {}


def _choose_asides(
    parts: Sequence[tuple[RequestPart, ScoredDecision]],
) -> dict[str, tuple[RequestPart, ScoredDecision]]:
    """Skills of the parts of a message that says itself that it asks for different matters; the user is asked.

    What leads to no skill is told as such, and not dropped. Empty if no part leads anywhere, or if the skill of one is
    near for another: that one may do both.
    """
    if not _are_asides([part for part, _ in parts]):
        return {}
    chosen = {judged.order[0]: (part, judged) for part, judged in parts if judged.decision.skill is not None}
    is_apart = all(
        one.order[0] not in other.order[:_NEAR_PLACES]
        for _, one in chosen.values()
        for _, other in parts
        if one is not other
    )
    return chosen if is_apart else {}


def _are_asides(parts: Sequence[RequestPart]) -> bool:
    return len(parts) > 1 and all(part.is_own_order for part in parts) and any(part.is_aside for part in parts)


def _is_told_apart(part: RequestPart, judged: ScoredDecision) -> bool:
    if not part.marked or part.is_item or judged.decision.skill is None or judged.among < _LIKELY_AMONG_TOLD:
        return False
    return (
        judged.has_trigger
        or judged.right >= _LIKELY_IN_GROUP
        or judged.decision.candidates[0].lexical >= _MIN_WORDS_TOLD
    )


def _are_unlike(judged: Sequence[ScoredDecision]) -> bool:
    """Whether no skill of a part is near for another part, and at least one of them is likely."""
    apart = all(
        one.order[0] not in other.order[:_NEAR_PLACES] for one in judged for other in judged if one is not other
    )
    return len(judged) > 1 and apart and max(one.right for one in judged) >= _LIKELY_IN_GROUP


def _list_unfit(
    whole: ScoredDecision,
    parts: Sequence[tuple[RequestPart, ScoredDecision]],
    chosen: Mapping[str, tuple[RequestPart, ScoredDecision]],
) -> list[RequestPart]:
    """Parts that ask for a thing of their own for which no skill was found; none if no skill was chosen at all."""
    if not chosen:
        return []
    open_parts = [
        (part, judged) for part, judged in parts if _is_foreign(part, judged) and not _is_meant(whole, part, judged)
    ]
    return [part for part, judged in open_parts if judged.decision.verdict == "none" or judged.order[0] not in chosen]


def _is_foreign(part: RequestPart, judged: ScoredDecision) -> bool:
    """Whether a part asks for a thing of its own: by its words, or said to be another matter and near no skill."""
    if part.stands_alone:
        return True
    return part.is_aside and judged.decision.verdict == "none" and judged.among < _FOREIGN_AMONG


def _is_taken(judged: ScoredDecision) -> bool:
    return _has_own_evidence(judged) and (judged.decision.verdict == "auto" or judged.among >= _SURE_AMONG)


def _has_own_evidence(judged: ScoredDecision) -> bool:
    """Whether a part alone would be taken: it names the skill, is sure, or shares its telling words."""
    words = judged.decision.candidates[0].lexical if judged.decision.candidates else 0.0
    return judged.has_trigger or judged.right >= _SURE_PROBABILITY or words >= _MIN_WORDS


def _choose_by_part(
    whole: ScoredDecision, parts: Sequence[tuple[RequestPart, ScoredDecision]], groups: Mapping[str, str]
) -> dict[str, tuple[RequestPart, ScoredDecision]]:
    """Skills of the parts, each with its most probable part; of a group a second one only if both are certain."""
    chosen: dict[str, tuple[RequestPart, ScoredDecision]] = {}
    for part, judged in parts:
        skill = judged.decision.skill
        if skill is None or not _is_meant(whole, part, judged):
            continue
        beside = [one for other, one in chosen.items() if groups[skill] and groups[other] == groups[skill]]
        if skill not in chosen and not all(_are_apart(one, (part, judged)) for one in beside):
            continue
        if skill not in chosen and any(_may_be_one_task(one, (part, judged)) for one in chosen.values()):
            continue
        if skill not in chosen or judged.right > chosen[skill][1].right:
            chosen[skill] = (part, judged)
    return chosen


def _are_apart(first: tuple[RequestPart, ScoredDecision], second: tuple[RequestPart, ScoredDecision]) -> bool:
    """Whether two parts mean different skills of one group, which are easily mixed up: all of a pack may be one.

    One would activate its skill, and the other is likely and told apart by a word (然后, 都), or would too and begins
    anew: RSRP and SINR are two words of one request.
    """
    low, high = sorted((first[1].right, second[1].right))
    if high < _SURE_PROBABILITY:
        return False
    part = second[0]
    unsure, sure = sorted((first[1], second[1]), key=lambda one: one.right)
    if part.marked and unsure.among >= _SURE_AMONG and sure.order[0] not in unsure.order[:_NEAR_PLACES]:
        return True  # one of two twins, and the other part is about neither
    return low >= (_LIKELY_IN_GROUP if part.marked else _SURE_PROBABILITY) and (part.marked or part.begins_anew)


def _may_be_one_task(first: tuple[RequestPart, ScoredDecision], second: tuple[RequestPart, ScoredDecision]) -> bool:
    """Whether one skill is near for two orders, and the second, as "and plot it", works on what the first makes.

    Behind a word such as 然后 the second may only tell more of it: 抽一张牌，然后讲讲这张牌的意思.
    """
    if not second[0].reuses:
        return False
    if second[0].marked:
        names_own = second[0].is_own_order or second[1].has_trigger
        return not names_own and first[1].has_trigger and first[1].order[0] in second[1].order[:_TWO]
    if min(first[1].right, second[1].right) >= _SURE_PROBABILITY:
        return False
    return not set(first[1].order[:_NEAR_PLACES]).isdisjoint(second[1].order[:_NEAR_PLACES])


def _is_meant(whole: ScoredDecision, part: RequestPart, judged: ScoredDecision) -> bool:
    if judged.decision.skill is None:
        return False
    needed = (
        _MIN_PROBABILITY + (0.0 if part.marked else _UNMARKED_PENALTY) - (_TRIGGER_BONUS if judged.has_trigger else 0.0)
    )
    high = whole.order[:_HIGH_RANK_PLACES]
    strange = judged.order[0] not in high
    if part.marked and judged.among >= _SURE_AMONG and any(one in high for one in judged.order[:_TWO]):
        return True  # twins, such as two skills for slides, share what is one probability: the user is asked
    return judged.right >= needed + (_LOW_RANK_PENALTY if strange else 0.0)


def _decide_by_one_part(whole: ScoredDecision, asking: Sequence[tuple[RequestPart, ScoredDecision]]) -> Decision | None:
    """Decision of the only certain part, if context in the rest led the whole message to another skill."""
    sure = {judged.order[0]: (part, judged) for part, judged in asking if judged.decision.verdict == "auto"}
    if len(sure) != 1:
        return None
    ((skill, (part, judged)),) = sure.items()
    if skill == whole.decision.skill or skill not in whole.order[:_NEAR_PLACES]:
        return None
    if whole.decision.verdict != "none" and len(asking) > 1:
        return None
    why = (*judged.decision.why, _build_part_note(part, skill))
    return replace(judged.decision, verdict="suggest", why=why)


def _combine(
    chosen: Mapping[str, tuple[RequestPart, ScoredDecision]],
    unfit: Sequence[RequestPart],
    order: Sequence[RequestPart],
) -> Decision:
    used = [judged.decision for _, judged in chosen.values()]
    verdict: Verdict = "suggest" if any(decision.verdict == "suggest" for decision in used) else "auto"
    candidates = sorted(_iter_first_candidates(used), key=lambda candidate: -candidate.score)
    why = dict.fromkeys(note for decision in used for note in decision.why)
    asked = [(part, skill) for skill, (part, _) in chosen.items()] + [(part, "") for part in unfit]
    asked.sort(key=lambda one: order.index(one[0]))
    return Decision(
        verdict,
        "search",
        "",
        skill=next(iter(chosen)),
        skills=tuple(chosen),
        requests=tuple(SkillRequest(skill, part.text) for part, skill in asked),
        candidates=tuple(candidates),
        why=(*why, RoutingNote.of("several", count=len(asked)), *(_build_part_note(*one) for one in asked)),
        vectors=all(decision.vectors for decision in used),
        meant=max(decision.meant or 0.0 for decision in used),
    )


def _iter_first_candidates(decisions: Sequence[Decision]) -> Iterator[Candidate]:
    for decision in decisions:
        yield from decision.candidates[:1]


def _build_part_note(part: RequestPart, skill: str) -> RoutingNote:
    if not skill:
        return RoutingNote.of("part_unfit", text=part.text)
    return RoutingNote.of("part", text=part.text, skill=skill)
