"""Built-in tools: files, terminal, web pages, search, memory, time."""

from metier.tools.builtin._all import MEMORY_FILE, BuiltinConfig, builtin_tools, builtin_tools_from, config_from
from metier.tools.builtin._decode import decode_page
from metier.tools.builtin._document_search import DocumentIndex, FoundDocument, IndexedDocument, PassageHit
from metier.tools.builtin._files import add_to_workspace, remove_in_workspace, write_in_workspace
from metier.tools.builtin._http import Fetcher
from metier.tools.builtin._memory_store import MemoryEntry, MemoryStore
from metier.tools.builtin._page import read_article
from metier.tools.builtin._paths import list_workspace_files, measure_folder, open_in_workspace
from metier.tools.builtin._ssrf import (
    FetchRules,
    Resolver,
    check_url,
    get_port,
    resolve_allowed_addresses,
    resolve_by_system,
)
from metier.tools.builtin._terminal import CommandOutcome, CommandRunner

__all__ = [
    "MEMORY_FILE",
    "BuiltinConfig",
    "CommandOutcome",
    "CommandRunner",
    "DocumentIndex",
    "FetchRules",
    "Fetcher",
    "FoundDocument",
    "IndexedDocument",
    "MemoryEntry",
    "MemoryStore",
    "PassageHit",
    "Resolver",
    "add_to_workspace",
    "builtin_tools",
    "builtin_tools_from",
    "check_url",
    "config_from",
    "decode_page",
    "get_port",
    "list_workspace_files",
    "measure_folder",
    "open_in_workspace",
    "read_article",
    "remove_in_workspace",
    "resolve_allowed_addresses",
    "resolve_by_system",
    "write_in_workspace",
]
