"""Questions about results on screen: they stay with the skill in use and are answered from the stored results."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.agent.choice._own_data import asks_about_own_data, point_to_own_data
from metier.agent.choice._pack_answers import ask_packs
from metier.agent.choice.details._comparisons import tell_incomparable
from metier.agent.choice.details._listed import answer_listed
from metier.agent.choice.details._load_results import MAX_TURNS, describe_message, has_written_files, load_results
from metier.agent.choice.details._other_subject import names_other_value
from metier.agent.choice.details._proposals import answer_about_proposal
from metier.agent.choice.details._row_choice import read_row_choice
from metier.agent.choice.details._show_answer import show_answer
from metier.agent.choice.details._table_files import write_wished
from metier.agent.choice.details._what_changed import asks_what_changed, tell_what_changed
from metier.agent.choice.details._who_decided import asks_who_decided, tell_who_decided
from metier.agent.middleware import is_example_of, is_suggested_by
from metier.agent.turn import TurnState, count_preview_rows, turn_events
from metier.language import Sentences
from metier.patterns import compile_later
from metier.questions import (
    Answer,
    Judgement,
    Question,
    Results,
    answer_judgement,
    answer_named_rows,
    answer_question,
    asks_for_rows,
    asks_to_draw_changes,
    collect_results,
    describe_next,
    draw_changes,
    drop_labels,
    parse_question,
    read_affected,
    read_judgement,
    read_other_limit,
    read_subject,
    read_table_wish,
    wants_summary,
)
from metier.routing import Decision
from metier.store import Event

FOLLOW_UPS: Final = "follow_ups"  # in a skill's metadata: "steps" if its steps answer follow-ups
_SAID: Final = Sentences(
    {
        "skill_unknown": (
            "Nothing was done: {why}. Type / to see all skills.",
            "没有执行：{why}。输入 / 可查看全部技能。",
        )
    }
)
_UNKNOWN_NAME: Final = ("unknown", "unknown_near")
_MAX_OFFERS: Final = 3
_VAGUE_KINDS: Final = ("summary", "value")
_OF_SEVERAL: Final = ("remaining", "compare")  # judgements that look at more results than the newest
_NEW_WORK: Final = (
    "remaining",
    "compare",
    "remedy",
    "pages",
    "all",
    "stated",
)  # which steps that answer follow-ups know better
_OF_WORK: Final = ("impact", "severity")  # judgements that a term looked up after the work cannot be about
_SHOWN_KINDS: Final = ("chart", "data", "table")
_PRESENT: Final = compile_later(
    r"现在|目前|当前|如今|眼下|在用|生效|\b(?:now|currently|at\s+present|at\s+the\s+moment|in\s+(?:force|effect"
    r"|use))\b",
    re.IGNORECASE,
)


async def answer_detail_question(state: TurnState) -> bool | None:
    """Answer a question about results of the conversation without routing.

    True: the reply is complete. False: a language model answers, with the computed answer in its prompt. None: the
    message is no such question.
    """
    if (chosen := await read_row_choice(state)) is not None:
        show_answer(state, chosen, tells_rows=False)
        return True
    if (told := await _answer_beside(state)) is not None:
        show_answer(state, told)
        return True
    wish = read_table_wish(state.request.message)
    if wish is not None and await write_wished(state, wish, await load_results(state)):
        return True
    question = parse_question(state.request.message)
    if state.calls.pending_pause is None and state.has_open_work:
        return None
    if question is not None and question.kind == "continue":
        return _offer_next(state)
    judged = await answer_listed(state) or await _judge_result(state, read_judgement(state.request.message))
    if judged is not None:
        return _give(state, judged)
    if is_example_of(state.resources.packs, state.request.message):
        return None  # what the first page offers is a request, whatever is on screen
    if (answered := await _answer_named_rows(state)) is not None:
        return answered
    if (answered := await _answer_from_work(state, question)) is not None:
        return answered
    return await _answer_whole(state)


async def _answer_whole(state: TurnState) -> bool | None:
    """Answer a comparison that has no other side, or a wish for a few sentences about the result."""
    told = await tell_incomparable(state)
    if told is None and wants_summary(state.request.message):
        told = await _judge_result(state, "short")
    return None if told is None else _give(state, told)


async def _answer_named_rows(state: TurnState) -> bool | None:
    skill = state.skill.active
    if skill is None or skill.needs.compute or not asks_for_rows(state.request.message):
        return None
    results, language = await load_results(state), state.request.language
    named = answer_named_rows(state.request.message, results, language)
    return None if named is None else _give(state, named)


async def _answer_from_work(state: TurnState, question: Question | None) -> bool | None:
    """Answer from the work of the skill's pack, else from the results on screen; see `answer_detail_question`."""
    is_shown = question is not None and question.kind in _SHOWN_KINDS
    own = None if is_shown or _is_example(state) else await ask_packs(state)
    if own is not None and own.is_order:
        return None
    if own is not None and (own.found or own.is_final):
        return _give(state, Answer(own.text, found=own.found))
    answer = None if question is None else await _find_in_results(state, question)
    if own is not None and (answer is None or not answer.found):
        answer = Answer(own.text, found=False)
    if answer is not None and is_shown:
        show_answer(state, answer)
        return True
    return None if answer is None else _give(state, answer)


