"""The last request that steps ran for, and whether doing it once more, or for something else, would change anything."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.agent.choice.details import read_request
from metier.agent.turn import TurnState, turn_events, wants_again
from metier.language import read_language_wish
from metier.questions import orders_change, read_subject
from metier.skills import Skill
from metier.store import Event
from metier.tools import NEVER

_MAX_TURNS: Final = 10
_SHOWN: Final = frozenset({"table", "chart", "map"})
# What a step that is done again would make twice: a file, a drawn card.
_MADE: Final = frozenset({"file", "image"})


@dataclass(frozen=True, slots=True)
class LastRequest:
    """The message, and the skill whose steps it ran; `is_safe` if doing it again changes and makes nothing.

    `draws` says that it made pictures, such as cards: whether once more is another draw, its steps know.
    """

    message: str
    skill: Skill
    is_safe: bool
    has_result: bool
    draws: bool = False


async def find_last_request(state: TurnState) -> LastRequest | None:
    """The last request that the steps of a skill ran for, past those that only asked for it once more."""
    store, is_safe = state.resources.store, True
    changing = await _list_changing(state)
    for turn in await store.turns.list(state.conversation, limit=_MAX_TURNS, having="tool.called"):
        events = [] if turn.id == state.turn else await turn_events(store, turn)
        is_safe = is_safe and not any(_changes(one, changing) for one in events)
        said, skill = read_request(events), _find_skill(state, events)
        if skill is not None and said and read_language_wish(said) is None and not wants_again(said):
            kinds = {one.kind for one in events}
            return LastRequest(said, skill, is_safe, not kinds.isdisjoint(_SHOWN), draws="image" in kinds)
    return None


async def changes_something(state: TurnState, skill: Skill) -> bool:
    """Whether a step of the skill changes something."""
    called = {str(step["call"]) for step in skill.sop if step.get("call")}
    return bool(called) and not called.isdisjoint(await _list_changing(state))


async def repeats_order(state: TurnState) -> bool:
    """Whether a message only names something else after an order that changes something: 下发, then 朝阳呢."""
    return bool(read_subject(state.request.message)) and await follows_order(state)


async def follows_order(state: TurnState) -> bool:
    """Whether the last request was an order that changes something, by its form and by its steps."""
    last = await find_last_request(state)
    return last is not None and orders_change(last.message) and await changes_something(state, last.skill)


async def _list_changing(state: TurnState) -> frozenset[str]:
    """Tools that change something: a person approves them, or they take such a change back."""
    await state.resources.load_tools(state.journal.emit)
    specs = state.resources.toolset(state.request.catalog).registry.specs()
    return frozenset(one.name for one in specs if one.approval != NEVER or one.undoes)


def _find_skill(state: TurnState, events: Sequence[Event]) -> Skill | None:
    """The skill whose steps a turn ran."""
    planned = next((one.data for one in reversed(events) if one.kind == "plan.created"), None)
    found = None if planned is None else state.request.catalog.get(str(planned.get("skill")))
    return found if found is not None and found.enabled and found.sop else None


def _changes(event: Event, changing: frozenset[str]) -> bool:
    """Whether a step made a file or a card, was or is asked about before it changes something, or has changed it."""
    if event.kind in _MADE or event.data.get("purpose") == "approve":
        return True
    return event.kind == "tool.called" and str(event.data.get("tool")) in changing
