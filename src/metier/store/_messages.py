"""Repository of messages: the chat history for the model. Tool calls are only stored together with their results."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, cast, get_args

from sqlalchemy import Connection, Integer, Row, Text, bindparam, func, insert, select

from metier.errors import InvalidRecord
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import MESSAGE_COUNTER, Claim, require_conversation
from metier.store.database import Session, messages

Role = Literal["system", "user", "assistant", "tool"]

_ROLES: frozenset[str] = frozenset(get_args(Role))
_INSERT = insert(messages)
_OWN = messages.c.conversation == bindparam("which", type_=Text)
_FIRST_POSITION = (  # of the last messages, or of the exchange that they begin in
    select(func.coalesce(messages.c.exchange, messages.c.position))
    .where(_OWN)
    .order_by(messages.c.position.desc())
    .limit(1)
    .offset(bindparam("before", type_=Integer))
    .scalar_subquery()
)
_SELECT_HISTORY = (
    select(messages).where(_OWN, messages.c.position >= func.coalesce(_FIRST_POSITION, 0)).order_by(messages.c.position)
)
_PAIR_HINT = "store the call and its results together with append_exchange"


@dataclass(frozen=True, slots=True)
class StoredToolCall:
    """One tool call in an assistant message."""

    id: str
    name: str
    args: JsonObject


@dataclass(frozen=True, slots=True)
class MessageDraft:
    """A message that is not stored yet. A tool result (`role="tool"`) names its call in `tool_call_id`."""

    role: Role
    content: str
    tool_calls: tuple[StoredToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One stored message. In calls and results, `exchange` is the position of the assistant message with the calls."""

    conversation: str
    position: int
    turn: str | None
    at: datetime
    role: Role
    content: str
    tool_calls: tuple[StoredToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    exchange: int | None = None


class Messages:
    """Repository behind `store.messages`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(
        self, conversation: str, draft: MessageDraft, *, turn: str | None = None, fence: int | None = None
    ) -> Message:
        """Store a message without tool calls; for calls and results use `append_exchange`."""
        if draft.tool_calls or draft.role == "tool" or draft.tool_call_id is not None:
            raise InvalidRecord("a tool call or a tool result cannot be stored alone", hint=_PAIR_HINT)
        (message,) = await self._store(Claim(conversation, turn, fence), (draft,))
        return message

    async def append_exchange(
        self,
        conversation: str,
        assistant: MessageDraft,
        results: Sequence[MessageDraft],
        *,
        turn: str | None = None,
        fence: int | None = None,
    ) -> tuple[Message, ...]:
        """Store an assistant message with tool calls and exactly one result per call, atomically.

        Results are stored in the order of the calls.
        """
        return await self._store(Claim(conversation, turn, fence), (assistant, *_pair_results(assistant, results)))

    async def get_history(self, conversation: str, *, limit: int = 100, is_known: bool = False) -> tuple[Message, ...]:
        """The last `limit` messages, oldest first, never starting inside an exchange.

        An exchange that the limit would cut is returned whole, so there may be more than `limit` messages:
        the model needs the newest exchange most, however many results it has. With `is_known` an empty conversation is
        not looked up.
        """
        values.check_name(conversation, "conversation")
        values.check_integer(limit, "limit", least=1)
        read = partial(_read_history, conversation=conversation, limit=limit, is_known=is_known)
        return await self._session.read(read)

    async def _store(self, claim: Claim, drafts: tuple[MessageDraft, ...]) -> tuple[Message, ...]:
        at = values.to_micros(self._session.now())
        rows = [_to_row(claim, draft, at) for draft in drafts]
        first = await self._session.write(lambda connection: _append(connection, claim, rows, at))
        exchange = first if drafts[0].tool_calls else None
        return tuple(_to_message(claim, draft, position, exchange, at) for position, draft in enumerate(drafts, first))


def _pair_results(assistant: MessageDraft, results: Sequence[MessageDraft]) -> list[MessageDraft]:
    if assistant.role != "assistant" or not assistant.tool_calls:
        message = "an exchange begins with an assistant message that has tool calls"
        raise InvalidRecord(message, hint="store other messages with `append`")
    if any(result.role != "tool" or result.tool_calls for result in results):
        message = "the results of an exchange are messages with the role 'tool'"
        raise InvalidRecord(message, hint="store what follows them with `append`")
    calls = [call.id for call in assistant.tool_calls]
    answers = {result.tool_call_id: result for result in results}
    twice = [call for call, count in Counter(calls).items() if count > 1]
    if twice or Counter(calls) != Counter(result.tool_call_id for result in results):
        raise InvalidRecord(
            f"calls {calls!r} and results {[result.tool_call_id for result in results]!r} are not pairs",
            hint="every tool call needs exactly one result and every result its call; nothing was written",
        )
    return [answers[call] for call in calls]


def _to_row(claim: Claim, draft: MessageDraft, at: int) -> dict[str, str | int | None]:
    return {
        "conversation": claim.conversation,
        "turn": claim.turn,
        "role": values.check_choice(draft.role, _ROLES, "role"),
        "content": values.check_text(draft.content, "content"),
        "tool_calls": _encode_calls(draft.tool_calls),
        "tool_call_id": values.check_optional_name(draft.tool_call_id, "tool_call_id"),
        "name": values.check_optional_name(draft.name, "name"),
        "at": at,
    }


def _encode_calls(calls: tuple[StoredToolCall, ...]) -> str | None:
    if not calls:
        return None
    for call in calls:
        values.check_name(call.id, "tool call id")
        values.check_name(call.name, "tool name")
        values.encode_object(call.args, f"args of {call.name}")
    return values.encode_json([{"id": call.id, "name": call.name, "args": call.args} for call in calls], "tool_calls")


def _append(connection: Connection, claim: Claim, rows: list[dict[str, str | int | None]], at: int) -> int:
    first = claim.advance_counter(connection, MESSAGE_COUNTER, len(rows), touch=at)
    exchange = first if rows[0]["tool_calls"] is not None else None
    numbered = [{**row, "position": position, "exchange": exchange} for position, row in enumerate(rows, first)]
    connection.execute(_INSERT, numbered)
    return first


def _to_message(claim: Claim, draft: MessageDraft, position: int, exchange: int | None, at: int) -> Message:
    return Message(
        claim.conversation,
        position,
        claim.turn,
        values.from_micros(at),
        draft.role,
        draft.content,
        draft.tool_calls,
        draft.tool_call_id,
        draft.name,
        exchange,
    )


def _read_history(connection: Connection, conversation: str, limit: int, *, is_known: bool) -> tuple[Message, ...]:
    rows = connection.execute(_SELECT_HISTORY, {"which": conversation, "before": limit - 1}).all()
    if not rows and not is_known:
        require_conversation(connection, conversation)
    return tuple(map(_from_row, rows))


def _from_row(row: Row[tuple[object, ...]]) -> Message:
    calls = cast("list[dict[str, object]]", values.decode_json(row.tool_calls)) if row.tool_calls else []
    return Message(
        conversation=row.conversation,
        position=row.position,
        turn=row.turn,
        at=values.from_micros(row.at),
        role=row.role,
        content=row.content,
        tool_calls=tuple(
            StoredToolCall(cast("str", call["id"]), cast("str", call["name"]), cast("JsonObject", call["args"]))
            for call in calls
        ),
        tool_call_id=row.tool_call_id,
        name=row.name,
        exchange=row.exchange,
    )
