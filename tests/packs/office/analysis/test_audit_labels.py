"""An audit by the names of rows and columns: every total is compared, and nothing that is none."""

from datetime import date

import pytest

from metier.packs.office.analysis import Reading, propose
from metier.packs.office.analysis.workbooks import audit_sheet
from tests.packs.office.analysis.test_totals import ITEMS, Row, sheet_of

HEAD: Row = ("项目", "数量", "金额")
TWO: tuple[Row, ...] = (HEAD, ("甲", 1, 10), ("乙", 1, 20))


def rules_of(*rows: Row) -> list[str]:
    return [finding.rule for finding in audit_sheet(sheet_of(*rows))]


@pytest.mark.parametrize("formula", ["=SUM(账!C2:C4)", "=SUM('账'!C2:C4)", "=SUM(账!C2:账!C4)", "=SUM(C2:C4)*1"])
def test_a_total_that_names_its_own_sheet_or_multiplies_by_one_is_compared(formula: str) -> None:
    assert rules_of(*ITEMS, ("合计", 11, formula)) == ["constant_total", "broken_sum"]
    assert rules_of(*ITEMS, ("合计", "=SUM(B2:B5)", formula.replace("C4", "C5"))) == []


def test_a_total_of_another_sheet_is_not_judged() -> None:
    for sheet in ("总账!", "'旧 账'!"):
        assert rules_of(*ITEMS, ("合计", "=SUM(B2:B5)", f"=SUM({sheet}C2:C4)")) == []


def test_a_total_of_another_workbook_is_told_and_not_judged() -> None:
    assert rules_of(*ITEMS, ("合计", "=SUM(B2:B5)", "=SUM('[旧.xlsx]账'!C2:C4)")) == ["external_link"]


@pytest.mark.parametrize(
    "label",
    [
        "总额",
        "共计",
        "金额合计",
        "本月合计",
        "合 计（元）",
        "合计：",
        "全年总计",
        "总金额",
        "Sum",
        "合计（2人）",
        "合计大写",
        "总计应收",
    ],
)
def test_a_wrong_typed_total_is_found_by_every_name(label: str) -> None:
    assert rules_of(*TWO, (label, 2, 31)) == ["constant_total"]
    assert rules_of(*TWO, (label, 2, 30)) == []


def test_a_company_or_an_asset_is_no_total_by_its_first_characters() -> None:
    for label in ("合计科技公司", "累计折旧", "总和生活馆", "小计算器"):
        assert rules_of(HEAD, (label, 3, 36), ("乙", 2, 20), ("合计", "=SUM(B2:B3)", "=SUM(C2:C3)")) == []


def test_a_typed_grand_total_is_compared_through_its_subtotals() -> None:
    rows = (*TWO, ("小计", 2, 30), ("丙", 1, 40), ("丁", 1, 50), ("小计", 2, 90))
    assert rules_of(*rows, ("总计", 4, 120)) == []
    assert rules_of(*rows, ("总计", 4, 240)) == ["constant_total"]


@pytest.mark.parametrize(
    "rows",
    [
        (*ITEMS, ("平均", 2.75, 79.75)),
        (*ITEMS, ("最大值", "=MAX(B2:B5)", "=MAX(C2:C5)"), ("合计", "=SUM(B2:B5)", "=SUM(C2:C5)")),
        (*ITEMS, ("合计", 11, 319), ("税额", None, 41.47), ("价税合计", None, 360.47)),
        (HEAD, ("收入", 1, 1000), ("支出", 1, 600), ("合计", None, "=C2-C3")),
        (HEAD, ("收入", None, 1000), ("支出", None, 600), ("合计", None, 400)),
        (*TWO, ("优惠", None, 5), ("合计", None, 25)),
        (("项目", "金额", "单价"), ("甲", 10, 5), ("乙", 20, 6), ("合计", 30, 5.67)),
        (("姓名", "序号", "工资"), ("甲", 1, 3000), ("乙", 2, 4000), ("合计", 2, 7000)),
        (("姓名", "年龄"), ("甲", 30), ("乙", 40), ("合计", 2)),
        (("月", "金额", "累计"), ("一月", 10, "=B2"), ("二月", 20, "=C2+B3"), ("三月", 30, "=C3+B4"),
         ("合计", "=SUM(B2:B4)", "=C4")),
        (("日期", "收入", "支出", "余额"), ("期初", None, None, 100), ("1月", 50, 20, "=D2+B3-C3"),
         ("2月", 60, 30, "=D3+B4-C4"), ("合计", "=SUM(B3:B4)", "=SUM(C3:C4)", "=D4")),
        (("发票号", "项目", "金额"), ("A01", "甲", 10), ("A01", "乙", 20), ("A02", "丙", 5)),
    ],
)  # fmt: skip
def test_a_right_sheet_has_no_finding(rows: tuple[Row, ...]) -> None:
    assert rules_of(*rows) == []


def test_a_right_share_of_all_is_no_finding_and_figures_are_told_to_the_cent() -> None:
    shares: tuple[Row, ...] = (("项目", "金额", "占比"), ("甲", 10, "10%"), ("乙", 90, "90%"))
    assert "constant_total" not in rules_of(*shares, ("合计", "=SUM(B2:B3)", "100%"))
    assert "constant_total" in rules_of(*shares, ("合计", "=SUM(B2:B3)", "90%"))
    rows: tuple[Row, ...] = (HEAD, ("甲", 1, 1234567.89), ("乙", 1, 7654321.11), ("合计", 2, 8888889.01))
    (found,) = audit_sheet(sheet_of(*rows))
    assert (found.values["value"], found.values["expected"]) == ("8888889.01", "8888889")


def test_a_document_that_stands_twice_with_the_same_amount_is_found() -> None:
    rows: tuple[Row, ...] = (("发票号", "项目", "金额"), ("A01", "甲", 10), ("A01", "甲方", 10), ("A02", "丙", 5))
    assert rules_of(*rows) == ["duplicate_key"]


def test_a_total_that_is_more_than_a_sum_is_named_as_not_compared() -> None:
    for formula, is_named in (("=SUM(C2:C4)*1.06", True), ("=IF(TRUE,SUM(C2:C4))", True), ("=SUM(C2:C5)", False)):
        sheet = sheet_of(*ITEMS, ("合计", "=SUM(B2:B5)", formula))
        made = propose(
            "finance-audit", Reading("a.xlsx", "xlsx", sheets=(sheet,)), today=date(2026, 3, 4), language="zh"
        )
        assert ("没有与各行比对：账!C6" in made.summary) is is_named
