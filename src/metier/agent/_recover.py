"""Recovers an interrupted turn: finds its unfinished calls and decides which may run again."""

from collections.abc import Mapping, Sequence

from metier.agent._continue import finish_exchange, take_up
from metier.agent._exchange import Exchange, Held, calls_from
from metier.agent._paired import data_text
from metier.agent._work import Work
from metier.store import Event, Message, Pause
from metier.tools import ToolCall


async def recover(work: Work, events: Sequence[Event], messages: Sequence[Message], pause: Pause | None) -> bool:
    """Restore an interrupted turn so that its agent can continue. True if it can; False if a person must decide first.

    A stored result is never recomputed. A call that was started and has no result runs again only if its tool is
    idempotent; otherwise a person is asked.
    """
    if pause is not None and not _consumed(pause, events):
        return await take_up(work, pause)
    exchange = broken_off(events, messages)
    if exchange is None:
        return True
    work.exchange = exchange
    _claim(work, events, exchange)
    began = {str(one.data.get("call")) for one in own_calls(events)}
    for call in exchange.open_calls:
        if call.id in began and not _may_repeat(work, call):
            exchange.held.append(Held(call, "outcome"))
    if exchange.complete:
        await _stored(work, exchange)
        return True
    return await finish_exchange(work)


def _claim(work: Work, events: Sequence[Event], exchange: Exchange) -> None:
    """Map the plan's own open calls to their steps again."""
    for event in events:
        call, step = str(event.data.get("call")), event.data.get("step")
        unanswered = exchange.call(call) is not None and call not in exchange.results
        if event.kind == "tool.called" and work.plan is not None and step and unanswered:
            work.plan.claim(call, str(step))


def _consumed(pause: Pause, events: Sequence[Event]) -> bool:
    return any(one.kind == "pause.answered" and one.data.get("pause") == pause.id for one in events)


def _may_repeat(work: Work, call: ToolCall) -> bool:
    spec = work.spec(call.name)
    return spec is not None and spec.idempotent


def broken_off(events: Sequence[Event], messages: Sequence[Message]) -> Exchange | None:
    """Last batch of calls that is not in the message history yet, with the results recorded so far."""
    kept = {call.id for message in messages for call in message.tool_calls}
    called = [one for one in own_calls(events) if one.data.get("call") not in kept]
    if not called:
        return None
    last = called[-1].data
    calls = calls_from(last.get("calls")) if "calls" in last else ()
    made = Exchange(str(last.get("text", "")), calls or (_call(last),))
    for event in events:
        call_id = str(event.data.get("call"))
        if event.kind == "tool.result" and "parent" not in event.data and made.call(call_id) is not None:
            made.results[call_id] = _content(event)
    return made


def unplanned(events: Sequence[Event]) -> bool:
    """Whether a skill was activated in this turn and its plan was not created."""
    marks = [one.kind for one in events if one.kind in ("skill.activated", "plan.created")]
    return bool(marks) and marks[-1] == "skill.activated"


def own_calls(events: Sequence[Event]) -> list[Event]:
    """`tool.called` events without those of sub-agents, whose outcome is in the result of `task`."""
    return [one for one in events if one.kind == "tool.called" and "parent" not in one.data]


def _call(data: Mapping[str, object]) -> ToolCall:
    arguments = data.get("arguments")
    return ToolCall(str(data["call"]), str(data["tool"]), arguments if isinstance(arguments, Mapping) else {})


def _content(event: Event) -> str:
    if "content" in event.data:
        return str(event.data["content"])
    return data_text(event.data.get("data"))


async def _stored(work: Work, exchange: Exchange) -> None:
    """Store a batch whose results are all known."""
    await work.journal.record(talk=exchange.talk(), saved=work.saved())
    work.exchange = None
