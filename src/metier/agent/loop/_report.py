"""The report of a plan by a language model: written from the template's report, checked, or replaced by it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from metier.agent.adapters import render_sentence
from metier.agent.middleware import fold_text, read_suggestions
from metier.agent.models import DISPLAYED_KEYS, METIER, drop_said, render_plan_report, render_stop_report, reply_end
from metier.agent.results import find_unknown_numbers
from metier.agent.turn import ModelNote, PlanRunner, TurnState
from metier.context import Brief, ContextDocument, digest_value, echoes_brief
from metier.json_values import JsonObject, JsonValue
from metier.patterns import compile_later
from metier.plans import Stop
from metier.skills import Skill
from metier.store import EventDraft
from metier.tokens import count_tokens

_MAX_RESULT_TOKENS: Final = 150
# Of all results where the skill has no template for its report: they are the only evidence of the conclusion.
_MAX_EVIDENCE_TOKENS: Final = 1800
_MAX_FACT_TOKENS: Final = 2000
_MAX_EARLIER_MESSAGES: Final = 3
_MAX_FINDINGS: Final = 4
_MIN_COPIED_CHARS: Final = 24
_MAX_COPIED_SHARE: Final = 0.5
_LABELLED: Final = compile_later(r"^\s*(?:(?:[-*•]|\d{1,2}[.)])\s+)?\*\*([^*\n]{1,60})\*\*\s*[:：]\s*(\S.*)$")
_LIST_MARK: Final = compile_later(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
# Bold type that is not the label of a value.
_FINDING: Final = compile_later(r"\*\*([^*\n]{1,59}[^*\n:：])\*\*(?!\s*[:：])")
# A title that stands alone, or before a remark in brackets.
_PART: Final = compile_later(r"^(?:#{2,4}\s+(\S.*)|\*\*([^*\n]{2,40})\*\*\s*(?:[（(].*[)）])?\s*)$", re.MULTILINE)
_ROW: Final = compile_later(r"^\s*(?:[-*•|]|\d{1,2}[.)])\s?\S", re.MULTILINE)
_OPTION_KEYS: Final = frozenset({"value", "label"})


def make_report_note(
    state: TurnState, runner: PlanRunner, messages: Sequence[BaseMessage], stop: Stop | None = None
) -> ModelNote:
    """Note for the report of a finished or stopped plan: the template's report, and digests of the results."""
    language, data = state.request.language, report_data(runner)
    if stop is None:
        template = render_plan_report(data, state.skill.active, language)
        brief = _make_report_brief(state, runner, messages, template)
        return ModelNote("report", render_sentence("note_report", language), data, brief)
    why = stop.why.text(language)
    data = {**data, "why": why, "stopped": True}
    template = render_stop_report(data, language)
    brief = _make_report_brief(state, runner, messages, template)
    return ModelNote("stopped", render_sentence("note_stopped", language, why=why), data, brief)


def _make_report_brief(
    state: TurnState, runner: PlanRunner, messages: Sequence[BaseMessage], template: str
) -> Brief | None:
    """Material of the report; None for the built-in model, which reads no prompt: digests need the exact tokenizer."""
    if state.uses_builtin_model("report"):
        return None
    return _add_results(make_brief(state, messages, template), state.skill.active, runner)


def report_data(runner: PlanRunner) -> JsonObject:
    """Data from which a report can be written without a language model."""
    run = runner.run
    done: list[JsonValue] = [
        {"id": step.id, "title": step.title or step.id, "saved": step.saved_as, "ask": step.ask or ""}
        for step in run.plan.steps
        if run.get_step_progress(step.id).state == "done"
    ]
    said: list[JsonValue] = [*_iter_said(runner)]
    return {"goal": run.plan.goal, "skill": runner.skill, "steps": done, "data": run.data, "said": said}


def _iter_said(runner: PlanRunner) -> Iterator[str]:
    """Texts that steps of the plan said when their results arrived."""
    for step in runner.run.plan.steps:
        value = runner.run.data.get(step.saved_as) if step.say is not None else None
        text = value.get(step.say) if isinstance(value, Mapping) and step.say is not None else None
        if isinstance(text, str):
            yield text


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
    is_cut = reply_end(message) != "complete" or "ended" in message.response_metadata.get(METIER, {})
    if not text or is_cut or echoes_brief(text):
        return use_template(state, brief, "report_unwritten")
    facts = (digest_value(_drop_reported(one, ""), _MAX_FACT_TOKENS, count_tokens) for one in results.values())
    sources = (brief.question, *brief.said, brief.report, *(one.text for one in brief.results), *facts)
    unknown = find_unknown_numbers(text, sources)
    if not unknown and copies_template(text, brief.report):
        return AIMessage(_template_text(state, brief), usage_metadata=message.usage_metadata)
    if not unknown and _is_self_hosted(state) and mixes_findings(text, brief.report, (brief.question, *brief.said)):
        return use_template(state, brief, "report_mixed")
    if not unknown:
        told = _add_conclusion(_drop_repeats(message.text), brief.report)
        skill = state.skill.active
        if skill is not None and isinstance(skill.metadata.get("report"), str):  # its author says what a report has
            told = _add_missing_parts(told, _template_text(state, brief))
        return AIMessage(told, usage_metadata=message.usage_metadata)
    told = render_sentence("numbers_unknown", state.request.language, numbers=list(unknown))
    state.journal.queue(EventDraft("error", {"code": "numbers_unknown", "message": told, "numbers": list(unknown)}))
    return use_template(state, brief, "report_replaced")


