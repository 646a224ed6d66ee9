"""Tools of MCP servers: connect, list, call. A server that fails or changes its tools does not affect others."""

from metier.tools.mcp._config import McpServerConfig, read_mcp_config
from metier.tools.mcp._from_settings import add_mcp_tools, mcp_servers_from
from metier.tools.mcp._mapping import McpProblem
from metier.tools.mcp._pins import FilePins, MemoryPins, PendingTool, PinnedTool, ToolDefinition, ToolPins
from metier.tools.mcp._servers import McpServers, McpTool

__all__ = [
    "FilePins",
    "McpProblem",
    "McpServerConfig",
    "McpServers",
    "McpTool",
    "MemoryPins",
    "PendingTool",
    "PinnedTool",
    "ToolDefinition",
    "ToolPins",
    "add_mcp_tools",
    "mcp_servers_from",
    "read_mcp_config",
]
