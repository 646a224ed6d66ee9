"""Built-in tools: files, terminal, web pages, search, memory, time."""

from metier.tools.builtin._all import BuiltinConfig, builtin_tools, builtin_tools_from, config_from
from metier.tools.builtin._paths import open_in_workspace
from metier.tools.builtin._ssrf import FetchRules
from metier.tools.builtin._terminal import CommandOutcome, CommandRunner

__all__ = [
    "BuiltinConfig",
    "CommandOutcome",
    "CommandRunner",
    "FetchRules",
    "builtin_tools",
    "builtin_tools_from",
    "config_from",
    "open_in_workspace",
]
