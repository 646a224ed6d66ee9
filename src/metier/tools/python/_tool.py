"""The tool `run_python`: what it takes, and how the end of a run becomes a result or an error."""

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from metier.errors import SandboxMissing
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText, Language
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._form_hints import add_title, show_as
from metier.tools._functions import FunctionTool, function_tool
from metier.tools._spec import ONCE_PER_CONVERSATION, ToolExample
from metier.tools.python._run import PythonLimits, PythonOutcome, run_code
from metier.tools.python._sentences import SENTENCES

_MAX_OUTPUT_CHARS: Final = 12_000
_TAIL_CHARS: Final = 500
_GRACE_S: Final = 15.0
_MIB: Final = 1 << 20
_XCPU: Final = -24
_NOISE: Final = "Fontconfig error"  # the sandbox hides its settings, and the font comes with Metier
Code = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40_000,
        description="Python 3 code; `show(frame, title)` shows a table, open matplotlib figures are saved as pictures",
        json_schema_extra=show_as("代码", "Code"),
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
            json_schema_extra=show_as("最长时间（秒）", "Longest time (s)"),
        ),
    ]

    async def run_python(context: ToolContext, code: Code, timeout_s: seconds = bounds.max_s) -> ToolResult:
        """Run Python (pandas, matplotlib) on files of the conversation without network; tables and figures show."""
        workspace = await asyncio.to_thread(_open_workspace, context.workspace)
        try:
            outcome = await run_code(code, workspace=workspace, timeout_s=float(timeout_s), limits=bounds)
        except SandboxMissing as error:
            raise ToolError(error.message, code=error.code, hint=error.hint) from error
        return _build_result(outcome, float(timeout_s), bounds, context.language)

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
    return add_title(built, BilingualText("运行 Python", "Run Python"))


def _open_workspace(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder.absolute()


def _build_result(outcome: PythonOutcome, timeout_s: float, limits: PythonLimits, language: Language) -> ToolResult:
    say = partial(_say, language)
    ended, document = outcome.ended, outcome.document
    stdout, stderr = (text.decode("utf-8", "replace") for text in (ended.stdout, ended.stderr))
    if ended.exceeded is not None:
        why = say(ended.exceeded.kind, **ended.exceeded._asdict())
        hint = say("hint_memory" if ended.exceeded.kind == "memory" else "hint_files")
        raise ToolError(say("stopped", why=why), code="python_over_limit", hint=hint)
    if ended.timed_out or ended.exit_code == _XCPU:
        tail = (stdout + stderr).strip()[-_TAIL_CHARS:]
        hint = say("hint_last_output", text=tail) if tail else say("hint_silent")
        raise ToolError(say("timeout", seconds=f"{timeout_s:g}"), code="python_timeout", hint=hint)
    if document is None:
        hint = (stderr or stdout).strip()[-_TAIL_CHARS:] or say("hint_lost")
        raise ToolError(say("no_result", code=str(ended.exit_code)), code="python_failed", hint=hint)
    if isinstance(error := document.get("error"), Mapping):
        raise _build_error(error, stdout, limits, language)
    return _read_result(document, stdout, stderr, truncated=ended.truncated)


def _say(language: Language, code: str, /, **values: object) -> str:
    return SENTENCES.render(code, language, **{name: str(value) for name, value in values.items()})


def _build_error(error: Mapping[str, Any], stdout: str, limits: PythonLimits, language: Language) -> ToolError:
    say = partial(_say, language)
    if error.get("code") == "out_of_memory":
        most = say("out_of_memory", mib=limits.memory_bytes // _MIB)
        return ToolError(most, code="python_over_limit", hint=say("hint_memory"))
    message, line = str(error.get("message", ""))[:2_000], str(error.get("line", ""))
    if "Resource temporarily unavailable" in message or "can't start new thread" in message:
        return ToolError(say("stopped", why=message), code="python_over_limit", hint=say("hint_processes"))
    if message.startswith("ModuleNotFoundError"):
        line = f"{line}; {say('no_module')}"
    printed = stdout.strip()[-_TAIL_CHARS:]
    hint = line + (f"; {say('printed', text=printed)}" if printed else "")
    return ToolError(message or say("failed"), code="python_failed", hint=hint)


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
