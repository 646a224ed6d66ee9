"""Export of a conversation as a file: JSON for programs, Markdown for people."""

from collections.abc import Mapping, Sequence

from fastapi.responses import Response

from metier.server.http import JsonAnswer
from metier.server.schema import ConversationInfo, MessageInfo
from metier.store import Conversation, Event, Message

_ROLE_HEADINGS: Mapping[str, str] = {"user": "User", "assistant": "Assistant", "tool": "Tool", "system": "System"}


def export_json(one: Conversation, messages: Sequence[Message], events: Sequence[Event]) -> Response:
    """Export the conversation with its messages and its events as stored."""
    told = {
        "conversation": ConversationInfo.from_record(one),
        "messages": [MessageInfo.from_record(message) for message in messages],
        "events": [event.to_json() for event in events],
    }
    return JsonAnswer(told, headers=_attachment_headers(one, "json"))


def export_markdown(one: Conversation, messages: Sequence[Message]) -> Response:
    """Export the messages in order; tool calls only by name."""
    parts = [f"# {one.title or one.id}", f"{one.created_at:%Y-%m-%d %H:%M} UTC · {one.skill or '–'}"]
    for message in messages:
        called = ", ".join(call.name for call in message.tool_calls)
        head = f"## {_ROLE_HEADINGS[message.role]}" + (f" ({message.name or called})" if message.name or called else "")
        parts += [head, _fence(message.content) if message.role == "tool" else message.content]
    text = "\n\n".join(part for part in parts if part) + "\n"
    return Response(text, media_type="text/markdown; charset=utf-8", headers=_attachment_headers(one, "md"))


def _fence(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def _attachment_headers(one: Conversation, ending: str) -> dict[str, str]:
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in one.id)
    return {"Content-Disposition": f'attachment; filename="metier-{name}.{ending}"'}
