"""Deletion of a conversation or a user from every place.

The record in the store goes last: after a crash the conversation is still listed and can be deleted again.
"""

import asyncio
from dataclasses import dataclass

from metier.projects import delete_project
from metier.skills import delete_owned_skills
from metier.store import Conversation, Principal
from metier.telemetry import EventOwner, delete_events
from metier.user_data._places import DataPlaces, translate_tool_errors
from metier.workspaces import delete_tree, find_user_folders


@dataclass(frozen=True, slots=True)
class DeletedUser:
    """How much a deletion removed."""

    user: str
    conversations: int
    keys: int


async def delete_conversation(places: DataPlaces, conversation: Conversation, by: Principal) -> None:
    """Delete a conversation with all that belongs to it; `by` stands in the audit log, with no content."""
    await _delete_outside(places, conversation)
    async with places.store.transaction() as tx:
        await tx.conversations.delete(conversation.id)
        await tx.audit.append(by, "conversation.deleted", conversation.id)
    await places.store.truncate_log()


async def delete_user(places: DataPlaces, user: str, by: Principal) -> DeletedUser:
    """Delete a user with all conversations, profile, skills, keys and telemetry; another may then have the name."""
    found = await places.store.owned.list_conversations(user)
    for name in found:
        await _delete_outside(places, await places.store.conversations.get(name))
    await asyncio.to_thread(delete_events, places.telemetry, EventOwner(user))
    await asyncio.to_thread(delete_owned_skills, places.settings, user)
    for folder in await asyncio.to_thread(find_user_folders, places.storage, user):
        await asyncio.to_thread(delete_tree, folder)
    async with places.store.transaction() as tx:
        revoked = await tx.owned.delete_user(user)
        await tx.audit.append(by, "user.deleted", user, {"conversations": len(found), "revoked": revoked})
    await places.store.truncate_log()
    return DeletedUser(user, len(found), revoked)


async def _delete_outside(places: DataPlaces, conversation: Conversation) -> None:
    """Delete what is stored outside of the database."""
    owner = await places.find_event_owner(conversation)
    await asyncio.to_thread(delete_project, places.storage, places.get_workspace(conversation.id))
    await asyncio.to_thread(delete_tree, places.get_workspace(conversation.id))
    with translate_tool_errors():
        await asyncio.to_thread(places.memory.delete_conversations, [conversation.id])
    await asyncio.to_thread(delete_events, places.telemetry, owner)
