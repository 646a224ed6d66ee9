"""Skills, packs, tools and rules of a command: from the settings, or from the command line."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.errors import PathNotFound

if TYPE_CHECKING:
    from metier.pack import Pack
    from metier.settings import Settings
    from metier.skills import Catalog, SkillLibrary, TrustMode
    from metier.tools import Registry, Rules, ScriptRunner

SKILLS_OPTION = typer.Option(
    None, "--skills", "--dir", "-d", help="Skills folder (repeat for several); default: the settings'."
)
PACK_OPTION = typer.Option(None, "--pack", "-p", metavar="ID", help="With this pack's skills (repeat).")


def open_packs(names: list[str] | None) -> "tuple[Pack, ...]":
    """Load the named packs, or those of the settings."""
    from metier.pack import select_packs
    from metier.settings import load_settings

    return select_packs(load_settings(), names or ()).found


def open_library(
    folders: list[Path] | None, packs: "tuple[Pack, ...]" = (), trust: "TrustMode | None" = None
) -> "SkillLibrary":
    """Open a library over the named folders, or those of the settings; skills of packs come last."""
    from metier.pack import pack_skill_roots
    from metier.settings import load_settings
    from metier.skills import open_skill_library

    settings = load_settings()
    for folder in folders or ():
        if not folder.is_dir():
            raise PathNotFound(f"no folder {str(folder)!r}", hint="check the path of the skills folder")
    return open_skill_library(settings, pack_skill_roots(packs), folders=folders, trust=trust)


def open_tools(
    settings: "Settings", catalog: "Catalog", packs: "tuple[Pack, ...]" = (), runner: "ScriptRunner | None" = None
) -> "Registry":
    """Open the tools of installed packages (the built-in ones too), of the packs, and of the catalog's skills."""
    from metier.pack import load_pack_tools
    from metier.tools import Registry, load_tools

    own = load_tools(settings)
    brought = load_pack_tools(packs, settings, (tool.spec.name for tool in own))
    return Registry((*own, *brought)).with_skills(catalog, runner)


def load_operator_rules(settings: "Settings") -> "Rules | None":
    """Load the operator's policy file, if there is one."""
    from metier.tools import load_policy

    return None if settings.policy_file is None else load_policy(settings.policy_file)


async def add_server_tools(tools: "Registry", settings: "Settings") -> "Registry":
    """Add the tools of the MCP servers; servers that are down and tools that wait for approval are problems."""
    from metier.tools.mcp import add_mcp_tools, mcp_servers_from

    async with mcp_servers_from(settings) as servers:
        return add_mcp_tools(tools, servers)
