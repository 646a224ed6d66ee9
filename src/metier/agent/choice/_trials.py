"""Paid skills: how often a user of the free tier may begin one. Tier and count are the server's, not the request's."""

from metier.agent.adapters import render_sentence
from metier.agent.turn import TRIALS, TurnState, get_trial_limit
from metier.skills import Skill


async def refuse_trial(state: TurnState, skill: Skill | None) -> bool:
    """Whether the user has used up the free trial of this skill; the reply then says so."""
    text = await describe_used_trial(state, skill)
    if text is None:
        return False
    state.queue_reply(text)
    return True


async def describe_used_trial(state: TurnState, skill: Skill | None) -> str | None:
    """Sentence that the user has used up the free trial of this skill; None if it may be begun.

    Work that was begun goes on: a reading is never cut halfway.
    """
    limit = None if skill is None else get_trial_limit(state, skill)
    if skill is None or limit is None:
        return None
    is_going_on = state.has_open_work and state.skill.active is not None and state.skill.active.id == skill.id
    if is_going_on:
        return None
    kept = await state.resources.store.skill_data.get_fields(state.request.user, TRIALS, [skill.id])
    used = kept.get(skill.id)
    if not isinstance(used, int) or used < limit:
        return None
    language = state.request.language
    return render_sentence("trial_over", language, title=skill.title_in(language), count=limit)
