"""Orders for a workbook, written: formulas follow what moves, looks and pages are as ordered."""

from pathlib import Path

from openpyxl import load_workbook

from tests.packs.office.orders.written import write_orders


def test_rows_and_columns_move_the_formulas_that_read_them(samples: dict[str, Path], tmp_path: Path) -> None:
    sheet = write_orders(samples["sales"], "在数量后面插入一列“单位”", tmp_path / "a.xlsx")["销售"]
    assert [cell.value for cell in sheet[1]][4:7] == ["数量", "单位", "单价"]
    assert sheet["H2"].value == "=E2*G2"
    sheet = write_orders(samples["sales"], "删除第3行", tmp_path / "b.xlsx")["销售"]
    assert [sheet["D3"].value, sheet["G3"].value, sheet.max_row] == ["王五", "=E3*F3", 6]
    row = "add a row at the end: A-5, Delta, West, 500, 0.1, 2024-03-01"
    sheet = write_orders(samples["orders"], row, tmp_path / "c.xlsx")["Orders"]
    assert [sheet["A6"].value, sheet["D6"].value, sheet["D7"].value] == ["A-5", 500, "=SUM(D2:D6)"]
    book = write_orders(samples["sales"], "工作表“销售”重命名为“一季度 销售”", tmp_path / "d.xlsx")
    assert book.sheetnames == ["一季度 销售", "客户"]


def test_looks_sizes_and_panes_of_a_sheet_are_written(samples: dict[str, Path], tmp_path: Path) -> None:
    message = "表头加粗居中、底色浅蓝，冻结首行，A列宽度设为20"
    sheet = write_orders(samples["sales"], message, tmp_path / "a.xlsx")["销售"]
    head = sheet["C1"]
    assert (head.font.b, head.alignment.horizontal, head.fill.fgColor.rgb) == (True, "center", "FFDDEBF7")
    assert (sheet.freeze_panes, sheet.column_dimensions["A"].width) == ("A2", 20)
    sheet = write_orders(samples["sales"], "按销售额从高到低排序", tmp_path / "b.xlsx")["销售"]
    assert [sheet[f"D{row}"].value for row in (2, 3, 4)] == ["王五", "赵六", "张三"]
    chart = write_orders(samples["scores"], "画一个姓名和数学的折线图", tmp_path / "c.xlsx")["Sheet1"]._charts[0]
    assert [chart.ser[0].cat.strRef.f, chart.ser[0].val.numRef.f] == ["Sheet1!$A$2:$A$5", "Sheet1!$C$2:$C$5"]
    book = write_orders(samples["sales"], "用地区和销售额做一个柱状图", tmp_path / "d.xlsx")
    assert [book["按地区汇总"]._charts[0].ser[0].val.numRef.numCache.ptCount] == [3]


def test_pages_sums_and_protection_of_a_sheet_are_written_once(everyday: dict[str, Path], tmp_path: Path) -> None:
    sheet = write_orders(everyday["expense"], "打印的时候每页都要有表头，横着打，缩到一页宽", tmp_path / "a.xlsx")[
        "报销"
    ]
    assert (sheet.print_title_rows, sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == (
        "$1:$1",
        "landscape",
        1,
    )
    book = write_orders(everyday["expense"], "给部门预算表加一列已用金额，从报销表里汇总过来", tmp_path / "b.xlsx")
    assert book["部门预算"]["D2"].value == "=SUMIF(报销!$B$2:$B$9,A2,报销!$D$2:$D$9)"
    values = load_workbook(str(tmp_path / "b.xlsx"), data_only=True)["部门预算"]
    assert [values[f"D{row}"].value for row in (2, 3, 4)] == [4460.5, 3896, 2540.25]
    sheet = write_orders(everyday["expense"], "这个表保护起来，别人不能乱改", tmp_path / "c.xlsx")["报销"]
    assert sheet.protection.sheet is True


def test_shares_joined_columns_and_filters_are_written_as_they_were_meant(
    samples: dict[str, Path], tmp_path: Path
) -> None:
    sheet = write_orders(
        samples["orders"], "add a col w each customers share of the total, one decimal", tmp_path / "a.xlsx"
    )
    assert [sheet["Orders"]["G2"].value, sheet["Orders"]["G2"].number_format] == ["=D2/SUM(D$2:D$5)", "0.0%"]
    message = "put region and customer together in one new column like 'North - Acme', leave the old ones alone"
    assert write_orders(samples["orders"], message, tmp_path / "b.xlsx")["Orders"]["G2"].value == '=C2&" - "&B2'
    sheet = write_orders(samples["sales"], "只看华东和华南的,其他人先藏起来", tmp_path / "c.xlsx")["销售"]
    assert [row for row in range(2, 8) if sheet.row_dimensions[row].hidden]


def test_a_sheet_is_printed_on_one_page(samples: dict[str, Path], tmp_path: Path) -> None:
    sheet = write_orders(samples["orders"], "make it print on one page landscape", tmp_path / "a.xlsx")["Orders"]
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 1)
