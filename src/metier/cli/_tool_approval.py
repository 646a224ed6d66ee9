"""`metier tools approve`: show what MCP servers changed in their tools, and approve it."""

import asyncio
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, say
from metier.errors import UsageError

if TYPE_CHECKING:
    from metier.settings import Settings
    from metier.tools.mcp import McpServers, PendingTool


def approve_command(
    server: str | None = typer.Argument(None, help="The MCP server's name in the settings."),
    tool: str | None = typer.Argument(None, help="The tool's name on that server."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Approve without asking."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Show the tools of MCP servers that wait for approval. With SERVER and TOOL, show one and approve it."""
    from metier.settings import load_settings

    if (server is None) != (tool is None):
        raise UsageError("give a server and a tool, or neither", hint="metier tools approve github create_issue")
    if as_json and server is not None and not yes:
        raise UsageError("--json asks no questions", hint="add --yes to approve")
    asyncio.run(_approve(load_settings(), server, tool, yes=yes, as_json=as_json))


async def _approve(settings: "Settings", server: str | None, tool: str | None, *, yes: bool, as_json: bool) -> None:
    from metier.tools.mcp import mcp_servers_from

    async with mcp_servers_from(settings) as servers:
        for problem in servers.problems:
            if not problem.tool:
                print_note(f"! {problem.message}")
        if server is None or tool is None:
            _print_pending(servers, as_json=as_json)
            return
        found = servers.find_pending(server, tool)
        if not as_json:
            _print_change(found)
        if not yes and not typer.confirm(say("approve_this")):
            raise typer.Exit(1)
        await _record(found)
        servers.approve(server, tool, by="command line", digest=found.current.digest)
        if as_json:
            print_json({"approved": found.to_json()})
        else:
            print_line(f"approved {found.name}")


async def _record(found: "PendingTool") -> None:
    """Write the approval to the audit log, before it has an effect."""
    from metier.cli.access import terminal_principal
    from metier.cli.terminal import open_store

    async with open_store() as store:
        await store.audit.append(terminal_principal(), "tool.approved", found.name, {"digest": found.current.digest})


def _print_pending(servers: "McpServers", *, as_json: bool) -> None:
    if as_json:
        print_json({"pending": [one.to_json() for one in servers.pending]})
        return
    for one in servers.pending:
        _print_change(one)
        print_line(f"  metier tools approve {one.server} {one.tool}\n")
    if not servers.pending:
        print_note(say("no_tool_waits"))


def _print_change(one: "PendingTool") -> None:
    print_line(f"{one.server} {one.tool}: {one.message}")
    for line in one.diff():
        print_line(f"  {line}")
