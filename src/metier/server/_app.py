"""FastAPI application: opens the shared resources once, includes all routers, adds the middleware."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute

from metier.agent import Runtime
from metier.background import repeat
from metier.clock import utc_now
from metier.errors import InvalidSettings, MetierError
from metier.faults import arm_faults, parse_faults
from metier.pack import Packs, build_pack_glossary, select_packs
from metier.routing import open_router
from metier.server.api import (
    WORKBENCH_ROUTERS,
    _approvals,
    _audit,
    _bench_runs,
    _chat,
    _conversations,
    _files,
    _health,
    _info,
    _models,
    _page,
    _page_json,
    _pauses,
    _skills,
    _telemetry,
    _tools,
    _turns,
    _users,
    install_openapi,
    remove_abandoned_branches,
)
from metier.server.compat import _agui, _openai
from metier.server.http import (
    AppContext,
    BodyLimit,
    Guard,
    RateLimiter,
    install_handlers,
    is_loopback,
)
from metier.server.observe import Meter, Preparation, Reloads, SkillUsage
from metier.server.stream import CHECK_KEYS_EVERY_S, Hub, StreamSlots
from metier.settings import Settings
from metier.store import Event, SettingsKeys
from metier.telemetry import open_telemetry
from metier.tools import Tool

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_TOP_K: Final = 8
_VERSION: Final = version("metier")
_ROUTER_MODULES: Final = (
    _chat,
    _pauses,
    _approvals,
    _conversations,
    _turns,
    _files,
    _users,
    _skills,
    _tools,
    _audit,
    _info,
    _models,
    _bench_runs,
    _health,
    _telemetry,
    _openai,
    _agui,
)


class Given(NamedTuple):
    """What the caller of `create_app` brings, as for `Runtime.open`."""

    model: "BaseChatModel | None"
    models: "Mapping[str, BaseChatModel] | None"
    tools: Sequence[Tool]


def create_app(
    settings: Settings,
    *,
    packs: Packs | None = None,
    model: "BaseChatModel | None" = None,
    models: "Mapping[str, BaseChatModel] | None" = None,
    tools: Sequence[Tool] = (),
    bench_folder: Path = Path("bench-results"),
) -> FastAPI:
    """Build the Metier server as an ASGI application; its runtime opens in the lifespan.

    `packs` default to those of the settings, or to all installed packs. `model`, `models` and `tools` are as
    for `Runtime.open`.
    """
    _check_faults(settings)
    keys = SettingsKeys(settings.api_keys, settings.roles)
    found = select_packs(settings, all_by_default=True) if packs is None else packs

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        opened = _open_context(settings, keys, found, Given(model, models, tools), bench_folder=bench_folder)
        async with AsyncExitStack() as stack:
            try:
                here = await stack.enter_async_context(opened)
            except MetierError as error:
                app.state.refusal = error  # `serve` raises it: uvicorn would print a traceback and leave
                raise
            app.state.serving = here
            try:
                yield
            finally:
                here.hub.close()
                app.state.serving = None

    app = FastAPI(
        title="Metier",
        version=_VERSION,
        description="The agent picks a skill; the skill governs the tools.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.router.routes.extend(_list_routes(found, dev_routes=settings.dev_routes))
    install_openapi(app)
    install_handlers(app)
    hosts = (*settings.allowed_hosts, *([settings.host] if is_loopback(settings.host) else []))
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    app.add_middleware(
        BodyLimit, max_bytes=settings.body_max_bytes, max_file_bytes=settings.attachment_max_bytes + 1024
    )
    app.add_middleware(Guard, hosts=hosts)
    return app


def _check_faults(settings: Settings) -> None:
    """Raise `InvalidSettings` if faults are asked for outside of a development server, or cannot be read."""
    if settings.faults and not (settings.dev_routes and is_loopback(settings.host)):
        raise InvalidSettings(
            "METIER_FAULTS makes the server fail on purpose and is for tests only",
            hint="remove it; a test sets METIER_DEV_ROUTES=true too and listens on 127.0.0.1",
        )
    parse_faults(settings.faults)


def _list_routes(packs: Packs, *, dev_routes: bool) -> Iterator[BaseRoute]:
    """List the routes as they were built at import.

    `FastAPI.include_router` builds every route a second time at the first request, which then takes 60 ms longer.
    """
    for part in _ROUTER_MODULES:
        yield from part.routes.routes
    for routes in WORKBENCH_ROUTERS:
        yield from routes.routes
    if dev_routes:
        yield from _telemetry.dev_routes.routes
    for pack in packs.found:
        yield from (route for route in pack.load_routes() if isinstance(route, BaseRoute))
    yield from _page_json.routes.routes
    yield from _page.routes.routes  # last: it matches every remaining path


@asynccontextmanager
async def _open_context(
    settings: Settings,
    keys: SettingsKeys,
    packs: Packs,
    given: Given,
    *,
    bench_folder: Path,
) -> AsyncIterator[AppContext]:
    started_at = utc_now()
    meter, usage = Meter(), SkillUsage(started_at)
    live: list[Hub] = []

    def publish(event: Event) -> None:
        for hub in live:
            hub.publish(event)

    async with AsyncExitStack() as stack:
        stack.enter_context(arm_faults(settings.faults))
        telemetry = await stack.enter_async_context(open_telemetry(settings))
        router = replace(open_router(settings, glossary=build_pack_glossary(packs.found)), top_k=_TOP_K)
        runtime = await stack.enter_async_context(
            Runtime.open(
                settings,
                model=given.model,
                models=given.models,
                tools=given.tools,
                router=router,
                packs=packs.found,
                observers=[publish, meter.observe, usage.observe, *telemetry.observers],
                watch=True,
                recover_turns="resume",
            )
        )
        hub = await stack.enter_async_context(Hub.open(runtime.store))
        live.append(hub)
        meter.watch(hub)
        reloads = Reloads(runtime.catalog, router.prepare)
        await stack.enter_async_context(reloads.watch())
        preparation = Preparation(partial(runtime.prepare, tools=False), runtime.prepare)
        await stack.enter_async_context(preparation.run())
        here = AppContext(
            settings=settings,
            runtime=runtime,
            router=router,
            packs=packs,
            hub=hub,
            keys=keys,
            rate_limiter=RateLimiter(settings.rate_limit),
            stream_slots=StreamSlots(settings.streams_max, settings.conversation_streams_max),
            meter=meter,
            usage=usage,
            reloads=reloads,
            preparation=preparation,
            telemetry=telemetry,
            started_at=started_at,
            bench_folder=bench_folder,
        )
        await remove_abandoned_branches(settings.storage_dir, runtime.store)
        await stack.enter_async_context(_end_revoked_streams(here))
        yield here


@asynccontextmanager
async def _end_revoked_streams(here: AppContext) -> AsyncIterator[None]:
    end = partial(here.stream_slots.end_revoked, here.is_valid)
    task = asyncio.create_task(repeat(end, every_s=CHECK_KEYS_EVERY_S, what="keys of streams could not be checked"))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
