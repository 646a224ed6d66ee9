"""Messages that name several skills with slashes: used together, one after the other, or as a path of the graph."""

from collections.abc import Sequence
from dataclasses import replace

from metier.agent.adapters import render_sentence
from metier.agent.choice._tasks import begin_tasks, make_tasks
from metier.agent.choice._trials import refuse_trial
from metier.agent.turn import TurnState, enter_skill
from metier.skills import Skill, SkillGraph
from metier.store import ChosenBy
from metier.tasks import SkillCommands, find_path_problems, parse_commands


async def follow_commands(state: TurnState) -> bool | None:
    """Do what a message with several commands says; None if it has not. True if the agent has to run."""
    waiting = {one.id: one.skill for one in state.request.catalog.waiting if one.approved is None}
    known = {one.id: one for one in (*waiting.values(), *state.request.catalog)}
    names = {name.casefold(): one.id for one in known.values() for name in (one.title, one.id)}
    commands = parse_commands(state.request.message, names)
    if commands is None:
        return None
    usable = tuple(one for one in commands.requests if _report_blocked(state, known[one[0]], one[0] in waiting))
    for name in commands.unknown:
        state.queue_reply(render_sentence("task_unknown", state.request.language, name=name))
    if not usable or (commands.kind == "path" and not _check_path(state, commands, usable)):
        return False
    if commands.kind == "together":
        first, *others = [state.request.catalog[skill] for skill in dict.fromkeys(skill for skill, _ in usable)]
        if any([await refuse_trial(state, one) for one in (first, *others)]):
            return False
        state.request = replace(state.request, message=usable[0][1] or state.request.message)
        return await use_together(state, first, others, "user")
    return await begin_tasks(state, make_tasks(state.request.catalog, usable, state), "user")


async def use_together(
    state: TurnState, first: Skill, others: Sequence[Skill], by: ChosenBy, *, restart: bool = True
) -> bool:
    """Use skills together in this turn: the tools of all, under the rules of each. True if the agent has to run.

    Without a language model only steps call tools: those of each skill run, one skill after the other.
    """
    if restart and state.uses_builtin_model("act") and any(one.sop for one in others):
        state.skill.together = ()
        requests = [(one.id, state.request.message) for one in (first, *others)]
        return await begin_tasks(state, make_tasks(state.request.catalog, requests, state), by)
    state.skill.together = tuple(others)
    await enter_skill(state, first, None, by, restart=restart)
    return True


def _report_blocked(state: TurnState, skill: Skill, is_waiting: bool) -> bool:
    """Whether the skill may be used; if not, the reply says why."""
    language = state.request.language
    code = "skill_waits" if is_waiting else "" if skill.enabled else "skill_off"
    code = code or ("" if skill.invocation.by_user else "skill_not_by_name")
    if not code:
        return True
    why = render_sentence(code, language)
    state.queue_reply(render_sentence("task_unavailable", language, title=skill.title_in(language), why=why))
    return False


def _check_path(state: TurnState, commands: SkillCommands, usable: tuple[tuple[str, str], ...]) -> bool:
    """Whether the skills of a path follow each other; if not, the reply says which do not."""
    if commands.unknown or len(usable) < len(commands.requests):
        return False
    problems = find_path_problems(SkillGraph.from_skills(state.request.catalog), [skill for skill, _ in usable])
    for one in problems:
        state.queue_reply(render_sentence(one.code, state.request.language, source=one.source, target=one.target))
    return not problems
