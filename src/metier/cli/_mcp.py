"""`metier mcp`: serve skills and tools to other agents over standard input and output."""

from pathlib import Path
from typing import TYPE_CHECKING

from metier.background import run_async
from metier.cli._library import SKILLS_OPTION
from metier.cli._run import ALL_PACKS_OPTION, MODEL_OPTION, load_run_settings
from metier.errors import MissingExtra

if TYPE_CHECKING:
    from metier.pack import Packs
    from metier.settings import Settings


def mcp_command(
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = ALL_PACKS_OPTION,
    model: str | None = MODEL_OPTION,
) -> None:
    """Speak MCP on standard input and output. `metier_run` does governed work, and skills can be read."""
    try:
        import mcp  # noqa: F401 - whether it is there
    except ModuleNotFoundError as error:
        raise MissingExtra("speaking MCP needs the 'mcp' package", hint="pip install 'metier[mcp]'") from error
    from metier.pack import select_packs

    settings = load_run_settings(skills, model)
    run_async(_serve(settings, select_packs(settings, packs or (), all_by_default=True)))


async def _serve(settings: "Settings", packs: "Packs") -> None:
    from metier.agent import Runtime
    from metier.pack import build_pack_glossary
    from metier.routing import open_router
    from metier.server import serve_mcp
    from metier.tools import load_policy

    router = open_router(settings, glossary=build_pack_glossary(packs.found))
    policy = None if settings.policy_file is None else load_policy(settings.policy_file)
    async with Runtime.open(settings, packs=packs.found, router=router, watch=True) as runtime:
        await serve_mcp(runtime, router, policy, self_approval=settings.self_approval == "on")
