"""A message that was read as a whole request: told to the user, and stored for a restart and for later questions."""

from dataclasses import replace
from typing import Final

from metier.agent.adapters import decision_to_json, render_sentence
from metier.agent.turn import TurnState
from metier.routing import Candidate, Decision, RoutingNote
from metier.skills import Skill
from metier.store import EventDraft

_REASON: Final = "goes_on"


def take_as(state: TurnState, message: str, skill: Skill) -> None:
    """Work on this request for the skill, instead of on the words that stand for it (重来, "switch it back")."""
    language = state.request.language
    state.request = replace(state.request, message=message)
    state.queue_reply(render_sentence("read_as", language, message=message))
    why, best = (RoutingNote.of(_REASON, skill=skill.id),), (Candidate(skill.id, 1.0),)
    decision = Decision("auto", "search", message, skill=skill.id, skills=(skill.id,), candidates=best, why=why)
    state.journal.queue(EventDraft("skill.routed", {**decision_to_json(decision, language), "read_as": message}))
