"""Metier: the agent picks a skill; the skill governs the tools."""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.errors import MetierError
    from metier.settings import Settings, load_settings
    from metier.skills import Catalog, Skill, SkillLibrary
    from metier.store import Store

__all__ = ["Catalog", "MetierError", "Settings", "Skill", "SkillLibrary", "Store", "load_settings"]

# Modules are imported on first access, so that `import metier` does not load SQLAlchemy and Pydantic.
_EXPORT_MODULES = MappingProxyType(
    {
        "Catalog": "metier.skills",
        "MetierError": "metier.errors",
        "Settings": "metier.settings",
        "Skill": "metier.skills",
        "SkillLibrary": "metier.skills",
        "Store": "metier.store",
        "load_settings": "metier.settings",
    },
)


def __getattr__(name: str) -> object:
    if name not in _EXPORT_MODULES:
        raise AttributeError(f"module 'metier' has no attribute {name!r}")
    return getattr(import_module(_EXPORT_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
