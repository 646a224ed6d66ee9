"""Writes and reads of one turn: writes are stored under its lease, then passed to the listener."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from metier.agent.adapters import StreamedReasoning
from metier.facts import MAX_FACTS, Fact, fact_from_json, make_fact
from metier.json_values import JsonObject, JsonValue
from metier.store import (
    Event,
    EventDraft,
    EventKind,
    Message,
    MessageDraft,
    PlanState,
    Store,
    Transaction,
    Turn,
    TurnEndStatus,
)

if TYPE_CHECKING:
    from metier.errors import MetierError
    from metier.language import Language

_MAX_MESSAGES: Final = 200
_EVENTS_PER_PAGE: Final = 1000
# Payload keys of a pause that hold the state of an interrupted run of the agent: of no use once the pause is answered.
_RUN_KEYS: Final = ("checkpoint", "edited", "final_text", "provider_replies")


class PlanSnapshot(NamedTuple):
    """Plan and todos of the conversation, in the form that the store keeps."""

    plan: JsonObject
    state: PlanState


class StoredBatch(NamedTuple):
    """Assistant message with tool calls and the results of all of them."""

    assistant: MessageDraft
    results: Sequence[MessageDraft]


class Journal:
    """Writer for one turn. Each `record` is one transaction, and its events are emitted only after the commit.

    `queue` defers writes to the next `record`: a turn emits a dozen events and every transaction costs.
    """

    def __init__(self, store: Store, turn: Turn, on_event: Callable[[Event], None]) -> None:
        self._store = store
        self._on_event = on_event
        self._drafts: list[EventDraft] = []
        self._messages: list[MessageDraft] = []
        self._write_lock = asyncio.Lock()
        self._closed = False
        self._facts: tuple[Fact, ...] | None = None
        self._known_messages: list[Message] | None = None
        self.lease = turn
        self.is_over = False
        self.language: Language = "en"  # of the user, once the turn knows it
        self.write_error: MetierError | None = None  # why the end of the turn could not be written
        self.is_lost = False  # whether the lease was over before the end of the turn
        self.unsent_text = ""  # model text that was received but not emitted yet
        self.streamed_text = ""  # model text that was emitted since the last `text.done`
        self.reasoning = StreamedReasoning()

    def queue(self, *drafts: EventDraft, message: MessageDraft | None = None) -> None:
        """Queue events and a message for the next write, at the latest the end of the turn."""
        self._drafts += drafts
        if message is not None:
            self._messages.append(message)

    def text_drafts(self, text: str, **more: JsonValue) -> list[EventDraft]:
        """`text.done`, after the end of the text if the stream lacks it: who reads deltas gets the same text."""
        streamed, self.streamed_text = self.streamed_text, ""
        rest = text[len(streamed) :] if streamed and text.startswith(streamed) else ""
        delta = [EventDraft("text.delta", {"text": rest})] if rest else []
        return [*delta, EventDraft("text.done", {"text": text, **more})]

    async def load_facts(self) -> tuple[Fact, ...]:
        """Facts of the conversation; read once, those that this turn settles are added."""
        if self._facts is None:
            stored = await self._store.facts.list(self.lease.conversation, is_known=True)
            self._facts = tuple(one.fact for one in stored)
        return self._facts

    def keep_messages(self, messages: Sequence[Message]) -> None:
        """Keep the messages of the turn so far, as they were read; those that it writes are added."""
        self._known_messages = [one for one in messages if one.turn == self.lease.id]

    async def load_messages(self) -> list[Message]:
        """Latest messages of the turn, in order; read only if they are not known."""
        if self._known_messages is None:
            self._known_messages = await turn_messages(self._store, self.lease)
        return self._known_messages[-_MAX_MESSAGES:]

    async def emit(self, *drafts: EventDraft) -> None:
        """Store these events, then emit them."""
        await self.record(*drafts)

    async def record(
        self,
        *drafts: EventDraft,
        messages: Sequence[MessageDraft] = (),
        batch: StoredBatch | None = None,
        plan: PlanSnapshot | None = None,
        used_pause: str | None = None,
    ) -> None:
        """Store events, messages, a batch and the plan in one transaction, then emit the events.

        `used_pause` is an answered pause whose answer these events apply or discard: the state of its run is removed.
        """
        async with self._hold_write_lock():
            told, said = self._take_queued(drafts, messages)
            lease = self.lease
            if not (said or batch or plan or used_pause or any(one.kind == "fact.saved" for one in told)):
                if told:
                    self._notify(
                        await self._store.events.append_many(lease.conversation, told, turn=lease.id, fence=lease.fence)
                    )
                return

            async def write_all(tx: Transaction) -> tuple[tuple[Event, ...], list[Message]]:
                stored, written = await self._write(tx, told, said)
                if batch is not None:
                    written += await tx.messages.append_exchange(
                        lease.conversation, batch.assistant, batch.results, turn=lease.id, fence=lease.fence
                    )
                if plan is not None:
                    await tx.plans.save(lease.conversation, plan.plan, plan.state, turn=lease.id, fence=lease.fence)
                if used_pause is not None:
                    await tx.pauses.forget(used_pause, _RUN_KEYS)
                return stored, written

            self._notify(*await self._store.write_together(write_all))

    async def finish(self, state: TurnEndStatus, *drafts: EventDraft) -> None:
        """Store the last events of the turn and release its lease."""
        async with self._hold_write_lock():
            told, said = self._take_queued(drafts, ())

            async def write_end(tx: Transaction) -> tuple[Event, ...]:
                stored, _ = await self._write(tx, told, said)
                await tx.turns.finish(self.lease.id, self.lease.fence, state)
                return stored

            await self._end(write_end)

    async def abandon(self, *drafts: EventDraft) -> None:
        """Store these events and end the lease: the turn is left to whoever recovers turns."""
        async with self._hold_write_lock():
            told, said = self._take_queued(drafts, ())

            async def write_end(tx: Transaction) -> tuple[Event, ...]:
                stored, _ = await self._write(tx, told, said)
                await tx.turns.release(self.lease.id, self.lease.fence)
                return stored

            await self._end(write_end)

    async def _end(self, write: Callable[[Transaction], Coroutine[object, object, tuple[Event, ...]]]) -> None:
        stored = await self._store.write_together(write)
        self.is_over = True
        self._notify(stored)

    @property
    def is_closed(self) -> bool:
        return self._closed

    async def close(self) -> bool:
        """Wait for a running write and reject later ones. False if the turn has ended or the journal was closed before.

        The end of a turn is decided here: whichever comes first under the lock, `close` or `finish`, is its end.
        """
        async with self._write_lock:
            if self._closed or self.is_over:
                return False
            self._closed = True
            return True

    def reopen(self) -> "Journal":
        """New journal for the final writes of a turn whose journal is closed; takes over the queue."""
        after = Journal(self._store, self.lease, self._on_event)
        after._drafts, after._messages, after.unsent_text = self._drafts, self._messages, self.unsent_text
        after.reasoning = self.reasoning
        return after

    def has_queued(self, kind: EventKind) -> bool:
        """Whether an event of this kind is queued."""
        return any(draft.kind == kind for draft in self._drafts)

    @asynccontextmanager
    async def _hold_write_lock(self) -> AsyncIterator[None]:
        async with self._write_lock:
            if self._closed:
                raise asyncio.CancelledError
            yield

    def _take_queued(
        self, drafts: Sequence[EventDraft], messages: Sequence[MessageDraft]
    ) -> tuple[list[EventDraft], list[MessageDraft]]:
        told, said = [*self._drafts, *drafts], [*self._messages, *messages]
        self._drafts, self._messages = [], []
        return told, said

    async def _write(
        self, tx: Transaction, drafts: Sequence[EventDraft], messages: Sequence[MessageDraft]
    ) -> tuple[tuple[Event, ...], list[Message]]:
        lease = self.lease
        written = [
            await tx.messages.append(lease.conversation, message, turn=lease.id, fence=lease.fence)
            for message in messages
        ]
        for draft in drafts:
            if draft.kind == "fact.saved":
                await tx.facts.save(lease.conversation, fact_from_json(draft.data), turn=lease.id, fence=lease.fence)
        if not drafts:
            return (), written
        stored = await tx.events.append_many(lease.conversation, drafts, turn=lease.id, fence=lease.fence)
        return stored, written

    def _notify(self, stored: Sequence[Event], written: Sequence[Message] = ()) -> None:
        if self._known_messages is not None:
            self._known_messages += written
        for event in stored:
            if event.kind == "fact.saved" and self._facts is not None:
                settled = make_fact(fact_from_json(event.data))
                kept = (one for one in self._facts if one.name != settled.name)
                self._facts = (*kept, settled)[-MAX_FACTS:]
            self._on_event(event)


async def turn_events(store: Store, turn: Turn) -> list[Event]:
    """All events of a turn, in order."""
    found: list[Event] = []
    while True:
        after = found[-1].seq if found else 0
        page = await store.events.read(turn.conversation, after=after, limit=_EVENTS_PER_PAGE, turn=turn.id)
        found += page
        if len(page) < _EVENTS_PER_PAGE:
            return found


async def turn_messages(store: Store, turn: Turn) -> list[Message]:
    """Latest messages of a turn, in order."""
    history = await store.messages.get_history(turn.conversation, limit=_MAX_MESSAGES)
    return [one for one in history if one.turn == turn.id]
