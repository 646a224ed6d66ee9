"""Table of all front-matter and manifest keys with their aliases, and the readers for their values."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from metier.json_values import JsonInvalid, JsonValue, load_json
from metier.names import suggest
from metier.skills.model import MAX_LIST_ITEMS, Report
from metier.skills.read._yaml import Node, PlainScalar, node_to_json

FieldKind = Literal[
    "text",
    "spoken",
    "loose",
    "texts",
    "lines",
    "words",
    "whole",
    "truth",
    "choice",
    "json",
    "object",
    "objects",
    "ignored",
]
Values: TypeAlias = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class SkillField:
    """One known key.

    Kinds: `spoken` is text for people, one for all or `{zh: …, en: …}`. `loose` is text that may look like a number.
    A list may be written as one text: `words` are split on blanks and commas, `texts` on commas, `lines` (whole
    sentences) on line ends. If the key `restricts_tools`, a bad value refuses the skill, because the default would
    allow more tools.
    """

    name: str
    kind: FieldKind
    aliases: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    max_value: int = 1_000_000
    restricts_tools: bool = False


_FIELDS = (
    SkillField("id", "text"),
    SkillField("name", "text"),
    SkillField("title", "spoken", ("display_name",)),
    SkillField("description", "spoken"),
    SkillField("version", "loose"),
    SkillField("license", "loose"),
    SkillField("compatibility", "loose"),
    SkillField("when_to_use", "loose"),
    SkillField("priority", "whole", max_value=100_000),
    SkillField("enabled", "truth"),
    SkillField("group", "text"),
    SkillField("hosts", "words"),
    SkillField("tags", "texts"),
    SkillField("intents", "texts"),
    SkillField("triggers", "texts", ("keywords",)),
    SkillField("examples", "lines"),
    SkillField("tools", "json"),
    SkillField("allowed-tools", "words", restricts_tools=True),
    SkillField("allowed_tools", "words", restricts_tools=True),
    SkillField("forbidden_tools", "words", ("disallowed_tools",), restricts_tools=True),
    SkillField("profile_fields", "words"),
    SkillField("requires", "words"),
    SkillField("next", "words", ("next_skills",)),
    SkillField("inputs", "object", ("input_schema",)),
    SkillField("outputs", "object", ("output_schema",)),
    SkillField("output", "object"),
    SkillField("sop", "objects", ("steps",)),
    SkillField("milestones", "objects"),
    SkillField("cases", "objects"),
    SkillField("mode", "choice", choices=("chat", "deep")),
    SkillField("default_scenario", "loose"),
    SkillField("requires_birth_info", "truth"),
    SkillField("requires_compute", "truth"),
    SkillField("compute_type", "loose"),
    SkillField("compute_tool", "loose"),
    SkillField("auto_collect", "truth"),
    SkillField("auto_trigger", "truth"),
    SkillField("disable_model_invocation", "truth"),
    SkillField("user_invocable", "truth"),
    SkillField("argument_hint", "loose"),
    SkillField("context", "choice", choices=("inline", "fork")),
    SkillField("category", "loose"),
    SkillField("icon", "loose"),
    SkillField("color", "loose"),
    SkillField("theme", "object"),
    SkillField("pricing", "object"),
    SkillField("features", "objects"),
    SkillField("showcase", "object"),
    SkillField("delivery", "object"),
    SkillField("capabilities", "object"),
    SkillField("metadata", "object"),
    *(SkillField(name, "ignored") for name in ("has_scripts", "has_references", "has_assets")),
    *(SkillField(name, "ignored") for name in ("arguments", "agent", "model", "effort", "hooks", "paths", "shell")),
    *(SkillField(name, "ignored") for name in ("required_secrets", "secrets_autonomous")),
)
FIELDS: Mapping[str, SkillField] = MappingProxyType(
    {name: field for field in _FIELDS for name in (field.name, *field.aliases)},
)

STANDARD_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
# Keys of the runtime that are documented under `metadata`, and mean the same beside it.
_METADATA_KEYS = frozenset({"delegates", "follow_ups", "keep_results", "report", "report_by", "short_questions"})
_NOT_FROM_METADATA = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_PREFIXES = ("metier.", "metier-", "metier_")
_WORD = re.compile(r"[^\s,，、()]+(?:\s*\([^()]*\))?")
_COMMA = re.compile(r"[,，、;；\n]+")
_INTEGER = re.compile(r"[+-]?[0-9]{1,12}")
_LANGUAGES = frozenset({"zh", "en"})
_BLANK = frozenset({"", "~", "null"})
_MAX_UNKNOWN_REPORTED = 20
_BOOLEANS: Mapping[str, bool] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def find_field(key: str) -> SkillField | None:
    """The field for a key: exact spelling first, then ignoring case, then with `-` read as `_`."""
    lower = key.lower()
    return FIELDS.get(key) or FIELDS.get(lower) or FIELDS.get(lower.replace("-", "_"))


def suggest_key(key: str) -> str:
    """Hint with the known key that is most similar to an unknown one."""
    return suggest(key.lower()[:40], FIELDS, "put keys of your own under 'metadata'")


def read_fields(data: Mapping[str, Node], lines: Mapping[str, int], report: Report) -> Values:
    """Read all known keys; unknown keys and bad values are reported, and bad values get the default."""
    values: Values = {}
    extra: Values = {}
    unknown: list[str] = []
    written: dict[str, str] = {}
    for key, node in data.items():
        field = find_field(key)
        if key.lower().startswith("x-") or key in _METADATA_KEYS:
            extra[key] = node_to_json(node)
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
        values["metadata"] = {**_mapping_or_empty(values.get("metadata")), **extra}
    return values


def _report_unknown(unknown: list[str], lines: Mapping[str, int], report: Report) -> None:
    for key in unknown[:_MAX_UNKNOWN_REPORTED]:
        report.add("field_unknown", f"key {key[:80]!r} is not known", hint=suggest_key(key), line=lines.get(key))
    if more := unknown[_MAX_UNKNOWN_REPORTED:]:
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
            heard = report if plain != key or field.restricts_tools else Report(report.path)
            at = {key: lines[f"{name}.{key}"]} if f"{name}.{key}" in lines else {}
            _put(values, field, _parse_embedded_json(field, node), key, report=heard, lines=at)
            if field.name in values:
                continue
        # The standard maps text to text: 1.10 is a version, not a number.
        kept[key] = str(node) if isinstance(node, str) else node_to_json(node)
    values["metadata"] = kept


def _parse_embedded_json(field: SkillField, node: Node) -> Node:
    """Parse a list or object that is written as JSON text, because the standard allows only text under `metadata`."""
    if isinstance(node, str) and field.kind not in ("text", "spoken", "loose") and node[:1] in ("[", "{"):
        try:
            return _to_node(load_json(node))
        except JsonInvalid:
            return node
    return node


def _to_node(value: JsonValue) -> Node:
    """Convert parsed JSON to YAML nodes, so that the same readers handle both."""
    if isinstance(value, Mapping):
        return {key: _to_node(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return [_to_node(item) for item in value]
    return PlainScalar("null" if value is None else str(value).lower() if isinstance(value, bool) else str(value))


def read_json_fields(data: Mapping[str, JsonValue], report: Report) -> Values:
    """`read_fields` for values parsed from JSON."""
    nodes = {key: _to_node(value) for key, value in data.items()}
    return read_fields(nodes, {}, report)


def _put(values: Values, field: SkillField, node: Node, key: str, *, report: Report, lines: Mapping[str, int]) -> None:
    line = lines.get(key)
    if field.kind == "ignored":
        report.add("field_ignored", f"key {key!r} has no effect here", hint="remove it, or leave it", line=line)
        return
    if isinstance(node, PlainScalar) and node.lower() in _BLANK:
        if field.restricts_tools:  # the author started a tool list and left it empty
            report.add(
                "field_invalid", f"{key!r} is blank and was read as no tools", hint="write [] or remove it", line=line
            )
            values[field.name] = []
        return
    try:
        value = _READERS[field.kind](field, node)
    except _BadValueError as error:
        code = "tool_list_invalid" if field.restricts_tools and error.code == "field_invalid" else error.code
        report.add(code, f"{key!r} {error}", hint=error.hint, line=line)
        return
    if field.kind in ("text", "spoken", "texts", "lines"):
        _warn_ambiguous(node, key, report, lines)
    values[field.name] = value


def _warn_ambiguous(node: Node, key: str, report: Report, lines: Mapping[str, int]) -> None:
    scalars = {f"{key}[{number}]": item for number, item in enumerate(node)} if isinstance(node, list) else {key: node}
    for path, scalar in scalars.items():
        if isinstance(scalar, PlainScalar) and scalar and scalar.is_ambiguous:
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


def _read_text(_: SkillField, node: Node) -> JsonValue:
    if not isinstance(node, str):
        raise _BadValueError("must be a text", "write one value, in quotes if it has a colon")
    return str(node).strip()


def _read_spoken(field: SkillField, node: Node) -> JsonValue:
    if not isinstance(node, dict):
        return _read_text(field, node)
    if (
        not node
        or not node.keys() <= _LANGUAGES
        or not all(isinstance(one, str) and one.strip() for one in node.values())
    ):
        raise _BadValueError("must be a text, or one text for each language", "write {zh: …, en: …}")
    return {language: str(text).strip() for language, text in node.items()}


def _read_items(node: Node, split: Callable[[str], list[str]]) -> list[JsonValue]:
    if isinstance(node, dict):
        raise _BadValueError("must be a list of texts", "write '- item' lines")
    found = split(node) if isinstance(node, str) else node
    if len(found) > MAX_LIST_ITEMS:
        raise _BadValueError(
            f"has {len(found)} items; the most is {MAX_LIST_ITEMS}", "shorten the list", "too_many_items"
        )
    if any(not isinstance(item, str) for item in found):
        raise _BadValueError("must be a list of texts", "write '- item' lines")
    return list(dict.fromkeys(str(item).strip() for item in found if str(item).strip()))


def _read_texts(_: SkillField, node: Node) -> JsonValue:
    return _read_items(node, _COMMA.split)


def _read_lines(_: SkillField, node: Node) -> JsonValue:
    return _read_items(node, str.splitlines)


def _read_words(_: SkillField, node: Node) -> JsonValue:
    return _read_items(node, _split_words)


def _split_words(text: str) -> list[str]:
    """Split `Bash(git:*) Read` into two words; unbalanced brackets are refused.

    `Bash (git:*)` is the same as `Bash(git:*)`, but `Bash(git` could be taken for all of Bash.
    """
    words = [word.replace(" (", "(") for word in _WORD.findall(text)]
    if "".join(words).count("(") != text.count("(") or text.count("(") != text.count(")"):
        raise _BadValueError("has brackets that do not match", "write Tool(pattern), with blanks between tools")
    return words


def _read_integer(field: SkillField, node: Node) -> JsonValue:
    if isinstance(node, str) and _INTEGER.fullmatch(node.strip()):
        number = int(node)
        if 0 <= number <= field.max_value:
            return number
    raise _BadValueError(
        f"must be a whole number from 0 to {field.max_value}, not {_preview(node)}", "write digits only"
    )


def _read_boolean(_: SkillField, node: Node) -> JsonValue:
    if isinstance(node, str) and node.strip().lower() in _BOOLEANS:
        return _BOOLEANS[node.strip().lower()]
    raise _BadValueError(f"must be true or false, not {_preview(node)}", "write true or false")


def _read_choice(field: SkillField, node: Node) -> JsonValue:
    if isinstance(node, str) and node.strip().lower() in field.choices:
        return node.strip().lower()
    raise _BadValueError(f"cannot be {_preview(node)}", f"one of: {', '.join(field.choices)}")


def _read_object(_: SkillField, node: Node) -> JsonValue:
    if not isinstance(node, dict):
        raise _BadValueError("must be a map of keys and values", "write 'key: value' lines, indented")
    return node_to_json(node)


def _read_objects(_: SkillField, node: Node) -> JsonValue:
    if not isinstance(node, list) or any(not isinstance(item, dict) for item in node):
        raise _BadValueError("must be a list of maps", "write '- key: value' lines")
    if len(node) > MAX_LIST_ITEMS:
        raise _BadValueError(
            f"has {len(node)} items; the most is {MAX_LIST_ITEMS}", "shorten the list", "too_many_items"
        )
    return node_to_json(node)


def _preview(node: Node) -> str:
    return repr(str(node)[:40])


def _mapping_or_empty(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}


_READERS: Mapping[FieldKind, Callable[[SkillField, Node], JsonValue]] = MappingProxyType(
    {
        "text": _read_text,
        "spoken": _read_spoken,
        "loose": _read_text,
        "texts": _read_texts,
        "lines": _read_lines,
        "words": _read_words,
        "whole": _read_integer,
        "truth": _read_boolean,
        "choice": _read_choice,
        "json": lambda _, node: node_to_json(node),
        "object": _read_object,
        "objects": _read_objects,
    },
)
