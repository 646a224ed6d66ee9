"""Collects what is stored of a conversation, or of one of its turns, into a document."""

import os
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from metier.exports._blocks import ExportDocument
from metier.exports._read import build_document
from metier.language import Language
from metier.store import Conversation, Event, Store
from metier.tools import ToolError
from metier.tools.builtin import open_in_workspace

_MAX_IMAGE_BYTES: Final = 8 * 1024 * 1024


async def collect_document(
    store: Store,
    conversation: Conversation,
    *,
    now: datetime,
    workspace: Path,
    turn: str | None = None,
    language: Language | None = None,
) -> ExportDocument:
    """Read the events and facts of a conversation, or the events of one turn, and build the document.

    Without a language it is that of the user's messages. Pictures come from the conversation's workspace.
    """
    events: list[Event] = []
    while page := await store.events.read(conversation.id, after=events[-1].seq if events else 0, turn=turn):
        events += page
    facts = () if turn else await store.facts.list(conversation.id)
    return build_document(
        conversation,
        events,
        now,
        facts=tuple((one.fact.title, one.fact.label) for one in facts),
        language=language,
        read_image=partial(_read_image, workspace),
    )


def _read_image(workspace: Path, path: str) -> bytes | None:
    try:
        file = open_in_workspace(workspace, path)
    except (ToolError, UnicodeEncodeError):
        return None
    with os.fdopen(file, "rb") as source:
        content = source.read(_MAX_IMAGE_BYTES + 1)
    return content if len(content) <= _MAX_IMAGE_BYTES and _is_picture(content) else None


def _is_picture(content: bytes) -> bool:
    return content.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"))