def tell_without_skill(state: TurnState, decision: Decision) -> bool:
    """Reply to an unknown skill name or a wish to export; return whether the message was one of these."""
    if not state.uses_builtin_model("converse"):
        return False
    unknown = [one.text(state.request.language) for one in decision.why if one.code in _UNKNOWN_NAME]
    if unknown and decision.verdict == "none":
        state.queue_reply(_SAID.render("skill_unknown", state.request.language, why=unknown[0]))
        return True
    active, question = state.skill.active, parse_question(state.request.message)
    by_steps = active is not None and active.metadata.get(FOLLOW_UPS) == "steps"
    is_taken = decision.verdict == "auto" and (decision.route != "sticky" or by_steps)
    has_answers = any(one.role == "assistant" for one in state.request.earlier_messages)
    if question is None or question.kind != "export" or is_taken or not has_answers:
        return False
    answer = answer_question(question, Results(), state.request.language)
    if answer is not None:
        show_answer(state, answer)
    return answer is not None


async def _judge_result(state: TurnState, asked: Judgement | None) -> Answer | None:
    """The answer to a short question that judges the newest work: on what grounds, only the bad ones."""
    if asked is None or state.skill.active is None or (asked == "pages" and await has_written_files(state)):
        return None
    if asked in _NEW_WORK and state.skill.active.metadata.get(FOLLOW_UPS) == "steps":
        return None
    if asked in _OF_SEVERAL and (known := answer_judgement(asked, await load_results(state), state.request.language)):
        return known
    store = state.resources.store
    for turn in await store.turns.list(state.conversation, limit=MAX_TURNS, having="tool.called"):
        events = [] if turn.id == state.turn else await turn_events(store, turn)
        if events and not (asked in _OF_WORK and _looks_up(events)):
            told = [(describe_message(state, events), [(one.kind, one.data) for one in events])]
            results, language = collect_results(told, state.request.language), state.request.language
            return answer_judgement(asked, results, language, read_affected(state.request.message))
    return None


def _looks_up(events: Sequence[Event]) -> bool:
    """Whether a turn only looked something up, such as a term: that is no work whose severity could be asked."""
    done = [one.data for one in events if one.kind == "tool.result"]
    return bool(done) and all("retrieved" in one for one in done)


def _give(state: TurnState, answer: Answer) -> bool | None:
    """The reply, or the computed answer for a language model; None if there is nothing that it could use."""
    if _is_answered_here(state, answer):
        show_answer(state, answer)
        return True
    return _leave_to_model(state, answer)


