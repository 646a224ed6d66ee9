"""Results of the last turns of a conversation, and what they were asked with."""

from collections.abc import Sequence
from typing import Final

from metier.agent.turn import TurnState, turn_events
from metier.names import is_command
from metier.questions import Results, collect_results
from metier.store import Event

MAX_TURNS: Final = 40  # answers about results are turns as well: they must not push the results out of reach
_MAX_RESULT_TURNS: Final = 3
_RESULT_KINDS: Final = ("table", "chart")


async def load_results(state: TurnState) -> Results:
    """Results of the last turns that called tools, the newest first.

    The messages before, which are loaded already, say whether there can be any: a talk without tools costs no reading.
    """
    earlier = state.request.earlier_messages
    if all(one.position <= 1 for one in earlier[:1]) and not any(one.role == "tool" for one in earlier):
        return Results()
    store, found = state.resources.store, []
    for turn in await store.turns.list(state.conversation, limit=MAX_TURNS, having="tool.called"):
        if turn.id == state.turn:
            continue
        events = await turn_events(store, turn)
        if any(_has_result(one) for one in events):
            found.append((describe_message(state, events), [(one.kind, one.data) for one in events]))
        if len(found) == _MAX_RESULT_TURNS:
            break
    return collect_results(found, state.request.language)


async def has_written_files(state: TurnState) -> bool:
    """Whether an earlier turn of the conversation wrote a file."""
    turns = await state.resources.store.turns.list(state.conversation, limit=MAX_TURNS, having="file")
    return any(turn.id != state.turn for turn in turns)


def describe_message(state: TurnState, events: list[Event]) -> str:
    """What the user asked, as it was read; a skill that was called by its id has its title."""
    return _name_command(state, _read_whole(events))


def read_request(events: Sequence[Event]) -> str:
    """What a turn was asked; of a short follow-up the whole question that it was read as."""
    said = _read_whole(events)
    return said.partition(" ")[2] or said if is_command(said) else said


def _read_whole(events: Sequence[Event]) -> str:
    read = next((one.data["read_as"] for one in events if one.kind == "skill.routed" and one.data.get("read_as")), None)
    started = next((one.data for one in events if one.kind == "turn.started"), {})
    return str(read or started.get("message", ""))


def _has_result(event: Event) -> bool:
    """Whether an event shows a table or a chart, alone or in an approval."""
    return event.kind in _RESULT_KINDS or (event.kind == "pause.opened" and event.data.get("purpose") == "approve")


def _name_command(state: TurnState, said: str) -> str:
    """A message, with the title of the skill that it calls by its id."""
    first, gap, rest = said.partition(" ")
    skill = state.request.catalog.get(first[1:]) if is_command(first) else None
    return said if skill is None else f"{skill.title_in(state.request.language)}{gap}{rest}"
