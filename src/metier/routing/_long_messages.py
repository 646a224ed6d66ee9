"""Long messages: the decision for the sentence that asks, if the whole says less."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.routing._multiple_skills import ScoredDecision
from metier.routing._sentences import RoutingNote
from metier.routing.passages import Passage
from metier.routing.ranking import to_odds

# Log-odds by which a passage counts for more where it asks, and for less where several people are asked, somebody else
# says it, or sentences around it are in it. Fitted to 3,000 long messages of 13 sources, each left out in turn
# (docs/benchmarks/unseen.md).
_ASKS: Final = 1.7
_TO_OTHERS: Final = -1.1
_PASTED: Final = -0.9
_WIDE: Final = -0.6
# Log-odds that a passage has at most which does not ask its reader: to be surely about something is not to ask for it.
_MAX_UNASKED: Final = 0.5
_MAX_SHOWN_CHARS: Final = 80


def choose_passage(whole: ScoredDecision, judged: Sequence[tuple[Passage, ScoredDecision]]) -> Passage | None:
    """The passage that decides instead of the whole message; None if none is likelier to be the request.

    Pasted text and small talk are about many things and ask for none of them, so a passage that asks counts although
    others are surer of a skill.
    """
    able = [(_weigh(passage, found), passage) for passage, found in judged if found.order]
    weight, passage = max(able, key=lambda one: one[0], default=(0.0, None))
    worth = to_odds(whole.right)
    if any(one.beside_others for one, _ in judged):  # the whole is mostly what others say
        worth = min(worth, _MAX_UNASKED)
    return None if not able or (whole.order and weight < worth) else passage


def _weigh(passage: Passage, found: ScoredDecision) -> float:
    """How likely the passage is the request, in log-odds: by how sure it is of a skill, and by how it asks."""
    sure = to_odds(found.right)
    if not passage.asks or passage.to_others:
        sure = min(sure, _MAX_UNASKED)
    kinds = ((passage.asks, _ASKS), (passage.to_others, _TO_OTHERS), (passage.is_pasted, _PASTED))
    return sure + sum(worth for holds, worth in (*kinds, (passage.is_wide, _WIDE)) if holds)


def offer_only(found: ScoredDecision) -> ScoredDecision:
    """The decision, never taken unasked: other words of the message may be what asks."""
    if found.decision.verdict != "auto":
        return found
    return replace(found, decision=replace(found.decision, verdict="suggest"))


def conclude(found: ScoredDecision, passage: Passage) -> ScoredDecision:
    """The decision on a passage for the message, with a note on where in it the request stands.

    Pasted text and small talk are about things too, and others are asked for things: 咖啡机也能用了 orders no coffee.
    """
    found = found if passage.asks and not (passage.to_others or passage.by_others) else offer_only(found)
    shown = passage.text if len(passage.text) <= _MAX_SHOWN_CHARS else f"{passage.text[:_MAX_SHOWN_CHARS]}…"
    note = RoutingNote.of("passage", place=passage.place, count=passage.total, text=shown)
    return replace(found, decision=replace(found.decision, why=(*found.decision.why, note)))


def conclude_whole(found: ScoredDecision) -> ScoredDecision:
    """The decision on a whole message with words of other people: what these ask for is offered and never taken."""
    found = offer_only(found)
    return replace(found, decision=replace(found.decision, why=(*found.decision.why, RoutingNote("words_of_others"))))
