"""A message that does not answer the open question: it is answered beside it, or the question is put aside for it."""

from collections.abc import Mapping
from typing import Final

from metier.agent.adapters import read_assent, render_sentence
from metier.agent.choice._attached_names import load_attached_names
from metier.agent.choice._claims import tell_claim
from metier.agent.choice._lookups import is_lookup, look_up_beside
from metier.agent.choice._reminders import remind_of_pause
from metier.agent.choice._set_aside import put_question_aside
from metier.agent.choice.details import load_results, names_other_value, set_plan_aside, tell_unread
from metier.agent.turn import ASKED_MESSAGE, TurnState, count_preview_rows, get_choices, may_reply
from metier.attachments import replace_names
from metier.json_values import JsonValue
from metier.language import Language, Sentences, join_names
from metier.questions import Results, asks_only, describe_tables, find_mentions
from metier.routing import Decision, read_small_talk
from metier.store import Pause
from metier.textsearch import fold

_MAX_OFFERS: Final = 3
_SAID: Final = Sentences(
    {
        "unknown": (
            "I found no answer to that in the result, and nothing was done. It has these tables: {tables}; ask with "
            "words that stand in them.",
            "结果里没有找到这个问题的答案，也没有执行任何操作。结果里有这些表：{tables}，可以用表里的词来问。",
        ),
        "form_first": (
            "That comes after the form: it cannot be answered without {names}. Fill it in above, or say “never mind”.",
            "先要填好上面的表单才能回答：还缺{names}。填好后再问一次，不填就说「算了」。",
        ),
        "form_check": (
            "That comes after the form: check it above and send it, or say “never mind”.",
            "先核对并提交上面的表单，之后再问一次；不填就说「算了」。",
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
    return f"{told}{_SAID.render('unknown_rows', language)}" if _shows_rows(pause) else told


def _ask_for_form(pause: Pause, language: Language) -> str:
    """What the open form for user data still needs before anything can be answered; empty for other questions."""
    if pause.payload.get("purpose") != "profile":
        return ""
    fields, required, known = pause.schema.get("properties"), pause.schema.get("required"), pause.payload.get("known")
    absent = [
        str(one)
        for one in (required if isinstance(required, list) else ())
        if not (isinstance(known, Mapping) and known.get(str(one)))
    ]
    titles = [_name_field(fields, one) for one in absent]
    return _SAID.render("form_first" if titles else "form_check", language, names=titles)


def _name_field(fields: JsonValue, name: str) -> str:
    """The title of a field without the hints behind it: 出生地点 of 出生地点（城市，可加经度）."""
    field = fields.get(name) if isinstance(fields, Mapping) else None
    hints = field.get("x-ui") if isinstance(field, Mapping) else None
    title = str(hints.get("title") or name) if isinstance(hints, Mapping) else name
    return title.partition("（")[0].partition(" (")[0]


def _shows_rows(pause: Pause) -> bool:
    """Whether a question is an approval whose rows can be asked about."""
    return pause.payload.get("purpose") == "approve" and count_preview_rows(pause) > 0


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
        pause = state.calls.pending_pause
        if pause.payload.get("purpose") == "approve" and count_preview_rows(pause) and may_reply(state.request.message):
            told = f"{tell_unread(state, pause).text}\n\n{remind_of_pause(state, tells_rows=False)}"
            state.queue_reply(told)
            return False
        again = _ask_for_form(pause, language) or render_sentence(
            "again", language, text=render_sentence("no_model", language)
        )
        again += _SAID.render("unknown_rows", language) if _shows_rows(state.calls.pending_pause) else ""
        wanted = render_sentence("one_of", language, choices=choices) if choices else ""
        question = str(state.calls.pending_pause.payload.get("text", ""))
        state.queue_reply("\n\n".join(one for one in (again, question, wanted) if one))
        return False
    # A larger model may read a yes in words that are none by the rules; a small one calls what it is offered.
    set_plan_aside(state, holds_tools=state.resources.models.is_self_hosted(state.choose_model("act")))
    return True


async def leave_open_work(state: TurnState, decision: Decision, *, is_taken: bool, is_switch: bool) -> bool | None:
    """Put the open question aside for another request; or the answer is complete, beside the question."""
    if state.skill.active is None or not state.has_open_work:
        return None
    if not is_switch and not _is_other_request(state, decision):
        return await answer_beside_question(state)
    if await look_up_beside(state, [decision.skill] if is_taken else [one.skill for one in decision.candidates]):
        return False
    if await _asks_about_open(state, decision):
        return await answer_beside_question(state)
    if (pause := state.calls.pending_pause) is not None and _is_about_approval(state, pause, decision):
        told = tell_unread(state, pause)
        state.queue_reply("\n\n".join((told.text, remind_of_pause(state, tells_rows=False))))
        offers = [state.request.catalog.get(one.skill) for one in decision.candidates]
        state.calls.offers += [
            {"text": one.title_in(state.request.language), "value": f"/{one.id} {state.request.message}"}
            for one in offers[:_MAX_OFFERS]
            if one is not None
        ]
        return False
    await put_question_aside(state)
    return None


def _is_about_approval(state: TurnState, pause: Pause, decision: Decision) -> bool:
    """Whether words that may limit the open approval would put it aside for skills that are only guessed."""
    is_guess = decision.verdict == "suggest" and pause.payload.get("purpose") == "approve"
    return is_guess and state.uses_builtin_model("converse") and may_reply(state.request.message)


async def _asks_about_open(state: TurnState, decision: Decision) -> bool:
    """Whether a message only asks, and of the skill that waits for an answer, or for a term that nobody knows.

    A question never runs the skill again that has opened a question, unless it names another value, such as a place;
    and no question puts an approval aside for a skill that is only guessed, nor any message for a guess at its own.
    """
    active, said = state.skill.active, state.request.message
    is_builtin = state.uses_builtin_model("choose") and state.uses_builtin_model("converse")
    if active is None or not is_builtin or tell_claim(decision):
        return False
    pause = state.calls.pending_pause
    is_guess = decision.verdict == "suggest" and pause is not None and pause.payload.get("purpose") == "approve"
    plain = replace_names(said, await load_attached_names(state), lambda _: " ")
    is_own = decision.skill == active.id or (is_guess and pause is not None and _names_call(pause, plain))
    if not (asks_only(said) and (is_own or is_guess or is_lookup(state, decision.skill))) and not (is_own and is_guess):
        return False
    return not await names_other_value(state)


def _names_call(pause: Pause, said: str) -> bool:
    """Whether a message has the words of what waits for approval: 写入 of 写入文件, "apply" and "parameters"."""
    calls = pause.payload.get("calls")
    titles = (
        [str(one.get("title") or "") for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
    )
    for title in filter(None, titles):
        words = title.casefold().split() if title.isascii() else [title[:2]]
        if all(one in said.casefold() for one in words):
            return True
    return False


def _is_other_request(state: TurnState, decision: Decision) -> bool:
    """Whether the message asks for something else than the open question.

    With a model, a skill that is only suggested is the model's to choose: the message is answered beside the question.
    """
    if state.calls.pending_pause is None or decision.route == "sticky":
        return False
    return decision.verdict == "auto" or (decision.verdict == "suggest" and state.uses_builtin_model("converse"))
