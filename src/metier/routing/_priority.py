"""Priority of skills: it decides between skills that a message names by the same triggers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from metier.routing._candidates import ScoredMessage
from metier.routing._decision import Candidate, Decision
from metier.routing._sentences import RoutingNote
from metier.skills import Catalog, Skill
from metier.textsearch import fold

# Margin between two skills of one group, in log-odds, below which their priority decides.
_GROUP_MARGIN: Final = 0.35


def find_preferred(found: ScoredMessage, catalog: Catalog, message: str) -> str | None:
    """Skill of higher priority that the message names by the same words as the best one; None if there is none.

    The author gave both the same triggers and said which goes first. Words count, not triggers: 弱覆盖 of one and
    覆盖问题 of the other are the same words of 弱覆盖问题. Skills of one group that fit about equally well go by
    priority too. `message` is folded.
    """
    spans = {
        skill: _find_spans(message, found.trigger_hits.hits.get(int(at), ()))
        for skill, at in zip(found.order, found.ranking.order, strict=True)
    }
    first, *others = found.order
    lost = dict(zip(found.order, found.ranking.scores[0] - found.ranking.scores, strict=True))
    rivals = [
        skill
        for skill in others
        if catalog[skill].priority > catalog[first].priority
        and (
            (spans[first] and _covers(spans[skill], spans[first]))
            or _is_equal_in_group(catalog[first], catalog[skill], spans, float(lost[skill]))
        )
    ]
    return max(rivals, key=lambda skill: catalog[skill].priority, default=None)


def _is_equal_in_group(first: Skill, other: Skill, spans: Mapping[str, Sequence[tuple[int, int]]], lost: float) -> bool:
    """Whether two skills of one group fit about equally well: then the author's order decides, not a narrow score."""
    if not first.group or first.group != other.group or len(spans[first.id]) > len(spans[other.id]):
        return False
    return lost < _GROUP_MARGIN


def _find_spans(message: str, words: Iterable[str]) -> list[tuple[int, int]]:
    return [(at, at + len(word)) for word in words if (at := message.find(fold(word))) >= 0]


def _covers(spans: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> bool:
    """Whether each of the other spans overlaps one of these."""
    return all(any(start < end_of and start_of < end for start_of, end_of in spans) for start, end in others)


def prefer_by_priority(decision: Decision, first: str, preferred: str) -> Decision:
    """Decision for the preferred skill, which changes places with the first, and a note that says why.

    Where no skill is taken, only the order of the candidates changes.
    """
    known = {one.skill: one for one in decision.candidates}
    best, other = known[first], known.get(preferred, Candidate(preferred, 0.0))
    moved = (replace(other, score=best.score), replace(best, score=other.score))
    others = tuple(one for one in decision.candidates if one.skill not in (first, preferred))
    why = (*decision.why, RoutingNote.of("priority", skill=preferred, other=first))
    decision = replace(decision, candidates=(*moved, *others), why=why)
    return decision if decision.skill is None else replace(decision, skill=preferred, skills=(preferred,))
