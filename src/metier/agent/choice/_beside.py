"""A message that does not answer the open question: it is answered, and the question stays open."""

from metier.agent.adapters import read_assent, render_sentence
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.choice.details import set_plan_aside
from metier.agent.turn import ASKED_MESSAGE, TurnState, get_choices
from metier.language import join_names
from metier.routing import read_small_talk
from metier.textsearch import fold


async def answer_beside_question(state: TurnState) -> bool:
    """Continue the open state. With an open pause, the message is answered and the pause stays open."""
    if state.calls.pending_pause is None:
        return True
    if state.uses_builtin_model("converse"):
        language, texts = state.request.language, [str(one["text"]) for one in get_choices(state.calls.pending_pause)]
        if (talk := read_small_talk(fold(state.request.message))) in ("thanks", "farewell"):
            waits = "" if ASKED_MESSAGE in state.calls.pending_pause.payload else remind_of_pause(state)
            state.queue_reply("\n\n".join(one for one in (render_sentence(talk, language), waits) if one))
            return False
        choices = join_names([render_sentence("quoted", language, text=one) for one in texts], language)
        if choices and read_assent(state.request.message) == "yes":
            state.queue_reply(render_sentence("one_of", language, choices=choices))
            return False
        again = render_sentence("again", language, text=render_sentence("no_model", language))
        wanted = render_sentence("one_of", language, choices=choices) if choices else ""
        question = str(state.calls.pending_pause.payload.get("text", ""))
        state.queue_reply("\n\n".join(one for one in (again, question, wanted) if one))
        return False
    # A larger model may read a yes in words that are none by the rules; a small one calls what it is offered.
    set_plan_aside(state, holds_tools=state.resources.models.is_self_hosted(state.choose_model("act")))
    return True
