"""What the commands about tools share: every tool there is, the operator's word, the settings' task types."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.settings import Settings
    from metier.skills import Catalog
    from metier.tools import Registry, Rules, ScriptRunner


def open_tools(settings: "Settings", catalog: "Catalog", runner: "ScriptRunner | None" = None) -> "Registry":
    """The built-in tools and those that the catalog's skills bring along."""
    from metier.tools import Registry
    from metier.tools.builtin import builtin_tools, config_from

    return Registry(builtin_tools(config_from(settings))).with_skills(catalog, runner)


def operator_rules(settings: "Settings") -> "Rules | None":
    """The operator's policy file, if there is one."""
    from metier.tools import load_policy

    return None if settings.policy_file is None else load_policy(settings.policy_file)
