"""The report of a plan by a language model: written from the template's report, checked, or replaced by it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from metier.agent.adapters import render_sentence
from metier.agent.middleware import read_suggestions
from metier.agent.models import DISPLAYED_KEYS, METIER, render_plan_report, render_stop_report, reply_end
from metier.agent.results import find_unknown_numbers
from metier.agent.turn import ModelNote, PlanRunner, TurnState
from metier.context import Brief, ContextDocument, digest_value
from metier.json_values import JsonObject, JsonValue
from metier.plans import Stop
from metier.store import EventDraft
from metier.tokens import count_tokens

_MAX_RESULT_TOKENS: Final = 150
_MAX_FACT_TOKENS: Final = 2000
_MAX_EARLIER_MESSAGES: Final = 3


def make_report_note(
    state: TurnState, runner: PlanRunner, messages: Sequence[BaseMessage], stop: Stop | None = None
) -> ModelNote:
    """Note for the report of a finished or stopped plan: the template's report, and digests of the results."""
    language, data = state.request.language, report_data(runner)
    if stop is None:
        template = render_plan_report(data, state.skill.active, language)
        brief = make_brief(state, messages, template, tuple(_iter_results(runner, template)))
        return ModelNote("report", render_sentence("note_report", language), data, brief)
    why = stop.why.text(language)
    data = {**data, "why": why, "stopped": True}
    template = render_stop_report(data, language)
    brief = make_brief(state, messages, template, tuple(_iter_results(runner, template)))
    return ModelNote("stopped", render_sentence("note_stopped", language, why=why), data, brief)


def report_data(runner: PlanRunner) -> JsonObject:
    """Data from which a report can be written without a language model."""
    run = runner.run
    done: list[JsonValue] = [
        {"id": step.id, "title": step.title or step.id, "saved": step.saved_as, "ask": step.ask or ""}
        for step in run.plan.steps
        if run.get_step_progress(step.id).state == "done"
    ]
    return {"goal": run.plan.goal, "skill": runner.skill, "steps": done, "data": run.data}


def make_brief(
    state: TurnState,
    messages: Sequence[BaseMessage],
    report: str = "",
    results: tuple[ContextDocument, ...] = (),
    *,
    earlier: bool = False,
) -> Brief:
    """Material of a call without history: the turn's question, and what else the user said in it.

    With `earlier`, also the user's last messages of earlier turns.
    """
    before = [one.content for one in state.request.earlier_messages if one.role == "user"] if earlier else []
    said = [one.text for one in messages if isinstance(one, HumanMessage) and one.name is None][1:]
    return Brief(state.request.message, (*before[-_MAX_EARLIER_MESSAGES:], *said), report, results)


def check_report(state: TurnState, message: AIMessage, brief: Brief, results: JsonObject) -> AIMessage:
    """The model's report if all its numbers are in the question, the template or the results; otherwise the template's.

    A template rounds what a result has with more digits: either is right. Of long lists the first rows count, because
    among ten thousand values nearly every number can be found.
    """
    text = read_suggestions(message.text).text.strip()
    if not text or reply_end(message) != "complete" or "ended" in message.response_metadata.get(METIER, {}):
        return use_template(state, brief, "report_unwritten")
    facts = (digest_value(_drop_reported(one, ""), _MAX_FACT_TOKENS, count_tokens) for one in results.values())
    sources = (brief.question, *brief.said, brief.report, *(one.text for one in brief.results), *facts)
    unknown = find_unknown_numbers(text, sources)
    if not unknown:
        return AIMessage(message.text, usage_metadata=message.usage_metadata)
    told = render_sentence("numbers_unknown", state.request.language, numbers=list(unknown))
    state.journal.queue(EventDraft("error", {"code": "numbers_unknown", "message": told, "numbers": list(unknown)}))
    return use_template(state, brief, "report_replaced")


def use_template(state: TurnState, brief: Brief, code: str) -> AIMessage:
    """The template's report, with the sentence that says why the model's is not shown."""
    state.calls.reply_end = "complete"  # the template's text is, however the model's ended
    return AIMessage(f"{brief.report}\n\n{render_sentence(code, state.request.language)}")


def _iter_results(runner: PlanRunner, report: str) -> Iterator[ContextDocument]:
    """Digests of the results of all steps that are done, in order, without what the report says already."""
    for step in runner.run.plan.steps:
        if step.ask or runner.run.get_step_progress(step.id).state != "done":
            continue
        rest = _drop_reported(runner.run.data.get(step.saved_as), report)
        if text := digest_value(rest, _MAX_RESULT_TOKENS, count_tokens, omit=True):
            yield ContextDocument(step.title or step.id, text)


def _drop_reported(value: JsonValue, report: str) -> JsonValue:
    """The result without texts that stand in the report, and without tables and pictures, which the user sees."""
    if not isinstance(value, Mapping):
        return "" if isinstance(value, str) and value in report else value
    return {
        key: one
        for key, one in value.items()
        if key not in DISPLAYED_KEYS and not (isinstance(one, str) and one.strip() in report)
    }
