"""Reminder of the question that waits, at the end of an answer beside it, in the language of the answer."""

from metier.agent.turn import TurnState, translate_question
from metier.questions import remind_of_question


def remind_of_pause(state: TurnState) -> str:
    """Sentence that the open question waits; empty without one. A question about calls is worded anew."""
    pause, language = state.calls.pending_pause, state.request.language
    asked = str(pause.payload.get("text", "")) if pause is not None else ""
    if pause is None or not asked:
        return ""
    return remind_of_question(str(translate_question(pause, state.get_spec, language).get("text") or asked), language)
