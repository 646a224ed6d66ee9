"""New slides on the user's own template."""

from collections.abc import Mapping
from pathlib import Path

from metier.json_values import JsonObject
from metier.language import Language
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._plans import KEEPS_SLIDES, TEMPLATE
from metier.packs.office.conversation._texts import TEXTS
from metier.packs.office.conversation.patterns._find import wants_kept_slides

__all__ = ["put_on_template"]


def put_on_template(
    value: JsonObject, template: ConversationDocument, workspace: Path, message: str, language: Language
) -> tuple[JsonObject, str]:
    """The plan for a new file on a template, and a sentence that names it and says what becomes of its slides."""
    from metier.packs.office.slides import read_slides

    keeps, count = wants_kept_slides(message), len(list(read_slides(workspace / template.id)))
    own = value.get("meta")
    meta = {**(own if isinstance(own, Mapping) else {}), TEMPLATE: template.id, KEEPS_SLIDES: keeps}
    slides = TEXTS.render("slides_kept" if keeps else "slides_left", language, count=count) if count else ""
    return {**value, "meta": meta}, TEXTS.render("on_template", language, name=template.name, slides=slides).strip()
