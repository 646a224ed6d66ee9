"""Export of a conversation or a user as one ZIP archive: records as JSON lines, files, and Markdown to read."""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterable, Iterable
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile

from metier.clock import utc_now
from metier.exports import collect_document, write_document
from metier.json_values import JsonObject
from metier.skills import find_owned_skills
from metier.store import Conversation, OwnedRow
from metier.telemetry import EventOwner, read_owned_events
from metier.tools import ToolError
from metier.tools.builtin import MemoryEntry, list_workspace_files, open_in_workspace
from metier.user_data._places import DataPlaces, translate_tool_errors
from metier.workspaces import find_user_folders


async def export_conversation(places: DataPlaces, conversation: Conversation, target: IO[bytes]) -> None:
    """Write the archive of one conversation."""
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        await _add_conversation(places, conversation, archive, "")


async def export_user(places: DataPlaces, user: str, target: IO[bytes]) -> int:
    """Write the archive of a user: each conversation in a folder of its own; return how many there are."""
    found = await places.store.owned.list_conversations(user)
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        await _add_rows(archive, "", places.store.owned.read_user(user))
        _add_lines(archive, "telemetry.jsonl", read_owned_events(places.telemetry, EventOwner(user)))
        await asyncio.to_thread(_add_own_files, archive, places, user)
        for name in found:
            one = await places.store.conversations.get(name)
            await _add_conversation(places, one, archive, f"conversations/{one.id}/")
    return len(found)


async def _add_conversation(places: DataPlaces, one: Conversation, archive: ZipFile, prefix: str) -> None:
    document = await collect_document(places.store, one, now=utc_now(), workspace=places.get_workspace(one.id))
    archive.writestr(f"{prefix}conversation.md", await asyncio.to_thread(write_document, document, "md"))
    await _add_rows(archive, prefix, places.store.owned.read_conversation(one.id))
    with translate_tool_errors():
        memories = await asyncio.to_thread(places.memory.list_of_conversation, one.id)
    _add_lines(archive, f"{prefix}memory.jsonl", map(_memory_to_json, memories))
    events = await asyncio.to_thread(_list_events, places.telemetry, await places.find_event_owner(one))
    _add_lines(archive, f"{prefix}telemetry.jsonl", events)
    await asyncio.to_thread(_add_files, archive, f"{prefix}files/", places.get_workspace(one.id), prefix)


def _memory_to_json(memory: MemoryEntry) -> JsonObject:
    return {"id": memory.id, "text": memory.text, "created_at": memory.created_at}


def _list_events(path: Path, owner: EventOwner) -> list[JsonObject]:
    return list(read_owned_events(path, owner))


async def _add_rows(archive: ZipFile, prefix: str, rows: AsyncIterable[OwnedRow]) -> None:
    lines: list[JsonObject] = []
    table = ""
    async for one in rows:
        if one.table != table and lines:
            _add_lines(archive, f"{prefix}{table}.jsonl", lines)
            lines = []
        table = one.table
        lines.append(one.row)
    if lines:
        _add_lines(archive, f"{prefix}{table}.jsonl", lines)


def _add_lines(archive: ZipFile, name: str, rows: Iterable[JsonObject]) -> None:
    text = "".join(f"{json.dumps(row, ensure_ascii=False, default=dict)}\n" for row in rows)
    if text:
        archive.writestr(name, text.encode("utf-8", "replace"))


def _add_own_files(archive: ZipFile, places: DataPlaces, user: str) -> None:
    """Add the skills that belong to the user, and what packs keep of the user."""
    for name, place in find_owned_skills(places.settings, user).items():
        if place.is_file():
            archive.write(place, f"skills/{place.name}")
        else:
            _add_files(archive, f"skills/{name}/", place, f"skills/{name}-")
    for folder in find_user_folders(places.storage, user):
        pack = folder.parents[1].name
        _add_files(archive, f"packs/{pack}/", folder, f"packs/{pack}-")


def _add_files(archive: ZipFile, prefix: str, workspace: Path, note_prefix: str) -> None:
    """Add the files of a folder; links and what cannot be read are named in `files-left-out.txt`."""
    left: list[str] = []
    for path in list_workspace_files(workspace):
        try:
            file = open_in_workspace(workspace, path)
        except (ToolError, UnicodeEncodeError):
            left.append(path)
            continue
        with os.fdopen(file, "rb") as source, archive.open(f"{prefix}{path}", "w", force_zip64=True) as target:
            shutil.copyfileobj(source, target)
    if left:
        archive.writestr(f"{note_prefix}files-left-out.txt", "\n".join(left).encode("utf-8", "replace"))
