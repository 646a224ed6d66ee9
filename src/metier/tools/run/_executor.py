"""Run one tool call: gate, argument check, time limit, result check. Every call gets a result."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.errors import MetierError, ToolNotFound
from metier.language import Language
from metier.tools._calls import Tool, ToolCall, ToolContext, ToolError, ToolFailure, ToolResult
from metier.tools._registry import Registry
from metier.tools._spec import ToolSpec
from metier.tools.gate import Gate, Ledger, Verdict, build_refused_call, failure_from_verdict
from metier.tools.schema import argument_problems, parse_json_strings

MAX_RESULT_BYTES: Final = 1_048_576
_GRACE_S: Final = 2.0
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
        problems = argument_problems(tool.spec.parameters, call.arguments)
        if problems:
            failed = ToolFailure("invalid_arguments", "; ".join(map(str, problems)), _describe_parameters(tool.spec))
            return Outcome(call, verdict, ToolResult(failure=failed, notes=notes), "invalid")
        if verdict.answer == "confirm" and not approved:
            return Outcome(
                call, verdict, ToolResult(failure=failure_from_verdict(verdict, language), notes=notes), "waits"
            )
        result = await self._run(tool, call, context)
        result = replace(result, notes=(*notes, *result.notes))
        return Outcome(call, verdict, result, "done" if result.ok else "failed")

    async def _run(self, tool: Tool, call: ToolCall, context: ToolContext) -> ToolResult:
        started = self._clock()
        limit_s = tool.spec.timeout_s
        # The script runner enforces the limit itself and reports leftover files; this timeout is the fallback.
        timer = asyncio.timeout(limit_s + _GRACE_S if tool.spec.origin == "script" else limit_s)
        try:
            async with timer:
                result = _check_result(await tool.run(call.arguments, context))
        except ToolError as error:
            result = error.to_result()
        except MetierError as error:
            result = ToolResult.fail(error.code, error.message, hint=error.hint)
        except Exception as error:  # noqa: BLE001 - tool runner boundary: a crash becomes a result
            if timer.expired():
                message = f"{call.name} was stopped after {limit_s:g} s"
                result = ToolResult.fail("timed_out", message, hint="ask for less at once")
            else:
                _log.warning("tool %s crashed", call.name, exc_info=True)
                message = f"{call.name} crashed: {type(error).__name__}: {str(error)[:200]}"
                result = ToolResult.fail("tool_crashed", message, hint="other tools still work")
        elapsed_ms = (self._clock() - started) * 1000
        return result if result.elapsed_ms else replace(result, elapsed_ms=elapsed_ms)


def _check_result(result: ToolResult) -> ToolResult:
    """Return the result if it can be stored and sent: a JSON object of at most 1 MiB; otherwise a failure."""
    if result.failure is not None:
        return result
    if not isinstance(result.data, Mapping):
        return ToolResult.fail("invalid_result", "the tool gave neither data nor a failure")
    try:
        size = len(json.dumps(result.data, ensure_ascii=False, allow_nan=False, default=_json_default).encode())
    except (TypeError, ValueError, RecursionError) as error:
        return ToolResult.fail("invalid_result", f"the tool's data is no JSON: {str(error)[:200]}")
    if size > MAX_RESULT_BYTES:
        message = f"the tool gave {size} bytes; the most is {MAX_RESULT_BYTES}"
        return ToolResult.fail("result_too_large", message, hint="ask for less, or let the tool write a file")
    return result


def _json_default(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


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
