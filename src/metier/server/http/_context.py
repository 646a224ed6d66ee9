"""Context of a request: resources that all requests share, built when the server starts, and the user who asks."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi.routing import APIRoute

from metier.agent import Runtime
from metier.errors import RecordNotFound, Unauthorized, Unavailable
from metier.pack import Packs
from metier.routing import Router
from metier.server.http._auth import get_api_key
from metier.server.http._client_threads import ThreadIndex
from metier.server.http._limits import RateLimiter
from metier.server.observe import Meter, Preparation, Reloads, SkillUsage
from metier.server.stream import Hub, StreamSlots
from metier.settings import Settings
from metier.skills import Catalog
from metier.store import (
    KEY_ROLES,
    LOCAL_USER,
    SETTINGS_KEY_PREFIX,
    Conversation,
    Event,
    KeyRole,
    Principal,
    SettingsKeys,
    Store,
)
from metier.telemetry import Telemetry
from metier.tools import Registry
from metier.user_data import DataPlaces, DeletedUser, delete_conversation, delete_user


def narrow_catalog(caller: Principal, catalog: Catalog) -> Catalog:
    """The skills of a catalog that a caller may see: an operator sees those of all users."""
    return catalog if "operator" in caller.roles else catalog.narrow_to(caller.user)


@dataclass(slots=True)
class AppContext:
    """Shared resources of a running server."""

    settings: Settings
    runtime: Runtime
    router: Router
    packs: Packs
    hub: Hub
    keys: SettingsKeys
    rate_limiter: RateLimiter
    stream_slots: StreamSlots
    meter: Meter
    usage: SkillUsage
    reloads: Reloads
    preparation: Preparation
    telemetry: Telemetry
    started_at: datetime
    bench_folder: Path
    threads: ThreadIndex = field(default_factory=ThreadIndex)
    # Reading attached files and writing documents holds a thread for seconds; the other threads are for everybody.
    heavy_work: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    model_test: asyncio.Lock = field(default_factory=asyncio.Lock)
    page_folder: Path = field(default_factory=lambda: Path(__file__).parents[1] / "ui")

    @property
    def store(self) -> Store:
        """Store of the runtime."""
        return self.runtime.store

    def catalog_for(self, caller: Principal) -> Catalog:
        """Skills that a caller may see: an operator sees those of all users."""
        return narrow_catalog(caller, self.runtime.catalog())

    async def load_tools_for(self, caller: Principal) -> Registry:
        """Tools that a caller may see: those of skills are narrowed like the skills."""
        return await self.load_tools(self.catalog_for(caller))

    async def load_tools(self, catalog: Catalog) -> Registry:
        """Tools of a catalog, in a thread: who asks right after the start may be the one that loads those of packs."""
        return await asyncio.to_thread(self.runtime.tools, catalog)

    def has_skills(self) -> bool:
        """Whether any skill is loaded, whoever it belongs to."""
        return len(self.runtime.catalog()) > 0

    @property
    def places(self) -> DataPlaces:
        """Where data of conversations and users is stored."""
        return DataPlaces.of(self.settings, self.store)

    async def delete_conversation(self, conversation: Conversation, by: Principal) -> None:
        """Stop the turn of a conversation and delete all that belongs to it."""
        await self.runtime.stop(conversation.id)
        await self.forget_conversations([conversation.id])
        await delete_conversation(self.places, conversation, by)
        self.hub.end(conversation.id)

    async def delete_user(self, user: str, by: Principal) -> DeletedUser:
        """Stop the turns of a user and delete all that belongs to the user."""
        found = await self.store.owned.list_conversations(user)
        for conversation in found:
            await self.runtime.stop(conversation)
        await self.forget_conversations(found)
        gone = await delete_user(self.places, user, by)
        for conversation in found:
            self.hub.end(conversation)
        return gone

    async def forget_conversations(self, conversations: Collection[str]) -> None:
        """Forget what this process keeps of conversations that are about to be deleted."""
        self.threads.forget(conversations)
        await asyncio.to_thread(self.telemetry.flush)

    def observe(self, event: Event) -> None:
        """Pass an event that a request stored to the hub, the metrics and the telemetry."""
        for observer in (self.hub.publish, self.meter.observe, self.usage.observe, *self.telemetry.observers):
            observer(event)

    async def find_principal(self, key: str) -> Principal | None:
        """Who has this key; `local` with all roles on a server without keys, None if the key is wrong."""
        found = self.keys.find_owner(key) or await self.store.keys.find_owner(key)
        return found if found is not None or await self.needs_key() else Principal(LOCAL_USER)

    async def is_valid(self, caller: Principal) -> bool:
        """Whether the key of a caller still opens the server; one of the settings does until it is restarted."""
        if not caller.key:
            return not await self.needs_key()
        return caller.key.startswith(SETTINGS_KEY_PREFIX) or await self.store.keys.is_active(caller.key)

    async def needs_key(self) -> bool:
        """Whether requests need a key: one is in the settings, or one was ever made."""
        return bool(self.keys) or await self.store.keys.is_any_made()

    async def get_readable_conversation(self, conversation: str, caller: Principal) -> Conversation:
        """The conversation if the caller owns it or is an operator, whose reading is recorded; else as if unknown."""
        found = await self.store.conversations.get(conversation)
        if found.user == caller.user:
            return found
        if "operator" not in caller.roles:
            raise RecordNotFound(f"there is no conversation {conversation!r}")
        await self.store.audit.append(caller, "conversation.read", found.id, {"owner": found.user})
        return found

    async def get_owned_conversation(self, conversation: str, user: str) -> Conversation:
        """Return the conversation if it belongs to this user; otherwise the same error as for an unknown one."""
        found = await self.store.conversations.get(conversation)
        if found.user != user:
            raise RecordNotFound(f"there is no conversation {conversation!r}")
        return found


def get_context(request: Request) -> AppContext:
    """FastAPI dependency: the shared context of the application."""
    found = getattr(request.app.state, "serving", None)
    if found is None:
        raise Unavailable("the server is starting or stopping", hint="try again in a second")
    return cast("AppContext", found)


async def current_principal(request: Request) -> Principal:
    """Authenticate the request and count it: the key's owner, or `local` on a server without keys."""
    here = get_context(request)
    found = await here.find_principal(get_api_key(request))
    here.rate_limiter.take(found.user if found else "")
    if found is None:
        raise Unauthorized("this server needs an API key", hint="send 'Authorization: Bearer <key>'")
    return found


