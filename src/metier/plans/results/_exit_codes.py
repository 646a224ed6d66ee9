"""Exit code of a run after the last write: a run before it says nothing about what was written since."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from metier.json_values import JsonObject, JsonValue
from metier.patterns import compile_later

MAX_RECORDED: Final = 200
_PATH_KEYS: Final = ("path", "file", "file_path", "paths", "files", "written", "changed")
_TEST_FILE: Final = compile_later(
    r"(?:^|/)(?:tests?|__tests__)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|\.(?:test|spec)\.[jt]sx?$",
    re.IGNORECASE,
)
_ASKS_FOR_TESTS: Final = compile_later(
    r"[写加补改增][^，。；,;\n]{0,6}(?:单测|测试|用例)|\b(?:write|add|change|update|extend)\b[^,.;\n]{0,24}\btests?\b",
    re.IGNORECASE,
)
_DENIED: Final = compile_later(
    r"(?:不要|不能|不许|不|别|勿)[^，。；,;\n]*|\b(?:don't|do not|without|never)\b[^,.;\n]*", re.IGNORECASE
)


class CallRecord(NamedTuple):
    """A finished call: whether it wrote files, which, and the exit code of what it ran."""

    tool: str
    kind: Literal["run", "write"]
    exit_code: int | None = None
    paths: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        return {"tool": self.tool, "kind": self.kind, "exit_code": self.exit_code, "paths": list(self.paths)}


def record_call(tool: str, arguments: JsonObject, data: JsonValue, *, writes: bool) -> CallRecord | None:
    """Record of a call that succeeded; None if it neither ran anything nor wrote."""
    told = data if isinstance(data, Mapping) else {}
    code = told.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool):
        return CallRecord(tool, "run", code)
    if not writes:
        return None
    return CallRecord(tool, "write", None, tuple(dict.fromkeys((*_find_paths(arguments), *_find_paths(told)))))


def call_from_json(value: JsonValue) -> CallRecord | None:
    """Read what `to_json` wrote; None for anything else."""
    if not isinstance(value, Mapping) or value.get("kind") not in ("run", "write"):
        return None
    code, paths = value.get("exit_code"), value.get("paths")
    return CallRecord(
        str(value.get("tool", "")),
        "run" if value["kind"] == "run" else "write",
        code if isinstance(code, int) else None,
        tuple(str(one) for one in paths) if isinstance(paths, list | tuple) else (),
    )


def find_exit_problem(
    calls: Sequence[CallRecord], *, wanted: int, tool: str, message: str, keeps_tests: bool
) -> tuple[str, dict[str, str]] | None:
    """Code and values of what is wrong; None if the last run came after the last write and ended as wanted."""
    last_write = max((at for at, one in enumerate(calls) if one.kind == "write"), default=-1)
    runs = [(at, one) for at, one in enumerate(calls) if one.kind == "run" and tool in ("", one.tool)]
    if not runs:
        return "run_missing", {"tool": tool}
    at, last = runs[-1]
    if at < last_write:
        return "run_before_write", {"tool": last.tool, "path": ", ".join(calls[last_write].paths) or "…"}
    if last.exit_code != wanted:
        return "exit_code_wrong", {"tool": last.tool, "code": str(last.exit_code), "wanted": str(wanted)}
    touched = [path for one in calls if one.kind == "write" for path in one.paths if _TEST_FILE.search(path)]
    if keeps_tests and touched and not _ASKS_FOR_TESTS.search(_DENIED.sub(" ", message)):
        return "tests_changed", {"path": touched[0]}
    return None


def _find_paths(value: Mapping[str, JsonValue]) -> list[str]:
    found: list[str] = []
    for key in _PATH_KEYS:
        given = value.get(key)
        listed = given if isinstance(given, list | tuple) else [given]
        for one in listed:
            inner = one.get("path") if isinstance(one, Mapping) else one
            if isinstance(inner, str) and inner:
                found.append(inner)
    return found
