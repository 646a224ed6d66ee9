"""Tools and rules of the commands about tools: all tools, the operator's policy, MCP servers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.pack import Pack
    from metier.settings import Settings
    from metier.skills import Catalog
    from metier.tools import Registry, Rules, ScriptRunner, Tool


def open_tools(
    settings: "Settings", catalog: "Catalog", packs: "tuple[Pack, ...]" = (), runner: "ScriptRunner | None" = None
) -> "Registry":
    """Open the built-in tools, those of the packs, and those of the catalog's skills."""
    from metier.pack import load_pack_tools
    from metier.tools import Registry
    from metier.tools.builtin import builtin_tools, config_from

    own = builtin_tools(config_from(settings))
    brought = load_pack_tools(packs, settings, (tool.spec.name for tool in own))
    return Registry((*own, *brought)).with_skills(catalog, runner)


def load_operator_rules(settings: "Settings") -> "Rules | None":
    """Load the operator's policy file, if there is one."""
    from metier.tools import load_policy

    return None if settings.policy_file is None else load_policy(settings.policy_file)


async def add_server_tools(tools: "Registry", settings: "Settings") -> tuple["Registry", tuple[str, ...]]:
    """Add the tools of the MCP servers; also returns the problems of servers and their tools."""
    from metier.tools.mcp import McpServers, read_mcp_config

    async with McpServers(read_mcp_config(settings.mcp_servers)) as servers:
        by_server: dict[str, list[Tool]] = {}
        for tool in servers.tools:
            by_server.setdefault(tool.server, []).append(tool)
        for name, brought in by_server.items():
            tools = tools.with_server(name, brought)
        return tools, tuple(f"MCP server {one.server}: {one.message}" for one in servers.problems)
