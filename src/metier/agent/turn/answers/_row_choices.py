"""Rows of an approval that words choose: "except the azimuths"; the next plain yes approves only these."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.agent.adapters import hesitates
from metier.agent.turn.answers._values import STRIP_CHARS
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, resolve_language
from metier.patterns import compile_later
from metier.questions import ResultTable, choose_rows, read_places, tables_in_preview
from metier.store import Pause
from metier.tools import digest_arguments

UNCLEAR: Final = "in_doubt"  # there too: words were said that no rule reads, so that a plain yes is asked about once
CHOSEN: Final = "chosen_rows"  # in the payload of an open approval: ids of the rows that a plain yes approves
_DIGEST_CHARS: Final = 32
_VERB_ZH: Final = "批准|同意|下发|执行|写入|应用|通过|确认|选|要|做|改"
_VERB_EN: Final = "approve|apply|do|write|choose|select|take|run|make|push|change|confirm|accept|include|keep"
# A whole message: 所有小区的RSRP会变好吗 and "show me all changes" choose nothing.
_ALL: Final = compile_later(
    rf"(?:(?:好的?|行|可以|那|还是|请|就|我|改(?:成|为)|换成)[，,、\s]*)*"
    rf"(?:(?:{_VERB_ZH})(?:全部|所有|全都)的?(?:改动|参数|小区|行|条)?"
    rf"|(?:全部|所有|全都?)的?(?:改动|参数|小区|行|条)?[都也]?(?:{_VERB_ZH})(?:一遍)?|(?:全部"
    rf"|所有)的?(?:\s*\d+\s*)?[行条]?)(?:吧|了|好了)?"
    r"|(?:(?:yes|ok|okay|actually|please|then|just|no)[,.]? )*"
    rf"(?:(?:{_VERB_EN}) (?:(?:them|these|it) )?(?:all|everything|every row)(?: of (?:them|these|it))?"
    r"(?: (?:the |these )?(?:\d+ )?(?:rows|changes|cells|parameters))?"
    r"|(?:to )?all(?: of them|(?: \d+)? rows)?|(?:to )?everything)"
    r"(?:,? (?:please|then|now|instead|after all))?",
    re.IGNORECASE,
)
_PARTIAL: Final = compile_later(
    r"除了|除去|除外|只(?:要|下发|改|批准|同意|执行|做|留)|前\s*[\d一二三四五六七八九十]+\s*[条个行处]|别[动改]|跳过"
    r"|去掉|部分"
    r"|(?<!动)不动|(?<!行)不行|(?<!改)不改|(?<!下)不下|[以之]外|除.{1,8}外|还要"
    r"|\b(?:except|excluding|apart from|other than|without|only|just|skip|leave out|but|besides|first \d+|some of)\b",
    re.IGNORECASE,
)


_REFUSAL: Final = compile_later(
    r"^(?:(?:不(?:是|对|行|要|用|好|可以|同意)?(?:这样|全部|全改|都改)?(?:的|吧|了|啊|呀)?|别"
    r"|no(?:pe)?|nah|not (?:that|all|everything|like that))\s*[，,、。.;；!！]+\s*){1,3}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ChosenPreview:
    """Rows of a preview by their ids, as a table, with the choice in words; `total` is how many there are."""

    ids: tuple[str, ...]
    total: int
    table: ResultTable
    words: str


def choose_preview_rows(pause: Pause, message: str, language: Language | None = None) -> ChosenPreview | None:
    """The rows of an approval that a message chooses; None if it chooses none, or not all of its words are read."""
    ids = list_choosable(pause)
    if not ids:
        return None
    said = resolve_language("auto", message)
    table = next(iter(tables_in_preview(pause.payload, "", said)), None)
    choice = choose_rows(message, table, said) if table is not None and len(ids) == len(table.rows) else None
    if choice is None:
        return None
    shown = next(iter(tables_in_preview(pause.payload, "", language or said)), table)
    assert shown is not None
    rows = tuple(shown.rows[at] for at in choice.rows)
    cut = replace(shown, rows=rows, total=len(rows))
    return ChosenPreview(tuple(ids[at] for at in choice.rows), choice.total, cut, choice.words)


def list_choosable(pause: Pause) -> list[str]:
    """Ids of the rows that an approval shows, if it is about one table whose rows can be chosen."""
    if pause.payload.get("purpose") != "approve":
        return []
    previews = [one["preview"] for one in _list_calls(pause) if isinstance(one.get("preview"), Mapping)]
    if len(previews) != 1 or not isinstance(previews[0], Mapping) or not previews[0].get("chosen_as"):
        return []
    return [str(one.get("id")) for one in _list(previews[0].get("rows")) if isinstance(one, Mapping)]


def count_preview_rows(pause: Pause) -> int:
    """How many rows the calls of an approval show."""
    return sum(len(one.rows) for one in tables_in_preview(pause.payload, "", "en"))


def cut_refusal(pause: Pause, message: str) -> str:
    """What a message chooses after it has said no to the rest: 不，只改第二处; any other message as it is."""
    wanted = _REFUSAL.sub("", message.strip(), count=1)
    if wanted == message.strip() or not list_choosable(pause):
        return message
    chooses = read_places(wanted) is not None or wants_all_rows(pause, wanted)
    return wanted if chooses or choose_preview_rows(pause, wanted) is not None else message


def count_chosen_rows(pause: Pause) -> int:
    """How many rows a plain yes to an approval would approve: those that words chose, or all."""
    chosen = pause.payload.get(CHOSEN)
    return len(chosen) if isinstance(chosen, list) else count_preview_rows(pause)


def sounds_partial(message: str) -> bool:
    """Whether a message seems to choose among rows, whatever it says of them."""
    return _PARTIAL.search(message) is not None


def wants_all_rows(pause: Pause, message: str) -> bool:
    """Whether a message says, and says only, that an approval whose rows can be chosen is about all of them."""
    said = " ".join(message.split()).strip(STRIP_CHARS)
    return bool(list_choosable(pause)) and not hesitates(message) and _ALL.fullmatch(said) is not None


def narrow_approval(pause: Pause, answer: JsonValue) -> JsonValue:
    """An approval with the rows that were chosen in words and promised to be the only ones; others as they are.

    It stays as it is if it names rows of its own. A note, or decisions about other calls beside it, widen nothing:
    a plain yes to several calls is one to each, and the rows go with the call that shows them.
    """
    rows, calls = _list(pause.payload.get(CHOSEN)), _list_calls(pause)
    if not rows or pause.payload.get("purpose") != "approve" or not isinstance(answer, Mapping):
        return answer
    each = answer.get("decisions")
    if not isinstance(each, Mapping) and len(calls) == 1:
        return _add_rows(answer, rows)
    if not isinstance(each, Mapping):
        if answer.get("decision") != "approve" or "rows" in answer:
            return answer
        each, answer = {str(one.get("id")): answer for one in calls}, {}
    choosing = {str(one.get("id")) for one in calls if _has_choosable_rows(one)}
    narrowed = {call: _add_rows(given, rows) if call in choosing else given for call, given in each.items()}
    return {**answer, "decisions": narrowed}


def digest_question(payload: JsonObject) -> str:
    """Short digest of what a yes to an approval means: its calls, their previews, the chosen rows, an open doubt.

    Whoever decides sends it back, so that what was changed or put in doubt after it was shown is not approved unseen.
    Empty for other questions.
    """
    if payload.get("purpose") != "approve":
        return ""
    calls = [one for one in _list(payload.get("calls")) if isinstance(one, Mapping)]
    asked: list[JsonValue] = [
        shown.get("digest") if isinstance(shown := one.get("preview"), Mapping) else [one.get("name"), one.get("args")]
        for one in calls
    ]
    rows: JsonValue = [*_list(payload.get(CHOSEN))] or None
    doubt: JsonObject = {"doubt": True} if payload.get(UNCLEAR) else {}
    return digest_arguments({"calls": asked, "rows": rows, **doubt}).removeprefix("sha256:")[:_DIGEST_CHARS]


def _add_rows(decision: JsonValue, rows: Sequence[JsonValue]) -> JsonValue:
    """Decision about a call with the rows that were chosen of it."""
    if not isinstance(decision, Mapping) or decision.get("decision") != "approve" or "rows" in decision:
        return decision
    return {**decision, "rows": [{"id": row} for row in rows]}


def _has_choosable_rows(call: JsonObject) -> bool:
    preview = call.get("preview")
    return isinstance(preview, Mapping) and bool(preview.get("chosen_as"))


def _list_calls(pause: Pause) -> list[JsonObject]:
    return [one for one in _list(pause.payload.get("calls")) if isinstance(one, Mapping)]


def _list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else ()