async def _get_current_context(request: Request) -> AppContext:
    """Shared context; changed skills are read in a thread before the request is answered."""
    here = get_context(request)
    await here.runtime.library.refresh()
    return here


Ctx = Annotated[AppContext, Depends(_get_current_context)]
Caller = Annotated[Principal, Depends(current_principal)]


async def current_user(caller: Caller) -> str:
    """Name of the user who asks."""
    return caller.user


async def require_approver(caller: Caller) -> Principal:
    """Who asks, with a key that may approve calls of others."""
    caller.require("approver")
    return caller


async def require_operator(caller: Caller) -> Principal:
    """Who asks, with a key for the whole server."""
    caller.require("operator")
    return caller


User = Annotated[str, Depends(current_user)]
Approver = Annotated[Principal, Depends(require_approver)]
Operator = Annotated[Principal, Depends(require_operator)]

_ROLE_BY_DEPENDENCY: Mapping[object, KeyRole] = {
    current_principal: "user",
    require_approver: "approver",
    require_operator: "operator",
}


def find_required_role(route: APIRoute) -> KeyRole | None:
    """Highest role that the route's dependencies ask for; None if it answers anybody."""
    found, waiting = set[KeyRole](), [route.dependant]
    while waiting:
        one = waiting.pop()
        waiting += one.dependencies
        if (role := _ROLE_BY_DEPENDENCY.get(one.call)) is not None:
            found.add(role)
    return max(found, key=KEY_ROLES.index, default=None)
