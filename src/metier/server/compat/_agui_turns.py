"""Turns over AG-UI: reads the input of a run, starts or resumes the turn, and encodes its events."""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

from ag_ui.core import BaseEvent, ResumeEntry, RunAgentInput
from ag_ui.encoder import EventEncoder
from pydantic import ValidationError

from metier.agent import TurnRequest
from metier.errors import InvalidInput, MetierError, RecordNotFound
from metier.json_values import JsonValue
from metier.server.compat._agui_events import AguiRun
from metier.server.http import AppContext
from metier.server.stream import STREAM_HEADERS, SlotResponse
from metier.store import Conversation, Event, Pause, Principal

_DECISION_PURPOSES: Final = frozenset({"approve", "exception"})
_MAX_ID_CHARS: Final = 10_000
_FORM_PURPOSES: Final = frozenset({"fill", "parameters"})


async def run_agui(body: JsonValue, here: AppContext, caller: Principal) -> SlotResponse:
    """Run a turn or answer questions; errors before the first event are raised."""
    slot = here.stream_slots.take(caller)
    with slot.opening():
        asked, user = _parse_input(body), caller.user
        if asked.resume:
            conversation = await _require_thread(here, user, asked.thread_id)
            slot.enter(conversation.id)
            events = _resume_turn(here, caller, await _collect_answers(here, conversation, asked.resume))
        else:
            await here.store.requests.find(user, _make_key(asked.thread_id, asked.run_id))  # 404 for a deleted one
            conversation = await here.store.conversations.open_for_client(user, asked.thread_id)
            slot.enter(conversation.id)
            events = _run_turn(here, caller, conversation.id, asked)
        first = await anext(events, None)  # errors before the first event become an HTTP error response
        encoded = _encode_stream(AguiRun(asked.thread_id, asked.run_id), first, slot.read(events))
        kind = EventEncoder().get_content_type()
        response = SlotResponse(encoded, media_type=kind, headers=dict(STREAM_HEADERS))
        response.slot = slot
        return response


def _parse_input(body: JsonValue) -> RunAgentInput:
    try:
        asked = RunAgentInput.model_validate(body)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        hint = "threadId, runId and messages are needed; GET /openapi.json has an example"
        raise InvalidInput(f"{place}: {first['msg']}", hint=hint) from error
    if max(len(asked.thread_id), len(asked.run_id)) > _MAX_ID_CHARS:
        raise InvalidInput("threadId or runId is too long", hint=f"an id has at most {_MAX_ID_CHARS} characters")
    return asked


async def _run_turn(
    here: AppContext, caller: Principal, conversation: str, asked: RunAgentInput
) -> AsyncIterator[Event]:
    last = next((one for one in reversed(asked.messages) if one.role == "user"), None)
    if last is None:
        raise InvalidInput("there is no message of the user", hint="send one with the role 'user'")
    wishes = asked.forwarded_props if isinstance(asked.forwarded_props, Mapping) else {}
    state = asked.state if isinstance(asked.state, Mapping) else {}
    request = TurnRequest(
        _extract_text(last.content),
        conversation=conversation,
        skill=_get_text(wishes, "skill"),
        model=_get_text(wishes, "model") or _get_text(state, "model"),
        host=_get_text(wishes, "host"),
        document=_get_text(wishes, "document"),
        user=caller.user,
        by=caller,
        idempotency_key=_make_key(asked.thread_id, asked.run_id),
    )
    async for event in here.runtime.turn(request):
        yield event


def _make_key(thread: str, run: str) -> str:
    """Idempotency key of a run: front ends number the runs of each thread as they like."""
    return f"agui:{hashlib.sha256(json.dumps([thread, run]).encode()).hexdigest()}"


async def _require_thread(here: AppContext, user: str, thread: str) -> Conversation:
    found = await here.store.conversations.find_for_client(user, thread)
    if found is None:
        raise RecordNotFound(f"there is no thread {thread[:200]!r}")
    return found


async def _collect_answers(
    here: AppContext, conversation: Conversation, entries: Sequence[ResumeEntry]
) -> list[tuple[str, JsonValue]]:
    """Collect the pauses and their answers; `RecordNotFound` if one is not a question of this conversation."""
    answers: list[tuple[str, JsonValue]] = []
    for entry in entries:
        pause = await here.store.pauses.get(entry.interrupt_id)
        if pause.conversation != conversation.id:
            raise RecordNotFound(f"there is no pause {entry.interrupt_id!r}")
        answers.append((pause.id, entry.payload if entry.status == "resolved" else _build_declined_answer(pause)))
    return answers


async def _resume_turn(
    here: AppContext, caller: Principal, answers: Sequence[tuple[str, JsonValue]]
) -> AsyncIterator[Event]:
    for pause, answer in answers:
        async for event in here.runtime.answer(pause, answer, user=caller.user, by=caller):
            yield event


def _build_declined_answer(pause: Pause) -> JsonValue:
    """Build the answer that stands for a cancelled interrupt; `InvalidInput` if the question has none."""
    purpose = pause.payload.get("purpose")
    if purpose in _DECISION_PURPOSES:
        return {"decision": "reject"}
    if purpose in _FORM_PURPOSES:
        return None
    choices = pause.payload.get("choices")
    values = [one.get("value") for one in choices if isinstance(one, Mapping)] if isinstance(choices, list) else []
    for value in (False, "skip", ""):
        if any(value == one and type(value) is type(one) for one in values):
            return value
    raise InvalidInput(f"question {pause.id!r} cannot be given back unanswered", hint="resolve it with an answer")


async def _encode_stream(run: AguiRun, first: Event | None, rest: AsyncIterator[Event]) -> AsyncIterator[str]:
    encoder = EventEncoder()

    def encode(events: Sequence[BaseEvent]) -> str:
        return "".join(map(encoder.encode, events))

    yield encode(run.start())
    try:
        if first is not None:
            yield encode(run.convert(first))
        async for event in rest:
            if told := run.convert(event):
                yield encode(told)
        yield encode(run.end())
    except MetierError as error:
        yield encode(run.fail(error.code, error.message))


def _extract_text(content: object) -> str:
    """Extract the text of a message; other content parts are ignored."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return "\n".join(str(part.text) for part in parts if getattr(part, "type", "") == "text")


def _get_text(wishes: Mapping[str, JsonValue], name: str) -> str | None:
    value = wishes.get(name)
    return value if isinstance(value, str) and value else None
