"""Answers what a request asks of the rows that its own steps have brought, before the question that follows them."""

from metier.agent.choice.details._show_answer import show_answer
from metier.agent.turn import TurnState, turn_events
from metier.questions import answer_beside_work, collect_results


async def answer_rows_asked(state: TurnState) -> None:
    """Say which rows the message means (哪些小区低于 -105 dBm): the steps alone would pass over it."""
    await state.journal.record()
    events = await turn_events(state.resources.store, state.journal.lease)
    message, language = state.request.message, state.request.language
    results = collect_results([(message, [(one.kind, one.data) for one in events])], language)
    labels = [one.label for one in await state.journal.load_facts()]
    if (answer := answer_beside_work(message, results, labels, language)) is not None:
        show_answer(state, answer)
