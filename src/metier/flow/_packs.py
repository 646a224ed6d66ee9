"""Operators and rules that packs bring, checked when they are loaded."""

import logging
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import cast

from metier.errors import InvalidPack, MetierError
from metier.flow._rules import FlowRules
from metier.flow.dag import Operator, OperatorRegistry
from metier.pack import Pack, PackContext
from metier.settings import Settings
from metier.skills import Skill

_log = logging.getLogger(__name__)
_RULES = ("roots", "plan", "act", "reflect", "report")


def load_pack_operators(packs: Iterable[Pack], settings: Settings) -> OperatorRegistry:
    """Operators of all packs. One that cannot be used, or whose name is taken, is logged and left out."""
    registry = OperatorRegistry()
    for pack in packs:
        try:
            made = pack.load_operators(_context(pack, settings))
        except MetierError as error:
            _log.warning("pack %s: %s", pack.id, error)
            continue
        for one in made:
            try:
                registry.add(_check_operator(one))
            except MetierError as error:
                _log.warning("pack %s: %s", pack.id, error)
    return registry


def load_pack_rules(packs: Iterable[Pack], settings: Settings) -> dict[str, FlowRules]:
    """Rules for deep runs by the id of the pack that brings them; those that cannot be used are logged."""
    found: dict[str, FlowRules] = {}
    for pack in packs:
        try:
            rules = pack.load_flow(_context(pack, settings))
        except MetierError as error:
            _log.warning("pack %s: %s", pack.id, error)
            continue
        missing = [name for name in _RULES if not callable(getattr(rules, name, None))]
        if rules is not None and missing:
            _log.warning("pack %s: its rules for deep runs lack %s", pack.id, ", ".join(missing))
        elif rules is not None:
            found[pack.id] = cast("FlowRules", rules)
    return found


def _context(pack: Pack, settings: Settings) -> PackContext:
    return PackContext(settings, settings.storage_dir / "packs" / pack.id)


def _check_operator(one: object) -> Operator:
    if not isinstance(one, Operator):
        raise InvalidPack(f"{type(one).__name__} is no operator", hint="see docs/design/flow.md")
    return one


class FlowLibrary:
    """Operators and rules of the packs of a runtime; loaded when the first deep run needs them."""

    def __init__(self, packs: Sequence[Pack], settings: Settings) -> None:
        self._packs = tuple(packs)
        self._settings = settings
        self._lock = Lock()
        self._registry: OperatorRegistry | None = None
        self._rules: dict[str, FlowRules] = {}

    @property
    def registry(self) -> OperatorRegistry:
        """Operators of all packs."""
        with self._lock:
            if self._registry is None:
                self._rules = load_pack_rules(self._packs, self._settings)
                self._registry = load_pack_operators(self._packs, self._settings)
            return self._registry

    def find_rules(self, skill: Skill) -> FlowRules | None:
        """Rules for a skill: of the pack it names (`metadata.flow`), of its own pack, or the only ones there are."""
        _ = self.registry
        named = skill.metadata.get("flow")
        if isinstance(named, str):
            return self._rules.get(named)
        source = skill.source.path.resolve()
        own = next((one.id for one in self._packs if source.is_relative_to(one.folder)), None)
        if own in self._rules and own is not None:
            return self._rules[own]
        return next(iter(self._rules.values())) if len(self._rules) == 1 else None
