"""Decisions that need no search: a skill called by its name, and the list of skills."""

from metier.routing._decision import Candidate, Decision
from metier.routing._eligibility import ineligible_reason
from metier.routing._index_cache import CatalogView
from metier.routing._sentences import RoutingNote
from metier.routing.text import NamedSkill
from metier.textsearch import normalize_text


def list_skills(message: str, seen: CatalogView) -> Decision:
    """Decision on a message that asks which skills there are."""
    able = [
        skill
        for skill in seen.catalog
        if ineligible_reason(skill, seen.catalog, seen.constraints, by_name=True) is None
    ]
    return Decision(
        "none",
        "list",
        message,
        why=tuple(RoutingNote.of("listed", skill=skill.id, title=skill.title) for skill in able),
    )


def decide_named(named: NamedSkill, seen: CatalogView) -> Decision:
    """Decision on a message that names a skill: it is taken if it may run here."""
    skill = seen.catalog[named.skill]
    reason = ineligible_reason(skill, seen.catalog, seen.constraints, by_name=True)
    if reason is not None:
        note = RoutingNote.of("named_but", skill=skill.id, why=RoutingNote(reason.code, reason.values))
        return Decision("none", "explicit", named.rest, filtered=(reason,), why=(note,))
    why = (RoutingNote.of("named", skill=skill.id),)
    best = (Candidate(skill.id, 1.0),)
    return Decision("auto", "explicit", named.rest, skill=skill.id, skills=(skill.id,), candidates=best, why=why)


def build_unknown_note(named: NamedSkill) -> RoutingNote:
    """Note on a name that no skill has, with those that are near."""
    name, near = normalize_text(named.typed_name[:80]), tuple(f"/{skill}" for skill in named.suggestions)
    return RoutingNote.of("unknown_near", name=name, near=near) if near else RoutingNote.of("unknown", name=name)
