"""Context of a request: resources that all requests share, built when the server starts, and the user who asks."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, cast

from fastapi import Depends, Request

from metier.agent import Runtime
from metier.errors import RecordNotFound, Unauthorized, Unavailable
from metier.pack import Packs
from metier.routing import Router
from metier.server.http._auth import Keys, get_api_key
from metier.server.http._client_threads import ThreadIndex
from metier.server.http._limits import RateLimiter, StreamSlots
from metier.server.observe import Meter, Preparation, Reloads, SkillUsage
from metier.server.stream import Hub
from metier.settings import Settings
from metier.store import Conversation, Event, Store
from metier.telemetry import Telemetry

LOCAL_USER: Final = "local"


@dataclass(slots=True)
class AppContext:
    """Shared resources of a running server."""

    settings: Settings
    runtime: Runtime
    router: Router
    packs: Packs
    hub: Hub
    keys: Keys
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
    model_test: asyncio.Lock = field(default_factory=asyncio.Lock)
    page_folder: Path = field(default_factory=lambda: Path(__file__).parents[1] / "ui")

    @property
    def store(self) -> Store:
        """Store of the runtime."""
        return self.runtime.store

    def observe(self, event: Event) -> None:
        """Pass an event that a request stored to the hub, the metrics and the telemetry."""
        for observer in (self.hub.publish, self.meter.observe, self.usage.observe, *self.telemetry.observers):
            observer(event)

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


async def current_user(request: Request) -> str:
    """Authenticate the request and count it: the key's owner, or `local` on a server without keys."""
    here = get_context(request)
    if not here.keys:
        here.rate_limiter.take(LOCAL_USER)
        return LOCAL_USER
    owner = here.keys.find_owner(get_api_key(request))
    here.rate_limiter.take(owner or "")
    if owner is None:
        raise Unauthorized("this server needs an API key", hint="send 'Authorization: Bearer <key>'")
    return owner


async def _get_current_context(request: Request) -> AppContext:
    """Shared context; changed skills are read in a thread before the request is answered."""
    here = get_context(request)
    await here.runtime.refresh_skills()
    return here


Ctx = Annotated[AppContext, Depends(_get_current_context)]
User = Annotated[str, Depends(current_user)]
