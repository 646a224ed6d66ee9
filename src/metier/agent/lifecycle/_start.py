"""Builds the state of a turn: for a new message, or again from the store after an answer or a crash."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.agent.lifecycle._recover import find_answer_event, has_unstarted_plan, recover
from metier.agent.lifecycle._resume import apply_answer
from metier.agent.turn import (
    Journal,
    Resources,
    TurnRequest,
    TurnState,
    choose_skill,
    restore_plan,
    turn_events,
    turn_messages,
)
from metier.skills import Catalog
from metier.store import Conversation, Event, EventDraft, Message, MessageDraft, Pause, SavedPlan, Transaction
from metier.tools import Language, language_of

_MAX_HISTORY_MESSAGES: Final = 60
_EVENTS_AFTER_CHOICE: Final = ("skill.routed", "skill.activated", "tool.called")


@dataclass(frozen=True, slots=True)
class NewTurn:
    """Starts a turn for a new message. `pending` is a question of an earlier turn that the message does not answer."""

    resources: Resources
    request: TurnRequest
    conversation: Conversation
    catalog: Catalog
    pending: Pause | None = None

    async def start(self, journal: Journal) -> tuple[TurnState, bool]:
        """Return the state, and whether the agent has to run."""
        asked = self.request
        work, plan = await _load_state(self.resources, journal, self.conversation, self.catalog, asked.message)
        work.host, work.document, work.pending_pause = asked.host, asked.document, self.pending
        started = EventDraft("turn.started", {"message": work.message, "skill": self.conversation.skill})
        await journal.record(started, messages=[MessageDraft("user", work.message)])
        work.is_new_turn = True
        await restore_plan(work, plan)
        return work, await choose_skill(work, asked.skill)


@dataclass(frozen=True, slots=True)
class ResumedTurn:
    """Resumes a turn from the store: after the answer to `pause`, or after a crash if there is none.

    `said` are the words of the answer if it came as a message.
    """

    resources: Resources
    pause: Pause | None = None
    said: str | None = None

    async def start(self, journal: Journal) -> tuple[TurnState, bool]:
        """Return the state, and whether the agent has to run."""
        store, lease = self.resources.store, journal.lease
        conversation = await store.conversations.get(lease.conversation)
        catalog = await self.resources.load_catalog()
        events = await turn_events(store, lease)
        work, plan = await _load_state(self.resources, journal, conversation, catalog, _first_message(events))
        await restore_plan(work, plan)
        if self.pause is None:
            return work, await self._recover(work, events)
        if find_answer_event(events, self.pause) is not None:
            work.stays_paused = True  # the same answer arrived twice concurrently; the other request resumes the turn
            return work, False
        return work, await apply_answer(work, self.pause, self.said)

    async def _recover(self, work: TurnState, events: Sequence[Event]) -> bool:
        store, lease = self.resources.store, work.journal.lease
        others = [one for one in await store.pauses.list_open(lease.conversation) if one.turn != lease.id]
        if others:  # this turn is answered while that pause stays open
            work.pending_pause, work.plan_runner = others[-1], None
        if not any(one.kind in _EVENTS_AFTER_CHOICE for one in events):
            return await choose_skill(work, None)
        work.plan_due = (
            work.plan_runner is None
            and work.active_skill is not None
            and bool(work.active_skill.sop)
            and has_unstarted_plan(events)
        )
        return await recover(work, events, await turn_messages(store, lease), await self._find_answered_pause(events))

    async def _find_answered_pause(self, events: Sequence[Event]) -> Pause | None:
        """Last pause of the turn, if it was answered."""
        opened = [str(one.data.get("pause")) for one in events if one.kind == "pause.opened"]
        pause = await self.resources.store.pauses.get(opened[-1]) if opened else None
        return pause if pause is not None and pause.answered_at is not None else None


async def _load_state(
    resources: Resources, journal: Journal, conversation: Conversation, catalog: Catalog, message: str
) -> tuple[TurnState, SavedPlan | None]:
    """Build the turn's state; also return the latest saved plan of the conversation."""

    async def read_history(view: Transaction) -> tuple[tuple[Message, ...], SavedPlan | None]:
        history = await view.messages.get_history(conversation.id, limit=_MAX_HISTORY_MESSAGES)
        return history, await view.plans.get_latest(conversation.id)

    history, plan = await resources.store.read_together(read_history)
    setting = resources.settings.language
    work = TurnState(
        resources=resources,
        journal=journal,
        user=conversation.user,
        message=message,
        language=_detect_language(message, history) if setting == "auto" else setting,
        catalog=catalog,
        active_skill=catalog.get(conversation.skill) if conversation.skill else None,
        earlier_messages=tuple(one for one in history if one.turn != journal.lease.id),
        started_at=resources.clock(),
        voice=conversation.voice_mode,
    )
    return work, plan


def _first_message(events: Sequence[Event]) -> str:
    started = next((one for one in events if one.kind == "turn.started"), None)
    return str(started.data.get("message", "")) if started else ""


def _detect_language(message: str, history: Sequence[Message]) -> Language:
    """Language of the message; if it has no letters (a number), of the user's previous message."""
    if any(char.isalpha() for char in message):
        return language_of(message)
    return language_of(next((one.content for one in reversed(history) if one.role == "user"), message))
