"""Context shared by all requests of a server: runtime, hub, limits. Built when the server starts."""

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Request

from metier.agent import Runtime
from metier.errors import RecordNotFound, Unavailable
from metier.pack import Packs
from metier.routing import Router
from metier.server._hub import Hub
from metier.server._limits import Buckets, Slots
from metier.server._openai_threads import Threads
from metier.server._requests import Requests
from metier.settings import Settings
from metier.store import Conversation, Event, Store
from metier.telemetry import Telemetry

if TYPE_CHECKING:
    from metier.server._meter import Meter
    from metier.server._reloads import Reloads
    from metier.server._security import Keys
    from metier.server._usage import Usage


@dataclass(slots=True)
class Serving:
    """Shared resources of a running server."""

    settings: Settings
    runtime: Runtime
    router: Router
    packs: Packs
    hub: Hub
    keys: "Keys"
    buckets: Buckets
    slots: Slots
    meter: "Meter"
    usage: "Usage"
    reloads: "Reloads"
    telemetry: Telemetry
    started_at: datetime
    bench_folder: Path
    requests: Requests = field(default_factory=Requests)
    threads: Threads = field(default_factory=Threads)
    page_folder: Path = field(default_factory=lambda: Path(__file__).with_name("ui"))

    @property
    def store(self) -> Store:
        """Store of the runtime."""
        return self.runtime.store

    def observe(self, event: Event) -> None:
        """Pass an event that a request stored to the hub, the metrics and the telemetry."""
        for observer in (self.hub.publish, self.meter.observe, self.usage.observe, *self.telemetry.observers):
            observer(event)

    async def owned(self, conversation: str, user: str) -> Conversation:
        """Return the conversation if it belongs to this user; otherwise the same error as for an unknown one."""
        found = await self.store.conversations.get(conversation)
        if found.user != user:
            raise RecordNotFound(f"there is no conversation {conversation!r}")
        return found


def serving(request: Request) -> Serving:
    """FastAPI dependency: the shared context of the application."""
    found = getattr(request.app.state, "serving", None)
    if found is None:
        raise Unavailable("the server is starting or stopping", hint="try again in a second")
    return cast("Serving", found)


Here = Annotated[Serving, Depends(serving)]
