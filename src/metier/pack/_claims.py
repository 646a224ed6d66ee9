"""Asks packs whose work a message is."""

import logging
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from metier.errors import MetierError, MissingExtra
from metier.pack._guard import PackClaim
from metier.pack._run import import_reference, run_in_thread

if TYPE_CHECKING:
    from metier.pack._pack import Pack

_log = logging.getLogger(__name__)


def load_pack_claims(packs: Iterable["Pack"], *, is_fallback: bool = False) -> tuple[PackClaim, ...]:
    """Functions of the packs that know whose work a message is: for certain, or by what lies in the conversation."""
    named = ((one.id, one.fallback_claim if is_fallback else one.claim) for one in packs)
    return tuple(partial(_claim, pack, name) for pack, name in named if name)


def _claim(pack: str, reference: str, message: str, workspace: Path) -> str:
    """Skill that a pack's function names for a message; empty if it names none or fails."""
    try:
        return str(run_in_thread(pack, reference, lambda: import_reference(reference)(message, workspace)))
    except MissingExtra:
        return ""  # `metier packs` says what is missing; other packs may know the message
    except MetierError as error:
        _log.warning("pack %s: %s failed: %s", pack, reference, error)
        return ""