def copies_template(text: str, template: str) -> bool:
    """Whether a report consists mostly of lines of the template: it then adds nothing, and loses the order of these.

    A model of 1.5B parameters wrote symptoms into the list of causes that it copied.
    """
    known = fold_text(template)
    lines = [fold_text(_LIST_MARK.sub("", line)) for line in text.splitlines()]
    copied = sum(len(line) for line in lines if len(line) >= _MIN_COPIED_CHARS and line in known)
    return copied >= _MAX_COPIED_SHARE * sum(map(len, lines))


def mixes_findings(text: str, template: str, said: Sequence[str] = ()) -> bool:
    """Whether a line about a finding of the template has numbers that the template gives for another one.

    A model of 1.5B parameters gave the level of the worst cell to every cause, and called -104.9 dBm less than -110.
    """
    found = [_LABELLED.match(line) for line in template.splitlines()]
    known = {fold_text(one[1]): one[2] for one in found if one}
    common = (*said, *(line for line, one in zip(template.splitlines(), found, strict=True) if one is None))
    told = (one for line in text.splitlines() if (one := _LABELLED.match(line)) and fold_text(one[1]) in known)
    return any(find_unknown_numbers(one[2], (known[fold_text(one[1])], *common)) for one in told)


def _is_self_hosted(state: TurnState) -> bool:
    return state.resources.models.is_self_hosted(state.choose_model("report"))


def _drop_repeats(text: str) -> str:
    """The text without paragraphs that stand in it a second time, as small models write them."""
    paragraphs = text.split("\n\n")
    seen = {one.strip(): at for at, one in reversed(list(enumerate(paragraphs)))}
    return "\n\n".join(one for at, one in enumerate(paragraphs) if not one.strip() or seen[one.strip()] == at)


def _add_conclusion(text: str, template: str) -> str:
    """The text after the template's first finding, unless it names one of the first: a report never loses the verdict.

    Findings are what the template sets in bold type.
    """
    lines = [line for line in template.splitlines() if _FINDING.search(line) and fold_text(_FINDING.sub("", line))]
    lines = [line for line in lines if not line.startswith(("#", "|"))]  # nor a title that stands alone
    found = [fold_text(one) for one in _FINDING.findall("\n".join(lines))]
    is_told = not found or any(one in fold_text(text) for one in found[:_MAX_FINDINGS])
    return text if is_told else f"{lines[0]}\n\n{text}"


def _add_missing_parts(text: str, template: str) -> str:
    """The text with the parts of the template of which it has neither the title nor a number: none is lost."""
    missing = [
        part for title, part in _iter_parts(template) if fold_text(title) not in fold_text(text) and _is_new(part, text)
    ]
    return "\n\n".join([text.rstrip(), *missing])


def _is_new(part: str, text: str) -> bool:
    numbers = set(find_unknown_numbers(part, ()))
    return bool(numbers) and numbers == set(find_unknown_numbers(part, (text,)))


def _iter_parts(template: str) -> Iterator[tuple[str, str]]:
    """Titles and texts of the parts of a template that hold a list or a table."""
    starts = [*_PART.finditer(template)]
    ends = [*(one.start() for one in starts), len(template)][1:]
    for found, end in zip(starts, ends, strict=True):
        part = template[found.start() : end].strip()
        if _ROW.search(part):
            yield found[1] or found[2], part


def use_template(state: TurnState, brief: Brief, code: str) -> AIMessage:
    """The template's report, with the sentence that says why the model's is not shown."""
    state.calls.reply_end = "complete"  # the template's text is, however the model's ended
    return AIMessage(f"{_template_text(state, brief)}\n\n{render_sentence(code, state.request.language)}")


def _template_text(state: TurnState, brief: Brief) -> str:
    runner = state.plan.runner
    return (drop_said(brief.report, [*_iter_said(runner)]) if runner is not None else "") or brief.report


def _add_results(brief: Brief, skill: Skill | None, runner: PlanRunner) -> Brief:
    """The brief with digests of the results of all steps that are done, without what the report says already.

    Results of tools that the skill keeps are whole, as far as they fit.
    """
    has_template = skill is not None and isinstance(skill.metadata.get("report"), str)
    kept = skill.kept_tools if skill is not None else frozenset()
    done = [
        (step, _drop_reported(runner.run.data.get(step.saved_as), brief.report))
        for step in runner.run.plan.steps
        if not step.ask and runner.run.get_step_progress(step.id).state == "done"
    ]
    share = _MAX_RESULT_TOKENS if has_template else max(_MAX_RESULT_TOKENS, _MAX_EVIDENCE_TOKENS // max(1, len(done)))
    results = tuple(
        ContextDocument(step.title or step.id, text)
        for step, rest in done
        if (text := digest_value(rest, _MAX_EVIDENCE_TOKENS if step.call in kept else share, count_tokens, omit=True))
    )
    is_wide = not has_template or any(step.call in kept for step, _ in done)
    return replace(brief, results=results, results_tokens=_MAX_EVIDENCE_TOKENS if is_wide else None)


def _drop_reported(value: JsonValue, report: str) -> JsonValue:
    """The result without texts that stand in the report, tables and pictures, which the user sees, and options.

    What a person might have chosen is no finding: a small model reports it as if it had been examined.
    """
    if not isinstance(value, Mapping):
        return "" if isinstance(value, str) and value in report else value
    return {
        key: one
        for key, one in value.items()
        if key not in DISPLAYED_KEYS and not (isinstance(one, str) and one.strip() in report) and not _is_options(one)
    }


def _is_options(value: JsonValue) -> bool:
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return bool(items) and all(isinstance(one, Mapping) and one.keys() == _OPTION_KEYS for one in items)
