"""Build all built-in tools from the settings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Final, Literal

from metier.clock import local_now
from metier.settings import Settings
from metier.tools._calls import Tool
from metier.tools.builtin._base import BuiltinTool
from metier.tools.builtin._clock import time_tool
from metier.tools.builtin._document_search import DocumentIndex
from metier.tools.builtin._examples import with_usage
from metier.tools.builtin._fetch import fetch_tool
from metier.tools.builtin._files import read_file_tool, write_file_tool
from metier.tools.builtin._find_files import list_dir_tool, search_files_tool
from metier.tools.builtin._memory import OwnerResolver, memory_tool, owner_from_conversation, utc_now_text
from metier.tools.builtin._memory_store import MemoryStore
from metier.tools.builtin._memory_vectors import TextEmbedder
from metier.tools.builtin._search import local_search_tool, remote_search_tool
from metier.tools.builtin._ssrf import FetchRules, Resolver, resolve_by_system
from metier.tools.builtin._terminal import CommandRunner, sandbox_runner, terminal_tool
from metier.tools.python import PythonLimits, python_tool
from metier.workspaces import WorkspaceQuota

MEMORY_FILE: Final = "memory.sqlite3"


def _no_embedder() -> None:
    """Memories are searched by words alone."""


@dataclass(frozen=True, slots=True)
class BuiltinConfig:
    """Configuration of the built-in tools; every field has a working default.

    `search_key` is excluded from the repr. `memory_owner` maps a call to the owner of the memories.
    """

    storage: Path = Path("storage")
    quota: WorkspaceQuota = field(default_factory=WorkspaceQuota)
    python: PythonLimits = field(default_factory=PythonLimits)
    fetch: FetchRules = field(default_factory=FetchRules)
    search: Literal["local", "searxng", "brave", "tavily", "bing"] = "local"
    search_url: str = ""
    search_key: str = field(default="", repr=False)
    search_folder: Path = Path("documents")
    memory_owner: OwnerResolver = owner_from_conversation
    memory_embedder: Callable[[], TextEmbedder | None] = _no_embedder
    clock: Callable[[], datetime] = local_now
    resolve: Resolver = resolve_by_system


def config_from(settings: Settings) -> BuiltinConfig:
    """Build the configuration from the settings."""
    quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
    return BuiltinConfig(
        storage=settings.storage_dir,
        quota=quota,
        python=PythonLimits(settings.python_memory_max_bytes, settings.python_max_s, quota),
        fetch=FetchRules(allow_private=settings.fetch_allow_private),
        search=settings.web_search,
        search_url=settings.web_search_url,
        search_key=settings.web_search_key.get_secret_value(),
        search_folder=settings.web_search_folder,
        memory_embedder=_embedder_of(settings),
    )


def _embedder_of(settings: Settings) -> Callable[[], TextEmbedder | None]:
    """The embedder that the router uses, loaded when a memory is searched for the first time."""

    @cache
    def load() -> TextEmbedder | None:
        from metier.routing import load_text_embedder

        found = load_text_embedder(settings)
        return None if found is None else TextEmbedder(found.name, found.embed)

    return load


def builtin_tools(config: BuiltinConfig, runner: CommandRunner | None = None) -> tuple[Tool, ...]:
    """Build all built-in tools. `runner` runs the commands of the terminal, by default in the local sandbox."""
    documents = DocumentIndex(config.search_folder) if config.search == "local" else None
    made: tuple[Tool, ...] = (
        read_file_tool(),
        write_file_tool(config.quota.max_bytes, config.quota.max_files),
        list_dir_tool(),
        search_files_tool(),
        terminal_tool(runner or sandbox_runner(config.quota)),
        python_tool(config.python),
        fetch_tool(config.fetch, config.resolve, documents=documents),
        _build_search_tool(config, documents),
        memory_tool(
            MemoryStore(config.storage / MEMORY_FILE, utc_now_text, load_embedder=config.memory_embedder),
            config.memory_owner,
        ),
        time_tool(config.clock),
    )
    return tuple(with_usage(tool) for tool in made)


def builtin_tools_from(settings: Settings) -> tuple[Tool, ...]:
    """Build the built-in tools for these settings; entry point `builtin` of the group `metier.tools`."""
    return builtin_tools(config_from(settings))


def _build_search_tool(config: BuiltinConfig, documents: DocumentIndex | None) -> BuiltinTool:
    if documents is not None:
        return local_search_tool(documents)
    assert config.search != "local"
    return remote_search_tool(config.search, config.search_url, config.search_key)
