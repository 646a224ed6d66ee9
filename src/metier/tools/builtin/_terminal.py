"""`run_in_terminal`: run a shell command inside the sandbox, in the conversation's workspace."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from metier.errors import SandboxMissing
from metier.json_values import JsonObject, JsonValue
from metier.tools._calls import ToolContext, ToolError, ToolResult
from metier.tools._spec import ALWAYS, ToolSpec
from metier.tools.builtin._base import (
    BuiltinTool,
    get_integer,
    get_text,
    integer_schema,
    object_schema,
    text_schema,
)
from metier.tools.builtin._paths import open_root
from metier.workspaces import WorkspaceQuota

_DEFAULT_TIMEOUT_S = 30
_MAX_TIMEOUT_S = 300
_GRACE_S = 10.0
_MAX_OUTPUT_CHARS = 30_000
_TAIL_CHARS = 500
# Terminal escapes (colours, cursor moves, titles, links) and all control characters except tab and newline.
_ESCAPES: Final = re.compile(
    "\x1b\\[[0-?]{0,64}[ -/]{0,16}[@-~]|\x1b\\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\\\)"
    "|\x1b[@-_]|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """Outcome of a command. `sandbox` names the isolation; `truncated` is true if output was cut.

    `exceeded` is the sentence about the limit for which it was stopped; empty if it stayed within all of them.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    sandbox: str
    truncated: bool = False
    timed_out: bool = False
    exceeded: str = ""


class CommandRunner(Protocol):
    """Runs a shell command in a sandbox; raises `SandboxMissing` if there is none."""

    async def __call__(self, command: str, *, workspace: Path, timeout_s: float) -> CommandOutcome: ...


_DEFAULT_QUOTA: Final = WorkspaceQuota()
_EXCEEDED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "disk": "the workspace grew to {used} bytes, and may hold {limit}",
        "files": "the workspace has more than {limit} files and folders",
        "depth": "the workspace has folders deeper than {limit} levels",
        "memory": "the command used {used} bytes of memory, and may use {limit}",
        "hidden": "a process of the command hid its open files",
    }
)


def sandbox_runner(quota: WorkspaceQuota) -> CommandRunner:
    """Build the runner for the local sandbox, with the limits of the whole workspace."""

    async def run(command: str, *, workspace: Path, timeout_s: float) -> CommandOutcome:
        return await run_in_sandbox(command, workspace=workspace, timeout_s=timeout_s, quota=quota)

    return run


async def run_in_sandbox(
    command: str, *, workspace: Path, timeout_s: float, quota: WorkspaceQuota = _DEFAULT_QUOTA
) -> CommandOutcome:
    """Run in the local sandbox: no network, and outside the workspace only programs and libraries are readable."""
    from metier.tools.sandbox import ResourceLimits, Sandbox, run_command

    limits = ResourceLimits(
        wall_s=timeout_s,
        cpu_s=math.ceil(timeout_s),
        disk_bytes=quota.max_bytes,
        max_files=quota.max_files,
        max_depth=quota.max_depth,
    )
    done = await run_command(command, sandbox=Sandbox(workspace, limits=limits))
    stdout, stderr = (output.decode("utf-8", "replace") for output in (done.stdout, done.stderr))
    exceeded = "" if done.exceeded is None else _EXCEEDED[done.exceeded.kind].format(**done.exceeded._asdict())
    return CommandOutcome(done.exit_code, stdout, stderr, f"tier {done.tier}", done.truncated, done.timed_out, exceeded)


def terminal_tool(runner: CommandRunner = run_in_sandbox) -> BuiltinTool:
    """Build the tool. Without a sandbox every call fails and nothing runs."""
    spec = ToolSpec(
        "run_in_terminal",
        "Run a shell command in the workspace, inside a sandbox without network; gives exit code and output.",
        object_schema(
            {
                "command": text_schema("for /bin/sh, such as: ls -l | head", longest=8_000),
                "timeout_s": integer_schema(
                    "seconds until it is stopped", least=1, most=_MAX_TIMEOUT_S, default=_DEFAULT_TIMEOUT_S
                ),
            },
            ["command"],
        ),
        approval=ALWAYS,
        timeout_s=_MAX_TIMEOUT_S + _GRACE_S,
        effects=frozenset({"executes", "writes"}),
    )

    async def run(arguments: JsonObject, context: ToolContext) -> ToolResult:
        command, timeout_s = get_text(arguments, "command"), get_integer(arguments, "timeout_s", _DEFAULT_TIMEOUT_S)
        if "\x00" in command or not command.strip():
            raise ToolError("the command is empty or holds a NUL character", code="invalid_command")
        with open_root(context.workspace):  # created if missing, refused if it is a link
            workspace = context.workspace.absolute()
        try:
            outcome = await runner(command, workspace=workspace, timeout_s=timeout_s)
        except SandboxMissing as error:
            raise ToolError(error.message, code=error.code, hint=error.hint) from error
        return _build_result(outcome, timeout_s)

    return BuiltinTool(spec, run)


def _build_result(outcome: CommandOutcome, timeout_s: int) -> ToolResult:
    stdout, stderr = _strip_escapes(outcome.stdout), _strip_escapes(outcome.stderr)
    if outcome.exceeded:
        raise ToolError(
            f"the command was stopped: {outcome.exceeded}; its new files were deleted",
            code="command_over_limit",
            hint="write less, or remove files first",
        )
    if outcome.timed_out:
        said = (stdout + stderr).strip()[-_TAIL_CHARS:]
        raise ToolError(
            f"the command was stopped after {timeout_s} seconds",
            code="command_timeout",
            hint=f"its last words: {said}" if said else "it had written nothing",
        )
    answer: dict[str, JsonValue] = {
        "exit_code": outcome.exit_code,
        "stdout": _keep_ends(stdout),
        "stderr": _keep_ends(stderr),
    }
    cut = outcome.truncated or max(len(stdout), len(stderr)) > _MAX_OUTPUT_CHARS
    notes = ("the output was cut; write it to a file and read the part you need",) if cut else ()
    return ToolResult({**answer, "sandbox": outcome.sandbox}, notes=notes)


def _strip_escapes(text: str) -> str:
    return _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _keep_ends(text: str) -> str:
    """Keep both ends of a long output: errors are at the end, the first steps at the beginning."""
    if len(text) <= _MAX_OUTPUT_CHARS:
        return text
    half = _MAX_OUTPUT_CHARS // 2
    return f"{text[:half]}\n… {len(text) - _MAX_OUTPUT_CHARS} characters left out …\n{text[-half:]}"
