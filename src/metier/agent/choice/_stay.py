"""A question about details stays with the skill in use, even where a neighbour of that skill has the word."""

from dataclasses import replace

from metier.agent.choice.details import FOLLOW_UPS
from metier.agent.middleware import is_example_of, is_suggested_by
from metier.agent.turn import TurnState
from metier.questions import is_detail_question, parse_question
from metier.routing import Candidate, Decision, RoutingNote
from metier.skills import Skill
from metier.textsearch import fold


def stay_for_detail(state: TurnState, decision: Decision) -> Decision:
    """The decision, or the one to stay with the skill in use if the message asks about details of its work.

    The product's own words are no question to the user: what the found skill suggests itself is taken as its request.
    A skill with steps needs a language model for that: without one, only its steps and stored results can answer.
    """
    if (following := _name_next(state, decision)) is not None:
        return following
    if _is_suggested(state, decision):
        return replace(decision, verdict="auto") if decision.verdict == "suggest" else decision
    active = state.skill.active
    if active is not None and decision.verdict == "none" and decision.route == "search" and _offers(state, active):
        why = (*decision.why, RoutingNote.of("asks_detail", skill=active.id))
        return replace(decision, route="sticky", verdict="auto", skill=active.id, skills=(active.id,), why=why)
    if active is not None and _continues_steps(state, active, decision):
        return replace(decision, route="sticky", verdict="auto", skills=(active.id,))
    is_found = decision.route == "search" and decision.verdict in ("auto", "suggest") and decision.skill is not None
    if active is None or not is_found or len(decision.requests) > 1:
        return decision
    has_model = not state.uses_builtin_model("converse")
    if active.sop and not has_model:
        return decision
    other = state.request.catalog.get(decision.skill or "")
    if other is None or (other.id == active.id and decision.verdict == "auto"):
        return decision
    said = state.request.message
    stays = is_detail_question(said) and (other.id == active.id or _is_in_scope(state, active, other, decision))
    if not stays and has_model:
        question = parse_question(said)
        stays = question is not None and question.is_specific
    if not stays:
        return decision
    why = (*decision.why, RoutingNote.of("asks_detail", skill=active.id))
    return replace(decision, route="sticky", verdict="auto", skill=active.id, skills=(active.id,), why=why)


def _name_next(state: TurnState, decision: Decision) -> Decision | None:
    """Decision for the only skill that can follow the one in use whose title begins with the whole message: "apply"."""
    active, said = state.skill.active, fold(state.request.message).strip(" .!")
    is_found = decision.verdict == "auto" and decision.route != "sticky"
    if active is None or is_found or not said or not state.uses_builtin_model("choose"):
        return None
    following = [one for name in active.next if (one := state.request.catalog.get(name)) is not None]
    named = [one.id for one in following if any(fold(title).split()[:1] == [said] for title in one.titles.values())]
    if len(named) != 1:
        return None
    why = (*decision.why, RoutingNote.of("order", skill=named[0]))
    return replace(decision, verdict="auto", route="search", skill=named[0], skills=(named[0],), requests=(), why=why)


def _continues_steps(state: TurnState, active: Skill, decision: Decision) -> bool:
    """Whether a question is most likely for the skill in use, whose steps answer follow-ups: 明年怎么样."""
    is_first = decision.verdict == "suggest" and decision.skill == active.id and len(decision.requests) <= 1
    return is_first and active.metadata.get(FOLLOW_UPS) == "steps" and state.uses_builtin_model("converse")


def _offers(state: TurnState, active: Skill) -> bool:
    """Whether the skill in use offers this message to the user itself, and only its steps can answer it."""
    return (
        bool(active.sop) and state.uses_builtin_model("converse") and is_suggested_by([active], state.request.message)
    )


def _is_suggested(state: TurnState, decision: Decision) -> bool:
    """Whether the message is one that the found skill, or its pack on the first page, suggests to users itself."""
    found, said = state.request.catalog.get(decision.skill or ""), state.request.message
    if found is None or len(decision.requests) > 1:
        return False
    return is_suggested_by([found], said) or is_example_of(state.resources.packs, said)


def _is_in_scope(state: TurnState, active: Skill, other: Skill, decision: Decision) -> bool:
    """Whether the question is within the work of the skill in use: its own words, or those of a neighbouring skill."""
    words = _get_trigger_words(decision.candidates, other.id)
    titles = " ".join((other.id, other.title, *other.titles.values())).casefold()
    own = "\n".join((active.title, active.description, *active.triggers, active.instructions)).casefold()
    if any(word in titles and word not in own for word in words):
        return False  # the other skill is called by its name
    earlier = next((one.content for one in reversed(state.request.earlier_messages) if one.role == "assistant"), "")
    if words and all(word in own or word in earlier.casefold() for word in words):
        return True
    return _are_neighbours(active, other)


def _get_trigger_words(candidates: tuple[Candidate, ...], skill: str) -> list[str]:
    return [word.casefold() for one in candidates if one.skill == skill for word in one.trigger_hits]


def _are_neighbours(one: Skill, other: Skill) -> bool:
    """Whether two skills share a trigger; all skills of a pack may be one group."""
    return not {word.casefold() for word in one.triggers}.isdisjoint(word.casefold() for word in other.triggers)
