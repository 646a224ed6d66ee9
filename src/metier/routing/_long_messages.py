"""Long messages: the decision for the sentence that asks, if the whole says less."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.routing._multiple_skills import ScoredDecision
from metier.routing._sentences import RoutingNote
from metier.routing.text import Passage

# A sentence that does not ask must be this much surer than the whole.
_PASSIVE_MARGIN: Final = 0.25
_MAX_SHOWN_CHARS: Final = 80


def choose_passage(whole: ScoredDecision, judged: Sequence[tuple[Passage, ScoredDecision]]) -> Passage | None:
    """The passage that decides instead of the whole message; None if none is surer than the whole.

    Passages that ask go before others: pasted text is about many things, and asks for none of them.
    """
    able = [(passage, found) for passage, found in judged if found.order]
    asking = [(passage, found) for passage, found in able if passage.asks]
    passage, best = max(asking or able, key=lambda one: one[1].right, default=(None, whole))
    if passage is None or best.right < whole.right + (0.0 if passage.asks else _PASSIVE_MARGIN):
        return None
    return passage


def add_passage_note(found: ScoredDecision, passage: Passage) -> ScoredDecision:
    """The decision with a note on where in the message its request stands."""
    shown = passage.text if len(passage.text) <= _MAX_SHOWN_CHARS else f"{passage.text[:_MAX_SHOWN_CHARS]}…"
    note = RoutingNote.of("passage", place=passage.place, count=passage.total, text=shown)
    return replace(found, decision=replace(found.decision, why=(*found.decision.why, note)))
