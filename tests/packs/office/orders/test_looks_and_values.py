"""把X改成Y: a look goes to the look of X, a value behind its label, and a term in a sentence is asked about."""

from pathlib import Path
from typing import Any

import pytest

from tests.packs.office.orders.written import (
    list_lines,
    make_deck,
    make_document,
    make_workbook,
    read_message,
    write_orders,
)

_FORM: list[tuple[str, ...]] = [
    ("设备名称", "数控机床"),
    ("型号", "HD-2000"),
    ("联系人", "张三"),
    ("联系电话", "13800000000"),
]


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    return make_deck(tmp_path / "汇报.pptx", ("副标题研究", "2026"), ("标题与副标题", "要点一\n要点二"))


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    lines = ("会议地点：三楼会议室", "联系人：张敏", "电话：010-88886666", "请联系人准时到场。")
    return make_document(tmp_path / "通知.docx", "关于召开会议的通知", *lines)


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    lines = ("甲方支付合同总额的30%。", "任何一方违约，应支付违约金。", "The Buyer pays the penalty in full.")
    return make_document(tmp_path / "合同.docx", "服务合同", "甲方：北京星辰科技有限公司", *lines)


def _list_titles(deck: Any) -> list[str]:
    return [slide.shapes.title.text for slide in deck.slides]


@pytest.mark.parametrize(
    "message",
    ["标题都改成微软雅黑", "把标题改成微软雅黑", "所有标题换成微软雅黑", "change all titles to 微软雅黑"],
)
def test_a_font_for_the_titles_of_a_deck_leaves_their_words(deck: Path, message: str) -> None:
    written = write_orders(deck, message)
    assert _list_titles(written) == ["副标题研究", "标题与副标题"]
    runs = [run for slide in written.slides for run in slide.shapes.title.text_frame.paragraphs[0].runs]
    assert {run.font.name for run in runs} == {"微软雅黑"}


@pytest.mark.parametrize("message", ["标题全部改成红色", "标题都变成红色", "change the titles to red"])
def test_a_colour_for_the_titles_of_a_deck_leaves_their_words(deck: Path, message: str) -> None:
    written = write_orders(deck, message)
    assert _list_titles(written) == ["副标题研究", "标题与副标题"]
    runs = [run for slide in written.slides for run in slide.shapes.title.text_frame.paragraphs[0].runs]
    assert {str(run.font.color.rgb) for run in runs} == {"FF0000"}


def test_a_line_that_begins_like_the_body_is_not_the_body(deck: Path) -> None:
    assert not read_message(deck, "要点一改成红色").actions


@pytest.mark.parametrize("message", ["把“张敏”改成红色", "把‘张敏’改成红色", "make “张敏” red"])
def test_a_look_for_quoted_words_leaves_the_words(notice: Path, message: str) -> None:
    written = write_orders(notice, message)
    assert "联系人：张敏" in list_lines(written)
    colored = [run.text for one in written.paragraphs for run in one.runs if run.font.color.rgb is not None]
    assert "张敏" in colored


def test_a_quoted_look_is_a_text(tmp_path: Path) -> None:
    book = make_workbook(tmp_path / "a.xlsx", ("项目", "颜色"), ("车", "蓝色"), ("船", "白色"))
    assert write_orders(book, "把“蓝色”改成“红色”").active["B2"].value == "红色"


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("把联系人改成刘洋", "联系人：刘洋"),
        ("联系人换成刘洋", "联系人：刘洋"),
        ("会议地点改成五楼报告厅", "会议地点：五楼报告厅"),
        ("电话改为010-12345678", "电话：010-12345678"),
    ],
)
def test_a_value_goes_behind_the_colon_of_its_label(notice: Path, message: str, line: str) -> None:
    lines = list_lines(write_orders(notice, message))
    assert line in lines
    assert "请联系人准时到场。" in lines


@pytest.mark.parametrize(
    ("message", "row"),
    [
        ("把联系人改成刘洋", ("联系人", "刘洋")),
        ("型号改成HD-3000", ("型号", "HD-3000")),
        ("设备名称换成铣床", ("设备名称", "铣床")),
    ],
)
def test_a_value_goes_into_the_cell_beside_its_label(tmp_path: Path, message: str, row: tuple[str, str]) -> None:
    written = write_orders(make_document(tmp_path / "登记表.docx", "设备登记表", _FORM), message)
    rows = [tuple(cell.text for cell in one.cells) for one in written.tables[0].rows]
    assert row in rows
    assert [name for name, *_ in rows] == [name for name, *_ in _FORM]


def test_the_head_of_a_column_is_no_label_of_the_cell_beside_it(tmp_path: Path) -> None:
    table: list[tuple[str, ...]] = [("姓名", "电话"), ("张三", "139"), ("李四", "138")]
    assert not read_message(make_document(tmp_path / "表.docx", "名单", table), "把姓名改成王五").actions


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("把违约金改成每日万分之五", "任何一方违约，应支付违约金。"),
        ("违约金换成三万元", "任何一方违约，应支付违约金。"),
        ("合同总额改成三万元", "甲方支付合同总额的30%。"),
        ("change the penalty to 5% per day", "The Buyer pays the penalty in full."),
        ("change penalty to five percent", "The Buyer pays the penalty in full."),
    ],
)
def test_a_term_that_would_become_a_figure_is_asked_about_with_its_sentence(
    contract: Path, message: str, sentence: str
) -> None:
    found = read_message(contract, message)
    assert not found.actions
    assert found.note is not None
    assert found.note.code == "term_in_text"
    assert sentence in found.note.text("zh")


def test_words_that_drop_in_are_replaced_without_a_question(contract: Path) -> None:
    assert "任何一方违约，应支付赔偿金。" in list_lines(write_orders(contract, "把违约金改成赔偿金"))
    assert "甲方支付合同总额的40%。" in list_lines(write_orders(contract, "把30%改成40%"))
