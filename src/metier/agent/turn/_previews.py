"""Previews of calls that need approval: run before a person is asked, and again before the call."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from langchain_core.messages import ToolMessage

from metier.agent.adapters import describe_arguments, outcome_message, render_sentence
from metier.agent.results import extract_tables
from metier.agent.turn._call_batch import HeldCall, ShownPreview, call_to_json, preview_from_data
from metier.agent.turn._state import TurnState
from metier.json_values import JsonObject, JsonValue, to_plain_json
from metier.language import Language
from metier.store import LOCAL_USER, EventDraft, Pause, Principal
from metier.tools import PREVIEW_FAILED, Outcome, Preview, ToolCall, ToolFailure, ToolResult, ToolSpec, Verdict


async def update_preview(state: TurnState, call: ToolCall, verdict: Verdict, *, again: bool) -> ToolMessage | None:
    """Run the preview of a call, unless it was run and `again` is false.

    Returns the ToolMessage of a call that its tool refuses already in the preview; such a call is not asked about. If
    the preview itself fails, the call is asked about without it, and the question says so.
    """
    spec = state.get_spec(call.name)
    if spec is None or not spec.preview:
        return None
    arguments, known = _shown_arguments(state, call), state.calls.previews.get(call.id)
    if not again and known is not None and known.arguments == arguments:
        return None
    executor = state.resources.toolset(state.request.catalog).executor
    previewed = replace(call, arguments=arguments)
    made = await executor.preview(previewed, spec, state.tool_context(), gate=state.gate)
    if isinstance(made, ToolFailure) and made.code != PREVIEW_FAILED:
        is_invalid = made.code == "invalid_arguments"
        return outcome_message(Outcome(call, verdict, ToolResult(failure=made), "invalid" if is_invalid else "failed"))
    problem = made.message if isinstance(made, ToolFailure) else ""
    state.calls.previews[call.id] = ShownPreview(arguments, made if isinstance(made, Preview) else None, problem)
    return None


def describe_held_call(state: TurnState, held: HeldCall) -> JsonObject:
    """A held call as an approver reads it: title, arguments in words, and what it would do."""
    spec, language = state.get_spec(held.call.name), state.request.language
    shown = preview_from_data(held.data)
    made: dict[str, JsonValue] = {**call_to_json(held.call)}
    if spec is not None:
        made |= {"title": spec.title(language), "details": describe_arguments(spec, held.call.arguments, language)}
    if shown is not None and shown.preview is not None:
        made["preview"] = {**shown.preview.to_json(), "digest": shown.digest}
    elif shown is not None:
        made["preview_problem"] = render_sentence("preview_failed", language, why=shown.problem)
    return made


def translate_question(
    pause: Pause, find_spec: Callable[[str], ToolSpec | None], language: Language
) -> dict[str, JsonValue]:
    """Text and calls of a question about calls, in the language of whoever reads it."""
    asked, listed = pause.payload, pause.payload.get("calls")
    if pause.kind == "exception":
        tool = str(asked.get("tool"))
        title = spec.title(language) if (spec := find_spec(tool)) is not None else tool
        return {"text": render_sentence("exception", language, tool=title, reason=asked.get("reason"))}
    calls = (
        [_translate_call(one, find_spec, language) for one in listed if isinstance(one, Mapping)]
        if isinstance(listed, list)
        else []
    )
    titles = list(dict.fromkeys(str(one.get("title") or one.get("name")) for one in calls))
    return {"text": render_sentence("approve", language, tools=titles), "calls": [*calls]} if calls else {}


def _translate_call(call: JsonObject, find_spec: Callable[[str], ToolSpec | None], language: Language) -> JsonObject:
    spec, arguments = find_spec(str(call.get("name"))), call.get("args")
    if spec is None:
        return call
    known = arguments if isinstance(arguments, Mapping) else {}
    return {**call, "title": spec.title(language), "details": describe_arguments(spec, known, language)}


def publish_receipt(state: TurnState, call: ToolCall, *, has_table: bool) -> None:
    """After an approved call: the table of what was done, unless its result has one, and the offer to undo it."""
    shown, answer = state.calls.previews.get(call.id), state.calls.answers.get(call.id)
    if answer is None or not answer.is_approval:
        return
    language = state.request.language
    specs = state.open_gate.specs
    title = specs[call.name].title(language) if call.name in specs else call.name
    if shown is not None and shown.preview is not None and shown.preview.rows and not has_table:
        done = _select_rows(shown.preview, call)
        table = preview_table(done, _render_receipt(Principal(answer.by, answer.key), title, language), language)
        state.queue_display_events(*_table_events(table, call.id, language))
    undo = next((one for one in specs.values() if one.undoes == call.name), None)
    if undo is not None:
        state.calls.offers.append({"text": undo.title(language), "value": undo.title(language)})


def _render_receipt(who: Principal, title: str, language: Language) -> str:
    """Title of a receipt; without accounts everybody is the local user, so nobody can be named."""
    if who.user == LOCAL_USER and not who.key:
        return render_sentence("receipt_local", language, title=title)
    return render_sentence("receipt", language, title=title, by=who.describe())


def preview_table(preview: Preview, title: str, language: Language) -> JsonObject:
    """Rows of a preview as a table in one language."""
    columns: list[JsonValue] = [
        {"key": one.key, "title": one.title.text(language), "unit": one.unit} for one in preview.columns
    ]
    rows: list[JsonValue] = [
        {key: _localize(value, language) for key, value in row.values.items()} for row in preview.rows
    ]
    return {"title": title, "columns": columns, "rows": rows}


def _shown_arguments(state: TurnState, call: ToolCall) -> JsonObject:
    """Arguments that the preview is of: before a person chose among its rows."""
    answer = state.calls.answers.get(call.id)
    if answer is not None and answer.purpose == "approve" and answer.decision == "approve":
        shown = preview_from_data(answer.data)
        if shown is not None:
            return shown.arguments
    plain = to_plain_json(state.gate.resolve_call(call).arguments)
    return plain if isinstance(plain, Mapping) else {}


def _select_rows(preview: Preview, call: ToolCall) -> Preview:
    chosen = call.arguments.get(preview.chosen_as) if preview.chosen_as else None
    if not isinstance(chosen, Sequence) or isinstance(chosen, str):
        return preview
    return preview.select([one for one in chosen if isinstance(one, Mapping)])


def _table_events(table: JsonObject, call_id: str, language: Language) -> Sequence[EventDraft]:
    found = extract_tables({"table": table}, call_id, language)
    return () if found is None else tuple(found.drafts)


def _localize(value: JsonValue, language: Language) -> JsonValue:
    return value.get(language) if isinstance(value, Mapping) else value
