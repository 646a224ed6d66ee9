"""JSON Schema of plans: each action is checked by the schema of its operation, chosen by `op`."""

from collections.abc import Collection

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.plan._fields import HostApp, Operation, object_schema
from metier.packs.office.plan._operations import HOST_APPS, OPERATIONS, operations_of
from metier.packs.office.plan._plan import PLAN_VERSION

__all__ = ["plan_schema"]

_ID: JsonObject = {"type": "string", "pattern": r"^[a-zA-Z0-9_\-:.]{1,64}$"}
_TITLE: JsonObject = {"type": "string", "minLength": 1, "maxLength": 200}


def plan_schema(host: HostApp | None = None, ops: Collection[str] | None = None) -> JsonObject:
    """JSON Schema of the plans of a host, or of all hosts; with `ops` only these operations are known."""
    hosts = HOST_APPS if host is None else (host,)
    known = {app: _list_operations(app, ops) for app in hosts}
    names = sorted({name for listed in known.values() for name in listed})
    definitions: dict[str, JsonValue] = {name: _operation_schema(OPERATIONS[name]) for name in names}
    for app, listed in known.items():
        definitions[f"action_{app}"] = _action_schema(listed)
    definitions["action"] = _action_schema(names)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": PLAN_VERSION,
        "type": "object",
        "additionalProperties": False,
        "required": ["schema_version", "host_app", "actions"],
        "properties": {
            "schema_version": {"const": PLAN_VERSION},
            "host_app": {"enum": list(hosts)},
            "meta": {"type": "object"},
            "actions": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/action"}},
        },
        "allOf": [
            {
                "if": {"properties": {"host_app": {"const": app}}},
                "then": {"properties": {"actions": {"items": {"$ref": f"#/$defs/action_{app}"}}}},
            }
            for app in (hosts if len(hosts) > 1 else ())
        ],
        "$defs": definitions,
    }


def _list_operations(host: HostApp, ops: Collection[str] | None) -> list[str]:
    known = operations_of(host)
    return sorted(known if ops is None else known & frozenset(ops))


def _action_schema(names: list[str]) -> JsonObject:
    return {
        "type": "object",
        "required": ["id", "op"],
        "properties": {"op": {"enum": list(names)}},
        "allOf": [
            {"if": {"properties": {"op": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}} for name in names
        ],
    }


def _operation_schema(operation: Operation) -> JsonObject:
    schema = dict(object_schema(tuple(operation.fields.values())))
    own: JsonObject = {"id": _ID, "op": {"const": operation.name}}
    has_own_title = "title" in operation.fields
    schema["description"] = operation.title.en
    schema["properties"] = {**own, **({} if has_own_title else {"title": _TITLE}), **_properties(schema)}
    schema["required"] = ["id", "op", *([] if has_own_title else ["title"]), *operation.required]
    return schema


def _properties(schema: JsonObject) -> JsonObject:
    found = schema["properties"]
    return found if isinstance(found, dict) else {}
