"""Builds the parts of a runtime from the settings: store, skills, limits, MCP tools."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from langchain.agents.middleware.types import AgentMiddleware

from metier.agent.adapters import Limits
from metier.agent.loop import list_middleware_tools
from metier.agent.models import ModelPool
from metier.agent.turn import Resources, StoreLedger, make_context_builders
from metier.clock import make_timer
from metier.errors import UsageError
from metier.pack import (
    LatePackTools,
    Pack,
    build_pack_glossary,
    find_pack_prompt,
    list_kept_tools,
    load_pack_answerers,
    load_pack_claims,
    load_pack_guards,
    pack_skill_roots,
)
from metier.routing import Router, open_router
from metier.settings import Settings
from metier.skills import SkillLibrary, open_skill_library
from metier.store import PendingStore, Store
from metier.tasks import open_analyzer
from metier.tools import (
    AskPerson,
    ExceptionPolicy,
    SkillScripts,
    Tool,
    ToolSpec,
    load_policy,
    load_task_types,
    load_tools,
)
from metier.tools.mcp import McpServers, mcp_servers_from

if TYPE_CHECKING:
    from metier.flow import FlowLibrary

_MAX_CANDIDATES: Final = 8
_log = logging.getLogger(__name__)


def open_store(settings: Settings, clock: Callable[[], datetime], new_id: Callable[[], str]) -> PendingStore:
    """Open the database named in the settings."""
    return Store.open(
        settings.database_url,
        durability=settings.durability,
        busy_timeout_s=settings.busy_timeout_s,
        clock=clock,
        new_id=new_id,
    )


def open_flow_library(settings: Settings, packs: Sequence[Pack]) -> "FlowLibrary | None":
    """Operators and rules of the packs, not loaded yet; None if no pack brings any."""
    if not any(pack.operator_factories or pack.flow_factory for pack in packs):
        return None
    from metier.flow import FlowLibrary

    return FlowLibrary(packs, settings)


def limits_from_settings(settings: Settings) -> Limits:
    """Limits for one turn."""
    most = settings.turn_max_cost or None
    return Limits(settings.turn_max_steps, None, settings.turn_max_tokens, settings.turn_max_s, most)


@asynccontextmanager
async def open_mcp_servers(settings: Settings) -> AsyncIterator[McpServers | None]:
    """Configured MCP servers, if any; an unreachable server and a tool that waits for approval are only logged."""
    if not settings.mcp_servers:
        yield None
        return
    async with mcp_servers_from(settings) as servers:
        for problem in servers.problems:
            _log.warning("MCP server %s: %s", problem.server, problem.message)
        yield servers


def open_library(settings: Settings, packs: Sequence[Pack]) -> SkillLibrary:
    """Skills from the folders in the settings, then from the packs."""
    return open_skill_library(settings, pack_skill_roots(packs))


def collect_tools(
    settings: Settings, own: Sequence[Tool], middleware: Sequence[AgentMiddleware[Any, Any, Any]]
) -> tuple[Tool, ...]:
    """Built-in tools, the caller's own, and those that the caller's middleware brings."""
    for one in own:
        if not isinstance(getattr(one, "spec", None), ToolSpec):
            raise UsageError(
                f"tools= has {one!r:.80}, which is no tool of Metier",
                hint="decorate a function with @metier.tool; tools of LangChain come in with a middleware",
            )
    tools = (*load_tools(settings), *own)
    return (*tools, *list_middleware_tools(middleware, tools, settings.skill_tool))


@dataclass(frozen=True, slots=True)
class Foundations:
    """What was opened before the resources of a runtime: settings, store, skills, MCP servers, scripts, own tools."""

    settings: Settings
    store: Store
    library: SkillLibrary
    mcp: McpServers | None
    scripts: SkillScripts
    tools: tuple[Tool, ...]


def build_resources(
    opened: Foundations,
    packs: Sequence[Pack],
    *,
    models: ModelPool,
    router: Router | None,
    exceptions: ExceptionPolicy | None,
    clock: Callable[[], datetime],
    new_id: Callable[[], str],
) -> Resources:
    """Build the resources that all turns share."""
    settings, own = opened.settings, opened.tools
    router = router or replace(open_router(settings, glossary=build_pack_glossary(packs)), top_k=_MAX_CANDIDATES)
    return Resources(
        settings=settings,
        store=opened.store,
        library=opened.library,
        router=router,
        tools=own,
        pack_tools=LatePackTools(packs, settings, (tool.spec.name for tool in own)),
        script_runner=opened.scripts,
        ledger=StoreLedger(opened.store),
        analyzer=open_analyzer(load_task_types(settings.task_types_file), router),
        clock=clock,
        timer=make_timer(clock),
        new_id=new_id,
        models=models,
        policy=None if settings.policy_file is None else load_policy(settings.policy_file),
        limits=limits_from_settings(settings),
        exception_policy=exceptions or AskPerson(),
        context_builders=make_context_builders(settings, find_pack_prompt(packs), list_kept_tools(packs)),
        mcp=opened.mcp,
        flow=open_flow_library(settings, packs),
        guards=load_pack_guards(packs, settings),
        claims=load_pack_claims(packs),
        fallback_claims=load_pack_claims(packs, is_fallback=True),
        answerers=load_pack_answerers(packs),
        packs=tuple(packs),
    )
