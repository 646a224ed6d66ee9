"""Every pair of signs that quotes is read as one, and is never written into the file."""

from pathlib import Path

import pytest

from metier.packs.office._request_text import RequestText
from tests.packs.office.orders.written import list_lines, make_document, make_workbook, read_message, write_orders

_SIGNS = ("“”", '""', "‘’", "''", "「」", "『』", "＂＂", "＇＇", "““", "„“", "〝〞", "﹁﹂")


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    return make_document(tmp_path / "通知.docx", "通知", "张老师，电话 13800001234。", "口号是‘安全第一’。")


@pytest.mark.parametrize("signs", _SIGNS)
def test_quoted_words_are_replaced_by_quoted_words(notice: Path, signs: str) -> None:
    left, right = signs[0], signs[1]
    lines = list_lines(write_orders(notice, f"把{left}张老师{right}改成{left}刘主任{right}"))
    assert "刘主任，电话 13800001234。" in lines


@pytest.mark.parametrize("signs", _SIGNS)
def test_a_column_with_quoted_name_and_values_has_no_sign_in_it(tmp_path: Path, signs: str) -> None:
    left, right = signs[0], signs[1]
    book = make_workbook(tmp_path / "报销.xlsx", ("部门", "金额"), ("市场部", 2400), ("研发部", 356))
    message = f"加一列{left}是否超标{right}，金额大于1500写{left}是{right}，否则写{left}否{right}"
    sheet = write_orders(book, message).active
    assert [sheet["C1"].value, sheet["C2"].value] == ["是否超标", '=IF(B2>1500,"是","否")']


@pytest.mark.parametrize("signs", _SIGNS)
def test_the_text_of_a_watermark_has_no_sign_in_it(notice: Path, signs: str) -> None:
    found = read_message(notice, f"加个{signs[0]}机密{signs[1]}水印")
    assert [one["text"] for one in found.actions] == ["机密"]


@pytest.mark.parametrize("inner", ["‘好的’", "'好的'", "『好的』", "＂好的＂"])
def test_a_text_behind_a_colon_keeps_the_signs_in_it(notice: Path, inner: str) -> None:
    assert list_lines(write_orders(notice, f"在最后加一段：他说{inner}，请照办"))[-1] == f"他说{inner}，请照办"


def test_words_that_stand_in_the_document_with_their_signs_are_found(notice: Path) -> None:
    assert "标语是‘安全第一’。" in list_lines(write_orders(notice, "把“口号是‘安全第一’”改成“标语是‘安全第一’”"))


@pytest.mark.parametrize("formula", ["=IF(A1>5,'Sheet 2'!A1,\"no\")", "=SUM('Sheet 2'!B2:B4)"])
def test_the_signs_of_a_formula_stay(tmp_path: Path, formula: str) -> None:
    book = make_workbook(tmp_path / "a.xlsx", ("a", "b"), (1, 2))
    assert [one["cells"] for one in read_message(book, f"把D1设为{formula}").actions] == [
        [{"cell": "Data!D1", "formula": formula}]
    ]


@pytest.mark.parametrize("said", ["don't touch the teachers' room", "the ‘90s and Bob’s car"])
def test_an_apostrophe_quotes_nothing(said: str) -> None:
    assert RequestText(said).quotes == ()
