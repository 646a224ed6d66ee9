"""Ends a turn that a user stopped or that failed: stores partial text and gives every open call a result."""

from collections.abc import Sequence
from dataclasses import dataclass

from metier.agent.adapters import localize_failure, render_sentence
from metier.agent.choice import go_on_event, halt_plan, stop_tasks
from metier.agent.lifecycle._recover import PROCESS_GONE, is_crash, started_calls, unfinished_batch
from metier.agent.models import displayable_length
from metier.agent.turn import (
    CallBatch,
    Journal,
    PlanRunner,
    PlanSnapshot,
    Resources,
    turn_events,
    turn_messages,
)
from metier.errors import InvalidInput
from metier.json_values import JsonObject, clean_text
from metier.language import Language, resolve_language
from metier.store import Event, EventDraft, Message, MessageDraft, Turn
from metier.tools import ToolCall


async def write_stop(resources: Resources, journal: Journal) -> None:
    """Write the final events of a stopped turn from its stored events and release the conversation."""
    lease = journal.lease
    events = await turn_events(resources.store, lease)
    messages = await turn_messages(resources.store, lease)
    language = turn_language(resources, events)
    closed = await _close_batch(resources, journal, events, messages)
    for text in () if closed else _unstored_texts(events, messages):
        journal.queue(message=MessageDraft("assistant", text))
    journal.queue(*journal.reasoning.finish(stopped=True))
    if text := _partial_text(events, journal):
        journal.queue(*journal.text_drafts(text, stopped=True), message=MessageDraft("assistant", text))
    for pause in await resources.store.pauses.list_open(lease.conversation):
        if pause.turn == lease.id:  # opened while the turn was being stopped: nobody has seen it
            await resources.store.pauses.answer(pause.id, None, answer_key="cancelled")
            await journal.record(used_pause=pause.id)
    plan = await halt_plan(resources.store, lease.conversation, lease.id, resources.new_id())
    if plan is not None:
        await journal.record(plan=plan)
    tasks = stop_tasks(events)
    if tasks is not None:
        journal.queue(tasks[1])
    offered = [go_on_event(language)] if plan is not None or tasks is not None else []
    halted = render_sentence("halted_plan" if plan is not None else "halted", language)
    if tasks is not None:
        undone = [one.title for one in tasks[0] if one.state == "stopped"]
        halted = render_sentence("halted_tasks", language, titles=", ".join(undone))
    await journal.finish("interrupted", *offered, EventDraft("error", {"code": "stopped", "message": halted}))


async def close_open_batch(resources: Resources, journal: Journal, *, ends_tasks: bool = False) -> None:
    """Give every open call of a turn that ends early a result, and store its batch: what ran must not be forgotten.

    With `ends_tasks`, the event that says which of its tasks were not done is queued.
    """
    events = await turn_events(resources.store, journal.lease)
    if ends_tasks and (stopped := stop_tasks(events)) is not None:
        journal.queue(stopped[1])
    messages = await turn_messages(resources.store, journal.lease)
    await _close_batch(resources, journal, events, messages)


async def _close_batch(
    resources: Resources, journal: Journal, events: Sequence[Event], messages: Sequence[Message]
) -> bool:
    """Close the open batch; False if there is none."""
    batch = unfinished_batch(events, messages)
    if batch is None:
        return False
    conversation = journal.lease.conversation
    skill = (await resources.store.conversations.get(conversation)).skill
    end = _StopWriter(resources, turn_language(resources, events), events, skill)
    drafts = [end.close_call(batch, call) for call in batch.open_calls]
    drafts += (plan := await end.stop_plan(conversation))[0]
    await journal.record(*drafts, batch=batch.to_messages(), plan=plan[1])
    return True


