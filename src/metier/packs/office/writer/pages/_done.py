"""Variables of a document that say which plans were carried out, for steps that must not run twice."""

import hashlib
import json
from collections.abc import Sequence

from metier.packs.office._hosts import Change, WriteRequest
from metier.packs.office.files import Package
from metier.packs.office.plan import OfficeAction, OfficePlan
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.pages._settings import setting
from metier.packs.office.writer.reading import make, w, w_value

__all__ = ["is_noted", "mark_of", "note_done", "runs_once"]


def runs_once(action: OfficeAction, changes: Sequence[Change]) -> bool:
    """Whether a second run would do more: lines are named by number only, or matches by their number."""
    match action.op:
        case "delete_paragraphs" | "move_paragraphs":
            return not action.fields.get("expected")
        case "edit_table":
            return action.text("change").startswith("delete") and not action.text("expected")
        case "replace_text":
            count = sum(one.action_id == action.id for one in changes)
            return bool(action.whole("occurrence")) or count >= action.whole("max_matches", 50)
        case _:
            return False


def mark_of(plan: OfficePlan, request: WriteRequest) -> str:
    """Name of the variable of a plan."""
    content = [plan.to_json()["actions"], sorted(request.chosen or ()), request.mode]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return f"MT_done_{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def is_noted(session: WriterSession, mark: str) -> bool:
    """Whether the document is as this very plan left it."""
    listed = setting(session, "docVars")
    known = {} if listed is None else {w_value(one, "name"): w_value(one, "val") for one in listed}
    return mark in known and known[mark] == _digest(session.package)


def note_done(session: WriterSession, mark: str) -> None:
    """Note that a plan was carried out."""
    listed = setting(session, "docVars", is_made=True)
    if listed is None:
        return
    for one in [one for one in listed.findall(w("docVar")) if w_value(one, "name") == mark]:
        listed.remove(one)
    listed.append(make("docVar", {"name": mark, "val": _digest(session.package)}))


def _digest(package: Package) -> str:
    """Digest of the parts with words."""
    settings = set(package.list_relations(package.main_part, "settings"))
    digest = hashlib.sha256()
    for name in sorted(one for one in package if one.startswith("word/") and one.endswith(".xml")):
        if name not in settings:
            digest.update(package.read(name))
    return digest.hexdigest()[:32]
