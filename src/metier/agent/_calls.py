"""The way of one tool call in a turn: told before it acts, run once, its answer stored with what follows from it."""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.types import Command

from metier.agent._exchange import call_json
from metier.agent._paired import data_text
from metier.agent._progress import reporting
from metier.agent._results import leaves_files, shown
from metier.agent._wording import say
from metier.agent._work import MOST_RESULT_CHARS, Work
from metier.jsons import JsonValue
from metier.store import EventDraft
from metier.tools import CONTROL_TOOLS, Outcome, ToolCall, ToolResult


async def run_call(work: Work, call: ToolCall) -> ToolMessage:
    """Tell that the call is made, make it, and give its paired answer. The gate has been asked before."""
    await work.journal.emit(called_event(work, call))
    return await executed(work, call)


async def executed(work: Work, call: ToolCall) -> ToolMessage:
    """Make a call that has been told; meanwhile it may say how far it is."""
    if leaves_files(work, call.name):
        await work.files.look(work.workspace)
    executor = work.kit.bench(work.catalog).executor
    async with reporting(work.journal, call) as progress:
        outcome = await executor.run(
            call, gate=work.gate, context=work.context(progress), approved=True, language=work.language
        )
    return message_of(outcome)


def called_event(work: Work, call: ToolCall) -> EventDraft:
    """The intent. With it, another process can rebuild the message that the call stands in."""
    work.begun.add(call.id)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "arguments": call.arguments}
    if steers(work, call.name):
        return EventDraft("tool.called", told)
    work.counts.tool_calls += 1
    if work.plan is not None:
        work.plan.called(call.name)
        if step := work.plan.step_of(call.id):
            told["step"] = step
    if work.exchange is not None and (len(work.exchange.calls) > 1 or work.exchange.text):
        told["text"] = work.exchange.text
        told["calls"] = [call_json(one) for one in work.exchange.calls]
    return EventDraft("tool.called", told)


def steers(work: Work, tool: str) -> bool:
    """Whether a tool only steers the turn; such calls are no work, and never off the plan."""
    return tool in CONTROL_TOOLS or tool == work.kit.settings.skill_tool


def message_of(outcome: Outcome) -> ToolMessage:
    """The outcome as the paired message; the whole result goes beside it."""
    result = outcome.result
    content, status = (data_text(result.data), "success") if result.ok else (failure_text(result), "error")
    ours: dict[str, Any] = {"state": outcome.state, "elapsed_ms": round(result.elapsed_ms, 1)}
    if result.ok:
        ours["data"] = result.data
    elif result.failure is not None:
        ours["error"] = {"code": result.failure.code, "message": result.failure.message, "hint": result.failure.hint}
    if result.notes:
        ours["notes"] = list(result.notes)
    call = outcome.call
    return ToolMessage(content, tool_call_id=call.id, name=call.name, status=status, artifact={"metier": ours})


def failure_text(result: ToolResult) -> str:
    failure = result.failure
    if failure is None:
        return "failed"
    return f"{failure.code}: {failure.message}" + (f" ({failure.hint})" if failure.hint else "")


def answer_of(result: ToolMessage | Command[Any]) -> ToolMessage | None:
    """The paired message, however a middleware wrapped it."""
    if isinstance(result, ToolMessage):
        return result
    update = result.update if isinstance(result.update, Mapping) else {}
    return next((one for one in update.get("messages", ()) if isinstance(one, ToolMessage)), None)


def is_held(message: ToolMessage) -> bool:
    return bool(ours_of(message).get("held"))


def ours_of(message: ToolMessage) -> Mapping[str, Any]:
    """What Metier put beside the message."""
    ours = message.artifact.get("metier") if isinstance(message.artifact, Mapping) else None
    return ours if isinstance(ours, Mapping) else {}


async def answered(work: Work, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Store the answer of a call: its event, the plan's next state, and, when it was the last, the exchange.

    Every result comes by here, whichever way the call was made, and is shown first. Returned is what the model reads.
    """
    message = await shown(work, call, message)
    ours = ours_of(message)
    ok = message.status != "error"
    text = fitting(message.text, work)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "ok": ok, "state": _state(ours, ok)}
    told |= {key: ours[key] for key in ("data", "error", "elapsed_ms", "notes") if key in ours}
    if "data" not in ours or text != data_text(ours["data"]):
        told["content"] = text  # what the model reads, when it is not the data itself
    drafts = [EventDraft("tool.result", told)]
    if call.id not in work.begun and told["state"] != "refused":
        drafts.insert(0, called_event(work, call))
    if work.plan is not None:
        drafts += work.plan.heard(call.id, call.name, ok=ok, data=_data(ours, message), why=message.text)
    talk = None
    if work.exchange is not None:
        work.exchange.results[call.id] = text
        talk = work.exchange.talk() if work.exchange.complete else None
    saved = work.saved() if talk is not None or work.plan is not None else None
    await work.journal.record(*drafts, talk=talk, saved=saved)
    if talk is not None:
        work.exchange = None
    return message.model_copy(update={"content": text, "artifact": None})


def fitting(text: str, work: Work) -> str:
    """A result that a prompt can hold; what is cut is said."""
    if len(text) <= MOST_RESULT_CHARS:
        return text
    return f"{text[:MOST_RESULT_CHARS]}\n{say('cut', work.language, chars=len(text))}"


def _state(ours: Mapping[str, Any], ok: bool) -> str:
    if "refused" in ours:
        return "refused"
    return str(ours.get("state") or ("done" if ok else "failed"))


def _data(ours: Mapping[str, Any], message: ToolMessage) -> JsonValue:
    if "data" in ours:
        data: JsonValue = ours["data"]
        return data
    return message.text
