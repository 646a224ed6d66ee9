"""Reads the options of each kind of milestone check."""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import Final, TypeAlias, cast, get_args

from metier.json_values import JsonObject, JsonValue
from metier.limits import PATTERN_HINT, InvalidPattern, compile_pattern
from metier.plans._expressions import compile_expression, is_expression
from metier.plans._fields import check_keys, read_expression, read_names, read_schema, read_text
from metier.plans._plan import CheckKind, CheckSpec
from metier.plans._problems import ProblemCollector, suggest_name

_OptionsReader: TypeAlias = Callable[[JsonObject, ProblemCollector], dict[str, JsonValue] | None]
_KINDS: Final[tuple[str, ...]] = get_args(CheckKind)


def read_check(item: JsonObject, found: ProblemCollector) -> CheckSpec | None:
    """Read a check of a known kind with all its options; None if there were problems."""
    kind = read_text(item, "kind", found)
    if kind is None:
        if "kind" not in item:
            found.add("value_missing", "the check names no kind", f"one of {', '.join(_KINDS)}")
        return None
    if kind not in _KINDS:
        found.enter("kind").add("check_unknown", f"there is no check {kind!r}", suggest_name(kind, _KINDS))
        return None
    options = _READERS[kind](item, found)
    return None if options is None else CheckSpec(cast("CheckKind", kind), options)


def is_safe_path(path: str) -> bool:
    """Whether a relative path stays inside the folder it is joined to, on any operating system."""
    if not path or "\0" in path or "\\" in path:
        return False
    return not (PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive or ".." in PurePosixPath(path).parts)


def _read_contains(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "text", "of"), found)
    texts = read_names(item, "text", found)
    return (
        _add_subject(item, found, {"text": list(texts)}) if _check_given(item, "text", texts, found) and texts else None
    )


def _read_regex(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "pattern", "of"), found)
    pattern = read_text(item, "pattern", found)
    if not _check_given(item, "pattern", pattern, found) or pattern is None:
        return None
    try:
        compile_pattern(pattern)
    except InvalidPattern as error:
        found.enter("pattern").add("pattern_unsafe", f"pattern {pattern[:80]!r}: {error}", PATTERN_HINT)
        return None
    return _add_subject(item, found, {"pattern": pattern})


def _read_json_schema(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "schema", "of"), found)
    schema = read_schema(item, "schema", found)
    return _add_subject(item, found, {"schema": schema}) if _check_given(item, "schema", schema, found) else None


def _read_expr(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "expr"), found)
    expression = read_expression(item, "expr", found)
    return {"expr": expression} if _check_given(item, "expr", expression, found) and expression else None


def _read_file_exists(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "path"), found)
    path = read_text(item, "path", found)
    if not _check_given(item, "path", path, found) or path is None:
        return None
    if is_expression(path):
        return {"path": path} if read_expression(item, "path", found) else None
    if not is_safe_path(path):
        hint = "a relative path with '/', without '..'"
        found.enter("path").add("path_unsafe", f"{path[:80]!r} is no path inside the workspace", hint)
        return None
    return {"path": path}


def _read_tool_output(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "tool", "text", "expr"), found)
    tool = read_text(item, "tool", found)
    texts = read_names(item, "text", found)
    expression = read_expression(item, "expr", found)
    if not _check_given(item, "tool", tool, found):
        return None
    if expression and not compile_expression(expression).reads <= {"output"}:
        found.enter("expr").add(
            "unknown_name", f"{expression!r} must look at '$.output'", "for example '$.output.rows'"
        )
    options: dict[str, JsonValue] = {"tool": tool}
    if texts:
        options["text"] = list(texts)
    if expression:
        options["expr"] = expression
    return options


def _read_file_valid(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "path", "min"), found)
    least = _read_count(item, "min", found, default=1)
    options = _read_file_exists({key: value for key, value in item.items() if key != "min"}, found)
    return None if options is None or least is None else {**options, "min": least}


def _read_sources(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "min", "of"), found)
    least = _read_count(item, "min", found, default=1)
    return None if least is None else _add_subject(item, found, {"min": least})


def _read_exit_code(item: JsonObject, found: ProblemCollector) -> dict[str, JsonValue] | None:
    check_keys(item, ("kind", "tool", "equals", "tests"), found)
    wanted = _read_count(item, "equals", found, default=0)
    tests = item.get("tests", "kept")
    if tests not in ("kept", "any"):
        found.enter("tests").add("value_invalid", f"'tests' is {tests!r}", "'kept' (not changed unless asked) or 'any'")
        return None
    tool = read_text(item, "tool", found) if "tool" in item else None
    return None if wanted is None else {"equals": wanted, "tests": tests, **({"tool": tool} if tool else {})}


def _read_count(item: JsonObject, key: str, found: ProblemCollector, *, default: int) -> int | None:
    value = item.get(key, default)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    found.enter(key).add("value_invalid", f"{key!r} is {value!r}", "a whole number, at least 0")
    return None


def _check_given(item: JsonObject, key: str, value: object, found: ProblemCollector) -> bool:
    if item.get(key) is None:
        found.add("value_missing", f"a check {item.get('kind')!r} needs {key!r}")
    return value is not None


def _add_subject(item: JsonObject, found: ProblemCollector, options: dict[str, JsonValue]) -> dict[str, JsonValue]:
    subject = read_expression(item, "of", found)
    return options | {"of": subject} if subject else options


_READERS: Final[Mapping[str, _OptionsReader]] = MappingProxyType(
    {
        "contains": _read_contains,
        "regex": _read_regex,
        "json_schema": _read_json_schema,
        "expr": _read_expr,
        "file_exists": _read_file_exists,
        "url_contains": _read_contains,
        "tool_output": _read_tool_output,
        "file_valid": _read_file_valid,
        "sources": _read_sources,
        "exit_code": _read_exit_code,
    }
)
