"""Operators and rules that packs bring, checked when they are loaded."""

import logging
from collections.abc import Iterable
from typing import cast

from metier.errors import InvalidPack, MetierError
from metier.flow._rules import FlowRules
from metier.flow.dag import Operator, OperatorRegistry
from metier.pack import Pack, PackContext
from metier.settings import Settings

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
