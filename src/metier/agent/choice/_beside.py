"""A message that does not answer the open question: it is answered, and the question stays open."""

from typing import Final

from metier.agent.adapters import read_assent, render_sentence
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.choice.details import load_results, set_plan_aside
from metier.agent.turn import ASKED_MESSAGE, TurnState, count_preview_rows, get_choices
from metier.language import Sentences, join_names
from metier.questions import Results, asks_only, describe_tables, find_mentions
from metier.routing import read_small_talk
from metier.textsearch import fold

_SAID: Final = Sentences(
    {
        "unknown": (
            "I found no answer to that in the result, and nothing was done. It has these tables: {tables}; ask with "
            "words that stand in them.",
            "结果里没有找到这个问题的答案，也没有执行任何操作。结果里有这些表：{tables}，可以用表里的词来问。",
        ),
        "unknown_rows": (
            " Of what waits you can ask “which rows?” or “why row 1?”.",
            "关于等待批准的内容，可以问「哪几处」「第1行为什么要改」。",
        ),
    }
)


async def answer_unknown(state: TurnState) -> str | None:
    """What is said to a question that neither the results nor a skill answer; None without results or a question.

    Rows that have all its words are shown, and nothing is guessed.
    """
    message, pause, language = state.request.message, state.calls.pending_pause, state.request.language
    results = await load_results(state) if asks_only(message) else Results()
    if not results.tables or pause is None:
        return None
    if (found := find_mentions(message, results, language)) is not None:
        return found.text
    tables = describe_tables(results, language)
    if not tables:
        return None
    told = _SAID.render("unknown", language, tables=tables)
    asks_rows = pause.payload.get("purpose") == "approve" and count_preview_rows(pause) > 0
    return f"{told}{_SAID.render('unknown_rows', language)}" if asks_rows else told


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
        if (told := await answer_unknown(state)) is not None:
            state.queue_reply("\n\n".join(one for one in (told, remind_of_pause(state)) if one))
            return False
        again = render_sentence("again", language, text=render_sentence("no_model", language))
        wanted = render_sentence("one_of", language, choices=choices) if choices else ""
        question = str(state.calls.pending_pause.payload.get("text", ""))
        state.queue_reply("\n\n".join(one for one in (again, question, wanted) if one))
        return False
    # A larger model may read a yes in words that are none by the rules; a small one calls what it is offered.
    set_plan_aside(state, holds_tools=state.resources.models.is_self_hosted(state.choose_model("act")))
    return True
