"""Plans as models write them: repaired where there is one meaning, refused with a path where there is none."""

import json
from typing import Any

import jsonschema
import pytest

from metier.packs.office.plan import (
    HOST_APPS,
    OPERATIONS,
    load_plan,
    load_style_spec,
    operations_of,
    plan_schema,
    read_color,
)

_HEAD = {"schema_version": "ah32.plan.v1", "host_app": "wps", "meta": {}}


def _plan(*actions: object, **top: object) -> dict[str, Any]:
    return {**_HEAD, "actions": list(actions), **top}


def _action(op: str, **fields: object) -> dict[str, Any]:
    return {"id": "a1", "title": "步骤", "op": op, **fields}


def test_all_operations_of_the_original_are_known_and_few_are_refused() -> None:
    originals = [one for one in OPERATIONS.values() if not one.is_ours]
    assert len(originals) == 51
    assert {host: len(operations_of(host) & {one.name for one in originals}) for host in HOST_APPS} == {
        "wps": 21,
        "et": 16,
        "wpp": 25,
    }


def test_a_correct_plan_needs_no_repair_and_gets_the_defaults() -> None:
    loaded = load_plan(_plan(_action("insert_text", text="正文")), host="wps")
    assert (loaded.repairs, loaded.problems) == ((), ())
    assert loaded.plan is not None
    assert loaded.plan.actions[0].fields == {
        "text": "正文",
        "new_paragraph_before": False,
        "new_paragraph_after": False,
    }
    assert load_plan(json.dumps(loaded.plan.to_json()), host="wps").plan == loaded.plan


def test_mistakes_with_one_meaning_are_repaired_and_recorded() -> None:
    text = {"id": "a1", "title": "t", "op": "insert_text", "text": "x"}
    cases: list[tuple[object, str]] = [
        (f"好的：\n```json\n{json.dumps(_plan(text))}\n```\n请查看", "code_fence_removed"),
        (json.dumps(_plan(text))[:-2] + ",]}", "json_mended"),
        (str(_plan(text)), "json_mended"),
        ([text], "wrapped_list"),
        ({"plan": _plan(text)}, "unwrapped"),
        (text, "wrapped_action"),
        ({**_HEAD, "actions": text}, "wrapped_action"),
        ({**_HEAD, "actions": {"first": {"title": "t", "op": "insert_text", "text": "x"}}}, "wrapped_action"),
        ({**_HEAD, "steps": [text]}, "renamed"),
        (_plan(text, schema_version="v1"), "version_added"),
        (_plan(text, host_app="Writer"), "host_alias"),
        ({"schema_version": "ah32.plan.v1", "actions": [text]}, "host_added"),
        (_plan(text, author="model"), "dropped"),
        (_plan({"id": "a1", "title": "t", "type": "insert_text", "text": "x"}), "renamed"),
        (_plan({**text, "op": "InsertText"}), "op_alias"),
        (_plan({**text, "op": "append_text"}), "op_alias"),
        (_plan({"id": "a1", "title": "t", "insert_text": {"text": "x"}}), "missing_op"),
        (_plan({"insert_text": {"text": "x"}}), "renamed"),
        (_plan({"title": "t", "op": "insert_text", "text": "x"}), "id_added"),
        (_plan({**text, "id": "第一步"}), "id_changed"),
        (_plan(text, text), "id_changed"),
        (_plan({"id": "a1", "op": "insert_text", "text": "x"}), "title_added"),
        (_plan({**text, "title": "长" * 300}), "title_cut"),
        (_plan({"id": "a1", "title": "t", "op": "insert_text", "params": {"text": "x"}}), "flattened"),
        (_plan({**text, "reason": "because"}), "dropped"),
        (_plan({**text, "newParagraphBefore": True}), "renamed"),
        (_plan({"id": "a1", "title": "t", "op": "insert_text", "content": "x"}), "renamed"),
        (_plan({**text, "new_paragraph_before": None}), "null_dropped"),
        (_plan({**text, "new_paragraph_before": "true"}), "boolean_from_text"),
        (_plan({**text, "text": 12}), "text_from_value"),
        (_plan(_action("set_table_cell_text", row="2", col=1.0, text="x")), "number_from_text"),
        (_plan(_action("set_paragraph_format", alignment="居中")), "choice_alias"),
        (_plan(_action("insert_chart_from_selection", chart_type="line")), "choice_alias"),
        (_plan(_action("insert_table", data=[["a"], ["b"]])), "size_from_data"),
        (_plan(_action("insert_table", data=[{"项": "a", "数": "1"}])), "rows_from_objects"),
        (_plan(_action("apply_text_style_to_matches", find_text="x", max_matches=9_999)), "limited"),
        (_plan(_action("answer_mode_apply", answers={"1": "A", "2": "B"})), "wrapped_action"),
        (
            _plan(
                _action("upsert_block", block_id="b", actions=[_action("upsert_block", block_id="c", actions=[text])])
            ),
            "block_flattened",
        ),
    ]
    wrong: list[object] = []
    for value, code in cases:
        loaded = load_plan(value, host="wps")  # type: ignore[arg-type]
        codes = {one.note.code for one in loaded.repairs}
        if code == "missing_op":
            if loaded.plan is not None or code not in {one.note.code for one in loaded.problems}:
                wrong.append((code, value))
        elif loaded.plan is None or code not in codes:
            wrong.append((code, codes, [one.text() for one in loaded.problems]))
    assert wrong == []


