"""Run one tool call: gate, argument check, time limit, result check. Every call gets a result."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.errors import MetierError, MissingExtra, ToolNotFound
from metier.language import Language, Sentences
from metier.limits import run_limited
from metier.tools._calls import Tool, ToolCall, ToolContext, ToolError, ToolFailure, ToolResult
from metier.tools._document import inject_document
from metier.tools._preview import Preview, PreviewableTool, preview_from_json
from metier.tools._registry import Registry
from metier.tools._spec import NEVER, ToolSpec
from metier.tools.gate import Gate, Ledger, Verdict, build_refused_call, failure_from_verdict
from metier.tools.run._check_result import check_result
from metier.tools.schema import argument_problems, parse_json_strings

PREVIEW_FAILED: Final = "preview_failed"
PREVIEW_LIMIT_S: Final = 20.0
_GRACE_S: Final = 2.0
_SENTENCES: Final = Sentences(
    {
        "missing_extra": (
            "{name} needs the package {package}, which is not installed.",
            "{name} 需要软件包 {package}，但没有安装。",
        ),
    }
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a call, always with a result to return to the model.

    If `needs_approval` is true, a person must approve first: run the same call again with `approved=True`.
    """

    call: ToolCall
    verdict: Verdict
    result: ToolResult
    state: Literal["done", "failed", "refused", "invalid", "waits"]

    @property
    def needs_approval(self) -> bool:
        return self.state == "waits"


