"""Table of all front-matter and manifest keys with their aliases, and the readers for their values."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, TypeAlias

from metier.jsons import JsonInvalid, JsonValue, load_json
from metier.skills._diagnostics import Report
from metier.skills._limits import LIST_ITEMS
from metier.skills._yaml import Node, Plain, as_json

Kind = Literal[
    "text", "loose", "texts", "lines", "words", "whole", "truth", "choice", "json", "object", "objects", "ignored"
]
Values: TypeAlias = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Field:
    """One known key.

    Kinds: `loose` is text that may look like a number. A list may be written as one text: `words` are split on
    blanks and commas, `texts` on commas, `lines` (whole sentences) on line ends. If the key `restricts_tools`, a bad
    value refuses the skill, because the default would allow more tools.
    """

    name: str
    kind: Kind
    also: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    most: int = 1_000_000
    guard: bool = False


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
    Field("examples", "lines"),
    Field("tools", "json"),
    Field("allowed-tools", "words", guard=True),
    Field("allowed_tools", "words", guard=True),
    Field("forbidden_tools", "words", ("disallowed_tools",), guard=True),
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
_WORD = re.compile(r"[^\s,，、()]+(?:\s*\([^()]*\))?")
_COMMA = re.compile(r"[,，、;；\n]+")
_WHOLE = re.compile(r"[+-]?[0-9]{1,12}")
_BLANK = frozenset({"", "~", "null"})
_MOST_UNKNOWN = 20
_TRUTH: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def find_field(key: str) -> Field | None:
    """The field for a key: exact spelling first, then ignoring case, then with `-` read as `_`."""
    lower = key.lower()
    return FIELDS.get(key) or FIELDS.get(lower) or FIELDS.get(lower.replace("-", "_"))


def nearest_key(key: str) -> str:
    """Hint with the known key that is most similar to an unknown one."""
    near = get_close_matches(key.lower()[:40], FIELDS, n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else "put keys of your own under 'metadata'"


def read_fields(data: Mapping[str, Node], lines: Mapping[str, int], report: Report) -> Values:
    """Read all known keys; unknown keys and bad values are reported, and bad values get the default."""
    values: Values = {}
    extra: Values = {}
    unknown: list[str] = []
    written: dict[str, str] = {}
    for key, node in data.items():
        field = find_field(key)
        if key.lower().startswith("x-"):
            extra[key] = as_json(node)
        elif field is None:
            unknown.append(key)
        elif (first := written.setdefault(field.name, key)) != key:
            message = f"key {key!r} means the same as {first!r} and was left out"
            report.add("field_repeated", message, hint="keep one of the two", line=lines.get(key))
        else:
            _put(values, field, node, key, report=report, lines=lines)
    _report_unknown(unknown, lines, report)
    if "metadata" in written:
        _lift_metadata(values, data[written["metadata"]], written["metadata"], lines, report)
    if extra:
        values["metadata"] = {**_mapping(values.get("metadata")), **extra}
    return values


def _report_unknown(unknown: list[str], lines: Mapping[str, int], report: Report) -> None:
    for key in unknown[:_MOST_UNKNOWN]:
        report.add("field_unknown", f"key {key[:80]!r} is not known", hint=nearest_key(key), line=lines.get(key))
    if more := unknown[_MOST_UNKNOWN:]:
        message = f"{len(more)} more keys are not known, the first is {more[0][:80]!r}"
        report.add("field_unknown", message, hint="put keys of your own under 'metadata'", line=lines.get(more[0]))


def _lift_metadata(values: Values, nested: Node, name: str, lines: Mapping[str, int], report: Report) -> None:
    """Read Metier's keys under `metadata` as if they were at top level, unless they are there already."""
    if not isinstance(nested, dict):
        return
    kept: Values = {}
    for key, node in nested.items():
        plain = next((key[len(prefix) :] for prefix in _PREFIXES if key.startswith(prefix)), key)
        field = find_field(plain)
        ours = field is not None and field.name not in _NOT_FROM_METADATA and field.kind != "ignored"
        if field is not None and ours and field.name not in values:
            # Other tools use `metadata` too: without our prefix, a value that does not fit is not reported.
            heard = report if plain != key or field.guard else Report(report.path)
            at = {key: lines[f"{name}.{key}"]} if f"{name}.{key}" in lines else {}
            _put(values, field, _unpacked(field, node), key, report=heard, lines=at)
            if field.name in values:
                continue
        # The standard maps text to text: 1.10 is a version, not a number.
        kept[key] = str(node) if isinstance(node, str) else as_json(node)
    values["metadata"] = kept