def test_what_cannot_be_understood_is_a_problem_with_its_path() -> None:
    cases: list[tuple[object, str, str]] = [
        ("no plan at all", "", "not_json"),
        (7, "", "not_object"),
        (_plan(), "actions", "no_actions"),
        (_plan(_action("insert_text", text="x"), schema_version="ah32.plan.v9"), "schema_version", "bad_version"),
        (_plan(_action("insert_text", text="x"), host_app="photoshop"), "host_app", "unknown_host"),
        (_plan(_action("insert_text", text="x"), host_app="et"), "host_app", "other_host"),
        (_plan(_action("run_macro")), "actions[0].op", "unknown_op_alone"),
        (_plan(_action("insert_tabel")), "actions[0].op", "unknown_op"),
        (_plan(_action("add_slide")), "actions[0].op", "op_of_other_host"),
        (_plan(_action("insert_text")), "actions[0].text", "missing_field"),
        (_plan(_action("insert_text", text={"a": 1})), "actions[0].text", "wrong_type"),
        (
            _plan(_action("insert_text", text="x", colour_of_sky="blue")),
            "actions[0].colour_of_sky",
            "unknown_field_alone",
        ),
        (_plan(_action("insert_table", rows=0, cols=2)), "actions[0].rows", "too_small"),
        (_plan(_action("insert_table", rows=101, cols=2)), "actions[0].rows", "too_large"),
        (_plan(_action("insert_after_text", anchor_text="", text="x")), "actions[0].anchor_text", "too_short"),
        (_plan(_action("upsert_block", block_id="b" * 65, actions=[])), "actions[0].block_id", "too_long"),
        (_plan(_action("set_paragraph_format", alignment="diagonal")), "actions[0].alignment", "not_a_choice"),
        (_plan(_action("add_comment", text="x")), "actions[0]", "needs_one_of"),
        (
            _plan(_action("upsert_block", block_id="b", actions=[{"op": "insert_text", "id": "q", "title": "t"}])),
            "actions[0].actions[0].text",
            "missing_field",
        ),
        (_plan("insert text"), "actions[0]", "not_object"),
    ]
    wrong: list[object] = []
    for value, path, code in cases:
        loaded = load_plan(value, host="wps")  # type: ignore[arg-type]
        found = [(one.path, one.note.code) for one in loaded.problems]
        texts = [one.text(language) for one in loaded.problems for language in ("zh", "en")]
        if loaded.plan is not None or (path, code) not in found or any("…" in text for text in texts):
            wrong.append((path, code, found, texts))
    assert wrong == []


