"""Every key a skill file may carry, under every name the source systems gave it, and how its value is read."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, TypeAlias

from metier.skills._diagnostics import Report
from metier.skills._json import JsonInvalid, JsonValue, load_json
from metier.skills._limits import LIST_ITEMS
from metier.skills._yaml import Node, Plain, as_json

Kind = Literal["text", "loose", "texts", "words", "whole", "truth", "choice", "json", "object", "objects", "ignored"]
Values: TypeAlias = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Field:
    """One known key: `loose` text may look like a number; `words` split on spaces and commas, `texts` on commas."""

    name: str
    kind: Kind
    also: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    most: int = 1_000_000


_FIELDS = (
    Field("id", "text"),
    Field("name", "text"),
    Field("title", "text", ("display_name",)),
    Field("description", "text"),
    Field("version", "loose"),
    Field("license", "loose"),
    Field("compatibility", "loose"),
    Field("when_to_use", "loose"),
    Field("priority", "whole", most=100_000),
    Field("enabled", "truth"),
    Field("group", "text"),
    Field("hosts", "words"),
    Field("tags", "texts"),
    Field("intents", "texts"),
    Field("triggers", "texts", ("keywords",)),
    Field("examples", "texts"),
    Field("tools", "json"),
    Field("allowed-tools", "words"),
    Field("allowed_tools", "words"),
    Field("forbidden_tools", "words", ("disallowed_tools",)),
    Field("profile_fields", "words"),
    Field("requires", "words"),
    Field("next", "words", ("next_skills",)),
    Field("inputs", "object", ("input_schema",)),
    Field("outputs", "object", ("output_schema",)),
    Field("output", "object"),
    Field("sop", "objects", ("steps",)),
    Field("milestones", "objects"),
    Field("cases", "objects"),
    Field("mode", "choice", choices=("chat", "deep")),
    Field("default_scenario", "loose"),
    Field("requires_birth_info", "truth"),
    Field("requires_compute", "truth"),
    Field("compute_type", "loose"),
    Field("compute_tool", "loose"),
    Field("auto_collect", "truth"),
    Field("auto_trigger", "truth"),
    Field("disable_model_invocation", "truth"),
    Field("user_invocable", "truth"),
    Field("argument_hint", "loose"),
    Field("context", "choice", choices=("inline", "fork")),
    Field("category", "loose"),
    Field("icon", "loose"),
    Field("color", "loose"),
    Field("theme", "object"),
    Field("pricing", "object"),
    Field("features", "objects"),
    Field("showcase", "object"),
    Field("delivery", "object"),
    Field("capabilities", "object"),
    Field("metadata", "object"),
    *(Field(name, "ignored") for name in ("has_scripts", "has_references", "has_assets")),
    *(Field(name, "ignored") for name in ("arguments", "agent", "model", "effort", "hooks", "paths", "shell")),
    *(Field(name, "ignored") for name in ("required_secrets", "secrets_autonomous")),
)
FIELDS: Mapping[str, Field] = MappingProxyType(
    {name: field for field in _FIELDS for name in (field.name, *field.also)},
)

STANDARD_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_NOT_FROM_METADATA = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_PREFIXES = ("metier.", "metier-", "metier_")
_WORD = re.compile(r"[^\s,，、()]+(?:\([^)]*\))?")
_COMMA = re.compile(r"[,，、;；\n]+")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}")
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def find_field(key: str) -> Field | None:
    """The field for a key as written: the exact spelling first, then with `-` read as `_` and case ignored."""
    return FIELDS.get(key) or FIELDS.get(key.lower().replace("-", "_"))


def nearest_key(key: str) -> str:
    """A hint that names the known key most like this one."""
    near = get_close_matches(key.lower().replace("-", "_"), FIELDS, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else "put keys of your own under 'metadata'"


def read_fields(data: Mapping[str, Node], lines: Mapping[str, int], report: Report) -> Values:
    """Read every known key; report unknown ones with the nearest, and take defaults for bad values."""
    values: Values = {}
    extra: Values = {}
    for key, node in data.items():
        if key.lower().startswith("x-"):
            extra[key] = as_json(node)
            continue
        field = find_field(key)
        if field is None:
            report.add("field_unknown", f"key {key!r} is not known", hint=nearest_key(key), line=lines.get(key))
        else:
            _put(values, field, node, key, report, lines.get(key))
    _lift_metadata(values, data, lines, report)
    if extra:
        values["metadata"] = {**_mapping(values.get("metadata")), **extra}
    return values


def _lift_metadata(values: Values, data: Mapping[str, Node], lines: Mapping[str, int], report: Report) -> None:
    """Keys of ours under `metadata` count as if they stood at top level, unless they do."""
    nested = data.get("metadata")
    if not isinstance(nested, dict):
        return
    kept: Values = {}
    for key, node in nested.items():
        plain = next((key[len(prefix) :] for prefix in _PREFIXES if key.startswith(prefix)), key)
        field = find_field(plain)
        if field is None or field.name in _NOT_FROM_METADATA or field.kind == "ignored":
            kept[key] = as_json(node)
        elif field.name not in values:
            # `metadata` belongs to everybody: a foreign key that only shares our spelling is left alone.
            heard = report if plain != key else Report(report.path)
            _put(values, field, _unpacked(field, node), key, heard, lines.get(f"metadata.{key}"))
            if field.name not in values:
                kept[key] = as_json(node)
    values["metadata"] = kept


def _unpacked(field: Field, node: Node) -> Node:
    """A list or object that stands under `metadata` as JSON text, as the standard's text-only map demands."""
    if isinstance(node, str) and field.kind not in ("text", "loose") and node[:1] in ("[", "{"):
        try:
            return _as_node(load_json(node))
        except JsonInvalid:
            return node
    return node


