"""Convert the exit of a script process into a tool result."""

import signal
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from metier.jsons import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools._calls import ToolFailure, ToolResult
from metier.tools.sandbox import Captured, Ended

_NOTE_CHARS: Final = 4000
_NAMED_FILES: Final = 10
# Failure codes that the script process may report itself; all others are set by this process.
_OWN_CODES: Final = frozenset(
    {"function_missing", "out_of_memory", "result_not_json", "result_too_large", "script_failed"}
)


def answer(name: str, ended: Ended, *, limit_s: float, elapsed_ms: float, folder: Path) -> ToolResult:
    """Return the tool result; its notes hold the script's output and the files it left."""
    data, failure, trace = _judge(name, ended, limit_s)
    notes = (*trace, *_printed("stdout", ended.stdout), *_printed("stderr", ended.stderr), *_left(folder))
    return ToolResult(data=data, failure=failure, elapsed_ms=elapsed_ms, notes=notes)


def _judge(name: str, ended: Ended, limit_s: float) -> tuple[JsonObject | None, ToolFailure | None, tuple[str, ...]]:
    if failure := _violent_end(name, ended, limit_s):
        return None, failure, ()
    if ended.result.cut:
        return None, ToolFailure("result_too_large", f"{name} wrote more than 1 MiB as its result"), ()
    try:
        said = load_json(ended.result.data.decode())
    except (JsonInvalid, UnicodeDecodeError) as error:
        return None, _not_json(f"the result of {name} is not JSON: {error}"), ()
    data, failed = (said.get("data"), said.get("failure")) if isinstance(said, Mapping) else (None, None)
    if isinstance(failed, Mapping):
        return None, _own_failure(name, failed), tuple(_texts(failed, "traceback"))
    if isinstance(data, Mapping):
        return data, None, ()
    return None, _not_json(f"{name} wrote something else in place of its result"), ()


def _not_json(message: str) -> ToolFailure:
    return ToolFailure("result_not_json", message, "return a dict of JSON values")


def _violent_end(name: str, ended: Ended, limit_s: float) -> ToolFailure | None:
    if ended.refused:
        message = f"the sandbox for {name} could not be set up: {ended.refused}"
        return ToolFailure("sandbox_missing", message, "`metier doctor` says what holds on this machine")
    if ended.timed_out:
        return ToolFailure("timed_out", f"{name} was stopped after {limit_s:g} s", "ask for less at once")
    if ended.code == -signal.SIGXCPU:
        return ToolFailure("timed_out", f"{name} used up its processor time", "ask for less at once")
    if ended.code == 0 and ended.result.data:
        return None
    return ToolFailure("script_crashed", f"{name} {_end_of(ended.code)}", "other tools still work")


def _end_of(code: int | None) -> str:
    if code is None:
        return "ended, and nobody saw how"
    if code >= 0:
        return f"ended with exit code {code} and without a result"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _own_failure(name: str, failed: Mapping[str, JsonValue]) -> ToolFailure:
    code, message, hint = (next(iter(_texts(failed, key)), "") for key in ("code", "message", "hint"))
    if code not in _OWN_CODES:
        return _not_json(f"{name} wrote something else in place of its result")
    return ToolFailure(code, message, hint)


def _texts(failed: Mapping[str, JsonValue], key: str) -> list[str]:
    value = failed.get(key)
    return [value] if isinstance(value, str) and value else []


def _printed(stream: str, captured: Captured) -> tuple[str, ...]:
    text = captured.text()
    if not text.strip():
        return ()
    cut = captured.cut or len(text) > _NOTE_CHARS
    return (f"{stream}{' (cut)' if cut else ''}: {text[:_NOTE_CHARS]}",)


def _left(folder: Path) -> tuple[str, ...]:
    """Name the files in the working folder; remove the folder if it is empty."""
    names = sorted(path.name for path in islice(folder.iterdir(), _NAMED_FILES + 1))
    if not names:
        folder.rmdir()
        return ()
    more = " and more" if len(names) > _NAMED_FILES else ""
    return (f"files in {folder}: {', '.join(names[:_NAMED_FILES])}{more}",)
