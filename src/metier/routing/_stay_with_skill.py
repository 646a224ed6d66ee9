"""Rules for staying with the active skill."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.routing._decision import Decision
from metier.routing._multiple_skills import ScoredDecision
from metier.routing._sentences import RoutingNote
from metier.routing.text import RoutingText, TriggerIndex, is_question
from metier.textsearch import extract_query_terms, fold, has_cjk

# Follow-ups are short; a message that turns to another skill says what it is about.
_SHORT_CJK_CHARS: Final = 20
_SHORT_LATIN_CHARS: Final = 48
_NEAR_PLACES: Final = 3
_REACH_PLACES: Final = 5
_CLEARLY_BETTER: Final = 0.7


@dataclass(frozen=True, slots=True)
class EarlierTurns:
    """What was before the message: earlier user messages, the skill in use, the last answer."""

    history: Sequence[str] = ()
    active: str | None = None
    answer: str = ""


def mentions_other_skills(folded: str, triggers: TriggerIndex, active: str) -> bool:
    """Whether a message has triggers of other skills and none of the active one."""
    hits = triggers.find_hits(folded)
    return bool(hits) and active not in {triggers.ids[skill] for skill in hits}


def find_recalled(message: str, answer: str) -> tuple[str, ...]:
    """Telling words that a folded message takes up from the last answer."""
    said = frozenset(extract_query_terms(answer)) if answer else frozenset()
    return tuple(word for word in extract_query_terms(message) if word in said)


def is_other_subject(message: str, active: RoutingText | None, earlier: Iterable[str]) -> bool:
    """Whether a folded message is a question of its own: no telling word is one of the skill or of what was said.

    今天股市怎么样 is no follow-up of a spreadsheet, however short it is.
    """
    if active is None or not is_question(message):
        return False
    known = {word for said in (*active.all_texts, *active.phrases, *earlier) for word in extract_query_terms(said)}
    asked = extract_query_terms(message)
    return len(asked) > 1 and known.isdisjoint(asked)


def stay_with_active(decision: Decision, active: str, note: RoutingNote) -> Decision:
    """Replace the chosen skill by the active one and add the note."""
    why = (*decision.why, note)
    return replace(decision, route="sticky", verdict="auto", skill=active, skills=(active,), why=why)


def prefer_active(
    found: ScoredDecision, active: str, message: str, *, is_follow_up: bool, mentions_others: bool
) -> Decision:
    """Give close calls, and short messages that are not clearly for another skill, to the active skill.

    A message with a trigger of another skill and none of the active one goes to the other as soon as it is suggested.
    """
    decision = found.decision
    if active in decision.skills or decision.verdict == "auto" or len(decision.skills) > 1:
        return decision
    if decision.skills and mentions_others:
        return decision
    short = len(message) <= (_SHORT_CJK_CHARS if has_cjk(message) else _SHORT_LATIN_CHARS)
    within_reach = active in found.order[:_REACH_PLACES]
    if is_follow_up or (decision.verdict == "none" and short and within_reach and not mentions_others):
        return stay_with_active(decision, active, RoutingNote.of("goes_on", skill=active))
    close = active in found.order[:_NEAR_PLACES] or (short and (within_reach or found.right < _CLEARLY_BETTER))
    if decision.skill is not None and close:
        return stay_with_active(decision, active, RoutingNote.of("not_better", other=decision.skill, skill=active))
    return decision


def decide_beside(
    found: ScoredDecision, folded: str, texts: Sequence[RoutingText], before: EarlierTurns, form: tuple[bool, bool]
) -> Decision:
    """Decide between the skill in use and what was found; `form`: it is a follow-up, it mentions other skills."""
    goes_on, others = form
    active = before.active or ""
    in_use = next((text for text in texts if text.skill == active), None)
    recalled = find_recalled(folded, fold(before.answer))
    if not goes_on and not recalled and is_other_subject(folded, in_use, before.history):
        note = RoutingNote.of("other_subject", skill=active)
        return replace(found.decision, why=(*found.decision.why, note))
    decision = prefer_active(
        found, active, folded, is_follow_up=goes_on or (bool(recalled) and not others), mentions_others=others
    )
    if recalled and decision.route == "sticky":
        return replace(decision, why=(*decision.why, RoutingNote.of("recalls", words=recalled[:4])))
    return decision
