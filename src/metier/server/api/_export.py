"""Export of a conversation as a file: JSON for programs, documents for people, a ZIP archive with everything."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from os import SEEK_SET, dup, lseek
from tempfile import TemporaryFile
from typing import IO

from fastapi.responses import Response

from metier.clock import utc_now
from metier.exports import MEDIA_TYPES, DocumentFormat, collect_document, write_document
from metier.language import Language
from metier.server.api._files import OpenFileResponse
from metier.server.http import AppContext, JsonAnswer
from metier.server.schema import ConversationInfo, FactInfo, MessageInfo
from metier.store import Conversation, Event, Message, StoredFact
from metier.user_data import export_conversation


def export_json(
    one: Conversation, messages: Sequence[Message], events: Sequence[Event], facts: Sequence[StoredFact]
) -> Response:
    """Export the conversation with its facts, its messages and its events as stored."""
    told = {
        "conversation": ConversationInfo.from_record(one),
        "facts": [FactInfo.from_record(fact) for fact in facts],
        "messages": [MessageInfo.from_record(message) for message in messages],
        "events": [event.to_json() for event in events],
    }
    return JsonAnswer(told, headers=_attachment_headers(one.id, "json"))


async def export_document(
    here: AppContext, one: Conversation, format: DocumentFormat, turn: str | None, language: Language | None
) -> Response:
    """Export the conversation, or one turn of it, as a document to read."""
    workspace = here.places.get_workspace(one.id)
    document = await collect_document(here.store, one, now=utc_now(), workspace=workspace, turn=turn, language=language)
    async with here.heavy_work:
        content = await asyncio.to_thread(write_document, document, format)
    headers = {**_attachment_headers(turn or one.id, format), "Content-Security-Policy": "default-src 'none'; sandbox"}
    return Response(content, media_type=MEDIA_TYPES[format], headers=headers)


async def export_archive(here: AppContext, one: Conversation) -> Response:
    """Export everything that is stored of the conversation."""
    return await send_archive(one.id, lambda target: export_conversation(here.places, one, target))


async def send_archive(name: str, write: Callable[[IO[bytes]], Awaitable[object]]) -> Response:
    """Write an archive to a file without a name and send it."""
    with TemporaryFile() as target:
        await write(target)
        target.flush()
        file = dup(target.fileno())
    lseek(file, 0, SEEK_SET)
    return OpenFileResponse(file, media_type="application/zip", headers=_attachment_headers(name, "zip"))


def _attachment_headers(given: str, ending: str) -> dict[str, str]:
    name = "".join(char if char.isascii() and char.isalnum() else "-" for char in given)
    return {"Content-Disposition": f'attachment; filename="metier-{name}.{ending}"'}
