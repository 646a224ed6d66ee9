"""Rows of an approval that words choose: "except the azimuths"; the next plain yes approves only these."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, language_of
from metier.questions import ResultTable, choose_rows, tables_in_preview
from metier.store import Message, Pause

_ALL: Final = re.compile(r"全部|所有|\ball\b|\beverything\b", re.IGNORECASE)
_PARTIAL: Final = re.compile(
    r"除了|除去|除外|只(?:要|下发|改|批准|同意|执行|做|留)|前\s*[\d一二三四五六七八九十]+\s*[条个行处]|别[动改]|跳过|去掉|部分"
    r"|不[动行改下]|[以之]外|除.{1,8}外|还要"
    r"|\b(?:except|excluding|apart from|other than|without|only|just|skip|leave out|but|besides|first \d+|some of)\b",
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
    if pause.payload.get("purpose") != "approve":
        return None
    calls = pause.payload.get("calls")
    previews = [
        one["preview"]
        for one in (calls if isinstance(calls, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("preview"), Mapping)
    ]
    if len(previews) != 1 or not isinstance(previews[0], Mapping) or not previews[0].get("chosen_as"):
        return None
    said = language_of(message)
    table = next(iter(tables_in_preview(pause.payload, "", said)), None)
    ids = [str(one.get("id")) for one in _list(previews[0].get("rows")) if isinstance(one, Mapping)]
    choice = choose_rows(message, table, said) if table is not None and len(ids) == len(table.rows) else None
    if choice is None:
        return None
    shown = next(iter(tables_in_preview(pause.payload, "", language or said)), table)
    assert shown is not None
    rows = tuple(shown.rows[at] for at in choice.rows)
    cut = replace(shown, rows=rows, total=len(rows))
    return ChosenPreview(tuple(ids[at] for at in choice.rows), choice.total, cut, choice.words)


def count_preview_rows(pause: Pause) -> int:
    """How many rows the calls of an approval show."""
    return sum(len(one.rows) for one in tables_in_preview(pause.payload, "", "en"))


def sounds_partial(message: str) -> bool:
    """Whether a message seems to choose among rows, whatever it says of them."""
    return _PARTIAL.search(message) is not None


def narrow_approval(pause: Pause, answer: JsonValue, history: Sequence[Message]) -> JsonValue:
    """A plain approval with the rows that the user chose in words since it was asked; others as they are."""
    if not is_plain_approval(pause, answer):
        return answer
    asked = max((at for at, one in enumerate(history) if one.turn == pause.turn), default=-1)
    for one in reversed(history[asked + 1 :]):
        if one.role != "user":
            continue
        if (chosen := choose_preview_rows(pause, one.content)) is not None:
            return {"decision": "approve", "rows": [{"id": row} for row in chosen.ids]}
        if _ALL.search(one.content):
            break
    return answer


def is_plain_approval(pause: Pause, answer: JsonValue) -> bool:
    """Whether an answer approves all that a question asks about."""
    return pause.payload.get("purpose") == "approve" and answer == {"decision": "approve"}


def _list(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, list) else ()
