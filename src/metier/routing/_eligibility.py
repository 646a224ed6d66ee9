"""Eligibility of skills: enabled, right host, allowed group, requirements present."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from metier.routing._decision import Filtered
from metier.skills import Catalog, Skill


@dataclass(frozen=True, slots=True)
class RoutingConstraints:
    """Host, allowed groups and available tools; None means no restriction or unknown."""

    host: str | None = None
    groups: Collection[str] | None = None
    tools: Collection[str] | None = None


def split_eligible(catalog: Catalog, offer: RoutingConstraints) -> tuple[tuple[Skill, ...], tuple[Filtered, ...]]:
    """Split a catalog into eligible skills and excluded ones with the reason."""
    offered: list[Skill] = []
    refused: list[Filtered] = []
    for skill in catalog:
        reason = ineligible_reason(skill, catalog, offer)
        if reason is None:
            offered.append(skill)
        else:
            refused.append(reason)
    return tuple(offered), tuple(refused)


def ineligible_reason(
    skill: Skill, catalog: Catalog, offer: RoutingConstraints, *, by_name: bool = False
) -> Filtered | None:
    """Reason why a skill is not eligible, or None if it is.

    `by_name` checks whether a user may start it by name instead of whether the router may offer it.
    """
    if not skill.enabled:
        return Filtered(skill.id, "disabled")
    if by_name and not skill.invocation.by_user:
        return Filtered(skill.id, "not_by_name")
    if not by_name and not (skill.invocation.automatic and skill.invocation.by_model):
        return Filtered(skill.id, "not_offered")
    if not _fits_host(skill.hosts, offer.host):
        return Filtered(skill.id, "host", {"hosts": skill.hosts, "host": offer.host or ""})
    if offer.groups is not None and skill.group and skill.group not in offer.groups:
        return Filtered(skill.id, "group", {"group": skill.group})
    return _find_missing(skill, catalog, offer)


# Office hosts also accept skills for the whole suite, `wps` or `office`.
_OFFICE_HOSTS = frozenset({"writer", "et", "wpp"})


def _fits_host(hosts: Iterable[str], host: str | None) -> bool:
    wanted = {name.casefold() for name in hosts}
    if not wanted or host is None or "*" in wanted or host.casefold() in wanted:
        return True
    return host.casefold() in _OFFICE_HOSTS and bool(wanted & {"wps", "office"})


def _find_missing(skill: Skill, catalog: Catalog, offer: RoutingConstraints) -> Filtered | None:
    for name in skill.requires:
        needed = catalog.get(name)
        if needed is None or not needed.enabled:
            return Filtered(skill.id, "missing_skill" if needed is None else "required_off", {"skill": name})
    if offer.tools is None:
        return None
    lacking = [tool.name for tool in skill.tools if tool.origin != "script" and tool.name not in offer.tools]
    if lacking:
        return Filtered(skill.id, "missing_tool", {"tool": lacking[0]})
    return None
