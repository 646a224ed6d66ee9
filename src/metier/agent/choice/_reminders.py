"""Reminder of the question that waits, at the end of an answer beside it, in the language of the answer."""

from typing import Final

from metier.agent.turn import (
    UNCLEAR,
    TurnState,
    count_chosen_rows,
    count_preview_rows,
    raises_doubt,
    translate_question,
)
from metier.language import Sentences
from metier.questions import remind_of_question
from metier.store import Pause

_SENTENCES: Final = Sentences(
    {
        "yes_to_all": (" A plain yes approves all {total} rows.", "回答「好的」批准全部 {total} 行。"),
        "yes_to_some": (
            " A plain yes approves {count} of {total} rows.",
            "回答「好的」批准 {total} 行中的 {count} 行。",
        ),
    }
)


def remind_of_pause(state: TurnState, *, tells_rows: bool = True) -> str:
    """Sentence that the open question waits; empty without one. A question about calls is worded anew.

    With `tells_rows` it says how many rows a plain yes approves, as the answer above may have been about fewer.
    """
    pause, language = state.calls.pending_pause, state.request.language
    asked = str(pause.payload.get("text", "")) if pause is not None else ""
    if pause is None or not asked:
        return ""
    text = str(translate_question(pause, state.get_spec, language).get("text") or asked)
    state.calls.reminder = remind_of_question(text, language) + (_tell_rows(state, pause) if tells_rows else "")
    return state.calls.reminder


def _tell_rows(state: TurnState, pause: Pause) -> str:
    """What a plain yes to an approval means; empty where it is asked about first, and for a single row."""
    if pause.payload.get("purpose") != "approve" or pause.payload.get(UNCLEAR) or raises_doubt(state.request.message):
        return ""
    count, total = count_chosen_rows(pause), count_preview_rows(pause)
    code = "yes_to_all" if count == total else "yes_to_some"
    return _SENTENCES.render(code, state.request.language, count=count, total=total) if total > 1 else ""
