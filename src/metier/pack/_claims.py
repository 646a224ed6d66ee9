"""Asks packs whose work a message is, and what they know of it."""

import logging
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from metier.errors import MetierError, MissingExtra
from metier.pack._guard import ClaimedSkill, PackAnswer, PackAnswerer, PackClaim, PackQuestion
from metier.pack._run import import_reference, run_in_thread

if TYPE_CHECKING:
    from metier.pack._pack import Pack

_log = logging.getLogger(__name__)


def load_pack_claims(packs: Iterable["Pack"], *, is_fallback: bool = False) -> tuple[PackClaim, ...]:
    """Functions of the packs that know whose work a message is: for certain, or by what lies in the conversation."""
    named = ((one.id, one.fallback_claim if is_fallback else one.claim) for one in packs)
    return tuple(partial(_claim, pack, name) for pack, name in named if name)


def load_pack_answerers(packs: Iterable["Pack"]) -> tuple[PackAnswerer, ...]:
    """Functions of the packs that answer questions from the data of their own work."""
    return tuple(partial(_answer, one.id, one.answerer) for one in packs if one.answerer)


def _answer(pack: str, reference: str, question: PackQuestion) -> PackAnswer | None:
    """Answer of a pack's function; None if it has none or fails: the question goes on as any other."""
    try:
        found = run_in_thread(pack, reference, lambda: import_reference(reference)(question))
    except MissingExtra:
        return None
    except MetierError as error:
        _log.warning("pack %s: %s failed: %s", pack, reference, error)
        return None
    return found if isinstance(found, PackAnswer) else None


def _claim(pack: str, reference: str, message: str, workspace: Path) -> str | ClaimedSkill:
    """Skill that a pack's function names for a message; empty if it names none or fails."""
    try:
        found = run_in_thread(pack, reference, lambda: import_reference(reference)(message, workspace))
        return found if isinstance(found, ClaimedSkill) else str(found)
    except MissingExtra:
        return ""  # `metier packs` says what is missing; other packs may know the message
    except MetierError as error:
        _log.warning("pack %s: %s failed: %s", pack, reference, error)
        return ""
