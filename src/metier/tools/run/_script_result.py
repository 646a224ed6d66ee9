"""Convert the exit of a script process into a tool result."""

import signal
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools._calls import ToolFailure, ToolResult
from metier.tools.sandbox import CapturedOutput, ExceededLimit, WorkerResult

_MAX_NOTE_CHARS: Final = 4000
_MAX_NAMED_FILES: Final = 10
# Failure codes that the script process may report itself; all others are set by this process.
_SCRIPT_FAILURE_CODES: Final = frozenset(
    {"function_missing", "out_of_memory", "result_not_json", "result_too_large", "script_failed"}
)
_GONE: Final = "; its files were deleted"
# Code, sentence and hint for each limit of a whole run.
_EXCEEDED: Final[Mapping[str, tuple[str, str, str]]] = MappingProxyType(
    {
        "memory": (
            "out_of_memory",
            "the processes of {name} used {used} bytes of memory; together they may use {limit}" + _GONE,
            "read in pieces, and start fewer processes",
        ),
        "disk": (
            "workspace_full",
            "{name} wrote {used} bytes; it may write {limit}" + _GONE,
            "write less, or ask the operator to raise METIER_WORKSPACE_MAX_BYTES",
        ),
        "files": (
            "workspace_full",
            "{name} made more than {limit} files and folders" + _GONE,
            "make fewer files, for example one archive",
        ),
        "depth": (
            "workspace_full",
            "{name} made folders deeper than {limit} levels" + _GONE,
            "make fewer levels",
        ),
        "hidden": (
            "script_crashed",
            "a process of {name} hid its open files" + _GONE,
            "run only programs whose files can be read",
        ),
    }
)


def result_from_run(name: str, ended: WorkerResult, *, limit_s: float, elapsed_ms: float, folder: Path) -> ToolResult:
    """Return the tool result; its notes hold the script's output and the files it left."""
    data, failure, trace = _parse_output(name, ended, limit_s)
    notes = (
        *trace,
        *_format_output_note("stdout", ended.stdout),
        *_format_output_note("stderr", ended.stderr),
        *_note_files(folder),
    )
    return ToolResult(data=data, failure=failure, elapsed_ms=elapsed_ms, notes=notes)


def _parse_output(
    name: str, ended: WorkerResult, limit_s: float
) -> tuple[JsonObject | None, ToolFailure | None, tuple[str, ...]]:
    if failure := _check_exit(name, ended, limit_s):
        return None, failure, ()
    if ended.result.cut:
        return None, ToolFailure("result_too_large", f"{name} wrote more than 1 MiB as its result"), ()
    try:
        said = load_json(ended.result.data.decode())
    except (JsonInvalid, UnicodeDecodeError) as error:
        return None, _not_json_failure(f"the result of {name} is not JSON: {error}"), ()
    data, failed = (said.get("data"), said.get("failure")) if isinstance(said, Mapping) else (None, None)
    if isinstance(failed, Mapping):
        return None, _failure_from_script(name, failed), tuple(_get_texts(failed, "traceback"))
    if isinstance(data, Mapping):
        return data, None, ()
    return None, _not_json_failure(f"{name} wrote something else in place of its result"), ()


def _not_json_failure(message: str) -> ToolFailure:
    return ToolFailure("result_not_json", message, "return a dict of JSON values")


def _check_exit(name: str, ended: WorkerResult, limit_s: float) -> ToolFailure | None:
    if ended.refused:
        message = f"the sandbox for {name} could not be set up: {ended.refused}"
        return ToolFailure("sandbox_missing", message, "`metier doctor` says what holds on this machine")
    if ended.exceeded is not None:
        return _exceeded_failure(name, ended.exceeded)
    if ended.timed_out:
        return ToolFailure("timed_out", f"{name} was stopped after {limit_s:g} s", "ask for less at once")
    if ended.code == -signal.SIGXCPU:
        return ToolFailure("timed_out", f"{name} used up its processor time", "ask for less at once")
    if ended.code == 0 and ended.result.data:
        return None
    return ToolFailure("script_crashed", f"{name} {_describe_exit(ended.code)}", "other tools still work")


def _exceeded_failure(name: str, exceeded: ExceededLimit) -> ToolFailure:
    code, sentence, hint = _EXCEEDED[exceeded.kind]
    return ToolFailure(code, sentence.format(name=name, used=exceeded.used, limit=exceeded.limit), hint)


def _describe_exit(code: int | None) -> str:
    if code is None:
        return "ended, and nobody saw how"
    if code >= 0:
        return f"ended with exit code {code} and without a result"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _failure_from_script(name: str, failed: Mapping[str, JsonValue]) -> ToolFailure:
    code, message, hint = (next(iter(_get_texts(failed, key)), "") for key in ("code", "message", "hint"))
    if code not in _SCRIPT_FAILURE_CODES:
        return _not_json_failure(f"{name} wrote something else in place of its result")
    return ToolFailure(code, message, hint)


def _get_texts(failed: Mapping[str, JsonValue], key: str) -> list[str]:
    value = failed.get(key)
    return [value] if isinstance(value, str) and value else []


def _format_output_note(stream: str, captured: CapturedOutput) -> tuple[str, ...]:
    text = captured.text()
    if not text.strip():
        return ()
    cut = captured.cut or len(text) > _MAX_NOTE_CHARS
    return (f"{stream}{' (cut)' if cut else ''}: {text[:_MAX_NOTE_CHARS]}",)


def _note_files(folder: Path) -> tuple[str, ...]:
    """Name the files in the working folder; remove the folder if it is empty."""
    try:
        names = sorted(path.name for path in islice(folder.iterdir(), _MAX_NAMED_FILES + 1))
    except FileNotFoundError:  # deleted, because the script exceeded a limit
        return ()
    if not names:
        folder.rmdir()
        return ()
    more = " and more" if len(names) > _MAX_NAMED_FILES else ""
    return (f"files in {folder}: {', '.join(names[:_MAX_NAMED_FILES])}{more}",)
