"""New sheets whose message says things in another order, or what is not to be there."""

import pytest

from metier.language import Language
from metier.packs.office.analysis import Reading, SheetCell, SheetCells
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting._plan_texts import list_steps
from metier.packs.office.drafting.composition._formulas import read_formula
from metier.packs.office.plan import HostApp

_SHEET = Reading("", "xlsx", sheets=(SheetCells("台账", (SheetCell("A1", "名称"), SheetCell("B1", "数量"))),))


def _draft(said: str, host: HostApp = "et", language: Language = "zh") -> list[dict[str, object]]:
    draft = draft_plan(said, host=host, language=language, reading=_SHEET if host == "et" else None)
    return [] if draft.plan is None else [dict(one) for one in list_steps(draft.plan)]


@pytest.mark.parametrize(
    ("clause", "columns", "formula"),
    [
        ("金额用公式（数量乘单价）", ["数量", "单价", "金额"], "=A{row}*B{row}"),
        ("提成按销售额的百分之三拿公式算", ["姓名", "销售额", "提成"], "=B{row}*3%"),
        ("trade is list minus 15 percent", ["Product", "List", "Trade"], "=(B{row})*(1-15%)"),
    ],
)
def test_a_formula_may_stand_in_brackets_or_take_a_share_in_words(
    clause: str, columns: list[str], formula: str
) -> None:
    found = read_formula(clause, columns)
    assert found is not None
    assert found[1] == formula


@pytest.mark.parametrize("clause", ["提成按销售额算", "提成是销售额的一半", "trade is list minus something"])
def test_a_formula_with_a_word_that_is_no_number_is_not_read(clause: str) -> None:
    assert read_formula(clause, ["姓名", "销售额", "提成", "list", "trade"]) is None


@pytest.mark.parametrize(
    "said",
    [
        "新建个表叫“提成”，姓名、销售额、提成三列，提成按销售额的百分之三拿公式算，郝佳40000，邢斌25000，就两个人，不用合计",
        "新建工作表“提成”，表头为姓名、销售额、提成，两行：郝佳，40000；邢斌，25000。提成用公式（销售额乘3%）。不要排序，也不要合计行。",
    ],
)
def test_a_computed_column_may_be_said_before_its_rows_and_a_refusal_holds(said: str) -> None:
    ops = [one["op"] for one in _draft(said)]
    assert ops.count("set_cell_formula") == 2
    assert "set_cells" not in ops
    assert "sort_range" not in ops


def test_a_first_row_is_the_header() -> None:
    steps = _draft("请新建工作表“大棚”，第一行为时刻、温度，数据：6时11，10时19。用这些数据插入折线图，标题“一日”。")
    table = next(one for one in steps if one["op"] == "insert_table")
    assert table["data"] == [["时刻", "温度"], ["6时", "11"], ["10时", "19"]]
    assert any("chart" in str(one["op"]) for one in steps)


@pytest.mark.parametrize(
    "said",
    [
        "新建工作表“提成”，表头为姓名、合计，两行：郝佳，4；邢斌，2。不要合计。",
        "新建工作表“提成”，表头为姓名、数量，两行：郝佳，4；邢斌，2。最后一行合计数量，不用合计。",
        "新建工作表“提成”，表头为姓名、数量，两行：郝佳，4；邢斌，2。图表不要了。",
        "新建个表叫“提成”，姓名、销售额、提成三列，提成按销售额算，郝佳40000，邢斌25000",
        "新建个表叫“提成”，姓名、销售额、提成三列，提成按销售额的百分之三拿公式算，郝佳40000，邢斌25000，就三个人",
    ],
)
def test_what_is_refused_and_there_or_does_not_agree_is_asked_about(said: str) -> None:
    assert _draft(said) == []


@pytest.mark.parametrize(
    ("said", "is_read"),
    [
        ('Add one slide titled "Review" with two bullet points: "Bookings rose" and "Refunds fell". No chart.', True),
        ('Add one slide titled "Review" with a pie chart: A 1, B 2. No chart.', False),
    ],
)
def test_a_slide_without_a_chart_may_say_so(said: str, is_read: bool) -> None:
    assert bool(_draft(said, "wpp", "en")) is is_read
