"""`/api/conversations/{id}/branch`: go on from an earlier message in a new conversation."""

import asyncio
import os
import shutil
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import Field

from metier.clock import random_id
from metier.errors import MetierError, RecordNotFound, StorageFull
from metier.faults import fault_point
from metier.server.api._turns import read_all_events
from metier.server.api.workbench._branch_marks import mark_branch
from metier.server.http import Caller, Ctx, JsonAnswer, RequestBody, make_router, responds
from metier.server.schema import ConversationInfo
from metier.store import Event
from metier.tools import ToolError
from metier.tools.builtin import list_workspace_files, open_in_workspace
from metier.workspaces import delete_tree, workspace_folder

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
    begins = (await here.store.turns.get(body.turn)).started_at
    later = _list_later_files(await read_all_events(here, found.id, None), body.turn)
    storage, branch = here.settings.storage_dir, random_id()
    source, target = (workspace_folder(storage, one) for one in (found.id, branch))
    with mark_branch(storage, branch):
        try:
            await asyncio.to_thread(_copy_files, source, target, begins, later)
            fault_point("branch_copied")
            await here.store.branches.create(found.id, body.turn, caller.user, id=branch)
        except (OSError, MetierError) as error:
            await asyncio.to_thread(delete_tree, target)
            if isinstance(error, MetierError):
                raise
            raise StorageFull(
                f"the files cannot be copied: {error.strerror}", hint="free some space, then again"
            ) from error
    return JsonAnswer(ConversationInfo.from_record(await here.store.conversations.get(branch)), 201)


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


def _list_later_files(events: Sequence[Event], turn: str) -> AbstractSet[str]:
    """Files that no event before this turn names, but a later one does."""
    first = next((at for at, one in enumerate(events) if one.turn == turn), None)
    if first is None:
        raise RecordNotFound(f"there is no turn {turn!r} in this conversation", hint="name one of its turns")
    return _list_named_files(events) - _list_named_files(events[:first])


def _list_named_files(events: Sequence[Event]) -> AbstractSet[str]:
    return {str(one.data.get("path")) for one in events if one.kind in _FILE_KINDS}