@dataclass(slots=True)
class _StopWriter:
    resources: Resources
    language: Language
    events: Sequence[Event]
    skill: str | None
    unknown_step: str = ""  # plan step whose call has an unknown outcome

    def close_call(self, batch: CallBatch, call: ToolCall) -> EventDraft:
        """Give an open call a result in the batch and return its event."""
        begun = next((one for one in started_calls(self.events) if one.data["call"] == call.id), None)
        lost = begun is not None and not self._may_repeat(call.name, str(begun.data["tool"]))
        code = "outcome_unknown" if lost else "stopped"
        if lost and begun is not None:
            self.unknown_step = str(begun.data.get("step") or "") or self.unknown_step
        text = render_sentence(self._choose_sentence(call.name, begun, lost=lost), self.language, tool=call.name)
        batch.results[call.id] = text
        told = {"call": call.id, "tool": call.name, "state": "unknown" if lost else "stopped", "content": text}
        return EventDraft("tool.result", {**told, "ok": False, "error": {"code": code, "message": text, "hint": ""}})

    def _choose_sentence(self, called: str, begun: Event | None, *, lost: bool) -> str:
        if lost or begun is None:
            return "call_unknown" if lost else "call_stopped"
        catalog = self.resources.library.catalog()
        return self.resources.choose_stop_sentence(catalog, catalog.get(self.skill or ""), called)

    def _may_repeat(self, called: str, ran: str) -> bool:
        catalog = self.resources.library.catalog()
        skill = catalog.get(self.skill or "")
        return all(self.resources.is_idempotent(catalog, skill, tool) for tool in (called, ran))

    async def stop_plan(self, conversation: str) -> tuple[list[EventDraft], PlanSnapshot | None]:
        """Stop the plan for good only if one of its calls has an unknown outcome; otherwise the user may go on."""
        saved = await self.resources.store.plans.get_latest(conversation) if self.unknown_step else None
        if saved is None or saved.state != "running" or "run" not in saved.plan:
            return [], None
        folder = self.resources.workspace(conversation)
        try:
            runner = PlanRunner.from_json(saved.plan, language=self.language, workspace=folder)
        except InvalidInput:
            return [], PlanSnapshot(saved.plan, "abandoned")
        drafts = runner.stop(render_sentence("step_unknown", self.language, step=self.unknown_step))
        return drafts, PlanSnapshot({**saved.plan, **runner.to_json()}, runner.state)


async def tell_interrupted(resources: Resources, turn: Turn) -> Event | None:
    """Record that the process of a turn is gone; None if that process did so before it ended."""
    events = await turn_events(resources.store, turn)
    last = events[-1] if events else None
    if last is not None and last.kind == "error" and last.data.get("code") == "interrupted" and not is_crash(last):
        return None
    gone: JsonObject = {"code": "interrupted", "turn": turn.id, "message": PROCESS_GONE}
    told = localize_failure(gone, turn_language(resources, events))
    return await resources.store.events.append(turn.conversation, "error", told, turn=turn.id)


def turn_language(resources: Resources, events: Sequence[Event]) -> Language:
    """Language of the message that began the turn, or that of the settings."""
    if resources.settings.language != "auto":
        return resources.settings.language
    started = next((one for one in events if one.kind == "turn.started"), None)
    return resolve_language("auto", str(started.data.get("message", ""))) if started else "en"


def _partial_text(events: Sequence[Event], journal: Journal) -> str:
    """Text of an unfinished answer. An unfinished suggestions or parameters block is dropped."""
    if journal.has_queued("text.done"):
        return ""
    pieces: list[str] = []
    for event in events:
        if event.kind == "text.done":
            pieces.clear()
        elif event.kind == "text.delta":
            pieces.append(str(event.data["text"]))
    journal.streamed_text, rest = "".join(pieces), journal.unsent_text
    return (journal.streamed_text + clean_text(rest[: displayable_length(rest)])).rstrip()


def _unstored_texts(events: Sequence[Event], messages: Sequence[Message]) -> list[str]:
    """Emitted texts that never became messages: they accompanied calls that were not made."""
    kept = {one.content for one in messages if one.role == "assistant"}
    said = [str(one.data["text"]) for one in events if one.kind == "text.done"]
    return [text for text in said if text not in kept]