def _as_node(value: JsonValue) -> Node:
    """Parsed JSON in the shape of YAML nodes, so that one reader serves both."""
    if isinstance(value, Mapping):
        return {key: _as_node(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return [_as_node(item) for item in value]
    return Plain("null" if value is None else str(value).lower() if isinstance(value, bool) else str(value))


def read_json_fields(data: Mapping[str, JsonValue], report: Report) -> Values:
    """`read_fields` for values that came from JSON."""
    nodes = {key: _as_node(value) for key, value in data.items()}
    return read_fields(nodes, {}, report)


def _put(values: Values, field: Field, node: Node, key: str, report: Report, line: int | None) -> None:
    if field.kind == "ignored":
        report.add("field_ignored", f"key {key!r} has no effect here", line=line)
        return
    if isinstance(node, Plain) and node == "" and field.kind not in ("text", "loose"):
        return
    try:
        value = _READERS[field.kind](field, node)
    except _BadValueError as error:
        report.add(error.code, f"{key!r} {error}", hint=error.hint, line=line)
        return
    if field.kind in ("text", "texts"):
        _warn_ambiguous(node, key, report, line)
    values[field.name] = value


def _warn_ambiguous(node: Node, key: str, report: Report, line: int | None) -> None:
    scalars = node if isinstance(node, list) else [node]
    for scalar in scalars:
        if isinstance(scalar, Plain) and scalar and scalar.ambiguous:
            report.add(
                "yaml_scalar_ambiguous",
                f"{key!r} is the bare word {str(scalar)!r}; it was read as text",
                hint=f"write '{scalar}' in quotes",
                line=line,
            )


class _BadValueError(ValueError):
    def __init__(self, message: str, hint: str, code: str = "field_invalid") -> None:
        super().__init__(message)
        self.hint = hint
        self.code = code


def _text(_: Field, node: Node) -> JsonValue:
    if not isinstance(node, str):
        raise _BadValueError("must be a text", "write one value, in quotes if it has a colon")
    return str(node).strip()


def _items(node: Node, split: Callable[[str], list[str]]) -> list[JsonValue]:
    if isinstance(node, dict):
        raise _BadValueError("must be a list of texts", "write '- item' lines")
    found = split(node) if isinstance(node, str) else node
    if len(found) > LIST_ITEMS:
        raise _BadValueError(f"has {len(found)} items; the most is {LIST_ITEMS}", "shorten the list", "too_many_items")
    if any(not isinstance(item, str) for item in found):
        raise _BadValueError("must be a list of texts", "write '- item' lines")
    return list(dict.fromkeys(str(item).strip() for item in found if str(item).strip()))


def _texts(_: Field, node: Node) -> JsonValue:
    return _items(node, _COMMA.split)


def _words(_: Field, node: Node) -> JsonValue:
    return _items(node, _WORD.findall)


def _whole(field: Field, node: Node) -> JsonValue:
    if isinstance(node, str) and _WHOLE.fullmatch(node.strip()):
        number = int(node)
        if 0 <= number <= field.most:
            return number
    raise _BadValueError(f"must be a whole number from 0 to {field.most}, not {_shown(node)}", "write digits only")


def _truth(_: Field, node: Node) -> JsonValue:
    if isinstance(node, str) and node.strip().lower() in _TRUTH:
        return _TRUTH[node.strip().lower()]
    raise _BadValueError(f"must be true or false, not {_shown(node)}", "write true or false")


def _choice(field: Field, node: Node) -> JsonValue:
    if isinstance(node, str) and node.strip().lower() in field.choices:
        return node.strip().lower()
    raise _BadValueError(f"cannot be {_shown(node)}", f"one of: {', '.join(field.choices)}")


def _object(_: Field, node: Node) -> JsonValue:
    if not isinstance(node, dict):
        raise _BadValueError("must be a map of keys and values", "write 'key: value' lines, indented")
    return as_json(node)


def _objects(_: Field, node: Node) -> JsonValue:
    if not isinstance(node, list) or any(not isinstance(item, dict) for item in node):
        raise _BadValueError("must be a list of maps", "write '- key: value' lines")
    if len(node) > LIST_ITEMS:
        raise _BadValueError(f"has {len(node)} items; the most is {LIST_ITEMS}", "shorten the list", "too_many_items")
    return as_json(node)


def _shown(node: Node) -> str:
    return repr(str(node)[:40])


def _mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}


_READERS: Mapping[Kind, Callable[[Field, Node], JsonValue]] = MappingProxyType(
    {
        "text": _text,
        "loose": _text,
        "texts": _texts,
        "words": _words,
        "whole": _whole,
        "truth": _truth,
        "choice": _choice,
        "json": lambda _, node: as_json(node),
        "object": _object,
        "objects": _objects,
    },
)
