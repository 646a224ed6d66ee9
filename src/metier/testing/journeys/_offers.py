"""Everything a person is offered at a point of a conversation: suggestions, options, forms, words to say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.testing.journeys._journey import Action
from metier.testing.journeys._visit import StepRecord, Visit, as_objects

OfferSource: TypeAlias = Literal["example", "suggestion", "option", "approval", "form", "quoted", "skill"]

_MAX_OPTIONS: Final = 6
_QUOTE: Final = r"[「“\"']([^「」“”\"'\n]{2,60})[」”\"']"
# "say 「…」", and the further quotes of the same list: "say 「…」 or 「…」"
_SAY: Final = re.compile(rf"(?:说|回复|输入|发送|[Ss]ay|[Rr]eply(?: with)?|[Ss]end|[Tt]ype)\s*[:：]?\s*{_QUOTE}")
_FURTHER: Final = re.compile(rf"\s*(?:、|或者?|，|,|or)\s*{_QUOTE}")
_SKILL_LINE: Final = re.compile(r"^- (/[\w-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that the product offers, and the action that takes it."""

    source: OfferSource
    text: str
    action: Action


def find_offers(visit: Visit) -> tuple[Offer, ...]:
    """Find what is offered after the last step, each once."""
    record = visit.records[-1]
    found = [*_list_answers(visit), *_list_suggestions(visit), *_list_quoted(record), *_list_skills(record)]
    return tuple({(one.text, one.action.kind): one for one in reversed(found)}.values())[::-1]


def _list_suggestions(visit: Visit) -> Iterator[Offer]:
    for one in visit.chips:
        text = str(one.get("text"))
        yield Offer("suggestion", text, Action(say=str(one.get("value") or text)))


def _list_quoted(record: StepRecord) -> Iterator[Offer]:
    text = record.text
    for hit in _SAY.finditer(text):
        yield Offer("quoted", hit[1], Action(say=hit[1]))
        at = hit.end()
        while further := _FURTHER.match(text, at):
            yield Offer("quoted", further[1], Action(say=further[1]))
            at = further.end()


def _list_skills(record: StepRecord) -> Iterator[Offer]:
    for hit in _SKILL_LINE.finditer(record.text):
        yield Offer("skill", hit[1], Action(say=hit[1]))


def _list_answers(visit: Visit) -> Iterator[Offer]:
    pause = visit.pause
    if pause is None:
        return
    choices = visit.choices
    for number, one in enumerate(choices[:_MAX_OPTIONS], 1):
        yield Offer("option", str(one.get("text")), Action(choose=number))
    if pause.get("purpose") in ("approve", "exception") and not choices:
        yield Offer("approval", "approve", Action(approve=True))
        yield Offer("approval", "reject", Action(reject=True))
    elif not choices and isinstance(pause.get("form"), Mapping):
        yield from _list_forms(pause)


def _list_forms(pause: JsonObject) -> Iterator[Offer]:
    """One way to fill the form for each option of its first missing field; what is filled in stays as it is."""
    form = pause.get("form")
    fields = as_objects(form.get("fields")) if isinstance(form, Mapping) else []
    missing = [one for one in fields if one.get("missing")]
    if missing:
        values = {str(one.get("name")): _find_value(one) for one in missing} | _list_filled_in(pause)
        first = missing[0]
        options = [_as_answer(first, one.get("value")) for one in as_objects(first.get("options"))[:_MAX_OPTIONS]]
        for value in options or [values[str(first.get("name"))]]:
            filled = {**values, str(first.get("name")): value}
            if all(one is not None for one in filled.values()):
                yield Offer("form", ", ".join(map(str, filled.values())), Action(fill=dict(filled)))
    yield Offer("form", "put the form away", Action(reject=True))


def _list_filled_in(pause: JsonObject) -> dict[str, JsonValue]:
    """What stands in the fields that an answer may have."""
    known, schema = pause.get("known"), pause.get("schema")
    asked = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(known, Mapping) or not isinstance(asked, Mapping):
        return {}
    return {name: value for name, value in known.items() if name in asked}


def _find_value(field: JsonObject) -> JsonValue:
    """A value that the form itself names: its default, first option, first example or least value."""
    options = as_objects(field.get("options"))
    examples = field.get("examples")
    if field.get("default") is not None:
        return field["default"]
    if options:
        return _as_answer(field, options[0].get("value"))
    if isinstance(examples, Sequence) and not isinstance(examples, str) and examples:
        return examples[0]
    return field.get("min") if field.get("min") is not None else field.get("placeholder")


def _as_answer(field: JsonObject, option: JsonValue) -> JsonValue:
    """An option as the value of its field: of several that may be chosen, a list with it alone."""
    return [option] if field.get("widget") == "multiselect" else option
