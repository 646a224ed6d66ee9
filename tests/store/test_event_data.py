"""The table of what events hold: it covers every kind, and it can tell right from wrong."""

from typing import get_args

import pytest

from metier.json_values import JsonObject
from metier.store import EVENT_DATA, EventKind, find_event_problems

TYPES = {"string", "integer", "number", "boolean", "object", "array", "null", "any"}


def test_every_kind_is_described_in_the_order_of_the_kinds() -> None:
    assert list(EVENT_DATA) == list(get_args(EventKind))


@pytest.mark.parametrize("kind", EVENT_DATA)
def test_every_key_is_described_once_with_types_that_json_has(kind: EventKind) -> None:
    fields = EVENT_DATA[kind].fields
    assert len({one.name for one in fields}) == len(fields)
    assert all(one.description and set(one.types.split(" | ")) <= TYPES for one in fields)


@pytest.mark.parametrize(
    ("kind", "data", "problems"),
    [
        ("text.delta", {"text": "你好"}, ()),
        ("text.delta", {"text": "hi", "parent": "call-1", "depth": 1}, ()),
        ("text.delta", {}, ("text.delta: text is missing",)),
        ("text.delta", {"text": None}, ("text.delta: text is no string",)),
        ("text.delta", {"text": "a", "txt": "b"}, ("text.delta: nobody knows txt",)),
        ("turn.started", {"message": "a", "skill": None}, ()),
        ("turn.started", {"message": "a", "skill": 1}, ("turn.started: skill is no string | null",)),
        ("usage", {"input_tokens": True, "output_tokens": 1}, ("usage: input_tokens is no integer",)),
        ("suggestions", {"suggestions": "a", "from": "model"}, ("suggestions: suggestions is no array",)),
        ("usage", {"input_tokens": 1, "output_tokens": 1, "estimated": 1}, ("usage: estimated is no boolean",)),
        ("chart", {"chart": "a", "call": "b", "spec": []}, ("chart: spec is no object",)),
        ("report", {"anything": 1}, ()),
    ],
)
def test_data_that_does_not_fit_is_named(kind: EventKind, data: JsonObject, problems: tuple[str, ...]) -> None:
    assert find_event_problems(kind, data) == problems
