"""Short follow-ups for another subject (4号鼓风机呢, "and fan 2?"): read as the last question for that subject."""

from dataclasses import replace

from metier.agent.adapters import render_sentence
from metier.agent.choice._detail_questions import load_results
from metier.agent.turn import TurnState
from metier.questions import complete_follow_up, read_subject


async def read_follow_up(state: TurnState) -> bool:
    """Replace the message by the question that it means, and say so; True if it was one.

    A language model reads a follow-up by itself. Subjects are values of facts, and values of a column on screen; a
    skill that computes first answers follow-ups itself.
    """
    message = state.request.message
    said = [one.content for one in state.request.earlier_messages if one.role == "user"]
    if not said or state.skill.active is None or not read_subject(message) or not state.uses_builtin_model("choose"):
        return False
    facts = await state.journal.load_facts()
    kinds = [[one.label, *(option.label for option in one.options)] for one in facts if one.options]
    whole = complete_follow_up(message, said, kinds)
    if not whole and not state.skill.active.needs.compute:
        columns = [names for table in (await load_results(state)).tables for names in table.list_names()]
        whole = complete_follow_up(message, said, columns) if columns else ""
    if not whole:
        return False
    state.request = replace(state.request, message=whole)
    state.queue_reply(render_sentence("read_as", state.request.language, message=whole))
    return True
