"""Tools of MCP servers: connect, list, call. A server that fails or changes its tools does not affect others."""

from metier.tools.mcp._config import McpServerConfig, read_mcp_config
from metier.tools.mcp._mapping import McpProblem
from metier.tools.mcp._servers import McpServers, McpTool

__all__ = ["McpProblem", "McpServerConfig", "McpServers", "McpTool", "read_mcp_config"]
