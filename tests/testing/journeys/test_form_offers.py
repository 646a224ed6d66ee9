"""How the crawler fills in a form that it meets."""

from types import SimpleNamespace
from typing import Any, cast

from metier.testing.journeys import Action, StepRecord, Visit, find_offers


def test_an_option_of_a_field_for_several_is_answered_as_a_list() -> None:
    options = [{"value": "tilt"}, {"value": "power"}]
    fields = [
        {"name": "kinds", "widget": "multiselect", "options": options, "missing": True},
        {"name": "aim", "widget": "radio", "options": [{"value": "load"}], "missing": True},
        {"name": "range", "widget": "range", "default": [0, 20], "missing": True},
    ]
    asked = SimpleNamespace(
        kind="pause.opened", data={"pause": "p", "purpose": "fill", "text": "?", "form": {"fields": fields}}
    )
    visit = Visit(cast("Any", None), records=[StepRecord(Action(say="x"), cast("Any", (asked,)))])
    filled = [one.action.fill for one in find_offers(visit) if one.action.fill]
    assert filled == [{"kinds": [one], "aim": "load", "range": [0, 20]} for one in ("tilt", "power")]


def test_what_is_filled_in_already_is_sent_as_it_is() -> None:
    fields = [
        {"name": "date", "placeholder": "1990-06-15", "missing": True},
        {"name": "place", "placeholder": "Chengdu", "missing": True},
        {"name": "hour", "options": [{"value": "unknown"}], "missing": False},
    ]
    known = {"date": "1988-01-02", "hour": "unknown", "language": "zh"}
    schema: dict[str, object] = {"properties": {"date": {}, "hour": {}, "place": {}}}
    asked = SimpleNamespace(
        kind="pause.opened",
        data={
            "pause": "p",
            "purpose": "profile",
            "text": "?",
            "known": known,
            "schema": schema,
            "form": {"fields": fields},
        },
    )
    visit = Visit(cast("Any", None), records=[StepRecord(Action(say="x"), cast("Any", (asked,)))])
    filled = [one.action.fill for one in find_offers(visit) if one.action.fill]
    assert filled == [{"date": "1988-01-02", "hour": "unknown", "place": "Chengdu"}]
