"""A tool's JSON Schema in the subset that a decoder can hold a model to, and the way back from what it decoded.

Keywords that a decoder does not know are left out: the tool's own schema still checks the arguments afterwards.

| dialect | for | optional properties | free objects |
|---|---|---|---|
| `strict` | OpenAI's strict mode and its copies | required and nullable; null is taken out again | JSON as a text |
| `open` | llama.cpp, vLLM, Ollama and other engines with grammars | optional | objects |
| `claude` | Anthropic | optional | JSON as a text |
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json

Dialect = Literal["strict", "open", "claude"]
Restore: TypeAlias = Callable[[JsonValue], JsonValue]

_MAX_DEPTH: Final = 6
_MAX_ENUM: Final = 500
_MAX_ITEMS: Final = 64
_MAX_INTEGER: Final = 2**53
_MAX_DESCRIPTION_CHARS: Final = 500
_TYPES: Final = ("string", "integer", "number", "boolean", "null", "object", "array")
_STRUCTURE: Final = frozenset({"type", "properties", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "items"})


@dataclass(frozen=True, slots=True)
class DecoderSchema:
    """Schema for a decoder, and the function that turns a decoded value into one for the tool's own schema."""

    schema: JsonObject
    restore: Restore
    expressible: bool = True  # False: a free value stands in it that the dialect has no form for


def to_decoder_schema(schema: JsonObject, dialect: Dialect) -> DecoderSchema:
    """Schema of the arguments of a tool, in a dialect. Never fails: what cannot be expressed becomes freer."""
    writer = _SchemaWriter(schema, dialect)
    made = writer.write(schema, 0, ())
    if made.schema.get("type") not in (None, "object", "string"):  # arguments are always an object
        made = writer.write_object({}, 0, ())
    return DecoderSchema(made.schema, made.restore, writer.expressible)


def _keep(value: JsonValue) -> JsonValue:
    return value