def _unpacked(field: Field, node: Node) -> Node:
    """Parse a list or object that is written as JSON text, because the standard allows only text under `metadata`."""
    if isinstance(node, str) and field.kind not in ("text", "loose") and node[:1] in ("[", "{"):
        try:
            return _as_node(load_json(node))
        except JsonInvalid:
            return node
    return node


def _as_node(value: JsonValue) -> Node:
    """Convert parsed JSON to YAML nodes, so that the same readers handle both."""
    if isinstance(value, Mapping):
        return {key: _as_node(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return [_as_node(item) for item in value]
    return Plain("null" if value is None else str(value).lower() if isinstance(value, bool) else str(value))


def read_json_fields(data: Mapping[str, JsonValue], report: Report) -> Values:
    """`read_fields` for values parsed from JSON."""
    nodes = {key: _as_node(value) for key, value in data.items()}
    return read_fields(nodes, {}, report)


def _put(values: Values, field: Field, node: Node, key: str, *, report: Report, lines: Mapping[str, int]) -> None:
    line = lines.get(key)
    if field.kind == "ignored":
        report.add("field_ignored", f"key {key!r} has no effect here", hint="remove it, or leave it", line=line)
        return
    if isinstance(node, Plain) and node.lower() in _BLANK:
        if field.guard:  # the author started a tool list and left it empty
            report.add(
                "field_invalid", f"{key!r} is blank and was read as no tools", hint="write [] or remove it", line=line
            )
            values[field.name] = []
        return
    try:
        value = _READERS[field.kind](field, node)
    except _BadValueError as error:
        code = "tool_list_invalid" if field.guard and error.code == "field_invalid" else error.code
        report.add(code, f"{key!r} {error}", hint=error.hint, line=line)
        return
    if field.kind in ("text", "texts", "lines"):
        _warn_ambiguous(node, key, report, lines)
    values[field.name] = value


def _warn_ambiguous(node: Node, key: str, report: Report, lines: Mapping[str, int]) -> None:
    scalars = {f"{key}[{number}]": item for number, item in enumerate(node)} if isinstance(node, list) else {key: node}
    for path, scalar in scalars.items():
        if isinstance(scalar, Plain) and scalar and scalar.ambiguous:
            report.add(
                "yaml_scalar_ambiguous",
                f"{key!r} is the bare word {str(scalar)!r}; it was read as text",
                hint=f"write '{scalar}' in quotes",
                line=lines.get(path, lines.get(key)),
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


def _lines(_: Field, node: Node) -> JsonValue:
    return _items(node, str.splitlines)


def _words(_: Field, node: Node) -> JsonValue:
    return _items(node, _split_words)


def _split_words(text: str) -> list[str]:
    """Split `Bash(git:*) Read` into two words; unbalanced brackets are refused.

    `Bash (git:*)` is the same as `Bash(git:*)`, but `Bash(git` could be taken for all of Bash.
    """
    words = [word.replace(" (", "(") for word in _WORD.findall(text)]
    if "".join(words).count("(") != text.count("(") or text.count("(") != text.count(")"):
        raise _BadValueError("has brackets that do not match", "write Tool(pattern), with blanks between tools")
    return words


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
        "lines": _lines,
        "words": _words,
        "whole": _whole,
        "truth": _truth,
        "choice": _choice,
        "json": lambda _, node: as_json(node),
        "object": _object,
        "objects": _objects,
    },
)
