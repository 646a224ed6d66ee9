"""A column of amounts that cannot be read as numbers is told, and no other column is summed in its place."""

from pathlib import Path

import pytest

pytest.importorskip("pandas")

from metier.language import Language, language_of
from metier.packs.workspace.data._analysis import profile, type_columns
from metier.packs.workspace.data._load import load_table
from metier.packs.workspace.data._request import read_request
from metier.packs.workspace.data._summary import Typed
from metier.packs.workspace.data.questions import answer_question

_ZH = """日期,品名,数量,金额,备注
2026-01-03,键盘,3,约240元,1箱
2026-01-04,鼠标,5,二百五十,2箱
2026-02-05,显示器,2,1800左右,3箱
2026-02-09,键盘,4,待定,4箱
"""
_EN = """date,item,units,amount,note
2026-01-03,keyboard,3,about 240,1 box
2026-01-04,mouse,5,250 or so,2 boxes
2026-02-05,screen,2,1800 approx.,3 boxes
2026-02-09,keyboard,4,open,4 boxes
"""


def _read(folder: Path, rows: str, language: Language) -> Typed:
    file = folder / "sales.csv"
    file.write_text(rows, "utf-8")
    return type_columns(load_table(file, language))


def test_only_a_column_that_is_called_an_amount_says_which_value_is_no_number(tmp_path: Path) -> None:
    for rows, told in ((_ZH, {"金额": "约240元"}), (_EN, {"amount": "about 240"})):
        table = _read(tmp_path, rows, "zh")
        assert {one.name: one.unread for one in table.columns if one.unread} == told


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (_ZH, "按品名汇总金额"),
        (_ZH, "各品名的金额合计"),
        (_ZH, "金额最高的前两个品名"),
        (_EN, "total amount by item"),
    ],
)
def test_an_order_for_its_figures_computes_none(tmp_path: Path, rows: str, message: str) -> None:
    asked = read_request(message, _read(tmp_path, rows, language_of(message)).columns)
    assert asked.question is not None
    assert asked.question[0] == "ask_unread_column"


@pytest.mark.parametrize(
    ("rows", "message"),
    [(_ZH, "金额合计多少"), (_ZH, "金额最大的是哪个"), (_EN, "what is the total amount?")],
)
def test_a_question_for_its_figures_is_told_why_there_is_none(tmp_path: Path, rows: str, message: str) -> None:
    language = language_of(message)
    told = answer_question(message, _read(tmp_path, rows, language), "sales.csv", language)
    assert not told.found
    assert told.lacks_column
    assert "240" in told.text


def test_figures_of_the_other_columns_are_computed(tmp_path: Path) -> None:
    table = _read(tmp_path, _ZH, "zh")
    assert read_request("按品名汇总数量", table.columns).question is None
    assert read_request("按金额统计数量", table.columns).question is None
    assert "14" in answer_question("数量合计多少", table, "sales.csv", "zh").text


def test_a_look_at_the_data_tells_that_the_column_is_in_no_figure(tmp_path: Path) -> None:
    assert any("金额" in str(one["text"]) for one in profile(_read(tmp_path, _ZH, "zh"), "sales.csv", "zh").findings)