def _parse_text(value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return value
    try:
        return load_json(value)
    except JsonInvalid:
        return value


class _SchemaWriter:
    """Writes the schemas of one tool; `$ref` is resolved against `root` and written out in place."""

    def __init__(self, root: JsonObject, dialect: Dialect) -> None:
        self._root = root
        self._dialect = dialect
        self.expressible = True

    def write(self, schema: JsonValue, depth: int, references: tuple[str, ...]) -> DecoderSchema:
        if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
            return self._write_any(None)
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = None if reference in references else _resolve(self._root, reference)
            return self.write(target, depth, (*references, reference))
        if isinstance(schema.get("allOf"), Sequence) and not isinstance(schema["allOf"], str):
            return self.write(self._merge(schema), depth, references)
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(values, Sequence) and not isinstance(values, str) and values:
            return self._write_enum(values, schema)
        branches = _find_branches(schema)
        if branches:
            return self._write_union([self.write(one, depth, references) for one in branches], schema)
        kind = schema.get("type") or _guess_type(schema)
        if isinstance(kind, Sequence) and not isinstance(kind, str):
            return self._write_union([self.write({**schema, "type": one}, depth, references) for one in kind], schema)
        if kind == "object":
            return self.write_object(schema, depth, references)
        if kind == "array":
            return self._write_array(schema, depth, references)
        return self._write_scalar(schema, kind)

    def write_object(self, schema: JsonObject, depth: int, references: tuple[str, ...]) -> DecoderSchema:
        properties = schema.get("properties")
        extra = schema.get("additionalProperties")
        if not isinstance(properties, Mapping) or (not properties and extra is not False and depth > 0):
            if extra is False:
                properties = {}
            else:
                return self._write_free_object(extra, depth, references)
        wanted = schema.get("required")
        required = [name for name in properties if isinstance(wanted, Sequence) and name in wanted]
        written = {str(name): self.write(one, depth + 1, references) for name, one in properties.items()}
        if self._dialect != "strict":
            body = {name: one.schema for name, one in written.items()}
            return self._close_object(body, required, written, schema)
        body = {name: one.schema if name in required else _nullable(one.schema) for name, one in written.items()}
        made = self._close_object(body, list(body), written, schema)
        droppable = frozenset(name for name in body if name not in required and not _accepts_null(properties[name]))
        return DecoderSchema(made.schema, lambda value: made.restore(_drop_nulls(value, droppable)))

    def _close_object(
        self,
        body: Mapping[str, JsonObject],
        required: list[str],
        written: Mapping[str, DecoderSchema],
        schema: JsonObject,
    ) -> DecoderSchema:
        closed: JsonObject = {
            "type": "object",
            "properties": body,
            "required": required,
            "additionalProperties": False,
        }

        def restore(value: JsonValue) -> JsonValue:
            if not isinstance(value, Mapping):
                return value
            return {name: written[name].restore(one) if name in written else one for name, one in value.items()}

        return DecoderSchema(self._describe(closed, schema), restore)

    def _write_free_object(self, extra: JsonValue, depth: int, references: tuple[str, ...]) -> DecoderSchema:
        if self._dialect != "open":
            return self._write_json_text("a JSON object")
        if isinstance(extra, Mapping) and extra:
            values = self.write(extra, depth + 1, references)
            return DecoderSchema({"type": "object", "additionalProperties": values.schema}, _keep)
        return DecoderSchema({"type": "object"}, _keep)

    def _write_array(self, schema: JsonObject, depth: int, references: tuple[str, ...]) -> DecoderSchema:
        prefix = schema.get("prefixItems")
        items = schema.get("items")
        if isinstance(prefix, Sequence) and not isinstance(prefix, str) and prefix:
            items = {"anyOf": [*prefix, *([items] if isinstance(items, Mapping) else [])]}
        inner = self.write(items, depth + 1, references)
        made: dict[str, JsonValue] = {"type": "array", "items": inner.schema}
        if self._dialect == "open":
            made |= {name: size for name in ("minItems", "maxItems") if (size := _small_size(schema.get(name)))}

        def restore(value: JsonValue) -> JsonValue:
            if not isinstance(value, Sequence) or isinstance(value, str):
                return value
            return [inner.restore(one) for one in value]

        return DecoderSchema(self._describe(made, schema), restore)

    def _write_scalar(self, schema: JsonObject, kind: JsonValue) -> DecoderSchema:
        if kind not in _TYPES:
            return self._write_any(schema)
        made: dict[str, JsonValue] = {"type": kind}
        if self._dialect == "open" and kind == "integer":
            made |= {name: edge for name in ("minimum", "maximum") if (edge := _integer(schema.get(name))) is not None}
        if self._dialect == "open" and kind == "string" and _small_size(schema.get("minLength")):
            made["minLength"] = 1
        return DecoderSchema(self._describe(made, schema), _keep)

    def _write_enum(self, values: Sequence[JsonValue], schema: JsonObject) -> DecoderSchema:
        if any(isinstance(one, Mapping | list) for one in values):
            return self._write_any(schema)
        types = list(dict.fromkeys(_type_of(one) for one in values))
        if len(values) > _MAX_ENUM:
            return self._write_union([self._write_scalar({}, kind) for kind in types], schema)
        kind: JsonValue = types[0] if len(types) == 1 else types
        return DecoderSchema(self._describe({"type": kind, "enum": list(dict.fromkeys(values))}, schema), _keep)

    def _write_union(self, branches: list[DecoderSchema], schema: JsonObject) -> DecoderSchema:
        unique = list({repr(one.schema): one for one in branches}.values())
        if len(unique) == 1:
            return unique[0]
        union: JsonObject = {"anyOf": [one.schema for one in unique]}

        def restore(value: JsonValue) -> JsonValue:
            fitting = (one for one in unique if _may_be(value, one.schema))
            return next(fitting, unique[0]).restore(value)

        return DecoderSchema(self._describe(union, schema), restore)

    def _write_any(self, schema: JsonObject | None) -> DecoderSchema:
        if self._dialect != "open":
            return self._write_json_text("any JSON value")
        # llama.cpp takes `{}` for an object
        types = ("string", "number", "boolean", "null", "object", "array")
        return DecoderSchema({"anyOf": [{"type": kind} for kind in types]}, _keep)

    def _write_json_text(self, what: str) -> DecoderSchema:
        self.expressible = False
        return DecoderSchema({"type": "string", "description": f"{what}, written as JSON text"}, _parse_text)

    def _describe(self, made: JsonObject, schema: JsonObject) -> JsonObject:
        """Add the description where the service shows the schema to the model."""
        text = schema.get("description")
        if self._dialect == "open" or not isinstance(text, str) or not text:
            return made
        return {**made, "description": text[:_MAX_DESCRIPTION_CHARS]}

    def _merge(self, schema: JsonObject) -> JsonObject:
        """One schema for `allOf`, which no decoder reads well: properties together, other keywords from the first."""
        parts = [{key: value for key, value in schema.items() if key != "allOf"}]
        inner = schema["allOf"]
        for one in inner if isinstance(inner, Sequence) else ():
            reference = one.get("$ref") if isinstance(one, Mapping) else None
            target = _resolve(self._root, reference) if isinstance(reference, str) else one
            parts += [dict(target)] if isinstance(target, Mapping) and "allOf" not in target else []
        merged: dict[str, JsonValue] = {}
        for part in parts:
            for key, value in part.items():
                merged[key] = (
                    _join(merged.get(key), value) if key in ("properties", "required") else merged.get(key, value)
                )
        return merged


def _resolve(root: JsonObject, reference: str) -> JsonValue:
    if not reference.startswith("#"):
        return None
    found: JsonValue = root
    for part in reference.lstrip("#/").split("/") if len(reference) > 1 else ():
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _find_branches(schema: JsonObject) -> list[JsonValue]:
    """Alternatives that say what the value is; those that only add conditions are left to the tool's own schema."""
    branches = schema.get("anyOf") or schema.get("oneOf")
    if "properties" in schema or not isinstance(branches, Sequence) or isinstance(branches, str):
        return []
    found = list(branches)
    return found if all(isinstance(one, Mapping) and one.keys() & _STRUCTURE for one in found) else []


def _guess_type(schema: JsonObject) -> str | None:
    if "properties" in schema or "additionalProperties" in schema:
        return "object"
    return "array" if "items" in schema or "prefixItems" in schema else None


def _type_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return kinds.get(type(value), "string")


def _nullable(schema: JsonObject) -> JsonObject:
    null: JsonObject = {"type": "null"}
    branches = schema.get("anyOf")
    if not isinstance(branches, list):
        return {"anyOf": [schema, null]}
    return schema if null in branches else {**schema, "anyOf": [*branches, null]}


def _accepts_null(schema: JsonValue) -> bool:
    if not isinstance(schema, Mapping):
        return True
    kind = schema.get("type")
    if kind == "null" or (isinstance(kind, Sequence) and not isinstance(kind, str) and "null" in kind):
        return True
    values = schema.get("enum")
    if isinstance(values, Sequence) and None in values:
        return True
    branches = schema.get("anyOf") or schema.get("oneOf")
    return isinstance(branches, Sequence) and any(isinstance(one, Mapping) and _accepts_null(one) for one in branches)


def _drop_nulls(value: JsonValue, names: frozenset[str]) -> JsonValue:
    if not isinstance(value, Mapping):
        return value
    return {name: one for name, one in value.items() if one is not None or name not in names}


def _may_be(value: JsonValue, schema: JsonObject) -> bool:
    """Whether a decoded value is of this branch, by its type and names."""
    kind = schema.get("type")
    if isinstance(value, Mapping):
        properties = schema.get("properties")
        return kind == "object" and (not isinstance(properties, Mapping) or value.keys() <= properties.keys())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return kind == "array"
    if isinstance(schema.get("anyOf"), list):
        return True
    own = _type_of(value)
    kinds = (kind,) if isinstance(kind, str) else tuple(kind) if isinstance(kind, Sequence) else ()
    return own in kinds or (own == "integer" and "number" in kinds)


def _small_size(value: JsonValue) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MAX_ITEMS else 0


def _integer(value: JsonValue) -> int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return int(value) if whole and isinstance(value, int | float) and abs(value) < _MAX_INTEGER else None


def _join(first: JsonValue, second: JsonValue) -> JsonValue:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return {**second, **first}
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return [*first, *(one for one in second if one not in first)]
    return second if first is None else first
