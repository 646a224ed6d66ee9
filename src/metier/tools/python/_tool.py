"""The tool `run_python`: what it takes, and how the end of a run becomes a result or an error."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from metier.errors import SandboxMissing
from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._functions import FunctionTool, function_tool
from metier.tools._spec import ONCE_PER_CONVERSATION, ToolExample
from metier.tools.python._run import PythonLimits, PythonOutcome, run_code

_MAX_OUTPUT_CHARS: Final = 12_000
_TAIL_CHARS: Final = 500
_GRACE_S: Final = 15.0
_MIB: Final = 1 << 20
_XCPU: Final = -24
_NOISE: Final = "Fontconfig error"  # the sandbox hides its settings, and the font comes with Metier
_EXCEEDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "disk": "the files would hold {used} bytes, and may hold {limit}; its new files were deleted",
        "files": "it left more than {limit} files; its new files were deleted",
        "depth": "it left folders deeper than {limit} levels; its new files were deleted",
        "memory": "it used {used} bytes of memory, and may use {limit}",
        "hidden": "a process of the code hid its open files",
    }
)
Code = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40_000,
        description="Python 3 code; `show(frame, title)` shows a table, open matplotlib figures are saved as pictures",
        json_schema_extra={"x-ui": {"title": {"zh": "代码", "en": "Code"}}},
    ),
]


def python_tool(limits: PythonLimits | None = None) -> FunctionTool:
    """Build the tool. Without a sandbox every call fails and nothing runs."""
    bounds = limits or PythonLimits()
    seconds = Annotated[
        float,
        Field(
            gt=0,
            le=bounds.max_s,
            description="seconds until it is stopped",
            json_schema_extra={"x-ui": {"title": {"zh": "最长时间（秒）", "en": "Longest time (s)"}}},
        ),
    ]

    async def run_python(context: ToolContext, code: Code, timeout_s: seconds = bounds.max_s) -> ToolResult:
        """Run Python (pandas, matplotlib) on files of the conversation without network; tables and figures show."""
        workspace = await asyncio.to_thread(_open_workspace, context.workspace)
        try:
            outcome = await run_code(code, workspace=workspace, timeout_s=float(timeout_s), limits=bounds)
        except SandboxMissing as error:
            raise ToolError(error.message, code=error.code, hint=error.hint) from error
        return _build_result(outcome, float(timeout_s), bounds)

    built = function_tool(
        run_python,
        origin="builtin",
        approval=ONCE_PER_CONVERSATION,
        timeout_s=bounds.max_s + _GRACE_S,
        effects=frozenset({"executes", "writes"}),
        examples=(ToolExample({"code": "import pandas as pd\npd.read_csv('sales.csv').groupby('region').sum()"}),),
        edge_cases=(
            "each run starts anew: variables of an earlier run are gone, files stay",
            "a file of a kind whose tool is refused now is not kept",
        ),
    )
    hints: JsonObject = {"title": {"zh": "运行 Python", "en": "Run Python"}}
    return replace(built, spec=replace(built.spec, parameters={**built.spec.parameters, "x-ui": hints}))


def _open_workspace(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder.absolute()


def _build_result(outcome: PythonOutcome, timeout_s: float, limits: PythonLimits) -> ToolResult:
    ended, document = outcome.ended, outcome.document
    stdout, stderr = (text.decode("utf-8", "replace") for text in (ended.stdout, ended.stderr))
    if ended.exceeded is not None:
        why = _EXCEEDED[ended.exceeded.kind].format(**ended.exceeded._asdict())
        raise ToolError(f"the code was stopped: {why}", code="python_over_limit", hint=_hint_for(ended.exceeded.kind))
    if ended.timed_out or ended.exit_code == _XCPU:
        tail = (stdout + stderr).strip()[-_TAIL_CHARS:]
        raise ToolError(
            f"the code was stopped after {timeout_s:g} seconds",
            code="python_timeout",
            hint=f"its last output: {tail}" if tail else "it had written nothing; is there an endless loop?",
        )
    if document is None:
        raise ToolError(
            f"the code ended without a result (exit code {ended.exit_code})",
            code="python_failed",
            hint=(stderr or stdout).strip()[-_TAIL_CHARS:] or "it may have been stopped for lack of memory",
        )
    if isinstance(error := document.get("error"), Mapping):
        raise _build_error(error, stdout, limits)
    return _read_result(document, stdout, stderr, truncated=ended.truncated)


def _hint_for(kind: str) -> str:
    if kind == "memory":
        return "read fewer columns or rows at once (usecols, chunksize), or raise METIER_PYTHON_MEMORY_MAX_BYTES"
    return "write less, or remove files first"


def _build_error(error: Mapping[str, Any], stdout: str, limits: PythonLimits) -> ToolError:
    if error.get("code") == "out_of_memory":
        most = f"the code needs more memory than the {limits.memory_bytes // _MIB} MiB it may use"
        return ToolError(most, code="python_over_limit", hint=_hint_for("memory"))
    message, line = str(error.get("message", ""))[:2_000], str(error.get("line", ""))
    if "Resource temporarily unavailable" in message or "can't start new thread" in message:
        hint = "it may start at most 32 processes and threads"
        return ToolError(f"the code was stopped: {message}", code="python_over_limit", hint=hint)
    if message.startswith("ModuleNotFoundError"):
        line = f"{line}; there are pandas, numpy, scipy and matplotlib, and nothing can be installed"
    printed = stdout.strip()[-_TAIL_CHARS:]
    hint = line + (f"; printed before: {printed}" if printed else "")
    return ToolError(message or "the code failed", code="python_failed", hint=hint)


def _read_result(document: Mapping[str, Any], stdout: str, stderr: str, *, truncated: bool) -> ToolResult:
    notes = [str(one) for one in _list_of(document, "notes", str)][:10]
    if truncated or len(stdout) > _MAX_OUTPUT_CHARS:
        notes.append("the output was cut; print less, or write it to a file")
    tables: list[JsonValue] = [_read_table(one) for one in _list_of(document, "tables", Mapping)]
    images: list[JsonValue] = [
        {"path": str(one.get("path", ""))[:200], "title": str(one.get("title", ""))[:200]}
        for one in _list_of(document, "images", Mapping)
    ]
    told: dict[str, JsonValue] = {"output": stdout[:_MAX_OUTPUT_CHARS]}
    if warned := "\n".join(line for line in stderr.splitlines() if line and not line.startswith(_NOISE)):
        told["errors"] = warned[-_TAIL_CHARS:]
    if tables:
        told["tables"] = tables
    if images:
        told["images"] = images
    return ToolResult(told, notes=tuple(notes))


def _read_table(one: Mapping[str, Any]) -> JsonObject:
    rows = list(_list_of(one, "rows", list))
    return {"title": str(one.get("title", ""))[:200], "columns": list(_list_of(one, "columns", Mapping)), "rows": rows}


def _list_of(document: Mapping[str, Any], key: str, kind: type) -> Iterator[Any]:
    found = document.get(key)
    return (one for one in (found if isinstance(found, list) else ()) if isinstance(one, kind))