def test_a_skill_may_use_only_its_operations() -> None:
    loaded = load_plan(_plan(_action("insert_text", text="x")), host="wps", allowed_ops=("upsert_block",))
    assert [one.note.code for one in loaded.problems] == ["op_not_allowed"]
    schema = json.dumps(plan_schema("wps", ("upsert_block", "insert_text")))
    assert "insert_table" not in schema


def test_the_schema_agrees_with_the_reader() -> None:
    validator = jsonschema.Draft202012Validator(plan_schema())
    good = _plan(_action("upsert_block", block_id="b", actions=[_action("insert_text", text="x")]))
    bad = [
        _plan(_action("insert_text")),
        _plan(_action("add_slide")),
        _plan(_action("insert_text", text="x", other=1)),
        _plan(_action("insert_table", rows=0, cols=1)),
        {**good, "extra": 1},
        {**good, "host_app": "writer"},
    ]
    assert list(validator.iter_errors(good)) == []
    assert [value for value in bad if not list(validator.iter_errors(value))] == []


def test_a_style_is_read_in_either_spelling() -> None:
    spec = load_style_spec(
        {"palette": {"primary": "#1f4e79"}, "fonts": {"eastAsia": "仿宋"}, "writer": {"table": {"header_bold": True}}}
    )
    assert (spec.primary, spec.header_fill, spec.east_asia_font, spec.is_header_bold) == (
        "1F4E79",
        "1F4E79",
        "仿宋",
        True,
    )
    assert [read_color(one) for one in ("#abc", "rgb(1, 2, 3)", "red", "no colour")] == [
        "AABBCC",
        "010203",
        "FF0000",
        "",
    ]


@pytest.mark.parametrize("size", [0, -5, 0.4, 401, 1e9, 10**400, float("inf"), float("nan"), "14", True, [12]])
def test_a_size_that_no_program_takes_is_left_out(size: Any) -> None:
    style = {"fonts": {"size": size}, "wpp": {"body": {"size": size}, "heading": {"size": size}}}
    spec = load_style_spec(style, "wpp")
    assert (spec.body_size, spec.heading_size) == (None, None)


@pytest.mark.parametrize("font", ["", "仿\x00宋", "仿\x01宋", "Arial\ufffe", "Arial\ud800", "A" * 65, ["Arial"], 5])
def test_a_name_that_no_font_has_is_left_out(font: Any) -> None:
    style = {"fonts": {"eastAsia": font, "latin": font}, "writer": {"heading": {"font": font}, "body": {"font": font}}}
    spec = load_style_spec(style)
    assert (spec.east_asia_font, spec.latin_font, spec.heading_font) == ("", "", "")


@pytest.mark.parametrize("value", [1e9, -50, 10**400, float("inf"), float("-inf"), float("nan")])
def test_no_operation_takes_a_number_that_no_program_takes(value: Any) -> None:
    taken = []
    for operation in OPERATIONS.values():
        for spec in operation.fields.values():
            if spec.kind != "number":
                continue
            loaded = load_plan(
                _plan(_action(operation.name, **{spec.name: value}), host_app=operation.hosts[0]),
                host=operation.hosts[0],
            )
            if not any(spec.name in problem.path for problem in loaded.problems):
                taken.append((operation.name, spec.name))
    assert taken == []


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ({"palette": {"primary": "#7A1F5C", "text": "#203864"}}, "FFFFFF"),
        ({"palette": {"primary": "#1F4E79"}}, "FFFFFF"),
        ({"palette": {"primary": "#D9E2F3", "text": "#EEEEEE"}}, "000000"),
        ({"palette": {"primary": "#D9E2F3", "text": "#203864"}}, ""),
        ({"palette": {"primary": "#7A1F5C"}, "writer": {"table": {"headerText": "#FFE699"}}}, "FFE699"),
        ({"palette": {"text": "#203864"}}, ""),
    ],
)
def test_the_words_of_a_header_can_be_read_on_its_fill(style: dict[str, Any], expected: str) -> None:
    assert load_style_spec(style).header_text == expected
