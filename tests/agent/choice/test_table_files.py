"""A table on the screen that is wished for by its name becomes a file with its rows."""

import csv
from pathlib import Path

import pytest

from metier.agent.choice._table_files import TableWish, find_wished, read_table_wish, write_table_file
from metier.questions import Results, ResultTable, TableColumn

_COLUMNS = (TableColumn("what", "事项"), TableColumn("days", "期限", "天"))
_TODO = ResultTable("待办", _COLUMNS, (("=SUM(1)", 3), ("渗透测试", None)), 2)
_CUT = ResultTable("明细", _COLUMNS, (("a", 1),), 500)


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("把待办导出成Excel", TableWish("待办", "xlsx")),
        ("请把待办清单另存为csv文件，谢谢", TableWish("待办", "csv")),
        ("Export the action items to Excel", TableWish("action items", "xlsx")),
        ("把待办写成PPT", None),
        ("把待办导出成Excel，再发给小王", None),
        ("待办有几项", None),
        ("save it as csv", None),
        ("把数据导出成csv", None),
        ("export all to excel", None),
    ],
)
def test_only_a_message_that_wants_nothing_else_is_such_a_wish(message: str, wish: TableWish | None) -> None:
    assert read_table_wish(message) == wish


def test_the_table_of_that_name_is_taken_if_all_of_its_rows_are_there() -> None:
    results = Results(tables=(_CUT, _TODO))
    assert find_wished(TableWish("待办", "xlsx"), results) is _TODO
    assert find_wished(TableWish("明细", "xlsx"), results) is None
    assert find_wished(TableWish("录音稿", "xlsx"), results) is None
    critical = ResultTable("Critical\x00 cells", _COLUMNS, (("a", 1),), 1)
    assert find_wished(TableWish("critical", "csv"), Results(tables=(critical,))) is critical
    assert find_wished(TableWish("it", "csv"), Results(tables=(critical,))) is None


def test_the_file_has_the_rows_of_the_table_and_no_formula(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    assert [write_table_file(tmp_path, _TODO, "xlsx") for _ in range(2)] == ["待办.xlsx", "待办-2.xlsx"]
    sheet = openpyxl.load_workbook(tmp_path / "待办.xlsx").active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows == [["事项", "期限 (天)"], ["=SUM(1)", 3], ["渗透测试", None]]
    assert sheet["A2"].data_type == "s"
    assert write_table_file(tmp_path, ResultTable("a\x00\x1f/b", _COLUMNS, (), 0), "csv") == "a___b.csv"
    name = write_table_file(tmp_path, _TODO, "csv")
    with (tmp_path / name).open(encoding="utf-8-sig", newline="") as file:
        assert list(csv.reader(file))[1:] == [["'=SUM(1)", "3"], ["渗透测试", ""]]
