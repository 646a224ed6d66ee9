"""Packs: installable bundles for one domain, described by `pack.toml`, found, selected and loaded."""

from typing import TYPE_CHECKING

from metier.language import BilingualText
from metier.pack._file import PACK_FILE, PackCommand, PackFinding, list_pack_commands
from metier.pack._guard import (
    ClaimedSkill,
    CorrectionGuard,
    DescribedGuard,
    GuardedMessage,
    GuardReply,
    LoadProfile,
    PackAnswer,
    PackAnswerer,
    PackClaim,
    PackGuard,
    PackQuestion,
    PreparedGuard,
)
from metier.pack._terms import (
    DocumentedTerm,
    TermHit,
    choose_terms,
    describe_unexplained,
    find_terms,
    find_word,
    read_terms,
    split_compared,
)

if TYPE_CHECKING:
    from metier.pack._claims import load_pack_answerers, load_pack_claims
    from metier.pack._installed import (
        Packs,
        build_pack_glossary,
        find_installed_packs,
        find_pack_prompt,
        list_kept_tools,
        load_pack_guards,
        load_pack_tools,
        pack_skill_roots,
        select_packs,
    )
    from metier.pack._late_tools import LatePackTools
    from metier.pack._pack import Pack, PackContext, PackProblem, read_pack

__all__ = [
    "PACK_FILE",
    "BilingualText",
    "ClaimedSkill",
    "CorrectionGuard",
    "DescribedGuard",
    "DocumentedTerm",
    "GuardReply",
    "GuardedMessage",
    "LatePackTools",
    "LoadProfile",
    "Pack",
    "PackAnswer",
    "PackAnswerer",
    "PackClaim",
    "PackCommand",
    "PackContext",
    "PackFinding",
    "PackGuard",
    "PackProblem",
    "PackQuestion",
    "Packs",
    "PreparedGuard",
    "TermHit",
    "build_pack_glossary",
    "choose_terms",
    "describe_unexplained",
    "find_installed_packs",
    "find_pack_prompt",
    "find_terms",
    "find_word",
    "list_kept_tools",
    "list_pack_commands",
    "load_pack_answerers",
    "load_pack_claims",
    "load_pack_guards",
    "load_pack_tools",
    "pack_skill_roots",
    "read_pack",
    "read_terms",
    "select_packs",
    "split_compared",
]


def __getattr__(name: str) -> object:
    """Import the rest on first access: a list of commands needs neither settings nor tools."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from metier.pack import _claims, _installed, _late_tools, _pack

    return next(getattr(part, name) for part in (_pack, _installed, _claims, _late_tools) if hasattr(part, name))
