"""Conversion of store records to the API's JSON."""

from typing import Final

from metier.json_values import JsonObject
from metier.server.http import format_time
from metier.store import Conversation, ExceptionRequest, Message, Pause, SavedPlan, Turn, Violation

# Internal state that a turn stores in the pause's payload.
_PRIVATE_FIELDS: Final = frozenset({"granted", "counts", "exchange"})


def conversation_to_json(one: Conversation) -> JsonObject:
    """Convert a conversation to JSON."""
    return {
        "id": one.id,
        "title": one.title,
        "skill": one.skill,
        "voice_mode": one.voice_mode,
        "created_at": format_time(one.created_at),
        "updated_at": format_time(one.updated_at),
        "last_seq": one.last_seq,
    }


def message_to_json(one: Message) -> JsonObject:
    """Convert a message to JSON."""
    return {
        "position": one.position,
        "turn": one.turn,
        "at": format_time(one.at),
        "role": one.role,
        "content": one.content,
        "tool_calls": [{"id": call.id, "name": call.name, "args": call.args} for call in one.tool_calls],
        "tool_call_id": one.tool_call_id,
        "name": one.name,
    }


def turn_to_json(one: Turn) -> JsonObject:
    """Convert a turn to JSON."""
    return {
        "id": one.id,
        "conversation": one.conversation,
        "state": one.state,
        "started_at": format_time(one.started_at),
        "ended_at": format_time(one.ended_at),
    }


def pause_to_json(one: Pause) -> JsonObject:
    """Convert a pause to the fields of `pause.opened`, with its conversation and turn."""
    shown = {name: value for name, value in one.payload.items() if name not in _PRIVATE_FIELDS}
    return {
        **shown,
        "pause": one.id,
        "conversation": one.conversation,
        "turn": one.turn,
        "kind": one.kind,
        "schema": one.schema,
        "opened_at": format_time(one.opened_at),
        "expires_at": format_time(one.expires_at),
    }


def violation_to_json(one: Violation) -> JsonObject:
    """Convert a violation to JSON."""
    return {
        "id": one.id,
        "at": format_time(one.at),
        "conversation": one.conversation,
        "turn": one.turn,
        "tool": one.tool,
        "args_digest": one.args_digest,
        "layer": one.layer,
        "code": one.code,
        "reason": one.reason,
        "skill": one.skill,
    }


def exception_to_json(one: ExceptionRequest) -> JsonObject:
    """Convert an exception request to JSON."""
    return {
        "id": one.id,
        "conversation": one.conversation,
        "turn": one.turn,
        "tool": one.tool,
        "reason": one.reason,
        "skill": one.skill,
        "state": one.state,
        "requested_at": format_time(one.requested_at),
        "decided_by": one.decided_by,
        "note": one.note,
        "decided_at": format_time(one.decided_at),
    }


def plan_to_json(one: SavedPlan) -> JsonObject:
    """Convert a saved plan to JSON."""
    return {
        "conversation": one.conversation,
        "version": one.version,
        "turn": one.turn,
        "state": one.state,
        "plan": one.plan,
        "saved_at": format_time(one.saved_at),
    }
