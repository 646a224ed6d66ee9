"""Models of what events hold: one for every kind, and they can tell right from wrong."""

from typing import get_args

import pytest

from metier.events import EVENT_DATA, event_schema, find_event_problems
from metier.json_values import JsonObject
from metier.store import EventKind


def test_every_kind_has_a_model_in_the_order_of_the_kinds() -> None:
    assert list(EVENT_DATA) == list(get_args(EventKind))


@pytest.mark.parametrize("kind", EVENT_DATA)
def test_every_model_says_when_it_is_sent(kind: EventKind) -> None:
    assert EVENT_DATA[kind].__doc__


@pytest.mark.parametrize(
    ("kind", "data", "problems"),
    [
        ("text.delta", {"text": "你好"}, ()),
        ("text.delta", {"text": "hi", "parent": "call-1", "depth": 1}, ()),
        ("text.delta", {}, ("text.delta: text: Field required",)),
        ("text.delta", {"text": None}, ("text.delta: text: Input should be a valid string",)),
        ("text.delta", {"text": "a", "txt": "b"}, ("text.delta: txt: Extra inputs are not permitted",)),
        ("text.done", {"text": "a", "stopped": None}, ("text.done: stopped: may be missing, but not null",)),
        ("turn.started", {"message": "a", "skill": None}, ()),
        ("turn.started", {"message": "a", "skill": 1}, ("turn.started: skill: Input should be a valid string",)),
        ("pause.answered", {"pause": "a", "answer": None}, ()),
        (
            "usage",
            {"input_tokens": True, "output_tokens": 1},
            ("usage: input_tokens: Input should be a valid integer",),
        ),
        (
            "suggestions",
            {"suggestions": "a", "from": "model"},
            ("suggestions: suggestions: Input should be a valid array",),
        ),
        (
            "usage",
            {"input_tokens": 1, "output_tokens": 1, "estimated": 1},
            ("usage: estimated: Input should be a valid boolean",),
        ),
        ("chart", {"chart": "a", "call": "b", "spec": []}, ("chart: spec: Input should be an object",)),
        ("todos", {"todos": [{"content": "a"}], "from": "plan"}, ("todos: todos.0.status: Field required",)),
        ("report", {"rounds": 1, "nodes": 4, "failed": 0, "files": []}, ()),
    ],
)
def test_data_that_does_not_fit_is_named(kind: EventKind, data: JsonObject, problems: tuple[str, ...]) -> None:
    assert find_event_problems(kind, data) == problems


@pytest.mark.parametrize(
    "data", [{"text": "a", "added_later": 1}, {"text": "a", "stopped": None}], ids=["unknown key", "null"]
)
def test_what_another_version_wrote_can_be_read(data: JsonObject) -> None:
    assert EVENT_DATA["text.done"].model_validate(data).model_dump(include={"text"}) == {"text": "a"}


def test_the_schema_names_every_kind_and_a_missing_key_is_not_null() -> None:
    schema = event_schema()
    assert set(schema["discriminator"]["mapping"]) == set(EVENT_DATA)
    done = schema["$defs"]["TextDone"]
    assert (done["required"], done["properties"]["stopped"]["type"]) == (["text"], "boolean")


def test_who_changes_the_schema_changes_only_their_own() -> None:
    event_schema()["$defs"].clear()
    assert "TextDone" in event_schema()["$defs"]
