"""What a plan writes is read in one way: blocks with their steps, cells as texts, lines without their marks."""

from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import (
    list_groups,
    list_lines,
    list_rows,
    list_steps,
    list_tables,
    list_texts,
    list_written,
)

_TABLE: Final[JsonObject] = {"op": "insert_table", "data": [["姓名", "数量"], ["甲", 3], ["乙", None]]}
_TEXT: Final[JsonObject] = {"op": "insert_text", "text": "# 周报\n1. 目标\n- 风险"}
_PLAN: Final[JsonObject] = {"actions": [{"op": "upsert_block", "title": "表格", "actions": [_TABLE]}, _TEXT]}


def test_steps_of_blocks_stand_behind_their_block() -> None:
    assert [one["op"] for one in list_steps(_PLAN)] == ["upsert_block", "insert_table", "insert_text"]


def test_cells_are_texts_and_empty_ones_are_empty() -> None:
    assert list_rows(_TABLE) == [["姓名", "数量"], ["甲", "3"], ["乙", ""]]
    assert list_rows(_TEXT) == []
    assert list_tables([_TABLE, _TEXT, {"op": "insert_table", "data": []}]) == [list_rows(_TABLE), []]


def test_lines_are_those_of_the_first_field_that_has_any() -> None:
    assert list_lines({"op": "add_slide", "content": "甲\n乙", "title": "丙"}) == ["甲", "乙"]
    assert list_lines(_TABLE) == []


def test_texts_are_without_marks_and_written_ones_without_the_names_of_steps() -> None:
    assert list_texts([_TEXT]) == ["周报", "目标", "风险"]
    assert "表格" in list_texts(list_steps(_PLAN))
    assert "表格" not in list_written(_PLAN)


def test_what_stands_beside_each_other_is_one_group() -> None:
    assert [*list_groups(_TEXT)] == [["周报", "目标", "风险"]]
    assert next(list_groups(_TABLE)) == ["", "姓名", "数量"]
