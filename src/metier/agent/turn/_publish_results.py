"""Publishes tool results to the user: tables, charts, images and files."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from langchain_core.messages import ToolMessage

from metier.agent.adapters import get_metier_artifact, result_data, update_metier_artifact
from metier.agent.middleware import build_refusal
from metier.agent.results import (
    CHART_KEYS,
    MAP_KEYS,
    TABLE_KEYS,
    extract,
    extract_charts,
    extract_maps,
    extract_tables,
    file_event,
    is_hidden,
    resolve_within,
)
from metier.agent.turn._state import TurnState
from metier.json_values import JsonValue
from metier.store import EventDraft
from metier.tools import SideEffect, ToolCall, judge_files, leaves_judged_files

_FILE_KEYS: Final = ("file", "files", "image", "images")
_MAX_FILES: Final = 20
_MAX_LABEL_CHARS: Final = 200
_WRITING_EFFECTS: Final[frozenset[SideEffect]] = frozenset({"writes", "executes"})


class _NamedFile(NamedTuple):
    """File that a result names; `is_explicit` if the value can only be a file."""

    path: str
    labels: Mapping[str, str]
    is_explicit: bool


async def publish_result(state: TurnState, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Queue events for the text, tables, charts and files of a result; return the message for the model."""
    state.queue_display_events(*_find_step_text(state, call, message))
    for keys, look in ((TABLE_KEYS, extract_tables), (MAP_KEYS, extract_maps), (CHART_KEYS, extract_charts)):
        message, drafts = extract(message, keys, look, state.request.language)
        state.queue_display_events(*drafts)
    return await publish_files(state, call, message)


def _find_step_text(state: TurnState, call: ToolCall, message: ToolMessage) -> Sequence[EventDraft]:
    """Text of the result that the plan's step says before the tables; none for calls of the model."""
    runner = state.plan.runner
    step = runner.get_step_of_call(call.id) if runner is not None else None
    if step is None or step.say is None or message.status == "error":
        return ()
    data = result_data(message)
    text = data.get(step.say) if isinstance(data, Mapping) else None
    return state.journal.text_drafts(text) if isinstance(text, str) and text.strip() else ()


def may_write_files(state: TurnState, tool: str) -> bool:
    """Whether the tool declares effects that may write into the conversation's folder."""
    spec = state.get_spec(tool)
    return spec is not None and bool(spec.effects & _WRITING_EFFECTS)


async def publish_files(state: TurnState, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Queue events for files that a call wrote or its result names; files that cannot be shown become notes."""
    changed = await state.calls.files.find_changes(state.workspace) if may_write_files(state, call.name) else ()
    if changed and leaves_judged_files(state.get_spec(call.name)):
        changed, message = await _refuse_files(state, call, changed, message)
    changed = tuple(one for one in changed if not any(map(is_hidden, one.split("/"))))
    named = (
        list(_find_named_files(result_data(message))) if message.status != "error" and _may_name_files(message) else []
    )
    if not changed and not named:
        return message
    drafts, notes = await asyncio.to_thread(_build_file_events, state.workspace, call.id, changed, named)
    state.queue_display_events(*drafts)
    return _add_notes(message, notes) if notes else message


async def _refuse_files(
    state: TurnState, call: ToolCall, changed: tuple[str, ...], message: ToolMessage
) -> tuple[tuple[str, ...], ToolMessage]:
    """Remove files of a kind whose tool is refused now; each is a violation, and the model and the user are told."""
    language, gate, folder = state.request.language, state.gate, state.workspace
    judged = await asyncio.to_thread(judge_files, gate, folder, changed, language)
    refused = [one for one in judged if not await asyncio.to_thread(_is_copy, state, one.path, changed)]
    for one in refused:
        await asyncio.to_thread(_remove, folder / one.path)
        made = ToolCall(call.id, one.tool, {"file": one.path, "left_by": call.name})
        refusal = build_refusal(
            made, one.verdict, language, conversation=state.conversation, turn=state.turn, skills=gate.skills
        )
        await state.resources.ledger.record_violation(refusal.entry)
        state.calls.usage.refusals += 1
        await state.emit(refusal.event)
    if not refused:
        return changed, message
    gone = {one.path for one in refused}
    told = "\n".join(one.verdict.reason for one in refused)
    if isinstance(message.content, str):
        message = message.model_copy(update={"content": f"{message.content}\n{told}"})
    return tuple(path for path in changed if path not in gone), _add_notes(message, [told])


def _is_copy(state: TurnState, path: str, changed: Sequence[str]) -> bool:
    try:
        return state.calls.files.is_carried(state.workspace, path, changed)
    except OSError:
        return False


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _may_name_files(message: ToolMessage) -> bool:
    return any(f'"{key}"' in str(message.content) for key in _FILE_KEYS)


def _find_named_files(data: JsonValue) -> Iterator[_NamedFile]:
    """Files under `file`, `files`, `image`, `images`: objects with a `path`; an image may also be a plain path."""
    if not isinstance(data, Mapping):
        return
    for key in _FILE_KEYS:
        value = data.get(key)
        for one in value if isinstance(value, Sequence) and not isinstance(value, str) else [value]:
            if isinstance(one, Mapping) and isinstance(one.get("path"), str):
                said = {name: str(one[name])[:_MAX_LABEL_CHARS] for name in ("title", "alt") if one.get(name)}
                yield _NamedFile(str(one["path"]), said, True)
            elif isinstance(one, str) and key.startswith("image"):
                yield _NamedFile(one, {}, False)


def _build_file_events(
    folder: Path, call: str, changed: Sequence[str], named: Sequence[_NamedFile]
) -> tuple[list[EventDraft], list[str]]:
    notes: list[str] = []
    found: dict[str, Mapping[str, str]] = {}
    for one in named:
        path = _resolve_path(folder, one.path, changed)
        if path is not None:
            found.setdefault(path, one.labels)
        elif one.is_explicit:
            notes.append(f"not shown: {one.path[:_MAX_LABEL_CHARS]!r} is no file of the conversation's folder")
    for path in changed:
        found.setdefault(path, {})
    if len(found) > _MAX_FILES:
        notes.append(f"{len(found) - _MAX_FILES} more files are in the conversation's folder")
    shown_files = list(found.items())[:_MAX_FILES]
    made = (file_event(folder, path, call, at, said) for at, (path, said) in enumerate(shown_files, 1))
    return [draft for draft in made if draft is not None], notes


def _resolve_path(folder: Path, path: str, changed: Sequence[str]) -> str | None:
    """Path within the folder. A script names files relative to its own working directory, which lies below ours."""
    below = [one for one in changed if one == path or one.endswith(f"/{path.removeprefix('./')}")]
    return below[0] if len(below) == 1 else resolve_within(folder, path)


def _add_notes(message: ToolMessage, notes: Sequence[str]) -> ToolMessage:
    return update_metier_artifact(message, notes=[*get_metier_artifact(message).get("notes", ()), *notes])
