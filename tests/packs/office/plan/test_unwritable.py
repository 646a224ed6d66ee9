"""What no document can hold, or no program can read, is left out or refused when the plan is read."""

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.packs.office.plan import HostApp, load_plan


def _load(host: HostApp, **action: JsonValue) -> list[str]:
    plan: JsonObject = {"schema_version": "ah32.plan.v1", "host_app": host, "meta": {}, "actions": [action]}
    loaded = load_plan(plan, host=host)
    return [one.path for one in loaded.problems]


@pytest.mark.parametrize(
    ("host", "action"),
    [
        ("wps", {"op": "apply_text_style_to_matches", "find_text": "甲方", "color": "not-a-color"}),
        ("wps", {"op": "apply_paragraph_style", "addresses": ["p1"], "highlight": "亮亮的"}),
        ("et", {"op": "set_cell_style", "range": "A1", "fill_color": "#12"}),
        ("et", {"op": "set_conditional_format", "range": "A1", "min_color": "无色"}),
        ("wpp", {"op": "set_slide_background", "slide_index": 1, "color": "sky"}),
    ],
)
def test_a_word_that_is_no_colour_is_told_for_documents_sheets_and_slides(
    host: HostApp, action: dict[str, JsonValue]
) -> None:
    assert [path.rpartition(".")[2] for path in _load(host, **action)] in (
        ["color"],
        ["highlight"],
        ["fill_color"],
        ["min_color"],
    )


@pytest.mark.parametrize("color", ["黄色", "orange", "#fff", "FF1F4E79", "rgb(1, 2, 3)", "紫"])
@pytest.mark.parametrize("host", ["wps", "wpp"])
def test_every_host_knows_the_same_colours(host: HostApp, color: str) -> None:
    action: dict[str, JsonValue] = {"op": "set_slide_background"}
    if host == "wps":
        action = {"op": "apply_paragraph_style", "addresses": ["p1"]}
    assert not _load(host, **action, color=color)


def test_control_characters_and_half_of_an_emoji_are_left_out() -> None:
    actions: list[JsonValue] = [{"op": "insert_text", "text": "a\x00b\x0bc\ud83d\n\t😀"}]
    plan: JsonObject = {"schema_version": "ah32.plan.v1", "host_app": "wps", "meta": {}, "actions": actions}
    loaded = load_plan(plan, host="wps")
    assert loaded.plan is not None
    assert loaded.plan.actions[0].text("text") == "abc\n\t😀"
    assert any("no document can hold" in one.text("en") for one in loaded.repairs)
