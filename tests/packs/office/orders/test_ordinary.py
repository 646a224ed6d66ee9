"""Ordinary orders about the open sheet or deck: each message does all that it says, or it is asked about."""

import json
from pathlib import Path
from typing import Any

import pytest

from metier.language import language_of
from metier.packs.office.analysis import Reading, SheetCell, SheetCells, SlideText
from metier.packs.office.orders import read_orders
from metier.packs.office.planbench import PlanCase, make_drafter, run_case

ORDINARY = Path(__file__).parent / "ordinary.jsonl"
_ROWS = (("名称", "数量"), ("甲", 3), ("乙", 5))


def _sheet(*rows: tuple[str | int, ...]) -> Reading:
    cells = [
        SheetCell(f"{'ABCDEF'[column]}{row}", value)
        for row, values in enumerate(rows, 1)
        for column, value in enumerate(values)
    ]
    return Reading("stock.xlsx", "xlsx", sheets=(SheetCells("台账", tuple(cells)),))


def _deck(*titles: str) -> Reading:
    slides = tuple(SlideText(number, title) for number, title in enumerate(titles, 1))
    return Reading("deck.pptx", "pptx", slides=slides)


def _steps(message: str, reading: Reading) -> list[dict[str, Any]]:
    return [dict(one) for one in read_orders(message, reading, language=language_of(message)).actions]


def test_every_order_is_written_as_it_was_said() -> None:
    """Rows, columns, totals, rules of colour, charts and slides of known forms, alone and together."""
    draft = make_drafter("builtin")
    wrong = []
    for line in ORDINARY.read_text("utf-8").splitlines():
        row = json.loads(line)
        asserts = tuple((kind, value) for kind, value in row["asserts"])
        made = run_case(PlanCase(row["id"], row["host"], row["language"], row["request"], asserts), "builtin", draft)
        if made.state != "right":
            wrong.append((row["request"], made.state, made.misses, made.question))
    assert wrong == []


@pytest.mark.parametrize(
    "message",
    [
        "加一列“单价”,甲的是12",  # 乙 has none
        "加一列“单价”,甲的是12,丙的是8",
        "加一列“数量”,甲的是12,乙的是8",
        "加三行:丙 7、丁 2",
        "加两行:甲 7、丁 2",
        "在乙和丙之间插一行:丁,数量8",
        "the 4 for 乙 was wrong, it's 9",
        "末行加“合计”,数量取平均值",
        "台账加丙 7、丁 2 两行,价格另算",
        "Add a column Rank with 1 for the largest and 2 for the other one, but not for 甲",
        'Add a fourth column "Rank" with 1 for the largest',
        "Add two rows: 丙 6 and 丁 1. Don't touch the numbers and sort by 数量",
    ],
)
def test_what_is_not_wholly_clear_on_a_sheet_is_asked_about(message: str) -> None:
    assert _steps(message, _sheet(*_ROWS)) == []


@pytest.mark.parametrize(
    "message",
    [
        "加一页对比,标题“自建与外包”。左边“自建”:投入大;右边“外包”:见效快,别忘了盖章",
        "加一页“风险与对策”,列三项:涨价——锁价;缺人——招工。",
        'Add one slide, "Year", with three big figures: 412 with "weddings", 37 with "venues".',
        "把现在这一页的标题“别的一页”改成“会议议题”",
        "请在第2页后面加一页时间线,标题“筹备”:1月选址,2月装修",
    ],
)
def test_what_is_not_wholly_clear_on_a_slide_is_asked_about(message: str) -> None:
    assert _steps(message, _deck("已有的一页")) == []


def test_the_present_slide_of_several_is_asked_for() -> None:
    assert _steps("当前页加文本框:主讲人 薛梅。标题不动。", _deck("一", "二")) == []


def test_what_is_shown_covers_the_rows_that_come_in_the_same_message() -> None:
    steps = _steps("数量列加数据条,再加两行:丙 7、丁 2", _sheet(*_ROWS))
    assert [one["range"] for one in steps if one["op"] == "set_conditional_format"] == ["台账!B2:B5"]


def test_a_sort_takes_the_new_rows_with_it() -> None:
    steps = _steps("加两行:丙 7、丁 2,然后按数量降序排", _sheet(*_ROWS))
    assert [one["op"] for one in steps][-1] == "sort_range"
    assert steps[-1]["range"] == "台账!A1:B5"


def test_values_of_a_new_column_are_never_written_over_another_one() -> None:
    written = [cell["cell"] for one in _steps("加一列“单价”,甲的是12,乙的是8", _sheet(*_ROWS)) for cell in one["cells"]]
    assert written == ["台账!C1", "台账!C2", "台账!C3"]


def test_a_word_behind_column_is_no_letter_of_a_column() -> None:
    steps = _steps(
        "Format the Rent column as euros with two decimals", _sheet(("Flat", "Rent"), ("1A", 950), ("1B", 880))
    )
    assert [one["range"] for one in steps] == ["台账!B2:B3"]


@pytest.mark.parametrize("message", ['On a sheet "Camp" I want Category and Cost, ranked: Food 40, Coach 380.'])
def test_a_new_sheet_is_not_asked_about_the_columns_that_are_there(message: str) -> None:
    note = read_orders(message, _sheet(*_ROWS), language="en").note
    assert note is None
