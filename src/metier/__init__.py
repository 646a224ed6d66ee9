"""Metier: the agent picks a skill; the skill governs the tools."""

from importlib import import_module
from types import MappingProxyType

TYPE_CHECKING = False  # type checkers know the name; importing `typing` would double the cost of `import metier`
if TYPE_CHECKING:
    from metier.agent import Runtime, TurnRequest
    from metier.errors import MetierError
    from metier.routing import Router, open_router
    from metier.settings import Settings, load_settings
    from metier.skills import Catalog, Skill, SkillLibrary
    from metier.store import Store
    from metier.tools import Gate, ToolContext, ToolError, ToolResult, gate_for, tool

__all__ = [
    "Catalog",
    "Gate",
    "MetierError",
    "Router",
    "Runtime",
    "Settings",
    "Skill",
    "SkillLibrary",
    "Store",
    "ToolContext",
    "ToolError",
    "ToolResult",
    "TurnRequest",
    "gate_for",
    "load_settings",
    "open_router",
    "tool",
]

# Modules are imported on first access, so that `import metier` loads neither LangChain nor SQLAlchemy nor Pydantic.
_EXPORT_MODULES = MappingProxyType(
    {
        "Catalog": "metier.skills",
        "Gate": "metier.tools",
        "MetierError": "metier.errors",
        "Router": "metier.routing",
        "Runtime": "metier.agent",
        "Settings": "metier.settings",
        "Skill": "metier.skills",
        "SkillLibrary": "metier.skills",
        "Store": "metier.store",
        "ToolContext": "metier.tools",
        "ToolError": "metier.tools",
        "ToolResult": "metier.tools",
        "TurnRequest": "metier.agent",
        "gate_for": "metier.tools",
        "load_settings": "metier.settings",
        "open_router": "metier.routing",
        "tool": "metier.tools",
    },
)


def __getattr__(name: str) -> object:
    if name not in _EXPORT_MODULES:
        raise AttributeError(f"module 'metier' has no attribute {name!r}")
    return getattr(import_module(_EXPORT_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
