"""Places that hold data of a conversation or a user: store, memory, telemetry, workspaces, skills and packs."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from metier.errors import RecordNotFound, StoreUnavailable
from metier.names import suggest
from metier.settings import Settings
from metier.skills import find_owned_skills
from metier.store import Conversation, Store
from metier.telemetry import EventOwner, read_owned_events, telemetry_path
from metier.tools import ToolError
from metier.tools.builtin import MEMORY_FILE, MemoryStore
from metier.workspaces import workspace_folder

StorageRule = Literal["owned", "shared"]

# What stands in the storage folder. `owned`: data of conversations and users, deleted with them. `shared`: of the
# installation; nothing that a user wrote. A name without a rule fails a test. A pack keeps what belongs to one user
# in that user's folder (`user_folder`); the rest of its folder is shared.
STORAGE_RULES: Final[Mapping[str, StorageRule]] = MappingProxyType(
    {
        "metier.sqlite3": "owned",
        "memory.sqlite3": "owned",
        "telemetry": "owned",
        "workspaces": "owned",
        "projects": "owned",
        "packs": "owned",
        "approved-skills": "owned",
        "branching": "shared",
        "mcp_tools.json": "shared",
        "model-capabilities.json": "shared",
        "routing-calibration.json": "shared",
        "routing-offsets.json": "shared",
        "skills_vector_store": "shared",
    }
)


@dataclass(frozen=True, slots=True)
class DataPlaces:
    """The places of one installation."""

    settings: Settings
    store: Store
    storage: Path
    telemetry: Path

    @classmethod
    def of(cls, settings: Settings, store: Store) -> "DataPlaces":
        """The places that these settings name."""
        return cls(settings, store, settings.storage_dir, telemetry_path(settings))

    @property
    def memory(self) -> MemoryStore:
        """Memories of all conversations."""
        return MemoryStore(self.storage / MEMORY_FILE, str)

    def get_workspace(self, conversation: str) -> Path:
        """Folder with the files of a conversation."""
        return workspace_folder(self.storage, conversation)

    async def find_event_owner(self, conversation: Conversation) -> EventOwner:
        """Whose telemetry the events of this conversation are."""
        client_id = await self.store.owned.get_client_id(conversation.id)
        return EventOwner(
            conversation.user,
            conversations=(conversation.id,),
            turns=await self.store.owned.list_turns(conversation.id),
            client_ids=() if client_id is None else (client_id,),
        )


async def require_known_user(places: DataPlaces, user: str) -> None:
    """Raise `RecordNotFound` unless there is a user of this name, or data of one."""
    names = [one.name for one in await places.store.users.list()]
    if user in names or await places.store.owned.has_records(user):
        return
    if await asyncio.to_thread(find_owned_skills, places.settings, user):
        return
    if next(read_owned_events(places.telemetry, EventOwner(user)), None) is None:
        raise RecordNotFound(
            f"there is no user {user[:80]!r} and nothing of one", hint=suggest(user, names, "metier users list")
        )


@contextmanager
def translate_tool_errors() -> Iterator[None]:
    """Raise `StoreUnavailable` where the memory or a file cannot be used."""
    try:
        yield
    except ToolError as error:
        raise StoreUnavailable(error.failure.message, hint=error.failure.hint or "try again") from error
