"""Pauses of a dictated message become signs; where a pause may stand in a name or a text, it is asked about."""

import json

import pytest

from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.dictation import write_pauses
from metier.packs.office.drafting.dictation._pauses import find_run_on
from metier.packs.office.plan import HostApp


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("插一个表 列是姓名 部门 职务 空三行", "插一个表，列是姓名、部门、职务，空三行"),
        ("新建一个议程页 列出背景 现状 方案 这三项", "新建一个议程页，列出背景、现状、方案这三项"),
        ("写一份纪要模板 包括时间 地点 还有待办事项", "写一份纪要模板，包括时间、地点、待办事项"),
        (
            "插入标题 工作背景 第一行是先断电。第二行是后拆线。",
            "插入标题“工作背景”，第一行是“先断电。”第二行是“后拆线。”",
        ),
        ("按部门汇总报销金额 市场部500 技术部800", "按部门汇总报销金额：市场部500、技术部800"),
        ("做预算表 办公费 8000 7200 差旅费 12000 13500", "做预算表：办公费 8000 7200；差旅费 12000 13500"),
    ],
)
def test_pauses_become_signs(said: str, written: str) -> None:
    assert write_pauses(said) == written


@pytest.mark.parametrize(
    "said",
    [
        "在文末写 大家好 我是小王",
        "插一个表 列是姓名 部门 大一点",
        "加横幅 写安全第一 预防为主",
        "新建风险页 供应商延期 启用备选 人员流失 建立AB角",
        "插一个表 列是姓名 备注 说明一下用途吧",
        "插入 一个\n表格",
    ],
)
def test_a_pause_that_may_belong_to_a_text_stays(said: str) -> None:
    assert write_pauses(said) == said


def test_names_that_begin_like_an_order_stay_names() -> None:
    said = "插一个表 列是编号 开始时间 来源 备注 用途"

    assert write_pauses(said) == "插一个表，列是编号、开始时间、来源、备注、用途"


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("wpp", "加议程 背景 现状 方案 谢谢"),
        ("wps", "插个表 列是日期 事项 三行 第一行写五一 放假"),
        ("wps", "加一个标题 年度总结 红色"),
    ],
)
def test_a_clause_behind_a_pause_is_never_written(host: HostApp, said: str) -> None:
    draft = draft_plan(said, host=host, language="zh")

    assert draft.plan is None
    assert draft.question


def test_a_text_in_quotation_marks_may_be_anything() -> None:
    assert find_run_on("插入标题“年度总结 红色”", ["年度总结 红色"]) == ""


def test_a_dictated_message_is_drafted_as_if_it_were_typed() -> None:
    draft = draft_plan("嗯 依次插入两个表格 第一个表的列是姓名 部门 第二个表的列是日期 地点", host="wps", language="zh")

    assert draft.plan is not None
    said = json.dumps(draft.plan, ensure_ascii=False)
    assert '["姓名", "部门"]' in said
    assert '["日期", "地点"]' in said


def test_every_name_between_pauses_is_written() -> None:
    draft = draft_plan("插一个表格只要表头就行了 表头是编号 名称 规格 数量", host="wps", language="zh")

    assert "['编号', '名称', '规格', '数量']" in str(draft.plan)


def test_a_filler_is_never_part_of_a_text() -> None:
    draft = draft_plan("add a slide called Risks with um two points late delivery", host="wpp", language="en")

    assert "um" not in str(draft.plan).split()
