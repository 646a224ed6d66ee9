"""Protection of a document against editing, without a password: a word to colleagues, not a lock."""

from typing import Final

from metier.packs.office.files import OfficeFileError, Package
from metier.packs.office.plan import OfficeAction, OfficePlan
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.pages._sections import note_direct
from metier.packs.office.writer.pages._settings import setting
from metier.packs.office.writer.reading import w, w_value

__all__ = ["is_about_protection", "set_protection"]

_SECRETS: Final = ("hash", "hashValue", "cryptProviderType")


def is_about_protection(plan: OfficePlan, package: Package) -> bool:
    """Whether a plan does nothing but set or take away a protection that has no password."""
    if not all(one.op == "set_protection" for one in plan.actions):
        return False
    for part in package.list_relations(package.main_part, "settings"):
        found = package.xml(part).find(w("documentProtection")) if part in package else None
        if found is not None and any(w_value(found, name) for name in _SECRETS):
            raise OfficeFileError("protected", name=package.path.name, kind="password")
    return package.protection != "password" and not package.is_signed


def set_protection(session: WriterSession, action: OfficeAction) -> None:
    """`set_protection`: readers may only read, comment or track; `none` takes the protection away."""
    kind = action.text("kind", "readOnly")
    if kind == "formulas":  # of sheets only
        session.skip(action, "nothing_to_change")
        return
    found = setting(session, "documentProtection")
    now = w_value(found, "edit") if w_value(found, "enforcement") in ("1", "true", "on") else "none"
    if now == kind:
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    found = setting(session, "documentProtection", is_made=True)
    if found is not None and kind == "none":
        found.getparent().remove(found)
    elif found is not None:
        found.attrib.clear()
        found.set(w("edit"), kind)
        found.set(w("enforcement"), "1")
    note_direct(session, action)
    shown = [WRITER_SENTENCES.render(f"protection_{one}", session.language) for one in (now, kind)]
    session.add_change(change_id, action, "", *shown)
