"""Reads the options of each kind of milestone check."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import Final, TypeAlias, cast, get_args

from metier.jsons import JsonObject, JsonValue
from metier.plans._expressions import compiled, is_expression
from metier.plans._fields import expression_of, known_keys, names_of, schema_of, text_of
from metier.plans._patterns import BadPattern, matcher
from metier.plans._plan import CheckKind, CheckSpec
from metier.plans._problems import Findings, nearest

_Read: TypeAlias = Callable[[JsonObject, Findings], dict[str, JsonValue] | None]
_KINDS: Final[tuple[str, ...]] = get_args(CheckKind)


def read_check(item: JsonObject, found: Findings) -> CheckSpec | None:
    """Read a check of a known kind with all its options; None if there were problems."""
    kind = text_of(item, "kind", found)
    if kind is None:
        if "kind" not in item:
            found.add("value_missing", "the check names no kind", f"one of {', '.join(_KINDS)}")
        return None
    if kind not in _KINDS:
        found.at("kind").add("check_unknown", f"there is no check {kind!r}", nearest(kind, _KINDS))
        return None
    options = _READERS[kind](item, found)
    return None if options is None else CheckSpec(cast("CheckKind", kind), options)


def safe_path(path: str) -> bool:
    """Whether a relative path stays inside the folder it is joined to, on any operating system."""
    if not path or "\0" in path or "\\" in path:
        return False
    return not (PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive or ".." in PurePosixPath(path).parts)


def _contains(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "text", "of"), found)
    texts = names_of(item, "text", found)
    return _with_subject(item, found, {"text": list(texts)}) if _given(item, "text", texts, found) and texts else None


def _regex(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "pattern", "of"), found)
    pattern = text_of(item, "pattern", found)
    if not _given(item, "pattern", pattern, found) or pattern is None:
        return None
    try:
        matcher(pattern)
    except BadPattern as error:
        found.at("pattern").add(
            "pattern_unsafe", f"pattern {pattern[:80]!r}: {error}", "no look-around, no back references"
        )
        return None
    return _with_subject(item, found, {"pattern": pattern})


def _json_schema(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "schema", "of"), found)
    schema = schema_of(item, "schema", found)
    return _with_subject(item, found, {"schema": schema}) if _given(item, "schema", schema, found) else None


def _expr(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "expr"), found)
    expression = expression_of(item, "expr", found)
    return {"expr": expression} if _given(item, "expr", expression, found) and expression else None


def _file_exists(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "path"), found)
    path = text_of(item, "path", found)
    if not _given(item, "path", path, found) or path is None:
        return None
    if is_expression(path):
        return {"path": path} if expression_of(item, "path", found) else None
    if not safe_path(path):
        hint = "a relative path with '/', without '..'"
        found.at("path").add("path_unsafe", f"{path[:80]!r} is no path inside the workspace", hint)
        return None
    return {"path": path}


def _tool_output(item: JsonObject, found: Findings) -> dict[str, JsonValue] | None:
    known_keys(item, ("kind", "tool", "text", "expr"), found)
    tool = text_of(item, "tool", found)
    texts = names_of(item, "text", found)
    expression = expression_of(item, "expr", found)
    if not _given(item, "tool", tool, found):
        return None
    if expression and not compiled(expression).reads <= {"output"}:
        found.at("expr").add("unknown_name", f"{expression!r} must look at '$.output'", "for example '$.output.rows'")
    options: dict[str, JsonValue] = {"tool": tool}
    if texts:
        options["text"] = list(texts)
    if expression:
        options["expr"] = expression
    return options


def _given(item: JsonObject, key: str, value: object, found: Findings) -> bool:
    if item.get(key) is None:
        found.add("value_missing", f"a check {item.get('kind')!r} needs {key!r}")
    return value is not None


def _with_subject(item: JsonObject, found: Findings, options: dict[str, JsonValue]) -> dict[str, JsonValue]:
    subject = expression_of(item, "of", found)
    return options | {"of": subject} if subject else options


_READERS: Final[Mapping[str, _Read]] = MappingProxyType(
    {
        "contains": _contains,
        "regex": _regex,
        "json_schema": _json_schema,
        "expr": _expr,
        "file_exists": _file_exists,
        "url_contains": _contains,
        "tool_output": _tool_output,
    }
)
