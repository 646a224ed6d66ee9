"""Operations as a model reads them: a line each, and a plan as an example."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.plan._fields import HostApp
from metier.packs.office.plan._operations import operations_of
from metier.packs.office.plan._plan import PLAN_VERSION
from metier.packs.office.plan._schema import plan_schema
from metier.tools import ToolSpec, format_tool

__all__ = ["list_operation_lines", "make_example"]

_COMMON: Final = frozenset({"id", "op", "title"})
_BLOCK: Final = "upsert_block"
_TABLE: JsonObject = {"rows": 2, "cols": 2, "data": [["Task", "Owner"], ["Book the room", "Li"]]}
# Fields of an operation, with texts of their own: small models copy an ellipsis as it stands.
_FIELDS: Mapping[str, JsonObject] = {
    "insert_text": {"text": "Open points", "level": 1},
    "insert_table": {**_TABLE, "header": True},
    "add_table": _TABLE,
    "add_slide": {"content": "First point\nSecond point"},
    "replace_text": {"find_text": "30 days", "replace_text": "20 days"},
    "add_comment": {"anchor_text": "30 days", "text": "The law says 20 days."},
    "set_notes": {"slide_index": 2, "text": "Say where the figures come from."},
    "answer_mode_apply": {"answers": [{"q": "1", "answer": "B"}]},
    "fill_template": {"values": {"name": "Li"}},
    "set_cell_formula": {"cell": "B9", "formula": "=SUM(B2:B8)"},
    "normalize_headings": {"levels": [{"level": 1, "size": 16, "bold": True}]},
    "set_page_setup": {"orientation": "portrait"},
}
_MAX_STEPS: Final = 2


def list_operation_lines(host: HostApp, ops: Collection[str] | None = None) -> Sequence[str]:
    """A line for each operation: the JSON Schema of a host has 6,600 tokens, these lines have 1,100."""
    definitions = plan_schema(host, ops).get("$defs")
    return tuple(_iter_lines(definitions if isinstance(definitions, Mapping) else {}))


def _iter_lines(definitions: JsonObject) -> Iterator[str]:
    for name, one in definitions.items():
        fields = one.get("properties") if isinstance(one, Mapping) else None
        if not isinstance(one, Mapping) or not isinstance(fields, Mapping) or "title" not in fields:
            continue  # what all operations have in common
        own = {key: field for key, field in fields.items() if key not in _COMMON}
        parameters: JsonObject = {"type": "object", "properties": own, "required": one.get("required", [])}
        yield format_tool(ToolSpec(name, str(one.get("description", "")), parameters))


def make_example(host: HostApp, ops: Collection[str] | None = None) -> JsonObject:
    """A plan of at most two steps, in a block if there are blocks; all of it is allowed."""
    known = operations_of(host) if ops is None else operations_of(host) & frozenset(ops)
    shown = [name for name in _FIELDS if name in known][:_MAX_STEPS]
    first = 2 if _BLOCK in known else 1
    steps: list[JsonObject] = [
        {"id": f"a{at}", "op": name, "title": name.replace("_", " "), **_FIELDS[name]}
        for at, name in enumerate(shown, first)
    ]
    if _BLOCK in known and steps:
        block: JsonObject = {"id": "a1", "op": _BLOCK, "title": "Open points", "block_id": "open.points"}
        steps = [{**block, "actions": [*steps]}]
    return {"schema_version": PLAN_VERSION, "host_app": host, "actions": [*steps]}
