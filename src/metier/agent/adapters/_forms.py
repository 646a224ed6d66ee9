"""Forms for missing tool arguments, built from the tool's JSON Schema.

Form hints are in the schema under `x-ui`, beside the property they describe: `title`, `description` and
`placeholder` (a text, or `{"en": …, "zh": …}`), `labels` for the values of an enum, `widget`, `unit`, `section`,
`order`, `min` and `max` where the form is narrower than the tool, and `hidden` for an argument that people do not
decide, such as the language of the answer: a form shows it only if it is missing.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, cast

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, language_of
from metier.textsearch import id_to_words
from metier.tools import ToolSpec, argument_problems

FormDecision = Literal["submit", "cancel"]

UI_KEY: Final = "x-ui"
_MAX_RADIO_OPTIONS: Final = 4
_MAX_INPUT_CHARS: Final = 200
_WIDGET_BY_FORMAT: Final[Mapping[str, str]] = MappingProxyType(
    {"date": "date", "date-time": "datetime", "time": "time"}
)
_WIDGET_BY_TYPE: Final[Mapping[str, str]] = MappingProxyType(
    {"boolean": "switch", "integer": "number", "number": "number", "object": "json", "array": "list"}
)
_MAX_REF_DEPTH: Final = 8
_MAX_LABEL_CHARS: Final = 60
_BILINGUAL: Final = " · "
_ATTACHMENT: Final = re.compile(r"\Aattachments/\d{3}-")  # how an attachment is stored, before the name it came with


@dataclass(frozen=True, slots=True)
class Form:
    """Form for the arguments of a tool: `schema` validates the arguments, `fields` describe the widgets.

    `missing` are the names that need a value, required ones first. `given` are known valid values; the form shows them
    and they may be changed.
    """

    tool: str
    title: str
    description: str
    schema: JsonObject
    fields: tuple[JsonObject, ...]
    missing: tuple[str, ...]
    given: JsonObject

    @property
    def answer_schema(self) -> JsonObject:
        """Schema of an answer: `{"decision": "submit", "arguments": {…}}` or `{"decision": "cancel"}`."""
        return {
            "type": "object",
            "properties": {
                "decision": {"enum": ["submit", "cancel"]},
                "arguments": {"type": "object"},
                "note": {"type": "string", "maxLength": 2000},
            },
            "required": ["decision"],
            "additionalProperties": False,
        }

    def to_json(self) -> JsonObject:
        return {
            "tool": self.tool,
            "title": self.title,
            "description": self.description,
            "schema": self.schema,
            "fields": list(self.fields),
            "missing": list(self.missing),
            "given": dict(self.given),
        }


def missing_arguments(spec: ToolSpec, given: JsonObject) -> tuple[str, ...]:
    """Names of required arguments that are absent, or null where null is invalid."""
    required = spec.parameters.get("required")
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list | tuple) else []
    absent = [name for name in names if given.get(name) is None]
    return tuple(name for name in absent if name not in given or not _is_valid(spec.parameters, name, None))


def form_for(spec: ToolSpec, given: JsonObject, *, language: Language = "en") -> Form:
    """Build the form of a tool. Valid given values are filled in; invalid ones are asked for again."""
    schema = spec.parameters
    properties = _as_mapping(schema.get("properties"))
    known = {name: value for name, value in given.items() if name in properties and _is_valid(schema, name, value)}
    required = missing_arguments(spec, known)
    misfits = tuple(name for name in given if name in properties and name not in known and name not in required)
    missing = (*required, *misfits)
    order = [*missing, *(name for name in properties if name not in missing)]
    resolved = {name: _resolve(properties[name], schema) for name in order}
    shown = [name for name in order if name in missing or not _is_hidden(resolved[name])]
    fields = [_build_field(name, resolved[name], language) for name in shown]
    marked = [{**field, "missing": field["name"] in missing} for field in fields]
    ui = _as_mapping(schema.get(UI_KEY))
    title = _localize(ui.get("title"), language) or _as_text(schema.get("title")) or name_to_title(spec.name)
    described = _localize(ui.get("description"), language) or spec.description
    return Form(spec.name, title, described, schema, tuple(marked), missing, known)


def describe_arguments(
    spec: ToolSpec, arguments: JsonObject, language: Language, *, has_codes: bool = True
) -> list[JsonValue]:
    """Arguments in words, as titles and values; those that a form hides are left out.

    So are defaults that nobody gave, in the line of a step and where a preview shows what the call would do.
    Without codes, so are values of a closed list for which the tool has no words; who approves a call sees them.
    """
    properties = _as_mapping(spec.parameters.get("properties"))
    required = spec.parameters.get("required")
    optional = properties.keys() - set(required if isinstance(required, list | tuple) else ())
    hides_defaults = not has_codes or bool(spec.preview)
    listed: list[JsonValue] = []
    for name, value in arguments.items():
        schema = _resolve(properties.get(name), spec.parameters)
        if _is_hidden(schema) or value in (None, "", [], {}):
            continue
        if hides_defaults and name in optional and "default" in schema and value == schema["default"]:
            continue
        field = _build_field(name, schema, language)
        labels = _as_mapping(_as_mapping(schema.get(UI_KEY)).get("labels"))
        named = {key: _localize(label, language) for key, label in labels.items()}
        if not has_codes and isinstance(value, str) and "enum" in schema and not named.get(value):
            continue
        listed.append({"title": field["title"], "value": _describe_value(value, named)})
    return listed


def label_argument(name: str, schema: JsonObject, language: Language) -> str:
    """Words for an argument within a sentence: its title, else a short description, else its name as words."""
    title = _localize(_as_mapping(schema.get(UI_KEY)).get("title"), language) or _as_text(schema.get("title"))
    told = _localize(_as_mapping(schema.get(UI_KEY)).get("description"), language) or _as_text(
        schema.get("description")
    )
    told = _pick_half(told, language).rstrip("。.")
    return title or (told if 0 < len(told) <= _MAX_LABEL_CHARS else name_to_title(name))


def _pick_half(text: str, language: Language) -> str:
    """The half in this language of a text in both, as many tools describe arguments: "中文 · English"."""
    parts = text.split(_BILINGUAL)
    return next((part for part in parts if language_of(part) == language), parts[0]).strip() if parts[1:] else text


def name_to_title(name: str) -> str:
    """A name of the code as words for people: `shop_id` becomes "Shop id"."""
    words = id_to_words(name)
    return words[:1].upper() + words[1:]


def _describe_value(value: JsonValue, labels: Mapping[str, str]) -> str:
    """Value as text: its label, a file by its name, a list with commas, anything nested as JSON."""
    if isinstance(value, list | tuple) and not any(isinstance(one, Mapping | list | tuple) for one in value):
        return ", ".join(_describe_value(one, labels) for one in value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=dict)
    text = _ATTACHMENT.sub("", text)
    return labels.get(str(value)) or text


def _is_hidden(schema: JsonObject) -> bool:
    return _as_mapping(schema.get(UI_KEY)).get("hidden") is True


def read_decision(answer: JsonValue) -> FormDecision:
    """Whether the person submitted or cancelled the form; raises `InvalidInput` if the answer does not say."""
    decision = answer.get("decision") if isinstance(answer, Mapping) else None
    if decision not in ("submit", "cancel"):
        raise InvalidInput("the answer has no decision", hint="'submit' with 'arguments', or 'cancel'")
    return decision


def arguments_from(form: Form, answer: JsonValue) -> JsonObject:
    """Merge the answer over the known values; raises `InvalidInput` naming the invalid fields.

    An empty text in an optional field means that it was left out.
    """
    given = answer.get("arguments", {}) if isinstance(answer, Mapping) else None
    if read_decision(answer) != "submit" or not isinstance(given, Mapping):
        raise InvalidInput("the form was not sent with arguments", hint='{"decision": "submit", "arguments": {…}}')
    required = form.schema.get("required")
    needed = required if isinstance(required, Sequence) else ()
    merged = {**form.given, **given}
    arguments = {name: value for name, value in merged.items() if value not in ("", None) or name in needed}
    problems = argument_problems(form.schema, arguments)
    if problems:
        raise InvalidInput(f"the form does not fit: {'; '.join(map(str, problems))}", hint="mend the named fields")
    return arguments


def strip_ui_hints(schema: JsonObject) -> JsonObject:
    """Schema without form hints, which cost tokens and are useless to a model."""
    return cast("JsonObject", _strip(schema))


def localize_schema(schema: JsonObject, language: Language) -> JsonObject:
    """The schema of an answer with `title` and `description` in one language, from the hints of every field."""
    ui = _as_mapping(schema.get(UI_KEY))
    said = {key: text for key in ("title", "description") if (text := _localize(ui.get(key), language))}
    inner: dict[str, JsonValue] = {}
    if isinstance(fields := schema.get("properties"), Mapping):
        inner["properties"] = {name: localize_schema(_as_mapping(one), language) for name, one in fields.items()}
    if isinstance(items := schema.get("items"), Mapping):
        inner["items"] = localize_schema(items, language)
    return {**schema, **said, **inner}


def _strip(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        return {key: _strip(item) for key, item in value.items() if key != UI_KEY}
    return [_strip(item) for item in value] if isinstance(value, list | tuple) else value


def _build_field(name: str, schema: JsonObject, language: Language) -> dict[str, JsonValue]:
    ui = _as_mapping(schema.get(UI_KEY))
    field: dict[str, JsonValue] = {
        "name": name,
        "title": _localize(ui.get("title"), language) or _as_text(schema.get("title")) or name_to_title(name),
        "description": _localize(ui.get("description"), language)
        or _pick_half(_as_text(schema.get("description")), language),
        "widget": _as_text(ui.get("widget")) or _choose_widget(schema),
    }
    if options := _build_options(schema, _as_mapping(ui.get("labels")), language):
        field["options"] = options
    elif labels := _as_mapping(ui.get("labels")):
        field["labels"] = [{"value": value, "label": _localize(one, language)} for value, one in labels.items()]
    for key, keyword in (("min", "minimum"), ("max", "maximum"), ("default", "default"), ("pattern", "pattern")):
        if keyword in schema:
            field[key] = schema[keyword]
    for key, keyword in (("min_items", "minItems"), ("max_items", "maxItems"), ("examples", "examples")):
        if keyword in schema:
            field[key] = schema[keyword]
    for key in ("unit", "section", "order", "min", "max"):
        if key in ui:
            field[key] = ui[key]
    if placeholder := _localize(ui.get("placeholder"), language):
        field["placeholder"] = placeholder
    return field


def _choose_widget(schema: JsonObject) -> str:
    values = _enum_values(schema)
    kind = _type_name(schema)
    if values:
        return "radio" if len(values) <= _MAX_RADIO_OPTIONS else "select"
    if kind == "array":
        items = _as_mapping(schema.get("items"))
        return "multiselect" if _enum_values(items) else "range" if schema.get("maxItems") == 2 else "list"
    if kind in ("integer", "number") and "minimum" in schema and "maximum" in schema:
        return "slider"
    if kind in _WIDGET_BY_TYPE:
        return _WIDGET_BY_TYPE[kind]
    longest = schema.get("maxLength")
    long = isinstance(longest, int) and longest > _MAX_INPUT_CHARS
    return _WIDGET_BY_FORMAT.get(_as_text(schema.get("format")), "textarea" if long else "text")


def _build_options(schema: JsonObject, labels: JsonObject, language: Language) -> list[JsonValue]:
    values = _enum_values(schema) or _enum_values(_as_mapping(schema.get("items")))
    return [{"value": value, "label": _localize(labels.get(str(value)), language) or str(value)} for value in values]


def _enum_values(schema: JsonObject) -> Sequence[JsonValue]:
    found = schema.get("enum")
    return [value for value in found if value is not None] if isinstance(found, list | tuple) else ()


def _type_name(schema: JsonObject) -> str:
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        kind = next((one for one in kind if one != "null"), "")
    return _as_text(kind)


def _resolve(schema: JsonValue, whole: JsonObject) -> JsonObject:
    """Property schema with its references resolved, also those of its items."""
    found = _follow_refs(_as_mapping(schema), whole)
    return {**found, "items": _follow_refs(_as_mapping(found["items"]), whole)} if "items" in found else found


def _follow_refs(found: JsonObject, whole: JsonObject) -> JsonObject:
    """Follow local `$ref`s, and reduce an optional `anyOf` to its non-null branch."""
    for _ in range(_MAX_REF_DEPTH):
        target = found.get("$ref")
        ways = found.get("anyOf")
        real = [way for way in ways if _as_mapping(way).get("type") != "null"] if isinstance(ways, list | tuple) else []
        if isinstance(target, str) and target.startswith("#/"):
            below = _follow_pointer(whole, target)
        elif len(real) == 1:
            below = _as_mapping(real[0])
        else:
            break
        found = {**below, **{key: value for key, value in found.items() if key not in ("$ref", "anyOf")}}
    return found


def _follow_pointer(whole: JsonObject, pointer: str) -> JsonObject:
    at: JsonValue = whole
    for part in pointer.removeprefix("#/").split("/"):
        at = _as_mapping(at).get(part.replace("~1", "/").replace("~0", "~"))
    return _as_mapping(at)


def _is_valid(schema: JsonObject, name: str, value: JsonValue) -> bool:
    shared = {key: schema[key] for key in ("$defs", "definitions") if key in schema}
    wanted = _as_mapping(schema.get("properties")).get(name, {})
    return not argument_problems({**shared, "type": "object", "properties": {name: wanted}}, {name: value})


def _localize(value: JsonValue, language: Language) -> str:
    if isinstance(value, Mapping):
        value = value.get(language) or value.get("en") or value.get("zh")
    return _as_text(value)


def _as_text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _as_mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
