"""`/api/conversations/{id}/branch`: go on from an earlier message in a new conversation."""

import asyncio
import os
import shutil
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import Field

from metier.errors import StorageFull
from metier.facts import fact_from_json
from metier.server.api._turns import read_all_events
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, RequestBody, make_router, responds
from metier.server.schema import ConversationInfo
from metier.store import Event, Principal
from metier.tools import ToolError
from metier.tools.builtin import list_workspace_files, open_in_workspace
from metier.workspaces import workspace_folder

routes = make_router("conversations")
_FILE_KINDS: Final = frozenset({"file", "image"})


class BranchBody(RequestBody):
    """Where the branch begins."""

    turn: str = Field(
        min_length=1, max_length=200, description="The turn that is left out, with all after it.", examples=["77ab…"]
    )


@routes.post(
    "/api/conversations/{conversation}/branch",
    summary="Branch it before a message",
    status_code=201,
    responses=responds(ConversationInfo, 404, status=201),
)
async def branch_conversation(conversation: str, body: BranchBody, here: Ctx, caller: Caller) -> JsonAnswer:
    """Create a conversation with all turns before this one, their results and files; the first one stays as it is.

    A file that was written since is not in it: what it held then is gone.
    """
    found = await here.get_owned_conversation(conversation, caller.user)
    made = await here.store.conversations.get(await here.store.branches.create(found.id, body.turn, caller.user))
    await _restore_facts(here, made.id)
    source, target = (workspace_folder(here.settings.storage_dir, one.id) for one in (found, made))
    begins = (await here.store.turns.get(body.turn)).started_at
    later = await _list_named_files(here, found.id) - await _list_named_files(here, made.id)
    try:
        await asyncio.to_thread(_copy_files, source, target, begins, later)
    except OSError as error:
        await here.delete_conversation(made, caller)
        raise StorageFull(
            f"the files cannot be copied: {error.strerror}", hint="free some space, then again"
        ) from error
    return JsonAnswer(ConversationInfo.from_record(made), 201)


def _copy_files(source: Path, target: Path, begins: datetime, later: AbstractSet[str]) -> None:
    """Copy the regular files of a workspace that were there when the left-out turn began.

    Files written since, `later` ones, links, pipes and files that vanish meanwhile are left out.
    """
    for path in list_workspace_files(source):
        try:
            file = open_in_workspace(source, path)
        except ToolError:
            continue
        if path in later or os.fstat(file).st_mtime >= begins.timestamp():
            os.close(file)
            continue
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(file, "rb") as content, (target / path).open("xb") as copy:
            shutil.copyfileobj(content, copy)


async def _list_named_files(here: AppContext, conversation: str) -> AbstractSet[str]:
    events = await read_all_events(here, conversation, None)
    return {str(one.data.get("path")) for one in events if one.kind in _FILE_KINDS}


async def _restore_facts(here: AppContext, conversation: str) -> None:
    """Settle the facts as they stood at the branch: a later turn may have changed them since."""
    for event in await read_all_events(here, conversation, None):
        if event.kind == "fact.saved":
            fact = fact_from_json(event.data)
            await here.store.facts.save(conversation, fact, turn=event.turn, by=_find_author(event))
        elif event.kind == "fact.removed":
            await here.store.facts.remove(conversation, str(event.data.get("name")))


def _find_author(event: Event) -> Principal | None:
    """Who changed the fact outside a turn; also in the branch they may not approve what follows from it."""
    by = event.data.get("by")
    return Principal(str(by.get("user")), str(by.get("key"))) if isinstance(by, Mapping) else None
