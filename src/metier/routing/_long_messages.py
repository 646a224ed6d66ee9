"""Long messages: the decision for the sentence that asks, if the whole says less."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.routing._multiple_skills import ScoredDecision
from metier.routing._sentences import RoutingNote
from metier.routing.text import Passage

# A sentence that does not ask must be this much surer than the whole.
_PASSIVE_MARGIN: Final = 0.15
_MAX_SHOWN_CHARS: Final = 80


def choose_passage(whole: ScoredDecision, judged: Sequence[tuple[Passage, ScoredDecision]]) -> Passage | None:
    """The passage that decides instead of the whole message; None if none is surer than the whole.

    One that asks for nothing must be clearly surer than the whole and any that asks: pasted text is about many things,
    and asks for none of them.
    """
    able = [(passage, found) for passage, found in judged if found.order]
    asked, asking = _find_surest([one for one in able if one[0].asks])
    told, telling = _find_surest([one for one in able if not one[0].asks])
    if told is not None and telling >= max(asking, whole.right) + _PASSIVE_MARGIN:
        return told
    return asked if asking >= whole.right else None


def _find_surest(judged: Sequence[tuple[Passage, ScoredDecision]]) -> tuple[Passage | None, float]:
    best = max(judged, key=lambda one: one[1].right, default=None)
    return (None, -1.0) if best is None else (best[0], best[1].right)


def offer_only(found: ScoredDecision) -> ScoredDecision:
    """The decision, never taken unasked: other words of the message may be what asks."""
    if found.decision.verdict != "auto":
        return found
    return replace(found, decision=replace(found.decision, verdict="suggest"))


def add_passage_note(found: ScoredDecision, passage: Passage) -> ScoredDecision:
    """The decision with a note on where in the message its request stands."""
    shown = passage.text if len(passage.text) <= _MAX_SHOWN_CHARS else f"{passage.text[:_MAX_SHOWN_CHARS]}…"
    note = RoutingNote.of("passage", place=passage.place, count=passage.total, text=shown)
    return replace(found, decision=replace(found.decision, why=(*found.decision.why, note)))
