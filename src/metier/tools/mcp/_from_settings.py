"""Open the MCP servers of the settings, and add their tools to a registry."""

from metier.settings import Settings
from metier.tools._registry import Registry, ToolProblem
from metier.tools.mcp._config import read_mcp_config
from metier.tools.mcp._pins import PINS_FILE, FilePins
from metier.tools.mcp._servers import McpServers, McpTool


def mcp_servers_from(settings: Settings, *, prefix: bool = True) -> McpServers:
    """Build the servers of `METIER_MCP_SERVERS`; open them with `async with`."""
    return McpServers(
        read_mcp_config(settings.mcp_servers),
        prefix=prefix,
        pins=FilePins(settings.storage_dir / PINS_FILE),
        trust=settings.mcp_trust,
    )


def add_mcp_tools(tools: Registry, servers: McpServers) -> Registry:
    """Return a registry with the approved tools of the servers; the others and servers that are down are problems."""
    by_server: dict[str, list[McpTool]] = {}
    for tool in servers.tools:
        by_server.setdefault(tool.server, []).append(tool)
    for name, brought in by_server.items():
        tools = tools.with_server(name, brought)
    return tools.with_problems(
        ToolProblem(f"server {one.server}", one.tool, one.code, one.message) for one in servers.problems
    )
