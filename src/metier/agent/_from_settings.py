"""Builds the parts of a runtime from the settings: store, skills, limits, MCP tools."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from metier.agent.adapters import Limits
from metier.pack import Pack, pack_skill_roots
from metier.settings import Settings
from metier.skills import SkillLibrary, open_skill_library
from metier.store import PendingStore, Store
from metier.tools.mcp import McpServers, mcp_servers_from

if TYPE_CHECKING:
    from metier.flow import FlowLibrary

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
