"""Watermarks, places to sign and blanks: what is written there is what was said, once for each who signs."""

from pathlib import Path
from typing import Any

import pytest

from tests.packs.office.orders.written import make_document, make_workbook, read_message, write_orders


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return make_document(tmp_path / "plan.docx", "Plan", "One.", "Two.")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("put DRAFT across the pages", "DRAFT"),
        ("stamp CONFIDENTIAL across every page", "CONFIDENTIAL"),
        ("put the words Do not copy across each page", "Do not copy"),
        ("add DRAFT as a watermark", "DRAFT"),
        ("watermark DRAFT", "DRAFT"),
        ("add a Top Secret watermark", "Top Secret"),
        ("加个‘机密’水印", "机密"),
        ("每页打上机密两个字当水印", "机密"),
        ("给合同每一页打上机密两个字做水印", "机密"),
    ],
)
def test_a_watermark_has_the_words_that_were_said(plan: Path, message: str, text: str) -> None:
    written = write_orders(plan, message)
    assert f'string="{text}"' in written.sections[0].header._element.xml
    assert [one["text"] for one in read_message(plan, message).actions] == [text]


@pytest.mark.parametrize("message", ["add a watermark", "put a watermark on every page", "加个水印"])
def test_the_words_of_a_watermark_are_asked_for(plan: Path, message: str) -> None:
    found = read_message(plan, message)
    assert not found.actions
    assert found.note is not None


@pytest.mark.parametrize(
    ("message", "signers"),
    [
        ("leave room for both parties to sign", 2),
        ("最后留出双方签字盖章的地方", 2),
        ("双方签字处", 2),
        ("末尾加上甲乙双方签字栏", 2),
        ("add signature lines for both parties", 2),
        ("最后留个签字的地方", 1),
        ("leave space for a signature at the end", 1),
    ],
)
def test_each_who_signs_has_a_place_to_sign(plan: Path, message: str, signers: int) -> None:
    assert len(write_orders(plan, message).tables[-1].columns) == signers


@pytest.mark.parametrize(
    "message",
    [
        'fill the blanks of Remark with "none"',
        "fill the empty cells in the Remark column with 'none'",
        "Remark列空白的填上“none”",
    ],
)
def test_the_blanks_of_a_column_are_filled(tmp_path: Path, message: str) -> None:
    rows: tuple[tuple[Any, ...], ...] = (("Item", "Qty", "Remark"), ("Pen", 3, None), ("Ink", None, "ok"))
    sheet = write_orders(make_workbook(tmp_path / "a.xlsx", *rows), message).active
    assert [sheet["C2"].value, sheet["C3"].value, sheet["B3"].value] == ["none", "ok", None]


@pytest.mark.parametrize("message", ["有公式的格子锁住，其他照填", "公式锁定，其余可以随便改", "lock the formulas"])
def test_formulas_are_locked_and_the_rest_is_not(tmp_path: Path, message: str) -> None:
    sheet = write_orders(make_workbook(tmp_path / "a.xlsx", ("数", "倍"), (1, "=A2*2")), message).active
    assert sheet.protection.sheet
    assert [sheet["A2"].protection.locked, sheet["B2"].protection.locked] == [False, True]
