"""Changes of a plan as a table that is written instead of them, into a sheet or onto slides."""

import hashlib
import json
from typing import TYPE_CHECKING, Final

from metier.language import BilingualText, Language
from metier.packs.office._hosts import Change
from metier.packs.office.plan import OfficeAction, OfficePlan

if TYPE_CHECKING:
    from metier.json_values import JsonValue

__all__ = ["build_compare_plan"]

_TITLE: Final = BilingualText(zh="改动对照", en="Proposed changes")
_HEADS: Final = (
    BilingualText(zh="位置", en="Place"),
    BilingualText(zh="改动", en="Change"),
    BilingualText(zh="原文", en="Before"),
    BilingualText(zh="改为", en="After"),
)
_MAX_CHARS: Final = 500


def build_compare_plan(plan: OfficePlan, changes: tuple[Change, ...], language: Language) -> OfficePlan:
    """Plan with one block: a table with a row for each change."""
    rows: list[JsonValue] = [[one.text(language) for one in _HEADS]]
    for one in changes:
        rows.append([one.address, one.title.text(language), one.before[:_MAX_CHARS], one.after[:_MAX_CHARS]])
    title = _TITLE.text(language)
    table: dict[str, JsonValue] = {"rows": len(rows), "cols": len(_HEADS), "data": rows, "header": True}
    if plan.host_app == "et":
        first = OfficeAction("compare-sheet", "ensure_sheet", title, {"sheet_name": title, "activate": False})
        second = OfficeAction("compare-table", "insert_table", title, table)
    else:
        first = OfficeAction("compare-slide", "add_slide", title, {"title": title, "layout": 11})
        second = OfficeAction("compare-table", "add_table", title, table)
    text = json.dumps(plan.to_json()["actions"], sort_keys=True, ensure_ascii=False)
    block = f"compare-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
    fields: dict[str, JsonValue] = {"block_id": block, "anchor": "end"}
    return OfficePlan(plan.host_app, (OfficeAction("compare", "upsert_block", title, fields, (first, second)),))
