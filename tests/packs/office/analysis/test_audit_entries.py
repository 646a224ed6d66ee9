"""An audit of what stands in the cells of larger lists: entries, repeats, ranges on other sheets, rows of formulas."""

from metier.packs.office.analysis import SheetCell, SheetCells
from metier.packs.office.analysis.workbooks import audit_sheet
from tests.packs.office.analysis.test_totals import Row, sheet_of


def rules_of(*rows: Row) -> list[str]:
    return [finding.rule for finding in audit_sheet(sheet_of(*rows))]


def test_amounts_that_thin_out_upwards_are_no_outliers_and_one_that_stands_apart_is() -> None:
    amounts = [round(40 * 1.06**step, 2) for step in range(60)]
    rows: list[Row] = [("用途", "金额"), *((f"第{at}笔", amount) for at, amount in enumerate(amounts))]
    assert rules_of(*rows) == []
    assert rules_of(*rows, ("另一笔", 98_000)) == ["outlier"]


def test_a_few_values_of_another_unit_are_told() -> None:
    days: list[Row] = [(f"{day}日", 4000 + day * 13) for day in range(1, 29)]
    assert rules_of(("日期", "电量"), *days, ("29日", 4.2), ("30日", 3.9)) == ["unit_slip", "unit_slip"]


def test_a_list_repeats_a_row_though_it_counts_its_rows() -> None:
    rows: list[Row] = [("序号", "单号", "部门", "金额")]
    rows += [(at, f"B{at:03}", "行政", 100 + at * 7) for at in range(1, 13)]
    assert rules_of(*rows, (13, "B004", "行政", 128)) == ["duplicate_row"]
    assert rules_of(*rows, (13, "B004", "研发", 555)) == ["duplicate_key"]


def test_a_code_of_goods_returns_in_a_list_of_movements() -> None:
    rows: list[Row] = [("物料编码", "数量"), *((f"M{at % 4}", 10 + at) for at in range(16))]
    assert rules_of(*rows) == []


def test_rows_of_formulas_are_no_repeats_and_the_first_one_may_begin_otherwise() -> None:
    rows: list[Row] = [("No.", "Opening", "Paid", "Closing"), (1, "=$A$1", "=$A$2", "=B2-C2")]
    rows += [(at, f"=D{at}", "=$A$2", f"=B{at + 1}-C{at + 1}") for at in range(2, 9)]
    assert rules_of(*rows) == []


def test_negative_stock_units_currencies_and_products_are_told() -> None:
    head: Row = ("物料", "单位", "库存数量")
    assert rules_of(head, ("甲", "kg", 5), ("乙", "kg", -3), ("丙", "kg", 9)) == ["negative_stock"]
    assert rules_of(head, *((f"料{at}", "kg", at) for at in range(1, 6)), ("末", "吨", 2)) == ["mixed_unit"]
    assert rules_of(head, *((f"料{at}", "箱", at) for at in range(1, 6)), ("末", "个", 2)) == []
    paid: list[Row] = [("付款", "币种", "金额"), ("a", "CNY", 5), ("b", "CNY", 6), ("c", "CNY", 7), ("d", "USD", 8)]
    assert rules_of(*paid, ("合计", None, "=SUM(C2:C5)")) == ["mixed_unit"]
    items: list[Row] = [
        ("品名", "数量", "单价", "金额"),
        ("a", 2, 3, 6),
        ("b", 4, 5, 20),
        ("c", 3, 3, 9),
        ("d", 7, 2, 41),
    ]
    assert rules_of(*items) == ["wrong_product"]


def test_a_typed_number_between_the_formulas_of_a_row_is_told() -> None:
    months = [f"{month}月" for month in range(1, 7)]
    rows: list[Row] = [("项目", *months), ("租金", *range(100, 106)), ("电费", *range(10, 16))]
    assert rules_of(*rows, ("净支出", *(f"={c}2+{c}3" for c in "BCD"), 115, *(f"={c}2+{c}3" for c in "FG"))) == [
        "typed_in_row"
    ]


def test_counts_and_extremes_below_a_list_are_none_of_its_rows() -> None:
    rows: list[Row] = [("姓名", "语文", "数学"), *((f"学生{at}", 60 + at, 70 + at) for at in range(8))]
    rows.append(("实考人数", "=COUNT(B2:B9)", "=COUNT(C2:C9)"))
    assert rules_of(*rows) == []


def test_a_column_that_was_exported_as_text_is_one_finding_and_codes_are_none() -> None:
    rows: list[Row] = [("日", "金额"), *((f"{day}日", f"{day * 10}.5") for day in range(1, 15))]
    assert rules_of(*rows) == ["numbers_as_text"]
    assert rules_of(("Nominal", "Name"), *((f"{5000 + at}", "x") for at in range(12))) == []


def test_a_date_as_text_stands_out_among_dates() -> None:
    dates = tuple(SheetCell(f"账!A{row}", f"2026-03-{row:02}", is_date=True) for row in range(2, 8))
    cells = (SheetCell("账!A1", "日期"), SheetCell("账!B1", "数"), *dates, SheetCell("账!A8", "2026.03.08"))
    found = audit_sheet(SheetCells("账", cells))
    assert [(one.rule, one.values["cell"]) for one in found] == [("date_as_text", "A8")]


def test_a_hidden_column_is_told_where_a_sum_counts_it() -> None:
    cells = [
        SheetCell(f"账!{c}1", name, hidden=c == "C") for c, name in zip("ABCD", ("项", "一", "备", "和"), strict=True)
    ]
    for row in (2, 3, 4):
        cells += [SheetCell(f"账!A{row}", f"项{row}"), SheetCell(f"账!B{row}", row * 3)]
        cells += [SheetCell(f"账!C{row}", row + 1, hidden=True), SheetCell(f"账!D{row}", 9, f"=SUM(B{row}:C{row})")]
    assert [one.rule for one in audit_sheet(SheetCells("账", tuple(cells)))] == ["hidden_column"]


def test_a_sum_over_another_sheet_that_stops_short_is_told() -> None:
    days = tuple(SheetCell(f"日报!A{row}", f"{row}日") for row in range(2, 32))
    days += tuple(SheetCell(f"日报!B{row}", 40 + row) for row in range(2, 32))
    daily = SheetCells("日报", (SheetCell("日报!A1", "日期"), SheetCell("日报!B1", "产量"), *days))
    thirds = ("=SUM(日报!B2:B11)", "=SUM(日报!B12:B20)", "=SUM(日报!B22:B31)")
    cells = [SheetCell(f"汇总!{c}1", name) for c, name in zip("ABCD", ("项", "上旬", "中旬", "下旬"), strict=True)]
    cells += [
        SheetCell("汇总!A2", "产量"),
        *(SheetCell(f"汇总!{c}2", 1, f) for c, f in zip("BCD", thirds, strict=True)),
    ]
    summary = SheetCells("汇总", tuple(cells))
    (found,) = audit_sheet(summary, (summary, daily))
    assert (found.rule, found.values["cell"], found.values["expected"]) == ("broken_sum", "C2", "日报!B12:B21")
