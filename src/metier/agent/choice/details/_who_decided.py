"""Who approved a change of the conversation, and when: read from its answered approvals."""

import re
from collections.abc import Mapping
from typing import Final

from metier.agent.turn import TurnState, find_decision
from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.patterns import compile_later
from metier.store import Pause

# Words of approving or applying, and of what has happened: 什么时候改标题比较好 and 什么时候下发比较好 ask for advice.
_ASKS: Final = compile_later(
    r"谁(?:批准|同意|审批|授权|确认|下发|写入|拒绝)(?:了|的|过|这|[？?。]|$)|谁(?:让|叫)(?:你)?(?:改|下发|写入)"
    r"|(?:什么时候|何时|几点|哪天)(?:.{0,6})(?:批准|审批|下发|写入|生效)(?:的|了|过)"
    r"|(?:批准|审批|下发)的?(?:人|时间)(?:是谁|是哪位|是什么时候|是几点|呢)|(?:批准|下发)的?是(?:谁|什么时候|几点)"
    r"|\bwho (?:has |had )?(?:approved|applied|agreed to|authori[sz]ed|refused|rejected|declined)\b"
    r"|\bwhen (?:was|were|did|has|have) .{0,30}\b(?:applied|approved?|authori[sz]ed|rejected)\b|\bapproved by whom\b",
    re.IGNORECASE,
)
_MAX_PAUSES: Final = 1_000
_MAX_LINES: Final = 20
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
        "earlier": ("{count} earlier decisions are not listed here.", "另有 {count} 个更早的决定没有列出。"),
        "local": ("the user of this conversation", "本对话的用户"),
    }
)


def asks_who_decided(message: str) -> bool:
    """Whether a message asks who approved a change, or when."""
    return _ASKS.search(message) is not None


async def tell_who_decided(state: TurnState) -> str:
    """Who decided about each call of the conversation, the newest first; says so if nobody has."""
    language = state.request.language
    answered = await state.resources.store.pauses.list_answered(state.conversation, "approval", limit=_MAX_PAUSES)
    lines = [line for pause in answered for line in describe_decisions(pause, language)]
    if not lines:
        return _SENTENCES.render("nobody", language)
    left = len(lines) - _MAX_LINES
    return "\n".join([*lines[:_MAX_LINES], *([_SENTENCES.render("earlier", language, count=left)] if left > 0 else [])])


def describe_decisions(pause: Pause, language: Language) -> list[str]:
    """A sentence for each call that an answered approval decided about; none if it was put away."""
    if pause.payload.get("purpose") != "approve" or pause.answered_at is None:
        return []
    listed, by = pause.payload.get("calls"), pause.answerer
    calls = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    who = by.describe() if by is not None else _SENTENCES.render("local", language)
    told = {"by": who, "at": pause.answered_at.strftime("%Y-%m-%d %H:%M")}
    decided = [(one, find_decision(str(one.get("id")), pause.answer)) for one in calls]
    return [_describe_decision(one, given, told, language) for one, given in decided if given.get("decision")]


def _describe_decision(call: JsonObject, given: JsonObject, told: Mapping[str, str], language: Language) -> str:
    title = str(call.get("title") or call.get("name"))
    if given.get("decision") == "reject":
        return _SENTENCES.render("refused", language, title=title, **told)
    rows, total = given.get("rows"), _count_rows(call)
    count = len(rows) if isinstance(rows, list) else total
    code = "rows" if count < total else "all_rows"
    shown = _SENTENCES.render(code, language, count=count, total=total) if total else ""
    return _SENTENCES.render("approved", language, title=title, rows=shown, **told)


def _count_rows(call: JsonObject) -> int:
    preview = call.get("preview")
    rows = preview.get("rows") if isinstance(preview, Mapping) else None
    return len(rows) if isinstance(rows, list) else 0
