"""Resolves indicator names as users write them: with or without unit, in Chinese or by alias."""

import re
from collections.abc import Sequence

from metier.errors import UsageError
from metier.packs.telecom.twin import INDICATORS, Indicator, Level, Phase

_UNIT = re.compile(r"[（(][^（）()]*[）)]$")


def resolve_indicators(level: Level, phase: Phase, names: Sequence[str]) -> tuple[Indicator, ...]:
    """Resolve names to the indicators of one level and phase; an unknown name raises with the legal list."""
    legal = INDICATORS[level, phase]
    by_name = {_normalise_name(word): one for one in legal for word in (one.name, one.alias)}
    unknown = [name for name in names if _normalise_name(name) not in by_name]
    if unknown or not names:
        wrong = ", ".join(repr(name[:40]) for name in unknown) or "no indicator"
        listed = "、".join(one.name for one in legal)
        raise UsageError(f"{wrong}: not among the {level} indicators of {phase}", hint=f"legal indicators: {listed}")
    return tuple(dict.fromkeys(by_name[_normalise_name(name)] for name in names))


def find_simulated_names(found: Sequence[Indicator]) -> tuple[str, ...]:
    """Simulation names of the same indicators; the rates if the simulation has none of them."""
    legal = INDICATORS["cell", "simulation"]
    fields = {one.field for one in found}
    same = tuple(one.name for one in legal if one.field in fields)
    return same or tuple(one.name for one in legal if one.field in ("dl_rate", "ul_rate"))


def _normalise_name(name: str) -> str:
    return _UNIT.sub("", name.strip()).lower().replace(" ", "_")
