"""Short follow-ups (4号鼓风机呢, "and fan 2?", 严重吗): the last question for or with it, or what the skill states."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from metier.agent.adapters import render_sentence
from metier.agent.choice._claims import is_for_named_file
from metier.agent.choice._data_question import complete_data_request
from metier.agent.choice.again import changes_something
from metier.agent.choice.details import answer_detail_question, load_results
from metier.agent.turn import TurnState, wants_again
from metier.facts import Fact
from metier.language import Language, Sentences, choose
from metier.patterns import compile_later
from metier.questions import (
    complete_follow_up,
    complete_several,
    find_stated,
    name_pointed,
    read_compared,
    read_subject,
)
from metier.routing import Decision, SkillRequest
from metier.skills import Skill
from metier.textsearch import to_simplified

FollowUp = Literal["", "completed", "stated", "added"]
_ANY: Final = "any"
_MIN_BARE, _MAX_BARE = 2, 24
_BEFORE_NAME: Final = compile_later(r"(?i)^(?:那|就|再|换成?|看|改成|now |then |switch to )+")
_SAID: Final = Sentences(
    {
        "one_after_other": ("One after the other: {messages}.", "一项一项来：{messages}。"),
        "side_by_side": ("Compare the two", "对比一下"),
        "then_compare": (
            " With both results there, “{offer}” sets their figures side by side.",
            "两份结果都有了以后，说「{offer}」就并排列出数字。",
        ),
    }
)
SHORT_QUESTIONS: Final = "short_questions"  # in a skill's metadata: what short questions after its answer mean


async def read_follow_up(state: TurnState) -> FollowUp:
    """Replace the message by the question that it means, and say so; empty if it is no follow-up.

    A language model reads a follow-up by itself. Subjects are values of facts, and values of a column on screen; a
    skill that computes first answers follow-ups itself.
    """
    message = state.request.message
    said, skill = _list_said(state), state.skill.active
    if not said or skill is None or not state.uses_builtin_model("choose"):
        return ""
    if whole := await complete_data_request(state):
        return _take(state, whole, "added")
    stated = skill.metadata.get(SHORT_QUESTIONS)
    if isinstance(stated, str):  # those of another skill hold
        named = state.request.catalog.get(stated)
        stated = None if named is None else named.metadata.get(SHORT_QUESTIONS)
    if stated is None and (pointed := await _name_pointed(state)):
        return _take(state, pointed, "completed")
    facts = await state.journal.load_facts()
    if not read_subject(message) and (bare := _name_bare(message, facts, state.request.language)):
        message = bare
    if stated is None and not read_subject(message):
        return ""
    labels = {one.name: one.label for one in facts}
    kind: FollowUp = "stated"
    whole = find_stated(message, stated, state.request.language, labels)
    if not whole and read_subject(message):
        whole, kind = await _complete(state, message, said, facts), "completed"
    if not whole:
        return ""
    compares = kind == "completed" and bool(read_compared(message))
    if compares and await _is_for_other_work(state, skill, whole):
        return ""
    return _take(state, whole, kind, compares=compares)


async def read_follow_up_or_detail(state: TurnState) -> tuple[Sequence[str], FollowUp, bool | None]:
    """The questions of a follow-up about several things, else its kind; else what `answer_detail_question` says."""
    typed = state.request
    state.request = replace(typed, message=to_simplified(typed.message))  # as it is written on screen
    several = await read_several(state)
    follow_up: FollowUp = "" if several else await read_follow_up(state)
    is_read = bool(several) or await is_for_named_file(state)
    answered = None if is_read else await answer_detail_question(state)
    if not follow_up:
        state.request = replace(state.request, message=typed.message)
    return several, follow_up, answered


async def read_several(state: TurnState) -> tuple[str, ...]:
    """The questions that a follow-up about several values of a fact means (浦东和朝阳呢), told; empty if it means none.

    A skill that changes something is not done for several at once.
    """
    message, skill = state.request.message, state.skill.active
    said = _list_said(state)
    if not said or skill is None or not skill.sop or not state.uses_builtin_model("choose"):
        return ()
    wholes = complete_several(message, said, _list_kinds(await state.journal.load_facts()))
    if not wholes or await changes_something(state, skill):
        return ()
    named = [render_sentence("quoted", state.request.language, text=one) for one in wholes]
    read_as = _SAID.render("one_after_other", state.request.language, messages=named)
    state.queue_reply(read_as)
    return wholes


def decide_several(first: Decision, wholes: Sequence[str]) -> Decision:
    """Decision for several questions of one kind, one after the other, by the decision for the first of them."""
    if first.verdict != "auto" or first.skill is None:
        return first
    return replace(first, requests=tuple(SkillRequest(first.skill, one) for one in wholes))


def _list_said(state: TurnState) -> list[str]:
    said = (one.content for one in state.request.earlier_messages if one.role == "user")
    return [to_simplified(one) for one in said if not wants_again(one)]


def _list_kinds(facts: Sequence[Fact]) -> list[list[str]]:
    """Names of the values of each fact that has some, in every language."""
    return [
        [one.label, *(name for option in one.options for name in (option.label, *option.also))]
        for one in facts
        if one.options
    ]


async def _is_for_other_work(state: TurnState, active: Skill, whole: str) -> bool:
    """Whether a completed comparison is for a skill of another kind: a bearing is not set beside a network."""
    route = partial(state.resources.router.route, whole, catalog=state.request.catalog, host=state.request.host)
    decision = await asyncio.to_thread(route)
    found = state.request.catalog.get(decision.skill or "")
    return decision.verdict == "auto" and found is not None and found.group != active.group


def _take(state: TurnState, whole: str, kind: FollowUp, *, compares: bool = False) -> FollowUp:
    language = state.request.language
    state.request = replace(state.request, message=whole)
    read_as = render_sentence("read_as", language, message=whole)
    if compares:
        offer = _SAID.render("side_by_side", language)
        state.calls.offers.append({"text": offer, "value": offer})
        read_as = f"{read_as}{_SAID.render('then_compare', language, offer=offer)}"
    state.queue_reply(read_as)
    return kind


async def _name_pointed(state: TurnState) -> str:
    """The question about the row that the last answer from results named, if it named one alone."""
    earlier = state.request.earlier_messages
    answer = next((one for one in reversed(earlier) if one.role == "assistant"), None)
    if answer is None or any(one.role == "tool" and one.turn == answer.turn for one in earlier):
        return ""
    if not name_pointed(state.request.message, _ANY, [_ANY], state.request.language):
        return ""  # before the results are loaded
    names = [one for table in (await load_results(state)).tables for column in table.list_names() for one in column]
    return name_pointed(state.request.message, answer.content, names, state.request.language)


def _name_bare(message: str, facts: Sequence[Fact], language: Language) -> str:
    """A message that is nothing but the name of another value (Pudong, 换浦东), as a follow-up; empty for others."""
    name = _BEFORE_NAME.sub("", message.strip(" .。!！?？"))
    labels = [label for one in facts for option in one.options for label in (option.label, *option.also)]
    if not _MIN_BARE <= len(name) <= _MAX_BARE or not any(name.casefold() in one.casefold() for one in labels):
        return ""
    return choose(language, en=f"and {name}?", zh=f"{name}呢")


async def _complete(state: TurnState, message: str, said: Sequence[str], facts: Sequence[Fact]) -> str:
    whole = complete_follow_up(message, said, _list_kinds(facts))
    if whole or state.skill.active is None or state.skill.active.needs.compute:
        return whole
    columns = [names for table in (await load_results(state)).tables for names in table.list_names()]
    return complete_follow_up(message, said, columns) if columns else ""
