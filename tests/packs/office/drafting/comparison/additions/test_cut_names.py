"""A name is written whole: what is cut out of a longer one of the same list is asked about."""

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.comparison.additions._cut_names import find_cut_name, find_lost_rest


@pytest.mark.parametrize(
    ("request_", "written", "whole"),
    [
        ("两列：月份、入住人数\n3月 412", ["月份", "人数"], "入住人数"),
        ("各栏名称是入库单号、物料、批次", ["称是入库单号", "物料", "批次"], "各栏名称是入库单号"),
        ("New slide: agenda\nBulleted list:\n- Welcome", ["ed", "Welcome"], "Bulleted"),
        ("阶段、渠道、负责人共七列", ["阶段", "渠道", "负责人共"], "负责人共"),
        ("阶段、渠道、措施——以这三列为表头", ["阶段", "渠道", "措施——以"], "措施——以"),
        ("列为甲方、乙方、丙方代表", ["甲方", "乙方", "方代表"], "丙方代表"),
    ],
)
def test_a_part_of_a_name_is_found(request_: str, written: list[str], whole: str) -> None:
    assert find_cut_name(request_, written) == whole


@pytest.mark.parametrize(
    ("request_", "written"),
    [
        ("列为姓名、部门和职务三列", ["姓名", "部门", "职务"]),
        ("任务有需求分析、开发，排6周", ["任务", "需求分析", "开发"]),
        ("第1周启动、第2周开发", ["第1周", "启动", "第2周", "开发"]),
        ("一季度120、二季度150，各季度的销量", ["季度", "销量"]),
        ("按部门汇总报销金额：市场部 500、技术部 800", ["部门", "报销金额", "市场部"]),
        ("monthly sales: Jan 10, Feb 20; tasks: plan, do", ["Month", "Jan", "Task", "plan"]),
        ("用分类、用途、是否合格作为表头", ["分类", "用途", "是否合格"]),
        ("做个表：列=姓名+部门、职务", ["姓名", "部门", "职务"]),
        ("表头项目、预算、实际", ["项目", "预算", "实际"]),
        ("立项、采购、验收四个任务", ["任务", "立项", "验收"]),
    ],
)
def test_whole_names_and_words_beside_numbers_are_no_part(request_: str, written: list[str]) -> None:
    assert find_cut_name(request_, written) == ""


def test_a_new_slide_has_no_title_over_lines_and_no_half_of_a_quotation() -> None:
    listed = draft_plan("New slide: agenda\nBulleted list:\n- Welcome\n- Close", host="wpp", language="en")
    titled = draft_plan("请新建一张标题幻灯片：标题写“案件复盘”，副标题写“知识产权部”。", host="wpp", language="zh")
    assert "Welcome\\nClose" in str(listed.plan)
    assert "'title': '案件复盘'" in str(titled.plan)


def test_a_sum_is_named_by_all_of_its_words() -> None:
    drafted = draft_plan("按仓库汇总出库数量：北仓 120、南仓 85、北仓 60", host="et", language="zh")
    assert "'出库数量'" in str(drafted.plan)


@pytest.mark.parametrize(
    "request_",
    [
        "帮我建个表，列有姓名、工号（新）及部门和岗位，10行",
        "建表，列姓名、电话，一共30人",
    ],
)
def test_a_bracket_or_a_name_behind_the_last_one_is_asked_about(request_: str) -> None:
    assert draft_plan(request_, host="et", language="zh").plan is None


@pytest.mark.parametrize(
    "request_",
    ["插入表格，列为姓名、部门和3行", "Insert a table with Name, Phone and 3 rows", "插入一个表，列为时间、地点，5行"],
)
def test_a_count_behind_the_last_name_is_none(request_: str) -> None:
    assert find_lost_rest(request_, ["姓名", "部门"] if "姓名" in request_ else ["时间", "地点"]) == ""


def test_a_title_with_commas_is_not_several_slides() -> None:
    assert draft_plan("Add a slide titled Hello, World with bullets: a, b", host="wpp", language="en").plan is None
    several = draft_plan("加一页，标题“甲”，再加一页，标题“乙”", host="wpp", language="zh")
    assert str(several.plan).count("add_slide") == 2


def test_a_note_is_found_whatever_the_case_of_its_letters() -> None:
    drafted = draft_plan("标题：周报；列：日期、事项；行数：4；备注：Update weekly", host="wps", language="zh")
    assert drafted.plan is None or "Update weekly" in str(drafted.plan)
