"""Checks of a journey's step: each says in words what was expected and what happened instead."""

from collections.abc import Iterator, Mapping

from metier.json_values import JsonObject, JsonValue
from metier.testing.journeys._dead_ends import find_dead_ends
from metier.testing.journeys._journey import Expectation, Journey, JourneyStep
from metier.testing.journeys._visit import StepRecord, Visit, as_objects

_CONTROL_TOOLS = frozenset({"use_skill", "select_skill"})


def check_step(journey: Journey, step: JourneyStep, visit: Visit, record: StepRecord) -> tuple[str, ...]:
    """Failures of a step, in words; empty if everything expected happened."""
    expect = step.expect
    checks_words = visit.host.uses_builtin_model
    failures = [
        *_check_dead_ends(journey, expect, visit, record),
        *_check_skill(expect, visit),
        *_check_calls(expect, record),
        *_check_question(expect, visit),
        *_check_shown(expect, visit, record),
        *_check_facts(expect, visit),
        *(_check_words(expect, record) if checks_words else ()),
        *_check_never(journey.never, record),
    ]
    if step.stop_at and not any(one.get("tool") == step.stop_at for one in record.data_of("tool.called")):
        failures.append(f"Stop could not be pressed: {step.stop_at} was never called")
    return tuple(failures)


def _check_dead_ends(journey: Journey, expect: Expectation, visit: Visit, record: StepRecord) -> Iterator[str]:
    found = find_dead_ends(visit, record, journey.language if visit.host.uses_builtin_model else None)
    if expect.error is not None:
        codes = [str(one.get("code")) for one in record.data_of("error", "turn.failed")]
        codes += [record.error.code] if record.error is not None else []
        if expect.error not in codes:
            yield f"the error {expect.error!r} was expected, not {', '.join(codes) or 'none'}"
        found = tuple(one for one in found if one.kind != "error")
    for one in found:
        if one.kind not in expect.allow:
            yield f"dead end ({one.kind}): {one.why}"


def _check_skill(expect: Expectation, visit: Visit) -> Iterator[str]:
    if expect.skill is not None and visit.skill != expect.skill:
        yield f"the skill is {visit.skill or 'none'}, not {expect.skill or 'none'}"


def _check_calls(expect: Expectation, record: StepRecord) -> Iterator[str]:
    called = [str(one.get("tool")) for one in record.data_of("tool.called") if one.get("tool") not in _CONTROL_TOOLS]
    rest = iter(called)
    missing = next((tool for tool in expect.called if tool not in rest), None)
    if missing is not None:
        yield f"{missing} was not called, or not in this order; called: {', '.join(called) or 'nothing'}"
    for tool in expect.not_called:
        if tool in called:
            yield f"{tool} was called"
    for name, wanted in expect.arguments.items():
        values = [call.get(name) for call in map(_get_arguments, record.data_of("tool.called")) if name in call]
        if not values or any(value != wanted for value in values):
            yield f"the calls have {name} {', '.join(map(repr, values)) or 'never'}, not {wanted!r}"


def _check_never(never: Expectation, record: StepRecord) -> Iterator[str]:
    called = {str(one.get("tool")) for one in record.data_of("tool.called")}
    yield from (f"{tool} was called, which this journey must never do" for tool in never.not_called if tool in called)
    yield from (f"the answer has {words!r}" for words in never.not_says if words in record.text)


def _check_question(expect: Expectation, visit: Visit) -> Iterator[str]:
    pause = visit.pause
    text = "" if pause is None else str(pause.get("text") or pause.get("title") or pause.get("tool") or "")
    if expect.asks is False and pause is not None:
        yield f"a question is open: {text!r}"
    elif expect.asks is True and pause is None:
        yield "no question is open"
    elif isinstance(expect.asks, str) and expect.asks not in text and not _is_in_words_of_a_model(visit, pause):
        yield f"the open question is {text!r}, without {expect.asks!r}" if pause else "no question is open"
    options = [str(one.get("text")) for one in visit.choices]
    for words in expect.choices:
        if not any(words in option for option in options):
            yield f"no option has {words!r}; options: {', '.join(options) or 'none'}"


def _is_in_words_of_a_model(visit: Visit, pause: JsonObject | None) -> bool:
    """Questions for missing values are worded by the model, those of a skill's steps are fixed."""
    asked = None if pause is None else pause.get("purpose")
    return not visit.host.uses_builtin_model and asked in ("fill", "parameters", "ask_user")


def _check_shown(expect: Expectation, visit: Visit, record: StepRecord) -> Iterator[str]:
    chips = [str(one.get("text")) for one in visit.chips]
    yield from _list_absent("suggestion", expect.offers, chips)
    tables = [str(one.get("title")) for one in record.data_of("table") if one.get("title")]
    columns = [
        str(column.get(name))
        for table in record.data_of("table")
        for column in as_objects(table.get("columns"))
        for name in ("title", "key")
    ]
    yield from _list_absent("table or column", expect.tables, [*tables, *columns])
    charts = [_get_text(one.get("spec"), "kind") for one in record.data_of("chart")]
    yield from _list_absent("chart", expect.charts, charts)
    files = [str(one.get("title") or one.get("path")) for one in record.data_of("file", "image")]
    yield from _list_absent("file", expect.files, files)


def _list_absent(what: str, wanted: tuple[str, ...], present: list[str]) -> Iterator[str]:
    for words in wanted:
        if not any(words in one for one in present):
            yield f"no {what} {words!r}; there are: {', '.join(dict.fromkeys(present)) or 'none'}"


def _check_words(expect: Expectation, record: StepRecord) -> Iterator[str]:
    text = record.text
    begin = " ".join(text.split())[:200]
    yield from (f"the answer does not say {one!r}; it says: {begin}" for one in expect.says if one not in text)
    yield from (f"the answer says {one!r}" for one in expect.not_says if one in text)


def _check_facts(expect: Expectation, visit: Visit) -> Iterator[str]:
    known = visit.facts
    for name, wanted in expect.facts.items():
        if known.get(name) != wanted:
            yield f"the fact {name!r} is {known.get(name)!r}, not {wanted!r}"


def _get_arguments(call: JsonObject) -> JsonObject:
    arguments = call.get("arguments")
    return arguments if isinstance(arguments, Mapping) else {}


def _get_text(value: JsonValue, name: str) -> str:
    return str(value.get(name, "")) if isinstance(value, Mapping) else ""
