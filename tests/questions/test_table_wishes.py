"""Something on the screen is wished for as a file by its name, and only by a message that wants nothing else."""

import pytest

from metier.questions import Results, ResultTable, TableColumn, TableWish, find_wished, read_table_wish

_COLUMNS = (TableColumn("what", "事项"), TableColumn("days", "期限", "天"))
_TODO = ResultTable("待办", _COLUMNS, (("=SUM(1)", 3), ("渗透测试", None)), 2)
_CUT = ResultTable("明细", _COLUMNS, (("a", 1),), 500)


@pytest.mark.parametrize(
    ("message", "wish"),
    [
        ("把待办导出成Excel", TableWish("待办", "xlsx")),
        ("请把待办清单另存为csv文件，谢谢", TableWish("待办", "csv")),
        ("Export the action items to Excel", TableWish("action items", "xlsx")),
        ("导出待办为Excel", TableWish("待办", "xlsx")),
        ("待办导出成Excel表格", TableWish("待办", "xlsx")),
        ("action items as Excel", TableWish("action items", "xlsx")),
        ("把待办导出成PDF", TableWish("待办", "pdf")),
        ("把待办写成PPT", None),
        ("转成Excel", None),
        ("把待办导出成Excel，再发给小王", None),
        ("待办有几项", None),
    ],
)
def test_only_a_message_that_wants_nothing_else_is_such_a_wish(message: str, wish: TableWish | None) -> None:
    assert read_table_wish(message) == wish


def test_the_table_of_that_name_is_taken_if_all_of_its_rows_are_there() -> None:
    results = Results(tables=(_CUT, _TODO))
    assert find_wished(TableWish("待办", "xlsx"), results) is _TODO
    assert find_wished(TableWish("明细", "xlsx"), results) is None
    assert find_wished(TableWish("录音稿", "xlsx"), results) is None
    assert find_wished(TableWish("待办", "pdf"), results) is None


def test_a_word_that_only_points_names_no_table() -> None:
    titled = Results(tables=(ResultTable("其它数据", _COLUMNS, (("a", 1),), 1),))
    for message in ("把它导出成Excel", "把这份数据导出成Excel", "请转成Excel", "export all the data to Excel"):
        wish = read_table_wish(message)
        assert wish is None or (not wish.is_named and find_wished(wish, titled) is None), message
