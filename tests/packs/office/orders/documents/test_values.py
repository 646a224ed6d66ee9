"""Rows, figures, places and people of a document are found by what it holds, in the text and in its tables."""

import pytest
from docx import Document

from metier.packs.office.analysis import Reading
from metier.packs.office.drafting import draft_plan
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.written import list_steps, read_file


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """A letting agreement whose figures stand in the text and in a table."""
    document = Document()
    for line in (
        "Lease",
        "The Tenant shall pay a monthly rent of £2,400, due on the 1st day of each month.",
        "The Tenant pays a deposit of £4,800 on signing. Reminders cost £10 or £20.",
        "The fee is £10 for a copy. A fee of £20 is due for a key.",
    ):
        document.add_paragraph(line)
    table = document.add_table(rows=0, cols=3)
    for row in (("Item", "Amount", "Due"), ("Rent", "£2,400", "Monthly"), ("Deposit", "£4,800", "On signing")):
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    path = tmp_path_factory.mktemp("lease") / "lease.docx"
    document.save(str(path))
    return read_file(path)


@pytest.fixture(scope="module")
def invitation(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    document = Document()
    for line in (
        "家长会通知",
        "家长会下周五召开，地点为学校礼堂，请准时参加。",
        "会议期间请将手机调至静音。",
        "联系人刘洋。",
    ):
        document.add_paragraph(line)
    table = document.add_table(rows=0, cols=2)
    for row in (("年级", "班主任"), ("一年级", "张敏"), ("二年级", "刘洋")):
        for cell, value in zip(table.add_row().cells, row, strict=True):
            cell.text = value
    path = tmp_path_factory.mktemp("invitation") / "notice.docx"
    document.save(str(path))
    return read_file(path)


def test_a_row_told_without_a_colon_goes_into_the_table_that_is_there(lease: Reading) -> None:
    for message in (
        "Add a row to the table for Insurance, £120, yearly.",
        "Add a row for Insurance, £120, yearly to the table",
        "在表格最后加一行Insurance，£120，Due yearly".replace("Insurance", "保险"),
    ):
        (made,) = list_steps(message, lease)
        assert (made["op"], made["change"], made["values"][1:]) == ("edit_table", "insert_row", ["£120", "yearly"])
    draft = draft_plan("Add a row to the table for Insurance, £120.", host="wps", language="en", reading=lease)
    assert (draft.plan, draft.code) == (None, "value_count")


def test_a_figure_is_changed_wherever_it_stands_beside_its_name(lease: Reading) -> None:
    expected = [
        {"op": "replace_text", "find_text": "rent of £2,400", "replace_text": "rent of £2,650", "address": "p2"},
        {"op": "set_table_cell_text", "row": 2, "col": 2, "text": "£2,650", "table_index": 1},
    ]
    assert list_steps("Change the rent to £2,650", lease) == expected
    assert list_steps("Change the rent to £2,650 a month", lease) == expected


def test_what_is_in_the_document_is_never_said_to_be_missing(lease: Reading) -> None:
    def _code(message: str) -> str:
        note = read_orders(message, lease, language="en").note
        return note.code if note else ""

    assert _code("Change the rent to £650 a week") == "term_in_text"
    assert _code("Change the fee to £30") == "which_of"
    assert _code("Change the salary to £5,000") == "no_text_here"


def test_places_and_values_are_found_by_the_words_people_use(invitation: Reading) -> None:
    (made,) = list_steps("地点换成体育馆", invitation)
    assert (made["find_text"], made["replace_text"]) == ("学校礼堂", "体育馆")
    (made,) = list_steps("表格里刘洋换成黄莉", invitation)
    assert (made["find_text"], made["address"]) == ("刘洋", "t1.r3.c2")
    (made,) = list_steps("把手机静音那句删了吧", invitation)
    assert made["expected"] == ["会议期间请将手机调至静音。"]
    assert list_steps("把停车收费那句删了吧", invitation) == []
