"""Who approved a change of the conversation, and when: read from its events."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from metier.agent.turn import TurnState, turn_events
from metier.json_values import JsonObject
from metier.language import Sentences, join_names
from metier.store import Event, Principal

_ASKS: Final = re.compile(
    r"(?:是)?谁(?:来)?(?:批准|同意|审批|确认|下发|改|拒绝|让|授权)|(?:什么时候|何时|几点|哪天)(?:.{0,6})(?:批准|下发|改|生效|写入)"
    r"|(?:批准|下发|改动?|审批)(?:的)?(?:人|时间)(?:是谁|是什么时候|呢)?|(?:批准|下发|改)的?(?:是)?(?:谁|什么时候|几点)"
    r"|\bwho (?:approved|applied|changed|agreed|confirmed|signed|authori[sz]ed|refused|rejected)\b"
    r"|\bwhen (?:was|were|did|have) .{0,30}\b(?:appl(?:y|ied)|approved?|changed?)\b|\bapproved by whom\b",
    re.IGNORECASE,
)
_MAX_TURNS: Final = 12
_SENTENCES: Final = Sentences(
    {
        "approved": (
            "“{title}” was approved by {by} at {at} (UTC){rows}.",
            "「{title}」由 {by} 于 {at}（UTC）批准{rows}。",
        ),
        "refused": ("“{title}” was refused by {by} at {at} (UTC).", "「{title}」由 {by} 于 {at}（UTC）拒绝。"),
        "rows": (", {count} of {total} rows", "，{total} 行中的 {count} 行"),
        "all_rows": (", all {total} rows", "，全部 {total} 行"),
        "nobody": (
            "Nothing has been approved in this conversation.",
            "本次对话里还没有批准过任何改动。",
        ),
        "local": ("the user of this conversation", "本对话的用户"),
    }
)


def asks_who_decided(message: str) -> bool:
    """Whether a message asks who approved a change, or when."""
    return _ASKS.search(message) is not None


async def tell_who_decided(state: TurnState) -> str:
    """Who decided about changes in the last turns, the newest first; says so if nobody has."""
    store, lines = state.resources.store, list[str]()
    for turn in await store.turns.list(state.conversation, limit=_MAX_TURNS):
        if turn.id != state.turn:
            lines += reversed(_describe_decisions(state, await turn_events(store, turn)))
    return "\n".join(lines) or _SENTENCES.render("nobody", state.request.language)


def _describe_decisions(state: TurnState, events: Sequence[Event]) -> list[str]:
    asked = {str(one.data.get("pause")): one.data for one in events if one.kind == "pause.opened"}
    lines = []
    for event in events:
        answer = event.data.get("answer")
        if event.kind != "pause.answered" or event.data.get("purpose") != "approve" or not isinstance(answer, Mapping):
            continue
        question = asked.get(str(event.data.get("pause")), {})
        lines.append(_describe_decision(state, event, answer, question))
    return lines


def _describe_decision(state: TurnState, event: Event, answer: JsonObject, question: JsonObject) -> str:
    language, given = state.request.language, event.data.get("by")
    listed = question.get("calls")
    calls = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    title = join_names([str(one.get("title") or one.get("name")) for one in calls], language)
    who = _SENTENCES.render("local", language)
    if isinstance(given, Mapping):
        who = Principal(str(given.get("user", "")), str(given.get("key", ""))).describe()
    told = {"title": title, "by": who, "at": event.at.strftime("%Y-%m-%d %H:%M")}
    if answer.get("decision") == "reject":
        return _SENTENCES.render("refused", language, **told)
    rows, total = answer.get("rows"), sum(map(_count_rows, calls))
    count = len(rows) if isinstance(rows, list) else total
    code = "rows" if count < total else "all_rows"
    told["rows"] = _SENTENCES.render(code, language, count=count, total=total) if total else ""
    return _SENTENCES.render("approved", language, **told)


def _count_rows(call: JsonObject) -> int:
    preview = call.get("preview")
    rows = preview.get("rows") if isinstance(preview, Mapping) else None
    return len(rows) if isinstance(rows, list) else 0
