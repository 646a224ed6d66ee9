"""Plans from drafted content: actions with ids, titles and blocks whose name is the same on a second run."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.office.drafting._slots import DraftPlace
from metier.packs.office.drafting._unclear import DraftNote
from metier.packs.office.plan import OPERATIONS, PLAN_VERSION, HostApp

__all__ = ["DraftBlock", "build_plan", "capitalise", "digest_name", "draft_table", "name_block"]

_MAX_TITLE_CHARS: Final = 200


@dataclass(slots=True)
class DraftBlock:
    """Actions that are written together and replaced together when the same request comes again."""

    kind: str
    name: str
    language: Language
    actions: list[JsonObject] = field(default_factory=list)
    reasons: list[DraftNote] = field(default_factory=list)

    @property
    def id(self) -> str:
        """Kind of the content and, where it has one, a digest of its name."""
        return f"{self.kind}.{digest_name(self.name)}" if self.name else self.kind

    def add(self, op: str, /, **fields: JsonValue) -> None:
        """Add an action; a field that is None is left out."""
        given = {name: value for name, value in fields.items() if value is not None}
        title = OPERATIONS[op].title.text(self.language)
        self.actions.append({"id": f"a{len(self.actions) + 1}", "title": title, "op": op, **given})

    def add_heading(self, text: str, level: int) -> None:
        """Add a heading; documents read `#` before a line as its level."""
        self.add("insert_text", text=f"{'#' * level} {text}", new_paragraph_after=True)

    def add_section(self, name: str, items: Sequence[str] = ()) -> None:
        """Add a heading of the second level with its items under it, or with an empty line to fill in."""
        self.add_heading(name, 2)
        if items:
            self.add_numbered(items)
        else:
            self.add("insert_text", text="", new_paragraph_after=True)

    def add_numbered(self, items: Sequence[str]) -> None:
        """Add a numbered list."""
        lines = [f"{number}. {item}" for number, item in enumerate(items, 1)]
        self.add("insert_text", text="\n".join(lines), new_paragraph_after=True)

    def explain(self, note: DraftNote) -> None:
        """Keep why something is as it is."""
        self.reasons.append(note)


def digest_name(name: str) -> str:
    """The part of the id of a block that tells it from others of its kind."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def build_plan(blocks: Sequence[DraftBlock], host: HostApp, place: DraftPlace, language: Language) -> JsonObject:
    """Plan of these blocks at one place of the document."""
    actions: list[JsonObject] = []

    def add(op: str, title: str, /, **fields: JsonValue) -> None:
        actions.append({"id": f"s{len(actions) + 1}", "title": title[:_MAX_TITLE_CHARS], "op": op, **fields})

    if host == "wps" and place.kind == "start":
        add("set_selection", OPERATIONS["set_selection"].title.text(language), anchor="start_of_document")
    if host == "wps" and place.kind == "anchor":
        title = OPERATIONS["set_selection_by_text"].title.text(language)
        position = "after" if place.after else "before"
        add("set_selection_by_text", title, anchor_text=place.anchor, position=position, strict=True)
    for number, block in enumerate(blocks, 1):
        inner: list[JsonValue] = [{**action, "id": f"b{number}.{action['id']}"} for action in block.actions]
        anchor = "end" if place.kind == "end" else "cursor"
        add("upsert_block", _show_title(block), block_id=block.id, anchor=anchor, actions=inner)
    return {"schema_version": PLAN_VERSION, "host_app": host, "meta": {}, "actions": list[JsonValue](actions)}


def name_block(plan: JsonObject, kind: str, name: str, language: Language) -> JsonObject:
    """The plan with its one block under the id that every other draft of this kind gives it."""
    actions = plan["actions"]
    steps = [one for one in actions if isinstance(one, dict)] if isinstance(actions, list) else []
    if sum(one["op"] == "upsert_block" for one in steps) != 1:
        return plan
    block = DraftBlock(kind, name, language)
    named: JsonObject = {"block_id": block.id, "title": _show_title(block)}
    return {**plan, "actions": [{**one, **named} if one["op"] == "upsert_block" else one for one in steps]}


def _show_title(block: DraftBlock) -> str:
    title = f"{OPERATIONS['upsert_block'].title.text(block.language)}: {block.name or block.kind}"
    return title[:_MAX_TITLE_CHARS]


def draft_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, has_header: bool = True
) -> dict[str, JsonValue]:
    """Fields of `insert_table`."""
    data: list[JsonValue] = [list[JsonValue](columns)] if has_header else []
    data += [list[JsonValue](row) for row in rows]
    return {"rows": len(data), "cols": len(columns), "data": data, "borders": True, "header": has_header}


def capitalise(text: str) -> str:
    """A text with its first letter in upper case; a word that has a capital already (iPhone) stays."""
    return text if re.match(r"[a-z]+[A-Z]", text) else text[:1].upper() + text[1:]