async def _find_in_results(state: TurnState, question: Question) -> Answer | None:
    """Answer from the results on screen; None if they do not say it and the message may be a request."""
    skill, is_vague = state.skill.active, question.kind in _VAGUE_KINDS
    if is_vague and (skill is None or skill.needs.compute):
        return None  # 今天天气怎么样, or 那事业呢 to a chart, whose skill answers it: not worth a look at the database
    results = await load_results(state)
    if is_vague and _names_row(state.request.message, results):
        question = replace(question, kind="row")
    if not results or await names_other_value(state, results) or _asks_what_holds_now(state, results):
        return None
    if question.kind == "export" and await has_written_files(state):
        return None  # the skills that write documents know how to write another one
    said = [one.content for one in reversed(state.request.earlier_messages) if one.role == "user"]
    whole = read_other_limit(state.request.message, said)
    question = (parse_question(whole) if whole else None) or question
    pause = state.calls.pending_pause
    is_list = pause is not None and pause.payload.get("purpose") == "approve" and count_preview_rows(pause) > 1
    language = state.request.language
    labels = [one.label for one in await state.journal.load_facts()]
    if (plain := drop_labels(question.text, labels, results)) != question.text:
        question = parse_question(plain) or question  # 朝阳区哪些小区 while 朝阳区 is on screen
    answer = answer_question(question, results, language, said[0] if said else "", prefers_changes=is_list)
    return None if answer is None or (not answer.found and _is_example(state)) else answer


def _names_row(message: str, results: Results) -> bool:
    """Whether a follow-up (4号鼓风机呢) is the name of a row on screen."""
    subject = read_subject(message).casefold()
    rows = (row for table in results.tables for row in table.rows)
    return bool(subject) and any(str(row[0]).casefold() == subject for row in rows if row)


def _asks_what_holds_now(state: TurnState, results: Results) -> bool:
    """Whether the message asks for the present state after a change, which the skill knows and a receipt does not."""
    if state.calls.pending_pause is not None or state.skill.active is None:
        return False
    return _PRESENT.search(state.request.message) is not None and results.is_change


def _is_example(state: TurnState) -> bool:
    """Whether the message is an example of a skill: if the screen does not answer it, the skill does."""
    return is_suggested_by(state.request.catalog, state.request.message)


def _offer_next(state: TurnState) -> bool | None:
    """Say what can follow the skill in use; a question that waits, or a language model, knows better."""
    skill = state.skill.active
    if skill is None or state.calls.pending_pause is not None or not state.uses_builtin_model("converse"):
        return None
    following = [state.request.catalog.get(name) for name in skill.next]
    language = state.request.language
    offers = [one.title_in(language) for one in following if one is not None][:_MAX_OFFERS]
    state.queue_reply(describe_next(skill.title_in(language), offers, language))
    return True


async def _answer_beside(state: TurnState) -> Answer | None:
    """The answer to a message about the open approval, one's own data or who approved; None for others."""
    message = state.request.message
    if (told := await answer_about_proposal(state)) is not None:
        return told
    if asks_to_draw_changes(message):
        drawn = draw_changes(message, await load_results(state), state.request.language)
        if drawn is not None:
            return drawn
    if asks_what_changed(message) and (told := await tell_what_changed(state)) is not None:
        return told
    if asks_about_own_data(message):
        return Answer(point_to_own_data(message, state.request.language))
    if state.skill.active is not None and asks_who_decided(message):
        return Answer(await tell_who_decided(state))
    return None


def _leave_to_model(state: TurnState, answer: Answer) -> bool | None:
    """Pass the computed answer on to the model; a guess that found nothing is not worth its tokens."""
    if not answer.found or state.skill.active is None:
        return None
    if state.calls.pending_pause is not None:
        set_plan_aside(state, holds_tools=True)
    state.request = replace(state.request, computed=answer.text)
    return False


def _is_answered_here(state: TurnState, answer: Answer) -> bool:
    """Whether the computed answer is the reply: without a model, and with one of one's own, which are mostly small.

    A model of 1.5B parameters, given the computed answer, called a simulation instead of repeating it.
    """
    return state.uses_builtin_model("converse") or (
        answer.found and state.resources.models.is_self_hosted(state.choose_model("act"))
    )


def set_plan_aside(state: TurnState, *, holds_tools: bool) -> None:
    """Leave the plan at its open question for this turn.

    With `holds_tools`, nothing that comes after the question is called meanwhile.
    """
    if holds_tools and state.plan.runner is not None:
        state.plan.waiting_tools = state.plan.runner.waiting_tools
    state.plan.runner = None  # the stored plan keeps waiting
