"""Rows on lines of their own are read by one set of rules, whoever asks for them."""

import pytest

from metier.packs.office.drafting.rows import find_pasted, find_rows, split_header


@pytest.mark.parametrize(
    "request_",
    [
        "做成表格：\n姓名\t电话\n张三\t138\n李四\t139",
        "Make a table:\n| Name | Phone |\n|---|---|\n| Ann | 138 |",
        "姓名 | 电话\n张三 | 138",
    ],
)
def test_rows_between_tabs_or_strokes_are_found_with_their_header(request_: str) -> None:
    pasted = find_pasted(request_)
    assert pasted is not None
    assert pasted.rows[0] in (("姓名", "电话"), ("Name", "Phone"))
    assert request_[pasted.start :].startswith(("姓名", "| Name"))
    assert request_[: pasted.end].endswith(("139", "| 138 |", "138"))


def test_a_cell_below_the_header_may_be_empty() -> None:
    pasted = find_pasted("姓名\t电话\n张三\t\n李四\t139")
    assert pasted is not None
    assert pasted.rows[1:] == (("张三", ""), ("李四", "139"))


@pytest.mark.parametrize(
    "request_",
    [
        "姓名\t电话\n张三\t138\t北京",
        "姓名\t电话\n张三\t138\n\n地点\t时间\n一楼\t9:00",
        "1\t2\n3\t4",
        "姓名\t电话",
    ],
    ids=["another_width", "two_blocks", "no_header", "one_line"],
)
def test_what_is_not_one_table_with_a_header_is_no_pasted_table(request_: str) -> None:
    assert find_pasted(request_) is None


def test_a_line_with_a_known_field_ends_the_rows() -> None:
    lines = ["Name | Fee", "Ann | 3", "Rows: 2 | 3"]
    assert [one.rows for one in find_rows(lines, [2])] == [(("Name", "Fee"), ("Ann", "3"))]
    (block,) = find_rows(lines[:2])
    assert split_header(block.rows) == (("Name", "Fee"), (("Ann", "3"),))