class Executor:
    """Runs calls of one registry and records refused calls in the ledger."""

    def __init__(self, tools: Registry, ledger: Ledger, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self._tools = tools
        self._ledger = ledger
        self._clock = clock

    async def run(
        self,
        call: ToolCall,
        *,
        gate: Gate,
        context: ToolContext,
        approved: bool = False,
        language: Language = "en",
    ) -> Outcome:
        """Check and run a call. `approved` means a person approved this call."""
        spec = gate.get_spec(call.name)
        arguments, notes = parse_json_strings(spec.parameters if spec else {}, call.arguments)
        if isinstance(arguments, Mapping):
            call = replace(call, arguments=arguments)
        verdict = gate.check(call)
        if verdict.answer == "deny":
            await self._ledger.record_violation(build_refused_call(call, verdict, context, gate.skills))
            return Outcome(call, verdict, ToolResult(failure=failure_from_verdict(verdict, language)), "refused")
        try:
            tool = self._tools.get(call.name, skill=spec.skill if spec else None)
        except ToolNotFound as error:
            return Outcome(call, verdict, ToolResult.fail(error.code, error.message, hint=error.hint), "failed")
        schema = tool.spec.parameters
        given = inject_document(call.arguments, schema, context.document)  # the call on record stays without it
        problems = await run_limited(lambda: argument_problems(schema, given))
        if problems:
            failed = ToolFailure("invalid_arguments", "; ".join(map(str, problems)), _describe_parameters(tool.spec))
            return Outcome(call, verdict, ToolResult(failure=failed, notes=notes), "invalid")
        if verdict.answer == "confirm" and not approved:
            return Outcome(
                call, verdict, ToolResult(failure=failure_from_verdict(verdict, language), notes=notes), "waits"
            )
        result = await self._run(tool, replace(call, arguments=given), context)
        result = replace(result, notes=(*notes, *result.notes))
        return Outcome(call, verdict, result, "done" if result.ok else "failed")

    async def preview(
        self, call: ToolCall, spec: ToolSpec, context: ToolContext, *, gate: Gate
    ) -> Preview | ToolFailure | None:
        """What an approved call would do; None if its tool has no preview, a failure if there is none now.

        The code is `preview_failed` if the preview itself is broken, or is a tool that the operator's policy denies or
        wants to be asked about; any other says that the call cannot be made.
        """
        if not spec.preview:
            return None
        limit_s = min(spec.timeout_s, PREVIEW_LIMIT_S)
        timer = asyncio.timeout(limit_s)
        try:
            async with timer:
                return await self._preview(call, spec, context, gate)
        except (ToolError, MetierError) as error:
            failed = (
                error.failure if isinstance(error, ToolError) else ToolFailure(error.code, error.message, error.hint)
            )
            return replace(failed, code=PREVIEW_FAILED) if failed.code == "bad_preview" else failed
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # tool runner boundary, as for the call itself
            if isinstance(error, asyncio.CancelledError) and _is_task_cancelled():
                raise
            name = f"preview of {call.name}"
            crashed = _build_crash_result(name, error, timer, limit_s, spec=spec, language=context.language).failure
            return replace(crashed, code=PREVIEW_FAILED) if crashed else ToolFailure(PREVIEW_FAILED, "")

    async def _preview(
        self, call: ToolCall, spec: ToolSpec, context: ToolContext, gate: Gate
    ) -> Preview | ToolFailure | None:
        tool = self._tools.get(call.name, skill=spec.skill)
        call = replace(call, arguments=inject_document(call.arguments, spec.parameters, context.document))
        problems = await run_limited(lambda: argument_problems(spec.parameters, call.arguments))
        if problems:
            return ToolFailure("invalid_arguments", "; ".join(map(str, problems)), _describe_parameters(spec))
        if isinstance(tool, PreviewableTool):
            return await tool.preview(call.arguments, context)
        other = self._tools.get(spec.preview, skill=spec.skill)
        if other.spec.approval != NEVER or other.spec.undoes:
            raise ToolError(f"{spec.preview!r} needs approval itself, so it is no preview", code="bad_preview")
        verdict = gate.check(replace(call, name=spec.preview))
        if verdict.layer == "operator" and verdict.answer != "allow":
            raise ToolError(verdict.reason, code="bad_preview")
        result = check_result(await other.run(call.arguments, context))
        return result.failure if result.failure is not None else preview_from_json(result.data)

    async def _run(self, tool: Tool, call: ToolCall, context: ToolContext) -> ToolResult:
        started = self._clock()
        limit_s = tool.spec.timeout_s
        # The script runner enforces the limit itself and reports leftover files; this timeout is the fallback.
        timer = asyncio.timeout(limit_s + _GRACE_S if tool.spec.origin == "script" else limit_s)
        try:
            async with timer:
                result = check_result(await tool.run(call.arguments, context))
        except ToolError as error:
            result = replace(check_result(error.to_result()), cause=error)
        except MetierError as error:
            result = replace(ToolResult.fail(error.code, error.message, hint=error.hint), cause=error)
        except (KeyboardInterrupt, GeneratorExit):  # a person at the terminal; a coroutine that is being closed
            raise
        except BaseException as error:  # tool runner boundary: a crash becomes a result, `sys.exit` too
            if isinstance(error, asyncio.CancelledError) and _is_task_cancelled():
                raise
            result = _build_crash_result(call.name, error, timer, limit_s, spec=tool.spec, language=context.language)
            result = replace(result, cause=error) if isinstance(error, Exception) else result
        elapsed_ms = (self._clock() - started) * 1000
        return result if result.elapsed_ms else replace(result, elapsed_ms=elapsed_ms)


def _is_task_cancelled() -> bool:
    """Whether somebody cancelled the turn; a tool may also raise `CancelledError` by itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _build_crash_result(
    name: str, error: BaseException, timer: asyncio.Timeout, limit_s: float, *, spec: ToolSpec, language: Language
) -> ToolResult:
    """Result of a call that did not end well. A missing package is told with the extra of the tool's pack."""
    if timer.expired():
        return ToolResult.fail("timed_out", f"{name} was stopped after {limit_s:g} s", hint="ask for less at once")
    if isinstance(error, ModuleNotFoundError) and (missing := MissingExtra.from_import(error, name, spec.source)):
        said = _SENTENCES.render("missing_extra", language, name=name, package=error.name)
        return ToolResult.fail(missing.code, said, hint=missing.hint)
    _log.warning("tool %s crashed", name, exc_info=error)
    return ToolResult.fail("tool_crashed", f"{name} crashed: {_describe_error(error)}", hint="other tools still work")


def _describe_error(error: BaseException) -> str:
    try:
        said = str(error)[:200]
    except Exception:  # noqa: BLE001 - tool runner boundary: the message of a crash is foreign code as well
        said = "(its message cannot be read)"
    return f"{type(error).__name__}: {said}"


def _describe_parameters(spec: ToolSpec) -> str:
    """Format the parameters of the tool, as a hint for a model that guessed wrong."""
    properties = spec.parameters.get("properties")
    required = spec.parameters.get("required")
    if not isinstance(properties, Mapping):
        return ""
    needed = frozenset(required) if isinstance(required, list | tuple) else frozenset()
    return f"{spec.name} takes " + (
        ", ".join(f"{name}{'' if name in needed else '?'}" for name in properties) or "nothing"
    )
