"""Telemetry payload of each kind of runtime event: names, numbers and codes; texts only as redacted facts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from metier.jsons import JsonObject, JsonValue
from metier.telemetry._texts import Texts

_RETRIEVERS: Final = frozenset({"web_search"})
_SHORT: Final = 200
_MOST_NAMES: Final = 20


class Told(NamedTuple):
    """Name and payload of a telemetry event."""

    name: str
    payload: dict[str, JsonValue]


def told(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    """Build the telemetry payloads of one runtime event; none for kinds that are not recorded."""
    make = _KINDS.get(kind)
    return [] if make is None else make(kind, data, texts)


def number(value: JsonValue) -> float | None:
    """Return the value if it is a number, else None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def picked(data: JsonObject, *names: str) -> dict[str, JsonValue]:
    """Pick these fields if present; texts are cut to 200 characters."""
    found = {name: data[name] for name in names if data.get(name) is not None}
    return {name: value[:_SHORT] if isinstance(value, str) else value for name, value in found.items()}


def figures(data: JsonObject) -> dict[str, JsonValue]:
    """Pick only numbers and booleans."""
    return {name: value for name, value in data.items() if isinstance(value, int | float)}


def _words(data: JsonObject, name: str, texts: Texts) -> dict[str, JsonValue]:
    value = data.get(name)
    return {name: texts.of(value)} if isinstance(value, str) and value else {}


def _count(value: JsonValue) -> int:
    return len(value) if isinstance(value, Sequence | Mapping) and not isinstance(value, str) else 0


def _turn_started(_kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    return [Told("chat.turn_start", {**picked(data, "skill"), **_words(data, "message", texts)})]


def _routed(_kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    listed = data.get("candidates")
    candidates = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    scores = [number(one.get("score")) or 0.0 for one in candidates]
    shown: list[JsonValue] = [_candidate(one, texts) for one in candidates]
    payload = picked(data, "verdict", "route", "skill", "skills", "vectors", "elapsed_ms")
    payload |= {"candidates": shown, "score": scores[0] if scores else None}
    if len(scores) > 1:
        payload["margin"] = round(scores[0] - scores[1], 4)
    return [Told("skills.selected", payload)]


def _candidate(one: JsonObject, texts: Texts) -> JsonObject:
    hits = one.get("trigger_hits")  # words of the message: only their number, unless content is kept
    return {**picked(one, "skill", "score"), "trigger_hits": hits if texts.content else _count(hits)}


def _activated(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    return [Told("skills.applied", picked(data, "skill", "title", "version", "digest", "scenario", "why"))]


def _left(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    return [Told("skills.left", picked(data, "skill", "why"))]


def _context(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    payload = picked(data, "phase", "mode", "skill", "tokens", "limit_tokens", "over_budget")
    listed = data.get("sections")
    sections = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    payload["sections"] = {str(one.get("name")): one.get("tokens") for one in sections}
    payload |= {name: _count(data.get(name)) for name in ("offered", "dropped", "missing")}
    return [Told("context.built", payload)]


def _plan(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    counts = {name: _count(data.get(name)) for name in ("steps", "milestones")}
    return [Told("plan.created", {**picked(data, "source", "skill", "task_type"), **counts})]


def _step(kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    return [Told("plan.step", {"phase": kind.removeprefix("step."), **picked(data, "step", "state")})]


def _milestone(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    passed = {"passed": kind == "milestone.passed"}
    return [Told("milestone", {**picked(data, "milestone", "step"), **passed, **_words(data, "reason", texts)})]


def _tool_called(_kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    payload = picked(data, "tool", "call", "step", "parent")
    given = data.get("arguments")
    named = sorted(given)[:_MOST_NAMES] if isinstance(given, Mapping) else []
    return [Told("tool.called", {**payload, "arguments": {"names": named, **texts.of_value(given or {})}})]


def _tool_result(_kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    payload = picked(data, "tool", "call", "state", "elapsed_ms", "parent")
    payload["ok"] = data.get("ok") is True or data.get("status") == "success"
    error = data.get("error")
    if isinstance(error, Mapping):
        payload |= {**picked(error, "code"), **_words(error, "message", texts)}
    result = data.get("data", data.get("content", data.get("text")))
    payload["result"] = texts.of_value(result)
    done = Told("tool.done", payload)
    if data.get("tool") not in _RETRIEVERS or not isinstance(result, Mapping):
        return [done]
    found = {**picked(result, "source"), "hits": _count(result.get("results")), **_words(result, "query", texts)}
    return [done, Told("rag.retrieve", {**picked(data, "tool", "elapsed_ms"), **found})]


def _violation(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    names = ("tool", "call", "code", "layer", "source", "reason", "args_digest", "allowed", "parent")
    return [Told("tool.violation", picked(data, *names))]


def _exception(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    state = "requested" if kind == "exception.requested" else data.get("state")
    payload: dict[str, JsonValue] = {"state": state, **picked(data, "tool", "request", "by")}
    return [Told("exception", {**payload, **_words(data, "reason", texts), **_words(data, "note", texts)})]


def _artifact(kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    sizes = {name: _count(data.get(name)) for name in ("rows", "columns", "series") if _count(data.get(name))}
    return [Told("artifact", {"kind": kind, **figures(data), **sizes, **picked(data, "call", "tool")})]


def _pause(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    if kind == "pause.opened":
        payload = {"state": "opened", **picked(data, "pause", "kind", "purpose", "step", "tool")}
        return [Told("pause", {**payload, "missing": _count(data.get("missing")), **_words(data, "text", texts)})]
    state = "cancelled" if data.get("cancelled") else "answered"
    payload = {"state": state, **picked(data, "pause", "purpose")}
    return [Told("pause", {**payload, "answer": texts.of_value(data.get("answer"))})]


def _usage(_kind: str, data: JsonObject, _texts: Texts) -> list[Told]:
    return [Told("chat.llm_call", {**figures(data), **picked(data, "model", "parent")})]


def _error(_kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    return [
        Told("error", {**figures(data), **picked(data, "code", "skill", "limit"), **_words(data, "message", texts)})
    ]


def _counted(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    return [Told(kind, {**figures(data), "content": texts.of_value(data)})]


def _turn_ended(kind: str, data: JsonObject, texts: Texts) -> list[Told]:
    ok = kind == "turn.done"
    payload: dict[str, JsonValue] = {"ok": ok, "outcome": "done" if ok else "failed"}
    payload |= {**figures(data), **picked(data, "skill", "code"), **_words(data, "message", texts)}
    plan = data.get("plan")
    if isinstance(plan, Mapping):
        payload["plan"] = {**picked(plan, "state"), **figures(plan)}
    return [Told("chat.turn_done", payload)]


_KINDS: Mapping[str, Callable[[str, JsonObject, Texts], list[Told]]] = {
    "turn.started": _turn_started,
    "turn.done": _turn_ended,
    "turn.failed": _turn_ended,
    "skill.routed": _routed,
    "skill.activated": _activated,
    "skill.left": _left,
    "context.built": _context,
    "plan.created": _plan,
    "step.started": _step,
    "step.done": _step,
    "milestone.passed": _milestone,
    "milestone.failed": _milestone,
    "tool.called": _tool_called,
    "tool.result": _tool_result,
    "tool.violation": _violation,
    "exception.requested": _exception,
    "exception.decided": _exception,
    "table": _artifact,
    "chart": _artifact,
    "image": _artifact,
    "file": _artifact,
    "pause.opened": _pause,
    "pause.answered": _pause,
    "usage": _usage,
    "reflect": _counted,
    "report": _counted,
    "error": _error,
}
