"""Telemetry payload of each kind of runtime event: names, numbers and codes; texts only as redacted facts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from metier.json_values import JsonObject, JsonValue
from metier.patterns import compile_later
from metier.telemetry._texts import TextRedactor

_COUNTS: Final = ("found", "hits", "documents", "count")
_LISTS: Final = ("results", "hits", "documents", "material", "passages", "sources", "matches", "items", "cases", "rows")
_NO_HITS: Final = frozenset({"columns", "options", "notes", "suggestions", "charts"})
_NOTHING: Final = compile_later(
    r"(?i)\s*(?:nothing (?:was |is )?(?:found|known)|no (?:results?|hits?|match(?:es)?)\b|not found"
    r"|(?:没有|没|未)(?:找到|查到|搜到|结果)|无结果)"
)
_MEMORIES: Final = "memories"
SKILL_DETAILS: Final = ("skill", "title", "version", "digest", "scenario", "why")
_EXECUTION_NAMES: Final = ("host_app", "mode", "plan", "skill")
_MAX_CHARS: Final = 200
_MAX_NAMES: Final = 20


class NamedPayload(NamedTuple):
    """Name and payload of a telemetry event."""

    name: str
    payload: dict[str, JsonValue]


def build_payloads(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    """Build the telemetry payloads of one runtime event; none for kinds that are not recorded."""
    make = _BUILDERS.get(kind)
    return [] if make is None else make(kind, data, texts)


def as_number(value: JsonValue) -> float | None:
    """Return the value if it is a number, else None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def pick_fields(data: JsonObject, *names: str) -> dict[str, JsonValue]:
    """Pick these fields if present; texts are cut to 200 characters."""
    found = {name: data[name] for name in names if data.get(name) is not None}
    return {name: value[:_MAX_CHARS] if isinstance(value, str) else value for name, value in found.items()}


def pick_numbers(data: JsonObject) -> dict[str, JsonValue]:
    """Pick only numbers and booleans."""
    return {name: value for name, value in data.items() if isinstance(value, int | float)}


def _describe_text(data: JsonObject, name: str, texts: TextRedactor) -> dict[str, JsonValue]:
    value = data.get(name)
    return {name: texts.describe(value)} if isinstance(value, str) and value else {}


def _count_items(value: JsonValue) -> int:
    return len(value) if isinstance(value, Sequence | Mapping) and not isinstance(value, str) else 0


def _from_turn_started(_kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload("chat.turn_start", {**pick_fields(data, "skill"), **_describe_text(data, "message", texts)})]


