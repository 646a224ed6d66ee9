"""Ends a turn that a user stopped: stores partial text and gives every open call a result."""

from collections.abc import Sequence
from dataclasses import dataclass

from metier.agent._blocks import shown_until
from metier.agent._exchange import Exchange
from metier.agent._journal import Journal, Saved
from metier.agent._kit import Kit
from metier.agent._messages import storable
from metier.agent._plan_desk import PlanDesk
from metier.agent._reading import turn_events, turn_messages
from metier.agent._recover import broken_off, own_calls
from metier.agent._wording import say
from metier.errors import InvalidInput, ToolNotFound
from metier.store import Event, EventDraft, Message, MessageDraft
from metier.tools import Language, ToolCall, language_of


async def stopped(kit: Kit, journal: Journal) -> None:
    """Write the final events of a stopped turn from its stored events and release the conversation."""
    lease = journal.lease
    events = await turn_events(kit.store, lease)
    messages = await turn_messages(kit.store, lease)
    end = _End(kit, _language(kit, events), events)
    exchange = broken_off(events, messages)
    if exchange is not None:
        drafts = [end.result(exchange, call) for call in exchange.open_calls]
        drafts += (plan := await end.plan(lease.conversation))[0]
        await journal.record(*drafts, talk=exchange.talk(), saved=plan[1])
    for text in () if exchange else _unkept(events, messages):
        journal.later(message=MessageDraft("assistant", text))
    if text := _partial(events, journal):
        told = EventDraft("text.done", {"text": text, "stopped": True})
        journal.later(told, message=MessageDraft("assistant", text))
    for pause in await kit.store.pauses.list_open(lease.conversation):
        if pause.turn == lease.id:  # opened while the turn was being stopped: nobody has seen it
            await kit.store.pauses.answer(pause.id, None, answer_key="cancelled")
    await journal.finish(
        "interrupted", EventDraft("error", {"code": "stopped", "message": say("halted", end.language)})
    )


@dataclass(slots=True)
class _End:
    kit: Kit
    language: Language
    events: Sequence[Event]
    unknown: str = ""  # plan step whose call has an unknown outcome

    def result(self, exchange: Exchange, call: ToolCall) -> EventDraft:
        """Give an open call a result in the batch and return its event."""
        begun = next((one for one in own_calls(self.events) if one.data["call"] == call.id), None)
        lost = begun is not None and not self._repeatable(call.name)
        code = "outcome_unknown" if lost else "stopped"
        if lost and begun is not None:
            self.unknown = str(begun.data.get("step") or "") or self.unknown
        text = say("call_unknown" if lost else "call_stopped", self.language, tool=call.name)
        exchange.results[call.id] = text
        told = {"call": call.id, "tool": call.name, "state": "unknown" if lost else "stopped", "content": text}
        return EventDraft("tool.result", {**told, "ok": False, "error": {"code": code, "message": text, "hint": ""}})

    async def plan(self, conversation: str) -> tuple[list[EventDraft], Saved | None]:
        """Stop the plan only if one of its calls has an unknown outcome; otherwise the next message continues it."""
        saved = await self.kit.store.plans.latest(conversation) if self.unknown else None
        if saved is None or saved.state != "running" or "run" not in saved.plan:
            return [], None
        folder = self.kit.workspace(conversation)
        try:
            desk = PlanDesk.restored(saved.plan, language=self.language, workspace=folder)
        except InvalidInput:
            return [], Saved(saved.plan, "abandoned")
        drafts = desk.stop(say("step_unknown", self.language, step=self.unknown))
        return drafts, Saved({**saved.plan, **desk.to_json()}, desk.state)

    def _repeatable(self, tool: str) -> bool:
        registry = self.kit.bench(self.kit.library.catalog()).registry
        try:
            return registry.get(tool).spec.idempotent
        except ToolNotFound:
            return False


def _language(kit: Kit, events: Sequence[Event]) -> Language:
    if kit.settings.language != "auto":
        return kit.settings.language
    started = next((one for one in events if one.kind == "turn.started"), None)
    return language_of(str(started.data.get("message", ""))) if started else "en"


def _partial(events: Sequence[Event], journal: Journal) -> str:
    """Text of an unfinished answer. An unfinished suggestions or parameters block is dropped."""
    if journal.tells("text.done"):
        return ""
    pieces: list[str] = []
    for event in events:
        if event.kind == "text.done":
            pieces.clear()
        elif event.kind == "text.delta":
            pieces.append(str(event.data["text"]))
    rest = journal.unsaid
    return "".join([*pieces, storable(rest[: shown_until(rest)])]).strip()


def _unkept(events: Sequence[Event], messages: Sequence[Message]) -> list[str]:
    """Emitted texts that never became messages: they accompanied calls that were not made."""
    kept = {one.content for one in messages if one.role == "assistant"}
    said = [str(one.data["text"]) for one in events if one.kind == "text.done"]
    return [text for text in said if text not in kept]
