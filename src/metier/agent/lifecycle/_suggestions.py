"""What a user may do next, below the answer: what the model offered, else what the skill or the plan tells."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from metier.agent.choice import is_about_other, names_other_place
from metier.agent.middleware import (
    MAX_SUGGESTIONS,
    Suggestion,
    make_offer,
    suggest_examples,
    suggest_skills,
    suggestions_for,
)
from metier.agent.turn import TurnState
from metier.facts import Fact
from metier.store import EventDraft

_FILE_NAME: Final = re.compile(r"[^\n]{1,200}\.[a-z]{2,5}")


def suggest_next(state: TurnState, facts: Sequence[Fact], *, is_answered: bool) -> EventDraft | None:
    """`suggestions` event from the model's own block or else from the skill; None without either.

    Examples of other skills are offered where none was found, and never below an answer that needed no skill. Where the
    router suggested skills and the model took none of them, the person still can.
    """
    found, source = state.calls.suggestions, "model"
    offers = tuple(state.calls.offers)
    if not found and state.skill.active is not None:
        language = state.request.language
        offered = {one["text"] for one in offers}  # a skill named like an offer is offered already
        named = (state.request.catalog.get(name) for name in state.skill.active.next)
        following = [one for one in named if one is not None and one.title_in(language) not in offered]
        shown = suggestions_for(
            state.skill.active,
            following=following,
            shown=state.calls.shown_kinds,
            said=state.request.message,
            language=language,
            is_elsewhere=partial(_is_out_of_place, heard=_list_heard(state), facts=facts),
            files=_list_files(state),
            undoes=_list_undoes(state),
            done=_list_done(state),
            declined=_list_declined(state),
        )
        found, source = tuple(map(Suggestion.to_json, shown)), "skill"
    elif not found and state.skill.suggested:
        shown = suggest_skills(state.skill.suggested, said=state.request.message, language=state.request.language)
        found, source = tuple(map(Suggestion.to_json, shown)), "skill"
    elif not found and not is_answered and state.uses_builtin_model("converse"):
        language = state.request.language
        offer = make_offer(
            state.request.catalog, state.resources.packs, state.skill.shortlist, max_skills=MAX_SUGGESTIONS
        )
        shown = suggest_examples(offer.list_examples(language), said=state.request.message)
        found, source = tuple(map(Suggestion.to_json, shown)), "skill"
    fresh = (one for one in found if one not in offers and one["value"] != state.request.message)
    found = (*offers, *fresh)[:MAX_SUGGESTIONS]
    return EventDraft("suggestions", {"suggestions": list(found), "from": source}) if found else None


def _list_heard(state: TurnState) -> list[str]:
    """What the user has said in this conversation, the present message last."""
    return [*(one.content for one in state.request.earlier_messages if one.role == "user"), state.request.message]


def _is_out_of_place(text: str, is_example: bool, heard: Sequence[str], facts: Sequence[Fact]) -> bool:
    """Whether a text was said before or is about something else than the conversation.

    What may follow an answer need not name its subject again: it is elsewhere only if it names another one.
    """
    if any(text.casefold() == one.casefold() for one in heard):
        return True
    return is_about_other(text, facts, "\n".join(heard)) if is_example else names_other_place(text, facts)


def _list_files(state: TurnState) -> list[str]:
    """Names of files in the results of the plan's steps."""
    results = state.plan.runner.run.data.values() if state.plan.runner is not None else ()
    values = [value for one in results if isinstance(one, Mapping) for value in one.values()]
    return [value for value in values if isinstance(value, str) and _FILE_NAME.fullmatch(value)]


def _list_done(state: TurnState) -> list[str] | None:
    """Steps of the plan that were done; None without a plan."""
    run = state.plan.runner.run if state.plan.runner is not None else None
    return None if run is None else [one.id for one in run.plan.steps if run.get_step_progress(one.id).state == "done"]


def _list_declined(state: TurnState) -> list[str]:
    """Tools of the steps that were left out after the user had said no to a question of the plan."""
    if state.plan.runner is None:
        return []
    run = state.plan.runner.run
    is_no = [one.ask is not None and run.data.get(one.save or one.id) is False for one in run.plan.steps]
    later = run.plan.steps[is_no.index(True) :] if any(is_no) else ()
    return [str(one.call) for one in later if one.call and run.get_step_progress(one.id).state == "skipped"]


def _list_undoes(state: TurnState) -> dict[str, str]:
    """Tools that take a change back, each with the one that makes it."""
    specs = state.resources.toolset(state.request.catalog).registry.specs()
    return {one.name: one.undoes for one in specs if one.undoes}
