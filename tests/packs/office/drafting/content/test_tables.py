"""Tables have the columns, rows and samples that the request names, each where it names them."""

import json

import pytest

from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.plan import HostApp


def _draft(request: str, host: HostApp = "wps") -> str:
    plan = draft_plan(request, host=host, language=language_of(request)).plan
    return "" if plan is None else json.dumps(plan["actions"], ensure_ascii=False)


@pytest.mark.parametrize(
    "said",
    ["need a checklist table, Item Standard Result, 3 rows pls", "add a risk register, Risk Level Owner, two rows"],
)
def test_the_usual_columns_are_not_written_where_the_request_names_some_of_its_own(said: str) -> None:
    assert not _draft(said)


@pytest.mark.parametrize("clause", ["电话那列写示例", "地址填个示例", "电话和地址放样例"])
def test_samples_for_some_columns_are_not_written_into_all(clause: str) -> None:
    assert "示例电话1" in _draft("插入联系表，姓名、电话、地址三列，两行示例数据")
    assert not _draft(f"插入联系表，姓名、电话、地址三列，两行，{clause}")


@pytest.mark.parametrize(
    ("rows", "counts"),
    [
        ("第二张五行", (4, 6)),
        ("第一张3行第二张5行", (4, 6)),
        ("第二个表留2行，第一个表留7行", (8, 3)),
        ("各六行", (7, 7)),
    ],
)
def test_rows_that_are_said_of_one_table_are_those_of_this_table(rows: str, counts: tuple[int, int]) -> None:
    plan = draft_plan(f"插两张表，第一张列为姓名、部门，第二张列为日期、事项，{rows}", host="wps", language="zh").plan
    written = json.dumps(plan, ensure_ascii=False)
    assert written.count('"op": "insert_table"') == 2
    assert [one for one in range(2, 10) if f'"rows": {one}' in written] == sorted(set(counts))
    first, second = (written.find(f'"rows": {one}') for one in counts)
    assert first < second or counts[0] == counts[1]


def test_rows_of_a_second_table_are_asked_about_where_there_is_one_table() -> None:
    assert not _draft("插入值班表，列为日期、姓名，第二张五行")


@pytest.mark.parametrize(
    ("said", "label"),
    [("最下面一行写总价", "总价"), ("算出总计", "总计"), ("并计算合计", "合计"), ("总价放最后，写“合计”", "合计")],
)
def test_the_row_of_the_total_is_called_as_the_request_calls_it(said: str, label: str) -> None:
    written = _draft(f"插入报价表：打印纸 数量30 单价145；硒鼓 数量12 单价260，{said}")
    assert not written or f'["{label}", "", "", "7,470"]' in written
    assert written or "“" in said


@pytest.mark.parametrize(
    "said", ["插个值班表 从周一到周五五行 列是日期、值班人、电话", "插入表格，列为日期、姓名，从周一到周五五行"]
)
def test_rows_whose_number_cannot_be_read_are_asked_about(said: str) -> None:
    assert not _draft(said)


def test_a_header_alone_and_a_row_more_contradict_each_other() -> None:
    assert '"rows": 1' in _draft("只要表头的表格：日期、事项、经办人")
    assert not _draft("只要表头的表格：日期、事项、经办人，再来一行空的")


def test_the_number_of_columns_and_the_word_for_a_table_are_no_part_of_the_last_name() -> None:
    assert '"姓名", "电话", "地址"' in _draft("姓名、电话、地址三列的表，四行")


@pytest.mark.parametrize("said", ["插个表 品名 单位（件） 单价 三行", "做张表 品名 规格（毫米） 产地，三行"])
def test_an_order_between_blanks_is_no_column_and_a_name_keeps_its_bracket(said: str) -> None:
    written = _draft(said)
    assert '["品名", "' in written or not written
    assert "（" in written or not written


def test_minutes_are_headed_as_the_request_calls_them() -> None:
    assert '"# 会议记录"' in _draft("文末加会议记录模板，要有议题、记录人、决定事项")
    assert '"# 会议纪要"' in _draft("文末加会议纪要模板，要有议题、记录人、决定事项")


def test_a_name_of_a_record_begins_behind_the_words_about_the_sum() -> None:
    written = _draft("打车费按人合计，要用公式的 小李86，小王120，小李45", host="et")
    assert not written or '["小李", "86"]' in written
    assert "公式的 小李" not in written


@pytest.mark.parametrize(
    ("host", "rows"),
    [
        ("wps", [["设备款", "¥1,280,000.00"], ["安装费", "36,500元"]]),
        ("et", [["设备款", "1280000.00"], ["安装费", "36500元"]]),
    ],
)
def test_a_document_keeps_figures_as_written_and_a_sheet_gets_the_numbers(host: HostApp, rows: list[list[str]]) -> None:
    said = "插入表格，列为项目、金额：设备款 ¥1,280,000.00；安装费 36,500元"
    plan = draft_plan(said, host=host, language="zh").plan
    assert str(rows)[1:-1] in str(plan)
