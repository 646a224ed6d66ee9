"""Words that choose among the rows of an open approval: the rows are shown, and the next plain yes is about them."""

import re
from collections.abc import Mapping
from typing import Final

from metier.agent.turn import TurnState, choose_preview_rows, count_preview_rows, narrow_approval, sounds_partial
from metier.language import Sentences
from metier.questions import Answer, is_detail_question

_ALWAYS: Final = re.compile(
    r"(?:以后|下次|今后|往后|后面).{0,6}(?:不用|不必|别|无需|不要)再?问|(?:不用|别|不要)再问|一直同意|总是(?:同意|批准)"
    r"|\b(?:without asking|don't ask (?:me )?again|do not ask (?:me )?again|stop asking|always (?:approve|apply)"
    r"|(?:from now on|next time).{0,20}(?:approve|apply|ask))\b",
    re.IGNORECASE,
)
_SENTENCES: Final = Sentences(
    {
        "rows_chosen": (
            "{count} of {total} rows {words}; the other {left} would not be done. A plain yes approves these only.",
            "{total} 行中选出 {count} 行，{words}；其余 {left} 行不会执行。回答「好的」只批准这些。",
        ),
        "rows_chosen_by_place": (
            "{count} of {total} rows; the other {left} would not be done. A plain yes approves these only.",
            "{total} 行中选出 {count} 行；其余 {left} 行不会执行。回答「好的」只批准这些。",
        ),
        "rows_unread": (
            "I did not understand which rows you mean; nothing was approved. Untick the rows you do not want in the "
            "table and approve, or name them as “except …”, “only …” or “the first 10”. A plain yes would approve "
            "{count} of {total} rows now.",
            "没有听懂要批准哪些行，什么都没有执行。可以在表里取消勾选不要的行再批准，或者用「除了……」「只要……」「前10条」来说。"
            "现在回答「好的」会批准 {total} 行中的 {count} 行。",
        ),
        "always_asked": (
            "Each time is asked about by itself, so nothing was approved yet. Is this one approved?",
            "每一次都会单独询问，不能预先批准，所以还没有执行。这一次批准吗？",
        ),
    }
)


def asks_no_more(message: str) -> bool:
    """Whether a message wants approvals to be given without asking."""
    return _ALWAYS.search(message) is not None


def read_row_choice(state: TurnState) -> Answer | None:
    """The rows of an open approval that the message chooses; None if it chooses none.

    A message that only seems to choose is told how; a language model may understand it.
    """
    pause, language, said = state.calls.pending_pause, state.request.language, state.request.message
    if pause is None or pause.payload.get("purpose") != "approve":
        return None
    chosen = choose_preview_rows(pause, said, language)
    if chosen is not None:
        left = chosen.total - len(chosen.ids)
        told = {"count": len(chosen.ids), "total": chosen.total, "left": left, "words": chosen.words}
        code = "rows_chosen" if chosen.words else "rows_chosen_by_place"
        return Answer(_SENTENCES.render(code, language, **told), tables=(chosen.table,))
    if asks_no_more(said):
        return Answer(_SENTENCES.render("always_asked", language))
    if not sounds_partial(said) or is_detail_question(said) or not state.uses_builtin_model("converse"):
        return None
    total = count_preview_rows(pause)
    given = narrow_approval(pause, {"decision": "approve"}, state.request.earlier_messages)
    rows = given.get("rows") if isinstance(given, Mapping) else None
    count = len(rows) if isinstance(rows, list) else total
    return Answer(_SENTENCES.render("rows_unread", language, count=count, total=total))
