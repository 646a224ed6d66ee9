"""Short questions about the rows that the last answer from results listed: which is first, what share they are."""

from collections.abc import Sequence
from dataclasses import replace

from metier.agent.choice.details._load_results import load_results
from metier.agent.turn import TurnState
from metier.language import choose
from metier.questions import (
    Answer,
    ListedQuestion,
    Results,
    ResultTable,
    answer_question,
    answer_share,
    name_listed,
    parse_question,
    read_listed,
    tell_no_place,
)
from metier.textsearch import to_simplified


async def answer_listed(state: TurnState) -> Answer | None:
    """The row of the last list that a message names by its place, or the share of the listed rows; None for others."""
    asked, skill = read_listed(state.request.message), state.skill.active
    if asked is None or skill is None or skill.needs.compute:
        return None
    results = await load_results(state)
    if not results.tables:
        return None
    said = [to_simplified(one.content) for one in reversed(state.request.earlier_messages) if one.role == "user"]
    listed = _find_listed(state, said, results)
    if asked.kind == "share":
        return answer_share(listed, results, state.request.language)
    return _tell_row(state, asked, listed, results)


def _tell_row(state: TurnState, asked: ListedQuestion, listed: ResultTable | None, results: Results) -> Answer | None:
    language = state.request.language
    if listed is None:  # no list was asked for: the row of the first table
        question = parse_question(state.request.message)
        if question is None or asked.place < 0:
            return None
        return answer_question(replace(question, kind="row", rows=(asked.place,)), results, language)
    if not (name := name_listed(asked, listed)):
        return tell_no_place(listed, asked.place, language)
    question = parse_question(choose(language, en=f"and {name}?", zh=f"{name}呢"))
    return None if question is None else answer_question(replace(question, kind="row"), results, language)


def _find_listed(state: TurnState, said: Sequence[str], results: Results) -> ResultTable | None:
    """The rows that the answer to the newest question about results listed, past short questions about them."""
    for one in said:
        if read_listed(one) is not None:
            continue
        question = parse_question(one)
        answer = None if question is None else answer_question(question, results, state.request.language)
        return answer.shown if answer is not None and answer.found and answer.shown and answer.shown.rows else None
    return None
