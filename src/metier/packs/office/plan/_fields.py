"""Fields of an operation as data: what validation, the JSON Schema and the reference are made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText

__all__ = [
    "ALIGNMENTS",
    "PLACEMENTS",
    "FieldKind",
    "FieldSpec",
    "HostApp",
    "Operation",
    "any_object",
    "boolean",
    "integer",
    "number",
    "objects",
    "operation",
    "rows",
    "scalar",
    "strings",
    "text",
]

HostApp = Literal["wps", "et", "wpp"]
FieldKind = Literal[
    "string", "integer", "number", "boolean", "strings", "rows", "objects", "actions", "object", "scalar"
]
ALIGNMENTS: Final = ("left", "center", "right", "justify")
PLACEMENTS: Final = ("title", "body", "subtitle")
MAX_ITEMS: Final = 5_000


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field of an operation and what it may hold."""

    name: str
    kind: FieldKind
    required: bool = False
    default: JsonValue = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    fields: tuple["FieldSpec", ...] = ()
    is_text_only: bool = False

    def to_schema(self) -> JsonObject:
        """JSON Schema of the value."""
        return {**_schema_of(self), **({} if self.default is None else {"default": self.default})}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a plan: its hosts, its fields and its name for people."""

    name: str
    hosts: tuple[HostApp, ...]
    title: BilingualText
    fields: Mapping[str, FieldSpec]
    is_ours: bool = False

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(spec.name for spec in self.fields.values() if spec.required)


def operation(name: str, hosts: str, zh: str, en: str, *fields: FieldSpec, is_ours: bool = False) -> Operation:
    """Describe an operation; hosts are separated by blanks."""
    apps: tuple[HostApp, ...] = tuple(app for app in ("wps", "et", "wpp") if app in hosts.split())
    return Operation(name, apps, BilingualText(zh, en), {spec.name: spec for spec in fields}, is_ours)


def text(
    name: str, most: int = 200_000, *choices: str, required: bool = False, default: str | None = None, least: int = 0
) -> FieldSpec:
    """A string of at most so many characters, or one of the choices."""
    return FieldSpec(name, "string", required, default, least, most, choices)


def integer(
    name: str, low: int | None = None, high: int | None = None, *, required: bool = False, default: int | None = None
) -> FieldSpec:
    return FieldSpec(name, "integer", required, default, low, high)


def number(
    name: str,
    low: float | None = None,
    high: float | None = None,
    *,
    required: bool = False,
    default: float | None = None,
) -> FieldSpec:
    return FieldSpec(name, "number", required, default, low, high)


def boolean(name: str, default: bool | None = None) -> FieldSpec:
    return FieldSpec(name, "boolean", False, default)


def strings(name: str, *, required: bool = False, most: int = 200) -> FieldSpec:
    """A list of strings."""
    return FieldSpec(name, "strings", required, None, 0, most)


def rows(name: str, *, required: bool = False, is_text_only: bool = True) -> FieldSpec:
    """A table: a list of rows, each a list of cells."""
    return FieldSpec(name, "rows", required, None, 0, MAX_ITEMS, is_text_only=is_text_only)


def objects(name: str, *fields: FieldSpec, required: bool = False) -> FieldSpec:
    """A list of objects with these fields."""
    return FieldSpec(name, "objects", required, None, 0, MAX_ITEMS, fields=fields)


def any_object(name: str, *, required: bool = False) -> FieldSpec:
    """An object of names and plain values."""
    return FieldSpec(name, "object", required)


def scalar(name: str, *, required: bool = False) -> FieldSpec:
    """A text, number, truth value or null."""
    return FieldSpec(name, "scalar", required)


_CELL: JsonObject = {"type": ["string", "number", "boolean", "null"]}


def _schema_of(spec: FieldSpec) -> JsonObject:
    match spec.kind:
        case "string":
            return _string_schema(spec)
        case "integer" | "number":
            limits = {"minimum": spec.minimum, "maximum": spec.maximum}
            return {"type": spec.kind, **{name: limit for name, limit in limits.items() if limit is not None}}
        case "boolean":
            return {"type": "boolean"}
        case "strings":
            return {"type": "array", "items": {"type": "string"}, "maxItems": spec.maximum}
        case "rows":
            cell: JsonObject = {"type": "string"} if spec.is_text_only else _CELL
            return {"type": "array", "items": {"type": "array", "items": cell}, "maxItems": spec.maximum}
        case "objects":
            return {"type": "array", "items": object_schema(spec.fields), "maxItems": spec.maximum}
        case "object":
            return {"type": "object", "additionalProperties": _CELL}
        case "scalar":
            return _CELL
        case "actions":
            return {"type": "array", "items": {"$ref": "#/$defs/action"}, "minItems": 1}


def _string_schema(spec: FieldSpec) -> JsonObject:
    if spec.choices:
        return {"type": "string", "enum": list(spec.choices)}
    least: JsonObject = {"minLength": spec.minimum} if spec.minimum else {}
    return {"type": "string", **least, "maxLength": spec.maximum}


def object_schema(fields: tuple[FieldSpec, ...]) -> JsonObject:
    """JSON Schema of an object that has these fields and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {spec.name: spec.to_schema() for spec in fields},
        "required": [spec.name for spec in fields if spec.required],
    }
