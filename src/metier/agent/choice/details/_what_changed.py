"""What the conversation has changed: the rows that its approved calls were approved for."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from metier.agent.choice.details._load_results import load_results
from metier.agent.turn import TurnState, find_decision, turn_events
from metier.json_values import JsonObject
from metier.language import Language, Sentences
from metier.patterns import compile_later
from metier.questions import Answer, ResultTable, tables_in_preview
from metier.store import Pause
from metier.textsearch import to_simplified

_MAX_PAUSES: Final = 20
_MAX_TOLD: Final = 5
_MAX_CHARS: Final = 60
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_PLACES_ZH: Final = "个|处|里|儿|地方|些|部分|内容|东西|格|行|条"
_THINGS_ZH: Final = "参数|小区|站点|数值|数据|单元|字段|段落?|句子?|页|设置|改动"
# 多少个参数 is not among them: that is counted in the results.
_WHICH_ZH: Final = rf"(?:(?:哪些|哪几|哪|什么|啥|些什么)(?:{_PLACES_ZH}|{_THINGS_ZH})*|(?:多少|几)(?:{_PLACES_ZH})*)"
_THINGS_EN: Final = (
    "cells?|rows?|parts?|places?|changes?|lines?|parameters?|values?|settings?|paragraphs?|slides?|sites?"
)
# Of what was done: 改了哪些地方 asks, 改哪些地方 asks what would be done, and 把改了的地方标红 is an order.
_ASKS: Final = compile_later(
    rf"(?:请问|那|所以|刚才|刚刚|上一?次|最后|这次|你|都|具体|到底|究竟|一共|总共|我想知道|告诉我|说说|看看|文件里?|表里?){{0,6}}"
    rf"(?:改动?|修改|写入?|更改|变|调整|动|下发|更新)(?:了|过|的)(?:是|有|到)?{_WHICH_ZH}(?:呢|啊|呀|了|来着)?"
    rf"|(?:刚才|刚刚|上一?次|这次|你|都|有|做了?){{0,5}}{_WHICH_ZH}(?:改动|修改|变化|更改)(?:了|过|呢|啊|吗)?"
    rf"|{_WHICH_ZH}(?:被|是|都|已经?)?(?:改|修改|写|动|更改|变)(?:了|过)(?:的)?"
    rf"|(?:ok(?:ay)?,? |so |and |please )?(?:(?:what|which)(?: (?:{_THINGS_EN}))?)"
    r"(?: exactly)?(?: (?:did you|have you|has been|have been|was|were|got|you|just|now|were the|are the))*"
    r" (?:chang(?:e|ed|es)|edit(?:ed|s)?|written|writ(?:e|ten)|wrote|modif(?:y|ied)|done|do)"
    r"(?: (?:there|in (?:it|the (?:file|document|sheet|workbook))|just now|made))?"
    r"|(?:show|list|tell)(?: me)?(?: again)? (?:what|the changes) (?:you )?(?:changed|made|wrote|did)",
)
# Only the newest change is asked about: 刚才改了什么, "what was changed just now?".
_ASKS_LAST: Final = compile_later(r"刚才|刚刚|上一?次|最后|最近|这次|\b(?:just|last|latest)\b")
_SENTENCES: Final = Sentences(
    {
        "changed": ("“{title}” changed {count} rows, as listed.", "「{title}」改动了 {count} 处，见列表。"),
        "changed_whole": (
            "“{title}” was carried out; it has no list of places.",
            "「{title}」已执行，没有逐处的清单。",
        ),
        "several": (
            "Changes of this conversation, the earliest first: {count}.",
            "本次对话一共改动了 {count} 次，按先后列出。",
        ),
        "earlier": ("{count} earlier ones are not listed.", "更早的 {count} 次没有列出。"),
        "done": ("{title} (carried out)", "{title}（已执行）"),
        "numbered": ("{number}. {title}", "{number}. {title}"),
        "nothing": ("Nothing has been changed in this conversation.", "本次对话里还没有改动过任何内容。"),
        "undecided": (
            "Nothing has been changed yet: what waits above is still to be approved.",
            "还没有改动：上面的改动在等你批准。",
        ),
    }
)


def asks_what_changed(message: str) -> bool:
    """Whether a whole message asks what was changed: 改了哪些地方, "what did you change?"."""
    said = _normalise(message)
    return len(said) <= _MAX_CHARS and _ASKS.fullmatch(said) is not None


def _normalise(message: str) -> str:
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").lower().split())
    return said if said.isascii() else "".join(said.split())


async def tell_what_changed(state: TurnState) -> Answer | None:
    """The rows that approved calls were approved for; None where no call was and results may say more."""
    language = state.request.language
    answered = await state.resources.store.pauses.list_answered(state.conversation, "approval", limit=_MAX_PAUSES)
    done = [one for one in answered if _find_rows(one) is not None and await _was_done(state, one)]
    if not done:
        pause = state.calls.pending_pause
        is_waiting = pause is not None and pause.payload.get("purpose") == "approve"
        results = await load_results(state)
        if not results.is_change:
            return None
        return Answer(_SENTENCES.render("undecided" if is_waiting else "nothing", language))
    asked = done[:1] if _ASKS_LAST.search(_normalise(state.request.message)) else done[:_MAX_TOLD]
    told = [_tell_change(state, one) for one in reversed(asked)]
    if len(told) == 1:
        return told[0]
    lines = [_SENTENCES.render("several", language, count=len(done))]
    lines += [_SENTENCES.render("numbered", language, number=at, title=one.text) for at, one in enumerate(told, 1)]
    if len(asked) < len(done):
        lines.append(_SENTENCES.render("earlier", language, count=len(done) - len(asked)))
    tables = [
        replace(table, title=_SENTENCES.render("numbered", language, number=at, title=table.title))
        for at, one in enumerate(told, 1)
        for table in one.tables
    ]
    return Answer("\n".join(lines), tables=tuple(tables))


def _tell_change(state: TurnState, approved: Pause) -> Answer:
    """One change: its sentence, and the rows that were approved, as they were shown."""
    language, title = state.request.language, _name_calls(state, approved)
    table = _keep_rows(approved, language)
    if table is None:
        return Answer(_SENTENCES.render("changed_whole", language, title=title))
    table = replace(table, title=_SENTENCES.render("done", language, title=title))
    return Answer(_SENTENCES.render("changed", language, title=title, count=len(table.rows)), tables=(table,))


def _find_rows(pause: Pause) -> dict[str, JsonObject] | None:
    """The approved rows by their ids, empty for all of them; None unless the pause approved a call."""
    found: dict[str, JsonObject] = {}
    is_approved = False
    for call in _list_calls(pause):
        given = find_decision(str(call.get("id")), pause.answer)
        is_approved |= given.get("decision") in ("approve", "edit")
        rows = given.get("rows")
        found |= {str(one.get("id")): one for one in rows if isinstance(one, Mapping)} if isinstance(rows, list) else {}
    return found if is_approved else None


def _keep_rows(pause: Pause, language: Language) -> ResultTable | None:
    """The preview that was approved, without the rows that were left out and with the values that were typed over."""
    table = next(iter(tables_in_preview(pause.payload, "", language, names_first=False)), None)
    kept = _find_rows(pause) or {}
    if table is None or not kept:
        return table
    calls = _list_calls(pause)
    previews = [one.get("preview") for one in calls if isinstance(one.get("preview"), Mapping)]
    listed = previews[0].get("rows") if previews and isinstance(previews[0], Mapping) else None
    ids = [str(one.get("id")) for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    if len(ids) != len(table.rows):
        return table
    rows = tuple(
        tuple(kept[one].get(column.key, value) for column, value in zip(table.columns, row, strict=True))
        for one, row in zip(ids, table.rows, strict=True)
        if one in kept
    )
    return replace(table, rows=rows, total=len(rows))


async def _was_done(state: TurnState, pause: Pause) -> bool:
    """Whether a call of an answered approval has run and succeeded."""
    if pause.turn is None:
        return False
    store, ids = state.resources.store, {str(one.get("id")) for one in _list_calls(pause)}
    events = await turn_events(store, await store.turns.get(pause.turn))
    results = [one.data for one in events if one.kind == "tool.result"]
    return any(one.get("ok") is True and str(one.get("call")) in ids for one in results)


def _name_calls(state: TurnState, pause: Pause) -> str:
    """Titles of the calls in the language of the message."""
    titles = []
    for one in _list_calls(pause):
        spec = state.get_spec(str(one.get("name")))
        stored = str(one.get("title") or one.get("name"))
        titles.append(stored if spec is None else spec.title(state.request.language) or stored)
    return " / ".join(dict.fromkeys(titles))


def _list_calls(pause: Pause) -> list[JsonObject]:
    listed = pause.payload.get("calls")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