def _from_skill_routed(_kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    listed = data.get("candidates")
    candidates = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    scores = [as_number(one.get("score")) or 0.0 for one in candidates]
    shown: list[JsonValue] = [_candidate_to_json(one, texts) for one in candidates]
    payload = pick_fields(data, "verdict", "route", "skill", "skills", "vectors", "elapsed_ms")
    payload |= {"candidates": shown, "score": scores[0] if scores else None}
    if len(scores) > 1:
        payload["margin"] = round(scores[0] - scores[1], 4)
    return [NamedPayload("skills.selected", payload)]


def _candidate_to_json(one: JsonObject, texts: TextRedactor) -> JsonObject:
    hits = one.get("trigger_hits")  # words of the message: only their number, unless content is kept
    return {**pick_fields(one, "skill", "score"), "trigger_hits": hits if texts.content else _count_items(hits)}


def _from_skill_activated(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload("skills.activated", pick_fields(data, *SKILL_DETAILS))]


def _from_skill_left(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload("skills.left", pick_fields(data, "skill", "why"))]


def _from_context_built(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    payload = pick_fields(data, "phase", "mode", "skill", "tokens", "limit_tokens", "over_budget")
    listed = data.get("sections")
    sections = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, Sequence) else []
    payload["sections"] = {str(one.get("name")): one.get("tokens") for one in sections}
    payload |= {name: _count_items(data.get(name)) for name in ("offered", "dropped", "missing")}
    return [NamedPayload("context.built", payload)]


def _from_plan_created(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    counts = {name: _count_items(data.get(name)) for name in ("steps", "milestones")}
    return [NamedPayload("plan.created", {**pick_fields(data, "source", "skill", "task_type"), **counts})]


def _from_step(kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload("plan.step", {"phase": kind.removeprefix("step."), **pick_fields(data, "step", "state")})]


def _from_fact(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    told = {"phase": kind.removeprefix("fact."), **pick_fields(data, "name", "source", "skill", "step")}
    return [NamedPayload("fact", {**told, **_describe_text(data, "label", texts)})]


def _from_attachment(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    told = {"phase": kind.removeprefix("attachment."), **pick_fields(data, "media_type", "bytes", "text_chars")}
    return [NamedPayload("attachment", {**told, **_describe_text(data, "name", texts)})]


def _from_milestone(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    passed = {"passed": kind == "milestone.passed"}
    return [
        NamedPayload(
            "milestone", {**pick_fields(data, "milestone", "step"), **passed, **_describe_text(data, "reason", texts)}
        )
    ]


def _from_tool_called(_kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    payload = pick_fields(data, "tool", "call", "step", "parent")
    given = data.get("arguments")
    named = sorted(given)[:_MAX_NAMES] if isinstance(given, Mapping) else []
    return [
        NamedPayload("tool.called", {**payload, "arguments": {"names": named, **texts.describe_value(given or {})}})
    ]


def _from_tool_result(_kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    payload = pick_fields(data, "tool", "call", "state", "elapsed_ms", "parent")
    payload["ok"] = data.get("ok") is True or data.get("status") == "success"
    error = data.get("error")
    if isinstance(error, Mapping):
        payload |= {**pick_fields(error, "code"), **_describe_text(error, "message", texts)}
    result = data.get("data", data.get("content", data.get("text")))
    payload["result"] = texts.describe_value(result)
    done = NamedPayload("tool.done", payload)
    if isinstance(result, Mapping) and isinstance(executed := result.get("execution"), Mapping):
        return [done, *_from_execution(pick_fields(data, "tool", "call"), executed)]
    retriever = data.get("retrieved")
    hits = _count_hits(retriever, result) if isinstance(retriever, str) else None
    if hits is None:
        return [done]
    told = result if isinstance(result, Mapping) else {}
    found = {"retriever": retriever, **pick_fields(told, "source"), "hits": hits}
    found |= _describe_text(told, "query", texts)
    return [done, NamedPayload("rag.retrieve", {**pick_fields(data, "tool", "elapsed_ms"), **found})]


def _count_hits(retriever: str, result: JsonValue) -> int | None:
    """How much a retriever found: what it counts as found, else its list of results, else whether it found anything.

    A total may be what there is beside the few that were given, so it counts only where there is no list.

    None for a call that searched nothing, such as keeping a memory.
    """
    if not isinstance(result, Mapping):
        return _count_items(result) or int(bool(result) and not _says_nothing(result))
    if retriever == "memory":
        return _count_items(result[_MEMORIES]) if _MEMORIES in result else None
    lists = {name: len(one) for name, one in result.items() if isinstance(one, Sequence) and not isinstance(one, str)}
    named = next((lists[name] for name in _LISTS if name in lists), None)
    listed = named if named is not None else max((lists[name] for name in lists if name not in _NO_HITS), default=None)
    counts = (*(result.get(name) for name in _COUNTS), listed, result.get("total"))
    counted = next((one for one in counts if isinstance(one, int) and not isinstance(one, bool)), None)
    if counted is not None:
        return counted
    return int(bool(result.get("found", result)) and not any(map(_says_nothing, result.values())))


def _says_nothing(value: JsonValue) -> bool:
    return isinstance(value, str) and _NOTHING.match(value) is not None


def _from_execution(call: JsonObject, executed: JsonObject) -> list[NamedPayload]:
    """A plan that was written to a document: names, counts and times; never words of the document."""
    known = {**call, **pick_fields(executed, *_EXECUTION_NAMES)}
    counted = executed.get("operations")
    operations = pick_numbers(counted) if isinstance(counted, Mapping) else {}
    done: dict[str, JsonValue] = {**known, **pick_numbers(executed), "operations": operations}
    told = [NamedPayload("macro.exec_start", dict(known)), NamedPayload("macro.exec_done", done)]
    return told if executed.get("ok") is not False else [*told, NamedPayload("macro.error_report", dict(done))]


def _from_violation(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    names = ("tool", "call", "code", "layer", "source", "reason", "args_digest", "allowed", "parent")
    return [NamedPayload("tool.violation", pick_fields(data, *names))]


def _from_exception(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    state = "requested" if kind == "exception.requested" else data.get("state")
    payload: dict[str, JsonValue] = {"state": state, **pick_fields(data, "tool", "request", "by")}
    return [
        NamedPayload(
            "exception", {**payload, **_describe_text(data, "reason", texts), **_describe_text(data, "note", texts)}
        )
    ]


def _from_artifact(kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    sizes = {
        name: _count_items(data.get(name)) for name in ("rows", "columns", "series") if _count_items(data.get(name))
    }
    return [
        NamedPayload("artifact", {"kind": kind, **pick_numbers(data), **sizes, **pick_fields(data, "call", "tool")})
    ]


def _from_pause(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    if kind == "pause.opened":
        payload = {"state": "opened", **pick_fields(data, "pause", "kind", "purpose", "step", "tool")}
        return [
            NamedPayload(
                "pause",
                {**payload, "missing": _count_items(data.get("missing")), **_describe_text(data, "text", texts)},
            )
        ]
    state = "cancelled" if data.get("cancelled") else "answered"
    payload = {"state": state, **pick_fields(data, "pause", "purpose")}
    return [NamedPayload("pause", {**payload, "answer": texts.describe_value(data.get("answer"))})]


def _from_usage(_kind: str, data: JsonObject, _texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload("chat.llm_call", {**pick_numbers(data), **pick_fields(data, "model", "parent")})]


def _from_error(_kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    return [
        NamedPayload(
            "error",
            {
                **pick_numbers(data),
                **pick_fields(data, "code", "skill", "limit"),
                **_describe_text(data, "message", texts),
            },
        )
    ]


def _from_text_report(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    return [NamedPayload(kind, {**pick_numbers(data), "content": texts.describe_value(data)})]


def _from_turn_ended(kind: str, data: JsonObject, texts: TextRedactor) -> list[NamedPayload]:
    ok = kind == "turn.done"
    payload: dict[str, JsonValue] = {"ok": ok, "outcome": "done" if ok else "failed"}
    payload |= {**pick_numbers(data), **pick_fields(data, "skill", "code"), **_describe_text(data, "message", texts)}
    plan = data.get("plan")
    if isinstance(plan, Mapping):
        payload["plan"] = {**pick_fields(plan, "state"), **pick_numbers(plan)}
    return [NamedPayload("chat.turn_done", payload)]


_BUILDERS: Mapping[str, Callable[[str, JsonObject, TextRedactor], list[NamedPayload]]] = {
    "turn.started": _from_turn_started,
    "turn.done": _from_turn_ended,
    "turn.failed": _from_turn_ended,
    "skill.routed": _from_skill_routed,
    "skill.activated": _from_skill_activated,
    "skill.left": _from_skill_left,
    "context.built": _from_context_built,
    "plan.created": _from_plan_created,
    "step.started": _from_step,
    "step.done": _from_step,
    "milestone.passed": _from_milestone,
    "milestone.failed": _from_milestone,
    "fact.saved": _from_fact,
    "fact.removed": _from_fact,
    "attachment.added": _from_attachment,
    "attachment.removed": _from_attachment,
    "tool.called": _from_tool_called,
    "tool.result": _from_tool_result,
    "tool.violation": _from_violation,
    "exception.requested": _from_exception,
    "exception.decided": _from_exception,
    "table": _from_artifact,
    "chart": _from_artifact,
    "map": _from_artifact,
    "image": _from_artifact,
    "file": _from_artifact,
    "pause.opened": _from_pause,
    "pause.answered": _from_pause,
    "usage": _from_usage,
    "reflect": _from_text_report,
    "report": _from_text_report,
    "error": _from_error,
}
