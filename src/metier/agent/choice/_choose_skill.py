"""Chooses the skill of a turn: named by the user or the caller, already in use, or found by the router."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from metier.agent.adapters import analysis_to_json, decision_to_json, render_sentence
from metier.agent.choice._attached_names import read_without_endings
from metier.agent.choice._beside import answer_beside_question, leave_open_work
from metier.agent.choice._claims import claim_open, find_claimed, find_ordered, tell_claim
from metier.agent.choice._commands import follow_commands, use_together
from metier.agent.choice._follow_ups import SHORT_QUESTIONS, FollowUp, decide_several, read_follow_up_or_detail
from metier.agent.choice._joined import is_joined, join_with_asked
from metier.agent.choice._lookups import look_up_beside
from metier.agent.choice._set_aside import (
    drop_refused,
    follow_late_yes,
    follow_wish,
    put_choice_aside,
)
from metier.agent.choice._stay import stay_for_detail
from metier.agent.choice._suggest import NEAR_SHARE, suggest_skills
from metier.agent.choice._tasks import ask_order, begin_tasks, join_answers, make_tasks, needs_question, offer_menu
from metier.agent.choice._trials import refuse_trial
from metier.agent.choice.again import changes_something, do_again, follows_order, repeats_order, say_again
from metier.agent.choice.attached import answer_about_file
from metier.agent.choice.back import follow_switch_back, follow_undo
from metier.agent.choice.details import (
    FOLLOW_UPS,
    mark_doubt,
    names_other_value,
    tell_without_skill,
)
from metier.agent.choice.talk import answer_talk, answer_unread_complaint, is_about_talk
from metier.agent.middleware import MAX_SUGGESTIONS, Suggestion, make_offer, make_shortlist, suggest_examples
from metier.agent.models import render_offer
from metier.agent.turn import TurnState, answer_in_words, enter_skill, leave_skill, wants_again
from metier.faults import fault_point
from metier.json_values import JsonValue
from metier.limits import run_limited
from metier.names import is_command
from metier.questions import read_judgement
from metier.routing import Decision, RoutingNote
from metier.skills import Skill
from metier.store import EventDraft, Pause

_LEAVE: Final = re.compile(
    r"(?:(?:[先都]?不\w{1,2}了|算了|好了|行了|谢谢)[，,、\s]*)?"
    r"(?:请|我想|我要|帮我|那就)?(?:退出|离开|关闭)(?:当前|这个|该)?的?(?:技能|skill)?[吧了]?"
    r"|(?:(?:okay|ok|thanks)[,.\s]+)?(?:please\s+)?(?:exit|leave|quit)\s+(?:the\s+|this\s+|current\s+)*skill"
    r"|/(?:exit|leave|quit|退出)",
    re.IGNORECASE,
)
_OTHER_SKILL: Final = re.compile(
    r"(?:我想|我要)?换(?:一个|个|一种)(?:技能|别的|其他的?)?[吧了]?|(?:use\s+)?another\s+skill", re.I
)
_SWITCH: Final = re.compile(
    r"^(?:请|那就?|我想|我要|帮我|不[^，,。]{0,12}[，,]\s*)*(?:换(?:一个|个|一种|成|到|做)|改(?:成|用|做))"
    r"(?!办法|方法|方式|做法|法子|思路|说法|写法|角度)"
    r"|\b(?:switch|change)\s+to\b",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(r"再|重新|\bagain\b|\bonce more\b|\banother\b", re.IGNORECASE)
_STRIP_CHARS: Final = " \t\n。.!！~"
_MAX_LISTED: Final = 24
_NAMED_SCORE: Final = 0.5


def is_leave_request(message: str) -> bool:
    """Whether the message only asks to leave the skill in use."""
    said = message.strip(_STRIP_CHARS)
    return bool(_LEAVE.fullmatch(said) or _OTHER_SKILL.fullmatch(said))


async def read_answer(pause: Pause | None, message: str) -> tuple[bool, JsonValue]:
    """Whether a message answers the open question, and the answer; a request for another skill answers nothing."""
    if pause is None or is_switch_request(message) or is_about_talk(message):
        return False, None
    if wants_again(message) and not _AGAIN.search(str(pause.payload.get("text", ""))):
        return False, None  # 再来一次 is a yes only to a question whether to do it again
    return await run_limited(lambda: answer_in_words(pause, message))


def is_switch_request(message: str) -> bool:
    """Whether the message asks for something other than the current state."""
    return _SWITCH.search(message.strip()) is not None


async def choose_skill(state: TurnState, wanted: str | None) -> bool:
    """Choose the skill of this turn. True if the agent has to run; False if the reply is complete."""
    if is_leave_request(state.request.message):
        await _leave_skill(state)
        return False
    await mark_doubt(state)
    if not is_command(state.request.message) and (goes_on := await _follow_talk(state)) is not None:
        return goes_on
    await drop_refused(state)
    if (goes_on := await follow_commands(state)) is not None:
        return goes_on
    if wanted is None and await answer_about_file(state):
        return False
    if wanted is None and (goes_on := await _follow_earlier_work(state)) is not None:
        return goes_on
    if wanted is not None and not is_command(state.request.message):
        return await _use_requested_skill(state, wanted)
    several, follow_up, answered = await read_follow_up_or_detail(state)
    if answered is not None:
        return not answered
    fault_point("routing")
    decision = await _decide_read(state, several, follow_up)
    state.analysis = await asyncio.to_thread(state.resources.analyzer.analyze, state.request.message, decision)
    told = decision_to_json(decision, state.request.language)
    task = analysis_to_json(state.analysis, state.request.language)
    read_as = {"read_as": state.request.message} if follow_up or is_joined(state) else {}
    state.journal.queue(EventDraft("skill.routed", {**told, "task": task, **read_as}))
    await state.resources.load_tools(state.journal.emit)
    _offer_skills(state, decision)
    if tell_without_skill(state, decision) or (decision.verdict == "none" and await answer_unread_complaint(state)):
        return False
    if decision.route == "list":
        state.queue_reply(_render_skills(state, with_ids=is_command(state.request.message)))
        return False
    return await _apply_decision(state, decision)


async def _decide_read(state: TurnState, several: Sequence[str], follow_up: FollowUp) -> Decision:
    if several:
        typed = state.request
        state.request = replace(typed, message=several[0])
        decision = decide_several(await _decide_follow_up(state, "completed"), several)
        state.request = typed
        return decision
    return await (_decide_follow_up(state, follow_up) if follow_up else join_with_asked(state, _decide))


async def _follow_talk(state: TurnState) -> bool | None:
    """Carry out a message that only says "go on", "again" or "never mind", complains, or asks about the program."""
    if (goes_on := await do_again(state)) is not None:
        return goes_on
    if await answer_talk(state):
        return False
    return None if read_judgement(state.request.message) == "short" else await follow_wish(state)


async def _follow_earlier_work(state: TurnState) -> bool | None:
    """Carry out a message about earlier work: say it again, take it back, do what was declined; None for others."""
    if is_command(state.request.message):
        return None
    if (goes_on := await say_again(state)) is not None:
        return goes_on
    for follow in (follow_switch_back, follow_undo):
        if (goes_on := await follow(state)) is not None:
            return goes_on
    return await follow_late_yes(state)


def _offer_skills(state: TurnState, decision: Decision) -> None:
    """Put skills on the model's menu: all of them while they fit, otherwise the router's shortlist, or none."""
    chooser = state.skill_chooser
    ranked = [(one.skill, one.score) for one in decision.candidates]
    if chooser == "router" and not state.uses_builtin_model("choose"):
        state.skill.shortlist = ()
        return
    offer_menu(state, ranked)
    if chooser == "both" and (near := _find_named_apart(decision)):
        kept = [(one, score) for one, score in state.skill.shortlist if one.id in near and one.invocation.by_model]
        state.skill.shortlist = tuple(kept)
    if chooser == "both" and decision.verdict == "none" and _is_asked_only_where_suggested(state):
        state.skill.shortlist = ()  # no menu: the model talks without a skill


def _find_named_apart(decision: Decision) -> tuple[str, ...]:
    """The skills that may be meant where the message names the first in its own words and the others are far behind.

    The model then chooses between these and none: what the router has ruled out is no choice to get wrong.
    """
    if not decision.candidates or len(decision.requests) > 1 or decision.verdict == "auto":
        return ()
    first = decision.candidates[0]
    if first.score < _NAMED_SCORE or not first.trigger_hits or first.negated:
        return ()
    near = tuple(one.skill for one in decision.candidates if one.score >= NEAR_SHARE * first.score)
    return near if len(near) < len(decision.candidates) else ()


def _is_asked_only_where_suggested(state: TurnState) -> bool:
    wanted = state.resources.settings.model_chooses
    if wanted != "auto":
        return wanted == "suggested"
    return state.resources.models.is_self_hosted(state.choose_model("choose"))


async def _apply_decision(state: TurnState, decision: Decision) -> bool:
    taken = decision.verdict == "auto" and decision.skill is not None
    chooser = state.skill_chooser
    if taken and decision.route != "explicit" and chooser == "model":
        taken = False  # the model decides, with the menu beside the tools of the skill in use
        decision = replace(decision, verdict="none")
    if taken and decision.route == "explicit":
        if await refuse_trial(state, state.request.catalog[decision.skill or ""]):
            return False
        state.request = replace(state.request, message=decision.message or state.request.message)
        await enter_skill(state, state.request.catalog[decision.skill or ""], None, "user")
        return True
    is_switch = taken and is_switch_request(state.request.message)
    if (goes_on := await leave_open_work(state, decision, is_taken=taken, is_switch=is_switch)) is not None:
        return goes_on
    if taken and state.skill.active is None and await look_up_beside(state, [decision.skill]):
        return False
    if taken or decision.verdict == "suggest" or len(decision.requests) > 1:
        await put_choice_aside(state, is_told=not is_joined(state))
    decision = join_answers(state, _report_unavailable(state, decision))
    if len(decision.requests) > 1:
        return await _do_several(state, decision, by_model=chooser == "model")
    if taken:
        return await _enter_chosen(state, decision)
    if decision.verdict == "suggest" and not state.request.unmatched:
        return await suggest_skills(state, decision)
    is_beside = state.skill.active is None and decision.verdict == "none" and state.uses_builtin_model("converse")
    return await answer_beside_question(state) if is_beside else True


async def _enter_chosen(state: TurnState, decision: Decision) -> bool:
    """Enter the skill of a decision that is sure; False if its trial is over."""
    skill = state.request.catalog[decision.skill or ""]
    # Without a language model the steps of such a skill answer its follow-ups: they read what the message asks.
    by_steps = skill.metadata.get(FOLLOW_UPS) == "steps" and state.uses_builtin_model("choose")
    if decision.route != "sticky" and await refuse_trial(state, skill):
        return False
    restart = by_steps or decision.route != "sticky"
    await enter_skill(state, skill, None, "router", restart=restart, why=tell_claim(decision))
    return True


async def _do_several(state: TurnState, decision: Decision, *, by_model: bool) -> bool:
    """Do the things that the message asks for one after the other; ask first where meaning or order is not clear.

    With `by_model` the model judges what each part means, and chooses its skill when its turn comes.
    """
    if needs_question(decision.requests, is_sure=by_model or decision.verdict == "auto"):
        await ask_order(state, decision.requests)
        return False
    found = make_tasks(state.request.catalog, decision.requests, state)
    return await begin_tasks(state, found.without_skills() if by_model else found, "router")


def _report_unavailable(state: TurnState, decision: Decision) -> Decision:
    """Say which skills the message names besides the chosen ones that cannot be used, and why.

    Returns the decision without the requests for these, which no usable skill fits.
    """
    language, said = state.request.language, state.request.message.casefold()
    chosen = [word for one in decision.candidates if one.skill in decision.skills for word in one.trigger_hits]
    if not chosen:
        return decision
    blocked = {one.skill: (state.request.catalog.get(one.skill), one.text(language)) for one in decision.filtered}
    waits = render_sentence("skill_waits", language)
    blocked |= {one.id: (one.skill, waits) for one in state.request.catalog.waiting if one.approved is None}
    named = [(skill, why) for skill, why in blocked.values() if skill and _is_named_apart(skill, said, chosen)]
    for skill, why in named:
        state.queue_reply(render_sentence("task_unavailable", language, title=skill.title_in(language), why=why))
    left = [
        one
        for one in decision.requests
        if one.skill or not any(_is_named_apart(skill, one.text.casefold(), chosen) for skill, _ in named)
    ]
    return replace(decision, requests=tuple(left))


def _is_named_apart(skill: Skill, said: str, chosen: Sequence[str]) -> bool:
    """Whether a name or trigger of the skill stands in the message, in other words than those of the chosen skills."""
    names = [name.casefold() for name in (skill.id, skill.title, *skill.triggers) if len(name) > 1]
    return any(name in said and not any(name in word or word in name for word in chosen) for name in names)


def _read_as_request(state: TurnState, decision: Decision) -> Decision:
    """Decision for a message that names another value of a fact: the suggested skill, else the one in use again.

    Whether a message that no skill was found for is a request at all, a language model knows better.
    """
    active, found = state.skill.active, state.request.catalog.get(decision.skill or "")
    # 比广州好吗 names a place: a guess at a skill that has nothing to do with places is none.
    is_apart = active is not None and found is not None and found.group != active.group
    is_unclear = decision.verdict == "none" or (decision.verdict == "suggest" and is_apart)
    if is_unclear and active is not None and active.sop and state.uses_builtin_model("choose"):
        return replace(decision, verdict="auto", skill=active.id, skills=(active.id,))
    return replace(decision, verdict="auto") if decision.verdict == "suggest" else decision


async def _read_beside_question(state: TurnState, decision: Decision) -> Decision:
    """Decision for a message that does not answer the open question: the steps again, or another request.

    Without a question, or with a language model, the skill in use goes on. With one, the message is routed as if no
    skill were in use: it is no follow-up of a skill that waits for something else.
    """
    active = state.skill.active
    if state.calls.pending_pause is None or active is None or not state.uses_builtin_model("choose"):
        return decision
    if decision.route != "sticky" or not decision.candidates:
        return decision
    found = await _route(state, stays=False)
    return decision if found.verdict == "none" or (found.verdict == "suggest" and found.skill == active.id) else found


async def _use_requested_skill(state: TurnState, wanted: str) -> bool:
    state.skill.shortlist = make_shortlist(state.request.catalog, ())
    skill = state.request.catalog[wanted]
    if await refuse_trial(state, skill):
        return False
    return await use_together(state, skill, state.skill.together, "caller", restart=not state.has_open_work)


async def _decide(state: TurnState) -> Decision:
    """Decision of a pack that knows the message as an order, else of the router, else by what lies in the folder."""
    is_about_other = state.skill.active is not None and await names_other_value(state)
    ordered = await find_claimed(state, state.resources.claims, "order") or await find_ordered(state)
    if ordered is not None:
        return ordered
    decision = await _route(state, stays=not is_about_other)
    if is_about_other:
        decision = decision if await repeats_order(state) else _read_as_request(state, decision)
    else:
        decision = await _read_beside_question(state, decision)
        decision = decision if is_switch_request(state.request.message) else stay_for_detail(state, decision)
    return await claim_open(state, decision)


async def _decide_follow_up(state: TurnState, follow_up: FollowUp) -> Decision:
    """Decision for a follow-up: the skill that it names, else the one in use.

    A stated one reaches only `next` of that skill, and the skill whose short questions it shares; what is added to a
    request stays with it.
    """
    active, is_stated = state.skill.active, follow_up in ("stated", "added")
    if follow_up == "completed" and active is not None and await changes_something(state, active):
        # What is completed is a request that came before the order.
        apart = await claim_open(state, await _route(state, stays=False))
        if apart.verdict == "auto" or await follows_order(state):
            return apart
    if (ordered := await find_ordered(state)) is not None:
        return ordered
    decision = await _route(state, stays=True)
    near = () if active is None else (active.id, *active.next, active.metadata.get(SHORT_QUESTIONS))
    near = near[:1] if follow_up == "added" else near
    if active and (decision.verdict != "auto" or (is_stated and decision.skill not in near)):
        why = (*decision.why, RoutingNote.of("asks_detail", skill=active.id))
        decision = replace(decision, verdict="auto", skill=active.id, skills=(active.id,), requests=(), why=why)
    return replace(decision, route="search") if decision.route == "sticky" else decision


async def _route(state: TurnState, *, stays: bool) -> Decision:
    """Route the message; the router prefers the skill in use if the message may stay with it."""
    said = [one.content for one in state.request.earlier_messages if one.role == "user"]
    active = state.skill.active.id if state.skill.active and stays else None
    named = await read_without_endings(state)
    decide = partial(
        state.resources.router.route,
        named.message,
        catalog=state.request.catalog,
        host=state.request.host,
        history=said,
        active=active,
        answer=next((one.content for one in reversed(state.request.earlier_messages) if one.role == "assistant"), ""),
    )
    # Routing may load encoders and build an index, which takes seconds; on the loop no lease would be renewed.
    return named.put_back(await asyncio.to_thread(decide))


async def _leave_skill(state: TurnState) -> None:
    another = _OTHER_SKILL.fullmatch(state.request.message.strip(_STRIP_CHARS))
    text = await leave_skill(state, "user")
    if another or state.uses_builtin_model("choose"):
        text = f"{text}\n\n{_render_skills(state)}"
    state.queue_reply(text)


async def decline_choice(state: TurnState) -> bool:
    """Go on without a skill: a model talks, without one the skills are listed. True if the agent has to run."""
    await enter_skill(state, None, None, "user")
    if not state.uses_builtin_model("converse"):
        return True
    state.queue_reply(f"{render_sentence('none_chosen', state.request.language)}\n\n{_render_skills(state)}")
    return False


def _render_skills(state: TurnState, *, with_ids: bool = False) -> str:
    """The skills as text, all of them for a command; an example of each pack may be said next."""
    make, language = partial(make_offer, state.request.catalog, state.resources.packs), state.request.language
    examples = make(max_skills=MAX_SUGGESTIONS).list_examples(language)
    state.calls.offers += map(Suggestion.to_json, suggest_examples(examples, said=state.request.message))
    offer = make(max_skills=len(state.request.catalog.skills) if with_ids else _MAX_LISTED)
    return render_offer(offer.to_json(language), language, with_ids=with_ids)
