"""`/api/conversations/{id}/branch`: go on from an earlier message in a new conversation."""

import asyncio
import shutil

from pydantic import Field

from metier.facts import fact_from_json
from metier.server.api._turns import read_all_events
from metier.server.http import AppContext, Ctx, JsonAnswer, RequestBody, User, make_router, responds
from metier.server.schema import ConversationInfo
from metier.workspaces import workspace_folder

routes = make_router("conversations")


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
async def branch_conversation(conversation: str, body: BranchBody, here: Ctx, user: User) -> JsonAnswer:
    """Create a conversation with all turns before this one, their results and files; the first one stays as it is."""
    found = await here.get_owned_conversation(conversation, user)
    made = await here.store.branches.create(found.id, body.turn, user)
    await _restore_facts(here, made)
    storage = here.settings.storage_dir
    source, target = workspace_folder(storage, found.id), workspace_folder(storage, made)
    if source.is_dir():
        await asyncio.to_thread(shutil.copytree, source, target, symlinks=True, dirs_exist_ok=True)
    return JsonAnswer(ConversationInfo.from_record(await here.store.conversations.get(made)), 201)


async def _restore_facts(here: AppContext, conversation: str) -> None:
    """Settle the facts as they stood at the branch: a later turn may have changed them since."""
    for event in await read_all_events(here, conversation, None):
        if event.kind == "fact.saved":
            await here.store.facts.save(conversation, fact_from_json(event.data), turn=event.turn)
        elif event.kind == "fact.removed":
            await here.store.facts.remove(conversation, str(event.data.get("name")))
